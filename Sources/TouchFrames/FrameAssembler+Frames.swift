import TouchModel

// What a report makes of the slot table.
extension FrameAssembler {
  /// Fills `frame` from the slots that have something to hand out.
  ///
  /// - Returns: whether the frame has contacts.
  @usableFromInline
  mutating func buildFrame(at timeNanoseconds: UInt64) -> Bool {
    precondition(frame.capacity >= Self.frameCapacity, "a frame without room for all slots")
    frame.removeAll()
    setTime(timeNanoseconds)
    isFramePending = false
    hasNewID = false
    let scale = scale
    var next = frame.room
    for word in 0..<activeWords {
      var bits = active[word]
      while bits != 0 {
        let index = word << 6 + bits.trailingZeroBitCount
        bits &= bits &- 1
        let slot = slots + index
        // One whose end is still to be handed out has left this stage.
        if slot.pointee.stage == .live, updateLive(slot, valuesOf(index), scale) {
          next.initialize(to: slot.pointee.contact)
          next += 1
        } else {
          frame.setCount(next - frame.room)
          reportChange(slot, index)
          next = frame.room + frame.count
        }
      }
    }
    frame.setCount(next - frame.room)
    guard frame.count > 0 else { return false }
    counters.frames &+= 1
    return true
  }

  /// Stamps the frame; the time of a device never steps back, whatever its clock does.
  @inline(__always)
  mutating func setTime(_ timeNanoseconds: UInt64) {
    if timeNanoseconds < earliestTime {
      counters.timesHeld &+= 1
      frame.timeNanoseconds = earliestTime
      return
    }
    frame.timeNanoseconds = timeNanoseconds
    earliestTime = timeNanoseconds & timeMask
  }

  private mutating func reportChange(_ slot: UnsafeMutablePointer<Slot>, _ index: Int) {
    if slot.pointee.stage == .live {
      leaveSurface(slot, index)
      return
    }
    if let end = slot.pointee.ending {
      slot.pointee.ending = nil
      reportEnd(slot, end)
    }
    if tapCount > 0, let tap = takeTap(of: index) {
      reportDown(slot, index, tap.state)
      slot.pointee.ending = tap.end
      isFramePending = true
      return
    }
    reportArrival(slot, index)
  }

  /// Takes a live contact to where the values say that it is.
  ///
  /// - Returns: false, and nothing is done, if it no longer touches.
  @inline(__always)
  private mutating func updateLive(
    _ slot: UnsafeMutablePointer<Slot>, _ values: SlotValues, _ scale: ContactScale
  ) -> Bool {
    let tool = values[EvdevCode.absMTToolType]
    guard tool != EvdevCode.toolPalm, values[EvdevCode.absMTDistance] <= 0 else { return false }
    let x = values[EvdevCode.absMTPositionX]
    let y = values[EvdevCode.absMTPositionY]
    let hasMoved = x != slot.pointee.contact.rawX || y != slot.pointee.contact.rawY
    slot.pointee.contact.phase = hasMoved ? .motion : .still
    if hasMoved, !scale.placeInside(&slot.pointee.contact, x: x, y: y) { moveOddly(slot, values) }
    slot.pointee.contact.tool = ContactScale.tool(tool)
    if scale.hasDetails {
      scale.detail(
        &slot.pointee.contact, major: values[EvdevCode.absMTTouchMajor],
        minor: values[EvdevCode.absMTTouchMinor], pressure: values[EvdevCode.absMTPressure],
        orientation: values[EvdevCode.absMTOrientation])
    }
    return true
  }

  /// Moves a live contact to a place that lies outside, or on an axis without extent.
  @inline(never)
  private mutating func moveOddly(_ slot: UnsafeMutablePointer<Slot>, _ values: SlotValues) {
    let placement = scale.place(
      &slot.pointee.contact, x: values[EvdevCode.absMTPositionX],
      y: values[EvdevCode.absMTPositionY])
    if placement != .inside { counters.outOfRange &+= 1 }
    if placement == .dropped { slot.pointee.contact.phase = .still }
  }

  /// Ends a live contact that keeps its tracking id: it became a palm, or it hovers.
  private mutating func leaveSurface(_ slot: UnsafeMutablePointer<Slot>, _ index: Int) {
    if valuesOf(index)[EvdevCode.absMTToolType] == EvdevCode.toolPalm {
      counters.palms &+= 1
      slot.pointee.contact.tool = .palm
      reportEnd(slot, .cancel)
      slot.pointee.stage = .silent
      deactivate(index)
    } else {
      reportEnd(slot, .up)
      slot.pointee.stage = .waiting
    }
  }

  private mutating func reportEnd(_ slot: UnsafeMutablePointer<Slot>, _ end: ContactPhase) {
    slot.pointee.contact.phase = end
    _ = frame.append(slot.pointee.contact)
  }

  private mutating func reportArrival(_ slot: UnsafeMutablePointer<Slot>, _ index: Int) {
    guard slot.pointee.stage == .waiting else {
      deactivate(index)
      return
    }
    let values = valuesOf(index)
    guard values[EvdevCode.absMTDistance] <= 0 else {
      if options.reportsHover { reportHover(slot, index, values.state) }
      return
    }
    guard values.isTouch else {
      counters.palms &+= 1
      slot.pointee.stage = .silent
      deactivate(index)
      return
    }
    guard
      scale.mayBegin(
        x: values[EvdevCode.absMTPositionX], y: values[EvdevCode.absMTPositionY])
    else {
      counters.outOfRange &+= 1
      return
    }
    reportDown(slot, index, values.state)
    slot.pointee.stage = .live
  }

  /// Tells where something hovers; the contact keeps its id if it goes down next.
  private mutating func reportHover(
    _ slot: UnsafeMutablePointer<Slot>, _ index: Int, _ state: SlotState
  ) {
    guard state.tool != EvdevCode.toolPalm, scale.mayBegin(x: state.x, y: state.y) else { return }
    let id = slot.pointee.hoverID == 0 ? ids.next() : slot.pointee.hoverID
    slot.pointee.hoverID = id
    _ = frame.append(contact(id, .hover, index, state))
  }

  private mutating func reportDown(
    _ slot: UnsafeMutablePointer<Slot>, _ index: Int, _ state: SlotState
  ) {
    let before = slot.pointee.contact
    if before.id != 0, before.rawX == state.x, before.rawY == state.y {
      counters.downsInPlace &+= 1
    }
    let id = slot.pointee.hoverID == 0 ? ids.next() : slot.pointee.hoverID
    slot.pointee.hoverID = 0
    let contact = contact(id, .down, index, state)
    slot.pointee.contact = contact
    _ = frame.append(contact)
  }

  private mutating func contact(
    _ id: UInt64, _ phase: ContactPhase, _ index: Int, _ state: SlotState
  ) -> Contact {
    var contact = Contact(
      id: id, slot: Int32(truncatingIfNeeded: index), phase: phase,
      tool: ContactScale.tool(state.tool), isInjected: isInjected, position: Point(x: 0, y: 0))
    if scale.place(&contact, x: state.x, y: state.y) != .inside { counters.outOfRange &+= 1 }
    scale.detail(
      &contact, major: state.major, minor: state.minor, pressure: state.pressure,
      orientation: state.orientation)
    return contact
  }
}
