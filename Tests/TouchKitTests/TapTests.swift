import Testing
import TouchKit
import TouchTestSupport

@MainActor @Suite struct `Tap` {
  /// The actions of a tap recogniser, with their time in milliseconds.
  func actions(
    _ script: TouchScript, taps: Int = 1, fingers: Int = 1
  ) -> [String] {
    let stage = Stage()
    let tap = UITapGestureRecognizer(target: stage.log, action: Log.acted)
    tap.name = "T"
    tap.numberOfTapsRequired = taps
    tap.numberOfTouchesRequired = fingers
    stage.window.addGestureRecognizer(tap)
    stage.play(script.wait(.seconds(2)))
    #expect(tap.state == .possible)
    return stage.log.take()
  }

  @Test func `TP-1: defaults`() {
    let tap = UITapGestureRecognizer()
    #expect(tap.numberOfTapsRequired == 1 && tap.numberOfTouchesRequired == 1)
    #expect(tap.cancelsTouchesInView && !tap.delaysTouchesBegan && tap.delaysTouchesEnded)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let script: TouchScript
    var taps = 1
    var fingers = 1
    let count: Int
  }

  nonisolated static let p = CGPoint(x: 50, y: 50)
  nonisolated static let q = CGPoint(x: 150, y: 50)

  nonisolated static let cases = [
    Case(testDescription: "TP-3: one tap", script: touch.tap(at: p), count: 1),
    Case(
      testDescription: "TP-4: two fingers for a tap of one",
      script: touch.down((1, at: p), (2, at: q)).up(1, 2), count: 0),
    Case(
      testDescription: "TP-2: two fingers, the second 0.3 s later",
      script: touch.down(1, at: p).wait(.milliseconds(300)).down(2, at: q).up(1).up(2),
      fingers: 2, count: 1),
    Case(
      testDescription: "TP-2, K-4: two fingers, the second 0.301 s later",
      script: touch.down(1, at: p).wait(.milliseconds(301)).down(2, at: q).up(1, 2),
      fingers: 2, count: 0),
    Case(
      testDescription: "TP-4: three fingers for a tap of two",
      script: touch.down((1, at: p), (2, at: q), (3, at: q)).up(1, 2, 3), fingers: 2, count: 0),
    Case(
      testDescription: "TP-5: the first lifts before the second lands",
      script: touch.tap(1, at: p).tap(2, at: q), fingers: 2, count: 0),
    Case(
      testDescription: "TP-5: the first lifts before the second lands, which is in time",
      script: touch.down(1, at: p).up(1).down(2, at: q).up(2), fingers: 2, count: 0),
    Case(
      testDescription: "TP-6: 45 pt away and back",
      script: touch.down(at: p).move(to: CGPoint(x: 95, y: 50)).move(to: p).up(), count: 1),
    Case(
      testDescription: "TP-6: 45.01 pt away and back",
      script: touch.down(at: p).move(to: CGPoint(x: 95.01, y: 50)).move(to: p).up(), count: 0),
    Case(
      testDescription: "TP-14: held 0.74 s",
      script: touch.tap(at: p, for: .milliseconds(740)), count: 1),
    Case(
      testDescription: "TP-7: held 0.75 s", script: touch.tap(at: p, for: .milliseconds(750)),
      count: 1),
    Case(
      testDescription: "TP-14: held 0.76 s", script: touch.tap(at: p, for: .milliseconds(760)),
      count: 0),
    Case(
      testDescription: "TP-8: two taps 0.35 s apart",
      script: touch.tap(at: p).wait(.milliseconds(350)).tap(at: p), taps: 2, count: 1),
    Case(
      testDescription: "TP-8, TP-9: two taps 0.351 s apart",
      script: touch.tap(at: p).wait(.milliseconds(351)).tap(at: p), taps: 2, count: 0),
    Case(
      testDescription: "TP-9: the late tap is the first of a new attempt",
      script: touch.tap(at: p).wait(.milliseconds(351)).tap(at: p).tap(at: p), taps: 2, count: 1),
    Case(
      testDescription: "TP-8, K-5: two taps 45 pt apart",
      script: touch.tap(at: p).tap(at: CGPoint(x: 95, y: 50)), taps: 2, count: 1),
    Case(
      testDescription: "TP-8, K-5: two taps 46 pt apart",
      script: touch.tap(at: p).tap(at: CGPoint(x: 96, y: 50)), taps: 2, count: 0),
    Case(
      testDescription: "TP-13: two taps for a tap of one",
      script: touch.tap(at: p).tap(at: p), count: 2),
    Case(
      testDescription: "TP-15: three taps",
      script: touch.tap(at: p).wait(.milliseconds(300)).tap(at: p).wait(.milliseconds(300))
        .tap(at: p), taps: 3, count: 1),
    Case(
      testDescription: "two fingers tap twice",
      script: touch.down((1, at: p), (2, at: q)).up(1).up(2).down((1, at: q), (2, at: p)).up(1, 2),
      taps: 2, fingers: 2, count: 1),
    Case(testDescription: "TP-17: taken away", script: touch.down(at: p).cancel(), count: 0),
  ]

