import TouchModel

/// The position axes, prepared for the frame path.
///
/// The same result as `AxisRange.normalise`, both axes at once and without working out the extent
/// each time.
struct PositionScale {
  private let minimum: SIMD2<Int32>
  // The largest distance from the minimum that lies within the range.
  private let reach: SIMD2<Double>
  // The same, but no number on an axis without extent, so that no place is found there.
  private let extent: SIMD2<Double>
  // Where a value past the maximum ends up: 1, but 0 on an axis without extent.
  private let top: SIMD2<Double>

  /// - Parameter isPlain: whether `normalise` may find places; without it all go the long way, so
  ///   that panels without a transform pay nothing for those with one.
  init(x: AxisRange, y: AxisRange, isPlain: Bool) {
    minimum = SIMD2(x.minimum, y.minimum)
    reach = SIMD2(Self.reach(x), Self.reach(y))
    extent = SIMD2(
      reach.x > 0 && isPlain ? reach.x : .nan, reach.y > 0 && isPlain ? reach.y : .nan)
    top = SIMD2(min(1, reach.x), min(1, reach.y))
  }

  private static func reach(_ range: AxisRange) -> Double {
    max(0, Double(range.maximum) - Double(range.minimum))
  }

  // A value below the minimum wraps around and is far beyond the reach as well.
  @inline(__always)
  private func distance(_ x: Int32, _ y: Int32) -> SIMD2<Double> {
    SIMD2(
      Double(UInt32(bitPattern: x &- minimum.x)), Double(UInt32(bitPattern: y &- minimum.y)))
  }

  /// The place of two raw values, 0...1 on each axis; nil if one lies outside its range or on an
  /// axis without extent.
  @inline(__always)
  func normalise(_ x: Int32, _ y: Int32) -> SIMD2<Double>? {
    let place = distance(x, y) / extent
    return place.x <= 1 && place.y <= 1 ? place : nil
  }

  /// Tells whether two raw values lie within their ranges, also on an axis without extent.
  func contains(_ x: Int32, _ y: Int32) -> Bool {
    let distance = distance(x, y)
    return distance.x <= reach.x && distance.y <= reach.y
  }

  /// The place of any two values, beyond 0...1 where they lie beyond the range; 0 on an axis
  /// without extent.
  func extrapolate(_ x: Int32, _ y: Int32) -> SIMD2<Double> {
    SIMD2(extrapolate(x, axis: 0), extrapolate(y, axis: 1))
  }

  private func extrapolate(_ value: Int32, axis: Int) -> Double {
    guard reach[axis] > 0 else { return 0 }
    return (Double(value) - Double(minimum[axis])) / reach[axis]
  }

  /// The place of any two values, clamped to 0...1.
  func clamp(_ x: Int32, _ y: Int32) -> SIMD2<Double> {
    SIMD2(clamp(x, axis: 0), clamp(y, axis: 1))
  }

  private func clamp(_ value: Int32, axis: Int) -> Double {
    let distance = Double(value) - Double(minimum[axis])
    if distance < 0 { return 0 }
    return distance >= reach[axis] ? top[axis] : distance / reach[axis]
  }
}

/// Turns device units into the units of a frame.
struct ContactScale {
  private let place: PositionScale
  private let mapping: DisplayMapping
  // For major, minor, pressure and orientation, in this order: what is taken off, the factor (0
  // where the device does not declare the axis or it has no extent), and the bounds.
  private let offset: SIMD4<Float>
  private let factor: SIMD4<Float>
  private let lower = SIMD4<Float>(0, 0, 0, -.infinity)
  private let upper = SIMD4<Float>(.infinity, .infinity, 1, .infinity)
  /// Whether anything but the position is to be scaled.
  let hasDetails: Bool
  private let outOfRange: FrameOptions.OutOfRange

