import TouchModel

/// One position axis, prepared for the frame path.
///
/// The same result as `AxisRange.normalise`, without working out the extent each time.
struct PositionScale {
  private let range: AxisRange
  private let minimum: Double
  private let extent: Double
  // Where a value past the maximum ends up: 1, but 0 on an axis without extent.
  private let top: Double

  init(_ range: AxisRange) {
    self.range = range
    minimum = Double(range.minimum)
    let extent = Double(range.maximum) - minimum
    self.extent = extent > 0 ? extent : .infinity
    top = extent > 0 ? 1 : 0
  }

  @inline(__always)
  func contains(_ value: Int32) -> Bool { value >= range.minimum && value <= range.maximum }

  /// The place of a value that lies within the range, 0...1.
  @inline(__always)
  func normalise(_ value: Int32) -> Double { (Double(value) - minimum) / extent }

  /// The place of any value, clamped to 0...1.
  func clamp(_ value: Int32) -> Double {
    if value < range.minimum { return 0 }
    return value > range.maximum ? top : normalise(value)
  }
}

/// Turns device units into the units of a frame.
struct ContactScale {
  private let x: PositionScale
  private let y: PositionScale
  // Factors; 0 where the device does not declare the axis or the axis has no extent.
  private let area: Float
  private let pressure: Float
  private let pressureMinimum: Float
  private let orientation: Float
  /// Whether anything but the position is to be scaled.
  let hasDetails: Bool

  init(axes: [UInt16: AxisRange]) {
    let none = AxisRange(minimum: 0, maximum: 0)
    let xRange = axes[EvdevCode.absMTPositionX] ?? none
    x = PositionScale(xRange)
    y = PositionScale(axes[EvdevCode.absMTPositionY] ?? none)
    let hasArea =
      axes[EvdevCode.absMTTouchMajor] != nil || axes[EvdevCode.absMTTouchMinor] != nil
    area = hasArea ? Self.factor(1, extent: Double(xRange.maximum) - Double(xRange.minimum)) : 0
    let force = axes[EvdevCode.absMTPressure] ?? none
    pressure = Self.factor(1, extent: Double(force.maximum) - Double(force.minimum))
    pressureMinimum = Float(force.minimum)
    // The largest value is a quarter turn clockwise (kernel multi-touch protocol).
    let angle = axes[EvdevCode.absMTOrientation] ?? none
    orientation = Self.factor(.pi / 2, extent: Double(angle.maximum))
    hasDetails = area != 0 || pressure != 0 || orientation != 0
  }

  private static func factor(_ whole: Double, extent: Double) -> Float {
    extent > 0 ? Float(whole / extent) : 0
  }

  /// Sets the position.
  ///
  /// - Returns: whether the raw values lie within their ranges.
  @inline(__always)
  func place(_ contact: inout Contact, x rawX: Int32, y rawY: Int32) -> Bool {
    contact.rawX = rawX
    contact.rawY = rawY
    if x.contains(rawX), y.contains(rawY) {
      contact.position = Point(x: x.normalise(rawX), y: y.normalise(rawY))
      return true
    }
    contact.position = Point(x: x.clamp(rawX), y: y.clamp(rawY))
    return false
  }

  /// Sets what only some devices report.
  @inline(__always)
  func detail(
    _ contact: inout Contact, major: Int32, minor: Int32, pressure force: Int32,
    orientation angle: Int32
  ) {
    if area != 0 {
      contact.major = Float(max(0, major)) * area
      contact.minor = Float(max(0, minor)) * area
    }
    if pressure != 0 {
      contact.pressure = min(1, max(0, (Float(force) - pressureMinimum) * pressure))
    }
    if orientation != 0 { contact.orientation = Float(angle) * orientation }
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
