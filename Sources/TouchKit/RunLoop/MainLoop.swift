import LinuxIO

/// The run loop of the main thread, with the stages of Core Foundation's.
///
/// One turn: timers that are due, sources of version 0 that were signalled, sleep, then whatever
/// woke the loop. A source of version 1 is a descriptor: its handler receives and, for touches,
/// only queues and signals a source of version 0, which does the work in the next turn.
///
///     entry -> beforeTimers -> beforeSources -> sources 0 -> beforeWaiting -> (sleep)
///                   ^                                            |
///                   +---- timers, sources 1, main queue <- afterWaiting
///
/// A loop may run within one of its own callouts; what is signalled is then served by the inner
/// loop. The main Dispatch queue is not served by a loop that runs inside one of its own blocks.
///
/// An app with another loop does not run this one. It waits for `descriptor` to be readable, among
/// whatever else it waits for, and then calls `dispatchPending`; sources, timers, observers and the
/// main queue are all behind that one descriptor. Where the host serves the main queue itself, as
/// Foundation and Dispatch do, `servesMainQueue` is to be false: `DispatchHost` does all of that.
@MainActor
public final class MainLoop {
  /// The stages that observers hear of.
  public struct Activity: OptionSet, Sendable, Hashable {
    /// The bit, as in `CFRunLoopActivity`.
    public let rawValue: Int
    /// Wraps bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A run of the loop begins.
    public static let entry = Activity(rawValue: 1 << 0)
    /// Timers are about to be looked at.
    public static let beforeTimers = Activity(rawValue: 1 << 1)
    /// Sources of version 0 are about to be looked at.
    public static let beforeSources = Activity(rawValue: 1 << 2)
    /// The loop is about to sleep.
    public static let beforeWaiting = Activity(rawValue: 1 << 5)
    /// The loop has woken up, and nothing has been handled yet.
    public static let afterWaiting = Activity(rawValue: 1 << 6)
    /// A run of the loop ends.
    public static let exit = Activity(rawValue: 1 << 7)
    /// All of them.
    public static let all = Activity(rawValue: 0x0fff_ffff)
  }

  /// The callout that the loop is in, for tests and probes.
  public enum Callout: Equatable, Sendable {
    /// Not in a callout.
    case none
    /// An observer's.
    case observer
    /// A timer's.
    case timer
    /// That of a source of version 0.
    case source0
    /// That of a source of version 1.
    case source1
    /// The main Dispatch queue's.
    case mainQueue
  }

  /// What a registration returns; hand it to `remove`.
  public struct Token: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// The main thread's loop.
  public static let main = MainLoop()

  /// The callout that the loop is in at this moment.
  public private(set) var callout = Callout.none

  /// Hears of each callout but observers' as it begins, for tests and probes.
  public var calloutBegan: ((Callout) -> Void)?

  private struct Observer {
    let token: Token
    let activities: Activity
    let handler: (Activity) -> Void
  }

  private struct Source0 {
    let token: Token
    let handler: () -> Void
    var isSignalled = false
  }

  private struct Source1 {
    let token: Token
    let descriptor: Int32
    let handler: () -> Void
  }

  private struct Timer {
    let token: Token
    var deadline: UInt64
    let interval: UInt64?
    let isKept: Bool
    let handler: (UInt64) -> Void
  }

  private let poller: Poller
  private let deadlineTimer: DeadlineTimer
  private let wakeUpFlag: WakeUpFlag
  private var observers: [Observer] = []
  private var sources0: [Source0] = []
  private var sources1: [Source1] = []
  private var timers: [Timer] = []
  private var nextNumber: UInt64 = 8
  private var stopRequests = 0
  private var depth = 0
  private var isDispatching = false

  // Tokens of what the loop itself waits for; registrations count from 8.
  private static let timerToken: UInt64 = 1
  private static let mainQueueToken: UInt64 = 2
  private static let wakeUpToken: UInt64 = 3

  private init() {
    do throws(SystemError) {
      poller = try Poller()
      deadlineTimer = try DeadlineTimer()
      wakeUpFlag = try WakeUpFlag()
      try poller.add(deadlineTimer.descriptor, token: Self.timerToken)
      // In a program that has handed its main thread to Dispatch the queue has threads of its own.
      servesMainQueue = MainQueue.descriptor != nil
      if let queue = MainQueue.descriptor { try poller.add(queue, token: Self.mainQueueToken) }
      try poller.add(wakeUpFlag.descriptor, token: Self.wakeUpToken)
    } catch {
      fatalError("the main loop needs a few descriptors to start: \(error)")
    }
  }

  private func makeToken() -> Token {
    nextNumber += 1
    return Token(number: nextNumber)
  }

  // MARK: Registering

  /// Calls a handler at stages of the loop, in order of registration.
  public func addObserver(
    _ activities: Activity, handler: @escaping (Activity) -> Void
  ) -> Token {
    let token = makeToken()
    observers.append(Observer(token: token, activities: activities, handler: handler))
    return token
  }

  /// Adds a source of version 0: its handler runs once after each `signal`.
  public func addSource0(handler: @escaping () -> Void) -> Token {
    let token = makeToken()
    sources0.append(Source0(token: token, handler: handler))
    return token
  }

  /// Whether the loop serves the main Dispatch queue; true at first, unless `dispatchMain` does.
  ///
  /// To be set to false where another loop does, for the two would take each other's wake-ups.
  public var servesMainQueue: Bool {
    didSet {
      guard servesMainQueue != oldValue, let queue = MainQueue.descriptor else { return }
      poller.remove(queue)
      // The same was done at the start, so it fails only if the process has got into trouble since.
      if servesMainQueue { try? poller.add(queue, token: Self.mainQueueToken) }
    }
  }

