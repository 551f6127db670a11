/// An affine map of normalised positions, in libinput's order of numbers.
///
///     x' = a * x + b * y + c
///     y' = d * x + e * y + f
///
/// - Units: 0...1 is an axis from end to end, before and after; y points down.
/// - Source: `LIBINPUT_CALIBRATION_MATRIX`.
public struct PanelTransform: Sendable, Equatable {
  /// What x contributes to x'.
  public var a: Double
  /// What y contributes to x'.
  public var b: Double
  /// The shift of x'.
  public var c: Double
  /// What x contributes to y'.
  public var d: Double
  /// What y contributes to y'.
  public var e: Double
  /// The shift of y'.
  public var f: Double

  /// How far outside of 0...1 a transform may put a corner: half a display.
  ///
  /// More is a slip of the pen or a raw range that is wrong, which `RangeX=` and `RangeY=` mend.
  public static let cornerLimit = 0.5
  /// The least part of its area that a transform may keep: a panel squeezed further is useless.
  public static let leastArea = 0.01

  /// Creates a transform from its six numbers, row by row.
  public init(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) {
    (self.a, self.b, self.c) = (a, b, c)
    (self.d, self.e, self.f) = (d, e, f)
  }

  /// Leaves positions as they are.
  public static let identity = PanelTransform(1, 0, 0, 0, 1, 0)
  /// Exchanges the axes.
  public static let swap = PanelTransform(0, 1, 0, 1, 0, 0)
  /// Turns the x axis around.
  public static let invertX = PanelTransform(-1, 0, 1, 0, 1, 0)
  /// Turns the y axis around.
  public static let invertY = PanelTransform(1, 0, 0, 0, -1, 1)

  /// Where a sensor that is mounted turned clockwise is touched, on what it is mounted on.
  public static func mounted(_ rotation: Rotation) -> PanelTransform {
    switch rotation {
    case .none: .identity
    case .quarter: PanelTransform(0, -1, 1, 1, 0, 0)
    case .half: PanelTransform(-1, 0, 1, 0, -1, 1)
    case .threeQuarters: PanelTransform(0, 1, 0, -1, 0, 1)
    }
  }

  /// Where a place on the glass lies in a picture that is shown turned clockwise on it.
  public static func picture(_ rotation: Rotation) -> PanelTransform {
    switch rotation {
    case .none, .half: mounted(rotation)
    case .quarter: mounted(.threeQuarters)
    case .threeQuarters: mounted(.quarter)
    }
  }

  /// Puts 0...1 into a rectangle of normalised extent.
  public static func into(_ rectangle: Rect) -> PanelTransform {
    PanelTransform(rectangle.width, 0, rectangle.x, 0, rectangle.height, rectangle.y)
  }

  /// The transform that does this one first and then another.
  public func then(_ next: PanelTransform) -> PanelTransform {
    PanelTransform(
      next.a * a + next.b * d, next.a * b + next.b * e, next.a * c + next.b * f + next.c,
      next.d * a + next.e * d, next.d * b + next.e * e, next.d * c + next.e * f + next.f)
  }

  /// Where a normalised position goes; not clamped.
  public func apply(_ point: Point) -> Point {
    Point(x: a * point.x + b * point.y + c, y: d * point.x + e * point.y + f)
  }

  /// The part of the area that is kept; negative where left and right change places.
  public var determinant: Double { a * e - b * d }

  /// The six numbers, row by row.
  public var numbers: [Double] { [a, b, c, d, e, f] }

  /// Why no panel can be used with it; nil if it is sound.
  public var fault: String? {
    guard numbers.allSatisfy(\.isFinite) else { return "it holds what is no number" }
    guard determinant.magnitude >= Self.leastArea else {
      return "it squeezes the panel to less than a hundredth of its area"
    }
    let corners = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].map { apply(Point(x: $0.0, y: $0.1)) }
    let allowed = -Self.cornerLimit...1 + Self.cornerLimit
    guard corners.allSatisfy({ allowed.contains($0.x) && allowed.contains($0.y) }) else {
      return "it puts a corner more than half a display outside; is the raw range right "
        + "(RangeX=, RangeY=)?"
    }
    return nil
  }
}

extension PanelTransform: CustomStringConvertible {
  /// The six numbers with blanks between, as configuration and udev have them.
  public var description: String {
    numbers.map { number in
      // -0 is what a turn makes of 0.
      let number = number == 0 ? 0 : number
      return number == number.rounded() && number.magnitude < 1e9
        ? "\(Int(number))" : "\(number)"
    }.joined(separator: " ")
  }
}
