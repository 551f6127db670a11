import TouchModel

/// What is to be done about a device that does not keep to what it says of itself.
///
/// The defaults change nothing: the device is taken at its word.
public struct FrameOptions: Sendable, Equatable {
  /// What becomes of a position outside the range of its axis; each is counted in any case.
  public enum OutOfRange: Sendable, Equatable, CaseIterable {
    /// It is taken to the nearest end of the range; the raw value stays.
    case clamp
    /// It is not taken: the last good one stays, and a contact begins once it is inside.
    case drop
    /// It is taken beyond 0...1 by as much; for a mapping that stretches the range and then clamps.
    case count
  }

  /// Ranges to be used in the place of the device's own, by event code.
  public var axes: [UInt16: AxisOverride] = [:]
  /// The axes that carry the position; nil for those of the device's protocol.
  ///
  /// Axes below `ABS_MT_SLOT` make any device one of a single contact.
  public var positionAxes: PositionAxes?
  /// What becomes of a position outside its range.
  public var outOfRange = OutOfRange.clamp
  /// The pressures that become 0 and 1, in device units; nil for the axis's own range.
  public var pressureRange: ClosedRange<Int32>?
  /// How long a device without slots may be quiet while a contact is down.
  ///
  /// Its state is then to be read again; see `FrameAssembler.nextDeadline`.
  /// - Units: nanoseconds; 0 for no limit.
  public var quietLimitNanoseconds: UInt64 = 0
  /// Whether the contacts of a quiet device whose state nobody can tell are taken for lifted.
  ///
  /// It concerns multi-touch protocol A without `BTN_TOUCH`: the kernel keeps no state for it.
  public var liftsWhenQuiet = false
  /// How far a contact without a tracking id may move from one report to the next (protocol A).
  ///
  /// - Units: a part of the range of each axis; beyond it one contact ends and another begins.
  public var matchDistance = 0.25
  /// Whether what hovers over the panel stands in the frames, in phase `hover`.
  public var reportsHover = false
  /// Whether a frame never has an earlier time than the one before, also if the clock steps back.
  ///
  /// That is always so for a device node.
  public var timesNeverStepBack = false
  /// Whether a device that can give no useful frames is refused: an axis without extent, or slots
  /// without `ABS_MT_TRACKING_ID`.
  public var refusesFaultyDevices = false

  /// Creates options that change nothing.
  public init() {}
}

/// What to put in the place of an axis's own range; nil leaves the device's value.
public struct AxisOverride: Sendable, Equatable {
  /// The smallest value.
  public var minimum: Int32?
  /// The largest value; it is reached.
  public var maximum: Int32?
  /// Units a millimetre; 0 for unknown.
  public var resolution: Int32?

  /// Creates an override.
  public init(minimum: Int32? = nil, maximum: Int32? = nil, resolution: Int32? = nil) {
    self.minimum = minimum
    self.maximum = maximum
    self.resolution = resolution
  }

  /// A range with the values put in; an axis that is not there begins as 0...0.
  public func applied(to range: AxisRange?) -> AxisRange {
    var range = range ?? AxisRange(minimum: 0, maximum: 0)
    range.minimum = minimum ?? range.minimum
    range.maximum = maximum ?? range.maximum
    range.resolution = resolution ?? range.resolution
    return range
  }
}

/// The two axes that carry a position.
public struct PositionAxes: Sendable, Equatable {
  /// The event code of x.
  public var x: UInt16
  /// The event code of y.
  public var y: UInt16

  /// `ABS_MT_POSITION_X` and `ABS_MT_POSITION_Y`.
  public static let multiTouch = PositionAxes(
    x: EvdevCode.absMTPositionX, y: EvdevCode.absMTPositionY)
  /// `ABS_X` and `ABS_Y`.
  public static let singleTouch = PositionAxes(x: EvdevCode.absX, y: EvdevCode.absY)

  /// Names two axes.
  public init(x: UInt16, y: UInt16) {
    self.x = x
    self.y = y
  }

  /// Whether both are axes of a slot or of a contact of protocol A.
  var isMultiTouch: Bool { x > EvdevCode.absMTSlot && y > EvdevCode.absMTSlot }
}
