import Testing
import TouchKit
import TouchTestSupport

@MainActor @Suite struct `Which touches a recogniser sees` {
  @Test func `GD-1, GD-2, GD-9, GD-10: inner first, in order of adding, the window last`() {
    let stage = Stage()
    let outer = stage.view("O", 0, 0, 100, 100)
    let inner = stage.view("I", 0, 0, 100, 100, in: outer)
    stage.add(LogRecognizer(stage.log), "W", to: stage.window)
    stage.add(LogRecognizer(stage.log), "O1", to: outer)
    stage.add(LogRecognizer(stage.log), "I1", to: inner)
    stage.add(LogRecognizer(stage.log), "I2", to: inner)
    stage.add(LogRecognizer(stage.log), "off", to: inner).isEnabled = false
    stage.play(touch.down(at: at(5, 5)))
    #expect(
      stage.log.take() == [
        "I1.tBegan{1}", "I2.tBegan{1}", "O1.tBegan{1}", "W.tBegan{1}", "I.began{1}",
      ])
  }

  @Test func `GD-3, GD-4: kinds of touch`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    view.isMultipleTouchEnabled = true
    stage.add(LogRecognizer(stage.log), "F", to: view).allowedTouchTypes = [.direct]
    stage.add(LogRecognizer(stage.log), "X", to: view)
    stage.add(LogRecognizer(stage.log), "A", to: view).requiresExclusiveTouchType = false
    let pen = TouchScript.Style(tool: .pen)
    stage.play(touch.down(1, at: at(5, 5), style: pen).down(2, at: at(9, 9)))
    #expect(
      stage.log.take() == [
        "X.tBegan{1}", "A.tBegan{1}", "V.began{1}", "F.tBegan{1}", "A.tBegan{1}", "V.began{1}",
      ])
  }

  @Test func `GD-5, GD-6, GD-7: the event is asked for first, once, then each new touch`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    view.isMultipleTouchEnabled = true
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    let delegate = LogDelegate("D", stage.log)
    recognizer.delegate = delegate
    var isReady = true
    delegate.receives = { touch in
      isReady =
        isReady && touch.window === stage.window && touch.view === view && touch.phase == .began
      return touch.location(in: view).x < 50
    }
    stage.play(
      touch.down((1, at: at(5, 5)), (2, at: at(60, 5))).move((1, to: at(6, 5)), (2, to: at(61, 5))))
    #expect(isReady)
    #expect(
      stage.log.take() == [
        "D?event", "D?touch", "D?touch", "G.tBegan{1}", "V.began{2}", "G.tMoved{1}", "V.moved{2}",
      ])
    delegate.receivesEvent = false
    stage.play(touch.down(at: at(7, 7)))
    #expect(stage.log.take() == ["D?event", "V.began{1}"])
  }

  @Test func `GD-8: touches on siblings are not seen`() {
    let stage = Stage()
    let left = stage.view("L", 0, 0, 50, 50)
    stage.view("R", 50, 0, 50, 50)
    stage.add(LogRecognizer(stage.log), "G", to: left)
    stage.play(touch.tap(at: at(60, 5)))
    #expect(stage.log.take() == ["R.began{1}", "R.ended{1}"])
  }

  @Test
  func `GD-11, GD-12, GD-15, GL-5: callbacks come by phase; a finger that lifts still counts`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    var counts: [Int] = []
    recognizer.onEnded = { counts.append($0.numberOfTouches) }
    view.isUserInteractionEnabled = true
    stage.play(
      touch.down((1, at: at(5, 5)), (2, at: at(9, 9)))
        .together { $0.up(1).move(2, to: at(10, 9)).down(3, at: at(20, 20)) }.up(2).up(3))
    #expect(
      stage.log.take().filter { $0.hasPrefix("G") } == [
        "G.tBegan{2}", "G.tBegan{1}", "G.tMoved{1}", "G.tEnded{1}", "G.tEnded{1}", "G.tEnded{1}",
      ])
    #expect(counts == [3, 2, 1])
  }

  @Test func `GD-14, GX-19: an ignored touch goes to its view and is not cancelled`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    recognizer.onBegan = { recognizer, touches, event in
      for touch in touches { recognizer.ignore(touch, for: event) }
      recognizer.state = .began
    }
    stage.play(touch.down(at: at(5, 5)).move(to: at(6, 5)).up())
    #expect(
      stage.log.take() == ["G.tBegan{1}", "G→began", "V.began{1}", "V.moved{1}", "V.ended{1}"])
    #expect(recognizer.numberOfTouches == 0)
  }

  @Test func `GD-16, GD-17, GD-18: the middle of the touches, and each by order of landing`() {
    let stage = Stage()
    let view = stage.view("V", 10, 10, 100, 100)
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    stage.play(touch.down(1, at: at(20, 20)).down(2, at: at(40, 60)))
    #expect(recognizer.numberOfTouches == 2)
    #expect(recognizer.location(in: nil) == at(30, 40))
    #expect(recognizer.location(in: view) == at(20, 30))
    #expect(recognizer.location(ofTouch: 0, in: nil) == at(20, 20))
    #expect(recognizer.location(ofTouch: 1, in: view) == at(30, 50))
  }

  @Test func `GD-19: a recogniser added during a touch sees later ones only`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let recognizer = LogRecognizer(stage.log)
    stage.play(
      touch.down(1, at: at(5, 5)).then { stage.add(recognizer, "G", to: view) }
        .move(1, to: at(6, 5)).down(2, at: at(9, 9)).up(1))
    #expect(stage.log.take() == ["V.began{1}", "V.moved{1}", "G.tBegan{1}", "V.ended{1}"])
  }

  @Test func `GD-20, GL-1: removing it, or its view, cancels what runs and fails what does not`() {
    for isRunning in [true, false] {
      for removesView in [true, false] {
        let stage = Stage()
        let view = stage.view("V", 0, 0, 100, 100)
        let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
        recognizer.onMoved = { if isRunning { $0.state = .began } }
        stage.play(
          touch.down(at: at(5, 5)).move(to: at(6, 5)).then {
            _ = stage.log.take()
            if removesView {
              view.removeFromSuperview()
            } else {
              view.removeGestureRecognizer(recognizer)
            }
          }.move(to: at(9, 5)))
        var expected = isRunning ? ["G→cancelled", "G.reset"] : ["G.reset"]
        if !isRunning { expected += removesView ? [] : ["V.moved{1}"] }
        if !isRunning, removesView { expected = ["V.cancelled{1}", "G.reset"] }
        #expect(stage.log.take() == expected)
        #expect(removesView || recognizer.view == nil)
      }
    }
  }

  @Test func `GD-21: adding moves; adding twice is nothing`() {
    let a = UIView()
    let b = UIView()
    let tap = UITapGestureRecognizer()
    a.addGestureRecognizer(tap)
    a.addGestureRecognizer(tap)
    #expect(a.gestureRecognizers == [tap] && tap.view === a)
    b.addGestureRecognizer(tap)
    #expect(a.gestureRecognizers == nil && b.gestureRecognizers == [tap] && tap.view === b)
    b.gestureRecognizers = nil
    #expect(tap.view == nil)
  }

  @Test func `GD-22, GD-23: disabling cancels; touches that are down stay away`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 200, 100)
    let pan = stage.add(UIPanGestureRecognizer(), "P", to: view)
    stage.play(
      touch.down(1, at: at(5, 5)).move(to: at(30, 5)).then {
        pan.isEnabled = false
        pan.isEnabled = true
      }.move(to: at(80, 5)).up().wait(.milliseconds(10)).down(at: at(5, 5)).move(to: at(30, 5)))
    #expect(
      stage.log.take() == [
        "V.began{1}", "P→began", "V.cancelled{1}", "P→cancelled", "V.began{1}", "P→began",
        "V.cancelled{1}",
      ])
    stage.application.cancelAllTouches()
    _ = stage.log.take()
    let tap = stage.add(LogRecognizer(stage.log), "G", to: view)
    stage.play(touch.down(3, at: at(9, 9)).then { tap.isEnabled = false }.up())
    #expect(stage.log.take() == ["G.tBegan{1}", "V.began{1}", "G.reset", "V.ended{1}"])
  }

  @Test func `GD-25: view and delegate are not kept`() {
    let tap = UITapGestureRecognizer()
    do {
      let view = UIView()
      let delegate = LogDelegate("D", Log())
      view.addGestureRecognizer(tap)
      tap.delegate = delegate
    }
    #expect(tap.view == nil && tap.delegate == nil)
  }

  @Test func `GD-28, GD-29: targets in order, once each, not kept`() {
    @MainActor final class Target {
      let log: Log
      init(_ log: Log) { self.log = log }
      func none() { log.add("none") }
      func one(_ recognizer: UITapGestureRecognizer) { log.add("one \(recognizer.state)") }
      func wrong(_ recognizer: UIPanGestureRecognizer) { log.add("never") }
    }
    let stage = Stage()
    let target = Target(stage.log)
    let none = Selector("none", Target.none)
    let tap = UITapGestureRecognizer(target: target, action: Target.one)
    tap.addTarget(target, action: none)
    tap.addTarget(target, action: none)
    tap.addTarget(target, action: Target.wrong)
    do {
      let shortLived = Target(stage.log)
      tap.addTarget(shortLived, action: none)
    }
    stage.window.addGestureRecognizer(tap)
    let tapping = touch.tap(at: at(5, 5)).wait(.seconds(1))
    stage.play(tapping)
    #expect(stage.log.take() == ["one ended", "none"])
    #expect(stage.application.diagnostics.refusedActions == 1)
    tap.removeTarget(target, action: none)
    stage.play(tapping)
    #expect(stage.log.take() == ["one ended"])
    tap.removeTarget(nil, action: nil)
    stage.play(tapping)
    #expect(stage.log.take() == [])
  }

  @Test func `GD-30: touches of two windows never reach the same recogniser`() {
    let stage = Stage()
    let second = UIWindow(
      frame: CGRect(x: 0, y: 700, width: 400, height: 100), application: stage.application)
    second.isHidden = false
    stage.add(LogRecognizer(stage.log), "A", to: stage.window)
    stage.add(LogRecognizer(stage.log), "B", to: second)
    stage.play(touch.down((1, at: at(5, 5)), (2, at: at(5, 750))))
    #expect(stage.log.take() == ["B.tBegan{1}", "A.tBegan{1}"])
  }
}
