import Testing
import TouchModel
import UInputPanel

@Suite struct `Gesture scripts` {
  @Test func `a script survives its text form`() throws {
    let script = GestureScript.tenFingerGestures
    #expect(try GestureScript(text: script.text(comments: ["a line", ""])) == script)
  }

  static let faults = [
    ("gesture tap\n100 0=1\n", 2), ("100 -\n", 1), ("# fine\n\ngesture\n", 3),
    ("gesture tap\nsoon -\n", 2),
  ]
  @Test(arguments: faults)
  func `a line that cannot be read is named by its number`(_ text: String, _ line: Int) {
    #expect(throws: GestureScriptError(line: line)) { try GestureScript(text: text) }
  }

  @Test func `the ten-finger gestures lie apart, end lifted and stay on the panel`() {
    let script = GestureScript.tenFingerGestures
    let names = ["tap", "double-tap", "drag", "long-press", "pinch", "ten-fingers"]
    #expect(script.gestures.map(\.name) == names)
    for (gesture, next) in zip(script.gestures, script.gestures.dropFirst()) {
      let end = gesture.frames.last?.milliseconds ?? 0
      #expect((next.frames.first?.milliseconds ?? 0) - end > 500, "after \(gesture.name)")
    }
    for gesture in script.gestures { #expect(gesture.frames.last?.fingers.isEmpty == true) }
    let places = script.frames.flatMap(\.fingers.values)
    #expect(places.allSatisfy { (0...5116).contains($0.x) && (0...3196).contains($0.y) })
    #expect(places.allSatisfy { $0.x % 4 == 0 && $0.y % 4 == 0 }, "whole points")
    #expect((script.frames.last?.milliseconds ?? 0) < 10_000)
    let times = script.frames.map(\.milliseconds)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }
}

@Suite struct `Panel state` {
  @Test func `a finger lands with a new id, moves with the same and lifts with -1`() {
    var panel = PanelState()
    let down = panel.frame([3: RawPoint(x: 1, y: 2)])
    let moved = panel.frame([3: RawPoint(x: 5, y: 2)])
    let up = panel.frame([:])
    #expect(values(EvdevCode.absMTTrackingID, down + moved + up) == [1, 1, -1])
    #expect(values(EvdevCode.absMTSlot, down + moved + up) == [3, 3, 3])
    #expect(values(EvdevCode.btnTouch, down + moved + up) == [1, 1, 0])
  }

  @Test func `the single-touch axes follow the finger that came first`() {
    var panel = PanelState()
    _ = panel.frame([1: RawPoint(x: 10, y: 10)])
    let both = panel.frame([0: RawPoint(x: 90, y: 90), 1: RawPoint(x: 11, y: 10)])
    #expect(values(EvdevCode.absX, both) == [11])
    #expect(values(EvdevCode.absX, panel.frame([0: RawPoint(x: 90, y: 90)])) == [90])
  }

  private func values(_ code: UInt16, _ events: [EvdevEvent]) -> [Int32] {
    events.filter { $0.code == code && $0.type != EvdevCode.syn }.map(\.value)
  }
}
