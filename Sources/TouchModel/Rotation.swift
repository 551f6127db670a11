/// A turn by a multiple of a right angle, clockwise as one looks at the panel.
public enum Rotation: Int, Sendable, CaseIterable {
  /// No turn.
  case none = 0
  /// A quarter turn clockwise.
  case quarter = 90
  /// Half a turn.
  case half = 180
  /// A quarter turn counter-clockwise.
  case threeQuarters = 270

  /// The angle; 0, 90, 180 or 270.
  public var degrees: Int { rawValue }

  /// Whether width and height change places.
  public var swapsAxes: Bool { self == .quarter || self == .threeQuarters }
}
