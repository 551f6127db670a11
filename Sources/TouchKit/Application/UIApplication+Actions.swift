extension UIApplication {
  /// Calls an action.
  ///
  /// - Parameters:
  ///   - action: the method.
  ///   - target: who has the method; nil looks for one, first from the key window's first responder
  ///     up the chain, then from the sender up.
  ///   - sender: what the method gets as its sender.
  ///   - event: what the method gets as its event; nil if none was the cause.
  /// - Returns: false if nobody takes the action.
  @discardableResult
  public final func sendAction(
    _ action: AnySelector, to target: AnyObject?, from sender: AnyObject?, for event: UIEvent?
  ) -> Bool {
    guard let target = target ?? firstTaker(of: action, from: sender) else { return false }
    guard action.isImplemented(by: target) else { return false }
    let isSent = action.send(to: target, from: sender, for: event)
    if !isSent { diagnostics.refusedActions += 1 }
    return isSent
  }

  /// Calls an action of a known class; see `sendAction(_:to:from:for:)`.
  @discardableResult
  public final func sendAction<Target: AnyObject>(
    _ action: Selector<Target>, to target: Target?, from sender: AnyObject?, for event: UIEvent?
  ) -> Bool {
    sendAction(action.erased, to: target, from: sender, for: event)
  }

  private func firstTaker(of action: AnySelector, from sender: AnyObject?) -> AnyObject? {
    if let taker = keyWindow?.firstResponder?.target(forAction: action, withSender: sender) {
      return taker
    }
    return (sender as? UIResponder)?.target(forAction: action, withSender: sender)
  }
}
