import CLinuxShims
import Glibc

/// Something that owns a descriptor and is called when it is ready.
public protocol DescriptorHandler: AnyObject {
  /// Is called on the loop's thread; may stop watching, also itself.
  func descriptorReady(_ readiness: Readiness)
}

/// The daemon's loop: one thread, descriptors, one deadline; nothing allocated a turn.
///
/// - Ownership: holds handlers strongly until `stopWatching`.
public final class EventLoop {
  private struct Watch {
    var descriptor: Int32
    var generation: UInt32
    var handler: (any DescriptorHandler)?
  }

  private let poller: Poller
  private let timer: DeadlineTimer
  // Bare storage, for an array in a class would cost several calls into the runtime an event.
  private let watches: UnsafeMutablePointer<Watch>
  private var watchCount = 0
  private var free: [Int] = []
  /// Far above what the daemon's limits on clients and panels come to.
  private static let maximumWatches = 4096
  private var isStopped = false
  // Token of the timer; watches count from zero and never come near.
  private static let timerToken = UInt64.max

  /// Is called when the deadline has passed, with the time then.
  public var deadlineReached: ((UInt64) -> Void)?

  /// Creates a loop with nothing to wait for.
  public init() throws(SystemError) {
    poller = try Poller()
    timer = try DeadlineTimer()
    watches = .allocate(capacity: Self.maximumWatches)
    try poller.add(timer.descriptor, token: Self.timerToken)
  }

  deinit {
    watches.deinitialize(count: watchCount)
    watches.deallocate()
  }

  /// When `deadlineReached` is to be called, in nanoseconds of `CLOCK_MONOTONIC`; nil for never.
  public var deadline: UInt64? {
    didSet { timer.set(deadline) }
  }

  /// Starts to call a handler when a descriptor is ready.
  ///
  /// - Returns: the number to change or stop the watch with.
  /// - Errors: `SystemError`; `ENOSPC` with thousands of watches.
  public func watch(
    _ descriptor: Int32, for interest: Readiness = .readable, handler: any DescriptorHandler
  ) throws(SystemError) -> Int {
    let index = free.last ?? watchCount
    guard index < Self.maximumWatches else {
      throw SystemError("watch descriptor \(descriptor)", Errno(ENOSPC))
    }
    let generation = index < watchCount ? watches[index].generation : 0
    try poller.add(descriptor, token: Self.token(index, generation), for: interest)
    let watch = Watch(descriptor: descriptor, generation: generation, handler: handler)
    if index < watchCount {
      free.removeLast()
      watches[index] = watch
    } else {
      (watches + index).initialize(to: watch)
      watchCount += 1
    }
    return index
  }

  /// Changes what a watch waits for.
  public func change(_ index: Int, for interest: Readiness) throws(SystemError) {
    precondition(index >= 0 && index < watchCount, "no such watch")
    let watch = watches[index]
    let token = Self.token(index, watch.generation)
    try poller.modify(watch.descriptor, token: token, for: interest)
  }

  /// Ends a watch; its descriptor may be closed afterwards.
  public func stopWatching(_ index: Int) {
    precondition(index >= 0 && index < watchCount, "no such watch")
    guard watches[index].handler != nil else { return }
    poller.remove(watches[index].descriptor)
    watches[index].handler = nil
    // Events of this turn that are still to be handed out carry the old generation and are skipped.
    watches[index].generation &+= 1
    free.append(index)
  }

  /// Runs until `stop`.
  public func run() {
    isStopped = false
    while !isStopped { turn() }
  }

  /// Makes `run` return after the present turn.
  public func stop() { isStopped = true }

  private func turn() {
    let count = poller.wait(milliseconds: -1)
    for ready in 0..<count {
      let token = poller.token(ready)
      if token == Self.timerToken {
        timerFired()
        continue
      }
      // The low half is an index that was given to the kernel here.
      let watch = watches + Int(token & 0xffff_ffff)
      guard watch.pointee.generation == UInt32(truncatingIfNeeded: token >> 32) else { continue }
      watch.pointee.handler?.descriptorReady(poller.readiness(ready))
    }
  }

  // Apart from `turn`, which would else pay for its access to the deadline at each turn.
  @inline(never)
  private func timerFired() {
    timer.consume()
    deadline = nil
    deadlineReached?(MonotonicClock.now())
  }

  private static func token(_ index: Int, _ generation: UInt32) -> UInt64 {
    UInt64(index) | UInt64(generation) << 32
  }
}
