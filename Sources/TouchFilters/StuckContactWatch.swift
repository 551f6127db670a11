import TouchModel

/// When a contact counts as stuck, and what is done then.
public struct StuckSettings: Sendable, Equatable {
  /// How long a contact may be down, in nanoseconds; 0 for as long as it likes.
  public var limit: UInt64
  /// Whether a stuck contact is cancelled and then ignored until it is lifted.
  public var releases: Bool

  /// Creates settings; without arguments nothing is watched.
  public init(limit: UInt64 = 0, releases: Bool = false) {
    self.limit = limit
    self.releases = releases
  }
}

/// A contact that has been down for longer than the limit.
public struct StuckContact: Sendable, Equatable {
  /// The contact, where it was in the last frame.
  public var contact: Contact
  /// When it went down, in nanoseconds.
  public var downAt: UInt64
  /// Whether it was cancelled.
  public var isReleased: Bool

  /// Creates an entry.
  public init(contact: Contact, downAt: UInt64, isReleased: Bool) {
    self.contact = contact
    self.downAt = downAt
    self.isReleased = isReleased
  }
}

/// Watches the contacts of one panel that are handed on, and finds those that never end.
///
/// A drop of water, a damaged panel or a lost event can leave a contact down for ever, and with it
/// the button under it. Feed it each frame behind the filters; each contact is found once.
/// It does not trap on any frame and allocates nothing after its creation.
///
/// - Ownership: owns its storage, which goes with it; not copyable for that reason.
public struct StuckContactWatch: ~Copyable {
  private enum Stage {
    case empty
    case watched
    case stuck
    /// Cancelled; nobody hears of it any more.
    case released
  }

  private struct Record {
    var stage = Stage.empty
    var downAt: UInt64 = 0
    var contact = Contact(id: 0, slot: 0, phase: .up, position: Point(x: 0, y: 0))
  }

  /// What is watched for.
  public let settings: StuckSettings
  /// The cancels to be handed on; empty unless the last call returned true.
  public var cancels: FrameBuffer
  /// When `deadlineReached` is to be called, in nanoseconds; nil while no contact could be stuck.
  public private(set) var nextDeadline: UInt64?
  /// How many contacts were found.
  public private(set) var count: UInt64 = 0

  private let records: UnsafeMutablePointer<Record>
  private let found: UnsafeMutablePointer<StuckContact>
  private var recordCount = 0
  private var foundCount = 0
  private var lastTime: UInt64 = 0

  /// Prepares for the frames of one panel.
  ///
  /// - Parameter frameCapacity: how many contacts `cancels` has room for.
  public init(_ settings: StuckSettings, frameCapacity: Int = 2 * FilterChain.slotLimit) {
    self.settings = settings
    cancels = FrameBuffer(capacity: settings.releases && settings.limit > 0 ? frameCapacity : 1)
    records = .allocate(capacity: FilterChain.slotLimit)
    found = .allocate(capacity: FilterChain.slotLimit)
  }

  deinit {
    records.deallocate()
    found.deallocate()
  }

  /// What the last call of `deadlineReached` found.
  public var newlyStuck: UnsafeBufferPointer<StuckContact> {
    UnsafeBufferPointer(start: found, count: foundCount)
  }

  /// The contacts that are stuck at present, also those that were cancelled; allocates.
  public var stuck: [StuckContact] {
    (0..<recordCount).compactMap { slot in
      let record = records[slot]
      guard record.stage == .stuck || record.stage == .released else { return nil }
      return StuckContact(
        contact: record.contact, downAt: record.downAt, isReleased: record.stage == .released)
    }
  }

  /// Takes the next frame; contacts that were cancelled are taken out of it.
  ///
  /// A frame that is left without contacts is not to be handed on.
  public mutating func apply(_ frame: inout FrameBuffer) {
    guard settings.limit > 0 else { return }
    lastTime = max(lastTime, frame.timeNanoseconds)
    cancels.device = frame.device
    cancels.display = frame.display
    let room = frame.room
    var kept = 0
    var hasChanged = false
    for index in 0..<frame.count {
      let contact = room[index]
      if contact.phase == .down || contact.phase.isEnd { hasChanged = true }
      guard take(contact, at: frame.timeNanoseconds) else { continue }
      room[kept] = contact
      kept += 1
    }
    frame.setCount(kept)
    if hasChanged { findDeadline() }
  }

  /// - Returns: whether the contact stays in the frame.
  private mutating func take(_ contact: Contact, at time: UInt64) -> Bool {
    let slot = Int(contact.slot)
    guard slot >= 0, slot < FilterChain.slotLimit else { return true }
    if contact.phase == .down {
      while recordCount <= slot {
        (records + recordCount).initialize(to: Record())
        recordCount += 1
      }
      records[slot] = Record(stage: .watched, downAt: time, contact: contact)
      return true
    }
    guard slot < recordCount, records[slot].contact.id == contact.id,
      records[slot].stage != .empty
    else { return true }
    let isReleased = records[slot].stage == .released
    if contact.phase.isEnd {
      records[slot].stage = .empty
    } else {
      records[slot].contact = contact
    }
    return !isReleased
  }

  /// Finds the contacts that have been down for too long.
  ///
  /// - Returns: true if `cancels` is to be handed on.
  public mutating func deadlineReached(_ now: UInt64) -> Bool {
    foundCount = 0
    cancels.removeAll()
    for slot in 0..<recordCount
    where records[slot].stage == .watched && due(records[slot]) ?? .max <= now {
      records[slot].stage = settings.releases ? .released : .stuck
      (found + foundCount).initialize(
        to: StuckContact(
          contact: records[slot].contact, downAt: records[slot].downAt,
          isReleased: settings.releases))
      foundCount += 1
      count &+= 1
    }
    if foundCount > 0, settings.releases { cancel(at: now) }
    findDeadline()
    return cancels.count > 0
  }

  /// Makes a frame of the contacts just found; the others of the panel stand still in it.
  private mutating func cancel(at now: UInt64) {
    cancels.timeNanoseconds = max(now, lastTime)
    lastTime = cancels.timeNanoseconds
    var next = 0
    for slot in 0..<recordCount {
      var contact = records[slot].contact
      let isFound = next < foundCount && found[next].contact.id == contact.id
      if isFound { next += 1 }
      guard isFound || records[slot].stage == .watched || records[slot].stage == .stuck else {
        continue
      }
      contact.phase = isFound ? .cancel : .still
      _ = cancels.append(contact)
    }
  }

  private func due(_ record: Record) -> UInt64? {
    let (time, isBeyond) = record.downAt.addingReportingOverflow(settings.limit)
    return isBeyond ? nil : time
  }

  private mutating func findDeadline() {
    var earliest = UInt64.max
    for slot in 0..<recordCount where records[slot].stage == .watched {
      earliest = min(earliest, due(records[slot]) ?? .max)
    }
    nextDeadline = earliest == .max ? nil : earliest
  }
}
