import Testing
import TouchKit
import TouchModel
import TouchTestSupport

@MainActor @Suite struct `The queue run by a handler of a gesture` {
  @Test func `PL-20, DV-1: recognisers hear of the present event before the next, each once`() {
    let table = Table()
    let first = table.add("A", to: table.views[0])
    _ = table.add("B", to: table.views[0])
    first.onBegan = { _, _, _ in
      table.run()
      table.log.add("A.tBegan returns")
    }
    table.frame(.down, 1)
    table.frame(.up, 1)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "B.tBegan{1}", "V1.began 1", "A.tEnded{1}", "B.tEnded{1}",
        // A may still decide otherwise, and holds back ends until then.
        "A.tBegan returns", "V1.ended 1",
      ])
  }

  @Test func `PL-20, GS-14: what a handler decides after its run still counts`() {
    let table = Table()
    let recognizer = table.add("A", to: table.views[0])
    recognizer.onEnded = {
      table.frame(.down, 2)
      table.run()
      $0.state = .ended
    }
    table.frame(.down, 1)
    table.frame(.up, 1)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "A.tEnded{1}", "V2.began 2", "A→ended", "V1.cancelled 1",
        "A.reset",
      ])
  }

  @Test func `PL-20, GS-13, GS-14: the queue run by an action`() {
    let table = Table()
    let pan = table.add("A", to: table.views[0])
    pan.onMoved = { $0.state = $0.state == .possible ? .began : .changed }
    pan.onEnded = { $0.state = .ended }
    let runner = Runner { recognizer in
      guard recognizer.state == .began else { return }
      table.frame(.up, 1, 2)
      table.run()
      table.log.add("returns, \(recognizer.state)")
    }
    pan.addTarget(runner, action: Runner.act)
    table.frame(.down, 1, 2)
    table.run()
    table.frame(.motion, 1, 2, by: 30)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "V2.began 2", "A.tMoved{1}", "A→began", "V1.cancelled 1",
        "V2.moved 2", "A.tEnded{1}", "A→ended", "V2.ended 2", "returns, ended", "A.reset",
      ])
    #expect(pan.state == .possible)
  }

  @Test(arguments: [true, false])
  func `PL-20, GQ-4: a finger that is lifted while the app is asked whether to begin`(
    _ mayBegin: Bool
  ) {
    let table = Table()
    let pan = table.add("A", to: table.views[0])
    pan.onMoved = { $0.state = .began }
    let delegate = LogDelegate("A", table.log)
    delegate.logs = false
    delegate.begins = mayBegin
    delegate.onBegin = {
      table.frame(.up, 1)
      table.run()
      table.log.add("asked")
    }
    pan.delegate = delegate
    table.frame(.down, 1)
    table.run()
    table.frame(.motion, 1, by: 30)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "A.tMoved{1}", "V1.moved 1", "A.tEnded{1}", "asked",
        "V1.ended 1", "A.reset",
      ])
    #expect(pan.state == .possible)
  }

  @Test func `PL-20, DV-18: a view that loses a touch runs the queue; the gesture goes on`() {
    let table = Table()
    let pan = table.add("A", to: table.views[0])
    pan.onMoved = { $0.state = $0.state == .possible ? .began : .changed }
    pan.onEnded = { $0.state = .ended }
    table.views[0].onPhase[.cancelled] = {
      table.frame(.motion, 1, 2, by: 40)
      table.frame(.up, 1, 2, by: 40)
      table.run()
    }
    table.frame(.down, 1, 2)
    table.run()
    table.frame(.motion, 1, 2, by: 30)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "V2.began 2",
        "A.tMoved{1}", "A→began", "V1.cancelled 1", "V2.moved 2",
        "A.tMoved{1}", "A→changed", "V2.moved 2",
        "A.tEnded{1}", "A→ended", "V2.ended 2", "A.reset", "V1.cancelled returns",
      ])
  }

  @Test func `PL-20, GX-16: a view that is told late is told of the way before what comes next`() {
    let table = Table()
    let recognizer = table.add("A", to: table.views[0])
    recognizer.delaysTouchesBegan = true
    var fails = false
    recognizer.onMoved = { if fails { $0.state = .failed } }
    var places: [CGFloat] = []
    let view = table.views[0]
    var touch: UITouch?
    recognizer.onBegan = { _, touches, _ in touch = touches.first }
    view.onPhase[.began] = {
      places.append(touch?.location(in: nil).x ?? 0)
      table.frame(.motion, 1, by: 60)
      table.run()
      places.append(touch?.location(in: nil).x ?? 0)
    }
    view.onPhase[.moved] = { places.append(touch?.location(in: nil).x ?? 0) }
    table.frame(.down, 1)
    table.run()
    table.frame(.motion, 1, by: 30)
    table.run()
    fails = true
    table.frame(.motion, 1, by: 40)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "A.tMoved{1}", "A.tMoved{1}", "V1.began 1",
        "V1.moved 1", "V1.moved returns", "A.reset", "V1.moved 1", "V1.began returns",
      ])
    #expect(places == [10, 40, 60])
  }

  @Test func `PL-20, GD-7: while a recogniser may be about to begin it takes no new finger`() {
    let table = Table()
    let pan = table.add("A", to: table.views[0])
    pan.onMoved = { if $0.state == .possible { $0.state = .began } }
    pan.onEnded = { $0.state = .ended }
    let delegate = table.asks(pan) { table.frame(.down, 5) }
    table.frame(.down, 1)
    table.run()
    table.frame(.motion, 1, by: 30)
    table.run()
    table.frame(.up, 1, 5)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "A.tMoved{1}", "V1.moved 1", "V1.began 5", "asked",
        "A→began", "V1.cancelled 1", "A.tEnded{1}", "A→ended", "V1.ended 5", "A.reset",
      ])
    _ = delegate
  }

  @Test func `PL-20: a gesture that is over before it may begin fails`() {
    let table = Table()
    let pan = table.add("A", to: table.views[0])
    pan.onMoved = { if $0.state == .possible { $0.state = .began } }
    pan.onEnded = { $0.state = .ended }
    let delegate = table.asks(pan) { table.frame(.up, 1) }
    table.frame(.down, 1, 5)
    table.run()
    table.frame(.motion, 1, by: 30)
    table.run()
    table.frame(.up, 5)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{2}", "V1.began 1,5", "A.tMoved{1}", "V1.moved 1", "A.tEnded{1}", "V1.ended 1",
        "asked", "A.reset", "V1.ended 5",
      ])
    _ = delegate
  }

  @Test func `PL-20, GS-14: taps that are decided meanwhile are not decided again`() {
    let table = Table()
    var delegates: [LogDelegate] = []
    for name in ["T1", "T2"] {
      let tap = UITapGestureRecognizer()
      tap.name = name
      tap.addTarget(table.log, action: Log.acted)
      table.views[0].addGestureRecognizer(tap)
      delegates.append(table.asks(tap, name == "T1" ? { table.frame(.down, 5) } : nil))
    }
    let outer = table.add("A", to: table.windows[0])
    outer.onEnded = { $0.state = .ended }
    delegates.append(table.asks(outer, nil))
    for delegate in delegates { delegate.together = true }
    table.frame(.down, 1)
    table.frame(.up, 1)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "A.tEnded{1}", "asked", "T2→ended", "V1.cancelled 1",
        "V1.began 5", "asked", "asked", "T1→ended", "A→ended", "A.reset",
      ])
    #expect(delegates.count == 3)
  }

  @Test func `PL-20, GS-14: a reset that runs the queue comes once`() {
    let table = Table()
    let recognizer = table.add("A", to: table.views[0])
    recognizer.onBegan = { recognizer, _, _ in recognizer.state = .failed }
    recognizer.onReset = {
      table.frame(.up, 1)
      table.run()
      table.log.add("A.reset returns")
    }
    table.frame(.down, 1)
    table.run()
    recognizer.onReset = {}
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "A.reset", "V1.ended 1", "A.reset returns",
      ])
  }

  @Test func `PL-20, GS-13: a later target of an action still sees the state that it reports`() {
    let table = Table()
    let pan = LogRecognizer(table.log)
    pan.name = "A"
    table.views[0].addGestureRecognizer(pan)
    pan.onMoved = { $0.state = $0.state == .possible ? .began : .changed }
    let runner = Runner { recognizer in
      guard recognizer.state == .began else { return }
      table.frame(.motion, 1, by: 40)
      table.run()
    }
    pan.addTarget(runner, action: Runner.act)
    pan.addTarget(table.log, action: Log.acted)
    table.frame(.down, 1)
    table.run()
    table.frame(.motion, 1, by: 30)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "A.tMoved{1}", "V1.cancelled 1", "A.tMoved{1}", "A→changed",
        "A→began",
      ])
  }
}
