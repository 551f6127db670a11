extension GestureEnvironment {
  /// Brings all recognisers to rest: taps are decided, waits end, actions run.
  func settle(in window: UIWindow?) {
    var isMoving = true
    while isMoving {
      dropHopelessAttempts(in: window)
      settleReady()
      let isFreed = resolvePending()
      let hasActed = runActions()
      isMoving = isFreed || hasActed || !ready.isEmpty
    }
  }

  /// A recogniser whose touches have all ended, and that did nothing, starts anew.
  private func dropHopelessAttempts(in window: UIWindow?) {
    for recognizer in active where recognizer.actual == .possible {
      guard isPart(recognizer, of: window), !recognizer.hasLiveTouch, !recognizer.isBusy,
        !ready.contains(recognizer), !recognizer.awaitsTouches
      else { continue }
      switch recognizer.pending {
      case .began: recognizer.fail()
      case nil where !recognizer.attempt.isEmpty || recognizer.deadline != nil:
        recognizer.dropAttempt()
      default: break
      }
    }
  }

  // MARK: Taps

  /// Notes that a tap is complete; it is decided when all recognisers have seen the event.
  func noteReady(_ recognizer: UIGestureRecognizer) {
    // More taps go before fewer, if they are about the same touch; else the order stays.
    let place = ready.firstIndex {
      $0.tapRank < recognizer.tapRank && $0.sharesTouch(with: recognizer)
    }
    ready.insert(recognizer, at: place ?? ready.count)
  }

  private func settleReady() {
    while let recognizer = ready.first {
      ready.removeFirst()
      if recognizer.actual == .possible { wish(recognizer, for: .ended) }
    }
  }

  /// Decides the taps that stand before a recogniser of another kind and share a touch with it.
  private func settleReady(before recognizer: UIGestureRecognizer) {
    guard !ready.isEmpty, let place = active.firstIndex(of: recognizer) else { return }
    for tap in ready {
      guard let other = active.firstIndex(of: tap), other < place,
        tap.sharesTouch(with: recognizer)
      else { continue }
      ready.removeAll { $0 === tap }
      if tap.actual == .possible { wish(tap, for: .ended) }
    }
  }

  // MARK: Leaving possible

  /// A recogniser wants to begin or to be recognised.
  func wish(_ recognizer: UIGestureRecognizer, for new: UIGestureRecognizer.State) {
    guard recognizer.isEnabled else { return }
    if let pending = recognizer.pending {
      // Its gesture is over before it could begin.
      if pending == .began, new == .ended { recognizer.fail() }
      return
    }
    if let deciding = recognizer.deciding {
      // The same, from a queue that was run while the app was asked whether it may begin.
      if deciding == .began, new == .ended { recognizer.fail() }
      return
    }
    recognizer.whileBusy(deciding: new) { decide(recognizer, for: new) }
  }

  private func decide(_ recognizer: UIGestureRecognizer, for new: UIGestureRecognizer.State) {
    if recognizer.tapRank == 0 { settleReady(before: recognizer) }
    guard recognizer.actual == .possible else { return }
    askForRequirements(of: recognizer)
    guard recognizer.actual == .possible, recognizer.isEnabled else { return }
    switch standing(of: recognizer) {
    case .lost: recognizer.fail()
    case .waiting:
      recognizer.pending = new
      activate(recognizer)
    case .free: admit(recognizer, to: new)
    }
  }

  private func resolvePending() -> Bool {
    var hasMoved = false
    let order = active
    for recognizer in order where recognizer.actual == .possible {
      guard let new = recognizer.pending else { continue }
      switch standing(of: recognizer) {
      case .waiting: continue
      case .lost: recognizer.fail()
      case .free:
        recognizer.pending = nil
        recognizer.whileBusy(deciding: new) { admit(recognizer, to: new) }
      }
      hasMoved = true
    }
    return hasMoved
  }

  private func admit(_ recognizer: UIGestureRecognizer, to new: UIGestureRecognizer.State) {
    activate(recognizer)
    for other in active where other.isRunning && mayBlock(other, recognizer, asker: recognizer) {
      return recognizer.fail()
    }
    guard mayBegin(recognizer) else { return recognizer.fail() }
    guard recognizer.actual == .possible, recognizer.isEnabled else { return }
    // All its touches may have ended while the app was asked: then nothing would end the gesture.
    if new == .began, recognizer.tracked.isEmpty, !recognizer.attempt.isEmpty {
      return recognizer.fail()
    }
    recognizer.willRecognize()
    recognizer.enter(new)
    claimTouches(of: recognizer)
    let order = active
    for other in order where other.isUndecided {
      if mayBlock(recognizer, other, asker: recognizer) || other.requires(recognizer) {
        other.fail()
      }
    }
  }

  func claimTouches(of recognizer: UIGestureRecognizer) {
    guard recognizer.cancelsTouchesInView else { return }
    for touch in recognizer.attempt { touch.isClaimed = true }
  }

  /// Asks the views whose touches would go, and then the delegate.
  private func mayBegin(_ recognizer: UIGestureRecognizer) -> Bool {
    if recognizer.cancelsTouchesInView {
      let touches = recognizer.attempt
      for (index, touch) in touches.enumerated() {
        guard let view = touch.view, !touches[..<index].contains(where: { $0.view === view })
        else { continue }
        if !view.gestureRecognizerShouldBegin(recognizer) { return false }
      }
    }
    return recognizer.delegate?.gestureRecognizerShouldBegin(recognizer) ?? true
  }

  // MARK: Prevention

  /// Whether one keeps the other from recognising; simultaneity is asked only if it would.
  private func mayBlock(
    _ blocker: UIGestureRecognizer, _ other: UIGestureRecognizer, asker: UIGestureRecognizer
  ) -> Bool {
    guard blocker !== other, blocker.sharesTouch(with: other), blocker.canPrevent(other),
      other.canBePrevented(by: blocker)
    else { return false }
    let partner = asker === blocker ? other : blocker
    return !allowsSimultaneity(asker, partner) && !allowsSimultaneity(partner, asker)
  }

  private func allowsSimultaneity(
    _ asked: UIGestureRecognizer, _ other: UIGestureRecognizer
  ) -> Bool {
    asked.delegate?.gestureRecognizer(asked, shouldRecognizeSimultaneouslyWith: other) ?? false
  }

  // MARK: Requirements

  private enum Standing {
    /// All that had to fail has failed.
    case free
    /// Something is still undecided.
    case waiting
    /// Something that had to fail was recognised.
    case lost
  }

  private func standing(of recognizer: UIGestureRecognizer) -> Standing {
    var isWaiting = false
    for list in [recognizer.requirements, recognizer.passingRequirements] {
      for other in list {
        guard other.view != nil, other.isEnabled, !other.attempt.isEmpty,
          other.window === recognizer.window
        else { continue }  // it plays no part and counts as failed
        switch other.actual {
        case .began, .changed, .ended: return .lost
        case .possible:
          if other.failedSequence != other.window?.sequence { isWaiting = true }
        case .cancelled, .failed: break
        }
      }
    }
    return isWaiting ? .waiting : .free
  }

  /// Asks subclasses and delegates of all pairs, once each, who waits for whom.
  private func askForRequirements(of recognizer: UIGestureRecognizer) {
    let order = active
    for other in order where other !== recognizer && !other.isFinished {
      guard !other.attempt.isEmpty, other.window === recognizer.window,
        !recognizer.askedPartners.contains(other)
      else { continue }
      recognizer.askedPartners.append(other)
      other.askedPartners.append(recognizer)
      if wants(recognizer, toWaitFor: other) { addPassing(other, to: recognizer) }
      if wants(other, toWaitFor: recognizer) { addPassing(recognizer, to: other) }
    }
  }

  private func addPassing(_ required: UIGestureRecognizer, to recognizer: UIGestureRecognizer) {
    guard !recognizer.requires(required) else { return }
    guard !required.waits(for: recognizer) else {
      diagnostics.droppedRequirements += 1
      return
    }
    recognizer.passingRequirements.append(required)
  }

  private func wants(
    _ recognizer: UIGestureRecognizer, toWaitFor other: UIGestureRecognizer
  ) -> Bool {
    if recognizer.shouldRequireFailure(of: other) { return true }
    if let delegate = recognizer.delegate,
      delegate.gestureRecognizer(recognizer, shouldRequireFailureOf: other)
    {
      return true
    }
    if other.shouldBeRequiredToFail(by: recognizer) { return true }
    return other.delegate?.gestureRecognizer(other, shouldBeRequiredToFailBy: recognizer) ?? false
  }

  // MARK: Reset

  /// Resets finished recognisers, but not before those that wait for their failure are decided.
  func resetFinished(in window: UIWindow?) {
    var hasReset = true
    while hasReset {
      hasReset = false
      let order = active
      for recognizer in order where recognizer.isFinished && isPart(recognizer, of: window) {
        if recognizer.isBusy { continue }
        let isNeeded = active.contains { $0.isUndecided && $0.requires(recognizer) }
        if isNeeded || hasAction(of: recognizer) { continue }
        recognizer.finishAttempt()
        active.removeAll { $0 === recognizer }
        hasReset = true
      }
    }
    dropIdle()
  }
}

extension UIGestureRecognizer {
  func requires(_ other: UIGestureRecognizer) -> Bool {
    requirements.contains(other) || passingRequirements.contains(other)
  }
}
