import LinuxIO

// The stages of one turn. Each walks over what was registered when it began, and asks each member at
// its turn whether it is still there: any callout may add, remove, or run the loop itself.
extension MainLoop {
  var hasSignal: Bool { sources0.contains(where: \.isSignalled) }

  /// Waits for descriptors.
  func look(milliseconds: Int32) -> Int {
    looks &+= 1
    return poller.wait(milliseconds: milliseconds)
  }

  /// Leaves it to the descriptor to tell of what is still to be done.
  func handOver() {
    armTimer()
    if hasSignal { wakeUpFlag.raise() }
  }

  func notify(_ activity: Activity) {
    let pass = observers
    for observer in pass where observer.activities.contains(activity) && observer.isValid {
      let wasFiring = observer.isFiring
      guard !wasFiring || observer.mayNest else { continue }
      let outer = callout
      callout = .observer
      observer.isFiring = true
      observer.handler(activity)
      observer.isFiring = wasFiring
      callout = outer
    }
  }

  func performSources0() {
    let pass = sources0
    for source in pass where source.isSignalled && source.isValid {
      source.isSignalled = false
      within(.source0) { source.handler() }
    }
  }

  /// Touches first, then timers, then the main queue: a busy queue must not starve touches.
  func handle(_ ready: Int) {
    let look = looks
    var isMainQueueReady = false
    var isTimerReady = false
    // The tokens are taken before any handler runs: a nested loop waits with the same poller.
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { tokens in
      let count = min(ready, tokens.count)
      for index in 0..<count { tokens[index] = poller.token(index) }
      // Once a handler has run the loop the rest is out of date; what is still so comes up again.
      for index in 0..<count where look == looks {
        switch tokens[index] {
        case Self.timerToken: isTimerReady = true
        case Self.mainQueueToken: isMainQueueReady = true
        case Self.wakeUpToken: wakeUpFlag.lower()
        case let number:
          guard let source = sources1.first(where: { $0.token.number == number }) else { continue }
          within(.source1) { source.handler() }
        }
      }
    }
    if isTimerReady, look == looks {
      deadlineTimer.consume()
      fireTimers(MonotonicClock.now())
    }
    if isMainQueueReady, look == looks { within(.mainQueue) { MainQueue.drain() } }
  }

  // MARK: Timers

  private func fireTimers(_ now: UInt64) {
    timerPasses += 1
    let pass = timerPasses
    while let timer = firstDue(now, in: pass) { fire(timer, now, in: pass) }
    armTimer()
  }

  // Each once in a pass, also if its handler sets it to a time that has passed.
  private func firstDue(_ now: UInt64, in pass: UInt64) -> Timer? {
    var first: Timer?
    for timer in timers where timer.deadline <= now && !timer.isFiring && timer.pass < pass {
      if let known = first, known.deadline <= timer.deadline { continue }
      first = timer
    }
    return first
  }

  private func fire(_ timer: Timer, _ now: UInt64, in pass: UInt64) {
    timer.pass = pass
    timer.isFiring = true
    timer.isMoved = false
    // The others go on, should the handler run a loop.
    armTimer()
    within(.timer) { timer.handler(now) }
    timer.isFiring = false
    guard timer.isValid, !timer.isMoved else { return }
    if let interval = timer.interval {
      timer.deadline = Self.next(after: MonotonicClock.now(), from: timer.deadline, interval)
    } else if timer.isKept {
      timer.deadline = .max
    } else {
      remove(timer.token)
    }
  }

  /// The first time on a grid that is still to come.
  private static func next(after now: UInt64, from start: UInt64, _ interval: UInt64) -> UInt64 {
    let steps = (now > start ? now - start : 0) / interval + 1
    let (distance, isFar) = steps.multipliedReportingOverflow(by: interval)
    let (time, isFarther) = start.addingReportingOverflow(distance)
    return isFar || isFarther ? .max : time
  }

  func armTimer() {
    var earliest = UInt64.max
    for timer in timers where !timer.isFiring { earliest = min(earliest, timer.deadline) }
    deadlineTimer.set(earliest == .max ? nil : earliest)
  }

  private func within(_ inner: Callout, _ body: () -> Void) {
    let outer = callout
    callout = inner
    calloutBegan?(inner)
    body()
    callout = outer
  }
}
