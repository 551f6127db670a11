import Testing
import TouchKit
import TouchTestSupport

/// A stage with one view and recognisers that do what a test says.
@MainActor
private final class Ring {
  let stage = Stage()
  let view: LogView

  init() { view = stage.view("V", 0, 0, 300, 300) }

  func add(_ name: String, to other: UIView? = nil) -> LogRecognizer {
    stage.add(LogRecognizer(stage.log), name, to: other ?? view)
  }

  /// The actions, without touches and resets.
  func actions() -> [String] { stage.log.take().filter { $0.contains("→") } }
}

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

@MainActor @Suite struct `Prevention and simultaneity` {
  private func begins(_ recognizers: LogRecognizer...) {
    for recognizer in recognizers {
      recognizer.onMoved = { $0.state = $0.state == .possible ? .began : .changed }
      recognizer.onEnded = { $0.state = $0.state == .possible ? .failed : .ended }
    }
  }

  let move = touch.down(at: at(5, 5)).move(to: at(6, 5))

  @Test func `GP-1: gestures without a common touch don't affect each other`() {
    let ring = Ring()
    let left = ring.stage.view("L", 0, 0, 100, 100, in: ring.view)
    let right = ring.stage.view("R", 100, 0, 100, 100, in: ring.view)
    for (name, view) in [("PL", left), ("PR", right)] {
      ring.stage.add(UIPanGestureRecognizer(), name, to: view)
    }
    ring.stage.play(
      touch.down((1, at: at(5, 5)), (2, at: at(105, 5))).move(
        (1, to: at(5, 50)), (2, to: at(105, 50))))
    #expect(ring.actions() == ["PL→began", "PR→began"])
  }

