/// An object that may handle touches and actions, or pass them on to its `next`.
///
///     button -> superviews -> view controller -> ... -> window -> application -> its delegate
@MainActor
open class UIResponder {
  /// Creates a responder without a next one.
  public init() {}

  /// Who is asked after this responder; nil ends the chain.
  open var next: UIResponder? { nil }

  // MARK: Touches

  /// Handles contacts that began; passes them on unless overridden.
  open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
    next?.receive(.began, touches, event)
  }

  /// Handles contacts that moved; passes them on unless overridden.
  open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
    next?.receive(.moved, touches, event)
  }

  /// Handles contacts that were lifted; passes them on unless overridden.
  open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
    next?.receive(.ended, touches, event)
  }

  /// Handles contacts that were taken away and must have no effect; passes them on unless overridden.
  open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
    next?.receive(.cancelled, touches, event)
  }

  /// Calls the method of a phase, and lets the event's probe see it.
  func receive(_ phase: UITouch.Phase, _ touches: Set<UITouch>, _ event: UIEvent?) {
    if let probe = event?.probe { probe.touches(touches, phase, self) }
    switch phase {
    case .began: touchesBegan(touches, with: event)
    case .moved: touchesMoved(touches, with: event)
    case .ended: touchesEnded(touches, with: event)
    case .cancelled: touchesCancelled(touches, with: event)
    case .stationary: break
    }
  }

  // MARK: First responder

  /// The window whose first responder this one can be; nil outside of any window.
  var responderWindow: UIWindow? { nil }

  /// Whether the responder may become first responder; false unless overridden.
  open var canBecomeFirstResponder: Bool { false }
  /// Whether the responder may stop being first responder; true unless overridden.
  open var canResignFirstResponder: Bool { true }

  /// Whether actions without a target start here while the window is key.
  open var isFirstResponder: Bool { responderWindow?.firstResponder === self }

  /// Asks to be the window's first responder.
  ///
  /// Who is asked and told meanwhile may change anything; one that is made first responder by the
  /// end of the present one stays.
  ///
  /// - Returns: whether it is first responder now; it may not be allowed to, be in no window, or the
  ///   present one does not resign.
  @discardableResult
  open func becomeFirstResponder() -> Bool {
    if isFirst { return true }
    guard canBecomeFirstResponder, let window = responderWindow else { return false }
    if let present = window.firstResponder, present !== self {
      guard present.resignFirstResponder() else { return false }
      // Asked first: the answer's side effects count as well.
      guard canBecomeFirstResponder, window.firstResponder == nil, responderWindow === window else {
        return isFirst
      }
    }
    if isFirst { return true }
    window.firstResponder = self
    didBecomeFirstResponder()
    return isFirst
  }

  /// Stops being first responder.
  ///
  /// - Returns: false if the responder refuses.
  @discardableResult
  open func resignFirstResponder() -> Bool {
    guard isFirst else { return true }
    guard canResignFirstResponder else { return false }
    // Who was asked may have done it already.
    guard isFirst else { return true }
    responderWindow?.firstResponder = nil
    didLoseFirstResponder()
    return true
  }

  private var isFirst: Bool { responderWindow?.firstResponder === self }

  /// Tells that the responder has become first.
  func didBecomeFirstResponder() {}

  /// Tells that the responder is no longer first, whether it agreed or was made to.
  func didLoseFirstResponder() {}

  // MARK: Actions

  /// Tells whether the responder takes an action; by default if it has the method.
  open func canPerformAction(_ action: AnySelector, withSender sender: AnyObject?) -> Bool {
    action.isImplemented(by: self)
  }

  /// The first responder from here up the chain that takes an action.
  open func target(forAction action: AnySelector, withSender sender: AnyObject?) -> AnyObject? {
    var candidate: UIResponder? = self
    while let responder = candidate {
      if responder.canPerformAction(action, withSender: sender) { return responder }
      candidate = responder.next
    }
    return nil
  }
}

extension UIResponder: Hashable {
  /// Tells whether both are the same object.
  public nonisolated static func == (left: UIResponder, right: UIResponder) -> Bool {
    left === right
  }

  /// Feeds the object's identity.
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
