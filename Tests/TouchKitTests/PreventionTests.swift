import Testing
import TouchKit
import TouchTestSupport

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
