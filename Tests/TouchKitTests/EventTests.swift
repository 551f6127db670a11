import Testing
import TouchKit
import TouchModel
import TouchTestSupport

/// An application that logs each event, and may keep it to itself.
private final class SpyApplication: UIApplication {
  var log: Log?
  var passes = true
  var onSend: (UIEvent) -> Void = { _ in }

  override func sendEvent(_ event: UIEvent) {
    let phases = (event.allTouches ?? []).map { "\($0.phase)" }.sorted()
    log?.add("send " + phases.joined(separator: ","))
    onSend(event)
    if passes { super.sendEvent(event) }
  }
}

private final class SpyWindow: UIWindow {
  var log: Log?
  var name = ""

  override func sendEvent(_ event: UIEvent) {
    log?.add("\(name).sendEvent")
    super.sendEvent(event)
  }
}

@MainActor
private final class Spy {
  let log = Log()
  let application = SpyApplication()
  let window: SpyWindow

  init() {
    application.log = log
    window = SpyWindow(
      frame: CGRect(x: 0, y: 0, width: 400, height: 800), application: application)
    window.makeKeyAndVisible()
  }

  func view(_ name: String, _ frame: CGRect) -> LogView {
    let view = LogView(name, log, frame)
    window.addSubview(view)
    return view
  }

  func frame(_ milliseconds: UInt64, _ contacts: Contact...) {
    application.enqueue(
      TouchFrame(timeNanoseconds: milliseconds * 1_000_000, contacts: contacts))
  }
}

private func contact(
  _ id: UInt64, _ phase: ContactPhase, _ x: Double, _ y: Double = 10, slot: Int32? = nil
) -> Contact {
  Contact(id: id, slot: slot ?? Int32(id), phase: phase, position: Point(x: x, y: y))
}

