import TouchModel

/// The margin within which a resting contact's jitter is no movement.
///
/// - Units: device units on both axes; 0 for an axis that is not filtered.
public struct HysteresisMargin: Sendable, Equatable {
  /// The margin on the x axis.
  public var x: Double
  /// The margin on the y axis.
  public var y: Double

  /// Creates a margin; what is negative or no number counts as 0.
  public init(x: Double, y: Double) {
    self.x = x > 0 && x.isFinite ? x : 0
    self.y = y > 0 && y.isFinite ? y : 0
  }

  /// No margin.
  public static let none = HysteresisMargin(x: 0, y: 0)

  /// Works out the margin that a panel is to have.
  ///
  /// libinput's udev rule moves a device's fuzz out of the kernel, which else swallows small moves
  /// at the start of a drag, and leaves it in two properties. A kernel that still has its fuzz
  /// filters itself, and to filter twice would only add lag.
  /// - Parameters:
  ///   - setting: what the configuration says.
  ///   - xFuzz: the property `LIBINPUT_FUZZ_35`; nil where it is missing.
  ///   - yFuzz: the property `LIBINPUT_FUZZ_36`; nil where it is missing.
  /// - Returns: nil if the setting needs millimetres and the panel has none.
  public static func of(
    _ geometry: PanelGeometry, setting: Hysteresis, xFuzz: String?, yFuzz: String?
  ) -> HysteresisMargin? {
    switch setting {
    case .off: return HysteresisMargin.none
    case .millimetres(let distance):
      guard let units = geometry.unitsPerMillimetre else { return nil }
      return HysteresisMargin(x: distance * units.x, y: distance * units.y)
    case .fromFuzz:
      return HysteresisMargin(
        x: half(xFuzz, kernel: geometry.x.fuzz), y: half(yFuzz, kernel: geometry.y.fuzz))
    }
  }

  private static func half(_ property: String?, kernel fuzz: Int32) -> Double {
    // What is no number is nobody's fuzz.
    guard fuzz == 0, let property, let value = Int32(property), value > 0 else { return 0 }
    return Double(value) / 2
  }

  /// Whether it filters nothing.
  public var isNone: Bool { x == 0 && y == 0 }

  /// Where a contact counts as being that counted as resting at `center` and now reports `place`.
  ///
  /// The center stays while the contact is within an ellipse around it, and is else dragged along
  /// at that distance; the same as libinput's rule.
  func follow(_ place: SIMD2<Double>, from center: SIMD2<Double>) -> SIMD2<Double> {
    let away = place - center
    guard x > 0, y > 0 else {
      return SIMD2(
        Self.follow(place.x, by: away.x, margin: x), Self.follow(place.y, by: away.y, margin: y))
    }
    let scaled = away / SIMD2(x, y)
    let distance = (scaled * scaled).sum().squareRoot()
    guard distance > 1 else { return center }
    return place - away / distance
  }

  private static func follow(_ place: Double, by away: Double, margin: Double) -> Double {
    if abs(away) <= margin { return place - away }
    return away < 0 ? place + margin : place - margin
  }
}
