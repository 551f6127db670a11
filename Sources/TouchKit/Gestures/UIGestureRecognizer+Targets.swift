extension UIGestureRecognizer {
  // MARK: Adding

  /// Adds a named method to those that are called for each action; twice is once.
  public final func addTarget<Target: AnyObject>(_ target: Target?, action: Selector<Target>) {
    add(target, action.erased)
  }

  /// Adds a method without arguments; the same line of source twice is once.
  public final func addTarget<Target: AnyObject>(
    _ target: Target?, action: @escaping @MainActor @Sendable (Target) -> @MainActor () -> Void,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, Selector(callSite(file, line, column), action).erased)
  }

  /// Adds a method that takes the recogniser; the same line of source twice is once.
  public final func addTarget<Target: AnyObject, Sender: UIGestureRecognizer>(
    _ target: Target?,
    action: @escaping @MainActor @Sendable (Target) -> @MainActor (Sender) -> Void,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    add(target, Selector(callSite(file, line, column), action).erased)
  }

  private func add(_ target: AnyObject?, _ action: AnySelector) {
    guard let target else { return }
    targets.removeAll { $0.target.isDead }
    let isKnown = targets.contains { $0.target.isSame(as: target) && $0.action == action }
    if !isKnown { targets.append((ActionTarget(target), action)) }
  }

  // MARK: Removing

  /// Removes a target's method; nil stands for any target and for any method.
  public final func removeTarget(_ target: AnyObject?, action: AnySelector?) {
    targets.removeAll { entry in
      (target == nil || entry.target.isSame(as: target))
        && (action == nil || entry.action == action)
    }
  }

  /// Removes a target's named method.
  public final func removeTarget<Target: AnyObject>(_ target: Target?, action: Selector<Target>) {
    removeTarget(target, action: action.erased)
  }

  // MARK: Sending

  /// Calls all targets while `state` shows the state that is reported.
  func sendAction(for state: State) {
    whileBusy {
      for (target, action) in targets {
        guard let object = target.object else { continue }
        reported = state
        if !action.send(to: object, from: self, for: nil) {
          environment.diagnostics.refusedActions += 1
        }
      }
      reported = nil
    }
  }
}
