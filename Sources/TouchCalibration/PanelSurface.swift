// Where this module sits: a captured panel or a recording -> frames -> *calibration* -> a line of the
// configuration. It works on a device's own numbers; nothing of it is on the way of a touch.

import TouchModel

/// The size of a touched surface.
public struct SurfaceSize: Sendable, Equatable {
  /// The width, in millimetres; above 0.
  public var width: Double
  /// The height, in millimetres; above 0.
  public var height: Double

  /// Creates a size.
  ///
  /// - Returns: nil for what is no size.
  public init?(width: Double, height: Double) {
    guard width > 0, height > 0, width.isFinite, height.isFinite else { return nil }
    self.width = width
    self.height = height
  }

  private init(_ width: Double, _ height: Double) { (self.width, self.height) = (width, height) }

  /// The same surface lying on its side.
  public var turned: SurfaceSize { SurfaceSize(height, width) }

  /// The size as it is behind a transform, which may exchange the axes.
  public func through(_ transform: PanelTransform) -> SurfaceSize {
    transform.b.magnitude > transform.a.magnitude ? turned : self
  }
}

/// The position axes of a panel: what its own numbers mean.
public struct PanelSurface: Sendable, Equatable {
  /// The range of x.
  public var x: AxisRange
  /// The range of y.
  public var y: AxisRange
  /// How far both reach; nil where nobody knows.
  public var size: SurfaceSize?

  /// Creates a surface.
  public init(x: AxisRange, y: AxisRange, size: SurfaceSize? = nil) {
    self.x = x
    self.y = y
    self.size = size
  }

  /// A raw position as a part of the ranges, beyond 0...1 where it lies beyond them; 0 on an axis
  /// without extent.
  public func normalise(_ raw: Point) -> Point {
    Point(x: Self.part(raw.x, of: x), y: Self.part(raw.y, of: y))
  }

  private static func part(_ value: Double, of range: AxisRange) -> Double {
    let extent = Double(range.maximum) - Double(range.minimum)
    return extent > 0 ? (value - Double(range.minimum)) / extent : 0
  }

  /// What a whole axis counts in lengths: millimetres, or 1 where the size is not known.
  var scale: Point { size.map { Point(x: $0.width, y: $0.height) } ?? Point(x: 1, y: 1) }
}

/// A length on a surface: in millimetres, or in parts of its axes where the size is not known.
public enum SurfaceLength: Sendable, Equatable {
  /// Millimetres.
  case millimetres(Double)
  /// Parts of an axis, 1 for all of it.
  case parts(Double)

  /// A length in whichever unit a surface has.
  init(_ value: Double, on size: SurfaceSize?) {
    self = size == nil ? .parts(value) : .millimetres(value)
  }

  /// The bare number.
  public var value: Double {
    switch self {
    case .millimetres(let value), .parts(let value): value
    }
  }
}

extension SurfaceLength: CustomStringConvertible {
  /// The length with its unit, hundredths of a millimetre or of a percent.
  public var description: String {
    switch self {
    case .millimetres(let value): "\(Self.hundredths(value)) mm"
    case .parts(let value): "\(Self.hundredths(value * 100)) % of an axis"
    }
  }

  private static func hundredths(_ value: Double) -> String {
    let scaled = (min(max(value, -1e12), 1e12) * 100).rounded()
    let whole = Int64(scaled)
    let rest = whole.magnitude % 100
    return "\(whole < 0 ? "-" : "")\(whole.magnitude / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
