import TouchModel

/// What filters need to know of a panel.
public struct PanelGeometry: Sendable, Equatable {
  /// The panel's x axis.
  public var x: AxisRange
  /// The panel's y axis.
  public var y: AxisRange
  /// Device units a millimetre on both axes; nil where neither the device nor the caller says.
  public var unitsPerMillimetre: SIMD2<Double>?
  /// Where positions lie in frames.
  public var placement: RawPlacement
  /// What a diameter of one device unit has in frames; 0 for a panel that does not report it.
  public var areaUnit: Double
  /// Whether the panel reports pressure.
  public var hasPressure: Bool

  /// Takes from a device's axes what filters need.
  ///
  /// - Parameters:
  ///   - size: the size of the panel in millimetres, where its own resolution is missing or wrong.
  ///   - areaScale: what a diameter as long as the x axis has in frames.
  public init(
    axes: [UInt16: AxisRange], placement: RawPlacement, areaScale: Double,
    size: SIMD2<Double>? = nil
  ) {
    (x, y) = Self.position(axes)
    self.placement = placement
    let extent = SIMD2(
      Double(x.maximum) - Double(x.minimum), Double(y.maximum) - Double(y.minimum))
    let units = size.map { extent / $0 } ?? SIMD2(Double(x.resolution), Double(y.resolution))
    // NaN and what is negative fail the comparison.
    let isUsable = units.x > 0 && units.y > 0 && units.x.isFinite && units.y.isFinite
    unitsPerMillimetre = isUsable ? units : nil
    let hasArea = axes[EvdevCode.absMTTouchMajor] != nil && extent.x > 0
    areaUnit = hasArea ? areaScale / extent.x : 0
    let force = axes[EvdevCode.absMTPressure] ?? axes[EvdevCode.absPressure]
    hasPressure = force.map { $0.maximum > $0.minimum } ?? false
  }

  /// The axes that a device's positions are on.
  public static func position(_ axes: [UInt16: AxisRange]) -> (x: AxisRange, y: AxisRange) {
    let none = AxisRange(minimum: 0, maximum: 0)
    return (
      axes[EvdevCode.absMTPositionX] ?? axes[EvdevCode.absX] ?? none,
      axes[EvdevCode.absMTPositionY] ?? axes[EvdevCode.absY] ?? none
    )
  }

  /// A diameter as frames have it; infinite for a panel without a known size.
  func diameter(millimetres: Double) -> Float {
    guard let units = unitsPerMillimetre else { return .infinity }
    // Frames have it rounded, in steps of their own: what is as large shall not fall short of it.
    return Float(millimetres * units.x * areaUnit * (1 - 1e-5))
  }
}
