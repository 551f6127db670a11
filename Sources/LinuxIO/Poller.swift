import CLinuxShims
import Glibc

/// What a descriptor is ready for, or what one waits for.
public struct Readiness: OptionSet, Sendable {
  /// The `EPOLL*` bits.
  public let rawValue: UInt32
  /// Wraps `EPOLL*` bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// There is something to read, or the other end is gone.
  public static var readable: Readiness { Readiness(rawValue: EPOLLIN.rawValue) }
  /// There is room to write.
  public static var writable: Readiness { Readiness(rawValue: EPOLLOUT.rawValue) }
  /// Something happened to the descriptor itself; always waited for.
  public static var failed: Readiness {
    Readiness(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
  }
}

/// An epoll instance: waits for many descriptors at once and allocates nothing while it does.
///
/// - Ownership: owns its own descriptor only; who adds one removes it before closing it.
public final class Poller {
  private let epoll: OwnedDescriptor
  private let events: UnsafeMutableBufferPointer<epoll_event>

  /// Creates an instance that reports up to `capacity` ready descriptors at a time.
  public init(capacity: Int = 64) throws(SystemError) {
    let raw = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard raw >= 0 else { throw SystemError("create an epoll instance") }
    epoll = OwnedDescriptor(owning: raw)
    events = .allocate(capacity: max(1, capacity))
    events.initialize(repeating: epoll_event())
  }

  deinit { events.deallocate() }

  /// Becomes readable when `wait` would return something; for use inside another loop.
  public var descriptor: Int32 { epoll.raw }

  /// Starts to wait for a descriptor; `token` comes back with its events.
  public func add(
    _ descriptor: Int32, token: UInt64, for interest: Readiness = .readable
  ) throws(SystemError) {
    try control(Int32(EPOLL_CTL_ADD), descriptor, token, interest, "watch descriptor")
  }

  /// Changes what is waited for.
  public func modify(
    _ descriptor: Int32, token: UInt64, for interest: Readiness
  ) throws(SystemError) {
    try control(Int32(EPOLL_CTL_MOD), descriptor, token, interest, "change watch of descriptor")
  }

  /// Stops waiting for a descriptor; one that is not waited for is left alone.
  public func remove(_ descriptor: Int32) {
    var unused = epoll_event()
    epoll_ctl(epoll.raw, Int32(EPOLL_CTL_DEL), descriptor, &unused)
  }

  private func control(
    _ operation: Int32, _ descriptor: Int32, _ token: UInt64, _ interest: Readiness,
    _ attempt: StaticString
  ) throws(SystemError) {
    var event = epoll_event()
    event.events = interest.rawValue
    event.data.u64 = token
    guard epoll_ctl(epoll.raw, operation, descriptor, &event) == 0 else {
      throw SystemError("\(attempt) \(descriptor)")
    }
  }

  /// Waits until a descriptor is ready.
  ///
  /// - Parameter milliseconds: how long at most; negative for ever, 0 not at all.
  /// - Returns: how many are ready; 0 also when a signal interrupted the wait.
  public func wait(milliseconds: Int32) -> Int {
    let count = epoll_wait(epoll.raw, events.baseAddress, Int32(events.count), milliseconds)
    return max(0, Int(count))
  }

  /// The token of the ready descriptor at an index below what `wait` returned.
  public func token(_ index: Int) -> UInt64 { events[index].data.u64 }

  /// What the ready descriptor at an index below what `wait` returned is ready for.
  public func readiness(_ index: Int) -> Readiness { Readiness(rawValue: events[index].events) }
}

/// A timer on `CLOCK_MONOTONIC` that a `Poller` can wait for.
public final class DeadlineTimer {
  private let timer: OwnedDescriptor
  private var armedAt: UInt64?

  /// Creates a timer that is not armed.
  public init() throws(SystemError) {
    let raw = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    guard raw >= 0 else { throw SystemError("create a timer") }
    timer = OwnedDescriptor(owning: raw)
  }

  /// The descriptor to wait for; readable once the deadline has passed.
  public var descriptor: Int32 { timer.raw }

  /// Arms the timer for a deadline in nanoseconds, or disarms it; the same again costs nothing.
  public func set(_ deadline: UInt64?) {
    guard deadline != armedAt else { return }
    armedAt = deadline
    var spec = itimerspec()
    if let deadline {
      // A deadline of zero would disarm; what has passed fires at once either way.
      let deadline = max(1, min(deadline, UInt64(Int64.max)))
      spec.it_value.tv_sec = Int(deadline / 1_000_000_000)
      spec.it_value.tv_nsec = Int(deadline % 1_000_000_000)
    }
    timerfd_settime(timer.raw, Int32(TFD_TIMER_ABSTIME), &spec, nil)
  }

  /// Takes note that the deadline has passed; the timer is not armed afterwards.
  public func consume() {
    var count: UInt64 = 0
    _ = read(timer.raw, &count, 8)
    armedAt = nil
  }
}
