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
