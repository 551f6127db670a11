extension GestureScript {
  /// The gestures of `Tests/Fixtures/ten-finger-panel.gestures.*`, for the ten-finger panel.
  ///
  /// All places are whole points of its 1280 by 800 display. Over 500 ms lie between two gestures,
  /// so that none is part of the next.
  public static let tenFingerGestures: GestureScript = {
    var plan = Plan()
    plan.gesture("tap") { $0.tap(160, 120) }
    plan.gesture("double-tap") {
      $0.tap(1120, 120)
      $0.wait(120)
      $0.tap(1120, 120)
    }
    plan.gesture("drag") {
      $0.put(0, 540, 400)
      for step in 1...20 { $0.after(10) { $0.put(0, 540 + 10 * step, 400) } }
      $0.after(10) { $0.lift(0) }
    }
    plan.gesture("long-press") {
      $0.put(0, 1120, 680)
      $0.after(250) { $0.put(0, 1121, 680) }
      $0.after(250) { $0.put(0, 1121, 681) }
      $0.after(400) { $0.lift(0) }
    }
    plan.gesture("pinch") { $0.pinch() }
    plan.gesture("ten-fingers") { $0.tenFingers() }
    return plan.script
  }()
}

/// Writes a script as the fingers move; places are in points, times in milliseconds.
private struct Plan {
  var script = GestureScript()
  private var now = 100
  private var fingers: [Int32: RawPoint] = [:]

  mutating func gesture(_ name: String, _ moves: (inout Plan) -> Void) {
    script.gestures.append(.init(name: name))
    moves(&self)
    now += 700
  }

  mutating func wait(_ milliseconds: Int) { now += milliseconds }

  /// Adds one frame, so long after the last one.
  mutating func after(_ milliseconds: Int, _ moves: (inout Plan) -> Void) {
    now += milliseconds
    moves(&self)
  }

  mutating func put(_ slot: Int32, _ x: Int, _ y: Int) {
    fingers[slot] = RawPoint(x: Int32(4 * x), y: Int32(4 * y))
    show()
  }

  mutating func lift(_ slots: Int32...) {
    for slot in slots { fingers[slot] = nil }
    show()
  }

  /// Ends a frame; moves of the same moment share one.
  private mutating func show() {
    let last = script.gestures.count - 1
    if script.gestures[last].frames.last?.milliseconds == now {
      script.gestures[last].frames.removeLast()
    }
    script.gestures[last].frames.append(.init(milliseconds: now, fingers: fingers))
  }

  mutating func tap(_ x: Int, _ y: Int) {
    put(0, x, y)
    after(80) { $0.lift(0) }
  }

  /// Two fingers, 100 points apart, spread to 300 points and come back to 240, on a slope of 3 to 4
  /// about the display's centre: all places are whole points, and nothing turns.
  mutating func pinch() {
    func spread(_ plan: inout Plan, _ steps: Int) {
      plan.put(0, 640 - 3 * steps, 400 - 4 * steps)
      plan.put(1, 640 + 3 * steps, 400 + 4 * steps)
    }
    put(0, 610, 360)
    after(10) { spread(&$0, 10) }
    for steps in 11...30 { after(10) { spread(&$0, steps) } }
    for steps in (24...29).reversed() { after(10) { spread(&$0, steps) } }
    after(10) { $0.lift(1) }
    after(10) { $0.lift(0) }
  }

  /// Ten fingers land one after the other, move down 60 points together, and lift in pairs.
  mutating func tenFingers() {
    func row(_ plan: inout Plan, _ slots: ClosedRange<Int>, down: Int) {
      for slot in slots {
        plan.put(Int32(slot), 190 + 100 * slot, (slot % 2 == 0 ? 360 : 400) + down)
      }
    }
    row(&self, 0...0, down: 0)
    for slot in 1...9 { after(10) { row(&$0, slot...slot, down: 0) } }
    for step in 1...12 { after(10) { row(&$0, 0...9, down: 5 * step) } }
    for pair in 0...4 { after(10) { $0.lift(Int32(2 * pair), Int32(2 * pair + 1)) } }
  }
}
