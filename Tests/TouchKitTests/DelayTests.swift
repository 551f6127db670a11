import Testing
import TouchKit
import TouchTestSupport

@MainActor @Suite struct `Delaying and cancelling touches` {
  @Test func `DV-2: a tap's action runs before the view's touchesCancelled`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    stage.add(UITapGestureRecognizer(), "T", to: view)
    stage.play(touch.tap(at: at(10, 10)))
    #expect(stage.log.take() == ["V.began{1}", "T→ended", "V.cancelled{1}"])
  }

  @Test func `GX-12: a double tap turns the first end into a cancel`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let double = stage.add(UITapGestureRecognizer(), "D", to: view) {
      $0.numberOfTapsRequired = 2
    }
    let taps = touch.tap(at: at(10, 10)).wait(.milliseconds(100)).tap(at: at(12, 10))
    stage.play(taps.wait(.seconds(1)))
    #expect(
      stage.log.take() == [
        "V.began{1}", "V.began{1}", "D→ended", "V.cancelled{1}", "V.cancelled{1}",
      ])
    double.delaysTouchesEnded = false
    stage.play(taps)
    #expect(
      stage.log.take() == [
        "V.began{1}", "V.ended{1}", "V.began{1}", "D→ended", "V.cancelled{1}",
      ])
  }

  @Test func `GX-13: after one tap the end comes when the double tap has failed`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let double = stage.add(UITapGestureRecognizer(), "D", to: view) {
      $0.numberOfTapsRequired = 2
    }
    stage.play(touch.tap(at: at(10, 10)).wait(.milliseconds(349)))
    #expect(stage.log.take() == ["V.began{1}"])
    stage.play(touch.wait(.milliseconds(1)))
    #expect(stage.log.take() == ["V.ended{1}"])
    double.delaysTouchesEnded = false
    stage.play(touch.tap(at: at(10, 10)))
    #expect(stage.log.take() == ["V.began{1}", "V.ended{1}"])
  }

  @Test func `GX-2: with cancelsTouchesInView false views and recogniser get everything`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 200, 100)
    stage.add(UIPanGestureRecognizer(), "P", to: view) { $0.cancelsTouchesInView = false }
    stage.play(touch.down(at: at(10, 10)).move(to: at(40, 10), over: .milliseconds(16)).up())
    #expect(
      stage.log.take() == [
        "V.began{1}", "P→began", "V.moved{1}", "P→changed", "V.moved{1}", "P→ended", "V.ended{1}",
      ])
  }
}

extension `Delaying and cancelling touches` {
  private func running(_ stage: Stage, on view: UIView) -> LogRecognizer {
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    recognizer.onMoved = { $0.state = $0.state == .possible ? .began : .changed }
    recognizer.onEnded = { if $0.numberOfTouches == 1 { $0.state = .ended } }
    return recognizer
  }

