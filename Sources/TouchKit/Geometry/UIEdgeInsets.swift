/// How far each side of a rectangle moves inwards; negative moves it outwards.
///
/// - Units: points.
public struct UIEdgeInsets: Sendable, Hashable {
  /// The top side's measure.
  public var top: CGFloat
  /// The left side's measure.
  public var left: CGFloat
  /// The bottom side's measure.
  public var bottom: CGFloat
  /// The right side's measure.
  public var right: CGFloat

  /// Insets that move no side.
  public static let zero = UIEdgeInsets()

  /// Creates insets from four measures.
  public init(top: CGFloat = 0, left: CGFloat = 0, bottom: CGFloat = 0, right: CGFloat = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }
}

/// Sides of a rectangle, such as those of the screen.
public struct UIRectEdge: OptionSet, Sendable, Hashable {
  /// The bits of the sides.
  public let rawValue: UInt
  /// Creates a set of sides from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The top side.
  public static let top = UIRectEdge(rawValue: 1 << 0)
  /// The left side.
  public static let left = UIRectEdge(rawValue: 1 << 1)
  /// The bottom side.
  public static let bottom = UIRectEdge(rawValue: 1 << 2)
  /// The right side.
  public static let right = UIRectEdge(rawValue: 1 << 3)
  /// All four sides.
  public static let all: UIRectEdge = [.top, .left, .bottom, .right]
}
