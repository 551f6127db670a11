import Glibc

/// The kernel's clocks, in nanoseconds.
public enum MonotonicClock {
  /// `CLOCK_MONOTONIC` now: the clock of all touch times; stands still in suspend.
  @inlinable
  @inline(__always)
  public static func now() -> UInt64 { read(CLOCK_MONOTONIC) }

  /// `CLOCK_BOOTTIME` now: like the other, but goes on in suspend.
  public static func sinceBoot() -> UInt64 { read(CLOCK_BOOTTIME) }

  @inlinable
  @inline(__always)
  static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    // Fails only for a clock the kernel lacks; both are older than any kernel Swift runs on.
    clock_gettime(clock, &time)
    // Counts from the start of the machine: neither negative nor near the limit.
    return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000
      &+ UInt64(bitPattern: Int64(time.tv_nsec))
  }
}