@MainActor @Suite struct `Event pipeline` {
  @Test func `PL-4: a contact that takes a live one's slot cancels it first`() {
    let spy = Spy()
    _ = spy.view("V", CGRect(x: 0, y: 0, width: 100, height: 100))
    spy.frame(1, contact(1, .down, 10, slot: 0))
    spy.frame(2, contact(2, .down, 20, slot: 0))
    spy.application.handleEventQueue()
    #expect(
      spy.log.take() == [
        "send began", "V.began{1}", "send cancelled", "V.cancelled{1}", "send began", "V.began{1}",
      ])
    spy.frame(3, contact(1, .motion, 30, slot: 0), contact(2, .up, 20, slot: 0))
    spy.application.handleEventQueue()
    #expect(spy.log.take() == ["send ended", "V.ended{1}"])
    #expect(spy.application.diagnostics.unlawfulContacts == 1)
  }

  @Test func `PL-10, PL-11: queued frames are delivered in order of arrival, whatever their time`()
  {
    let spy = Spy()
    _ = spy.view("V", CGRect(x: 0, y: 0, width: 100, height: 100))
    spy.frame(9, contact(1, .down, 10))
    spy.frame(5, contact(1, .motion, 20))
    spy.frame(7, contact(1, .up, 20))
    #expect(spy.log.take() == [])
    spy.application.handleEventQueue()
    #expect(
      spy.log.take() == [
        "send began", "V.began{1}", "send moved", "V.moved{1}", "send ended", "V.ended{1}",
      ])
  }

  @Test func `PL-12: a touch has window and view before sendEvent`() {
    let spy = Spy()
    let view = spy.view("V", CGRect(x: 0, y: 0, width: 100, height: 100))
    var places: [Bool] = []
    spy.application.onSend = { event in
      for touch in event.allTouches ?? [] {
        places.append(touch.window === spy.window && touch.view === view)
      }
    }
    touch.down(at: at(10, 10)).play(into: spy.application)
    #expect(places == [true])
  }

  @Test func `PL-13, WN-7, WN-8: each window with a touch gets the event, front first, key or not`()
  {
    let spy = Spy()
    spy.window.name = "A"
    spy.window.log = spy.log
    let front = SpyWindow(
      frame: CGRect(x: 200, y: 0, width: 200, height: 200), application: spy.application)
    front.name = "B"
    front.log = spy.log
    front.windowLevel = .alert
    front.isHidden = false
    #expect(spy.window.isKeyWindow && !front.isKeyWindow)
    touch.down((1, at: at(10, 10)), (2, at: at(210, 10))).play(into: spy.application)
    #expect(spy.log.take() == ["send began,began", "B.sendEvent", "A.sendEvent"])
    #expect(spy.window.isKeyWindow)
  }

  @Test func `PL-14: an override without super stops delivery but not the touch`() {
    let spy = Spy()
    let view = spy.view("V", CGRect(x: 0, y: 0, width: 100, height: 100))
    let tap = UITapGestureRecognizer(target: spy.log, action: Log.acted)
    view.addGestureRecognizer(tap)
    spy.application.passes = false
    var seen: [UITouch] = []
    spy.application.onSend = { seen += $0.allTouches ?? [] }
    touch.down(at: at(10, 10)).move(to: at(20, 10)).play(into: spy.application)
    #expect(spy.log.take() == ["send began", "send moved"])
    #expect(seen.first?.view === view && seen.first?.location(in: nil) == at(20, 10))
    spy.application.passes = true
    touch.tap(2, at: at(30, 30)).play(into: spy.application)
    #expect(!spy.log.take().isEmpty)
  }

  @Test func `PL-14: an end kept from a running gesture cancels it`() {
    let spy = Spy()
    let view = spy.view("V", CGRect(x: 0, y: 0, width: 100, height: 100))
    let pan = UIPanGestureRecognizer(target: spy.log, action: Log.acted)
    pan.name = "P"
    view.addGestureRecognizer(pan)
    let application = spy.application
    touch.down(at: at(10, 10)).move(to: at(40, 10)).then { application.passes = false }.up()
      .then { application.passes = true }.play(into: application)
    #expect(
      spy.log.take() == [
        "send began", "V.began{1}", "send moved", "P→began", "V.cancelled{1}", "send ended",
        "P→cancelled",
      ])
    #expect(pan.state == .possible)
  }

  @Test func `PL-15: recognisers come before views in one sendEvent`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    stage.add(LogRecognizer(stage.log), "G", to: view)
    stage.play(touch.down(at: at(1, 1)).move(to: at(2, 1)).up())
    #expect(
      stage.log.take() == [
        "G.tBegan{1}", "V.began{1}", "G.tMoved{1}", "V.moved{1}", "G.tEnded{1}", "V.ended{1}",
      ])
  }

  @Test func `PL-17: a frame that changes nothing sends nothing`() {
    let spy = Spy()
    spy.frame(1, contact(1, .down, 10))
    spy.frame(2, contact(1, .still, 10))
    spy.frame(3, contact(1, .motion, 10))
    spy.application.handleEventQueue()
    #expect(spy.log.take() == ["send began"])
  }

  @Test func `PL-18: the contacts of a frame make one event, each with its own phase`() {
    let spy = Spy()
    let script = touch.down((1, at: at(10, 10)), (2, at: at(30, 10)))
      .together { $0.move(1, to: at(15, 10)).up(2).down(3, at: at(50, 10)) }
      .together { $0.move(3, to: at(55, 10)) }
    script.play(into: spy.application)
    #expect(
      spy.log.take() == ["send began,began", "send began,ended,moved", "send moved,stationary"])
  }

  @Test func `PL-20: a handler may run the queue; nothing is delivered twice`() {
    let spy = Spy()
    let view = spy.view("V", CGRect(x: 0, y: 0, width: 100, height: 100))
    view.onBegan = {
      spy.frame(2, contact(1, .motion, 20))
      spy.frame(3, contact(1, .up, 20))
      spy.application.handleEventQueue()
    }
    spy.frame(1, contact(1, .down, 10))
    spy.application.handleEventQueue()
    #expect(
      spy.log.take() == [
        "send began", "V.began{1}", "send moved", "V.moved{1}", "send ended", "V.ended{1}",
      ])
    spy.application.handleEventQueue()
    #expect(spy.log.take() == [])
  }

  @Test func `contacts that break the stream's laws are ignored and counted`() {
    let spy = Spy()
    _ = spy.view("V", CGRect(x: 0, y: 0, width: 100, height: 100))
    spy.frame(1, contact(5, .motion, 10), contact(6, .up, 10))
    spy.frame(2, contact(1, .down, 10), contact(1, .motion, 20))
    spy.frame(3, contact(1, .down, 10))
    spy.frame(4, contact(1, .motion, .nan), contact(2, .down, .infinity))
    spy.frame(5, contact(1, .motion, 30), contact(2, .motion, 10))
    spy.frame(6, contact(1, .up, .nan))
    spy.application.handleEventQueue()
    #expect(
      spy.log.take() == [
        "send began", "V.began{1}", "send moved", "V.moved{1}", "send ended", "V.ended{1}",
      ])
    #expect(spy.application.diagnostics.unlawfulContacts == 7)
    #if DEBUG
      #expect(spy.application.diagnostics.firstFault == "contact 5 moves without being down")
    #endif
  }

  @Test func `NC-5: a palm is ignored until the panel calls it a finger`() {
    let spy = Spy()
    _ = spy.view("V", CGRect(x: 0, y: 0, width: 100, height: 100))
    var palm = contact(1, .down, 10)
    palm.tool = .palm
    spy.frame(1, palm)
    palm.phase = .motion
    palm.position.x = 20
    spy.frame(2, palm)
    spy.application.handleEventQueue()
    #expect(spy.log.take() == [])
    spy.frame(3, contact(1, .motion, 30))
    spy.frame(4, contact(1, .up, 30))
    spy.application.handleEventQueue()
    #expect(spy.log.take() == ["send began", "V.began{1}", "send ended", "V.ended{1}"])
    #expect(spy.application.diagnostics.unlawfulContacts == 0)
  }

  @Test func `a frame buffer is taken in like a frame`() {
    let spy = Spy()
    _ = spy.view("V", CGRect(x: 0, y: 0, width: 100, height: 100))
    var buffer = FrameBuffer(capacity: 4)
    buffer.timeNanoseconds = 1_000_000
    _ = buffer.append(contact(1, .down, 10))
    spy.application.enqueue(buffer)
    buffer.removeAll()
    buffer.timeNanoseconds = 2_000_000
    _ = buffer.append(contact(1, .up, 10))
    spy.application.enqueue(buffer)
    spy.application.handleEventQueue()
    #expect(spy.log.take() == ["send began", "V.began{1}", "send ended", "V.ended{1}"])
  }
}

