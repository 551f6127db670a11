import TouchModel

/// Finds contacts that break off: they end, and at once one begins at the same place.
///
/// No finger lifts and lands again so fast. A controller does it that has not woken up whole: taps
/// work, and drags end after a short way. It allocates nothing after its creation.
///
/// - Ownership: owns its storage, which goes with it; not copyable for that reason.
public struct BreakWatch: ~Copyable {
  /// How long an end and the next begin may lie apart: some reports of a slow panel.
  public static var longestGap: UInt64 { 50_000_000 }

  /// How many contacts broke off so far.
  public private(set) var count: UInt64 = 0

  private let reach: Double
  private var ends = RecentPlaces(capacity: 16)

  /// Begins to look.
  ///
  /// - Parameter reach: how near counts as the same place, in the units of the frames' positions.
  public init(reach: Double) { self.reach = reach }

  /// Looks at the next frame of the panel.
  ///
  /// - Returns: whether a contact broke off before it, or in it.
  public mutating func apply(_ frame: borrowing FrameBuffer) -> Bool {
    let before = count
    // Ends first: the slot that takes over may be the lower one.
    for index in 0..<frame.count where frame.room[index].phase == .up {
      ends.append(Self.place(frame.room[index]), at: frame.timeNanoseconds)
    }
    for index in 0..<frame.count where frame.room[index].phase == .down {
      let found = ends.count(
        near: Self.place(frame.room[index]), within: reach, at: frame.timeNanoseconds,
        since: Self.longestGap)
      if found > 0 { count &+= 1 }
    }
    return count > before
  }

  private static func place(_ contact: Contact) -> SIMD2<Double> {
    SIMD2(contact.position.x, contact.position.y)
  }
}
