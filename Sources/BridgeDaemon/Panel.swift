import EvdevSource
import LinuxIO
import TouchFilters
import TouchFrames
import TouchModel
import TouchSettings

/// What a panel calls when it has something.
protocol PanelOwner: AnyObject {
  /// A frame of the panel is complete.
  func panelHasFrame(_ panel: Panel, readAt time: UInt64)
  /// A frame that the panel's stages made is complete.
  func panelHasExtraFrame(_ panel: Panel, _ frame: ExtraFrame, readAt time: UInt64)
  /// The panel's filters have kept contacts from everybody, or taken them away.
  func panelHasDropped(_ panel: Panel, readAt time: UInt64)
  /// Contacts of the panel break off, as of a controller that did not wake up whole.
  func panelBreaksOff(_ panel: Panel)
  /// The panel has found contacts that are stuck.
  func panelHasStuckContacts(_ panel: Panel)
  /// The time at which the panel's stages are to be called is another.
  func panelDeadlineChanged()
  /// The panel is gone; its contacts have been cancelled by a last frame.
  func panelIsGone(_ panel: Panel, because reason: String)
}

/// One panel: its events become frames here.
final class Panel: DescriptorHandler {
  let id: UInt32
  let name: String
  /// The node or file it is read from.
  let node: String
  /// What it is recognised by in the configuration; nil before the daemon has taken it in.
  var identity: PanelIdentity?
  /// How it is used.
  var setup: PanelUse?
  /// The loop's number for the watch of the node; nil for a replay.
  var watch: Int?
  let source: (any DeviceSource)?
  /// What the device is, as the configuration corrects it.
  var described: DeviceDescription?
  /// What it is told apart from a copy of it by; nil for what is no node of udev's.
  var likeness: PanelLikeness?
  /// Who has the panel alone; nil if nobody has.
  var capture: PanelCapture? { stages?.capture }
  /// How often it reports.
  let rate = Cell(FrameRate())
  /// Whether the device is to be taken away from all other readers.
  let wantsGrab: Bool
  private var isGrabbed = false
  /// What makes frames of the panel's events.
  let assembler: Cell<FrameAssembler>
  /// What filters and watches its frames; nil if nothing does.
  let stages: PanelStages?
  /// What looks for contacts that break off, for a while after the machine has slept.
  let breaks = Cell<BreakCheck?>(nil)
  /// How many contacts have broken off so.
  var brokenContacts: UInt64 = 0
  /// What looks whether the screen is off under a touch; nil if nobody wants to know.
  let darkScreen = Cell<DarkScreen?>(nil)
  /// Why filters that were set are off.
  let filterProblems: [FilterProblem]
  let touchProtocol: TouchProtocol?
  // Unguarded, for the owner holds its panels and the loop that calls them, and goes after both.
  unowned(unsafe) let owner: any PanelOwner
  // Whether it is to be looked at when it falls silent.
  private let isWatchedForSilence: Bool
  private let events: UnsafeMutableBufferPointer<EvdevEvent>
  /// Events read at once: the kernel's own buffer for a panel of ten fingers holds about as many.
  private static let batch = 512

  init(
    id: UInt32, name: String, node: String, source: (any DeviceSource)?,
    assembler: consuming FrameAssembler, touchProtocol: TouchProtocol? = nil,
    filters plan: FilterPlan? = nil, stuck: StuckSettings = StuckSettings(),
    wantsGrab: Bool = false, capture: PanelCapture? = nil, owner: any PanelOwner
  ) {
    self.wantsGrab = wantsGrab
    self.id = id
    self.name = name
    self.node = node
    self.source = source
    if case .slots = assembler.touchProtocol {
      isWatchedForSilence = false
    } else {
      isWatchedForSilence = assembler.options.quietLimitNanoseconds > 0
    }
    self.assembler = Cell(assembler)
    self.touchProtocol = touchProtocol
    stages = plan.flatMap { PanelStages($0, stuck, capture) }
    filterProblems = plan?.problems ?? []
    self.owner = owner
    events = .allocate(capacity: Self.batch)
  }

