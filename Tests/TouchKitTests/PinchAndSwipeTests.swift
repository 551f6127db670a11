import Testing
import TouchKit
import TouchTestSupport

@MainActor
private final class Reader {
  var states: [String] = []
  var values: [Double] = []
  var velocities: [Double] = []
  var counts: [Int] = []
  var places: [CGPoint] = []
  var onPinch: (UIPinchGestureRecognizer) -> Void = { _ in }
  var onRotation: (UIRotationGestureRecognizer) -> Void = { _ in }

  private func note(_ recognizer: UIGestureRecognizer, _ value: Double, _ velocity: Double) {
    states.append("\(recognizer.state)")
    values.append((value * 1000).rounded() / 1000)
    velocities.append(velocity)
    counts.append(recognizer.numberOfTouches)
    places.append(recognizer.location(in: nil))
  }

  func pinch(_ pinch: UIPinchGestureRecognizer) {
    note(pinch, pinch.scale, pinch.velocity)
    onPinch(pinch)
  }

  func rotation(_ rotation: UIRotationGestureRecognizer) {
    note(rotation, rotation.rotation, rotation.velocity)
    onRotation(rotation)
  }

  func swipe(_ swipe: UISwipeGestureRecognizer) { note(swipe, 0, 0) }
}

@MainActor @Suite struct `Pinch` {
  fileprivate func run(
    _ script: TouchScript, onPinch: @escaping (UIPinchGestureRecognizer) -> Void = { _ in }
  ) -> Reader {
    let stage = Stage()
    let reader = Reader()
    reader.onPinch = onPinch
    stage.window.addGestureRecognizer(
      UIPinchGestureRecognizer(target: reader, action: Reader.pinch))
    stage.play(script)
    return reader
  }

  let start = touch.down((1, at: at(100, 100)), (2, at: at(200, 100)))

  @Test func `PI-2, PI-3, PI-6, PI-9, PI-12, PI-13: distances of 100, 109, 218 and 54.5`() {
    let reader = run(
      start.move(2, to: at(209, 100)).move(2, to: at(318, 100)).move(2, to: at(154.5, 100))
        .up(1, 2))
    #expect(reader.states == ["began", "changed", "changed", "ended"])
    #expect(reader.values == [1, 2, 0.5, 0.5])
    #expect(reader.places.prefix(2) == [at(154.5, 100), at(209, 100)])
    #expect(run(start.move(2, to: at(207.9, 100)).up(1, 2)).states == [])
    #expect(run(start.move(2, to: at(192, 100)).up(1, 2)).states == ["began", "ended"])
  }

  @Test func `PI-1: a third finger is ignored`() {
    let reader = run(
      start.move(2, to: at(220, 100)).down(3, at: at(300, 300)).move(3, to: at(0, 0))
        .move(2, to: at(340, 100)))
    #expect(reader.states == ["began", "changed"] && reader.values == [1, 2])
    #expect(reader.counts == [2, 2])
  }

  @Test func `PI-4: a scale that is set goes on from there`() {
    let reader = run(
      start.move(2, to: at(210, 100)).move(2, to: at(320, 100)).move(2, to: at(430, 100)),
      onPinch: { if $0.scale == 2 { $0.scale = 1 } })
    #expect(reader.values == [1, 2, 1.5])
  }

  @Test func `PI-5: velocity is the change of scale over the last interval`() throws {
    let reader = run(
      start.move(2, to: at(210, 100), over: .milliseconds(100), samples: 1)
        .move(2, to: at(320, 100), over: .milliseconds(100), samples: 1))
    try #require(reader.velocities.count == 2)
    #expect(abs(reader.velocities[1] - 10) < 1e-9)
    #expect(abs(reader.velocities[0] - 10.0 / 110 / 0.1) < 1e-9)
  }

