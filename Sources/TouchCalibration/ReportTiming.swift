import TouchModel

/// How often a panel reports while it is touched, and how long it pauses while something moves.
public struct ReportTiming: Sendable {
  // A minute of a fast panel; later intervals take the place of the first ones.
  private static let kept = 1 << 16

  private var intervals: [UInt64] = []
  private var count = 0
  private var last: UInt64?
  private var lastMoved = false
  /// The longest time between two frames in both of which a contact moved, in nanoseconds; a finger that
  /// pauses makes one as well. nil before there was one.
  public private(set) var longestGap: UInt64?

  /// Begins without frames.
  public init() {}

  /// Takes note of a frame.
  public mutating func take(_ frame: TouchFrame) {
    let time = frame.timeNanoseconds
    let isTouched = frame.contacts.contains { !$0.phase.isEnd && $0.phase != .hover }
    let moves = frame.contacts.contains { $0.phase == .motion }
    // Frames of one report have one time; a clock that steps back says nothing.
    if let last, time > last {
      note(time - last)
      if moves, lastMoved { longestGap = max(longestGap ?? 0, time - last) }
    }
    last = isTouched ? time : nil
    lastMoved = moves
  }

  /// Takes note that frames are missing here: the time over the gap is nobody's interval.
  public mutating func interrupt() { last = nil }

  private mutating func note(_ interval: UInt64) {
    if intervals.count < Self.kept {
      intervals.append(interval)
    } else {
      intervals[count % Self.kept] = interval
    }
    count += 1
  }

  /// Reports a second: the median of the intervals; nil before there was one.
  public var hertz: Double? {
    guard !intervals.isEmpty else { return nil }
    return 1e9 / Double(intervals.sorted()[intervals.count / 2])
  }
}
