/// A place on a display or in a scene.
///
/// - Units: points, unless the owner of the value says normalised (0...1 of an axis).
public struct Point: Sendable, Equatable, Hashable {
  /// The distance from the left edge.
  public var x: Double
  /// The distance from the top edge.
  public var y: Double

  /// Creates a point from its coordinates.
  @inlinable
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A rectangle that holds its left and top edge but not its right and bottom edge.
///
/// - Units: points.
public struct Rect: Sendable, Equatable, Hashable {
  /// The left edge.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// The extent to the right; a rectangle with a width of zero or less holds no point.
  public var width: Double
  /// The extent downwards; a rectangle with a height of zero or less holds no point.
  public var height: Double

  /// Creates a rectangle from its left top corner and its size.
  @inlinable
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Tells whether the point lies inside; the right and bottom edge lie outside.
  @inlinable
  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.y >= y && point.x < x + width && point.y < y + height
  }
}
