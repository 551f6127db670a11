import Testing
import TouchKit
import TouchModel
import TouchTestSupport

@MainActor @Suite struct `Delivery to views` {
  @Test func `DV-1: recognisers, actions, cancels, what was withheld, the event, resets`() {
    let stage = Stage()
    let parent = stage.view("P", 0, 0, 300, 300)
    let taken = stage.view("A", 0, 0, 100, 100, in: parent)
    let late = stage.view("B", 100, 0, 100, 100, in: parent)
    let plain = stage.view("C", 200, 0, 100, 100, in: parent)
    let first = stage.add(LogRecognizer(stage.log), "G", to: taken)
    let second = stage.add(LogRecognizer(stage.log), "H", to: late) { $0.delaysTouchesBegan = true }
    stage.add(LogRecognizer(stage.log), "K", to: plain)
    stage.play(
      touch.down((1, at: at(5, 5)), (2, at: at(105, 5)), (3, at: at(205, 5))))
    #expect(
      stage.log.take() == [
        "G.tBegan{1}", "H.tBegan{1}", "K.tBegan{1}", "A.began{1}", "C.began{1}",
      ])
    first.onMoved = { $0.state = .ended }
    second.onMoved = { $0.state = .failed }
    var isListed = false
    plain.onTouch = { isListed = $0.gestureRecognizers != nil }
    stage.play(touch.wait(.zero))
    let application = stage.application
    application.enqueue(
      TouchFrame(
        timeNanoseconds: 2_000_000_000,
        contacts: [
          contact(1, .motion, 9, 5, slot: 0), contact(2, .motion, 109, 5, slot: 1),
          contact(3, .up, 205, 5, slot: 2),
        ]))
    application.handleEventQueue()
    #expect(
      stage.log.take() == [
        "G.tMoved{1}", "H.tMoved{1}", "K.tEnded{1}", "G→ended", "A.cancelled{1}", "B.began{1}",
        "B.moved{1}", "C.ended{1}", "G.reset", "H.reset",
      ])
    #expect(isListed)
  }

  @Test func `DV-3: only the hit view is told; the others by forwarding`() {
    let stage = Stage()
    let parent = stage.view("P", 0, 0, 300, 300)
    let view = stage.view("V", 0, 0, 100, 100, in: parent)
    stage.view("inner", 50, 0, 50, 50, in: view)
    stage.play(touch.tap(at: at(5, 5)))
    #expect(stage.log.take() == ["V.began{1}", "V.ended{1}"])
    view.forwards = true
    stage.play(touch.tap(at: at(5, 5)))
    #expect(stage.log.take() == ["V.began{1}", "P.began{1}", "V.ended{1}", "P.ended{1}"])
  }

  @Test func `DV-19: what was withheld and then taken is never told of`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 300, 300)
    stage.add(UIPanGestureRecognizer(), "G", to: view) { $0.delaysTouchesBegan = true }
    stage.play(touch.down(at: at(5, 5)).move(to: at(60, 5)).up())
    #expect(stage.log.take() == ["G→began", "G→ended"])
  }

  @Test func `DV-4: a view gets one finger of a sequence, the others never`() {
    let stage = Stage()
    stage.view("V", 0, 0, 100, 100)
    stage.play(
      touch.down(1, at: at(5, 5)).down(2, at: at(20, 5)).move(2, to: at(25, 5)).up(1)
        .move(2, to: at(30, 5)).down(3, at: at(50, 5)).up(2).up(3))
    #expect(stage.log.take() == ["V.began{1}", "V.ended{1}", "V.began{1}", "V.ended{1}"])
  }

  @Test func `DV-4: a finger that lands after the lift is first, though the lift is withheld`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 200, 100)
    stage.add(UITapGestureRecognizer(), "D", to: view) { $0.numberOfTapsRequired = 2 }
    stage.play(touch.tap(at: at(5, 5)).down(at: at(150, 5)).wait(.seconds(1)))
    #expect(stage.log.take() == ["V.began{1}", "V.ended{1}", "V.began{1}"])
  }

  @Test func `DV-5: recognisers get the fingers that the view does not`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    stage.add(LogRecognizer(stage.log), "G", to: view)
    stage.play(touch.down((1, at: at(5, 5)), (2, at: at(9, 9))))
    #expect(stage.log.take() == ["G.tBegan{2}", "V.began{1}"])
  }

  @Test func `DV-6, DV-22, DV-23: with multiple touch all fingers of a phase come together`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    view.isMultipleTouchEnabled = true
    stage.play(
      touch.down((1, at: at(5, 5)), (2, at: at(9, 9))).move(1, to: at(7, 7)).up(1, 2))
    #expect(stage.log.take() == ["V.began{2}", "V.moved{1}", "V.ended{2}"])
  }

  @Test func `DV-22: of two touches on a view one moves, and the event still has both`() {
    let spy = Spy()
    let view = spy.view("V", CGRect(x: 0, y: 0, width: 100, height: 100))
    view.isMultipleTouchEnabled = true
    var moved: [UITouch] = []
    view.onTouch = { if $0.phase == .moved { moved.append($0) } }
    var phases: [String] = []
    spy.application.onSend = { [view] event in
      let touches = (event.touches(for: view) ?? []).sorted { $0.contactID < $1.contactID }
      phases.append(touches.map { "\($0.contactID) \($0.phase)" }.joined(separator: ", "))
    }
    spy.frame(1, contact(1, .down, 5), contact(2, .down, 9))
    spy.frame(2, contact(1, .motion, 7), contact(2, .still, 9))
    spy.frame(3, contact(1, .up, 7), contact(2, .still, 9))
    spy.application.handleEventQueue()
    #expect(phases == ["1 began, 2 began", "1 moved, 2 stationary", "1 ended, 2 stationary"])
    #expect(moved.map(\.contactID) == [1])
    #expect(
      spy.log.take().filter { $0.hasPrefix("V") } == ["V.began{2}", "V.moved{1}", "V.ended{1}"])
  }

  @Test func `DV-7, DV-8: views are independent, in the order of the frame`() {
    let stage = Stage()
    let parent = stage.view("P", 0, 0, 200, 100)
    stage.view("A", 0, 0, 50, 100, in: parent)
    stage.view("B", 50, 0, 50, 100, in: parent)
    stage.play(
      touch.down((1, at: at(60, 5)), (2, at: at(10, 5))).move(
        (1, to: at(61, 5)), (2, to: at(11, 5))
      )
      .up(2, 1))
    #expect(
      stage.log.take() == [
        "B.began{1}", "A.began{1}", "B.moved{1}", "A.moved{1}", "B.ended{1}", "A.ended{1}",
      ])
  }

  @Test func `DV-9, DV-11: an exclusive view keeps touches from other views, not from recognisers`()
  {
    let stage = Stage()
    let exclusive = stage.view("E", 0, 0, 50, 50)
    exclusive.isExclusiveTouch = true
    let other = stage.view("O", 50, 0, 50, 50)
    stage.add(LogRecognizer(stage.log), "G", to: other)
    stage.play(
      touch.down(1, at: at(5, 5)).down(2, at: at(60, 5)).up(1).move(2, to: at(70, 5)).up(2)
        .tap(at: at(60, 5)))
    #expect(
      stage.log.take() == [
        "E.began{1}", "G.tBegan{1}", "E.ended{1}", "G.tMoved{1}", "G.tEnded{1}", "G.tBegan{1}",
        "O.began{1}", "G.tEnded{1}", "O.ended{1}",
      ])
  }

  @Test
  func `DV-10, DV-12: an exclusive view gets nothing while another view of the window has a touch`()
  {
    let stage = Stage()
    stage.view("E", 0, 0, 50, 50).isExclusiveTouch = true
    stage.view("O", 50, 0, 50, 50)
    stage.play(touch.down(1, at: at(60, 5)).down(2, at: at(5, 5)).up(1).up(2))
    #expect(stage.log.take() == ["O.began{1}", "O.ended{1}"])
    let far = UIWindow(
      frame: CGRect(x: 200, y: 0, width: 50, height: 50), application: stage.application)
    far.isHidden = false
    stage.view("F", 0, 0, 50, 50, in: far)
    stage.play(touch.down(1, at: at(210, 5)).down(2, at: at(5, 5)))
    #expect(stage.log.take() == ["F.began{1}", "E.began{1}"])
  }

  @Test func `DV-13: what makes a view untouchable later does not affect its touch`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let front = stage.view("F", 0, 0, 10, 10)
    stage.play(
      touch.down(at: at(50, 50)).then {
        view.isHidden = true
        view.alpha = 0
        view.isUserInteractionEnabled = false
        view.frame.origin.x = 300
        stage.window.bringSubviewToFront(front)
        stage.window.exchangeSubview(at: 0, withSubviewAt: 1)
      }.move(to: at(60, 50)).up())
    #expect(stage.log.take() == ["V.began{1}", "V.moved{1}", "V.ended{1}"])
  }

  @Test func `DV-14, DV-16, TE-7: a removed view is cancelled at once and never gets it back`() {
    let stage = Stage()
    let parent = stage.view("P", 0, 0, 100, 100)
    let view = stage.view("V", 0, 0, 100, 100, in: parent)
    let log = stage.log
    var kept: UITouch?
    view.onTouch = { kept = $0 }
    stage.play(
      touch.down(at: at(5, 5)).then {
        parent.removeFromSuperview()
        log.add("removed")
        stage.window.addSubview(parent)
      }.move(to: at(9, 9)).up())
    #expect(stage.log.take() == ["V.began{1}", "V.cancelled{1}", "removed"])
    #expect(kept?.view == nil && kept?.window === stage.window)
  }

  @Test func `DV-14: inserting a view that is there already cancels its touches`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    stage.play(touch.down(at: at(5, 5)).then { stage.window.addSubview(view) }.up())
    #expect(stage.log.take() == ["V.began{1}", "V.cancelled{1}"])
  }

  @Test func `DV-15, GL-2: recognisers on views that stay go on`() {
    let stage = Stage()
    let parent = stage.view("P", 0, 0, 200, 200)
    let view = stage.view("V", 0, 0, 100, 100, in: parent)
    stage.add(UIPanGestureRecognizer(), "G", to: parent) { $0.cancelsTouchesInView = false }
    stage.play(
      touch.down(at: at(5, 5)).move(to: at(30, 5)).then { view.removeFromSuperview() }
        .move(to: at(40, 5)).up())
    #expect(
      stage.log.take() == [
        "V.began{1}", "G→began", "V.moved{1}", "V.cancelled{1}", "G→changed", "G→ended",
      ])
  }

  @Test func `DV-17: a view that removes itself lives until its handler returns`() {
    let stage = Stage()
    weak var gone: LogView?
    do {
      let view = stage.view("V", 0, 0, 100, 100)
      gone = view
      view.onBegan = { [unowned view] in
        view.removeFromSuperview()
        view.log.add("still \(view.name)")
      }
    }
    stage.play(touch.tap(at: at(5, 5)))
    #expect(stage.log.take() == ["V.began{1}", "V.cancelled{1}", "still V"])
    #expect(gone == nil)
  }

  @Test func `DV-18: a touch is cancelled once, and nothing follows`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 200, 100)
    stage.add(UIPanGestureRecognizer(), "P", to: view)
    stage.play(
      touch.down(at: at(5, 5)).move(to: at(30, 5)).then { view.removeFromSuperview() }.up())
    #expect(stage.log.take() == ["V.began{1}", "P→began", "V.cancelled{1}", "P→cancelled"])
  }

  @Test func `DV-20, DV-21: resting sends nothing; leaving the bounds changes nothing`() {
    let stage = Stage(width: 100, height: 100)
    stage.view("V", 0, 0, 50, 50)
    stage.play(
      touch.down(at: at(5, 5)).wait(.milliseconds(50)).move(to: at(5, 5)).move(to: at(300, -40))
        .up())
    #expect(stage.log.take() == ["V.began{1}", "V.moved{1}", "V.ended{1}"])
  }

  @Test func `GD-31, WN-12: cancelling all touches reaches recognisers, then views, once`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let other = stage.view("W", 100, 0, 100, 100)
    stage.add(LogRecognizer(stage.log), "G", to: view)
    let application = stage.application
    stage.add(UIPanGestureRecognizer(), "P", to: other) { $0.cancelsTouchesInView = false }
    stage.play(
      touch.down(1, at: at(5, 5)).down(2, at: at(110, 5)).move(2, to: at(150, 5)).then {
        application.cancelAllTouches()
        application.cancelAllTouches()
      }.move(1, to: at(9, 9)).up(1, 2).tap(at: at(105, 5)))
    #expect(
      stage.log.take() == [
        "G.tBegan{1}", "V.began{1}", "W.began{1}", "P→began", "W.moved{1}",
        "G.tCancelled{1}", "P→cancelled", "V.cancelled{1}", "W.cancelled{1}", "G.reset",
        "W.began{1}", "W.ended{1}",
      ])
    #expect(application.diagnostics.unlawfulContacts == 0)
  }

  @Test func `cancelling from a handler waits for the end of the event`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let application = stage.application
    view.onBegan = {
      application.cancelAllTouches()
      view.log.add("asked")
    }
    stage.play(touch.down(at: at(5, 5)))
    #expect(stage.log.take() == ["V.began{1}", "asked", "V.cancelled{1}"])
  }

  @Test func `GX-18: cancelling turns a withheld end into a cancel`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    stage.add(UITapGestureRecognizer(), "D", to: view) { $0.numberOfTapsRequired = 2 }
    let application = stage.application
    stage.play(
      touch.tap(at: at(5, 5)).then { application.cancelAllTouches() }.wait(.seconds(1)))
    #expect(stage.log.take() == ["V.began{1}", "V.cancelled{1}"])
  }
}
