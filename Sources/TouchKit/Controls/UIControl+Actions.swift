extension UIControl {
  // MARK: Targets

  /// Calls a named method for events; a nil target means the first in the chain that has it.
  ///
  /// The target is not kept. The same pair is called once for an event, however often it is added.
  public final func addTarget<Target: AnyObject>(
    _ target: Target?, action: Selector<Target>, for controlEvents: Event
  ) {
    actions.add(target, action.erased, for: controlEvents)
  }

  /// Calls a method without arguments for events; the same line of source twice is once.
  public final func addTarget<Target: AnyObject>(
    _ target: Target?, action: @escaping @MainActor @Sendable (Target) -> @MainActor () -> Void,
    for controlEvents: Event, file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    let selector = Selector(callSite(file, line, column), action)
    actions.add(target, selector.erased, for: controlEvents)
  }

  /// Calls a method that takes the sender for events; the same line of source twice is once.
  public final func addTarget<Target: AnyObject, Sender: UIControl>(
    _ target: Target?,
    action: @escaping @MainActor @Sendable (Target) -> @MainActor (Sender) -> Void,
    for controlEvents: Event, file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    let selector = Selector(callSite(file, line, column), action)
    actions.add(target, selector.erased, for: controlEvents)
  }

  /// Calls a method that takes sender and event for events; the same line twice is once.
  public final func addTarget<Target: AnyObject, Sender: UIControl>(
    _ target: Target?,
    action: @escaping @MainActor @Sendable (Target) -> @MainActor (Sender, UIEvent?) -> Void,
    for controlEvents: Event, file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    let selector = Selector(callSite(file, line, column), action)
    actions.add(target, selector.erased, for: controlEvents)
  }

  /// Stops calling methods for events; nil stands for any target and for any method.
  ///
  /// An event that is being sent still goes to all that it was meant for when it began.
  public final func removeTarget(
    _ target: AnyObject?, action: AnySelector?, for controlEvents: Event
  ) {
    actions.remove(target, action, for: controlEvents)
  }

  /// Stops calling a named method for events.
  public final func removeTarget<Target: AnyObject>(
    _ target: Target?, action: Selector<Target>, for controlEvents: Event
  ) {
    actions.remove(target, action.erased, for: controlEvents)
  }

  // MARK: Actions

  /// Runs an action for events; it takes the place of one with the same identifier.
  public final func addAction(_ action: UIAction, for controlEvents: Event) {
    actions.add(action, for: controlEvents)
  }

  /// Stops running an action for events.
  public final func removeAction(_ action: UIAction, for controlEvents: Event) {
    actions.removeAction(action.identifier, for: controlEvents)
  }

  /// Stops running the action of an identifier for events.
  public final func removeAction(
    identifiedBy actionIdentifier: UIAction.Identifier, for controlEvents: Event
  ) {
    actions.removeAction(actionIdentifier, for: controlEvents)
  }

  // MARK: Asking

  /// The live targets; entries without a target are left out.
  public final var allTargets: [AnyObject] {
    var targets: [AnyObject] = []
    for entry in actions.entries {
      guard case .method(let target, _) = entry.call, let object = target.object else { continue }
      if !targets.contains(where: { $0 === object }) { targets.append(object) }
    }
    return targets
  }

  /// All events that something is called for.
  public final var allControlEvents: Event { actions.allEvents }

  /// The names of a target's methods for an event; nil if there are none.
  public final func actions(
    forTarget target: AnyObject?, forControlEvent controlEvent: Event
  ) -> [String]? {
    var names: [String] = []
    for entry in actions.entries where !entry.events.isDisjoint(with: controlEvent) {
      guard case .method(let known, let selector) = entry.call, known.isSame(as: target) else {
        continue
      }
      names.append(selector.name)
    }
    return names.isEmpty ? nil : names
  }

  // MARK: Sending

  /// Calls all that was added for events, in the order it was added; works if disabled, too.
  public final func sendActions(for controlEvents: Event) {
    var sending = Sending(entries: actions.entries, events: controlEvents, event: nil)
    while let entry = sending.next() { call(entry, nil) }
  }

  /// Sends what became of a touch, after all that is left of what is being sent already.
  ///
  /// So each that is called hears of a touch's way in order, also if one before it runs the queue.
  func send(_ events: Event, with event: UIEvent?) {
    sendRest()
    sending = Sending(entries: actions.entries, events: events, event: event)
    sendRest()
  }

  private func sendRest() {
    while let entry = sending?.next() { call(entry, sending?.event) }
    sending = nil
  }

  private func call(_ entry: ControlActions.Entry, _ event: UIEvent?) {
    switch entry.call {
    case .method(let target, _) where target.isDead: break
    case .method(let target, let selector): sendAction(selector, to: target.object, for: event)
    case .action(let action): sendAction(action)
    }
  }

  /// Who is called for events, and how far that has come.
  struct Sending {
    // A handler may change the list; the walk is over the list as it was.
    let entries: [ControlActions.Entry]
    let events: Event
    let event: UIEvent?
    private var index = 0

    init(entries: [ControlActions.Entry], events: Event, event: UIEvent?) {
      self.entries = entries
      self.events = events
      self.event = event
    }

    /// The next one that is to be called; nil after the last.
    mutating func next() -> ControlActions.Entry? {
      while index < entries.count {
        index += 1
        if !entries[index - 1].events.isDisjoint(with: events) { return entries[index - 1] }
      }
      return nil
    }
  }
}
