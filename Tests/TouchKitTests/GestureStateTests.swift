import Testing
import TouchKit
import TouchTestSupport

@MainActor @Suite struct `Gesture states` {
  typealias State = UIGestureRecognizer.State

  @Test func `GS-1: raw values`() {
    #expect(State.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    #expect(State.recognized == .ended)
  }

  /// The table of GS-7: what each setting leads to, and whether the action runs.
  nonisolated static let table:
    [(from: State, to: State, becomes: State, acts: Bool, legal: Bool)] = [
      (.possible, .possible, .possible, false, true),
      (.possible, .began, .began, true, true),
      (.possible, .changed, .possible, false, false),
      (.possible, .ended, .ended, true, true),
      (.possible, .cancelled, .failed, false, true),
      (.possible, .failed, .failed, false, true),
      (.began, .possible, .began, false, false),
      (.began, .began, .began, false, false),
      (.began, .changed, .changed, true, true),
      (.began, .ended, .ended, true, true),
      (.began, .cancelled, .cancelled, true, true),
      (.began, .failed, .began, false, false),
      (.changed, .possible, .changed, false, false),
      (.changed, .began, .changed, false, false),
      (.changed, .changed, .changed, true, true),
      (.changed, .ended, .ended, true, true),
      (.changed, .cancelled, .cancelled, true, true),
      (.changed, .failed, .changed, false, false),
      (.ended, .possible, .ended, false, false),
      (.ended, .began, .ended, false, false),
      (.ended, .changed, .ended, false, false),
      (.ended, .ended, .ended, false, true),
      (.ended, .cancelled, .ended, false, false),
      (.ended, .failed, .ended, false, false),
      (.cancelled, .possible, .cancelled, false, false),
      (.cancelled, .began, .cancelled, false, false),
      (.cancelled, .changed, .cancelled, false, false),
      (.cancelled, .ended, .cancelled, false, false),
      (.cancelled, .cancelled, .cancelled, false, true),
      (.cancelled, .failed, .cancelled, false, false),
      (.failed, .possible, .failed, false, false),
      (.failed, .began, .failed, false, false),
      (.failed, .changed, .failed, false, false),
      (.failed, .ended, .failed, false, false),
      (.failed, .cancelled, .failed, false, false),
      (.failed, .failed, .failed, false, true),
    ]

  private func bring(_ recognizer: UIGestureRecognizer, to state: State) {
    switch state {
    case .possible: break
    case .began, .ended, .failed: recognizer.state = state
    case .changed, .cancelled:
      recognizer.state = .began
      recognizer.state = state
    }
  }

  @Test(arguments: table)
  func `GS-2 to GS-9, GL-10: the table of transitions`(
    _ row: (from: State, to: State, becomes: State, acts: Bool, legal: Bool)
  ) {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    bring(recognizer, to: row.from)
    #expect(recognizer.state == row.from)
    let before = Stage.Count(stage)
    recognizer.state = row.to
    #expect(recognizer.state == row.becomes)
    stage.application.settle()
    let all = stage.log.take()
    let expected = row.acts ? "G→\(row.to)" : nil
    let actions = all.filter { $0.hasPrefix("G→") }
    #expect(actions.count == Self.actions(to: row.from) + (row.acts ? 1 : 0))
    if let expected { #expect(actions.last == expected) }
    #expect(
      stage.application.diagnostics.illegalTransitions - before.illegal == (row.legal ? 0 : 1))
    let isOver = [.ended, .cancelled, .failed].contains(row.becomes)
    #expect(all.contains("G.reset") == isOver)
    #expect(recognizer.state == (isOver ? .possible : row.becomes))
  }

  private static func actions(to state: State) -> Int {
    switch state {
    case .possible, .failed: 0
    case .began, .ended: 1
    case .changed, .cancelled: 2
    }
  }

