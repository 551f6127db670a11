import TouchModel

// Where the stream of events is not the whole truth: opening, gaps, and the end.
extension FrameAssembler {
  /// Takes over the state of a device that was just opened; call it before the first event.
  ///
  /// What is down already is ignored until it is lifted; where it is now is where the next contact
  /// of its slot begins if it comes without a position.
  ///
  /// - Parameters:
  ///   - slots: what `heldState` names; for a device of a single contact one state, whose tracking
  ///     id is 0 while it touches, and none for protocol A.
  ///   - currentSlot: the slot that the next events are about.
  ///   - touchKey: whether `BTN_TOUCH` is pressed; nil if nobody can tell.
  public mutating func adoptInitialState(
    slots states: UnsafeBufferPointer<SlotState>, currentSlot: Int32, touchKey: Bool? = nil
  ) {
    forgetActive()
    let count = min(states.count, Self.slotLimit)
    growSlots(to: count)
    isPlain = hasSlots
    for index in 0..<slotCount {
      var state = index < count ? states[index] : SlotState()
      if let single, index == 0 { single.adopt(&state) }
      var slot = Slot()
      valuesOf(index).set(state)
      if state.trackingID >= 0 {
        slot.stage = .silent
        counters.contactsDownAtOpen &+= 1
      }
      slots[index] = slot
      // The slot of a driver that lifts by the key alone would keep its id, and be silent, for ever.
      if hasSlots, touchKey == false, slot.stage == .silent { markLifted(index) }
    }
    reports?.adopt(isTouched: touchKey == true)
    self.touchKey = TouchKey(isDown: touchKey ?? false)
    hasNewID = false
    reading = .frames
    choose(currentSlot)
  }

  /// Lets no frame be earlier than the last one of another assembler, whose place this one takes.
  public mutating func continueTimes(of other: borrowing FrameAssembler) {
    earliestTime = max(earliestTime, other.earliestTime)
  }

  /// Whether anything is on the surface as far as the device has said, ignored contacts included.
  public var isTouched: Bool {
    if let single { return single.isTouching }
    if let reports, reports.isFirst { return true }
    return (0..<slotCount).contains {
      // What BTN_TOUCH alone has lifted keeps its id.
      valuesOf($0)[EvdevCode.absMTTrackingID] >= 0 && slots[$0].stage != .lifted
    }
  }

  /// Bridges a gap with the state that the kernel holds after it.
  ///
  /// Contacts whose slot and id survived go on as motion or still; those that vanished, were
  /// replaced or no longer touch are cancelled, never lifted, for nobody saw how they ended; new
  /// ones go down. The one contact of a device without slots goes on if it touches still.
  ///
  /// - Parameters: as for `adoptInitialState`.
  /// - Returns: true if the frame has contacts; see `frame`.
  public mutating func resynchronise(
    timeNanoseconds: UInt64, slots states: UnsafeBufferPointer<SlotState>, currentSlot: Int32,
    touchKey: Bool? = nil
  ) -> Bool {
    tapCount = 0
    let count = min(states.count, Self.slotLimit)
    growSlots(to: count)
    for index in 0..<slotCount {
      var state = valuesOf(index).state
      state.trackingID = -1
      if index < count { state = states[index] }
      if let single, index == 0 {
        single.resynchronise(&state, held: valuesOf(0)[EvdevCode.absMTTrackingID])
      }
      bridge(index, to: state)
    }
    if hasSlots, let touchKey { bridgeTouchKey(isDown: touchKey) }
    reports?.forgetAll()
    reading = .frames
    needsStateCheck = false
    quiet.heard(at: timeNanoseconds)
    choose(currentSlot)
    return buildFrame(at: timeNanoseconds)
  }

  /// Bridges a gap in what is known of `BTN_TOUCH`.
  private mutating func bridgeTouchKey(isDown: Bool) {
    touchKey = TouchKey(isDown: isDown)
    guard counters.liftsByKey > 0, !isDown else { return }
    // The key of a driver that lifts by it alone went up in the gap.
    for index in 0..<slotCount where slots[index].stage == .live {
      slots[index].ending = .cancel
      markLifted(index)
    }
  }

  private mutating func bridge(_ index: Int, to state: SlotState) {
    let slot = slots + index
    let isSame =
      state.trackingID >= 0 && state.trackingID == valuesOf(index)[EvdevCode.absMTTrackingID]
    let isHandedOut = slot.pointee.stage == .live || slot.pointee.ending != nil
    let goesOn = slot.pointee.stage == .live && isSame && state.distance <= 0
    if isHandedOut, !goesOn { slot.pointee.ending = .cancel }
    if !isSame {
      slot.pointee.hoverID = 0
      slot.pointee.stage = state.trackingID >= 0 ? .waiting : .empty
    } else if isHandedOut, !goesOn {
      slot.pointee.stage = .waiting
    }
    valuesOf(index).set(state)
    if slot.pointee.stage == .waiting || slot.pointee.stage == .live || isHandedOut {
      activate(index)
    }
  }

  /// Cancels what is down: at unplugging, when the daemon stops, at the end of a file.
  ///
  /// The assembler may be used further: contacts that are still on the surface are then ignored
  /// until they are lifted.
  /// - Returns: true if the frame has contacts; see `frame`.
  public mutating func cancelAll(timeNanoseconds: UInt64) -> Bool {
    cancelHandedOut(at: timeNanoseconds)
    for index in 0..<slotCount {
      let slot = slots + index
      // A finger that hovers has not touched yet, so there is nothing to ignore.
      if slot.pointee.stage == .waiting, valuesOf(index)[EvdevCode.absMTDistance] > 0 {
        activate(index)
      } else if slot.pointee.stage != .empty, slot.pointee.stage != .lifted {
        slot.pointee.stage = .silent
      }
    }
    needsStateCheck = false
    return frame.count > 0
  }

  /// Cancels what is down; a slot is then silent until its next id, whatever that is.
  mutating func cancelAfterGap(at timeNanoseconds: UInt64) -> Bool {
    cancelHandedOut(at: timeNanoseconds)
    for index in 0..<slotCount {
      slots[index].stage = .empty
      slots[index].hoverID = 0
      valuesOf(index)[EvdevCode.absMTTrackingID] = -1
    }
    isPlain = hasSlots
    reports?.forgetAll()
    single?.forget()
    needsStateCheck = false
    return frame.count > 0
  }

  private mutating func cancelHandedOut(at timeNanoseconds: UInt64) {
    hasNewID = false
    frame.removeAll()
    setTime(timeNanoseconds)
    for index in 0..<slotCount {
      let slot = slots + index
      guard slot.pointee.stage == .live || slot.pointee.ending != nil else { continue }
      slot.pointee.ending = nil
      slot.pointee.contact.phase = .cancel
      _ = frame.append(slot.pointee.contact)
    }
    if frame.count > 0 { counters.frames &+= 1 }
    forgetActive()
  }

  /// Like `select`, without counting: the kernel's answer is not the device's doing.
  private mutating func choose(_ slot: Int32) {
    guard hasSlots else {
      current = valuesOf(0)
      return
    }
    let before = counters
    select(slot)
    counters = before
  }
}
