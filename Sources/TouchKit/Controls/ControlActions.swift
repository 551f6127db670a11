/// What a control calls, in the order it was added: targets' methods and actions alike.
@MainActor
struct ControlActions {
  enum Call {
    case method(ActionTarget, AnySelector)
    case action(UIAction)
  }

  struct Entry {
    var call: Call
    var events: UIControl.Event
  }

  private(set) var entries: [Entry] = []

  var allEvents: UIControl.Event {
    entries.reduce(into: []) { $0.formUnion($1.events) }
  }

  // MARK: Methods

  /// Adds a method for the events that it is not called for yet.
  mutating func add(
    _ target: AnyObject?, _ selector: AnySelector, for events: UIControl.Event
  ) {
    entries.removeAll { if case .method(let known, _) = $0.call { known.isDead } else { false } }
    var missing = events
    for entry in entries where entry.isMethod(of: target, selector) {
      missing.subtract(entry.events)
    }
    guard !missing.isEmpty else { return }
    entries.append(Entry(call: .method(ActionTarget(target), selector), events: missing))
  }

  /// Removes methods from events; nil stands for any target and for any method.
  mutating func remove(
    _ target: AnyObject?, _ selector: AnySelector?, for events: UIControl.Event
  ) {
    remove(events) { entry in
      guard case .method(let known, let method) = entry.call else { return false }
      return (target == nil || known.isSame(as: target)) && (selector ?? method) == method
    }
  }

  // MARK: Actions

  /// Adds an action; for events that have one of the same identifier it takes that one's place.
  mutating func add(_ action: UIAction, for events: UIControl.Event) {
    var missing = events
    var index = 0
    while index < entries.count {
      let shared = entries[index].events.intersection(missing)
      if case .action(let known) = entries[index].call, known.identifier == action.identifier,
        !shared.isEmpty
      {
        missing.subtract(shared)
        entries[index].events.subtract(shared)
        let new = Entry(call: .action(action), events: shared)
        if entries[index].events.isEmpty {
          entries[index] = new
        } else {
          entries.insert(new, at: index + 1)
          index += 1
        }
      }
      index += 1
    }
    if !missing.isEmpty { entries.append(Entry(call: .action(action), events: missing)) }
  }

  mutating func removeAction(_ identifier: UIAction.Identifier, for events: UIControl.Event) {
    remove(events) { entry in
      guard case .action(let action) = entry.call else { return false }
      return action.identifier == identifier
    }
  }

  private mutating func remove(_ events: UIControl.Event, where isMeant: (Entry) -> Bool) {
    for index in entries.indices where isMeant(entries[index]) {
      entries[index].events.subtract(events)
    }
    entries.removeAll { $0.events.isEmpty }
  }
}

extension ControlActions.Entry {
  @MainActor
  func isMethod(of target: AnyObject?, _ selector: AnySelector) -> Bool {
    guard case .method(let known, let method) = call else { return false }
    return known.isSame(as: target) && method == selector
  }
}
