/// Tells a suspend from other wake-ups: `CLOCK_BOOTTIME` goes on in it and `CLOCK_MONOTONIC` does not.
struct SuspendWatch {
  /// Less than any suspend lasts, and far more than two readings of the clocks lie apart.
  static let threshold: UInt64 = 100_000_000

  private var difference: UInt64

  /// Begins with the two clocks as they stand, in nanoseconds.
  init(monotonic: UInt64, sinceBoot: UInt64) {
    difference = sinceBoot &- min(monotonic, sinceBoot)
  }

  /// Looks at the clocks at a wake-up.
  ///
  /// - Returns: how long the machine slept since the last look; nil if it did not.
  mutating func sleptFor(monotonic: UInt64, sinceBoot: UInt64) -> UInt64? {
    let present = sinceBoot &- min(monotonic, sinceBoot)
    let growth = present &- min(present, difference)
    difference = max(difference, present)
    return growth > Self.threshold ? growth : nil
  }
}
