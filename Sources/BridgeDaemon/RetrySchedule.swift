/// When something that failed is tried again: soon at first, then ever more rarely.
struct RetrySchedule: Equatable {
  /// The first pause: a device that udev is still about to prepare is ready by then.
  static let shortest: UInt64 = 100_000_000
  /// The last pause: a person who puts things right waits no longer, and an idle machine sleeps.
  static let longest: UInt64 = 30_000_000_000

  private var pause: UInt64 = 0
  /// When the next attempt is due, in nanoseconds of `CLOCK_MONOTONIC`; nil if nothing has failed.
  private(set) var due: UInt64?

  /// Notes a failure.
  mutating func failed(at now: UInt64) {
    pause = pause == 0 ? Self.shortest : min(2 * pause, Self.longest)
    due = now &+ pause
  }
}
