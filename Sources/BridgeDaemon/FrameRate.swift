/// How often a panel reports while it is touched, from the times between its last frames.
struct FrameRate {
  /// Intervals that are kept: half a second of a usual panel.
  private static let kept = 64
  /// Fewer say nothing.
  private static let fewest = 8
  /// What is longer is a pause, for a finger that rests makes no report, or none at all was down.
  private static let longest: UInt64 = 200_000_000

  private var intervals = InlineArray<64, UInt32>(repeating: 0)
  private var count = 0
  private var last: UInt64 = 0

  /// Takes note of a frame at a kernel time, in nanoseconds.
  @inline(__always)
  mutating func note(_ time: UInt64) {
    let interval = time &- last
    last = time
    // Frames of one report have one time; a clock that stepped back makes a huge interval.
    guard interval &- 1 < Self.longest else { return }
    intervals[count & (Self.kept - 1)] = UInt32(truncatingIfNeeded: interval)
    count &+= 1
  }

  /// Reports a second, rounded to tenths: the median of the last intervals; nil before there are some.
  var hertz: Double? {
    let known = min(count, Self.kept)
    guard known >= Self.fewest else { return nil }
    let median = (0..<known).map { intervals[$0] }.sorted()[known / 2]
    return (1e10 / Double(median)).rounded() / 10
  }
}
