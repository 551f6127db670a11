import TouchModel

/// Turns device units into the units of a frame.
struct ContactScale {
  let x: AxisRange
  let y: AxisRange
  // Factors, 0 where the axis is missing or has no extent.
  let area: Float
  let pressure: Float
  let pressureMinimum: Int32
  let orientation: Float

  init(axes: [UInt16: AxisRange]) {
    let none = AxisRange(minimum: 0, maximum: 0)
    x = axes[EvdevCode.absMTPositionX] ?? none
    y = axes[EvdevCode.absMTPositionY] ?? none
    area = Self.factor(1, extent: Double(x.maximum) - Double(x.minimum))
    let force = axes[EvdevCode.absMTPressure] ?? none
    pressure = Self.factor(1, extent: Double(force.maximum) - Double(force.minimum))
    pressureMinimum = force.minimum
    // The largest value is a quarter turn clockwise (kernel multi-touch protocol).
    orientation = Self.factor(
      .pi / 2, extent: Double((axes[EvdevCode.absMTOrientation] ?? none).maximum))
  }

  private static func factor(_ whole: Double, extent: Double) -> Float {
    extent > 0 ? Float(whole / extent) : 0
  }

  /// Sets the position.
  ///
  /// - Returns: whether the raw values lie within their ranges.
  @inline(__always)
  func place(_ contact: inout Contact, at state: SlotState) -> Bool {
    contact.rawX = state.x
    contact.rawY = state.y
    contact.position = Point(x: x.normalise(state.x), y: y.normalise(state.y))
    return state.x >= x.minimum && state.x <= x.maximum
      && state.y >= y.minimum && state.y <= y.maximum
  }

  /// Sets what only some devices report.
  func detail(_ contact: inout Contact, with state: SlotState) {
    contact.major = Float(max(0, state.major)) * area
    contact.minor = Float(max(0, state.minor)) * area
    let force = (Float(state.pressure) - Float(pressureMinimum)) * pressure
    contact.pressure = min(1, max(0, force))
    contact.orientation = Float(state.orientation) * orientation
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