@MainActor @Suite struct `Coalescing` {
  @Test func `CO-1, CO-2, CO-3: queued moves are one delivery with all its samples`() {
    let spy = Spy()
    let view = spy.view("V", CGRect(x: 0, y: 0, width: 200, height: 100))
    var samples: [[String]] = []
    spy.application.onSend = { event in
      for touch in event.allTouches ?? [] {
        let copies = event.coalescedTouches(for: touch) ?? []
        samples.append(
          copies.map {
            "\($0.phase) \($0.location(in: view).x) \(Int(($0.timestamp * 1000).rounded()))"
          })
        #expect(!copies.contains(touch))
        #expect(copies.last?.location(in: nil) == touch.location(in: nil))
        #expect(copies.allSatisfy { $0.view === touch.view && $0.window === touch.window })
      }
    }
    spy.frame(1, contact(1, .down, 10))
    spy.frame(2, contact(1, .motion, 20))
    spy.frame(3, contact(1, .motion, 30))
    spy.frame(4, contact(1, .motion, 40))
    spy.frame(5, contact(1, .up, 40))
    spy.application.handleEventQueue()
    #expect(
      samples == [
        ["began 10.0 1"], ["moved 20.0 2", "moved 30.0 3", "moved 40.0 4"], ["ended 40.0 5"],
      ])
    #expect(
      spy.log.take() == [
        "send began", "V.began{1}", "send moved", "V.moved{1}", "send ended", "V.ended{1}",
      ])
  }

  @Test func `CO-3: another contact's down or up closes the batch`() {
    let spy = Spy()
    spy.frame(1, contact(1, .down, 10))
    spy.frame(2, contact(1, .motion, 20))
    spy.frame(3, contact(1, .motion, 30), contact(2, .down, 10))
    spy.frame(4, contact(1, .motion, 40), contact(2, .still, 10))
    spy.frame(5, contact(1, .still, 40), contact(2, .motion, 20))
    spy.application.handleEventQueue()
    #expect(
      spy.log.take() == ["send began", "send moved", "send began,moved", "send moved,moved"])
  }

  @Test func `CO-1: a touch of no event has no samples`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    var last: UITouch?
    view.onTouch = { last = $0 }
    stage.play(touch.tap(at: at(1, 1)))
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    var samples: [UITouch]? = []
    recognizer.onBegan = { _, _, event in samples = last.flatMap { event.coalescedTouches(for: $0) }
    }
    stage.play(touch.down(at: at(1, 1)))
    #expect(samples == nil)
  }

  @Test func `a timer that is due between two moves is not passed over by coalescing`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    stage.add(UILongPressGestureRecognizer(), "L", to: view)
    let frames = touch.down(at: at(10, 10)).wait(.milliseconds(495)).move(to: at(12, 10))
      .move(to: at(14, 10)).wait(.seconds(1)).up().frames
    for frame in frames { stage.application.enqueue(frame) }
    stage.application.handleEventQueue()
    #expect(
      stage.log.take() == [
        "V.began{1}", "L→began", "V.cancelled{1}", "L→changed", "L→ended",
      ])
  }
}

@MainActor @Suite struct `Touch and event objects` {
  @Test func `TE-1, TE-2, TE-3: raw values`() {
    let phases: [UITouch.Phase] = [.began, .moved, .stationary, .ended, .cancelled]
    #expect(phases.map(\.rawValue) == [0, 1, 2, 3, 4])
    #expect(UITouch.TouchType.allCases.map(\.rawValue) == [0, 1, 2, 3])
    #expect(UITouch.TouchType.stylus == .pencil && UIEvent.EventType.touches.rawValue == 0)
  }

  @Test func `TE-4, TE-5, TE-6: one object for a contact, another for the next; the view stays`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    stage.view("W", 100, 0, 100, 100)
    var touches: [UITouch] = []
    view.onTouch = { touches.append($0) }
    stage.play(touch.down(at: at(10, 10)).move(to: at(150, 10)).up().tap(at: at(10, 10)))
    #expect(touches.count == 5)
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
