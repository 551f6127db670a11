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

  /// Whether what is in the slot touches the surface, and with something other than a palm.
  var isTouch: Bool { distance <= 0 && tool != EvdevCode.toolPalm }
}

/// One slot: the kernel's values, and what was handed out of them.
///
///                    id >= 0                    SYN_REPORT, touching
///         +-- empty ---------> waiting ------------------------------> live --+
///         |     ^                | ^ ^                                  | |   |
///         |     | id -1          | | +---- SYN_REPORT, hovering: up ----+ |   |
///         |     +----------------+ |                                      |   |
///         |     +---- id -1: up ---|--------------------------------------+   |
///         |                        +---- other id >= 0: cancel ---------------+
///         v
///       silent: began as a palm or became one (cancel), was down at open, or all was cancelled.
///               Left by id -1 (to empty) and by another id >= 0 (to waiting).
///
/// A hovering finger waits. `ending` is the end, not yet handed out, of the contact in `contact`;
/// the stage is then already that of its successor.
struct Slot {
  enum Stage: UInt8 {
    case empty
    case waiting
    case live
    case silent
  }

  var state = SlotState()
  var stage = Stage.empty
  var ending: ContactPhase?
  // As it was last handed out: an end carries the position before its frame, for drivers put
  // rubbish beside the release.
  var contact = Contact(id: 0, slot: 0, phase: .still, position: Point(x: 0, y: 0))
}

/// A contact that came and went within one frame.
struct Tap {
  var slot: Int
  var state: SlotState
  var end: ContactPhase
}
