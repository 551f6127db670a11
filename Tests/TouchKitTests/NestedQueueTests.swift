import Testing
import TouchKit
import TouchModel
import TouchTestSupport

@MainActor @Suite struct `The queue run by a handler` {
  @Test(arguments: [UITouch.Phase.began, .moved, .ended])
  func `PL-20: all views of the present event hear of it before any hears of the next`(
    _ phase: UITouch.Phase
  ) {
    let table = Table()
    table.views[3].onPhase[phase] = { table.run() }
    table.frame(.down, 1, 2, 3, 4)
    if phase != .began { table.run() }
    table.frame(.motion, 1, 2, 3, 4, by: 20)
    if phase == .ended { table.run() }
    table.frame(.up, 1, 2, 3, 4, by: 20)
    table.run()
    let began = ["V3.began 3", "V4.began 4", "V1.began 1", "V2.began 2"]
    let moved = ["V3.moved 3", "V4.moved 4", "V1.moved 1", "V2.moved 2"]
    let ended = ["V3.ended 3", "V4.ended 4", "V1.ended 1", "V2.ended 2"]
    var expected = began + moved + ended
    // It returns after all that was queued has been delivered.
    let first = expected.firstIndex(of: "V4.\(phase) 4").map { $0 + 1 } ?? 0
    expected.insert("V4.\(phase) returns", at: phase == .ended ? first + 2 : expected.count)
    #expect(table.lines() == expected)
  }

