extension GestureEnvironment {
  /// Steps 3 to 5: views lose what was taken, get what was held back, get the event.
  func updateViews(in window: UIWindow?) {
    let pass: UInt64
    if delivery.window == nil {
      viewPass += 1
      pass = viewPass
    } else {
      pass = delivery.pass
      admitNewTouches(in: window)
    }
    cancelClaimed(in: window)
    releaseHeld(in: window, pass: pass)
    if delivery.isOpen(pass) {
      deliverPresent(in: window, pass: pass)
      delivery.close()
    }
  }

  private func isMeant(_ touch: UITouch, _ window: UIWindow?) -> Bool {
    window == nil || touch.window === window
  }

  // MARK: Which contacts a view gets at all

  private func admitNewTouches(in window: UIWindow?) {
    let touches = event.touches
    for (index, touch) in touches.enumerated() where isMeant(touch, window) {
      guard touch.phase == .began, touch.viewProgress == .unasked, !touch.isClaimed else {
        continue
      }
      if touches[..<index].contains(where: { keepsOut($0, touch) }) {
        touch.isRefused = true
        touch.viewProgress = .over
      }
    }
  }

  /// Whether an older contact keeps a view from getting a new one, for the new one's whole life.
  private func keepsOut(_ older: UITouch, _ touch: UITouch) -> Bool {
    guard !older.isOver, !older.isRefused, older.window === touch.window,
      let view = touch.view, let other = older.view
    else { return false }
    if view === other { return !view.isMultipleTouchEnabled }
    guard older.viewProgress != .over, !older.isClaimed else { return false }
    return view.isExclusiveTouch || other.isExclusiveTouch
  }

  // MARK: Step 3

  private func cancelClaimed(in window: UIWindow?) {
    let waiting = held
    for touch in waiting where touch.isClaimed && isMeant(touch, window) {
      held.removeAll { $0 === touch }
      // A touch held back is dealt with by itself; those of the event below, by view.
      if touch.isGone || touch.viewProgress != .begun {
        cancelInView([touch], with: touch.view)
      }
      if touch.isGone { touch.receivers.removeAll() }
    }
    cancelPresent { $0.isClaimed && self.isMeant($0, window) }
  }

  /// Cancels touches of the event in their views, one call a view.
  private func cancelPresent(where isMeant: (UITouch) -> Bool) {
    let touches = event.touches
    for touch in touches where touch.viewProgress != .over && isMeant(touch) {
      let view = touch.view
      let group = touches.filter { $0.viewProgress != .over && $0.view === view && isMeant($0) }
      cancelInView(group, with: view)
    }
  }

  /// Ends touches for their view: by `touchesCancelled` if it had got them.
  private func cancelInView(_ touches: [UITouch], with view: UIView?) {
    let told = touches.filter { $0.viewProgress == .begun }
    for touch in touches { touch.viewProgress = .over }
    guard let view, !told.isEmpty else { return }
    for touch in told {
      disguise(touch)
      touch.phase = .cancelled
    }
    view.receive(.cancelled, Set(told), event)
    // Recognisers that still track them see what the contacts really do.
    for touch in told.reversed() { reveal(touch) }
  }

  /// Cancels touches in views that leave their window, at once.
  func cancelViews(where isMeant: (UITouch) -> Bool) {
    var touches = held.filter { isMeant($0) }
    held.removeAll { isMeant($0) }
    for touch in event.touches where !touches.contains(touch) && isMeant(touch) {
      touches.append(touch)
    }
    for touch in touches {
      guard let view = touch.view else { continue }
      let group = touches.filter { $0.view === view }
      cancelInView(group, with: view)
      for member in group { member.view = nil }
    }
  }

  // MARK: Step 4

  private func isBeganHeld(_ touch: UITouch) -> Bool {
    for recognizer in touch.receivers where recognizer.delaysTouchesBegan {
      if recognizer.holds(touch) { return true }
    }
    return false
  }

  private func isEndHeld(_ touch: UITouch) -> Bool {
    for recognizer in touch.receivers where recognizer.delaysTouchesEnded {
      if recognizer.holds(touch) { return true }
    }
    return false
  }