  @Test(arguments: cases)
  func `TP-2 to TP-17: which touches are taps`(_ row: Case) {
    let actions = actions(row.script, taps: row.taps, fingers: row.fingers)
    #expect(actions == Array(repeating: "T→ended", count: row.count))
  }

  @Test(arguments: cases)
  func `a run that is late by seconds finds the same taps`(_ row: Case) {
    let stage = Stage()
    stage.add(UITapGestureRecognizer(), "T", to: stage.window) {
      $0.numberOfTapsRequired = row.taps
      $0.numberOfTouchesRequired = row.fingers
    }
    for frame in row.script.frames { stage.application.enqueue(frame) }
    stage.application.handleEventQueue()
    stage.application.fireTimers(upTo: 9_000_000_000)
    stage.application.settle()
    #expect(stage.log.take() == Array(repeating: "T→ended", count: row.count))
  }

  @Test func `TP-7: a press fails when the time has passed, not at the lift`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let tap = stage.add(UITapGestureRecognizer(), "T", to: view)
    let late = stage.add(LogRecognizer(stage.log), "L", to: view)
    late.require(toFail: tap)
    late.onBegan = { recognizer, _, _ in recognizer.state = .began }
    stage.play(touch.down(at: at(5, 5)).wait(.milliseconds(749)))
    #expect(stage.log.take() == ["L.tBegan{1}", "V.began{1}"])
    #expect(stage.application.nextDeadlineNanoseconds == 1_750_000_000)
    stage.play(touch.wait(.milliseconds(1)))
    #expect(stage.log.take() == ["L→began", "V.cancelled{1}"])
    #expect(stage.application.nextDeadlineNanoseconds == nil)
  }

  @Test func `TP-2, TP-8: durations that no clock reaches are endless, negative ones none`() {
    func taps(_ script: TouchScript, _ duration: Duration) -> [String] {
      let stage = Stage()
      stage.application.configuration.tapDuration = duration
      stage.application.configuration.tapInterval = duration
      stage.application.configuration.tapFingerSpread = duration
      stage.add(UITapGestureRecognizer(), "T", to: stage.window) {
        $0.numberOfTapsRequired = 2
        $0.numberOfTouchesRequired = 2
      }
      stage.play(script)
      return stage.log.take()
    }
    let slow = touch.down(1, at: at(5, 5)).wait(.seconds(9)).down(2, at: at(50, 5))
      .wait(.seconds(9)).up(1, 2).wait(.seconds(9))
    for duration in [.seconds(Int64.max), Duration.seconds(18_446_744_073)] {
      #expect(
        taps(slow.down((1, at: at(5, 5)), (2, at: at(50, 5))).up(1, 2), duration) == ["T→ended"])
    }
    #expect(taps(touch.tap(at: at(5, 5)), .seconds(-1)) == [])
  }

  @Test func `TP-10: a tap prevents taps of as many or fewer, and other kinds`() {
    func tap(_ count: Int) -> UITapGestureRecognizer {
      let tap = UITapGestureRecognizer()
      tap.numberOfTapsRequired = count
      return tap
    }
    #expect(!tap(1).canPrevent(tap(2)) && tap(2).canPrevent(tap(1)) && tap(1).canPrevent(tap(1)))
    #expect(tap(1).canPrevent(UIPanGestureRecognizer()))
  }

  @Test func `TP-11: of taps that are ready together more taps go first`() {
    let stage = Stage()
    for count in 1...3 {
      stage.add(UITapGestureRecognizer(), "\(count)", to: stage.window) {
        $0.numberOfTapsRequired = count
      }
    }
    stage.play(touch.tap(at: at(5, 5)).tap(at: at(5, 5)).tap(at: at(5, 5)))
    #expect(stage.log.take() == ["1→ended", "2→ended", "3→ended"])
  }

  @Test func `TP-12: the place is where the last tap's fingers landed, also after the lift`() {
    let stage = Stage()
    let view = stage.view("V", 10, 10, 200, 200)
    let tap = stage.add(UITapGestureRecognizer(), "T", to: view) {
      $0.numberOfTouchesRequired = 2
    }
    @MainActor final class Reader {
      var places: [CGPoint] = []
      var count = 0
      func read(_ tap: UITapGestureRecognizer) {
        count = tap.numberOfTouches
        places = [
          tap.location(in: tap.view), tap.location(ofTouch: 0, in: nil),
          tap.location(ofTouch: 1, in: nil),
        ]
      }
    }
    let reader = Reader()
    tap.addTarget(reader, action: Reader.read)
    stage.play(
      touch.down(1, at: at(20, 20)).down(2, at: at(60, 40)).move(1, to: at(30, 30)).up(1).up(2))
    #expect(reader.count == 2)
    #expect(reader.places == [at(30, 20), at(20, 20), at(60, 40)])
  }

  @Test func `TP-16, TP-19: the view's bounds and movement don't matter, the window does`() {
    let stage = Stage()
    let view = stage.view("V", 50, 50, 10, 10)
    stage.add(UITapGestureRecognizer(), "T", to: view)
    stage.play(touch.down(at: at(55, 55)).move(to: at(80, 80)).up())
    #expect(stage.log.take() == ["V.began{1}", "V.moved{1}", "T→ended", "V.cancelled{1}"])
    stage.play(
      touch.down(at: at(55, 55)).then { view.frame.origin.x = 300 }.move(to: at(56, 55)).up())
    #expect(stage.log.take().contains("T→ended"))
  }
}