  deinit { events.deallocate() }

  // MARK: A device

  /// Takes the state in which the device is at opening.
  func adoptInitialState() {
    withHeldState { states, slot, key in
      assembler.value.adoptInitialState(slots: states, currentSlot: slot, touchKey: key)
    }
  }

  /// Grabs the device if that is wanted.
  ///
  /// Only while nothing touches it: other readers would never see those contacts end. A device that is
  /// not wanted alone is not tried either, for even a moment's grab takes events from others.
  /// - Returns: why the device cannot be read at present; nil if it can.
  func settleGrab() -> String? {
    guard let source, wantsGrab, !isGrabbed, !assembler.value.isTouched else { return nil }
    switch source.setGrabbed(true) {
    case .done:
      isGrabbed = true
      return nil
    case .heldByOther:
      return "another program has grabbed it (EVIOCGRAB), so nothing can be read from it. End that "
        + "program; `fuser \(node)` names it."
    // A device that cannot be grabbed is read all the same; nobody else can grab it either.
    case .failed: return nil
    }
  }

  /// Goes on where the panel that this one replaces has the device; a grab that is new waits until
  /// nothing touches it.
  func takeGrab(from old: Panel) {
    isGrabbed = old.isGrabbed
    guard isGrabbed, !wantsGrab, let source else { return }
    _ = source.setGrabbed(false)
    isGrabbed = false
  }

  func descriptorReady(_ readiness: Readiness) {
    guard let source else { return }
    while true {
      switch source.read(into: events) {
      case .events(let count):
        let read = UnsafeBufferPointer(start: events.baseAddress, count: min(count, Self.batch))
        take(read, readAt: MonotonicClock.now())
        // A short read has emptied the node; asking again would cost a system call a frame.
        if count < Self.batch && !assembler.value.needsResync { return }
      case .nothing:
        if assembler.value.needsResync { resynchronise() }
        return
      case .gone:
        end(because: "unplugged, or access revoked")
        return
      case .failed(let errno):
        end(because: "\(Errno(errno))")
        return
      }
    }
  }

  /// Feeds events in; each frame they complete goes to the owner.
  func take(_ events: UnsafeBufferPointer<EvdevEvent>, readAt time: UInt64) {
    var index = 0
    while index < events.count, assembler.value.consume(events, from: &index) {
      handOver(readAt: time)
      while assembler.value.takePendingFrame() { handOver(readAt: time) }
    }
    if isWatchedForSilence { owner.panelDeadlineChanged() }
    if wantsGrab, !isGrabbed { grabLate() }
  }

  @inline(__always)
  private func handOver(readAt time: UInt64) {
    rate.value.note(assembler.value.frame.timeNanoseconds)
    if breaks.value != nil { checkBreaks() }
    if let stages {
      handOver(through: stages, readAt: time)
    } else {
      owner.panelHasFrame(self, readAt: time)
    }
  }

  /// Grabs a device that was touched when it was opened, once it is not.
  private func grabLate() {
    if let problem = settleGrab() { end(because: problem) }
  }

  /// Cancels what is down, with a frame to the owner.
  func cancelAll(at time: UInt64) {
    if assembler.value.cancelAll(timeNanoseconds: time) { handOver(readAt: time) }
  }

  private func end(because reason: String) {
    cancelAll(at: MonotonicClock.now())
    owner.panelIsGone(self, because: reason)
  }

  private func resynchronise() {
    let now = MonotonicClock.now()
    var hasFrame = false
    withHeldState { states, slot, key in
      hasFrame = assembler.value.resynchronise(
        timeNanoseconds: now, slots: states, currentSlot: slot, touchKey: key)
    }
    handOut(hasFrame, readAt: now)
  }

