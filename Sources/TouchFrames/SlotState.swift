import TouchModel

/// What the kernel holds for one slot of a device.
///
/// - Source: `EVIOCGMTSLOTS` after opening a device and after `SYN_DROPPED`; a device that lacks
///   an axis leaves it at 0.
public struct SlotState: Sendable, Equatable {
  /// The kernel's number of the contact in the slot; -1 for none.
  public var trackingID: Int32
  /// `ABS_MT_POSITION_X`, in device units.
  public var x: Int32
  /// `ABS_MT_POSITION_Y`, in device units.
  public var y: Int32
  /// `ABS_MT_TOOL_TYPE`.
  public var tool: Int32
  /// `ABS_MT_DISTANCE`; above 0 while the finger hovers.
  public var distance: Int32
  /// `ABS_MT_PRESSURE`, in device units.
  public var pressure: Int32
  /// `ABS_MT_TOUCH_MAJOR`, in device units.
  public var major: Int32
  /// `ABS_MT_TOUCH_MINOR`, in device units.
  public var minor: Int32
  /// `ABS_MT_ORIENTATION`, in device units.
  public var orientation: Int32

  /// Creates a slot's state; by default that of a slot that was never touched.
  public init(
    trackingID: Int32 = -1, x: Int32 = 0, y: Int32 = 0, tool: Int32 = EvdevCode.toolFinger,
    distance: Int32 = 0, pressure: Int32 = 0, major: Int32 = 0, minor: Int32 = 0,
    orientation: Int32 = 0
  ) {
    self.trackingID = trackingID
    self.x = x
    self.y = y
    self.tool = tool
    self.distance = distance
    self.pressure = pressure
    self.major = major
    self.minor = minor
    self.orientation = orientation
  }
}
