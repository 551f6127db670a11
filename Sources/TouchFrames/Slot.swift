import TouchModel

/// One slot: what was handed out of the kernel's values for it, which stand in `SlotValues`.
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
///       lifted: was live as BTN_TOUCH 0 said, without the -1, that all is over (up).
///               Left as silent is, by the same id once more, and by BTN_TOUCH 1 (to waiting).
///
/// A hovering finger waits, and so does one outside the range where such positions are dropped.
/// `ending` is the end, not yet handed out, of the contact in `contact`;
/// the stage is then already that of its successor.
struct Slot {
  enum Stage: UInt8 {
    case empty
    case waiting
    case live
    case silent
    case lifted
  }

  var stage = Stage.empty
  var ending: ContactPhase?
  // As it was last handed out: an end carries the position before its frame, for drivers put
  // rubbish beside the release.
  var contact = Contact(id: 0, slot: 0, phase: .still, position: Point(x: 0, y: 0))
  // The id told to observers of what hovers here, for the contact that it may become; 0 for none.
  var hoverID: UInt64 = 0
}

/// A contact that came and went within one frame.
struct Tap {
  var slot: Int
  var state: SlotState
  var end: ContactPhase
}

/// The kernel's values for one slot, by event code.
///
/// A plain row of numbers, so that an event is one store, whatever its axis.
///
/// - Ownership: points into storage of the assembler.
struct SlotValues {
  /// How many there are: from `ABS_MT_SLOT` (its place is not used) to `ABS_MT_TOOL_Y`, rounded up.
  static var count: Int { 16 }

  /// A bit for each place that an event's value goes to as it is: all but slot and tracking id.
  static var plainPlaces: Int {
    0xffff ^ 1 ^ 1 << Int(EvdevCode.absMTTrackingID - EvdevCode.absMTSlot)
  }

  /// Where an event's value belongs; `count` or more for an event of no such axis.
  @inline(__always)
  static func place(of event: EvdevEvent) -> Int {
    let first = UInt32(EvdevCode.abs) | UInt32(EvdevCode.absMTSlot) << 16
    let distance = event.key &- first
    // Another type leaves low bits, which the rotation makes high ones.
    return Int(distance >> 16 | distance << 16)
  }

  let base: UnsafeMutablePointer<Int32>

  @inline(__always)
  subscript(code: UInt16) -> Int32 {
    get { base[Int(code &- EvdevCode.absMTSlot) & 15] }
    nonmutating set { base[Int(code &- EvdevCode.absMTSlot) & 15] = newValue }
  }

  /// Whether what is in the slot touches the surface, and with something other than a palm.
  @inline(__always)
  var isTouch: Bool {
    self[EvdevCode.absMTDistance] <= 0 && self[EvdevCode.absMTToolType] != EvdevCode.toolPalm
  }

  /// The values as the caller of an assembler knows them.
  var state: SlotState {
    SlotState(
      trackingID: self[EvdevCode.absMTTrackingID], x: self[EvdevCode.absMTPositionX],
      y: self[EvdevCode.absMTPositionY], tool: self[EvdevCode.absMTToolType],
      distance: self[EvdevCode.absMTDistance], pressure: self[EvdevCode.absMTPressure],
      major: self[EvdevCode.absMTTouchMajor], minor: self[EvdevCode.absMTTouchMinor],
      orientation: self[EvdevCode.absMTOrientation])
  }

  /// Sets everything but the position and the tracking id to 0.
  func forgetDetails() {
    let (id, x, y) = (
      self[EvdevCode.absMTTrackingID], self[EvdevCode.absMTPositionX],
      self[EvdevCode.absMTPositionY]
    )
    base.update(repeating: 0, count: Self.count)
    self[EvdevCode.absMTTrackingID] = id
    self[EvdevCode.absMTPositionX] = x
    self[EvdevCode.absMTPositionY] = y
  }

  /// Takes all values over.
  func set(_ state: SlotState) {
    base.update(repeating: 0, count: Self.count)
    self[EvdevCode.absMTTrackingID] = max(-1, state.trackingID)
    self[EvdevCode.absMTPositionX] = state.x
    self[EvdevCode.absMTPositionY] = state.y
    self[EvdevCode.absMTToolType] = state.tool
    self[EvdevCode.absMTDistance] = state.distance
    self[EvdevCode.absMTPressure] = state.pressure
    self[EvdevCode.absMTTouchMajor] = state.major
    self[EvdevCode.absMTTouchMinor] = state.minor
    self[EvdevCode.absMTOrientation] = state.orientation
  }
}