  private func handOut(_ hasFrame: Bool, readAt time: UInt64) {
    if hasFrame {
      handOver(readAt: time)
      while assembler.value.takePendingFrame() { handOver(readAt: time) }
    }
    if isWatchedForSilence { owner.panelDeadlineChanged() }
  }

  // MARK: A silent device

  /// When it will have been silent for too long with something down; nil for never.
  var quietDeadline: UInt64? { isWatchedForSilence ? assembler.value.nextDeadline : nil }

  /// Looks whether what is down still is, if it has been silent for too long.
  func silenceReached(_ now: UInt64) {
    guard let quietDeadline, quietDeadline <= now else { return }
    var hasFrame = assembler.value.deadlineReached(now)
    if assembler.value.needsStateCheck {
      withHeldState { states, _, key in
        hasFrame = assembler.value.takeState(timeNanoseconds: now, slots: states, touchKey: key)
      }
    }
    handOut(hasFrame, readAt: now)
  }
}

// What the kernel holds of a device.
extension Panel {
  /// Asks the device for what the assembler wants to know: slots, the current one, `BTN_TOUCH`.
  private func withHeldState(_ body: (UnsafeBufferPointer<SlotState>, Int32, Bool?) -> Void) {
    switch assembler.value.heldState {
    case .slots(let count):
      let current = source?.axisValue(EvdevCode.absMTSlot) ?? 0
      slotStates(count).withUnsafeBufferPointer {
        body($0, current, source?.keyIsDown(EvdevCode.btnTouch))
      }
    case .contact(let position, let sign):
      contactState(position, sign).withUnsafeBufferPointer { body($0, 0, nil) }
    case .touchKey:
      body(UnsafeBufferPointer(start: nil, count: 0), 0, source?.keyIsDown(EvdevCode.btnTouch))
    }
  }

  /// The state of all slots; a value that the device does not know keeps its default.
  private func slotStates(_ count: Int) -> [SlotState] {
    var states = [SlotState](repeating: SlotState(), count: count)
    var values = [Int32](repeating: -1, count: states.count)
    func fill(_ axis: UInt16, _ field: WritableKeyPath<SlotState, Int32>) {
      let isKnown = values.withUnsafeMutableBufferPointer { buffer in
        source?.slotValues(axis, into: buffer) ?? false
      }
      guard isKnown else { return }
      for slot in states.indices { states[slot][keyPath: field] = values[slot] }
    }
    fill(EvdevCode.absMTTrackingID, \.trackingID)
    // What one request does not reach (slots past its size) must read as 0, not as -1.
    for slot in values.indices { values[slot] = 0 }
    fill(EvdevCode.absMTPositionX, \.x)
    fill(EvdevCode.absMTPositionY, \.y)
    fill(EvdevCode.absMTToolType, \.tool)
    fill(EvdevCode.absMTDistance, \.distance)
    fill(EvdevCode.absMTPressure, \.pressure)
    fill(EvdevCode.absMTTouchMajor, \.major)
    fill(EvdevCode.absMTTouchMinor, \.minor)
    fill(EvdevCode.absMTOrientation, \.orientation)
    return states
  }

  /// The state of the one contact; none if the device cannot say.
  private func contactState(_ position: PositionAxes, _ sign: TouchSign) -> [SlotState] {
    let isTouched: Bool? =
      switch sign {
      case .key(let key): source?.keyIsDown(key)
      case .pressure: source?.axisValue(EvdevCode.absPressure).map { $0 > 0 }
      case .nothing: nil
      }
    guard let isTouched, let x = source?.axisValue(position.x),
      let y = source?.axisValue(position.y)
    else { return [] }
    return [
      SlotState(
        trackingID: isTouched ? 0 : -1, x: x, y: y,
        pressure: source?.axisValue(EvdevCode.absPressure) ?? 0)
    ]
  }
}
