import Glibc
import TestSupport
import Testing
import TouchModel
import UInputPanel

extension SystemTests {
  @Suite struct `The gesture script, played on a panel` {
    /// Tests/System/record-fixture sets the variable to keep what this test plays.
    @Test func `comes out of the node frame by frame`() throws {
      let script = GestureScript.tenFingerGestures
      let description = DeviceDescription.tenFingerPanel()
      let (panel, node) = try pluggedIn(description)
      defer { panel.unplug() }
      let start = ContinuousClock.now
      var panelState = PanelState()
      var events: [EvdevEvent] = []
      for frame in script.frames {
        sleep(until: start + .milliseconds(frame.milliseconds))
        try panel.touch(frame.fingers)
        let seen = try node.frame()
        let isWritten = Set(panelState.frame(frame.fingers).map(Value.init))
        #expect(seen.allSatisfy { isWritten.contains(Value($0)) }, "at \(frame.milliseconds) ms")
        events += seen
      }
      if let folder = Machine.environment("TOUCHBRIDGE_RECORD_TO") {
        try keep(script, EvemuText(description: description, events: events), in: folder)
      }
    }

    /// Plays in time: the gaps between the frames are what is recorded here.
    private func sleep(until instant: ContinuousClock.Instant) {
      let (seconds, attoseconds) = (instant - .now).components
      guard seconds >= 0, attoseconds > 0 else { return }
      var left = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
      var rest = timespec()
      while nanosleep(&left, &rest) != 0, errno == EINTR { left = rest }
    }

    private func keep(_ script: GestureScript, _ recording: EvemuText, in folder: String) throws {
      let name = "ten-finger-panel.gestures"
      var recording = recording
      recording.comments = [
        "Origin: made for Touchbridge by Tests/System/record-fixture, no device and no person in it.",
        "The gestures of \(name).script.txt, played on a uinput panel in a",
        "virtual machine; events and times (CLOCK_MONOTONIC, from the first event) are what that",
        "panel's evdev node gave (Linux \(kernelRelease)).",
      ]
      try write(recording.text, to: "\(folder)/\(name).evemu")
      try write(script.text(comments: Self.legend), to: "\(folder)/\(name).script.txt")
    }

    private static let legend = [
      "What was played for ten-finger-panel.gestures.evemu, written by Tests/System/record-fixture.",
      "",
      "gesture NAME, then one line a frame: milliseconds from the start, then SLOT=X,Y in raw units",
      "for each finger that is down, or - for none. The recording has the same frames in the same",
      "order; its times count from its first event and jitter.",
      "",
      "Ranges: x 0...5116, y 0...3196. On a display of 1280 by 800 points at scale 1 the point is",
      "raw / 4, since (raw / 5116) * (1280 - 1) = raw / 4 and (raw / 3196) * (800 - 1) = raw / 4.",
    ]

    private var kernelRelease: String {
      var name = utsname()
      uname(&name)
      return withUnsafeBytes(of: name.release) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
    }

    private func write(_ text: String, to path: String) throws {
      let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      defer { close(file) }
      let bytes = Array(text.utf8)
      guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count else {
        throw TimedOut("\(path) to be written: \(String(cString: strerror(errno)))")
      }
    }
  }
}

/// An event without its time.
private struct Value: Hashable {
  var type: UInt16
  var code: UInt16
  var value: Int32

  init(_ event: EvdevEvent) { (type, code, value) = (event.type, event.code, event.value) }
}
