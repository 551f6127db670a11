/// Takes a device's own positions, also those between two of its units, to where frames have them.
///
/// The same way as a frame assembler's: clamped and normalised to 0...1 on each axis, then moved,
/// scaled and turned, and kept within the area that the panel covers.
public struct RawPlacement: Sendable, Equatable {
  private let minimum: SIMD2<Double>
  private let extent: SIMD2<Double>
  private let origin: SIMD2<Double>
  private let xStep: SIMD2<Double>
  private let yStep: SIMD2<Double>
  private let lowest: SIMD2<Double>
  private let highest: SIMD2<Double>

  /// Creates a placement from where three corners of the panel lie.
  ///
  /// - Parameters:
  ///   - x: the panel's horizontal axis.
  ///   - y: its vertical axis.
  ///   - origin: the place of the smallest x and y.
  ///   - xEnd: the place of the largest x at the smallest y.
  ///   - yEnd: the place of the largest y at the smallest x.
  ///   - area: two opposite corners that no place lies beyond.
  public init(
    x: AxisRange, y: AxisRange, origin: Point, xEnd: Point, yEnd: Point, area: (Point, Point)
  ) {
    minimum = SIMD2(Double(x.minimum), Double(y.minimum))
    extent = SIMD2(Double(x.maximum), Double(y.maximum)) - minimum
    self.origin = SIMD2(origin.x, origin.y)
    xStep = SIMD2(xEnd.x, xEnd.y) - self.origin
    yStep = SIMD2(yEnd.x, yEnd.y) - self.origin
    lowest = SIMD2(min(area.0.x, area.1.x), min(area.0.y, area.1.y))
    highest = SIMD2(max(area.0.x, area.1.x), max(area.0.y, area.1.y))
  }

  /// The place of a position in device units.
  public func point(_ raw: SIMD2<Double>) -> Point {
    let place = SIMD2(normalised(raw.x, axis: 0), normalised(raw.y, axis: 1))
    let point = origin + xStep * place.x + yStep * place.y
    return Point(
      x: min(highest.x, max(lowest.x, point.x)), y: min(highest.y, max(lowest.y, point.y)))
  }

  // An axis without extent has one place: its start.
  private func normalised(_ value: Double, axis: Int) -> Double {
    guard extent[axis] > 0 else { return 0 }
    return min(1, max(0, (value - minimum[axis]) / extent[axis]))
  }
}
