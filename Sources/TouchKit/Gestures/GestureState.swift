extension UIGestureRecognizer {
  /// How far a gesture has come.
  ///
  ///                  +-> failed
  ///     possible ----+-> ended                                  discrete: one action, at the end
  ///                  +-> began -> changed* -> ended|cancelled   continuous: an action each
  ///
  /// Back to possible leads only the reset that follows ended, cancelled and failed.
  public enum State: Int, Sendable, CaseIterable {
    /// Nothing is decided.
    case possible = 0
    /// A continuous gesture has begun.
    case began = 1
    /// A continuous gesture goes on.
    case changed = 2
    /// The gesture is complete.
    case ended = 3
    /// A gesture that had begun was taken away.
    case cancelled = 4
    /// This is not the gesture.
    case failed = 5

    /// What `ended` is called for a discrete gesture.
    public static var recognized: State { .ended }
  }
}

/// What setting a state means, given the present one.
enum GestureStateStep {
  /// Nothing changes.
  case nothing
  /// The state changes and the action is sent.
  case acts
  /// The recogniser fails, without an action.
  case fails
  /// There is no such step: it is ignored and counted.
  case illegal

  init(from old: UIGestureRecognizer.State, to new: UIGestureRecognizer.State) {
    switch (old, new) {
    case (.began, .began): self = .illegal
    // Each change is an action of its own.
    case (.changed, .changed): self = .acts
    case _ where old == new: self = .nothing
    case (.possible, .began), (.possible, .ended): self = .acts
    // A gesture that never began cannot be cancelled: it fails.
    case (.possible, .cancelled), (.possible, .failed): self = .fails
    case (.began, .changed), (.began, .ended), (.began, .cancelled): self = .acts
    case (.changed, .ended), (.changed, .cancelled): self = .acts
    default: self = .illegal
    }
  }
}