  private func releaseHeld(in window: UIWindow?, pass: UInt64) {
    guard !held.isEmpty else { return }
    let waiting = held
    for touch in waiting where isMeant(touch, window) && held.contains(touch) {
      release(touch, pass: pass)
    }
  }

  private func release(_ touch: UITouch, pass: UInt64) {
    // A contact that is taken away before its view heard of it has never been.
    if touch.phase == .cancelled { return }
    if touch.viewProgress == .withheld {
      if isBeganHeld(touch) { return }
      touch.viewPass = pass
      tellOfBegan(touch)
    }
    tellOfMove(touch)
    guard touch.viewProgress == .begun else { return drop(touch) }
    if !touch.isOver { return drop(touch) }
    if isEndHeld(touch) { return }
    drop(touch)
    touch.viewProgress = .over
    touch.viewPass = pass
    touch.view?.receive(.ended, [touch], event)
  }

  private func drop(_ touch: UITouch) {
    held.removeAll { $0 === touch }
    if touch.isGone { touch.receivers.removeAll() }
  }

  /// Tells a view late that a touch began, then and there, and where it is now.
  private func tellOfBegan(_ touch: UITouch) {
    guard let view = touch.view else { return }
    touch.viewProgress = .begun
    touch.owesMove = touch.place != touch.beganPlace
    disguise(touch)
    touch.phase = .began
    touch.time = touch.beganTime
    touch.place = touch.beganPlace
    touch.previousPlace = touch.beganPlace
    view.receive(.began, [touch], event)
    reveal(touch)
  }

  /// Tells a view that was told late of a touch how far it has moved since.
  private func tellOfMove(_ touch: UITouch) {
    guard touch.owesMove else { return }
    touch.owesMove = false
    guard touch.viewProgress == .begun, let view = touch.view else { return }
    disguise(touch)
    touch.phase = .moved
    touch.previousPlace = touch.beganPlace
    view.receive(.moved, [touch], event)
    reveal(touch)
  }

  // MARK: Step 5

  private func deliverPresent(in window: UIWindow?, pass: UInt64) {
    let touches = event.touches
    for touch in touches where isMeant(touch, window) {
      guard touch.viewPass != pass, touch.phase != .stationary,
        touch.viewProgress != .over,
        let view = touch.view
      else { continue }
      holdBack(in: view, pass: pass)
      if let set = take(.unasked, .began, in: view, pass, leaving: .begun) {
        view.receive(.began, set, event)
      }
      if let set = take(.begun, .moved, in: view, pass, leaving: .begun) {
        view.receive(.moved, set, event)
      }
      if let set = take(.begun, .ended, in: view, pass, leaving: .over) {
        view.receive(.ended, set, event)
      }
      if let set = take(.begun, .cancelled, in: view, pass, leaving: .over) {
        view.receive(.cancelled, set, event)
      }
    }
  }

  /// Keeps what undecided recognisers want kept, before the view gets the rest.
  private func holdBack(in view: UIView, pass: UInt64) {
    for touch in event.touches where touch.view === view && touch.viewPass != pass {
      switch (touch.viewProgress, touch.phase) {
      case (.unasked, .began) where isBeganHeld(touch):
        touch.viewProgress = .withheld
        touch.viewPass = pass
        held.append(touch)
      case (.begun, .ended) where isEndHeld(touch):
        touch.viewPass = pass
        held.append(touch)
      case (.withheld, .cancelled):
        touch.viewProgress = .over
        drop(touch)
      default: break
      }
    }
  }

  /// The touches of a view in a phase, each taken once in a pass.
  private func take(
    _ progress: UITouch.ViewProgress, _ phase: UITouch.Phase, in view: UIView, _ pass: UInt64,
    leaving next: UITouch.ViewProgress
  ) -> Set<UITouch>? {
    guard delivery.isOpen(pass) else { return nil }
    let set = event.touchSet {
      $0.view === view && $0.phase == phase && $0.viewProgress == progress && $0.viewPass != pass
    }
    guard let set else { return nil }
    for touch in set {
      touch.viewProgress = next
      touch.viewPass = pass
    }
    return set
  }
}
