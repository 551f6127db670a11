import TouchModel

// What events do to the slot table; nothing is handed out here.
extension FrameAssembler {
  /// Makes a slot the one that the following events belong to.
  ///
  /// The choice outlives the frame: the kernel sends `ABS_MT_SLOT` only when it changes.
  @inline(__always)
  mutating func select(_ value: Int32) {
    if UInt32(bitPattern: value) < declaredSlots {
      current = valuesOf(Int(value))
    } else {
      selectUndeclared(Int(value))
    }
  }

  private mutating func selectUndeclared(_ index: Int) {
    guard index >= 0, index < Self.slotLimit else {
      counters.slotsBeyondLimit &+= 1
      current = valuesOf(Self.slotLimit)
      return
    }
    counters.slotsBeyondDeclared &+= 1
    growSlots(to: index + 1)
    current = valuesOf(index)
  }

  /// The slot whose values are `current`.
  var currentIndex: Int { (current.base - values) / SlotValues.count }

  @inline(__always)
  func valuesOf(_ index: Int) -> SlotValues {
    SlotValues(base: values + index * SlotValues.count)
  }

  /// Initialises slots of the storage up to a count; the storage itself has room for all.
  mutating func growSlots(to count: Int) {
    guard count > slotCount else { return }
    (slots + slotCount).initialize(repeating: Slot(), count: count - slotCount)
    for index in slotCount..<count { valuesOf(index).set(SlotState()) }
    slotCount = count
  }

  /// Begins, ends or replaces the contact of the current slot.
  ///
  /// Ids are compared with each other and with -1 only: 0 is an id like any other.
  mutating func takeTrackingID(_ value: Int32) {
    let index = currentIndex
    guard index < Self.slotLimit else { return }
    let slot = slots + index
    let old = current[EvdevCode.absMTTrackingID]
    // One that was lifted without -1 begins anew with whatever id comes, also with the same.
    guard value < 0 || value != old || slot.pointee.stage == .lifted else { return }
    if value >= 0 {
      if isHeld(value) { counters.doubleIDs &+= 1 }
      if old >= 0, slot.pointee.stage != .lifted { counters.replacedIDs &+= 1 }
    }
    if max(-1, value) != old || slot.pointee.stage == .lifted { hasNewID = true }
    let end: ContactPhase = value < 0 ? .up : .cancel
    switch slot.pointee.stage {
    case .live: slot.pointee.ending = end
    case .waiting: keepTap(of: index, end: end)
    case .empty, .silent, .lifted: break
    }
    slot.pointee.hoverID = 0
    current[EvdevCode.absMTTrackingID] = max(-1, value)
    slot.pointee.stage = value < 0 ? .empty : .waiting
    if value >= 0 { activate(index) }
  }

  @inline(__always)
  mutating func activate(_ index: Int) {
    let word = index >> 6
    active[word] |= 1 << UInt64(index & 63)
    if word >= activeWords { activeWords = word + 1 }
  }

  @inline(__always)
  mutating func deactivate(_ index: Int) {
    active[index >> 6] &= ~(1 << UInt64(index & 63))
  }

  mutating func forgetActive() {
    for word in 0..<activeWords { active[word] = 0 }
    activeWords = 1
    tapCount = 0
    isFramePending = false
  }

  private func isHeld(_ id: Int32) -> Bool {
    for word in 0..<activeWords {
      var bits = active[word]
      while bits != 0 {
        let index = word << 6 + bits.trailingZeroBitCount
        if valuesOf(index)[EvdevCode.absMTTrackingID] == id { return true }
        bits &= bits &- 1
      }
    }
    return false
  }

  private mutating func keepTap(of index: Int, end: ContactPhase) {
    let values = valuesOf(index)
    guard values.isTouch else { return }
    guard
      scale.mayBegin(
        x: values[EvdevCode.absMTPositionX], y: values[EvdevCode.absMTPositionY])
    else {
      counters.outOfRange &+= 1
      return
    }
    guard tapCount < Self.tapLimit else {
      counters.lostTaps &+= 1
      return
    }
    (taps + tapCount).initialize(to: Tap(slot: index, state: values.state, end: end))
    tapCount += 1
  }

  /// Takes the oldest kept contact of a slot.
  mutating func takeTap(of slot: Int) -> Tap? {
    var found = 0
    while found < tapCount, taps[found].slot != slot { found += 1 }
    guard found < tapCount else { return nil }
    let tap = taps[found]
    tapCount -= 1
    var next = found
    while next < tapCount {
      taps[next] = taps[next + 1]
      next += 1
    }
    return tap
  }
}
