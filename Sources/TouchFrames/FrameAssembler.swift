import TouchModel

// Where this module sits: device -> *frames* -> routing -> socket -> app.
// It turns a device's raw events into frames: the same code for live devices and recordings.

/// Turns the events of one device into frames, whichever way it tells contacts apart.
///
/// The slot table is that of multi-touch protocol B. Devices of protocol A and those of a single
/// contact have a front end each, which puts what their events say into slots, so that gaps, ids,
/// taps, palms and ends are the same for all.
///
/// Feed it events in order. Whenever `consume` returns true a frame is complete and stands in
/// `frame` until the next call; then call `takePendingFrame()` until it returns false, since a
/// contact that came and went within one report takes a second frame of the same time.
///
/// In a frame, positions are points of the display that the assembler was given a mapping for.
/// Without one they are normalised 0...1, closed at both ends, and touch areas are fractions of the
/// x axis (0.1: a tenth of its length). Contacts stand by slot, and where a slot is reused the
/// ended contact comes first. An ended contact has the position of the frame before.
///
/// The slot is what a contact is told by, as the protocol says: an id that moves on to another slot
/// ends one contact and begins another. `BTN_TOUCH` 0 lifts all contacts of a device with slots only
/// in a report in which no slot changes its id or its position.
///
/// No stream of events makes it trap, and it allocates nothing after its creation.
///
/// - Ownership: owns its storage, which goes with it; not copyable for that reason.
public struct FrameAssembler: ~Copyable {
  /// Where events come from, which decides how a gap (`SYN_DROPPED`) is bridged.
  public enum Source: Sendable {
    /// A file: what was lost is lost; all contacts are cancelled.
    case recording
    /// A device node: the kernel can be asked for the state after the gap.
    case device
  }

  /// The slots that are tracked, whatever a device declares.
  ///
  /// `input_mt_init_slots` of current kernels refuses a device with more.
  public static var slotLimit: Int { 1024 }

  /// The contacts that a frame has room for: one that ends and one that begins in each slot.
  public static var frameCapacity: Int { 2 * slotLimit }

  /// The contacts kept that came and went within one frame: one for each slot of a large panel.
  static var tapLimit: Int { 64 }

  @usableFromInline
  enum Reading {
    case frames
    // SYN_DROPPED was seen; what follows is half a frame, up to the next SYN_REPORT.
    case discarding
    case awaitingResync
  }

  /// The frame that was completed last; its contacts may be changed or taken away.
  public var frame: FrameBuffer
  /// What was noticed on the way.
  public internal(set) var counters = FrameCounters()
  /// The slots the device declares, at most `slotLimit`; without slots those that are used here.
  public let declaredSlots: Int
  /// The way in which the device tells contacts apart, with the options taken into account.
  public let touchProtocol: TouchProtocol
  /// What was asked for.
  public let options: FrameOptions

  let source: Source
  let isInjected: Bool
  let ids: ContactIDSequence
  let scale: ContactScale
  // Times below this are held at it; stays 0 where times may step back.
  var earliestTime: UInt64 = 0
  let timeMask: UInt64

  let slots: UnsafeMutablePointer<Slot>
  // One row more than the limit: the last takes the events of slots that are not tracked.
  let values: UnsafeMutablePointer<Int32>
  // How many slots are initialised; the others have never been named.
  var slotCount = 0
  var current: SlotValues
  // A bit for each slot that has something to hand out or waits for it.
  var active = InlineArray<16, UInt64>(repeating: 0)
  var activeWords = 1
  let taps: UnsafeMutablePointer<Tap>
  var tapCount = 0
  @usableFromInline var reading = Reading.frames
  @usableFromInline var isFramePending = false
  // Whether a report means just what the slots say.
  var isPlain: Bool
  // What BTN_TOUCH was last said to be, and whether that was in this report.
  var touchKey = TouchKey()
  // Whether a slot got an id, or lost it, since the last report.
  var hasNewID = false
  // Whether the device has slots of its own; without them one of the front ends is there.
  let hasSlots: Bool
  let reports: ReportCollector?
  let single: SingleTouch?
  /// Whether the state of the device is to be read again, since it has been quiet for too long.
  ///
  /// Ask it for what `heldState` names, then call `takeState`.
  public internal(set) var needsStateCheck = false
  var quiet = QuietWatch()

