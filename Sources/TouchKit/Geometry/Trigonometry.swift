#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#endif

/// The functions of an angle that the standard library lacks; the only place that asks libm.
enum Trigonometry {
  static func sine(_ angle: Double) -> Double { sin(angle) }
  static func cosine(_ angle: Double) -> Double { cos(angle) }

  /// The angle of a vector against the x axis, in radians, `-π ... π`; towards y is positive.
  static func angle(x: Double, y: Double) -> Double { atan2(y, x) }
}
