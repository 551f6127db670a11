import TouchModel

// Where the stream of events is not the whole truth: opening, gaps, and the end.
extension FrameAssembler {
  /// Takes over the state of a device that was just opened; call it before the first event.
  ///
  /// What is down already is ignored until it is lifted; where it is now is where the next contact
  /// of its slot begins if it comes without a position.
  public mutating func adoptInitialState(
    slots states: UnsafeBufferPointer<SlotState>, currentSlot: Int32
  ) {
    forgetActive()
    let count = min(states.count, Self.slotLimit)
    growSlots(to: count)
    for index in 0..<slotCount {
      let state = index < count ? states[index] : SlotState()
      var slot = Slot()
      valuesOf(index).set(state)
      if state.trackingID >= 0 {
        slot.stage = .silent
        counters.contactsDownAtOpen &+= 1
      }
      slots[index] = slot
    }
    reading = .frames
    choose(currentSlot)
  }

  /// Whether anything is on the surface as far as the device has said, ignored contacts included.
  public var isTouched: Bool {
    (0..<slotCount).contains { valuesOf($0)[EvdevCode.absMTTrackingID] >= 0 }
  }

  /// Bridges a gap with the state that the kernel holds after it.
  ///
  /// Contacts whose slot and id survived go on as motion or still; those that vanished, were
  /// replaced or no longer touch are cancelled, never lifted, for nobody saw how they ended; new
  /// ones go down.
  /// - Returns: true if the frame has contacts; see `frame`.
  public mutating func resynchronise(
    timeNanoseconds: UInt64, slots states: UnsafeBufferPointer<SlotState>, currentSlot: Int32
  ) -> Bool {
    tapCount = 0
    let count = min(states.count, Self.slotLimit)
    growSlots(to: count)
    for index in 0..<slotCount {
      var state = valuesOf(index).state
      state.trackingID = -1
      bridge(index, to: index < count ? states[index] : state)
    }
    reading = .frames
    choose(currentSlot)
    return buildFrame(at: timeNanoseconds)
  }

  private mutating func bridge(_ index: Int, to state: SlotState) {
    let slot = slots + index
    let isSame =
      state.trackingID >= 0 && state.trackingID == valuesOf(index)[EvdevCode.absMTTrackingID]
    let isHandedOut = slot.pointee.stage == .live || slot.pointee.ending != nil
    let goesOn = slot.pointee.stage == .live && isSame && state.distance <= 0
    if isHandedOut, !goesOn { slot.pointee.ending = .cancel }
    if !isSame {
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
      } else if slot.pointee.stage != .empty {
        slot.pointee.stage = .silent
      }
    }
    return frame.count > 0
  }

  /// Cancels what is down; a slot is then silent until its next id, whatever that is.
  mutating func cancelAfterGap(at timeNanoseconds: UInt64) -> Bool {
    cancelHandedOut(at: timeNanoseconds)
    for index in 0..<slotCount {
      slots[index].stage = .empty
      valuesOf(index)[EvdevCode.absMTTrackingID] = -1
    }
    return frame.count > 0
  }

  private mutating func cancelHandedOut(at timeNanoseconds: UInt64) {
    frame.removeAll()
    frame.timeNanoseconds = timeNanoseconds
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
    let before = counters
    select(slot)
    counters = before
  }
}