@MainActor @Suite struct `Long press` {
  func run(
    _ script: TouchScript, _ set: (UILongPressGestureRecognizer) -> Void = { _ in }
  ) -> [String] {
    let stage = Stage()
    stage.add(UILongPressGestureRecognizer(), "L", to: stage.window, set)
    stage.play(script.wait(.seconds(2)))
    return stage.log.take()
  }

  let p = CGPoint(x: 50, y: 50)
  let q = CGPoint(x: 150, y: 50)

  @Test func `LP-1: defaults`() {
    let press = UILongPressGestureRecognizer()
    #expect(press.minimumPressDuration == 0.5 && press.allowableMovement == 10)
    #expect(press.numberOfTapsRequired == 0 && press.numberOfTouchesRequired == 1)
  }

  @Test func `LP-2, LP-10: it begins by time alone, at the fingers' place`() {
    let stage = Stage()
    let press = stage.add(UILongPressGestureRecognizer(), "L", to: stage.window)
    let application = stage.application
    stage.play(touch.down(at: p).move(to: at(54, 50)))
    #expect(application.nextDeadlineNanoseconds == 1_500_000_000)
    application.fireTimers(upTo: 1_499_999_999)
    #expect(stage.log.take() == [])
    application.fireTimers(upTo: 1_500_000_000)
    #expect(stage.log.take() == ["L→began"])
    #expect(press.location(in: nil) == at(54, 50) && press.numberOfTouches == 1)
    #expect(application.nextDeadlineNanoseconds == nil)
  }

