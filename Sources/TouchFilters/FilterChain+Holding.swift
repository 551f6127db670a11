import TouchModel

// The hold queue: one for all filters that wait before they decide.
extension FilterChain {
  /// Those that hold, in the order in which they decide.
  private static let holders: InlineArray<4, FilterKind> = [
    .palmSize, .ghost, .edgeHold, .minimumDuration,
  ]

  /// Asks each filter whether it holds a new contact.
  mutating func chooseHolders(_ record: UnsafeMutablePointer<FilterRecord>) {
    for index in Self.holders.indices {
      let kind = Self.holders[index]
      guard plan.has(kind) else { continue }
      // The palm filter has counted it when it looked at its size.
      if kind != .palmSize { count(kind).pointee.contacts &+= 1 }
      if holds(kind, record) {
        count(kind).pointee.held &+= 1
        record.pointee.holders |= FilterPlan.bit(kind)
      } else {
        count(kind).pointee.passed &+= 1
      }
    }
  }

  private func holds(
    _ kind: FilterKind, _ record: UnsafeMutablePointer<FilterRecord>
  ) -> Bool {
    let birth = record.pointee.birth
    switch kind {
    case .palmSize: return (plan.settings.palmSize?.settledFrames ?? 0) > 0
    case .ghost:
      let (near, far) = edgeDistances(birth)
      let corner = plan.settings.ghostCorner ?? 0
      // Beyond the edge is extreme as well; 0 mm needs no size.
      if corner == 0 {
        return min(birth.x - plan.smallest.x, plan.largest.x - birth.x) <= 0
          && min(birth.y - plan.smallest.y, plan.largest.y - birth.y) <= 0
      }
      return min(near.x, far.x) <= corner && min(near.y, far.y) <= corner
    case .edgeHold:
      let (near, far) = edgeDistances(birth)
      let edge = plan.settings.edgeHold?.distance ?? 0
      return min(min(near.x, far.x), min(near.y, far.y)) < edge
    case .minimumDuration: return true
    default: return false
    }
  }

  /// How far a position is from the edges with the smallest and the largest values, in millimetres.
  private func edgeDistances(
    _ raw: SIMD2<Double>
  ) -> (near: SIMD2<Double>, far: SIMD2<Double>) {
    (plan.millimetres(raw - plan.smallest), plan.millimetres(plan.largest - raw))
  }

  // MARK: Letting go

  /// Decides on the held contacts of a frame, before the frame itself is filtered.
  mutating func settle(_ frame: borrowing FrameBuffer, at time: UInt64) {
    var oldest: UInt64?
    for index in 0..<frame.count {
      let contact = frame.room[index]
      let slot = Int(contact.slot)
      guard slot >= 0, slot < recordCount, records[slot].id == contact.id,
        records[slot].stage == .held
      else { continue }
      let record = records + slot
      // A down that would be cancelled in the same moment helps nobody, however long it lived.
      if contact.phase != .cancel { dropDueHolders(record, at: time) }
      if let kind = verdict(contact, record) {
        note(contact, droppedBy: kind, at: time)
        refuse(record)
      } else {
        leaveIfFree(record, &oldest)
      }
    }
    if let oldest { release(bornAt: oldest, time) }
  }

  /// Lets holders look at a contact.
  ///
  /// - Returns: the first that drops it; nil if none does.
  private mutating func verdict(
    _ contact: Contact, _ record: UnsafeMutablePointer<FilterRecord>
  ) -> FilterKind? {
    if isPalm(contact) { return .palmSize }
    for index in Self.holders.indices {
      let kind = Self.holders[index]
      guard record.pointee.holders & FilterPlan.bit(kind) != 0 else { continue }
      // The device itself took it back: it was never meant.
      if contact.phase == .cancel { return kind }
      if contact.phase == .up {
        guard isDelivered(ending: kind) else { return kind }
        letGo(kind, record)
      } else if isSettled(kind, contact, record) {
        letGo(kind, record)
      }
    }
    return nil
  }

  /// Whether a contact that goes on has grown to the size of a palm.
  func isPalm(_ contact: Contact) -> Bool {
    plan.has(.palmSize) && !contact.phase.isEnd && contact.major >= plan.palmPoints
  }

