import TouchModel

extension UIApplication {
  // MARK: Ignoring

  /// Whether contacts that land now are dropped for their whole life.
  public final var isIgnoringInteractionEvents: Bool { ignoreCount > 0 }

  /// Takes all touches away and drops those that land, until as many calls of the counterpart.
  public final func beginIgnoringInteractionEvents() {
    ignoreCount += 1
    if ignoreCount == 1 { cancelAllTouches() }
  }

  /// Takes back one `beginIgnoringInteractionEvents`; contacts that land from then on count.
  public final func endIgnoringInteractionEvents() { ignoreCount = max(0, ignoreCount - 1) }

  // MARK: Too many fingers

  /// Cancels all touches if a frame brings more contacts than the profile follows.
  func cancelIfTooMany(in entry: EventQueue.Entry) {
    guard let most = gestures.configuration.contactLimit.most, excessContacts.isEmpty else {
      return
    }
    var count = 0
    for touch in event.touches where touch.isLive { count += 1 }
    var downs = 0
    for index in entry.contacts {
      let contact = queue[contact: index]
      if contact.phase == .down, contact.tool != .palm, !isKnown(contact.id) { downs += 1 }
      if contact.phase.isEnd,
        event.touches.contains(where: { $0.contactID == contact.id && $0.isLive })
      {
        count -= 1
      }
    }
    guard downs > 0, count + downs > most else { return }
    prepare()
    event.time = entry.time
    for touch in event.touches where touch.isLive {
      touch.phase = .cancelled
      touch.time = entry.time
      excessContacts.append(touch.contactID)
    }
    // Also where more land at once than are allowed: then these alone are too many.
    for index in entry.contacts where queue[contact: index].phase == .down {
      let id = queue[contact: index].id
      if !isKnown(id) { excessContacts.append(id) }
    }
    deliver(at: entry.time)
  }

  private func isKnown(_ id: UInt64) -> Bool {
    isIgnored(id) || event.touches.contains { $0.contactID == id }
  }
}
