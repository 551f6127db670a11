import LinuxIO

extension MainLoop {
  /// Calls a handler at stages of the loop, in order of registration.
  ///
  /// A run within the handler does not call it again.
  public func addObserver(
    _ activities: Activity, handler: @escaping (Activity) -> Void
  ) -> Token {
    addObserver(activities, mayNest: false, handler: handler)
  }

  func addObserver(
    _ activities: Activity, mayNest: Bool, handler: @escaping (Activity) -> Void
  ) -> Token {
    let token = makeToken()
    observers.append(Observer(token, activities, mayNest: mayNest, handler))
    return token
  }

  /// Adds a source of version 0: its handler runs once after each `signal`.
  public func addSource0(handler: @escaping () -> Void) -> Token {
    let token = makeToken()
    sources0.append(Source0(token, handler))
    return token
  }

  /// Makes a source of version 0 ready to be handled in the next turn; from the main thread.
  ///
  /// From another thread, call `wakeUp` with a flag of your own set before.
  public func signal(_ source: Token) {
    guard let source = sources0.first(where: { $0.token == source }) else { return }
    source.isSignalled = true
    // After sources of version 1 the loop looks by itself; this is the way of each frame. Anywhere
    // else somebody may be about to wait for the descriptor.
    if callout != .source1 { wakeUpFlag.raise() }
  }

  /// Adds a source of version 1: its handler runs whenever the descriptor is readable.
  ///
  /// The handler is to receive and to signal, and leaves what takes time to a source of version 0.
  ///
  /// - Ownership: the descriptor stays the caller's; remove the source before closing it.
  /// - Errors: `SystemError` for a descriptor that cannot be waited for, such as a file's.
  public func addSource1(
    _ descriptor: Int32, handler: @escaping () -> Void
  ) throws(SystemError) -> Token {
    let token = makeToken()
    try poller.add(descriptor, token: token.number)
    sources1.append(Source1(token: token, descriptor: descriptor, handler: handler))
    return token
  }

  /// Calls a handler once at a time, or again after each interval.
  ///
  /// A run within the handler serves other timers, and not this one.
  ///
  /// - Parameters:
  ///   - deadline: when, in nanoseconds of `CLOCK_MONOTONIC`.
  ///   - interval: nanoseconds between calls, above 0; nil for a single call. Calls that the loop
  ///     missed while it was busy are left out.
  ///   - isKept: whether a single call leaves the timer there, at rest until `reschedule`.
  ///   - handler: is called with the present time.
  public func addTimer(
    at deadline: UInt64, every interval: UInt64? = nil, isKept: Bool = false,
    handler: @escaping (UInt64) -> Void
  ) -> Token {
    let token = makeToken()
    timers.append(
      Timer(
        token, at: deadline, every: interval.map { max(1, $0) }, isKept: isKept, pass: timerPasses,
        handler))
    armTimer()
    return token
  }

  /// Moves a timer to another time; `UInt64.max` lets it rest.
  ///
  /// Called from the timer's own handler it tells when the next call is; a single one then stays.
  public func reschedule(_ timer: Token, at deadline: UInt64) {
    guard let timer = timers.first(where: { $0.token == timer }) else { return }
    timer.deadline = deadline
    timer.isMoved = true
    armTimer()
  }

  /// Takes an observer, source or timer out; a callout that is under way still ends.
  public func remove(_ token: Token) {
    if let index = observers.firstIndex(where: { $0.token == token }) {
      observers.remove(at: index).isValid = false
    } else if let index = sources0.firstIndex(where: { $0.token == token }) {
      sources0.remove(at: index).isValid = false
    } else if let index = timers.firstIndex(where: { $0.token == token }) {
      timers.remove(at: index).isValid = false
      armTimer()
    } else if let index = sources1.firstIndex(where: { $0.token == token }) {
      poller.remove(sources1.remove(at: index).descriptor)
    }
  }
}
