import TouchModel

/// Takes a panel's normalised positions to points of the display it belongs to.
///
/// The normalised position n is closed, 0...1, through the panel's calibration and the display's
/// turn, then clamped; a display is half open: point = n * (size - 1 / scale), so that the last unit
/// of an axis lands on the last pixel. The assembler applies it as it places a contact, so that a
/// contact which keeps still costs nothing.
public struct DisplayMapping: Sendable, Equatable {
  /// Leaves positions normalised and areas fractions of the x axis; for tools.
  public static let normalised = DisplayMapping(
    span: SIMD2(1, 1), size: SIMD2(1, 1), transform: .identity)

  private let span: SIMD2<Double>
  /// Whether positions go straight to points, without a transform.
  let isPlain: Bool
  // The columns of the transform.
  private let perX: SIMD2<Double>
  private let perY: SIMD2<Double>
  private let shift: SIMD2<Double>
  /// What major, minor, pressure and orientation, once normalised, are multiplied with.
  let detailScale: SIMD4<Float>
  /// What is added to the orientation, in radians: a quarter turn where the axes change places.
  ///
  /// A diameter has no direction, so half a turn changes nothing, and what a calibration skews by a
  /// degree or two is left out.
  let orientationOffset: Float

  /// Prepares for a display.
  ///
  /// - Parameter transform: from the panel to the display, both normalised.
  public init(display: Display, transform: PanelTransform = .identity) {
    self.init(
      span: SIMD2(
        max(0, display.width - 1 / display.scale), max(0, display.height - 1 / display.scale)),
      size: SIMD2(display.width, display.height), transform: transform)
  }

  private init(span: SIMD2<Double>, size: SIMD2<Double>, transform: PanelTransform) {
    self.span = span
    isPlain = transform == .identity
    perX = SIMD2(transform.a, transform.d)
    perY = SIMD2(transform.b, transform.e)
    shift = SIMD2(transform.c, transform.f)
    // How long the panel's x axis is on the display: areas are in its units.
    let axis = perX * size
    let area = Float((axis * axis).sum().squareRoot())
    detailScale = SIMD4(area, area, 1, transform.determinant < 0 ? -1 : 1)
    orientationOffset = abs(perY.x * size.x) > abs(perY.y * size.y) ? .pi / 2 : 0
  }

  /// The point for a normalised position, which lies within 0...1 on both axes; where `isPlain`.
  @inline(__always)
  func point(_ normalised: SIMD2<Double>) -> SIMD2<Double> { normalised * span }

  /// Where the transform takes a normalised position, also outside of the display.
  func unclampedPoint(_ normalised: SIMD2<Double>) -> SIMD2<Double> {
    (perX * normalised.x + (perY * normalised.y + shift)) * span
  }

  /// The point for any normalised position, through the transform.
  func transformedPoint(_ normalised: SIMD2<Double>) -> SIMD2<Double> {
    let place = perX * normalised.x + (perY * normalised.y + shift)
    return place.clamped(lowerBound: SIMD2(0, 0), upperBound: SIMD2(1, 1)) * span
  }
}
