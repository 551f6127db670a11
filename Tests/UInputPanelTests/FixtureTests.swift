import Glibc
import Testing
import TouchModel
import UInputPanel

@Suite struct `The recording of the ten-finger panel` {
  @Test func `the script file says what the plan says`() throws {
    let script = try GestureScript(text: fixture("ten-finger-panel.gestures.script.txt"))
    #expect(script == .tenFingerGestures)
  }

  @Test func `the recording has the frames of the script, in order and about in time`() throws {
    let recorded = try recordedFrames(fixture("ten-finger-panel.gestures.evemu"))
    let planned = GestureScript.tenFingerGestures.frames
    #expect(recorded.map(\.fingers) == planned.map(\.fingers))
    let lead = planned.first?.milliseconds ?? 0
    for (frame, plan) in zip(recorded, planned) {
      let late = frame.milliseconds - (plan.milliseconds - lead)
      #expect((-20...100).contains(late), "\(late) ms late at \(plan.milliseconds) ms")
    }
  }

  /// What a reader of the kernel's multi-touch protocol makes of the file: slots keep their place.
  private func recordedFrames(_ text: String) -> [GestureScript.Frame] {
    var frames: [GestureScript.Frame] = []
    var (slot, places, live) = (Int32(0), [Int32: RawPoint](), Set<Int32>())
    for line in text.split(separator: "\n") where line.hasPrefix("E:") {
      let words = line.split(separator: " ")
      let time = words[1].split(separator: ".").compactMap { Int($0) }
      guard words.count == 5, time.count == 2, let type = UInt16(words[2], radix: 16),
        let code = UInt16(words[3], radix: 16), let value = Int32(words[4])
      else { continue }
      switch (type, code) {
      case (EvdevCode.abs, EvdevCode.absMTSlot): slot = value
      case (EvdevCode.abs, EvdevCode.absMTPositionX):
        places[slot, default: RawPoint(x: 0, y: 0)].x = value
      case (EvdevCode.abs, EvdevCode.absMTPositionY):
        places[slot, default: RawPoint(x: 0, y: 0)].y = value
      case (EvdevCode.abs, EvdevCode.absMTTrackingID):
        if value < 0 { live.remove(slot) } else { live.insert(slot) }
      case (EvdevCode.syn, EvdevCode.synReport):
        frames.append(
          .init(
            milliseconds: time[0] * 1000 + time[1] / 1000,
            fingers: places.filter { live.contains($0.key) }))
      default: break
      }
    }
    return frames
  }

  private func fixture(_ name: String) throws -> String {
    let path = #filePath.split(separator: "/").dropLast(2)
      .joined(separator: "/")
    let file = open("/\(path)/Fixtures/\(name)", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(file, &bytes, bytes.count)
    try #require(file >= 0 && count >= 0, "\(name): \(String(cString: strerror(errno)))")
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
