/// What a frame assembler noticed and carried on with, counted since it was made.
///
/// A device can repeat each of these a thousand times a second, so they are numbers to look at
/// now and then, not messages.
public struct FrameCounters: Sendable, Equatable {
  /// Frames handed out.
  public var frames: UInt64 = 0
  /// `SYN_DROPPED` seen: the reader was too slow and the kernel threw events away.
  public var droppedReports: UInt64 = 0
  /// Slots chosen that lie past the declared ones; they are tracked all the same.
  public var slotsBeyondDeclared: UInt64 = 0
  /// Slots chosen that lie outside `0 ..< FrameAssembler.slotLimit`; their events are ignored.
  public var slotsBeyondLimit: UInt64 = 0
  /// Positions outside the range of their axis; see `FrameOptions.OutOfRange`.
  public var outOfRange: UInt64 = 0
  /// Tracking ids that came while another slot held the same id; taken as contacts of their own.
  public var doubleIDs: UInt64 = 0
  /// Tracking ids replaced by another without -1 between; the old contact is cancelled.
  public var replacedIDs: UInt64 = 0
  /// Contacts that were down before the device was opened; ignored until they are lifted.
  public var contactsDownAtOpen: UInt64 = 0
  /// Contacts that were or became a palm; not listed, or cancelled.
  public var palms: UInt64 = 0
  /// Contacts that came and went within one frame and found no room to be kept; not listed.
  public var lostTaps: UInt64 = 0
  /// Contacts that began exactly where the one before in their slot was last: on many panels the
  /// mark of a ghost, which comes without any position event.
  public var downsInPlace: UInt64 = 0
  /// Contacts that began before any position had come; they begin at the device's 0, 0.
  public var downsWithoutPosition: UInt64 = 0
  /// Contacts of a report that told neither an id nor a position (protocol A); ignored.
  public var emptyContacts: UInt64 = 0
  /// Contacts of a report beyond the most that are tracked (protocol A); ignored.
  public var contactsBeyondLimit: UInt64 = 0
  /// Reports in which `BTN_TOUCH` alone said that all contacts of a device with slots were lifted.
  public var liftsByKey: UInt64 = 0
  /// Frames whose time lay before that of the frame before and was held at it.
  public var timesHeld: UInt64 = 0

  /// Creates counters at zero.
  public init() {}
}
