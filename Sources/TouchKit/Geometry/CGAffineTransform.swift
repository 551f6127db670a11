/// A linear map of the plane and a shift: `x' = a·x + c·y + tx`, `y' = b·x + d·y + ty`.
public struct CGAffineTransform: Sendable, Hashable {
  /// How much of x goes into x'.
  public var a: CGFloat
  /// How much of x goes into y'.
  public var b: CGFloat
  /// How much of y goes into x'.
  public var c: CGFloat
  /// How much of y goes into y'.
  public var d: CGFloat
  /// The shift to the right, in points.
  public var tx: CGFloat
  /// The shift downwards, in points.
  public var ty: CGFloat

  /// The transform that leaves everything in its place.
  public static let identity = CGAffineTransform()

  /// Creates the identity.
  public init() { self.init(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }

  /// Creates a transform from its six numbers.
  public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.tx = tx
    self.ty = ty
  }

  /// Creates a shift.
  public init(translationX tx: CGFloat, y ty: CGFloat) {
    self.init(a: 1, b: 0, c: 0, d: 1, tx: tx, ty: ty)
  }

  /// Creates a scale about the origin.
  public init(scaleX sx: CGFloat, y sy: CGFloat) {
    self.init(a: sx, b: 0, c: 0, d: sy, tx: 0, ty: 0)
  }

  /// Creates a rotation about the origin.
  ///
  /// - Units: radians; positive is clockwise on screen, since y grows downwards.
  public init(rotationAngle angle: CGFloat) {
    let sine = Trigonometry.sine(angle)
    let cosine = Trigonometry.cosine(angle)
    self.init(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
  }

  /// Whether the transform leaves everything in its place.
  public var isIdentity: Bool { self == .identity }

  /// The transform that shifts first and then does what this one does.
  public func translatedBy(x tx: CGFloat, y ty: CGFloat) -> CGAffineTransform {
    CGAffineTransform(translationX: tx, y: ty).concatenating(self)
  }

  /// The transform that scales first and then does what this one does.
  public func scaledBy(x sx: CGFloat, y sy: CGFloat) -> CGAffineTransform {
    CGAffineTransform(scaleX: sx, y: sy).concatenating(self)
  }

  /// The transform that rotates first and then does what this one does.
  ///
  /// - Units: radians.
  public func rotated(by angle: CGFloat) -> CGAffineTransform {
    CGAffineTransform(rotationAngle: angle).concatenating(self)
  }

  /// The transform that does what this one does and then what the other does.
  public func concatenating(_ t2: CGAffineTransform) -> CGAffineTransform {
    CGAffineTransform(
      a: a * t2.a + b * t2.c, b: a * t2.b + b * t2.d,
      c: c * t2.a + d * t2.c, d: c * t2.b + d * t2.d,
      tx: tx * t2.a + ty * t2.c + t2.tx, ty: tx * t2.b + ty * t2.d + t2.ty)
  }

  /// The transform that undoes this one; this one itself where nothing can undo it.
  public func inverted() -> CGAffineTransform {
    guard isInvertible else { return self }
    let factor = 1 / determinant
    return CGAffineTransform(
      a: d * factor, b: -b * factor, c: -c * factor, d: a * factor,
      tx: (c * ty - d * tx) * factor, ty: (b * tx - a * ty) * factor)
  }

  var determinant: CGFloat { a * d - b * c }

  var isInvertible: Bool {
    let determinant = determinant
    return determinant != 0 && determinant.isFinite && (1 / determinant).isFinite
  }
}
