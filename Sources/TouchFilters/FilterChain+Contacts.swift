import TouchModel

// Which contacts go on.
extension FilterChain {
  /// Filters one contact of a frame.
  ///
  /// - Returns: whether it stays in the frame.
  mutating func filter(_ contact: inout Contact, at time: UInt64) -> Bool {
    let slot = Int(contact.slot)
    guard slot >= 0, slot < Self.slotLimit else { return true }
    if contact.phase == .down { return begin(contact, slot, at: time) }
    // One that was down before the chain was there goes on as it came.
    guard slot < recordCount, records[slot].id == contact.id else { return true }
    return contact.phase.isEnd
      ? end(&contact, records + slot, at: time) : move(&contact, records + slot, slot, at: time)
  }

  private mutating func begin(_ contact: Contact, _ slot: Int, at time: UInt64) -> Bool {
    while recordCount <= slot {
      (records + recordCount).initialize(to: FilterRecord())
      recordCount += 1
    }
    let record = records + slot
    forget(record)
    record.pointee = FilterRecord(contact, at: time)
    for index in 0..<window {
      (samples + slot * window + index).initialize(to: record.pointee.birth)
    }
    countRetouch(record, at: time)
    if let kind = refusal(of: contact, record, at: time) {
      record.pointee.stage = .refused
      note(contact, droppedBy: kind, at: time)
      return false
    }
    liveCount += 1
    chooseHolders(record)
    guard record.pointee.holders == 0 else {
      record.pointee.stage = .held
      heldCount += 1
      return false
    }
    record.pointee.stage = .delivered
    countDelivery()
    return true
  }

  /// Notes a contact that begins where a filter took another one away just before.
  private mutating func countRetouch(_ record: UnsafeMutablePointer<FilterRecord>, at time: UInt64)
  {
    // Without a size all places are one.
    guard plan.geometry.unitsPerMillimetre != nil else { return }
    let found = refusals.count(
      near: plan.place(record.pointee.birth), within: 7, at: time, since: 2_000_000_000)
    if found > 0 { retouches &+= 1 }
  }

  /// The first filter that does not want a new contact; nil if all do.
  private mutating func refusal(
    of contact: Contact, _ record: UnsafeMutablePointer<FilterRecord>, at time: UInt64
  ) -> FilterKind? {
    let place = plan.place(record.pointee.birth)
    if plan.has(.deadRectangle) {
      let point = Point(x: place.x, y: place.y)
      var isInside = false
      for rectangle in plan.settings.deadRectangles where rectangle.contains(point) {
        isInside = true
      }
      if refuses(.deadRectangle, isInside) { return .deadRectangle }
    }
    if plan.has(.liftDebounce), let rule = plan.settings.liftDebounce {
      let found = lifts.count(
        near: place, within: rule.distance, at: time, since: rule.duration)
      if refuses(.liftDebounce, found > 0) { return .liftDebounce }
    }
    if plan.has(.contactRate), let rule = plan.settings.contactRate {
      let found = births.count(
        near: place, within: rule.distance, at: time, since: 1_000_000_000)
      if refuses(.contactRate, found >= rule.perSecond) { return .contactRate }
      births.append(place, at: time)
    }
    if plan.has(.maximumContacts) {
      let limit = plan.settings.maximumContacts ?? .max
      if refuses(.maximumContacts, liveCount >= limit) { return .maximumContacts }
    }
    if plan.has(.palmSize) {
      count(.palmSize).pointee.contacts &+= 1
      if contact.major >= plan.palmPoints { return .palmSize }
    }
    return nil
  }

  /// Counts a new contact that a filter decides on at once.
  private mutating func refuses(_ kind: FilterKind, _ isRefused: Bool) -> Bool {
    count(kind).pointee.contacts &+= 1
    if !isRefused { count(kind).pointee.passed &+= 1 }
    return isRefused
  }

  private mutating func end(
    _ contact: inout Contact, _ record: UnsafeMutablePointer<FilterRecord>, at time: UInt64
  ) -> Bool {
    let isKnown = record.pointee.stage == .delivered
    // The position of the frame before, as of every contact that ends.
    if isKnown { contact.position = record.pointee.last.position }
    if isKnown, contact.phase == .up, plan.has(.liftDebounce) {
      lifts.append(plan.place(FilterRecord.raw(contact)), at: time)
    }
    forget(record)
    return isKnown
  }

  private mutating func move(
    _ contact: inout Contact, _ record: UnsafeMutablePointer<FilterRecord>, _ slot: Int,
    at time: UInt64
  ) -> Bool {
    switch record.pointee.stage {
    case .empty, .refused, .leaving: return false
    case .held:
      // What comes later is to be smoothed as if nothing had been held.
      if smooths { _ = smooth(contact, record, slot, at: time) }
      return false
    case .delivered: break
    }
    if isPalm(contact) {
      contact.phase = .cancel
      contact.position = record.pointee.last.position
      note(contact, droppedBy: .palmSize, at: time)
      refuse(record)
      return true
    }
    if smooths || record.pointee.isBehind { place(&contact, record, slot, at: time) }
    record.pointee.last = contact
    return true
  }

  /// Gives a contact the position that the filters make of it, and the phase that goes with it.
  private mutating func place(
    _ contact: inout Contact, _ record: UnsafeMutablePointer<FilterRecord>, _ slot: Int,
    at time: UInt64
  ) {
    let raw = FilterRecord.raw(contact)
    let place = smooths ? smooth(contact, record, slot, at: time) : raw
    record.pointee.isBehind = false
    if place == record.pointee.place {
      contact.phase = .still
      contact.position = record.pointee.last.position
      return
    }
    contact.phase = .motion
    if place != raw { contact.position = plan.geometry.placement.point(place) }
    record.pointee.place = place
  }

  /// Takes a live contact out of the frames to come; the slot is silent until it ends.
  mutating func refuse(_ record: UnsafeMutablePointer<FilterRecord>) {
    if record.pointee.stage == .held { heldCount -= 1 }
    liveCount -= 1
    record.pointee.stage = .refused
  }

  private mutating func forget(_ record: UnsafeMutablePointer<FilterRecord>) {
    switch record.pointee.stage {
    case .held, .leaving, .delivered: refuse(record)
    case .refused, .empty: break
    }
    record.pointee.stage = .empty
    record.pointee.id = 0
  }

  /// Counts a contact for the filters of positions, which see only what is delivered.
  mutating func countDelivery() {
    guard smooths else { return }
    for kind in plan.filters where kind.rawValue >= FilterKind.pressureDrop.rawValue {
      count(kind).pointee.contacts &+= 1
      count(kind).pointee.passed &+= 1
    }
  }
}
