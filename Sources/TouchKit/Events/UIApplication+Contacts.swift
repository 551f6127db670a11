import TouchModel

extension UIApplication {
  // MARK: Frames into touches

  func take(_ entry: EventQueue.Entry) {
    queue.removeFirst()
    frameCount += 1
    event.time = entry.time
    for index in entry.contacts { take(queue[contact: index], of: entry) }
  }

  // The words change here: down, motion, still, up, cancel become UIKit's phases.
  private func take(_ contact: Contact, of entry: EventQueue.Entry) {
    highestContactID = max(highestContactID, contact.id)
    let touch = liveTouch(contact.id)
    switch contact.phase {
    case .down:
      if excessContacts.contains(contact.id) { return }
      guard touch == nil, !isIgnored(contact.id) else { return refuse() }
      begin(contact, of: entry)
    case .motion, .still:
      guard let touch else { return moveWithoutTouch(contact, of: entry) }
      guard touch.frame != frameCount, contact.position.isFinite else { return refuse() }
      move(touch, with: contact, at: entry.time)
    case .up, .cancel:
      guard let touch else { return endWithoutTouch(contact.id) }
      guard touch.frame != frameCount else { return refuse() }
      end(touch, with: contact, at: entry.time)
    // The daemon tells observers alone of what does not touch.
    case .hover: refuse()
    }
  }

  private func liveTouch(_ id: UInt64) -> UITouch? {
    for touch in event.touches where touch.contactID == id && touch.isLive { return touch }
    return nil
  }

  func isIgnored(_ id: UInt64) -> Bool {
    ignoredContacts.contains(id) || restingContacts.contains(id) || excessContacts.contains(id)
  }

  private func refuse() { diagnostics.unlawfulContacts += 1 }

  private func begin(_ contact: Contact, of entry: EventQueue.Entry) {
    guard contact.position.isFinite else {
      refuse()
      return ignore(contact.id)
    }
    if contact.tool == .palm { return restingContacts.append(contact.id) }
    if !excessContacts.isEmpty { return excessContacts.append(contact.id) }
    if isIgnoringInteractionEvents { return ignore(contact.id) }
    let touch = UITouch(
      contact, device: entry.device, time: entry.time, defaultRadius: configuration.defaultRadius)
    guard let (view, window) = landing(at: touch.place) else { return ignore(contact.id) }
    touch.view = view
    touch.window = window
    touch.frame = frameCount
    touch.tapCount = taps.count(for: touch, by: configuration)
    if !event.hasLiveTouch(in: window) { window.sequence += 1 }
    event.add(touch)
    event.note(touch, from: touch.place)
  }

  /// The view under a point of the screen, by the front-most window that has one there.
  private func landing(at place: CGPoint) -> (UIView, UIWindow)? {
    for window in windows.reversed() where window.takesTouches && window.isInFront {
      guard !window.isTransformed || window.transform.isInvertible else { continue }
      guard let view = window.hit(at: window.fromScreen(place), with: event) else { continue }
      let home = view.window ?? window
      // The test itself may have hidden it.
      if !home.isHidden { return (view, home) }
    }
    return nil
  }

  private func move(_ touch: UITouch, with contact: Contact, at time: UInt64) {
    touch.frame = frameCount
    let place = CGPoint(contact.position)
    let isPressedAnew = configuration.reportsForceChanges && contact.pressure != touch.pressure
    touch.take(contact)
    // Resampling may have moved it elsewhere, or to the very place.
    if place != touch.measured.last.place || touch.isAhead { touch.measure(place, at: time) }
    guard place != touch.place || isPressedAnew else { return }
    shift(touch, to: place, at: time)
    touch.phase = .moved
  }

  private func end(_ touch: UITouch, with contact: Contact, at time: UInt64) {
    touch.frame = frameCount
    let place = contact.position.isFinite ? CGPoint(contact.position) : touch.place
    if !contact.position.isFinite { refuse() }
    touch.measure(place, at: time)
    shift(touch, to: place, at: time)
    touch.phase = contact.phase == .up ? .ended : .cancelled
  }

