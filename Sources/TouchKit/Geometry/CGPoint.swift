// TouchKit sits at the client's end: device -> frames -> routing -> socket -> *app*. It has its
// own geometry because one CGRect out of Foundation costs an app tens of megabytes, and because
// Foundation on Linux has neither CGAffineTransform nor CGVector.
public import TouchModel

/// A distance or coordinate in points.
public typealias CGFloat = Double

/// A place in some view's coordinates.
///
/// - Units: points; y grows downwards.
public struct CGPoint: Sendable, Hashable {
  /// The distance from the left.
  public var x: CGFloat
  /// The distance from the top.
  public var y: CGFloat

  /// The origin.
  public static let zero = CGPoint()

  /// Creates the origin.
  public init() {
    x = 0
    y = 0
  }

  /// Creates a point from its coordinates.
  public init(x: CGFloat, y: CGFloat) {
    self.x = x
    self.y = y
  }

  /// Creates a point from one of a frame's contacts.
  public init(_ point: Point) {
    x = point.x
    y = point.y
  }

  /// The point that a transform moves this one to.
  public func applying(_ t: CGAffineTransform) -> CGPoint {
    CGPoint(x: t.a * x + t.c * y + t.tx, y: t.b * x + t.d * y + t.ty)
  }

  func distance(to other: CGPoint) -> CGFloat { CGVector(from: other, to: self).length }
}

/// An extent to the right and downwards.
///
/// - Units: points.
public struct CGSize: Sendable, Hashable {
  /// The extent to the right.
  public var width: CGFloat
  /// The extent downwards.
  public var height: CGFloat

  /// The size of nothing.
  public static let zero = CGSize()

  /// Creates the size of nothing.
  public init() {
    width = 0
    height = 0
  }

  /// Creates a size from its extents.
  public init(width: CGFloat, height: CGFloat) {
    self.width = width
    self.height = height
  }

  /// The size that a transform's linear part turns this one into.
  public func applying(_ t: CGAffineTransform) -> CGSize {
    CGSize(width: t.a * width + t.c * height, height: t.b * width + t.d * height)
  }
}

/// A movement: a direction with a length, without a place.
///
/// - Units: points.
public struct CGVector: Sendable, Hashable {
  /// The movement to the right.
  public var dx: CGFloat
  /// The movement downwards.
  public var dy: CGFloat

  /// No movement.
  public static let zero = CGVector()

  /// Creates no movement.
  public init() {
    dx = 0
    dy = 0
  }

  /// Creates a movement from its parts.
  public init(dx: CGFloat, dy: CGFloat) {
    self.dx = dx
    self.dy = dy
  }

  init(from start: CGPoint, to end: CGPoint) {
    dx = end.x - start.x
    dy = end.y - start.y
  }

  // The plain root: a coordinate beyond 1e150 overflows to infinity, which is still "far".
  var length: CGFloat { (dx * dx + dy * dy).squareRoot() }

  static func + (left: CGVector, right: CGVector) -> CGVector {
    CGVector(dx: left.dx + right.dx, dy: left.dy + right.dy)
  }

  static func - (left: CGVector, right: CGVector) -> CGVector {
    CGVector(dx: left.dx - right.dx, dy: left.dy - right.dy)
  }

  static func * (left: CGVector, factor: CGFloat) -> CGVector {
    CGVector(dx: left.dx * factor, dy: left.dy * factor)
  }
}
