import Testing
import TouchKit
import TouchTestSupport

@MainActor @Suite struct `Failure requirements` {
  let drag = touch.down(at: at(5, 5)).move(to: at(6, 5)).move(to: at(7, 5)).move(to: at(8, 5)).up()

  @Test func `GF-1: recognition of the required one makes the other fail`() {
    let ring = Ring()
    let a = ring.add("A")
    let b = ring.add("B")
    a.require(toFail: b)
    a.onMoved = { $0.state = .began }
    b.onEnded = { $0.state = .ended }
    ring.stage.play(drag)
    #expect(ring.actions() == ["B→ended"])
  }

  @Test func `GF-1: it fails even where the two may recognise together`() {
    let ring = Ring()
    let a = ring.add("A")
    let b = ring.add("B")
    a.require(toFail: b)
    // B recognises first and is running when A wants to.
    b.onBegan = { recognizer, _, _ in recognizer.state = .began }
    a.onMoved = { $0.state = .began }
    let together = Together()
    a.delegate = together
    b.delegate = together
    ring.stage.play(drag)
    #expect(ring.actions() == ["B→began"])
    #expect(a.state == .possible)
  }

  @Test func `GF-1, GF-13: one whose touch comes later fails while the required one runs`() {
    let ring = Ring()
    let beside = ring.stage.view("W", 300, 0, 100, 300)
    let a = ring.add("A", to: beside)
    let b = ring.add("B")
    a.require(toFail: b)
    // When B recognises A has no touch yet that could be failed.
    b.onBegan = { recognizer, _, _ in recognizer.state = .began }
    a.onMoved = { $0.state = .began }
    ring.stage.play(touch.down(1, at: at(5, 5)).down(2, at: at(310, 5)).move(2, to: at(320, 5)))
    #expect(ring.actions() == ["B→began"])
    #expect(a.state == .possible && b.state == .began)
  }

  private final class Together: UIGestureRecognizerDelegate {
    func gestureRecognizer(
      _ gestureRecognizer: UIGestureRecognizer,
      shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { true }
  }

  @Test func `GF-2: one that failed before holds nobody up`() {
    let ring = Ring()
    let a = ring.add("A")
    let b = ring.add("B")
    a.require(toFail: b)
    b.onBegan = { recognizer, _, _ in recognizer.state = .failed }
    a.onMoved = { if $0.state == .possible { $0.state = .began } }
    a.onEnded = { $0.state = .ended }
    ring.stage.play(drag)
    #expect(ring.actions() == ["A→began", "A→ended"])
  }

  @Test func `GF-3, GF-5: a waiting one goes on at once, with the present values`() {
    let ring = Ring()
    let pan = ring.stage.add(UIPanGestureRecognizer(), "P", to: ring.view)
    let b = ring.add("B")
    pan.require(toFail: b)
    b.onMoved = { if $0.location(in: nil).x >= 40 { $0.state = .failed } }
    var states: [UIGestureRecognizer.State] = []
    var translation = CGPoint.zero
    ring.stage.play(
      touch.down(at: at(5, 5)).move(to: at(25, 5)).then { states.append(pan.state) }
        .move(to: at(45, 5)).then { translation = pan.translation(in: nil) }.up())
    #expect(states == [.possible])
    #expect(translation == at(30, 0))
    #expect(ring.actions() == ["P→began", "P→ended"])
  }