  /// Prepares for a device.
  ///
  /// - Parameters:
  ///   - axes: the ranges by their code in a slot, whatever the device calls them.
  init(axes: [UInt16: AxisRange], mapping: DisplayMapping, options: FrameOptions) {
    let none = AxisRange(minimum: 0, maximum: 0)
    let xRange = axes[EvdevCode.absMTPositionX] ?? none
    place = PositionScale(
      x: xRange, y: axes[EvdevCode.absMTPositionY] ?? none, isPlain: mapping.isPlain)
    self.mapping = mapping
    outOfRange = options.outOfRange
    let hasArea =
      axes[EvdevCode.absMTTouchMajor] != nil || axes[EvdevCode.absMTTouchMinor] != nil
    let area =
      hasArea ? Self.factor(1, extent: Double(xRange.maximum) - Double(xRange.minimum)) : 0
    let force = axes[EvdevCode.absMTPressure] ?? none
    let pressure = Self.factor(1, extent: Double(force.maximum) - Double(force.minimum))
    // The largest value is a quarter turn clockwise (kernel multi-touch protocol).
    let angle = axes[EvdevCode.absMTOrientation] ?? none
    let orientation = Self.factor(.pi / 2, extent: Double(angle.maximum))
    // In device units, and before the sign; it has no effect where the device says nothing.
    let turn =
      orientation > 0 ? mapping.orientationOffset / orientation * mapping.detailScale[3] : 0
    offset = SIMD4(0, 0, Float(force.minimum), -turn)
    factor = SIMD4(area, area, pressure, orientation)
    hasDetails = factor != .zero
  }

  private static func factor(_ whole: Double, extent: Double) -> Float {
    extent > 0 ? Float(whole / extent) : 0
  }

  /// What came of a raw position.
  enum Placement {
    case inside
    /// It lay outside, and the contact is where the rule for such positions puts it.
    case outside
    /// It lay outside, and the contact has not moved.
    case dropped
  }

  /// Sets a position that lies within its ranges.
  ///
  /// - Returns: false, and nothing is done, for another; see `place`.
  @inline(__always)
  func placeInside(_ contact: inout Contact, x: Int32, y: Int32) -> Bool {
    guard let inside = place.normalise(x, y) else { return false }
    contact.rawX = x
    contact.rawY = y
    let point = mapping.point(inside)
    contact.position = Point(x: point.x, y: point.y)
    return true
  }

  /// Sets any position: also one outside its range, on an axis without extent, or through a transform.
  func place(_ contact: inout Contact, x: Int32, y: Int32) -> Placement {
    if placeInside(&contact, x: x, y: y) { return .inside }
    let isInside = place.contains(x, y)
    if !isInside, outOfRange == .drop { return .dropped }
    contact.rawX = x
    contact.rawY = y
    let isKept = !isInside && outOfRange == .count
    let point = mapping.transformedPoint(isKept ? place.extrapolate(x, y) : place.clamp(x, y))
    contact.position = Point(x: point.x, y: point.y)
    return isInside ? .inside : .outside
  }

  /// Tells whether a contact may begin at a position.
  func mayBegin(x: Int32, y: Int32) -> Bool { outOfRange != .drop || place.contains(x, y) }

  /// Sets what only some devices report.
  @inline(__always)
  func detail(
    _ contact: inout Contact, major: Int32, minor: Int32, pressure: Int32, orientation: Int32
  ) {
    let raw = SIMD4(Float(major), Float(minor), Float(pressure), Float(orientation))
    var values = (raw - offset) * factor
    values.replace(with: lower, where: values .< lower)
    values.replace(with: upper, where: values .> upper)
    values *= mapping.detailScale
    contact.major = values[0]
    contact.minor = values[1]
    contact.pressure = values[2]
    contact.orientation = values[3]
  }

  /// The tool's name for a kernel value; what it is not known for counts as a finger.
  @inline(__always)
  static func tool(_ value: Int32) -> ContactTool {
    switch value {
    case EvdevCode.toolPen: .pen
    case EvdevCode.toolPalm: .palm
    default: .finger
    }
  }
}
