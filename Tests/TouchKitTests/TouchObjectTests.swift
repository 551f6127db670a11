import Testing
import TouchKit
import TouchModel
import TouchTestSupport

@MainActor @Suite struct `Touch and event objects` {
  @Test func `TE-1, TE-2, TE-3: raw values`() {
    let phases: [UITouch.Phase] = [.began, .moved, .stationary, .ended, .cancelled]
    #expect(phases.map(\.rawValue) == [0, 1, 2, 3, 4])
    #expect(UITouch.TouchType.allCases.map(\.rawValue) == [0, 1, 2, 3])
    #expect(UITouch.TouchType.stylus == .pencil && UIEvent.EventType.touches.rawValue == 0)
  }

  @Test func `TE-4, TE-5, TE-6: one object for a contact, another for the next; the view stays`()
    throws
  {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    stage.view("W", 100, 0, 100, 100)
    var touches: [UITouch] = []
    view.onTouch = { touches.append($0) }
    stage.play(touch.down(at: at(10, 10)).move(to: at(150, 10)).up().tap(at: at(10, 10)))
    try #require(touches.count == 5)
    #expect(touches[0] === touches[1] && touches[1] === touches[2])
    #expect(touches[3] !== touches[2] && touches[3] === touches[4])
    #expect(touches.allSatisfy { $0.view === view && $0.window === stage.window })
  }

