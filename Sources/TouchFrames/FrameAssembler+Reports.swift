import TouchModel

// Devices without slots: their events become those of the slot table.
extension FrameAssembler {
  mutating func consumeWithoutSlots(
    _ events: UnsafeBufferPointer<EvdevEvent>, from index: inout Int
  ) -> Bool {
    index = min(max(0, index), events.count)
    while index < events.count {
      let isComplete = consumeWithoutSlots(events[index])
      index += 1
      if isComplete { return true }
    }
    return false
  }

  mutating func consumeWithoutSlots(_ event: EvdevEvent) -> Bool {
    if let reports {
      if event.type == EvdevCode.syn, event.code != EvdevCode.synMTReport {
        return takeSync(event)
      }
      if reading == .frames { take(event, reports) }
    } else if let single {
      if event.type == EvdevCode.syn { return takeSync(event) }
      if reading == .frames { take(event, single) }
    }
    return false
  }

  private mutating func take(_ event: EvdevEvent, _ reports: ReportCollector) {
    switch event.type {
    case EvdevCode.abs: reports.take(event)
    case EvdevCode.syn: reports.endContact(&counters)
    case EvdevCode.key where event.code == EvdevCode.btnTouch && event.value == 0:
      reports.takeRelease()
    default: break
    }
  }
}

// Protocol A: which slot a contact of a report belongs to.
//
// The device's own tracking ids win; contacts without one are matched by their places. A contact
// that is not in a report which names its contacts is lifted, and the lowest free slot, also one
// that has just become free, takes a new one.
extension FrameAssembler {
  mutating func takeContacts(of reports: ReportCollector) {
    reports.endReport(&counters)
    defer { reports.beginReport() }
    guard reports.speaks else { return }
    for contact in 0..<reports.count { reports.slots[contact] = -1 }
    matchIDs(reports)
    matchPlaces(reports)
    liftMissing(reports)
    for contact in 0..<reports.count where reports.slots[contact] < 0 {
      begin(contact, of: reports)
    }
    reports.isFirst = false
  }

  private func isTaken(_ slot: Int) -> Bool { valuesOf(slot)[EvdevCode.absMTTrackingID] >= 0 }

  private func matchIDs(_ reports: ReportCollector) {
    for contact in 0..<reports.count {
      guard let id = reports.id(contact) else { continue }
      for slot in 0..<ReportCollector.limit where reports.deviceIDs[slot] == id && isTaken(slot) {
        assign(contact, to: slot, reports)
      }
    }
  }

  private func assign(_ contact: Int, to slot: Int, _ reports: ReportCollector) {
    reports.slots[contact] = slot
    reports.copy(contact, to: valuesOf(slot))
  }

  private func matchPlaces(_ reports: ReportCollector) {
    var contacts = 0
    var slots = 0
    for contact in 0..<reports.count where reports.id(contact) == nil {
      reports.openContacts[contacts] = contact
      contacts += 1
    }
    for slot in 0..<ReportCollector.limit where isTaken(slot) && reports.deviceIDs[slot] < 0 {
      reports.openSlots[slots] = slot
      slots += 1
    }
    guard contacts > 0, slots > 0 else { return }
    for contact in 0..<contacts {
      let place = reports.place(reports.openContacts[contact])
      for slot in 0..<slots {
        let values = valuesOf(reports.openSlots[slot])
        reports.matcher.set(
          contact: contact, earlier: slot, place,
          SIMD2(values[EvdevCode.absMTPositionX], values[EvdevCode.absMTPositionY]))
      }
    }
    reports.matcher.match(contacts: contacts, earlier: slots) { contact, slot in
      assign(reports.openContacts[contact], to: reports.openSlots[slot], reports)
    }
  }

  private mutating func liftMissing(_ reports: ReportCollector) {
    for slot in 0..<ReportCollector.limit where isTaken(slot) {
      var isThere = false
      for contact in 0..<reports.count where reports.slots[contact] == slot { isThere = true }
      if !isThere { lift(slot, reports) }
    }
  }

  private mutating func lift(_ slot: Int, _ reports: ReportCollector) {
    reports.deviceIDs[slot] = -1
    current = valuesOf(slot)
    takeTrackingID(-1)
  }

  /// Lifts all contacts; the next report begins with none.
  mutating func liftAll(_ reports: ReportCollector) {
    reports.beginReport()
    reports.isFirst = false
    for slot in 0..<ReportCollector.limit where isTaken(slot) { lift(slot, reports) }
  }

  private mutating func begin(_ contact: Int, of reports: ReportCollector) {
    var slot = 0
    while slot < ReportCollector.limit, isTaken(slot) { slot += 1 }
    guard slot < ReportCollector.limit else { return }
    current = valuesOf(slot)
    current.forgetDetails()
    reports.copy(contact, to: current)
    reports.slots[contact] = slot
    reports.deviceIDs[slot] = reports.id(contact) ?? -1
    takeTrackingID(reports.nextID())
    let place = reports.place(contact)
    if place.x == nil, place.y == nil { counters.downsWithoutPosition &+= 1 }
    if reports.isFirst {
      slots[slot].stage = .silent
      deactivate(slot)
      counters.contactsDownAtOpen &+= 1
    }
  }
}