  @Test func `PI-7, PI-8: with one finger it rests, and goes on with a new one without a jump`() {
    let reader = run(
      start.move(2, to: at(210, 100)).move(2, to: at(320, 100)).up(2).move(1, to: at(50, 50))
        .down(3, at: at(50, 100)).move(3, to: at(50, 150)).up(1, 3))
    #expect(reader.states == ["began", "changed", "changed", "ended"])
    #expect(reader.values == [1, 2, 4, 4])
  }

  @Test func `PI-7: with one finger left it counts one touch, there`() {
    let stage = Stage()
    let pinch = stage.add(UIPinchGestureRecognizer(), "Z", to: stage.window)
    stage.play(start.move(2, to: at(220, 100)).up(2))
    #expect(pinch.numberOfTouches == 1 && pinch.location(in: nil) == at(100, 100))
  }

  @Test func `PI-10: before it begins a finger may come back; all up fails`() {
    #expect(
      run(start.up(2).down(2, at: at(150, 100)).move(2, to: at(158, 100)).up(1, 2)).states
        == ["began", "ended"])
    #expect(run(start.up(2).up(1)).states == [])
  }

  @Test func `PI-11: fingers in one place count as 1 pt apart`() {
    let reader = run(start.move(2, to: at(100, 100)).move(2, to: at(110, 100)))
    #expect(reader.values == [1, 10])
  }

  @Test func `GP-17, RO-8: pinch and rotation go together only if a delegate says so`() {
    for together in [false, true] {
      let stage = Stage()
      let pinch = stage.add(UIPinchGestureRecognizer(), "Z", to: stage.window)
      stage.add(UIRotationGestureRecognizer(), "R", to: stage.window)
      stage.delegate(pinch) { $0.together = together }
      stage.play(start.move(2, to: at(220, 140)))
      #expect(stage.log.take() == (together ? ["Z→began", "R→began"] : ["Z→began"]))
    }
  }
}

@MainActor @Suite struct `Rotation` {
  fileprivate func run(
    _ script: TouchScript, onRotation: @escaping (UIRotationGestureRecognizer) -> Void = { _ in }
  ) -> Reader {
    let stage = Stage()
    let reader = Reader()
    reader.onRotation = onRotation
    stage.window.addGestureRecognizer(
      UIRotationGestureRecognizer(target: reader, action: Reader.rotation))
    stage.play(script)
    return reader
  }

  /// Where a finger stands that has turned about (200, 200), 100 pt away.
  func turned(_ degrees: Double) -> CGPoint {
    CGPoint(x: 100, y: 0).applying(
      CGAffineTransform(translationX: 200, y: 200).rotated(by: degrees * .pi / 180))
  }

  let start = touch.down((1, at: at(200, 200)), (2, at: at(300, 200)))

  @Test func `RO-1, RO-2, RO-3: clockwise is positive, zero where it begins`() {
    let reader = run(start.move(2, to: turned(10)).move(2, to: turned(100)).up(1, 2))
    #expect(reader.states == ["began", "changed", "ended"])
    #expect(reader.values == [0, 1.571, 1.571])
    #expect(run(start.move(2, to: turned(-10)).move(2, to: turned(-100))).values == [0, -1.571])
    #expect(run(start.move(2, to: turned(2.8)).up(1, 2)).states == [])
    #expect(run(start.move(2, to: turned(2.9)).up(1, 2)).states == ["began", "ended"])
  }

  @Test func `RO-4: a rotation that is set goes on from there`() {
    let reader = run(
      start.move(2, to: turned(10)).move(2, to: turned(100)).move(2, to: turned(190)),
      onRotation: { if $0.state == .changed { $0.rotation = 0 } })
    #expect(reader.values == [0, 1.571, 1.571])
  }

  @Test func `RO-5: velocity in radians a second`() throws {
    let reader = run(start.move(2, to: turned(90), over: .milliseconds(500), samples: 1))
    try #require(reader.velocities.count == 1)
    #expect(abs(reader.velocities[0] - .pi) < 1e-9)
  }

