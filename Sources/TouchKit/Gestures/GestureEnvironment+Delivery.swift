extension GestureEnvironment {
  /// Hands an event's touches in a window to recognisers and views, in the fixed order.
  func deliver(_ event: UIEvent, in window: UIWindow) {
    guard event === self.event, window.deliveredEvent != event.serial, !isRouting else { return }
    // A handler may hand the event to another window.
    completeDelivery()
    window.deliveredEvent = event.serial
    isRouting = true
    receive(event, in: window)
    isRouting = false
    viewPass += 1
    delivery.open(in: window, order: active, pass: viewPass)
    callRecognizers()
    finish(in: window)
  }

  /// Finishes the delivery that a handler is part of.
  func completeDelivery() {
    guard let window = delivery.window else { return }
    revealAll()
    callRecognizers()
    finish(in: window)
  }

  // MARK: Who sees a touch

  private func receive(_ event: UIEvent, in window: UIWindow) {
    let touches = event.touches
    for touch in touches where touch.phase == .began && touch.window === window {
      var view = touch.view
      while let present = view {
        for recognizer in present.recognizers { offer(touch, of: event, to: recognizer) }
        view = present.superview
      }
    }
  }

  private func offer(_ touch: UITouch, of event: UIEvent, to recognizer: UIGestureRecognizer) {
    guard recognizer.isEnabled, recognizer.pending == nil, !recognizer.isFinished,
      recognizer.deciding == nil, !ready.contains(recognizer),
      recognizer.allowedTouchTypes.contains(touch.type)
    else { return }
    if let first = recognizer.attempt.first {
      guard first.window === touch.window else { return }
      guard !recognizer.requiresExclusiveTouchType || first.type == touch.type else { return }
    }
    guard welcomes(recognizer, event),
      recognizer.delegate?.gestureRecognizer(recognizer, shouldReceive: touch) ?? true,
      recognizer.isEnabled
    else { return }
    // What was asked may have taken the view or the whole window out of sight.
    guard !touch.isGone, recognizer.view?.window === touch.window else { return }
    recognizer.tracked.append(touch)
    recognizer.attempt.append(touch)
    touch.receivers.append(recognizer)
    activate(recognizer)
  }

  private func welcomes(_ recognizer: UIGestureRecognizer, _ event: UIEvent) -> Bool {
    if recognizer.askedEvent != event.serial {
      recognizer.askedEvent = event.serial
      recognizer.isEventWelcome =
        recognizer.shouldReceive(event)
        && recognizer.delegate?.gestureRecognizer(recognizer, shouldReceive: event) ?? true
    }
    return recognizer.isEventWelcome
  }

  // MARK: Touch callbacks

  private func callRecognizers() {
    while let window = delivery.window, let recognizer = delivery.recognizer {
      let takesPart = !recognizer.tracked.isEmpty && isPart(recognizer, of: window)
      if takesPart, let phase = delivery.nextPhase() {
        recognizer.whileBusy { call(recognizer, phase, of: event) }
        continue
      }
      // Touches that join a running gesture are taken from their views like its first ones.
      if takesPart, recognizer.isRunning { claimTouches(of: recognizer) }
      delivery.nextRecognizer()
    }
  }

  private func call(
    _ recognizer: UIGestureRecognizer, _ phase: UITouch.Phase, of event: UIEvent
  ) {
    guard recognizer.actual == .possible || recognizer.isRunning else { return }
    let tracked = recognizer.tracked
    let set = event.touchSet { $0.phase == phase && tracked.contains($0) }
    guard let set else { return }
    switch phase {
    case .began: recognizer.touchesBegan(set, with: event)
    case .moved: recognizer.touchesMoved(set, with: event)
    case .ended: recognizer.touchesEnded(set, with: event)
    case .cancelled: recognizer.touchesCancelled(set, with: event)
    case .stationary: break
    }
  }

  // MARK: Touches that go

  /// Lets a finished touch go from its recognisers.
  func retire(_ touch: UITouch) {
    // An override of sendEvent may have kept the end from the recognisers: they would wait for it.
    let isUnheard = touch.window.map { $0.deliveredEvent != event.serial } ?? false
    touch.isGone = true
    for recognizer in touch.receivers {
      recognizer.tracked.removeAll { $0 === touch }
      if isUnheard, recognizer.tracked.isEmpty, recognizer.attempt.contains(touch) {
        recognizer.abandon()
      }
    }
    if !held.contains(touch) {
      touch.receivers.removeAll()
      touch.viewProgress = .over
    }
  }

  /// A view is about to leave its window: it loses its touches, its recognisers give up.
  func viewWillLeave(_ view: UIView, _ window: UIWindow) {
    cancelViews { $0.view?.isDescendant(of: view) == true }
    abandonRecognizers { $0.view?.isDescendant(of: view) == true }
  }

  /// A window is about to go out of sight, with all its touches.
  func windowWillLeave(_ window: UIWindow) {
    let touches = event.touches
    for touch in touches where touch.window === window && touch.isLive { touch.isGone = true }
    cancelViews { $0.window === window }
    abandonRecognizers { $0.window === window }
  }

  private func abandonRecognizers(where isMeant: (UIGestureRecognizer) -> Bool) {
    let order = active
    for recognizer in order where isMeant(recognizer) { recognizer.abandon() }
  }

  /// Fails the recognisers that wait without touches, and cancels what is held back.
  func interruptWaiting(where isMeant: (UIView) -> Bool = { _ in true }) {
    for touch in held where touch.isGone && touch.view.map(isMeant) ?? true {
      touch.isClaimed = true
    }
    let order = active
    for recognizer in order where recognizer.isUndecided && recognizer.tracked.isEmpty {
      if recognizer.view.map(isMeant) ?? true { recognizer.fail() }
    }
  }
}