  /// Whether a contact that ends while a filter holds it is handed on all the same.
  private func isDelivered(ending kind: FilterKind) -> Bool {
    switch kind {
    // It was gone before it grew to a palm: a short tap.
    case .palmSize: true
    case .edgeHold: plan.settings.edgeHold?.deliversEnded ?? false
    default: false
    }
  }

  /// Whether a filter has seen enough of a contact to let it go.
  private func isSettled(
    _ kind: FilterKind, _ contact: Contact, _ record: UnsafeMutablePointer<FilterRecord>
  ) -> Bool {
    switch kind {
    case .palmSize:
      if contact.major > record.pointee.largest {
        record.pointee.largest = contact.major
        record.pointee.settledFrames = 0
        return false
      }
      record.pointee.settledFrames += 1
      return record.pointee.settledFrames >= plan.settings.palmSize?.settledFrames ?? 0
    case .ghost: return FilterRecord.raw(contact) != record.pointee.birth
    case .edgeHold:
      let moved = plan.millimetres(FilterRecord.raw(contact) - record.pointee.birth)
      let travel = plan.settings.edgeHold?.travel ?? 0
      return contact.phase == .motion && (moved * moved).sum() >= travel * travel
    default: return false
    }
  }

  private mutating func letGo(
    _ kind: FilterKind, _ record: UnsafeMutablePointer<FilterRecord>
  ) {
    count(kind).pointee.passed &+= 1
    record.pointee.holders &= ~FilterPlan.bit(kind)
  }

  /// When a filter lets a contact go whatever happens; nil for never.
  private func due(_ kind: FilterKind, _ record: UnsafeMutablePointer<FilterRecord>) -> UInt64? {
    let duration: UInt64?
    switch kind {
    case .palmSize: duration = plan.settings.palmSize?.settleLimit
    case .edgeHold: duration = plan.settings.edgeHold?.limit
    case .minimumDuration: duration = plan.settings.minimumDuration
    default: duration = nil
    }
    guard let duration else { return nil }
    let (time, isBeyond) = record.pointee.bornAt.addingReportingOverflow(duration)
    return isBeyond ? nil : time
  }

  /// Takes off the holders whose time has come.
  mutating func dropDueHolders(_ record: UnsafeMutablePointer<FilterRecord>, at time: UInt64) {
    for index in Self.holders.indices {
      let kind = Self.holders[index]
      guard record.pointee.holders & FilterPlan.bit(kind) != 0, let due = due(kind, record),
        due <= time
      else { continue }
      letGo(kind, record)
    }
  }

  /// Marks a contact that nobody holds any more, and finds the oldest of them.
  mutating func leaveIfFree(
    _ record: UnsafeMutablePointer<FilterRecord>, _ oldest: inout UInt64?
  ) {
    guard record.pointee.holders == 0 else { return }
    record.pointee.stage = .leaving
    heldCount -= 1
    oldest = min(oldest ?? .max, record.pointee.bornAt)
  }

  /// Makes `released` of the contacts that leave; the others of the panel stand still in it.
  mutating func release(bornAt: UInt64, _ now: UInt64) {
    let earliest = now > plan.oldestDown ? now - plan.oldestDown : 0
    released.timeNanoseconds = max(bornAt, max(lastTime, earliest))
    for slot in 0..<recordCount {
      let record = records + slot
      var contact = record.pointee.last
      switch record.pointee.stage {
      case .leaving:
        record.pointee.stage = .delivered
        record.pointee.isBehind = true
        countDelivery()
      case .delivered: contact.phase = .still
      case .empty, .refused, .held: continue
      }
      if !plan.settings.isDryRun { _ = released.append(contact) }
    }
    if released.count > 0 { lastTime = released.timeNanoseconds }
  }

  /// Works out when a held contact is due.
  mutating func findDeadline() {
    nextDeadline = nil
    // A dry run hands nothing on; the next frame settles what is due.
    guard heldCount > 0, !plan.settings.isDryRun else { return }
    var earliest = UInt64.max
    for slot in 0..<recordCount where records[slot].stage == .held {
      for index in Self.holders.indices {
        let kind = Self.holders[index]
        guard records[slot].holders & FilterPlan.bit(kind) != 0 else { continue }
        earliest = min(earliest, due(kind, records + slot) ?? .max)
      }
    }
    nextDeadline = earliest == .max ? nil : earliest
  }
}
