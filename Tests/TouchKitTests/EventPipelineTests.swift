import Testing
import TouchKit
import TouchModel
import TouchTestSupport

@MainActor @Suite struct `Event pipeline` {
  /// The wire's phases, and the touch phase that each becomes for a contact that is known.
  nonisolated static let phases: [(wire: ContactPhase, becomes: UITouch.Phase)] = [
    (.motion, .moved), (.still, .stationary), (.up, .ended), (.cancel, .cancelled),
  ]

  @Test(arguments: phases)
  func `PL-1, PL-2, PL-3: a table makes touch phases of the wire's; no mask is kept`(
    _ row: (wire: ContactPhase, becomes: UITouch.Phase)
  ) {
    let spy = Spy()
    spy.frame(1, contact(1, .down, 10), contact(2, .down, 100))
    // The second contact goes on in any case, so that there is an event.
    spy.frame(2, contact(1, row.wire, row.wire == .motion ? 20 : 10), contact(2, .motion, 110))
    var phases: [UITouch.Phase] = []
    spy.application.onSend = { event in
      for touch in event.allTouches ?? [] where touch.contactID == 1 { phases.append(touch.phase) }
    }
    spy.application.handleEventQueue()
    #expect(phases == [.began, row.becomes])
  }

  @Test func `PL-19: what arrives while an event is handled waits, and nothing is lost`() {
    let spy = Spy()
    let view = spy.view("V", CGRect(x: 0, y: 0, width: 100, height: 100))
    view.onBegan = {
      for time in UInt64(2)...200 {
        spy.frame(time, contact(1, .motion, Double(time % 2)))
      }
      spy.frame(201, contact(1, .up, 50))
      spy.log.add("V is done")
    }
    spy.frame(1, contact(1, .down, 10))
    spy.application.handleEventQueue()
    #expect(
      spy.log.take() == [
        "send began", "V.began{1}", "V is done", "send moved", "V.moved{1}", "send ended",
        "V.ended{1}",
      ])
  }

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

  @Test func `PL-20: what a handler runs the queue for comes within it, and not again after it`() {
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