  @Test
  func `GS-10, GL-9: a gesture that begins at the touch acts before the view, which gets nothing`()
  {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    recognizer.onBegan = { recognizer, _, _ in recognizer.state = .began }
    recognizer.onEnded = { $0.state = .ended }
    stage.play(touch.tap(at: at(5, 5)))
    #expect(stage.log.take() == ["G.tBegan{1}", "G→began", "G.tEnded{1}", "G→ended", "G.reset"])
  }

  @Test func `GS-11: a state set outside an event acts before the loop sleeps`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    stage.play(touch.down(at: at(5, 5)))
    _ = stage.log.take()
    recognizer.state = .began
    #expect(stage.log.take() == [])
    stage.application.settle()
    #expect(stage.log.take() == ["G→began", "V.cancelled{1}"])
    recognizer.state = .ended
    stage.application.settle()
    #expect(stage.log.take() == ["G→ended", "G.reset"])
    stage.application.settle()
    #expect(stage.log.take() == [])
  }

  @Test
  func `GS-12, GS-13: several settings in one callback send an action each, showing its state`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    recognizer.onBegan = { recognizer, _, _ in
      recognizer.state = .began
      recognizer.state = .changed
      recognizer.state = .changed
      recognizer.state = .ended
    }
    stage.play(touch.down(at: at(5, 5)))
    #expect(
      stage.log.take() == [
        "G.tBegan{1}", "G→began", "G→changed", "G→changed", "G→ended", "G.reset",
      ])
  }

  @Test func `GS-14, GS-15, GD-13: after the reset touches that are down are not seen`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    recognizer.onBegan = { recognizer, touches, _ in
      if touches.first?.location(in: nil).x == 5 { recognizer.state = .failed }
    }
    stage.play(touch.down(1, at: at(5, 5)).move(1, to: at(6, 5)).down(2, at: at(50, 5)).up(1).up(2))
    #expect(
      stage.log.take() == [
        "G.tBegan{1}", "V.began{1}", "G.reset", "V.moved{1}", "G.tBegan{1}", "V.ended{1}",
        "G.tEnded{1}",
      ])
    #expect(recognizer.state == .possible)
  }

  @Test func `GS-16: a reset without super still leads to possible`() {
    final class Careless: UITapGestureRecognizer {
      override func reset() {}
    }
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let tap = stage.add(Careless(), "T", to: view) { $0.cancelsTouchesInView = false }
    stage.play(touch.tap(at: at(5, 5)).wait(.seconds(1)).tap(at: at(5, 5)))
    #expect(stage.log.take().filter { $0.hasPrefix("T") } == ["T→ended", "T→ended"])
    #expect(tap.state == .possible)
  }

  @Test func `GS-17, GX-9: a recogniser that did nothing stays possible, without a reset`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    stage.play(touch.tap(at: at(5, 5)))
    #expect(stage.log.take() == ["G.tBegan{1}", "V.began{1}", "G.tEnded{1}", "V.ended{1}"])
    #expect(recognizer.state == .possible && recognizer.numberOfTouches == 0)
  }

  @Test func `GS-18, GS-19: who waits shows possible, and a failed one is reset after it`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    let waiting = stage.add(LogRecognizer(stage.log), "A", to: view)
    let required = stage.add(LogRecognizer(stage.log), "B", to: view)
    waiting.require(toFail: required)
    var states: [State] = []
    required.onBegan = { recognizer, _, _ in recognizer.state = .failed }
    waiting.onMoved = { recognizer in
      states.append(required.state)
      recognizer.state = .began
    }
    waiting.onEnded = { $0.state = .ended }
    stage.play(touch.down(at: at(5, 5)).move(to: at(6, 5)).up())
    #expect(states == [.failed])
    #expect(
      stage.log.take() == [
        "A.tBegan{1}", "B.tBegan{1}", "V.began{1}", "A.tMoved{1}", "A→began", "V.cancelled{1}",
        "B.reset", "A.tEnded{1}", "A→ended", "A.reset",
      ])
  }
}

extension Stage {
  struct Count {
    let illegal: Int
    @MainActor init(_ stage: Stage) { illegal = stage.application.diagnostics.illegalTransitions }
  }
}