  func shift(_ touch: UITouch, to place: CGPoint, at time: UInt64) {
    let old = touch.place
    touch.place = place
    touch.time = time
    event.note(touch, from: old)
    touch.farthest = max(touch.farthest, touch.location(in: nil).distance(to: touch.startInWindow))
    if touch.farthest > configuration.tapMovement { touch.tapCount = 0 }
  }

  private func moveWithoutTouch(_ contact: Contact, of entry: EventQueue.Entry) {
    if let index = restingContacts.firstIndex(of: contact.id) {
      guard contact.tool != .palm else { return }
      restingContacts.remove(at: index)
      begin(contact, of: entry)
    } else if !ignoredContacts.contains(contact.id), !excessContacts.contains(contact.id) {
      refuse()
    }
  }

  private func endWithoutTouch(_ id: UInt64) {
    if let index = ignoredContacts.firstIndex(of: id) {
      ignoredContacts.remove(at: index)
    } else if let index = restingContacts.firstIndex(of: id) {
      restingContacts.remove(at: index)
    } else if let index = excessContacts.firstIndex(of: id) {
      excessContacts.remove(at: index)
    } else {
      refuse()
    }
  }

  // 64: more than the fingers of one frame. A lost connection leaves contacts whose end never
  // comes; the oldest of them give way.
  private static var mostIgnoredContacts: Int { 64 }

  func ignore(_ id: UInt64) {
    if ignoredContacts.count >= Self.mostIgnoredContacts { ignoredContacts.removeFirst() }
    ignoredContacts.append(id)
  }

  // MARK: Cancelling

  /// Cancels the touch whose slot a new contact takes although it never ended.
  func cancelIfOusted(by contact: Contact, of entry: EventQueue.Entry) {
    guard contact.phase == .down, liveTouch(contact.id) == nil else { return }
    for touch in event.touches {
      guard touch.slot == contact.slot, touch.device == entry.device, touch.isLive else {
        continue
      }
      let endsHere = entry.contacts.contains {
        queue[contact: $0].id == touch.contactID && queue[contact: $0].phase.isEnd
      }
      if endsHere { continue }
      refuse()
      prepare()
      touch.phase = .cancelled
      touch.time = entry.time
      event.time = entry.time
      ignore(touch.contactID)
      deliver(at: entry.time)
      return
    }
  }

  func cancelLiveTouches() {
    taps.removeAll()
    gestures.interruptWaiting()
    cancelTouches { _ in true }
  }

  /// Cancels touches: recognisers first, then views, once.
  func cancelTouches(where isMeant: (UITouch) -> Bool) {
    prepare()
    event.time = max(clock?() ?? 0, event.time, gestures.now)
    for touch in event.touches where touch.isLive && isMeant(touch) {
      ignore(touch.contactID)
      touch.phase = .cancelled
      touch.time = event.time
    }
    deliver(at: event.time)
    gestures.finish(in: nil)
  }

  /// Cancels the touches of a window that goes out of sight, at once.
  func abandonTouches(in window: UIWindow) {
    for touch in event.touches where touch.window === window && touch.isLive {
      ignore(touch.contactID)
    }
    gestures.windowWillLeave(window)
    // Not by window: a handler may have shown it again, and new touches may have landed in it.
    event.touches.removeAll { $0.isGone && !$0.isOver }
    event.forgetSets()
  }
}

extension UITouch {
  /// Takes over what a measurement says beside the place.
  fileprivate func take(_ contact: Contact) {
    pressure = contact.pressure
    if pressure > 0 { isPressed = true }
    guard contact.major > 0 else { return }
    majorRadius = CGFloat(contact.major) / 2
    majorRadiusTolerance = 0
  }

  /// Remembers a measurement, and the one before.
  fileprivate func measure(_ place: CGPoint, at time: UInt64) {
    measured = (Measurement(time: time, place: place), measured.last)
    isAhead = false
  }
}

extension Point {
  fileprivate var isFinite: Bool { x.isFinite && y.isFinite }
}