  @Test func `PL-20, DV-6: the phases that a view's other fingers have in the event come once`() {
    let table = Table()
    table.frame(.down, 1)
    table.run()
    table.views[0].onPhase[.began] = {
      table.frame(.motion, 1, 5, by: 40)
      table.run()
    }
    table.application.enqueue(
      TouchFrame(
        timeNanoseconds: 15_000_000, contacts: [contact(1, .motion, 30), contact(5, .down, 10)]))
    table.run()
    #expect(
      table.lines() == [
        "V1.began 1", "V1.began 5", "V1.moved 1", "V1.moved 1,5", "V1.began returns",
      ])
  }

  @Test func `PL-20: without a later event the present one is finished all the same`() {
    let table = Table()
    table.views[2].onPhase[.began] = { table.application.settle() }
    table.frame(.down, 1, 3)
    table.run()
    #expect(table.lines() == ["V3.began 3", "V1.began 1", "V3.began returns"])
  }

  @Test func `PL-20: a run within a run within a handler`() {
    let table = Table()
    table.views[2].onPhase[.began] = {
      table.frame(.motion, 1, 2, 3, 4, by: 20)
      table.run()
    }
    table.views[0].onPhase[.began] = {
      table.frame(.up, 1, 2, 3, 4, by: 20)
      table.run()
    }
    table.frame(.down, 1, 2, 3, 4)
    table.run()
    #expect(
      table.lines() == [
        "V3.began 3", "V4.began 4", "V1.began 1", "V2.began 2",
        "V3.moved 3", "V4.moved 4", "V1.moved 1", "V2.moved 2",
        "V3.ended 3", "V4.ended 4", "V1.ended 1", "V2.ended 2",
        "V1.began returns", "V3.began returns",
      ])
  }

  @Test func `PL-20: a button that is pressed and let go meanwhile acts once`() {
    let table = Table()
    let button = UIButton(frame: table.views[0].frame)
    button.tag = 7
    button.addTarget(table.log, action: Log.sent, for: .touchUpInside)
    table.windows[0].addSubview(button)
    table.views[2].onPhase[.began] = {
      table.frame(.up, 1, 3)
      table.run()
    }
    table.frame(.down, 1, 3)
    table.run()
    #expect(table.lines() == ["V3.began 3", "V3.ended 3", "7!", "V3.began returns"])
    #expect(!button.isTracking && !button.isHighlighted)
  }

  // MARK: While it is found out who gets a touch

  @Test func `PL-20: nothing is delivered within a hit test; it comes after it, in order`() {
    let table = Table()
    table.views[0].onHitTest = {
      table.run()
      table.application.settle()
      table.application.fireTimers(upTo: 5_000_000_000)
      #expect(table.application.nextDeadlineNanoseconds == nil)
      table.log.add("tested")
    }
    let press = UILongPressGestureRecognizer()
    table.views[3].addGestureRecognizer(press)
    table.frame(.down, 4)
    table.run()
    #expect(table.application.nextDeadlineNanoseconds == 510_000_000)
    table.frame(.down, 1, 3)
    table.frame(.up, 1, 3, 4)
    table.run()
    #expect(
      table.lines() == [
        "V4.began 4", "tested", "V3.began 3", "V1.began 1", "V4.ended 4", "V3.ended 3",
        "V1.ended 1",
      ])
  }

  @Test func `HT-30: a hit test that sends the event by itself sends nothing`() {
    let table = Table()
    var event: UIEvent?
    table.application.onSend = { event = $0 }
    table.views[2].onHitTest = { if let event { table.windows[0].sendEvent(event) } }
    table.frame(.down, 1)
    table.run()
    table.application.enqueue(
      TouchFrame(
        timeNanoseconds: 40_000_000,
        contacts: [contact(3, .down, 210), contact(1, .motion, 30)]))
    table.run()
    #expect(table.lines() == ["V1.began 1", "V3.began 3", "V1.moved 1"])
  }

  @Test func `PL-20, GD-7: nothing is delivered while a delegate is asked for a touch`() {
    let table = Table()
    let recognizer = table.add("A", to: table.views[0])
    let delegate = LogDelegate("A", table.log)
    delegate.logs = false
    delegate.receives = { _ in
      table.run()
      table.log.add("asked")
      return true
    }
    recognizer.delegate = delegate
    table.frame(.down, 1, 3)
    table.frame(.up, 1, 3)
    table.run()
    #expect(
      table.lines() == [
        "V3.began 3", "asked", "A.tBegan{1}", "V1.began 1", "V3.ended 3", "A.tEnded{1}",
        "V1.ended 1",
      ])
  }

  // MARK: Overrides of sendEvent

  @Test func `PL-20: the queue run by an override of the application's sendEvent`() {
    let table = Table()
    var isFirst = true
    table.application.onSend = { _ in
      guard isFirst else { return }
      isFirst = false
      table.run()
    }
    for (index, window) in table.windows.enumerated() {
      window.log = table.log
      window.name = "W\(index + 1)"
    }
    table.frame(.down, 1, 3)
    table.frame(.motion, 1, 3, by: 30)
    table.run()
    #expect(
      table.lines() == [
        "W2.sendEvent", "V3.began 3", "W1.sendEvent", "V1.began 1",
        "W2.sendEvent", "V3.moved 3", "W1.sendEvent", "V1.moved 1",
      ])
  }

  @Test func `PL-20: the queue run by an override of a window's sendEvent`() {
    let table = Table()
    table.windows[1].onSend = {
      table.windows[1].onSend = {}
      table.run()
    }
    table.frame(.down, 1, 3)
    table.frame(.up, 1, 3)
    table.run()
    #expect(table.lines() == ["V3.began 3", "V1.began 1", "V3.ended 3", "V1.ended 1"])
  }

  @Test func `DV-1: a handler hands the event to another window; each view hears of it once`() {
    let table = Table()
    var event: UIEvent?
    table.application.onSend = { event = $0 }
    table.views[2].onPhase[.began] = {
      if let event { table.windows[0].sendEvent(event) }
    }
    table.frame(.down, 1, 2, 3, 4)
    table.run()
    #expect(
      table.lines() == [
        "V3.began 3", "V4.began 4", "V1.began 1", "V2.began 2", "V3.began returns",
      ])
  }

  // MARK: What is put off

  @Test func `PL-20: a cancel that is put off takes place in the next run`() {
    let table = Table()
    table.views[2].onPhase[.began] = {
      table.application.cancelAllTouches()
      table.log.add("requested")
      table.application.settle()
    }
    table.frame(.down, 1, 3)
    table.run()
    #expect(
      table.lines() == [
        "V3.began 3", "requested", "V1.began 1", "V3.cancelled 3", "V1.cancelled 1",
        "V3.began returns",
      ])
  }

  @Test func `PL-20, WN-12: so does a change of the app's state`() {
    let table = Table()
    table.views[2].onPhase[.began] = {
      table.application.transition(to: .inactive)
      table.log.add("\(table.application.applicationState)")
      table.application.settle()
      table.log.add("\(table.application.applicationState)")
    }
    table.frame(.down, 1, 3)
    table.run()
    #expect(
      table.lines() == [
        "V3.began 3", "active", "V1.began 1", "V3.cancelled 3", "V1.cancelled 1", "inactive",
        "V3.began returns",
      ])
  }

  @Test func `PL-20: a contact that ousts another while the first one's view runs the queue`() {
    let table = Table()
    table.views[0].onPhase[.cancelled] = {
      table.application.enqueue(
        TouchFrame(
          timeNanoseconds: 90_000_000,
          contacts: [contact(1, .up, 10), contact(5, .up, 10, slot: 1)]
        ))
      table.run()
    }
    table.frame(.down, 1)
    table.run()
    table.application.enqueue(
      TouchFrame(timeNanoseconds: 50_000_000, contacts: [contact(5, .down, 10, slot: 1)]))
    table.run()
    let lines = table.log.take()
    #expect(
      lines == [
        "V1.began 1", "V1.cancelled 1", "V1.began 5", "V1.ended 5", "V1.cancelled returns",
      ])
    #expect(table.application.diagnostics.unlawfulContacts == 1)
  }
}
