/// A clock that stands still until a test turns it.
///
///     let clock = HandTurnedClock()
///     let application = UIApplication(clock: clock.read)
@MainActor
public final class HandTurnedClock {
  /// The time that it shows.
  ///
  /// - Units: nanoseconds of `CLOCK_MONOTONIC`.
  public private(set) var nanoseconds: UInt64

  /// Creates a clock that shows a time; one second unless told otherwise.
  public init(nanoseconds: UInt64 = 1_000_000_000) { self.nanoseconds = nanoseconds }

  /// Tells the time.
  public func read() -> UInt64 { nanoseconds }

  /// Turns the clock on.
  public func advance(by duration: Duration) { nanoseconds &+= duration.nanoseconds }

  /// Turns the clock on to a time; it never goes back.
  public func advance(to nanoseconds: UInt64) {
    self.nanoseconds = max(self.nanoseconds, nanoseconds)
  }
}

extension Duration {
  /// The duration in nanoseconds; a negative one counts as none.
  var nanoseconds: UInt64 {
    let parts = components
    guard parts.seconds >= 0, parts.attoseconds >= 0 else { return 0 }
    return UInt64(parts.seconds) &* 1_000_000_000 &+ UInt64(parts.attoseconds / 1_000_000_000)
  }
}
