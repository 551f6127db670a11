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
/// loop. A timer or an observer is not called again before its own call has returned. The main
/// Dispatch queue is not served by a loop that runs inside one of its own blocks.
///
/// What a callout adds is called from the next turn on, what it removes is not called any more.
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
    let number: UInt64
  }

  /// The main thread's loop; all that another thread may do with it is `wakeUp`.
  public nonisolated static let main = MainLoop()

  /// The callout that the loop is in at this moment.
  public internal(set) var callout = Callout.none

  /// Hears of each callout but observers' as it begins, for tests and probes.
  public var calloutBegan: ((Callout) -> Void)?

  // Made by whichever thread speaks of the loop first, used by the main actor alone.
  nonisolated(unsafe) let poller: Poller
  nonisolated(unsafe) let deadlineTimer: DeadlineTimer
  let wakeUpFlag: WakeUpFlag
  var observers: [Observer] = []
  var sources0: [Source0] = []
  var sources1: [Source1] = []
  var timers: [Timer] = []
  /// How often descriptors were looked at: what was found before the last time is out of date.
  var looks: UInt64 = 0
  /// How often timers were looked at.
  var timerPasses: UInt64 = 0
  private var nextNumber: UInt64 = 8
  private var depth = 0
  /// Whether the innermost run is to end.
  private var isStopped = false

  // Tokens of what the loop itself waits for; registrations count from 8.
  nonisolated static let timerToken: UInt64 = 1
  nonisolated static let mainQueueToken: UInt64 = 2
  nonisolated static let wakeUpToken: UInt64 = 3

  private nonisolated init() {
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

  func makeToken() -> Token {
    nextNumber += 1
    return Token(number: nextNumber)
  }

  // MARK: Running

  /// Runs until `stop`.
  public func run() { run(until: { false }) }

  /// Runs until a condition holds, or `stop`; loops may nest.
  ///
  /// - Parameter isDone: the condition; it is looked at before each turn and before the loop sleeps.
  public func run(until isDone: () -> Bool) {
    let isOuterStopped = isStopped
    isStopped = false
    depth += 1
    notify(.entry)
    while !isStopped, !isDone() { turn(isDone) }
    notify(.exit)
    depth -= 1
    isStopped = isOuterStopped
    handOver()
  }

  /// Does what is due without sleeping; for a host loop that waits for `descriptor`.
  ///
  /// One call is one waking up: what has arrived, the timers that are due and the main queue are
  /// handled, then the sources that were signalled, observers in between. If more is to be done after
  /// that the descriptor stays readable.
  public func dispatchPending() {
    notify(.afterWaiting)
    handle(look(milliseconds: 0))
    notify(.beforeTimers)
    notify(.beforeSources)
    performSources0()
    notify(.beforeWaiting)
    handOver()
  }

  /// Ends a run, the innermost that there is at the time of the call.
  ///
  /// As with `CFRunLoopStop`, it ends when its present turn does. A run that begins after the call,
  /// within that turn, goes on until something ends it, too; then the stopped one follows. Without a
  /// run nothing happens.
  public func stop() {
    if depth > 0 { isStopped = true }
  }

  /// Wakes the loop from any thread: `MainLoop.main.wakeUp()`.
  public nonisolated func wakeUp() { wakeUpFlag.raise() }

  /// Becomes readable when `dispatchPending` has work, for use inside another loop; never changes.
  ///
  /// Also within a callout, for one that runs another loop.
  public var descriptor: Int32 { poller.descriptor }

  private func turn(_ isDone: () -> Bool) {
    notify(.beforeTimers)
    notify(.beforeSources)
    performSources0()
    if isStopped || isDone() { return }
    // A handler may have signalled again: then there is no time to sleep, but whoever waits at a
    // descriptor has a turn, too.
    if hasSignal { return handle(look(milliseconds: 0)) }
    notify(.beforeWaiting)
    let ready = look(milliseconds: isStopped || hasSignal || isDone() ? 0 : -1)
    notify(.afterWaiting)
    handle(ready)
  }
}