  @Test func `GF-4, GF-8: a single tap waits for the double tap, and sees no touch meanwhile`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 300, 300)
    let single = stage.add(UITapGestureRecognizer(), "S", to: view)
    let double = stage.add(UITapGestureRecognizer(), "D", to: view) { $0.numberOfTapsRequired = 2 }
    single.require(toFail: double)
    let log = stage.log
    stage.play(
      touch.tap(at: at(5, 5)).wait(.milliseconds(349)).then { log.add("349") }
        .wait(.milliseconds(1)))
    #expect(stage.log.take() == ["V.began{1}", "349", "S→ended", "V.cancelled{1}"])
    stage.play(touch.tap(at: at(5, 5)).wait(.milliseconds(100)).tap(at: at(6, 5)).wait(.seconds(1)))
    #expect(
      stage.log.take() == [
        "V.began{1}", "V.began{1}", "D→ended", "V.cancelled{1}", "V.cancelled{1}",
      ])
    // The second finger lands too far away: the double tap fails there, the single tap acts.
    var place = CGPoint.zero
    stage.play(
      touch.tap(at: at(5, 5)).wait(.milliseconds(100)).then { place = single.location(in: nil) }
        .down(at: at(200, 5)).wait(.seconds(1)).up())
    #expect(place == at(5, 5))
    #expect(
      stage.log.take() == ["V.began{1}", "S→ended", "V.cancelled{1}", "V.began{1}", "V.ended{1}"])
  }

  @Test func `GF-5: a waiting continuous one fails when its fingers are up`() {
    let ring = Ring()
    let pan = ring.stage.add(UIPanGestureRecognizer(), "P", to: ring.view)
    let b = ring.add("B")
    pan.require(toFail: b)
    b.onEnded = { $0.state = .failed }
    ring.stage.play(touch.down(at: at(5, 5)).move(to: at(50, 5)).up())
    #expect(ring.actions() == [])
  }

  @Test func `GF-6: what plays no part counts as failed`() {
    let ring = Ring()
    let tap = ring.stage.add(UITapGestureRecognizer(), "T", to: ring.view)
    let unattached = LogRecognizer(ring.stage.log)
    let disabled = ring.add("off")
    disabled.isEnabled = false
    let elsewhere = ring.add("E", to: ring.stage.view("W", 300, 0, 100, 100))
    let idle = ring.add("I")
    for other in [unattached, disabled, elsewhere, idle] { tap.require(toFail: other) }
    ring.stage.play(touch.tap(at: at(5, 5)))
    #expect(ring.actions() == ["T→ended"])
  }

  @Test func `GF-7: one that failed in this sequence counts as failed to its end`() {
    let ring = Ring()
    let a = ring.add("A")
    let b = ring.add("B")
    a.require(toFail: b)
    a.onBegan = { recognizer, touches, _ in
      if touches.first?.location(in: nil).y == 100 { recognizer.state = .began }
    }
    b.onMoved = { $0.state = .failed }
    a.onMoved = { if $0.state == .possible { $0.state = .failed } }
    ring.stage.play(touch.down(1, at: at(5, 5)).move(to: at(6, 5)).down(2, at: at(5, 100)))
    #expect(ring.actions() == ["A→began"])
    ring.stage.application.cancelAllTouches()
    _ = ring.actions()
    ring.stage.play(touch.down(1, at: at(5, 100)))
    #expect(ring.actions() == [])
    #expect(a.state == .possible && b.state == .possible)
  }

  @Test func `GF-9, GF-10: without a requirement the single tap acts at the first lift only`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 300, 300)
    stage.add(UITapGestureRecognizer(), "S", to: view)
    stage.add(UITapGestureRecognizer(), "D", to: view) { $0.numberOfTapsRequired = 2 }
    let log = stage.log
    stage.play(
      touch.tap(at: at(5, 5)).then { log.add("lift") }.wait(.milliseconds(100)).tap(at: at(5, 5)))
    #expect(
      stage.log.take().filter { !$0.hasPrefix("V") } == ["S→ended", "lift", "D→ended"])
  }

  @Test func `GF-11: subclasses and delegates are asked once a pair, for one attempt`() {
    for way in 0..<3 {
      let ring = Ring()
      let a = ring.add("A")
      let b = ring.add("B")
      var asked = 0
      if way == 0 {
        a.requires = { other in
          asked += 1
          return other === b
        }
      } else {
        ring.stage.delegate(way == 1 ? a : b) {
          let answer = { (other: UIGestureRecognizer) in
            asked += 1
            return way == 1 ? other === b : other === a
          }
          if way == 1 { $0.requires = answer } else { $0.required = answer }
        }
      }
      a.onMoved = { if $0.state == .possible { $0.state = .began } }
      b.onMoved = { if $0.location(in: nil).x >= 7 { $0.state = .failed } }
      a.onEnded = { $0.state = .ended }
      var seen: [UIGestureRecognizer.State] = []
      ring.stage.play(
        touch.down(at: at(5, 5)).move(to: at(6, 5)).then { seen.append(a.state) }
          .move(to: at(7, 5)).then { seen.append(a.state) }.up())
      #expect(seen == [.possible, .began] && asked == 1)
      #expect(ring.actions() == ["A→began", "A→ended"])
      ring.stage.play(touch.down(at: at(5, 5)).move(to: at(6, 5)).cancel())
      #expect(asked == 2)
    }
  }

  @Test func `GF-12: of two that each require the other the first asked wins`() {
    let ring = Ring()
    let a = ring.add("A")
    let b = ring.add("B")
    for recognizer in [a, b] {
      ring.stage.delegate(recognizer) { $0.requires = { _ in true } }
      recognizer.onMoved = { if $0.state == .possible { $0.state = .began } }
    }
    ring.stage.play(touch.down(at: at(5, 5)).move(to: at(6, 5)))
    #expect(ring.actions() == ["B→began"])
    #expect(ring.stage.application.diagnostics.droppedRequirements == 1)
    let c = ring.add("C")
    let d = ring.add("D")
    let e = ring.add("E")
    c.require(toFail: d)
    d.require(toFail: e)
    e.require(toFail: c)
    #expect(ring.stage.application.diagnostics.droppedRequirements == 2)
  }

  @Test func `GF-13: a requirement holds across views`() {
    let ring = Ring()
    let inner = ring.stage.view("I", 0, 0, 50, 50, in: ring.view)
    let a = ring.add("A")
    let b = ring.add("B", to: inner)
    a.require(toFail: b)
    a.onMoved = { if $0.state == .possible { $0.state = .began } }
    ring.stage.play(touch.down(1, at: at(100, 100)).down(2, at: at(5, 5)).move(1, to: at(101, 100)))
    #expect(ring.actions() == [] && a.state == .possible)
    b.state = .failed
    ring.stage.application.settle()
    #expect(ring.actions() == ["A→began"])
  }

  @Test func `GF-14: a chain is settled in one pass`() {
    for lastFails in [true, false] {
      let ring = Ring()
      let a = ring.add("A")
      let b = ring.add("B")
      let c = ring.add("C")
      a.require(toFail: b)
      b.require(toFail: c)
      a.onMoved = { $0.state = .began }
      b.onMoved = { $0.state = .began }
      c.onEnded = { $0.state = .failed }
      ring.stage.play(touch.down(at: at(5, 5)).move(to: at(6, 5)))
      #expect([a, b, c].allSatisfy { $0.state == .possible })
      if lastFails { c.state = .failed } else { b.state = .failed }
      ring.stage.application.settle()
      #expect(ring.actions() == (lastFails ? ["B→began"] : ["A→began"]))
    }
  }

  @Test func `GF-15: a requirement of oneself is ignored`() {
    let ring = Ring()
    let tap = ring.stage.add(UITapGestureRecognizer(), "T", to: ring.view)
    tap.require(toFail: tap)
    ring.stage.play(touch.tap(at: at(5, 5)))
    #expect(ring.actions() == ["T→ended"])
  }

  @Test func `GF-16, GF-17: those that waited still exclude each other, in their order`() {
    let ring = Ring()
    let a = ring.add("A")
    let b = ring.add("B")
    let c = ring.add("C")
    for recognizer in [a, b] {
      recognizer.require(toFail: c)
      recognizer.onMoved = { $0.state = .began }
    }
    ring.stage.play(touch.down(at: at(5, 5)).move(to: at(6, 5)))
    c.state = .failed
    ring.stage.application.settle()
    #expect(ring.actions() == ["A→began"])
    #expect(b.state == .possible)
  }
}
