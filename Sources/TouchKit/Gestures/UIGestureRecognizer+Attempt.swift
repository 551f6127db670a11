extension UIGestureRecognizer {
  /// Where the recogniser is arbitrated; that of its view's application once it has seen touches.
  var environment: GestureEnvironment {
    joined ?? view?.window?.application?.gestures ?? UIApplication.shared.gestures
  }

  // MARK: What it is in

  var isRunning: Bool { actual == .began || actual == .changed }
  var isFinished: Bool { actual == .ended || actual == .cancelled || actual == .failed }
  /// Whether something may still come of the present attempt.
  var isUndecided: Bool { actual == .possible && (!attempt.isEmpty || pending != nil) }
  var hasLiveTouch: Bool { tracked.contains { !$0.isOver } }
  var window: UIWindow? { attempt.first?.window ?? view?.window }

  func sharesTouch(with other: UIGestureRecognizer) -> Bool {
    attempt.contains { other.attempt.contains($0) }
  }

  /// Whether a view must wait for this one before it hears of the touch, or of its end.
  func holds(_ touch: UITouch) -> Bool { actual == .possible && attempt.contains(touch) }

  // MARK: What is under way

  /// Whether a handler, a question or an action of it is under way: its attempt must stay.
  var isBusy: Bool { callCount > 0 }

  /// Does something from which the app's code may run the queue.
  func whileBusy(deciding state: State? = nil, _ body: () -> Void) {
    callCount += 1
    if let state { deciding = state }
    body()
    if state != nil { deciding = nil }
    callCount -= 1
  }

  // MARK: Steps

  func request(_ new: State) {
    switch GestureStateStep(from: actual, to: new) {
    case .nothing: break
    case .illegal: environment.diagnostics.illegalTransitions += 1
    case .fails: fail()
    case .acts where actual == .possible: environment.wish(self, for: new)
    case .acts: enter(new)
    }
  }

  /// Takes a state on and queues its action.
  func enter(_ new: State) {
    actual = new
    reported = nil
    pending = nil
    if isFinished { clearDeadline() }
    environment.activate(self)
    environment.queueAction(self, new)
  }

  func fail() {
    guard actual == .possible else { return }
    actual = .failed
    reported = nil
    pending = nil
    clearDeadline()
    failedSequence = window?.sequence
    environment.activate(self)
  }

  /// Ends the attempt from outside: disabled, removed, or its view has left the window.
  func abandon() {
    if isRunning {
      enter(.cancelled)
    } else if isUndecided {
      fail()
    }
    tracked.removeAll(keepingCapacity: true)
  }

  // MARK: The end

  /// Forgets an attempt of which nothing came, without a reset.
  func dropAttempt() {
    clearDeadline()
    attempt.removeAll(keepingCapacity: true)
    environment.forgetPartners(of: self)
    passingRequirements.removeAll(keepingCapacity: true)
    askedPartners.removeAll(keepingCapacity: true)
    forgetAttempt()
  }

  func finishAttempt() {
    whileBusy { reset() }
    dropAttempt()
    tracked.removeAll(keepingCapacity: true)
    pending = nil
    reported = nil
    actual = .possible
  }
}