  @Test func `LP-3: moving too far, lifting or one finger too many is none`() {
    #expect(
      run(touch.down(at: p).move(to: at(60, 50)).wait(.seconds(1)).up()) == ["L→began", "L→ended"])
    #expect(run(touch.down(at: p).move(to: at(60.1, 50)).wait(.seconds(1)).up()) == [])
    #expect(run(touch.down(1, at: p).down(2, at: q).wait(.seconds(1)).up(1, 2)) == [])
  }

  @Test func `LP-4, LP-5, LP-9: it follows every move, and ends with the first lift`() {
    let held = touch.down(1, at: p).wait(.milliseconds(600))
    #expect(
      run(held.move(to: at(300, 300)).move(to: at(301, 300)).up())
        == ["L→began", "L→changed", "L→changed", "L→ended"])
    #expect(
      run(held.down(2, at: q).move(2, to: at(160, 50)).up(2).up(1)) == ["L→began", "L→ended"])
    let two = touch.down((1, at: p), (2, at: q)).wait(.milliseconds(600)).up(2)
    #expect(run(two) { $0.numberOfTouchesRequired = 2 } == ["L→began", "L→ended"])
  }

  @Test func `LP-6: without a duration it begins at the touch, before the view`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    stage.add(UILongPressGestureRecognizer(), "L", to: view) { $0.minimumPressDuration = 0 }
    stage.play(touch.tap(at: p))
    #expect(stage.log.take() == ["L→began", "L→ended"])
    stage.play(touch.down((1, at: p), (2, at: at(60, 60))))
    #expect(stage.log.take() == ["V.began{1}"])
  }

  @Test func `LP-7: taps before the press`() {
    let tapAndHold = touch.tap(at: p).wait(.milliseconds(350)).down(at: p).wait(.seconds(1)).up()
    #expect(run(tapAndHold) { $0.numberOfTapsRequired = 1 } == ["L→began", "L→ended"])
    let late = touch.tap(at: p).wait(.milliseconds(360)).down(at: p).wait(.seconds(1)).up()
    #expect(run(late) { $0.numberOfTapsRequired = 1 } == [])
    let far = touch.tap(at: p).wait(.milliseconds(50)).down(at: q).wait(.seconds(1)).up()
    #expect(run(far) { $0.numberOfTapsRequired = 1 } == [])
    let hold = touch.down(at: p).wait(.seconds(1)).up()
    #expect(run(hold) { $0.numberOfTapsRequired = 1 } == [])
  }

  @Test(arguments: [(490, []), (500, ["L→began", "L→ended"]), (510, ["L→began", "L→ended"])])
  func `LP-8: half a second decides, however late the run is`(
    _ milliseconds: Int, _ expected: [String]
  ) {
    let script = touch.tap(at: p, for: .milliseconds(milliseconds))
    #expect(run(script) == expected)
    let stage = Stage()
    stage.add(UILongPressGestureRecognizer(), "L", to: stage.window)
    for frame in script.frames { stage.application.enqueue(frame) }
    stage.application.handleEventQueue()
    stage.application.fireTimers(upTo: 9_000_000_000)
    #expect(stage.log.take() == expected)
  }

  @Test func `LP-11: the time starts when the fingers are enough`() {
    let script = touch.down(1, at: p).wait(.milliseconds(400)).down(2, at: q)
      .wait(.milliseconds(499))
    #expect(run(script.up(1, 2)) { $0.numberOfTouchesRequired = 2 } == [])
    #expect(
      run(script.wait(.milliseconds(1)).up(1, 2)) { $0.numberOfTouchesRequired = 2 }
        == ["L→began", "L→ended"])
  }

  @Test func `LP-12: it makes undecided ones fail and cancels the view`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 300, 100)
    stage.add(UIPanGestureRecognizer(), "P", to: view)
    stage.add(UILongPressGestureRecognizer(), "L", to: view)
    stage.play(touch.down(at: p).wait(.milliseconds(500)).move(to: at(200, 50)).up())
    #expect(
      stage.log.take() == ["V.began{1}", "L→began", "V.cancelled{1}", "L→changed", "L→ended"])
    stage.play(touch.down(at: p).move(to: at(200, 50)).wait(.seconds(1)).up())
    #expect(stage.log.take() == ["V.began{1}", "P→began", "V.cancelled{1}", "P→ended"])
  }

  @Test(arguments: [
    .infinity, .greatestFiniteMagnitude, 1e12, Double(UInt64.max) / 1e9, 18_446_744_073,
  ])
  func `LP-2: a duration that no clock reaches is never over`(_ seconds: Double) {
    let stage = Stage()
    stage.add(UILongPressGestureRecognizer(), "L", to: stage.window) {
      $0.minimumPressDuration = seconds
    }
    var deadline: UInt64? = 0
    stage.play(
      touch.down(at: p).then { deadline = stage.application.nextDeadlineNanoseconds }
        .wait(.seconds(1_000_000)).up())
    #expect(deadline == nil && stage.log.take() == [])
  }

  @Test(arguments: [-0.0, -1, -.infinity, .nan, 1e-12])
  func `LP-6: a duration that is none is over at once`(_ seconds: Double) {
    let script = touch.tap(at: p)
    #expect(run(script) { $0.minimumPressDuration = seconds } == ["L→began", "L→ended"])
  }

  @Test func `LP-2: the longest duration that a clock reaches`() {
    let stage = Stage()
    stage.add(UILongPressGestureRecognizer(), "L", to: stage.window) {
      $0.minimumPressDuration = 9_000_000_000
    }
    stage.play(touch.down(at: p))
    #expect(stage.application.nextDeadlineNanoseconds == 9_000_000_001_000_000_000)
  }

  @Test func `LP-13: taken away after it began`() {
    #expect(
      run(touch.down(at: p).wait(.milliseconds(500)).cancel()) == ["L→began", "L→cancelled"])
    #expect(run(touch.down(at: p).wait(.milliseconds(400)).cancel()) == [])
  }
}