  /// Prepares for the events of one device.
  ///
  /// - Errors: a device without position axes; with `refusesFaultyDevices` also one that can give
  ///   no useful frames.
  public init(
    description: DeviceDescription, device: UInt32, display: UInt32, ids: ContactIDSequence,
    source: Source, isInjected: Bool, mapping: DisplayMapping = .normalised,
    options: FrameOptions = FrameOptions()
  ) throws(FrameError) {
    let plan = try DevicePlan(description, options: options)
    touchProtocol = plan.touchProtocol
    declaredSlots = min(plan.slots, Self.slotLimit)
    self.options = options
    self.ids = ids
    self.source = source
    self.isInjected = isInjected
    timeMask = source == .device || options.timesNeverStepBack ? .max : 0
    scale = ContactScale(axes: plan.slotAxes, mapping: mapping, options: options)
    // Locals, for `&&` puts its right side into a closure: with properties there, the compiler takes
    // the frame for one that is there already, and frees it first (Swift 6.3.1).
    let reports = plan.makeCollector(options: options)
    let single = plan.makeSingleTouch()
    let hasSlots = reports == nil && single == nil
    self.reports = reports
    self.single = single
    self.hasSlots = hasSlots
    isPlain = hasSlots
    frame = FrameBuffer(capacity: Self.frameCapacity)
    frame.device = device
    frame.display = display
    slots = .allocate(capacity: Self.slotLimit)
    values = .allocate(capacity: (Self.slotLimit + 1) * SlotValues.count)
    current = SlotValues(base: values)
    SlotValues(base: values + Self.slotLimit * SlotValues.count).set(SlotState())
    taps = .allocate(capacity: Self.tapLimit)
    growSlots(to: declaredSlots)
  }

  deinit {
    slots.deallocate()
    values.deallocate()
    taps.deallocate()
  }

  /// Whether events were lost: `SYN_DROPPED` was seen and its `SYN_REPORT` has come.
  ///
  /// Only with a device as source. Read the node until it is empty (what is consumed meanwhile is
  /// ignored), ask the kernel for the slots, then call `resynchronise`.
  @inlinable public var needsResync: Bool { reading == .awaitingResync }

  /// Takes the next event.
  ///
  /// - Returns: true if it completed a frame that has contacts; see `frame`.
  public mutating func consume(_ event: EvdevEvent) -> Bool {
    guard hasSlots else { return consumeWithoutSlots(event) }
    if event.type == EvdevCode.syn { return takeSync(event) }
    let place = SlotValues.place(of: event)
    if reading == .frames, place < SlotValues.count {
      var row = current
      take(event.value, at: place, &row)
    } else if reading == .frames {
      takeKey(event)
    }
    return false
  }

  /// Takes events from an index on, up to the end of the next frame that has contacts.
  ///
  /// The same as `consume(_:)` in a loop, at a fraction of its cost.
  /// - Returns: true if a frame was completed; `index` is then behind its last event, else at the
  ///   end.
  public mutating func consume(
    _ events: UnsafeBufferPointer<EvdevEvent>, from index: inout Int
  ) -> Bool {
    guard let base = events.baseAddress else { return false }
    guard hasSlots else { return consumeWithoutSlots(events, from: &index) }
    var next = base + min(max(0, index), events.count)
    let end = base + events.count
    var isComplete = false
    while next < end, !isComplete {
      if reading == .frames {
        next = takeAxes(from: next, to: end)
        if next == end { break }
      }
      if next.pointee.type == EvdevCode.syn {
        isComplete = takeSync(next.pointee)
      } else if reading == .frames {
        takeKey(next.pointee)
      }
      next += 1
    }
    index = next - base
    return isComplete
  }

  /// Moves on to the next frame of the same report, if there is one.
  @inlinable
  public mutating func takePendingFrame() -> Bool {
    isFramePending && buildFrame(at: frame.timeNanoseconds)
  }

  /// Takes events up to the next `EV_SYN` or `EV_KEY`; the inner loop of the frame path.
  @inline(__always)
  private mutating func takeAxes(
    from first: UnsafePointer<EvdevEvent>, to end: UnsafePointer<EvdevEvent>
  ) -> UnsafePointer<EvdevEvent> {
    var next = first
    // A copy, which a store into the values cannot change.
    var row = current
    while next < end {
      let place = SlotValues.place(of: next.pointee)
      if place < SlotValues.count {
        take(next.pointee.value, at: place, &row)
      } else if next.pointee.type <= EvdevCode.key {
        break
      }
      next += 1
    }
    return next
  }

  /// Takes an axis value; `row` is `current`, before and after.
  @inline(__always)
  private mutating func take(_ value: Int32, at place: Int, _ row: inout SlotValues) {
    if SlotValues.plainPlaces & 1 &<< place != 0 {
      row.base[place] = value
    } else if place == 0 {
      select(value)
      row = current
    } else {
      takeTrackingID(value)
    }
  }

  mutating func takeSync(_ event: EvdevEvent) -> Bool {
    switch (event.code, reading) {
    case (EvdevCode.synDropped, .frames), (EvdevCode.synDropped, .discarding):
      counters.droppedReports &+= 1
      reading = .discarding
      touchKey.isNew = false
      reports?.beginReport()
      return false
    // Value 1 is the kernel's notice that the device goes away with keys released. What came
    // before it (keys, ids -1) is the kernel tidying up, not the user lifting fingers.
    case (EvdevCode.synReport, _) where event.value == 1:
      touchKey.isNew = false
      return false
    case (EvdevCode.synReport, .frames):
      let time = event.timeNanoseconds
      return isPlain ? buildFrame(at: time) : finishReport(at: time)
    case (EvdevCode.synReport, .discarding):
      // For protocol A the kernel keeps nothing that could be asked for.
      guard source == .recording || reports != nil else {
        reading = .awaitingResync
        return false
      }
      reading = .frames
      return cancelAfterGap(at: event.timeNanoseconds)
    default: return false
    }
  }
}