  @Test func `TE-8, TE-9, TE-10, TE-11: what an event tells`() {
    let spy = Spy()
    let view = spy.view("V", CGRect(x: 0, y: 0, width: 100, height: 100))
    let inner = LogView("I", spy.log, CGRect(x: 0, y: 50, width: 100, height: 50))
    view.addSubview(inner)
    var events: [UIEvent] = []
    var counts: [[Int?]] = []
    spy.application.onSend = { event in
      events.append(event)
      counts.append([
        event.allTouches?.count, event.touches(for: view)?.count,
        event.touches(for: inner)?.count, event.touches(for: spy.window)?.count,
      ])
    }
    touch.down(1, at: at(10, 10)).down(2, at: at(10, 60)).up(1).move(2, to: at(20, 60)).up(2)
      .play(into: spy.application)
    #expect(events.allSatisfy { $0 === events[0] })
    #expect(
      counts == [[1, 1, nil, 1], [2, 1, 1, 2], [2, 1, 1, 2], [1, nil, 1, 1], [1, nil, 1, 1]])
    #expect(
      spy.log.take().filter { $0.hasPrefix("send") } == [
        "send began", "send began,stationary", "send ended,stationary", "send moved", "send ended",
      ])
  }

  @Test func `TE-12: the time is the sample's, in seconds since the system started`() {
    let spy = Spy()
    let view = spy.view("V", CGRect(x: 0, y: 0, width: 100, height: 100))
    var times: [Double] = []
    view.onTouch = { times.append($0.timestamp) }
    spy.frame(1500, contact(1, .down, 10))
    spy.frame(1700, contact(1, .motion, 20))
    spy.frame(1750, contact(1, .still, 20))
    spy.application.handleEventQueue()
    #expect(times == [1.5, 1.7])
  }

  @Test
  func `TE-13, GX-7, GX-16: a touch told late has its first place and time, then its present`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 200, 100)
    var told: [String] = []
    view.onTouch = {
      let time = Int(($0.timestamp * 1000).rounded()) - 1000
      told.append("\($0.phase) \($0.location(in: nil).x) \($0.previousLocation(in: nil).x) \(time)")
    }
    stage.add(UITapGestureRecognizer(), "T", to: view) {
      $0.delaysTouchesBegan = true
    }
    stage.play(
      touch.down(at: at(10, 10)).move(to: at(20, 10), over: .milliseconds(100), samples: 5)
        .move(to: at(70, 10)).move(to: at(80, 10)).up())
    #expect(stage.log.take() == ["V.began{1}", "V.moved{1}", "V.moved{1}", "V.ended{1}"])
    #expect(
      told == [
        "began 10.0 10.0 0", "moved 70.0 10.0 108", "moved 80.0 70.0 116", "ended 80.0 80.0 116",
      ])
  }

  @Test func `TE-14, TE-15, TE-16, TE-17, TE-18: places`() {
    let stage = Stage()
    let view = stage.view("V", 10, 20, 100, 100)
    var kept: UITouch?
    var previous: [CGPoint] = []
    view.onTouch = {
      kept = $0
      previous.append($0.previousLocation(in: view))
    }
    stage.play(touch.down(at: at(30, 40)).move(to: at(35, 45)))
    let touch = kept
    #expect(previous == [at(20, 20), at(20, 20)])
    #expect(touch?.location(in: nil) == at(35, 45) && touch?.location(in: view) == at(25, 25))
    #expect(touch?.preciseLocation(in: view) == at(25, 25))
    #expect(touch?.precisePreviousLocation(in: nil) == at(30, 40))
    view.frame.origin = at(0, 0)
    #expect(touch?.location(in: view) == at(35, 45))
    stage.play(secondFinger)
    #expect(touch?.phase == .stationary && touch?.previousLocation(in: nil) == at(35, 45))
  }

  @Test func `TE-19: the radius is half the diameter, 5 if the panel does not tell`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    var radii: [CGFloat] = []
    view.onTouch = { if $0.phase == .began { radii.append($0.majorRadius) } }
    stage.play(touch.tap(at: at(1, 1)))
    stage.play(touch.down(at: at(1, 1), style: TouchScript.Style(major: 24)).up())
    #expect(radii == [5, 12])
  }

  @Test func `TE-22 to TE-24, TE-26: taps are counted until one strays or comes late`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 200, 200)
    var counts: [String] = []
    view.onTouch = { counts.append("\($0.phase) \($0.tapCount)") }
    let gap = Duration.milliseconds(350)
    stage.play(
      touch.tap(at: at(50, 50)).wait(gap).tap(at: at(95, 50)).tap(at: at(50, 50))
        .wait(.milliseconds(351)).tap(at: at(50, 50)))
    #expect(
      counts == [
        "began 1", "ended 1", "began 2", "ended 2", "began 3", "ended 3", "began 1", "ended 1",
      ])
    counts = []
    stage.play(
      touch.wait(.seconds(1)).tap(at: at(50, 50)).tap(at: at(95.5, 50)).wait(.seconds(1))
        .down(at: at(50, 50)).move(to: at(95, 50)).move(to: at(95.1, 50)).up()
        .tap(at: at(50, 50)))
    #expect(
      counts == [
        "began 1", "ended 1", "began 1", "ended 1", "began 1", "moved 1", "moved 0", "ended 0",
        "began 1", "ended 1",
      ])
  }

  @Test func `TE-25: of two fingers that tap twice each goes on from its own`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 200, 200)
    view.isMultipleTouchEnabled = true
    var counts: [Int] = []
    view.onTouch = { if $0.phase == .ended { counts.append($0.tapCount) } }
    let taps = touch.down((1, at: at(50, 50)), (2, at: at(80, 50))).wait(.milliseconds(40)).up(1, 2)
      .down((1, at: at(52, 50)), (2, at: at(79, 50))).up(1, 2)
    stage.play(taps)
    #expect(counts == [1, 1, 2, 2])
  }

  @Test func `TE-27: a tap on another view starts anew`() {
    let stage = Stage()
    let left = stage.view("L", 0, 0, 50, 100)
    let right = stage.view("R", 50, 0, 50, 100)
    var counts: [Int] = []
    for view in [left, right] { view.onTouch = { counts.append($0.tapCount) } }
    stage.play(touch.tap(at: at(45, 10)).tap(at: at(55, 10)))
    #expect(counts == [1, 1, 1, 1])
  }

  @Test func `TE-27: a tap on the same view in another window starts anew`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let other = UIWindow(frame: stage.window.frame, application: stage.application)
    other.isHidden = false
    var counts: [String] = []
    view.onTouch = { [stage] touch in
      counts.append("\(touch.tapCount) in the \(touch.window === stage.window ? "first" : "other")")
    }
    stage.window.makeKeyAndVisible()
    stage.play(touch.tap(at: at(10, 10)).tap(at: at(10, 10)))
    #expect(
      counts == ["1 in the first", "1 in the first", "2 in the first", "2 in the first"])
    counts = []
    other.addSubview(view)
    other.makeKeyAndVisible()
    stage.play(touch.tap(at: at(10, 10)).tap(at: at(10, 10)))
    #expect(
      counts == ["1 in the other", "1 in the other", "2 in the other", "2 in the other"])
  }

  @Test func `TE-28: a touch knows its recognisers until it has ended`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let outer = stage.add(LogRecognizer(stage.log), "O", to: stage.window)
    let inner = stage.add(LogRecognizer(stage.log), "I", to: view)
    var seen: [[UIGestureRecognizer]?] = []
    var kept: UITouch?
    view.onTouch = {
      seen.append($0.gestureRecognizers)
      kept = $0
    }
    stage.play(touch.tap(at: at(1, 1)))
    #expect(seen == [[inner, outer], [inner, outer]])
    #expect(kept?.gestureRecognizers == nil)
  }

  @Test func `TE-31, TE-32: phases of one view come as began, moved, ended, cancelled`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    view.isMultipleTouchEnabled = true
    stage.play(
      touch.down((1, at: at(1, 1)), (2, at: at(2, 1)), (3, at: at(3, 1)))
        .together { $0.cancel(1).up(2).move(3, to: at(9, 9)).down(4, at: at(5, 5)) })
    #expect(
      stage.log.take() == [
        "V.began{3}", "V.began{1}", "V.moved{1}", "V.ended{1}", "V.cancelled{1}",
      ])
  }
}

/// A second finger that lands while the first rests.
private let secondFinger = touch.down(2, at: CGPoint(x: 300, y: 300))