  /// Makes a source of version 0 ready to be handled in the next turn; from the main thread.
  ///
  /// From another thread, call `wakeUp` with a flag of your own set before.
  public func signal(_ source: Token) {
    guard let index = sources0.firstIndex(where: { $0.token == source }) else { return }
    sources0[index].isSignalled = true
    if isAtRest { wakeUpFlag.raise() }
  }

  /// Adds a source of version 1: its handler runs whenever the descriptor is readable.
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
        token: token, deadline: deadline, interval: interval.map { max(1, $0) }, isKept: isKept,
        handler: handler))
    if isAtRest { armTimer() }
    return token
  }

  /// Moves a timer to another time; `UInt64.max` lets it rest.
  public func reschedule(_ timer: Token, at deadline: UInt64) {
    guard let index = timers.firstIndex(where: { $0.token == timer }) else { return }
    timers[index].deadline = deadline
    if isAtRest { armTimer() }
  }

  /// Takes an observer, source or timer out; a callout that is under way still ends.
  public func remove(_ token: Token) {
    observers.removeAll { $0.token == token }
    sources0.removeAll { $0.token == token }
    timers.removeAll { $0.token == token }
    if let index = sources1.firstIndex(where: { $0.token == token }) {
      poller.remove(sources1[index].descriptor)
      sources1.remove(at: index)
    }
  }

  // MARK: Running

  /// Runs until `stop`.
  public func run() { run(until: { false }) }

  /// Runs until a condition holds after a turn, or `stop`; loops may nest.
  public func run(until isDone: () -> Bool) {
    depth += 1
    let outerCallout = callout
    notify(.entry)
    while stopRequests == 0, !isDone() { turn() }
    if stopRequests > 0 { stopRequests -= 1 }
    notify(.exit)
    callout = outerCallout
    depth -= 1
  }

  /// Does what is due without sleeping; for a host loop that waits for `descriptor`.
  ///
  /// One call is one waking up: what has arrived, the timers that are due and the main queue are
  /// handled, then the sources that were signalled, observers in between. If more is to be done after
  /// that the descriptor stays readable.
  public func dispatchPending() {
    let wasDispatching = isDispatching
    isDispatching = true
    notify(.afterWaiting)
    handle(poller.wait(milliseconds: 0))
    notify(.beforeTimers)
    notify(.beforeSources)
    performSources0()
    notify(.beforeWaiting)
    isDispatching = wasDispatching
    armTimer()
    if sources0.contains(where: \.isSignalled) { wakeUpFlag.raise() }
  }

  /// Ends the innermost run after its present turn.
  public func stop() {
    guard depth > 0 else { return }
    stopRequests += 1
    wakeUpFlag.raise()
  }

  /// Wakes the loop from any thread.
  public nonisolated func wakeUp() { wakeUpFlag.raise() }

  /// Becomes readable when `dispatchPending` has work, for use inside another loop; never changes.
  public var descriptor: Int32 { poller.descriptor }

  private func turn() {
    notify(.beforeTimers)
    notify(.beforeSources)
    performSources0()
    // A handler may have signalled again, or asked to stop: then there is no time to sleep.
    if hasWork { return }
    notify(.beforeWaiting)
    if hasWork { return }
    armTimer()
    let ready = poller.wait(milliseconds: -1)
    notify(.afterWaiting)
    handle(ready)
  }

  // Nothing is about to look at timers and signals anyway.
  private var isAtRest: Bool { depth == 0 && !isDispatching }

  private var hasWork: Bool { stopRequests > 0 || sources0.contains(where: \.isSignalled) }

  private func notify(_ activity: Activity) {
    for observer in observers where observer.activities.contains(activity) {
      let outer = callout
      callout = .observer
      observer.handler(activity)
      callout = outer
    }
  }

  private func performSources0() {
    var index = 0
    while index < sources0.count {
      if sources0[index].isSignalled {
        sources0[index].isSignalled = false
        let handler = sources0[index].handler
        within(.source0) { handler() }
      }
      index += 1
    }
  }

  /// Touches first, then timers, then the main queue: a busy queue must not starve touches.
  private func handle(_ ready: Int) {
    var isMainQueueReady = false
    var isTimerReady = false
    // The tokens are taken before any handler runs: a nested loop waits with the same poller.
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { tokens in
      let count = min(ready, tokens.count)
      for index in 0..<count { tokens[index] = poller.token(index) }
      for index in 0..<count {
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
    if isTimerReady {
      deadlineTimer.consume()
      fireTimers(MonotonicClock.now())
    }
    if isMainQueueReady { within(.mainQueue) { MainQueue.drain() } }
  }

  private func fireTimers(_ now: UInt64) {
    let due = timers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
    for timer in due {
      // An earlier one may have removed or moved it.
      guard let index = timers.firstIndex(where: { $0.token == timer.token }),
        timers[index].deadline <= now
      else { continue }
      if let interval = timer.interval {
        let missed = (now - timer.deadline) / interval
        timers[index].deadline = timer.deadline &+ (missed + 1) &* interval
      } else {
        timers[index].deadline = .max
      }
      within(.timer) { timer.handler(now) }
      // Its own handler may have moved it.
      if timer.interval == nil, !timer.isKept {
        timers.removeAll { $0.token == timer.token && $0.deadline == .max }
      }
    }
  }

  private func armTimer() {
    let earliest = timers.lazy.map(\.deadline).min() ?? .max
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