  @Test func `GP-2, GP-3, GP-17, DS-15: one that begins makes the others fail, without a callback`()
  {
    let ring = Ring()
    begins(ring.add("A"), ring.add("B"))
    ring.stage.play(move)
    #expect(
      ring.stage.log.take() == [
        "A.tBegan{1}", "B.tBegan{1}", "V.began{1}", "A.tMoved{1}", "A→began", "V.cancelled{1}",
        "B.reset",
      ])
  }

  @Test func `GP-4: a running one keeps a later one from recognising`() {
    let ring = Ring()
    let a = ring.add("A")
    let b = ring.add("B")
    begins(a)
    ring.stage.play(
      touch.down(1, at: at(5, 5)).move(to: at(6, 5)).down(2, at: at(50, 50))
        .then { b.state = .ended }.up(1, 2))
    #expect(ring.actions() == ["A→began", "A→ended"])
  }

  @Test(arguments: [
    (false, false, ["A→began", "B→began"]), (true, true, ["A→began"]),
    (false, true, ["A→began", "B→began"]), (true, false, ["A→began", "B→began"]),
  ])
  func `GP-8: it takes can prevent and can be prevented`(
    _ canPrevent: Bool, _ canBePrevented: Bool, _ expected: [String]
  ) {
    let ring = Ring()
    let a = ring.add("A")
    let b = ring.add("B")
    begins(a, b)
    a.prevents = { _ in canPrevent }
    b.prevented = { _ in canBePrevented }
    ring.stage.play(move)
    #expect(ring.actions() == expected)
  }

  @Test func `GP-5, GP-6, GP-7, GP-8, GP-12: one delegate's true is enough, the asker's first`() {
    let ring = Ring()
    let a = ring.add("A")
    let b = ring.add("B")
    begins(a, b)
    let first = ring.stage.delegate(a, logs: true)
    let second = ring.stage.delegate(b, logs: true) { $0.together = true }
    ring.stage.play(move.up())
    #expect(
      ring.stage.log.take().filter { $0.contains("?with") || $0.contains("→") } == [
        "A?with B", "B?with A", "B?with A", "A→began", "B→began", "A→ended", "B→ended",
      ])
    second.together = false
    ring.stage.play(move.up())
    #expect(
      ring.stage.log.take().filter { $0.contains("?with") || $0.contains("→") } == [
        "A?with B", "B?with A", "A→began", "A→ended",
      ])
    a.prevents = { _ in false }
    b.prevents = { _ in false }
    first.together = true
    ring.stage.play(move.up())
    #expect(
      ring.stage.log.take().filter { $0.contains("?with") || $0.contains("→") } == [
        "A→began", "B→began", "A→ended", "B→ended",
      ])
  }

  @Test func `GP-9, GQ-4: the order of questions`() {
    let ring = Ring()
    let a = ring.add("A")
    let b = ring.add("B")
    begins(a)
    ring.view.shouldBegin = { [log = ring.stage.log] in
      log.add("V?begin \($0.name ?? "")")
      return true
    }
    a.requires = { [log = ring.stage.log] in
      log.add("A?requires \($0.name ?? "")")
      return false
    }
    ring.stage.delegate(a, logs: true)
    ring.stage.delegate(b, logs: true)
    ring.stage.play(move)
    #expect(
      ring.stage.log.take().filter { $0.contains("?") && !$0.contains("?touch") } == [
        "A?event", "B?event", "A?requires B", "V?begin A", "A?begin", "A?with B", "B?with A",
      ])
  }

  @Test func `GP-10: of nested single taps the inner one wins`() {
    let ring = Ring()
    let inner = ring.stage.view("I", 0, 0, 50, 50, in: ring.view)
    ring.stage.add(UITapGestureRecognizer(), "outer", to: ring.view)
    ring.stage.add(UITapGestureRecognizer(), "inner", to: inner)
    ring.stage.play(touch.tap(at: at(5, 5)))
    #expect(ring.actions() == ["inner→ended"])
  }

  @Test func `GP-10: an inner tap also wins over an outer one of another kind`() {
    let ring = Ring()
    let inner = ring.stage.view("I", 0, 0, 50, 50, in: ring.view)
    let outer = ring.add("outer")
    outer.onEnded = { $0.state = .ended }
    ring.stage.add(UITapGestureRecognizer(), "inner", to: inner)
    ring.stage.play(touch.tap(at: at(5, 5)))
    #expect(ring.actions() == ["inner→ended"])
  }

  @Test func `GP-11: of equal taps the first added wins`() {
    let ring = Ring()
    ring.stage.add(UITapGestureRecognizer(), "1", to: ring.view)
    ring.stage.add(UITapGestureRecognizer(), "2", to: ring.view)
    ring.stage.play(touch.tap(at: at(5, 5)))
    #expect(ring.actions() == ["1→ended"])
  }

  @Test func `GP-13: a prevented one frees those that waited for it`() {
    let ring = Ring()
    let a = ring.add("A")
    let b = ring.add("B")
    let c = ring.add("C")
    begins(a, c)
    c.require(toFail: b)
    c.prevented = { $0 !== a }
    a.prevents = { $0 !== c }
    ring.stage.play(move)
    #expect(ring.actions() == ["A→began", "C→began"])
  }

  @Test func `GP-14: who cannot prevent may still be prevented`() {
    let ring = Ring()
    let a = ring.add("A")
    let b = ring.add("B")
    a.prevents = { _ in false }
    b.onBegan = { recognizer, _, _ in recognizer.state = .began }
    begins(a)
    ring.stage.play(move)
    #expect(ring.actions() == ["B→began"])
  }

  @Test func `GP-15: simultaneity of two does not reach a third`() {
    let ring = Ring()
    let a = ring.add("A")
    let b = ring.add("B")
    let c = ring.add("C")
    begins(a, b, c)
    final class Pair: UIGestureRecognizerDelegate {
      let partner: UIGestureRecognizer
      init(_ partner: UIGestureRecognizer) { self.partner = partner }
      func gestureRecognizer(
        _ one: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
      ) -> Bool { other === partner }
    }
    let pair = Pair(b)
    a.delegate = pair
    ring.stage.play(move)
    #expect(ring.actions() == ["A→began", "B→began"])
  }

  @Test func `GP-16: one that has ended blocks no more, but those it prevented stay failed`() {
    let ring = Ring()
    let a = ring.add("A")
    let b = ring.add("B")
    a.onBegan = { recognizer, _, _ in recognizer.state = .ended }
    a.prevents = { $0.name != "C" }
    begins(b)
    let c = ring.add("C")
    begins(c)
    ring.stage.play(move)
    #expect(ring.actions() == ["A→ended", "C→began"])
  }

  @Test func `GQ-1, GQ-8: each view that a touch landed on is asked once, the owner only if hit`() {
    let ring = Ring()
    let left = ring.stage.view("L", 0, 0, 100, 100, in: ring.view)
    let right = ring.stage.view("R", 100, 0, 100, 100, in: ring.view)
    var asked: [String] = []
    for view in [ring.view, left, right] {
      view.shouldBegin = { _ in
        asked.append(view.name)
        return true
      }
    }
    left.isMultipleTouchEnabled = true
    begins(ring.add("A"))
    ring.stage.play(
      touch.down((1, at: at(5, 5)), (2, at: at(9, 9)), (3, at: at(110, 5))).move(1, to: at(6, 5)))
    #expect(asked == ["L", "R"])
  }

  @Test func `GQ-2, GQ-3: a view is not asked if it keeps its touches`() {
    let ring = Ring()
    let a = ring.add("A")
    a.cancelsTouchesInView = false
    begins(a)
    ring.view.shouldBegin = { _ in false }
    ring.stage.play(move)
    #expect(ring.actions() == ["A→began"])
    #expect(UIView().gestureRecognizerShouldBegin(a))
  }

  @Test func `GQ-5, GQ-6: a refusal fails it at once, the others are unaffected`() {
    let ring = Ring()
    let a = ring.add("A")
    let b = ring.add("B")
    var states: [UIGestureRecognizer.State] = []
    a.onMoved = {
      $0.state = .began
      states.append($0.state)
    }
    begins(b)
    ring.stage.delegate(a) { $0.begins = false }
    ring.stage.play(move)
    #expect(states == [.failed])
    #expect(ring.actions() == ["B→began"])
  }

  @Test func `GQ-7, PN-16: a pan can be refused by its direction`() {
    final class Upright: UIGestureRecognizerDelegate {
      func gestureRecognizerShouldBegin(_ recognizer: UIGestureRecognizer) -> Bool {
        guard let pan = recognizer as? UIPanGestureRecognizer else { return true }
        let velocity = pan.velocity(in: pan.view)
        let translation = pan.translation(in: pan.view)
        return abs(velocity.y) > abs(velocity.x) && abs(translation.y) > abs(translation.x)
      }
    }
    let ring = Ring()
    let pan = ring.stage.add(UIPanGestureRecognizer(), "P", to: ring.view)
    let delegate = Upright()
    pan.delegate = delegate
    ring.stage.play(touch.down(at: at(5, 5)).move(to: at(30, 10)).up())
    #expect(ring.actions() == [])
    ring.stage.play(touch.down(at: at(5, 5)).move(to: at(10, 30)).up())
    #expect(ring.actions() == ["P→began", "P→ended"])
  }

  @Test func `GQ-9: a handler that disables the recogniser wins`() {
    let ring = Ring()
    let a = ring.add("A")
    begins(a)
    ring.view.shouldBegin = {
      $0.isEnabled = false
      return true
    }
    ring.stage.play(move)
    #expect(ring.actions() == [] && a.state == .possible)
  }
}

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
