// Where this module sits: it is what all stages share.
// device -> frames -> routing -> socket -> app, each hands on values declared here.

/// One event as the kernel's evdev node hands it out, laid out like `struct input_event`.
///
/// A `read(2)` on a node may fill an array of these directly.
///
/// - Source: `linux/input.h`; `seconds` and `microseconds` are in the clock chosen for the node.
public struct EvdevEvent: Sendable, Equatable {
  /// Whole seconds of the event's time stamp.
  public var seconds: Int
  /// The part of the time stamp below a second, in microseconds.
  public var microseconds: Int
  /// The event type, `EV_SYN`, `EV_KEY`, `EV_ABS` and so on.
  public var type: UInt16
  /// The event code within its type.
  public var code: UInt16
  /// The value; its meaning depends on type and code.
  public var value: Int32

  /// Creates an event from its five fields.
  @inlinable
  public init(seconds: Int, microseconds: Int, type: UInt16, code: UInt16, value: Int32) {
    self.seconds = seconds
    self.microseconds = microseconds
    self.type = type
    self.code = code
    self.value = value
  }

  /// Type and code in one number, the code above, so that one comparison tells both.
  @inlinable
  public var key: UInt32 { UInt32(type) | UInt32(code) << 16 }

  /// The time stamp in nanoseconds; times before the clock's zero count as zero.
  ///
  /// - Errors: none; a stamp that would overflow is held at the largest value.
  @inlinable
  public var timeNanoseconds: UInt64 {
    guard seconds >= 0, microseconds >= 0 else { return 0 }
    // What the kernel writes: no product or sum comes near the limit.
    if seconds < 1 << 33, microseconds < 1_000_000 {
      return UInt64(seconds) &* 1_000_000_000 &+ UInt64(microseconds) &* 1_000
    }
    let (whole, tooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (part, tooWide) = UInt64(microseconds).multipliedReportingOverflow(by: 1_000)
    let (sum, tooLarge) = whole.addingReportingOverflow(part)
    return tooLong || tooWide || tooLarge ? .max : sum
  }
}

/// The event types and codes of `linux/input-event-codes.h` that touch input needs.
public enum EvdevCode {
  /// `EV_SYN`.
  public static let syn: UInt16 = 0x00
  /// `EV_KEY`.
  public static let key: UInt16 = 0x01
  /// `EV_ABS`.
  public static let abs: UInt16 = 0x03

  /// `SYN_REPORT`: ends a frame.
  public static let synReport: UInt16 = 0
  /// `SYN_MT_REPORT`: ends one contact of protocol A.
  public static let synMTReport: UInt16 = 2
  /// `SYN_DROPPED`: the kernel's buffer overflowed and events were lost.
  public static let synDropped: UInt16 = 3

  /// `BTN_LEFT`: the touch itself on panels that pass for a mouse.
  public static let btnLeft: UInt16 = 0x110
  /// `BTN_TOOL_PEN`: a pen is near or touches; `BTN_TOOL_AIRBRUSH` and what lies between are pens too.
  public static let btnToolPen: UInt16 = 0x140
  /// `BTN_TOOL_AIRBRUSH`.
  public static let btnToolAirbrush: UInt16 = 0x144
  /// `BTN_TOOL_FINGER`.
  public static let btnToolFinger: UInt16 = 0x145
  /// `BTN_TOUCH`.
  public static let btnTouch: UInt16 = 0x14a
  /// `BTN_STYLUS`: the button on a pen.
  public static let btnStylus: UInt16 = 0x14b

  /// `ABS_X`.
  public static let absX: UInt16 = 0x00
  /// `ABS_Y`.
  public static let absY: UInt16 = 0x01
  /// `ABS_PRESSURE`.
  public static let absPressure: UInt16 = 0x18
  /// `ABS_DISTANCE`.
  public static let absDistance: UInt16 = 0x19
  /// `ABS_MT_SLOT`.
  public static let absMTSlot: UInt16 = 0x2f
  /// `ABS_MT_TOUCH_MAJOR`.
  public static let absMTTouchMajor: UInt16 = 0x30
  /// `ABS_MT_TOUCH_MINOR`.
  public static let absMTTouchMinor: UInt16 = 0x31
  /// `ABS_MT_ORIENTATION`.
  public static let absMTOrientation: UInt16 = 0x34
  /// `ABS_MT_POSITION_X`.
  public static let absMTPositionX: UInt16 = 0x35
  /// `ABS_MT_POSITION_Y`.
  public static let absMTPositionY: UInt16 = 0x36
  /// `ABS_MT_TOOL_TYPE`.
  public static let absMTToolType: UInt16 = 0x37
  /// `ABS_MT_TRACKING_ID`.
  public static let absMTTrackingID: UInt16 = 0x39
  /// `ABS_MT_PRESSURE`.
  public static let absMTPressure: UInt16 = 0x3a
  /// `ABS_MT_DISTANCE`.
  public static let absMTDistance: UInt16 = 0x3b

  /// `MT_TOOL_FINGER`.
  public static let toolFinger: Int32 = 0
  /// `MT_TOOL_PEN`.
  public static let toolPen: Int32 = 1
  /// `MT_TOOL_PALM`.
  public static let toolPalm: Int32 = 2

  /// `INPUT_PROP_DIRECT`.
  public static let propDirect: UInt16 = 0x01
}
