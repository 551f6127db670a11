import TouchModel

/// Gathers the contacts of one report of multi-touch protocol A.
///
/// A contact is what stands between two `SYN_MT_REPORT`, or the rest before `SYN_REPORT` where a
/// driver leaves that out. What it does not say, the last contact in its slot has said.
///
/// - Ownership: owns its tables, allocated once.
final class ReportCollector {
  /// The contacts that are tracked; panels of this protocol have ten at most.
  static var limit: Int { 32 }

  /// A bit for each value that a contact gave, by its place in a slot.
  typealias Mask = UInt16

  /// How many contacts the report has so far.
  private(set) var count = 0
  /// Whether the report says which contacts there are, be it none.
  private(set) var speaks = false
  /// Whether what is in the next report was down at opening.
  var isFirst = false
  /// Whether the device has `BTN_TOUCH`, whose state the kernel keeps.
  let hasTouchKey: Bool
  let matcher: ContactMatcher

  private let position: PositionAxes
  // One row more than the limit, so that the last contact can be read and thrown away.
  private let values: UnsafeMutablePointer<Int32>
  private let masks: UnsafeMutablePointer<Mask>
  /// The device's own id of what is in each slot; -1 for none.
  let deviceIDs: UnsafeMutablePointer<Int32>
  /// The slot of each contact; -1 while it has none.
  let slots: UnsafeMutablePointer<Int>
  // Which contacts and which slots are matched by their places.
  let openContacts: UnsafeMutablePointer<Int>
  let openSlots: UnsafeMutablePointer<Int>
  private var lastID: Int32 = -1

  init(position: PositionAxes, hasTouchKey: Bool, matcher: ContactMatcher) {
    self.position = position
    self.hasTouchKey = hasTouchKey
    self.matcher = matcher
    values = .allocate(capacity: (Self.limit + 1) * SlotValues.count)
    values.initialize(repeating: 0, count: (Self.limit + 1) * SlotValues.count)
    masks = .allocate(capacity: Self.limit + 1)
    masks.initialize(repeating: 0, count: Self.limit + 1)
    deviceIDs = .allocate(capacity: Self.limit)
    deviceIDs.initialize(repeating: -1, count: Self.limit)
    slots = .allocate(capacity: Self.limit)
    slots.initialize(repeating: -1, count: Self.limit)
    openContacts = .allocate(capacity: Self.limit)
    openContacts.initialize(repeating: 0, count: Self.limit)
    openSlots = .allocate(capacity: Self.limit)
    openSlots.initialize(repeating: 0, count: Self.limit)
  }

  deinit {
    values.deallocate()
    masks.deallocate()
    deviceIDs.deallocate()
    slots.deallocate()
    openContacts.deallocate()
    openSlots.deallocate()
  }

  // MARK: What a contact said

  func row(_ contact: Int) -> SlotValues {
    SlotValues(base: values + contact * SlotValues.count)
  }

  func has(_ code: UInt16, _ contact: Int) -> Bool {
    masks[contact] & Self.bit(code) != 0
  }

  /// The device's id of a contact; nil if it gives none.
  func id(_ contact: Int) -> Int32? {
    has(EvdevCode.absMTTrackingID, contact) ? row(contact)[EvdevCode.absMTTrackingID] : nil
  }

  func place(_ contact: Int) -> ContactMatcher.Place {
    ContactMatcher.Place(
      x: has(EvdevCode.absMTPositionX, contact) ? row(contact)[EvdevCode.absMTPositionX] : nil,
      y: has(EvdevCode.absMTPositionY, contact) ? row(contact)[EvdevCode.absMTPositionY] : nil)
  }

  /// Puts what a contact said into a slot.
  func copy(_ contact: Int, to slot: SlotValues) {
    for place in 0..<SlotValues.count
    where masks[contact] & 1 << place != 0 && SlotValues.plainPlaces & 1 << place != 0 {
      slot.base[place] = row(contact).base[place]
    }
  }

  /// An id for the slot table: the device's own may come again or be missing.
  func nextID() -> Int32 {
    lastID = (lastID &+ 1) & .max
    return lastID
  }

  // MARK: Events

  /// Forgets what was gathered: a report is over, or half of one was lost.
  func beginReport() {
    count = 0
    speaks = false
    masks[0] = 0
  }

  /// Takes an axis of a contact.
  func take(_ event: EvdevEvent) {
    guard let place = place(of: event.code) else { return }
    speaks = true
    row(count).base[place] = event.value
    masks[count] |= 1 << Mask(place)
  }

  private func place(of code: UInt16) -> Int? {
    if code == position.x { return Self.place(EvdevCode.absMTPositionX) }
    if code == position.y { return Self.place(EvdevCode.absMTPositionY) }
    guard code > EvdevCode.absMTSlot, code < EvdevCode.absMTSlot + UInt16(SlotValues.count),
      code != EvdevCode.absMTPositionX, code != EvdevCode.absMTPositionY
    else { return nil }
    return Self.place(code)
  }

  private static func place(_ code: UInt16) -> Int { Int(code - EvdevCode.absMTSlot) }

  private static func bit(_ code: UInt16) -> Mask { 1 << Mask(place(code)) }

  /// Says that nothing touches, unless the report names contacts.
  func takeRelease() { speaks = true }

  /// Ends a contact.
  func endContact(_ counters: inout FrameCounters) {
    speaks = true
    keepContact(&counters)
    masks[count] = 0
  }

  /// Ends the last contact of a report whose driver leaves the `SYN_MT_REPORT` out.
  func endReport(_ counters: inout FrameCounters) {
    if masks[count] != 0 { endContact(&counters) }
  }

  private func keepContact(_ counters: inout FrameCounters) {
    guard masks[count] != 0 else { return }
    if let id = id(count) {
      // A driver that numbers its contacts may say in this way that one is gone.
      guard id >= 0 else { return }
      for earlier in 0..<count where self.id(earlier) == id {
        copy(count, to: row(earlier))
        masks[earlier] |= masks[count]
        return
      }
    } else if !has(EvdevCode.absMTPositionX, count), !has(EvdevCode.absMTPositionY, count) {
      counters.emptyContacts &+= 1
      return
    }
    guard count < Self.limit else {
      counters.contactsBeyondLimit &+= 1
      return
    }
    count += 1
  }

  // MARK: Where the stream is not the whole truth

  /// Takes over whether something touches at opening.
  func adopt(isTouched: Bool) {
    forgetAll()
    isFirst = isTouched
  }

  /// Forgets all contacts.
  func forgetAll() {
    beginReport()
    isFirst = false
    for slot in 0..<Self.limit { deviceIDs[slot] = -1 }
  }
}
