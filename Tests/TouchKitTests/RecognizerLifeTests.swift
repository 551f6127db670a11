import Testing
import TouchKit
import TouchTestSupport

@MainActor @Suite struct `Life of a recogniser` {
  @Test func `GL-3: handlers may change what is walked over`() {
    @MainActor final class Remover {
      let log: Log
      var others: [UIGestureRecognizer] = []
      init(_ log: Log) { self.log = log }
      func first(_ recognizer: UIGestureRecognizer) {
        log.add("first")
        let view = recognizer.view
        recognizer.removeTarget(nil, action: nil)
        for other in others { other.view?.removeGestureRecognizer(other) }
        view?.removeFromSuperview()
      }
      func second() { log.add("second") }
    }
    let ring = Ring()
    let remover = Remover(ring.stage.log)
    let tap = UITapGestureRecognizer(target: remover, action: Remover.first)
    tap.addTarget(remover, action: Remover.second)
    ring.view.addGestureRecognizer(tap)
    let other = ring.add("B")
    ring.stage.delegate(other) { $0.together = true }
    remover.others = [other, tap]
    ring.stage.play(touch.tap(at: at(5, 5)))
    #expect(
      ring.stage.log.take() == [
        "B.tBegan{1}", "V.began{1}", "B.tEnded{1}", "first", "V.cancelled{1}", "second",
      ])
    #expect(tap.view == nil && ring.view.superview == nil)
  }

  @Test func `GL-4: a recogniser lives until its action returns`() {
    @MainActor final class Dropper {
      weak var kept: UIGestureRecognizer?
      var lived = false
      func drop(_ recognizer: UIGestureRecognizer) {
        kept = recognizer
        recognizer.view?.gestureRecognizers = nil
        lived = kept != nil
      }
    }
    let stage = Stage()
    let dropper = Dropper()
    stage.window.addGestureRecognizer(
      UITapGestureRecognizer(target: dropper, action: Dropper.drop))
    stage.play(touch.tap(at: at(5, 5)))
    #expect(dropper.lived && dropper.kept == nil)
  }

  @Test func `GL-6: a contact that lands while it is finished is not received`() {
    let ring = Ring()
    let a = ring.add("A")
    a.onEnded = { $0.state = .ended }
    ring.stage.play(
      touch.down(1, at: at(5, 5)).together { $0.up(1).down(2, at: at(50, 50)) }.up(2))
    #expect(
      ring.stage.log.take().filter { $0.hasPrefix("A") } == [
        "A.tBegan{1}", "A.tBegan{1}", "A.tEnded{1}", "A→ended", "A.reset",
      ])
  }

  @Test func `GL-8: a touch whose view is gone stays with the recogniser`() {
    let ring = Ring()
    let inner = ring.stage.view("I", 0, 0, 50, 50, in: ring.view)
    let a = ring.add("A")
    ring.stage.play(
      touch.down(at: at(5, 5)).then { inner.removeFromSuperview() }.move(to: at(6, 5)))
    #expect(a.numberOfTouches == 1)
    #expect(
      ring.stage.log.take() == ["A.tBegan{1}", "I.began{1}", "I.cancelled{1}", "A.tMoved{1}"])
  }
}
