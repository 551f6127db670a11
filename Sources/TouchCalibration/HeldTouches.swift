import TouchModel

/// Finds touches that were held in one place, one finger at a time, in the frames of a panel.
///
/// A finger that comes while another is followed is ignored until it is lifted.
public struct HeldTouches: Sendable {
  /// What came of a touch.
  public enum Outcome: Sendable, Equatable {
    /// It was held here: the median of its raw positions.
    case held(Point)
    /// It was too short to be meant.
    case short
    /// It moved.
    case moved
    /// The device or the daemon took it away.
    case cancelled
  }

  /// How long a touch has to last, in nanoseconds; interference is shorter.
  public static let leastDuration: UInt64 = 100_000_000
  /// How far it may reach, in parts of an axis.
  public static let mostTravel = 0.03

  private let surface: PanelSurface
  private var followed: UInt64?
  private var downAt: UInt64 = 0
  private var xs: [Int32] = []
  private var ys: [Int32] = []
  // A finger that rests for hours must not fill the memory.
  private static let mostSamples = 4096

  /// Prepares for the frames of a panel.
  public init(_ surface: PanelSurface) { self.surface = surface }

  /// Takes a frame, whose contacts have the raw positions.
  ///
  /// - Returns: what came of the touch that ended in it; nil if none did.
  public mutating func take(_ frame: TouchFrame) -> Outcome? {
    var outcome: Outcome?
    if let id = followed {
      // A frame has all that is down: what is missing ended in one that was lost.
      guard let contact = frame.contacts.first(where: { $0.id == id && $0.phase != .hover }) else {
        followed = nil
        return begin(frame) ?? .cancelled
      }
      outcome = take(contact, at: frame.timeNanoseconds)
    }
    return begin(frame) ?? outcome
  }

  private mutating func begin(_ frame: TouchFrame) -> Outcome? {
    guard followed == nil,
      let contact = frame.contacts.first(where: { $0.phase == .down && $0.tool != .palm })
    else { return nil }
    followed = contact.id
    downAt = frame.timeNanoseconds
    (xs, ys) = ([contact.rawX], [contact.rawY])
    return nil
  }

  private mutating func take(_ contact: Contact, at time: UInt64) -> Outcome? {
    switch contact.phase {
    case .up:
      followed = nil
      return finished(at: time)
    case .cancel:
      followed = nil
      return .cancelled
    default:
      guard xs.count < Self.mostSamples else { return nil }
      xs.append(contact.rawX)
      ys.append(contact.rawY)
      return nil
    }
  }

  private func finished(at time: UInt64) -> Outcome {
    guard time >= downAt, time - downAt >= Self.leastDuration else { return .short }
    guard let (left, right) = Self.ends(xs), let (top, bottom) = Self.ends(ys) else {
      return .short
    }
    let first = surface.normalise(Point(x: Double(left), y: Double(top)))
    let last = surface.normalise(Point(x: Double(right), y: Double(bottom)))
    guard last.x - first.x <= Self.mostTravel, last.y - first.y <= Self.mostTravel else {
      return .moved
    }
    return .held(Point(x: Self.median(xs), y: Self.median(ys)))
  }

  private static func ends(_ values: [Int32]) -> (Int32, Int32)? {
    guard let least = values.min(), let most = values.max() else { return nil }
    return (least, most)
  }

  private static func median(_ values: [Int32]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    guard sorted.count % 2 == 0 else { return Double(sorted[middle]) }
    return (Double(sorted[middle - 1]) + Double(sorted[middle])) / 2
  }
}
