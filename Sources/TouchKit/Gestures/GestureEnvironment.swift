/// The place where recognisers meet: who sees which touch, who wins, and what views are told.
///
/// One delivery in one window runs in this order, and only here:
///
///     1  recognisers get their touches           GestureEnvironment+Delivery
///     2  states settle, actions run              GestureEnvironment+Settling
///     3  views lose what recognisers have taken  GestureEnvironment+Views
///     4  views get what was held back
///     5  views get the event
///     6  finished recognisers are reset
///     7  finished touches leave the event        UIApplication+EventQueue
@MainActor
final class GestureEnvironment {
  let event: UIEvent
  var configuration: TouchConfiguration
  var diagnostics = TouchDiagnostics()
  /// The time of the event or timer that is being handled.
  var now: UInt64 = 0

  /// The recognisers that have seen touches or are to be reset, inner ones first.
  var active: [UIGestureRecognizer] = []
  /// Taps that are complete, and wait for the others to have seen the event.
  var ready: [UIGestureRecognizer] = []
  /// Touches of which a view has not been told all, oldest first.
  var held: [UITouch] = []
  var viewPass: UInt64 = 0
  /// How far the event has come in the window that it is being delivered in.
  var delivery = Delivery()
  /// Whether it is being found out who gets a touch: nothing else may happen meanwhile.
  var isRouting = false
  /// What touches really are that are shown as something else to a view, the latest last.
  var disguises: [Disguise] = []

  private var actions: [(recognizer: UIGestureRecognizer, state: UIGestureRecognizer.State)] = []
  private var nextAction = 0

  init(event: UIEvent, configuration: TouchConfiguration) {
    self.event = event
    self.configuration = configuration
  }

  /// Steps 2 to 6 for one window, or for all.
  ///
  /// That actions run before views hear `touchesCancelled` is the least certain point of UIKit's
  /// behaviour; it is decided by the order of these lines and nowhere else.
  func finish(in window: UIWindow?) {
    settle(in: window)
    updateViews(in: window)
    resetFinished(in: window)
  }

  // MARK: Who takes part

  func activate(_ recognizer: UIGestureRecognizer) {
    guard !active.contains(recognizer) else { return }
    recognizer.joined = self
    recognizer.order = recognizer.view?.depth ?? 0
    let place = active.firstIndex { comesBefore(recognizer, $0) } ?? active.count
    active.insert(recognizer, at: place)
  }

  // Deeper views first; in one view as they were added.
  private func comesBefore(_ one: UIGestureRecognizer, _ other: UIGestureRecognizer) -> Bool {
    if one.order != other.order { return one.order > other.order }
    guard let view = one.view, view === other.view,
      let first = view.recognizers.firstIndex(of: one),
      let second = view.recognizers.firstIndex(of: other)
    else { return false }
    return first < second
  }

  func isPart(_ recognizer: UIGestureRecognizer, of window: UIWindow?) -> Bool {
    window == nil || recognizer.window == nil || recognizer.window === window
  }

  /// Forgets recognisers that wait for nothing.
  func dropIdle() {
    active.removeAll {
      $0.actual == .possible && $0.attempt.isEmpty && $0.tracked.isEmpty && $0.pending == nil
    }
  }

  /// Makes later attempts of a recogniser ask again who waits for whom.
  func forgetPartners(of recognizer: UIGestureRecognizer) {
    for other in recognizer.askedPartners {
      other.askedPartners.removeAll { $0 === recognizer }
      other.passingRequirements.removeAll { $0 === recognizer }
    }
  }

  // MARK: Actions

  func queueAction(_ recognizer: UIGestureRecognizer, _ state: UIGestureRecognizer.State) {
    actions.append((recognizer, state))
  }

  /// Runs the queued actions, also those that they cause.
  func runActions() -> Bool {
    guard nextAction < actions.count else { return false }
    while nextAction < actions.count {
      let (recognizer, state) = actions[nextAction]
      nextAction += 1
      recognizer.sendAction(for: state)
    }
    actions.removeAll(keepingCapacity: true)
    nextAction = 0
    return true
  }

  func hasAction(of recognizer: UIGestureRecognizer) -> Bool {
    actions[nextAction...].contains { $0.recognizer === recognizer }
  }

  // MARK: Time

  var nextDeadline: UInt64? {
    var first: UInt64?
    for recognizer in active {
      if let due = recognizer.deadline, due < first ?? .max { first = due }
    }
    return first
  }

  /// Whether something is due that an event of a time must not precede.
  func isDue(before time: UInt64) -> Bool { firstDue { isOver($0, $1, at: time) } != nil }

  /// Does what is due before an event of a time.
  func fire(before time: UInt64) {
    while let recognizer = firstDue(where: { isOver($0, $1, at: time) }) { fire(recognizer) }
  }

  /// Does what is due up to a time, that time included.
  func fire(upTo time: UInt64) {
    while let recognizer = firstDue(where: { due, _ in due <= time }) { fire(recognizer) }
    now = max(now, time)
  }

  // "At most 0.35 s" includes an event at 0.35 s; "after 0.5 s" happens before an event at 0.5 s.
  private func isOver(_ due: UInt64, _ isInclusive: Bool, at time: UInt64) -> Bool {
    isInclusive ? due < time : due <= time
  }

  private func firstDue(where isDue: (UInt64, Bool) -> Bool) -> UIGestureRecognizer? {
    var first: UIGestureRecognizer?
    for recognizer in active {
      guard let due = recognizer.deadline, isDue(due, recognizer.isDeadlineInclusive) else {
        continue
      }
      if let known = first?.deadline, known <= due { continue }
      first = recognizer
    }
    return first
  }

  private func fire(_ recognizer: UIGestureRecognizer) {
    if let due = recognizer.deadline { now = max(now, due) }
    recognizer.clearDeadline()
    recognizer.whileBusy { recognizer.deadlineReached() }
    finish(in: recognizer.window)
  }
}
