public import TouchModel

extension TouchScript {
  /// The script as events of a panel, as its evdev node would give them.
  ///
  /// Points are those of the display that the panel lies on; they become the panel's own units and
  /// are rounded to them. Like the kernel, it leaves out a value that has not changed, unless the
  /// panel's habits are worse. `drop` puts a `SYN_DROPPED` in the place of a frame, and `unplug`
  /// ends the events.
  ///
  /// - Parameter display: where the panel lies; the last unit of an axis is its last pixel.
  public func events(on panel: PanelModel, display: Display = .fallback) -> [EvdevEvent] {
    var writer = EventWriter(panel, display: display)
    for entry in steps {
      let time = 1_000_000_000 + entry.at.nanoseconds
      switch entry.step {
      case .frame(let changes): writer.write(changes, at: time)
      case .drop: writer.drop(at: time)
      case .unplug:
        writer.unplug(at: time)
        return writer.events
      case .call: break
      }
    }
    return writer.events
  }
}

/// A panel's side of the protocol: slots, ids, and only what has changed.
private struct EventWriter {
  private(set) var events: [EvdevEvent] = []
  private let panel: PanelModel
  private let display: Display
  private var current: Int32 = 0
  private var nextID: Int32
  private var fingers: [Int: Int32] = [:]
  private var values: [Int32: [UInt16: Int32]] = [:]
  private var time: UInt64 = 0

  init(_ panel: PanelModel, display: Display) {
    self.panel = panel
    self.display = display
    nextID = panel.habits.contains(.repeatsIDs) ? 0 : 1
  }

  mutating func write(_ changes: [TouchScript.Change], at time: UInt64) {
    self.time = time
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
    put(EvdevCode.syn, EvdevCode.synReport, 0)
    for slot in lifted { values[slot]?[EvdevCode.absMTTrackingID] = -1 }
  }

  mutating func drop(at time: UInt64) {
    self.time = time
    put(EvdevCode.syn, EvdevCode.synDropped, 0)
    put(EvdevCode.syn, EvdevCode.synReport, 0)
    // What the reader last heard of is no longer what it knows.
    values = values.mapValues { _ in [:] }
    current = -1
  }

  mutating func unplug(at time: UInt64) {
    self.time = time
    guard panel.habits.contains(.endsUnfinished), let slot = fingers.values.min() else { return }
    set(slot, EvdevCode.absMTPositionX, 0)
  }

  private mutating func land(_ change: TouchScript.Change) {
    let used = Set(fingers.values)
    let limit = panel.habits.contains(.exceedsSlots) ? Int32.max : declaredSlots
    guard let slot = change.style.slot ?? (Int32(0)..<limit).first(where: { !used.contains($0) })
    else { return }  // A panel that has no slot left reports no finger.
    fingers[change.finger] = slot
    let id = nextID
    nextID = panel.habits.contains(.repeatsIDs) ? (nextID + 1) % 3 : (nextID + 1) & 0xffff
    if id == values[slot]?[EvdevCode.absMTTrackingID] { set(slot, EvdevCode.absMTTrackingID, -1) }
    set(slot, EvdevCode.absMTTrackingID, id)
    if has(EvdevCode.absMTToolType) {
      let tool = change.style.tool == .palm ? EvdevCode.toolPalm : EvdevCode.toolFinger
      set(slot, EvdevCode.absMTToolType, tool)
    }
    if has(EvdevCode.absMTTouchMajor) {
      set(slot, EvdevCode.absMTTouchMajor, Int32(change.style.major))
    }
    place(change, in: slot)
  }

  private mutating func lift(_ slot: Int32) {
    if panel.habits.contains(.jumpsAtRelease) { set(slot, EvdevCode.absMTPositionX, 0) }
    guard !panel.habits.contains(.replacesWithoutLift) || !fingers.values.isEmpty else {
      set(slot, EvdevCode.absMTTrackingID, -1)
      return
    }
    if panel.habits.contains(.replacesWithoutLift) {
      // Another finger's id in this slot, which ends at once: the -1 of the first is never sent.
      set(slot, EvdevCode.absMTTrackingID, nextID)
      nextID = (nextID + 1) & 0xffff
      put(EvdevCode.syn, EvdevCode.synReport, 0)
    }
    set(slot, EvdevCode.absMTTrackingID, -1)
  }

  private mutating func place(_ change: TouchScript.Change, in slot: Int32) {
    guard let point = change.place else { return }
    set(slot, EvdevCode.absMTPositionX, units(EvdevCode.absMTPositionX, point.x, display.width))
    set(slot, EvdevCode.absMTPositionY, units(EvdevCode.absMTPositionY, point.y, display.height))
  }

  /// A place on the display in the panel's units.
  private func units(_ axis: UInt16, _ place: Double, _ size: Double) -> Int32 {
    guard let range = panel.description.axes[axis] else { return 0 }
    let span = Double(range.maximum) - Double(range.minimum)
    let part = place / (size - 1 / display.scale)
    return Int32(clamping: Int64((Double(range.minimum) + part * span).rounded()))
  }

  private var declaredSlots: Int32 {
    (panel.description.axes[EvdevCode.absMTSlot]?.maximum ?? 0) + 1
  }

  private func has(_ axis: UInt16) -> Bool { panel.description.axes[axis] != nil }

  private mutating func set(_ slot: Int32, _ axis: UInt16, _ value: Int32) {
    let isKnown = values[slot]?[axis] == value
    guard !isKnown || panel.habits.contains(.repeatsValues) else { return }
    if current != slot || panel.habits.contains(.namesSlotAlways) {
      put(EvdevCode.abs, EvdevCode.absMTSlot, slot)
      current = slot
    }
    values[slot, default: [:]][axis] = value
    put(EvdevCode.abs, axis, value)
  }

  private mutating func put(_ type: UInt16, _ code: UInt16, _ value: Int32) {
    events.append(
      EvdevEvent(
        seconds: Int(time / 1_000_000_000), microseconds: Int(time % 1_000_000_000 / 1_000),
        type: type, code: code, value: value))
  }
}
