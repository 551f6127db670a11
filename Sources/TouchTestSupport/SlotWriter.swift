import TouchModel

/// A panel with slots: slots, ids, and only what has changed.
struct SlotWriter: EventWriter {
  private var log: EventLog
  private var current: Int32 = 0
  private var nextID: Int32
  private var fingers: [Int: Int32] = [:]
  private var isPressed = false
  private var values: [Int32: [UInt16: Int32]] = [:]

  var events: [EvdevEvent] { log.events }

  init(_ panel: PanelModel, display: Display) {
    log = EventLog(panel, display: display)
    nextID = panel.habits.contains(.repeatsIDs) ? 0 : 1
  }

  mutating func write(_ changes: [TouchScript.Change], at time: UInt64) {
    log.time = time
    var lifted: [Int32] = []
    for change in changes {
      switch change.kind {
      case .down: land(change)
      case .move:
        guard let slot = fingers[change.finger] else { continue }
        place(change, in: slot)
      case .up, .cancel:
        // A panel knows no cancel: for it the finger is gone.
        guard let slot = fingers.removeValue(forKey: change.finger) else { continue }
        lift(slot)
        lifted.append(slot)
      }
    }
    putTouchKey()
    log.put(EvdevCode.syn, EvdevCode.synReport, 0)
    guard !log.has(.liftsByKey) else { return }
    for slot in lifted { values[slot]?[EvdevCode.absMTTrackingID] = -1 }
  }

  mutating func drop(at time: UInt64) {
    log.time = time
    log.putDropped()
    // What the reader last heard of is no longer what it knows.
    values = values.mapValues { _ in [:] }
    current = -1
  }

  mutating func unplug(at time: UInt64) {
    log.time = time
    guard log.has(.endsUnfinished), let slot = fingers.values.min() else { return }
    set(slot, EvdevCode.absMTPositionX, 0)
  }

  private mutating func land(_ change: TouchScript.Change) {
    let used = Set(fingers.values)
    let limit = log.has(.exceedsSlots) ? Int32.max : declaredSlots
    guard let slot = change.style.slot ?? (Int32(0)..<limit).first(where: { !used.contains($0) })
    else { return }  // A panel that has no slot left reports no finger.
    fingers[change.finger] = slot
    name(slot)
    if has(EvdevCode.absMTToolType) {
      let tool = change.style.tool == .palm ? EvdevCode.toolPalm : EvdevCode.toolFinger
      set(slot, EvdevCode.absMTToolType, tool)
    }
    if has(EvdevCode.absMTTouchMajor) {
      set(slot, EvdevCode.absMTTouchMajor, Int32(change.style.major))
    }
    place(change, in: slot)
  }

  /// Gives what is in a slot an id.
  private mutating func name(_ slot: Int32) {
    // A driver that never sends the -1 numbers its slots, once and for all.
    guard !log.has(.liftsByKey) else { return set(slot, EvdevCode.absMTTrackingID, slot) }
    let id = nextID
    nextID = log.has(.repeatsIDs) ? (nextID + 1) % 3 : (nextID + 1) & 0xffff
    if id == values[slot]?[EvdevCode.absMTTrackingID] { set(slot, EvdevCode.absMTTrackingID, -1) }
    set(slot, EvdevCode.absMTTrackingID, id)
  }

  /// Says whether anything touches, where the panel says by that alone that a finger was lifted.
  private mutating func putTouchKey() {
    guard log.has(.liftsByKey), isPressed == fingers.isEmpty else { return }
    isPressed.toggle()
    log.put(EvdevCode.key, EvdevCode.btnTouch, isPressed ? 1 : 0)
  }

  private mutating func lift(_ slot: Int32) {
    guard !log.has(.liftsByKey) else { return }
    if log.has(.jumpsAtRelease) { set(slot, EvdevCode.absMTPositionX, 0) }
    guard !log.has(.replacesWithoutLift) || !fingers.values.isEmpty else {
      set(slot, EvdevCode.absMTTrackingID, -1)
      return
    }
    if log.has(.replacesWithoutLift) {
      // Another finger's id in this slot, which ends at once: the -1 of the first is never sent.
      set(slot, EvdevCode.absMTTrackingID, nextID)
      nextID = (nextID + 1) & 0xffff
      log.put(EvdevCode.syn, EvdevCode.synReport, 0)
    }
    set(slot, EvdevCode.absMTTrackingID, -1)
  }

  private mutating func place(_ change: TouchScript.Change, in slot: Int32) {
    guard let point = change.place else { return }
    let (x, y) = log.units(
      (point.x, point.y), on: (EvdevCode.absMTPositionX, EvdevCode.absMTPositionY))
    set(slot, EvdevCode.absMTPositionX, x)
    set(slot, EvdevCode.absMTPositionY, y)
  }

  private var declaredSlots: Int32 {
    (log.panel.description.axes[EvdevCode.absMTSlot]?.maximum ?? 0) + 1
  }

  private func has(_ axis: UInt16) -> Bool { log.panel.description.axes[axis] != nil }

  private mutating func set(_ slot: Int32, _ axis: UInt16, _ value: Int32) {
    let isKnown = values[slot]?[axis] == value
    guard !isKnown || log.has(.repeatsValues) else { return }
    if current != slot || log.has(.namesSlotAlways) {
      log.put(EvdevCode.abs, EvdevCode.absMTSlot, slot)
      current = slot
    }
    values[slot, default: [:]][axis] = value
    log.put(EvdevCode.abs, axis, value)
  }
}
