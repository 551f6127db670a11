/// A rectangle that holds its left and top edge, but not its right and bottom edge.
///
/// - Units: points. Negative extents are allowed; all members but `origin` and `size` read them as
///   the rectangle that `standardized` gives.
public struct CGRect: Sendable, Hashable {
  /// The corner that the size is measured from.
  public var origin: CGPoint
  /// The extents, which may be negative.
  public var size: CGSize

  /// The empty rectangle at the origin.
  public static let zero = CGRect()
  /// The rectangle of no place at all: the neutral element of `union`.
  public static let null = CGRect(x: .infinity, y: .infinity, width: 0, height: 0)
  /// The rectangle that holds every place.
  public static let infinite = CGRect(
    x: -.greatestFiniteMagnitude / 2, y: -.greatestFiniteMagnitude / 2,
    width: .greatestFiniteMagnitude, height: .greatestFiniteMagnitude)

  /// Creates the empty rectangle at the origin.
  public init() {
    origin = .zero
    size = .zero
  }

  /// Creates a rectangle from a corner and the extents from there.
  public init(origin: CGPoint, size: CGSize) {
    self.origin = origin
    self.size = size
  }

  /// Creates a rectangle from its four numbers.
  public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat) {
    origin = CGPoint(x: x, y: y)
    size = CGSize(width: width, height: height)
  }

  /// The left edge.
  public var minX: CGFloat { size.width < 0 ? origin.x + size.width : origin.x }
  /// The middle between left and right edge.
  public var midX: CGFloat { origin.x + size.width / 2 }
  /// The right edge, which lies outside.
  public var maxX: CGFloat { size.width < 0 ? origin.x : origin.x + size.width }
  /// The top edge.
  public var minY: CGFloat { size.height < 0 ? origin.y + size.height : origin.y }
  /// The middle between top and bottom edge.
  public var midY: CGFloat { origin.y + size.height / 2 }
  /// The bottom edge, which lies outside.
  public var maxY: CGFloat { size.height < 0 ? origin.y : origin.y + size.height }
  /// The extent to the right, never negative.
  public var width: CGFloat { abs(size.width) }
  /// The extent downwards, never negative.
  public var height: CGFloat { abs(size.height) }

  /// Whether this is `null`.
  public var isNull: Bool { origin.x == .infinity || origin.y == .infinity }
  /// Whether this is `infinite`.
  public var isInfinite: Bool { self == .infinite }
  /// Whether the rectangle holds no point.
  public var isEmpty: Bool { isNull || size.width == 0 || size.height == 0 }

  /// The same rectangle with its origin at the left top corner and extents that are not negative.
  public var standardized: CGRect {
    isNull ? .null : CGRect(x: minX, y: minY, width: width, height: height)
  }

  /// The smallest rectangle around this one that has whole numbers for edges.
  public var integral: CGRect {
    if isNull { return .null }
    let left = minX.rounded(.down)
    let top = minY.rounded(.down)
    return CGRect(
      x: left, y: top, width: maxX.rounded(.up) - left, height: maxY.rounded(.up) - top)
  }

  /// Tells whether the point lies inside; the right and bottom edge lie outside.
  public func contains(_ point: CGPoint) -> Bool {
    !isEmpty && point.x >= minX && point.y >= minY && point.x < maxX && point.y < maxY
  }

  /// Tells whether the other rectangle lies in this one; edges may coincide.
  public func contains(_ rect2: CGRect) -> Bool { union(rect2) == standardized }

  /// Tells whether the rectangles share an area.
  public func intersects(_ rect2: CGRect) -> Bool { !intersection(rect2).isEmpty }

  /// The area that both share: `null` if they are apart, empty if they share an edge.
  public func intersection(_ r2: CGRect) -> CGRect {
    if isNull || r2.isNull { return .null }
    let left = max(minX, r2.minX)
    let top = max(minY, r2.minY)
    let right = min(maxX, r2.maxX)
    let bottom = min(maxY, r2.maxY)
    if right < left || bottom < top { return .null }
    return CGRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The smallest rectangle around both.
  public func union(_ r2: CGRect) -> CGRect {
    if isNull { return r2.standardized }
    if r2.isNull { return standardized }
    let left = min(minX, r2.minX)
    let top = min(minY, r2.minY)
    return CGRect(
      x: left, y: top, width: max(maxX, r2.maxX) - left, height: max(maxY, r2.maxY) - top)
  }

  /// The rectangle with its sides moved inwards, negative for outwards; `null` if nothing is left.
  public func insetBy(dx: CGFloat, dy: CGFloat) -> CGRect {
    inset(by: UIEdgeInsets(top: dy, left: dx, bottom: dy, right: dx))
  }

  /// The rectangle at another place.
  public func offsetBy(dx: CGFloat, dy: CGFloat) -> CGRect {
    if isNull { return .null }
    let rect = standardized
    return CGRect(
      origin: CGPoint(x: rect.origin.x + dx, y: rect.origin.y + dy), size: rect.size)
  }

  /// The rectangle with each side moved inwards by its own measure; `null` if nothing is left.
  public func inset(by insets: UIEdgeInsets) -> CGRect {
    if isNull { return .null }
    let width = width - insets.left - insets.right
    let height = height - insets.top - insets.bottom
    guard width >= 0, height >= 0 else { return .null }
    return CGRect(x: minX + insets.left, y: minY + insets.top, width: width, height: height)
  }

  /// The smallest rectangle around what a transform makes of this one.
  public func applying(_ t: CGAffineTransform) -> CGRect {
    if isNull { return .null }
    return boundingBox { $0.applying(t) }
  }

  /// The smallest rectangle around the four corners after a conversion.
  func boundingBox(_ convert: (CGPoint) -> CGPoint) -> CGRect {
    let a = convert(CGPoint(x: minX, y: minY))
    let b = convert(CGPoint(x: maxX, y: minY))
    let c = convert(CGPoint(x: minX, y: maxY))
    let d = convert(CGPoint(x: maxX, y: maxY))
    let left = min(a.x, b.x, c.x, d.x)
    let top = min(a.y, b.y, c.y, d.y)
    return CGRect(
      x: left, y: top, width: max(a.x, b.x, c.x, d.x) - left,
      height: max(a.y, b.y, c.y, d.y) - top)
  }
}
