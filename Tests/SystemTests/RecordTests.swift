import FoundationEssentials
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchRecording
import TouchWire
import UInputPanel

extension SystemTests {
  /// `touchctl record` beside the daemon, and `touchctl replay --uinput` into the kernel.
  @Suite struct `Recording and replaying` {
    @Test func `a recording keeps the places in sensitive scenes to itself`() throws {
      let daemon = try DaemonObserver(["--display", "1280x800"])
      let (panel, node, device) = try daemon.plug()
      defer { panel.unplug() }
      let app = try SceneHolder(daemon.appSocket)
      try app.set([
        Scene(
          id: 1, frame: Rect(x: 0, y: 0, width: 640, height: 800), flags: .sensitive),
        Scene(id: 2, frame: Rect(x: 640, y: 0, width: 640, height: 800)),
      ])
      let record = try ChildProcess([
        "touchctl", "record", node, "--socket", daemon.adminSocket, "--frames", "3",
      ])
      _ = try record.errors.next(containing: "the file holds the time and place of each touch")
      try panel.touch([0: RawPoint(x: 400, y: 800), 1: RawPoint(x: 2800, y: 800)])
      try panel.touch([0: RawPoint(x: 440, y: 840), 1: RawPoint(x: 2840, y: 840)])
      try panel.lift()
      #expect(try record.end() == 0)
      try daemon.wait(for: "the fingers to lift") { daemon.frames[device]?.count == 3 }
      let recording = try Recording(parsing: Array(record.output.all.joined(separator: "\n").utf8))
      let events = try #require(recording.devices.first).events
      func values(_ code: UInt16) -> [Int32] {
        events.filter { $0.type == EvdevCode.abs && $0.code == code }.map(\.value)
      }
      #expect(values(EvdevCode.absMTPositionX) == [2800, 2840])
      #expect(values(EvdevCode.absMTPositionY) == [800, 840])
      #expect(values(EvdevCode.absX) == [])
      #expect(values(EvdevCode.absMTTrackingID) == [1, 2, -1, -1])
      #expect(
        record.output.all.last == "# Touchbridge: 2 frames without some of their places")
    }

    @Test func `a recording played through uinput reaches the daemon as it is in the file`() throws
    {
      let daemon = try DaemonObserver()
      let file = "\(Repository.root)/Tests/Fixtures/ten-finger-panel.gestures.evemu"
      let replay = try ChildProcess(["touchctl", "replay", file, "--uinput", "--speed", "8"])
      try daemon.wait(for: "the panel") { !daemon.panels.isEmpty }
      let device = try #require(daemon.panels.values.first)
      try daemon.wait(for: "the panel to go", by: Deadline(.seconds(120))) {
        daemon.panels.isEmpty
      }
      #expect(try replay.end() == 0)
      let (code, output) = try ChildProcess.run("touchctl", "decode", file, "--json")
      #expect(code == 0)
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      var expected: [[SeenContact]] = []
      for line in output.split(separator: "\n") {
        let frame = try decoder.decode(Line.self, from: Data(line.utf8))
        expected.append(frame.contacts.map(\.seen))
      }
      #expect(daemon.frames[device]?.map(\.contacts) == expected)
      #expect(daemon.faultAtEnd(of: device) == nil)
    }

    private struct Line: Decodable {
      struct Contact: Decodable {
        var slot: Int32
        var phase: String
        var rawX: Int32
        var rawY: Int32

        var seen: SeenContact {
          let phases = ContactPhase.allCases.filter { "\($0)" == phase }
          return SeenContact(slot: slot, phase: phases.first ?? .cancel, x: rawX, y: rawY)
        }
      }

      var contacts: [Contact]
    }
  }
}

/// An app that has scenes and acknowledges what it gets.
private final class SceneHolder {
  private let socket: PacketSocket
  private let writer = PacketWriter()
  private let buffer = PacketBuffer(byteCount: 65_536)

  init(_ path: String) throws {
    socket = try PacketSocket.connect(to: path)
    _ = socket.send(writer.hello(Hello(roles: .app, name: "scenes"), serial: 1))
  }

  /// Sets scenes and waits until they are in force.
  func set(_ scenes: [Scene]) throws {
    _ = try #require(writer.setScenes(scenes, serial: 2).map(socket.send))
    let deadline = Deadline()
    while deadline.awaitInput(socket.descriptor) {
      guard case .done(let count) = socket.receive(into: buffer.bytes) else { break }
      let packet = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
      if case .scenesApplied(let applied) = try ServerMessage.decode(packet) {
        #expect(applied.result == .applied)
        return
      }
    }
    throw TimedOut("the scenes")
  }
}