  @Test func `RO-6: one finger up rests, a new one goes on without a jump`() {
    let reader = run(
      start.move(2, to: turned(10)).move(2, to: turned(100)).up(2).move(1, to: at(0, 0))
        .down(3, at: at(0, 100)).move(3, to: at(-100, 0)).up(1, 3))
    #expect(reader.states == ["began", "changed", "changed", "ended"])
    #expect(reader.values == [0, 1.571, 3.142, 3.142])
  }

  @Test func `RO-7: too near to tell, the angle stays`() {
    let reader = run(
      start.move(2, to: turned(10)).move(2, to: at(200, 200.5)).move(2, to: turned(20)))
    #expect(reader.values == [0, 0, 0.175])
  }

  @Test func `RO-9: a full turn adds up`() {
    var script = start
    for step in 1...36 { script = script.move(2, to: turned(Double(step) * 10)) }
    let reader = run(script)
    #expect(reader.values.last == ((2 * Double.pi - 10 * .pi / 180) * 1000).rounded() / 1000)
    for (one, next) in zip(reader.values, reader.values.dropFirst()) {
      #expect(abs(next - one - 0.1745) < 0.001)
    }
  }
}

@MainActor @Suite struct `Swipe` {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let script: TouchScript
    var direction = UISwipeGestureRecognizer.Direction.right
    var fingers = 1
    let count: Int
  }

  nonisolated static func flick(_ x: Double, _ y: Double, _ milliseconds: Int) -> TouchScript {
    touch.down(at: CGPoint(x: 200, y: 200)).move(
      to: CGPoint(x: 200 + x, y: 200 + y), over: .milliseconds(milliseconds), samples: 1
    ).up()
  }

  nonisolated static let cases = [
    Case(testDescription: "SW-2: 47 pt in 0.05 s", script: flick(47, 0, 50), count: 1),
    Case(testDescription: "SW-2: 46.9 pt in 0.05 s", script: flick(46.9, 0, 50), count: 0),
    Case(testDescription: "SW-2: 20 pt in 0.5 s", script: flick(20, 0, 500), count: 1),
    Case(testDescription: "SW-2: 10 pt aside in 0.5 s", script: flick(20, 10, 500), count: 1),
    Case(testDescription: "SW-5: 10.1 pt aside in 0.5 s", script: flick(20, 10.1, 500), count: 0),
    Case(testDescription: "SW-2: 46 pt aside in 0.05 s", script: flick(50, 46, 50), count: 1),
    Case(testDescription: "SW-10: diagonal in 0.05 s", script: flick(50, 50, 50), count: 0),
    Case(testDescription: "SW-4: 0.501 s", script: flick(100, 0, 501), count: 0),
    Case(
      testDescription: "SW-5: 51 pt aside, then right",
      script: touch.down(at: CGPoint(x: 200, y: 200)).move(to: CGPoint(x: 210, y: 251))
        .move(to: CGPoint(x: 300, y: 200)).up(), count: 0),
    Case(
      testDescription: "SW-7: 10.1 pt back, then right",
      script: touch.down(at: CGPoint(x: 200, y: 200)).move(to: CGPoint(x: 189.9, y: 200))
        .move(to: CGPoint(x: 300, y: 200)).up(), count: 0),
    Case(
      testDescription: "SW-7: 10 pt back, then right",
      script: touch.down(at: CGPoint(x: 200, y: 200)).move(to: CGPoint(x: 190, y: 200))
        .move(to: CGPoint(x: 300, y: 200)).up(), count: 1),
    Case(testDescription: "SW-1: left is not right", script: flick(-90, 0, 50), count: 0),
    Case(
      testDescription: "left", script: flick(-90, 0, 50), direction: .left, count: 1),
    Case(testDescription: "up", script: flick(0, -90, 50), direction: .up, count: 1),
    Case(testDescription: "down", script: flick(0, 90, 50), direction: .down, count: 1),
    Case(
      testDescription: "SW-6: left of left and right", script: flick(-90, 0, 50),
      direction: [.left, .right], count: 1),
    Case(
      testDescription: "SW-9: two fingers",
      script: touch.down((1, at: CGPoint(x: 50, y: 50)), (2, at: CGPoint(x: 50, y: 90)))
        .move((1, to: CGPoint(x: 150, y: 50)), (2, to: CGPoint(x: 150, y: 90))).up(1, 2),
      fingers: 2, count: 1),
    Case(
      testDescription: "SW-9: one finger for two", script: flick(90, 0, 50), fingers: 2, count: 0),
    Case(
      testDescription: "SW-9: two fingers for one",
      script: touch.down((1, at: CGPoint(x: 50, y: 50)), (2, at: CGPoint(x: 50, y: 90)))
        .move((1, to: CGPoint(x: 150, y: 50)), (2, to: CGPoint(x: 150, y: 90))).up(1, 2), count: 0),
    Case(
      testDescription: "SW-9: one of two lifts early",
      script: touch.down((1, at: CGPoint(x: 50, y: 50)), (2, at: CGPoint(x: 50, y: 90))).up(2)
        .move(1, to: CGPoint(x: 150, y: 50)).up(1), fingers: 2, count: 0),
    Case(
      testDescription: "taken away", script: touch.down(at: CGPoint(x: 1, y: 1)).cancel(), count: 0
    ),
  ]

  @Test(arguments: cases)
  func `SW-2 to SW-10: which touches are swipes`(_ row: Case) {
    let stage = Stage()
    let swipe = stage.add(UISwipeGestureRecognizer(), "S", to: stage.window) {
      $0.direction = row.direction
      $0.numberOfTouchesRequired = row.fingers
    }
    stage.play(row.script)
    #expect(stage.log.take() == Array(repeating: "S→ended", count: row.count))
    #expect(swipe.state == .possible)
  }

  @Test func `SW-1: defaults and raw values`() {
    let swipe = UISwipeGestureRecognizer()
    #expect(swipe.direction == .right && swipe.numberOfTouchesRequired == 1)
    let all: [UISwipeGestureRecognizer.Direction] = [.right, .left, .up, .down]
    #expect(all.map(\.rawValue) == [1, 2, 4, 8])
  }

  @Test func `SW-3, SW-8: recognised on the way, at the place where it began`() {
    let stage = Stage()
    let reader = Reader()
    stage.window.addGestureRecognizer(
      UISwipeGestureRecognizer(target: reader, action: Reader.swipe))
    stage.play(touch.down(at: at(20, 30)).move(to: at(120, 35)))
    #expect(reader.states == ["ended"] && reader.places == [at(20, 30)])
  }

  @Test func `SW-11: a pan prevents the swipe, unless it waits for it`() {
    for waits in [false, true] {
      let stage = Stage()
      let pan = stage.add(UIPanGestureRecognizer(), "P", to: stage.window)
      let swipe = stage.add(UISwipeGestureRecognizer(), "S", to: stage.window)
      if waits { pan.require(toFail: swipe) }
      let fast = touch.down(at: at(20, 30)).move(to: at(220, 30), over: .milliseconds(160)).up()
      stage.play(fast)
      #expect(stage.log.take().first == (waits ? "S→ended" : "P→began"))
      var begun: UInt64 = 0
      let start = stage.application.eventTimeNanoseconds
      let application = stage.application
      @MainActor final class Clock {
        var note: () -> Void = {}
        func acted(_ pan: UIPanGestureRecognizer) { if pan.state == .began { note() } }
      }
      let clock = Clock()
      clock.note = { begun = application.eventTimeNanoseconds - start }
      pan.addTarget(clock, action: Clock.acted)
      stage.play(touch.down(at: at(20, 30)).move(to: at(50, 30), over: .milliseconds(800)).up())
      #expect(begun == (waits ? 504_000_000 : 272_000_000))
      #expect(stage.log.take().first == "P→began")
    }
  }
}