  @Test func `GX-1, GX-5: recognising takes the touches; the recogniser sees their real phases`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    _ = running(stage, on: view)
    var phases: [UITouch.Phase] = []
    view.onTouch = { phases.append($0.phase) }
    stage.play(touch.down(at: at(5, 5)).move(to: at(6, 5)).move(to: at(7, 5)).up())
    #expect(
      stage.log.take() == [
        "G.tBegan{1}", "V.began{1}", "G.tMoved{1}", "G→began", "V.cancelled{1}", "G.tMoved{1}",
        "G→changed", "G.tEnded{1}", "G→ended", "G.reset",
      ])
    #expect(phases == [.began, .cancelled])
  }

  @Test func `GX-3: a finger that joins a running gesture never reaches its view`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let other = stage.view("W", 0, 50, 100, 50, in: view)
    other.isMultipleTouchEnabled = true
    _ = running(stage, on: view)
    stage.play(
      touch.down(1, at: at(5, 5)).move(to: at(6, 5)).down(2, at: at(5, 60)).up(2).up(1))
    #expect(
      stage.log.take() == [
        "G.tBegan{1}", "V.began{1}", "G.tMoved{1}", "G→began", "V.cancelled{1}", "G.tBegan{1}",
        "G.tEnded{1}", "G.tEnded{1}", "G→ended", "G.reset",
      ])
  }

  @Test func `GX-4: a gesture over two views cancels both`() {
    let stage = Stage()
    let parent = stage.view("P", 0, 0, 200, 100)
    stage.view("A", 0, 0, 100, 100, in: parent)
    stage.view("B", 100, 0, 100, 100, in: parent)
    stage.add(UIPinchGestureRecognizer(), "Z", to: parent)
    stage.play(touch.down((1, at: at(50, 5)), (2, at: at(150, 5))).move(2, to: at(170, 5)))
    #expect(
      stage.log.take() == [
        "A.began{1}", "B.began{1}", "Z→began", "A.cancelled{1}", "B.cancelled{1}",
      ])
  }

  @Test func `GX-6, GX-8: a view hears nothing of a touch that was withheld and recognised`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 200, 100)
    let pan = stage.add(UIPanGestureRecognizer(), "P", to: view)
    pan.delaysTouchesBegan = true
    let drag = touch.down(at: at(5, 5)).move(to: at(9, 5)).move(to: at(40, 5)).up()
    stage.play(drag)
    #expect(stage.log.take() == ["P→began", "P→ended"])
    pan.cancelsTouchesInView = false
    stage.play(drag)
    #expect(
      stage.log.take() == ["P→began", "V.began{1}", "V.moved{1}", "P→ended", "V.ended{1}"])
  }

  @Test func `GX-10, GX-11: an end is withheld only while undecided`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 200, 100)
    let tap = stage.add(UITapGestureRecognizer(), "T", to: view)
    tap.cancelsTouchesInView = false
    stage.play(touch.tap(at: at(5, 5)).wait(.seconds(1)))
    #expect(stage.log.take() == ["V.began{1}", "T→ended", "V.ended{1}"])
    stage.play(touch.down(at: at(5, 5)).wait(.seconds(1)).up())
    #expect(stage.log.take() == ["V.began{1}", "V.ended{1}"])
  }

  @Test func `GX-14: the last undecided recogniser decides`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 200, 100)
    for (name, taps) in [("D", 2), ("T", 3)] {
      let tap = stage.add(UITapGestureRecognizer(), name, to: view) {
        $0.numberOfTapsRequired = taps
      }
      let delegate = LogDelegate(name, stage.log)
      delegate.logs = false
      delegate.together = true
      tap.delegate = delegate
      stage.keep(delegate)
    }
    stage.play(touch.tap(at: at(5, 5)).wait(.milliseconds(349)))
    #expect(stage.log.take() == ["V.began{1}"])
    stage.play(touch.wait(.milliseconds(1)))
    #expect(stage.log.take() == ["V.ended{1}"])
    stage.play(touch.tap(at: at(5, 5)).wait(.milliseconds(50)).tap(at: at(5, 5)))
    #expect(
      stage.log.take() == [
        "V.began{1}", "V.began{1}", "D→ended", "V.cancelled{1}", "V.cancelled{1}",
      ]
    )
  }

  @Test func `GX-15: what was withheld comes one by one, oldest first, before the present event`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 200, 100)
    view.isMultipleTouchEnabled = true
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    recognizer.delaysTouchesBegan = true
    recognizer.onMoved = { $0.state = .failed }
    stage.play(
      touch.down((1, at: at(5, 5)), (2, at: at(9, 9))).together {
        $0.move(2, to: at(20, 9)).down(3, at: at(50, 50))
      })
    #expect(
      stage.log.take() == [
        "G.tBegan{2}", "G.tBegan{1}", "G.tMoved{1}", "V.began{1}", "V.began{1}", "V.moved{1}",
        "V.began{1}", "G.reset",
      ])
  }

  @Test func `GX-16: began and end of a withheld touch come back to back`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 200, 100)
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    recognizer.delaysTouchesBegan = true
    recognizer.onEnded = { $0.state = .failed }
    stage.play(touch.tap(at: at(5, 5)))
    #expect(
      stage.log.take() == ["G.tBegan{1}", "G.tEnded{1}", "V.began{1}", "V.ended{1}", "G.reset"])
    stage.play(touch.down(at: at(5, 5)).move(to: at(6, 5)).up())
    #expect(
      stage.log.take() == [
        "G.tBegan{1}", "G.tMoved{1}", "G.tEnded{1}", "V.began{1}", "V.moved{1}", "V.ended{1}",
        "G.reset",
      ])
  }

  @Test func `GX-17: a control whose end is withheld stays highlighted`() {
    let stage = Stage()
    let button = UIButton(frame: CGRect(x: 0, y: 0, width: 50, height: 50))
    stage.window.addSubview(button)
    stage.add(UITapGestureRecognizer(), "D", to: stage.window) { $0.numberOfTapsRequired = 2 }
    stage.play(touch.tap(at: at(5, 5)))
    #expect(button.isHighlighted && button.isTracking)
    stage.play(touch.wait(.milliseconds(350)))
    #expect(!button.isHighlighted && !button.isTracking)
  }

  @Test func `GX-18: a touch that is taken away while withheld has never been`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 200, 100)
    stage.add(UIPanGestureRecognizer(), "P", to: view).delaysTouchesBegan = true
    stage.play(touch.down(at: at(5, 5)).cancel())
    #expect(stage.log.take() == [])
  }

  @Test func `GX-20: a refusal counts as failure in the same delivery`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 200, 100)
    stage.add(UITapGestureRecognizer(), "T", to: view)
    view.shouldBegin = { _ in false }
    stage.play(touch.tap(at: at(5, 5)))
    #expect(stage.log.take() == ["V.began{1}", "V.ended{1}"])
  }
}
