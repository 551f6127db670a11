import TouchModel

/// Takes a panel's normalised positions to points of the display it belongs to.
///
/// The normalised position n is closed, 0...1, and a display is half open: point = n * (size -
/// 1 / scale), so that the last unit of an axis lands on the last pixel. The assembler applies it
/// as it places a contact, so that a contact which keeps still costs nothing.
public struct DisplayMapping: Sendable, Equatable {
  /// Leaves positions normalised and areas fractions of the x axis; for tools.
  public static let normalised = DisplayMapping(span: SIMD2(1, 1), areaScale: 1)

  private let span: SIMD2<Double>
  /// What major, minor, pressure and orientation, once normalised, are multiplied with.
  let detailScale: SIMD4<Float>

  /// Prepares for a display.
  public init(display: Display) {
    self.init(
      span: SIMD2(
        max(0, display.width - 1 / display.scale), max(0, display.height - 1 / display.scale)),
      areaScale: Float(display.width))
  }

  private init(span: SIMD2<Double>, areaScale: Float) {
    self.span = span
    detailScale = SIMD4(areaScale, areaScale, 1, 1)
  }

  /// The point for a normalised position, which lies within 0...1 on both axes.
  @inline(__always)
  func point(_ normalised: SIMD2<Double>) -> SIMD2<Double> { normalised * span }
}
