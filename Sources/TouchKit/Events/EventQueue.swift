import TouchModel

/// Frames that have arrived and are not delivered yet, in flat storage that is used again.
struct EventQueue {
  /// One frame; its contacts lie in the common storage.
  struct Entry {
    var time: UInt64
    var device: UInt32
    var first: Int
    var count: Int
    var contacts: Range<Int> { first..<first + count }
  }

  private var entries: [Entry] = []
  private var contacts: [Contact] = []
  private(set) var head = 0
  private var users = 0

  // What the daemon sends ahead of an acknowledgement: eight frames, each with sixteen merged steps;
  // ten fingers in all of them. More than that grows the storage once.
  private static let usualFrames = 8 * 17
  static let usualContacts = usualFrames * 10

  init() {
    entries.reserveCapacity(Self.usualFrames)
    contacts.reserveCapacity(Self.usualContacts)
  }

  mutating func append(_ frame: TouchFrame) {
    entries.append(
      Entry(
        time: frame.timeNanoseconds, device: frame.device, first: contacts.count,
        count: frame.contacts.count))
    contacts.append(contentsOf: frame.contacts)
  }

  mutating func append(_ frame: borrowing FrameBuffer) {
    let count = frame.count
    entries.append(
      Entry(
        time: frame.timeNanoseconds, device: frame.device, first: contacts.count, count: count))
    for index in 0..<count { contacts.append(frame[index]) }
  }

  /// The frame that is next, which stays.
  var first: Entry? { head < entries.count ? entries[head] : nil }

  mutating func removeFirst() { head += 1 }

  /// Whether any frame that waits fulfils a condition.
  func contains(where condition: (Entry) -> Bool) -> Bool {
    for index in head..<entries.count where condition(entries[index]) { return true }
    return false
  }

  /// The next thing that is known of a contact, and when it was measured.
  func next(of contactID: UInt64) -> (contact: Contact, time: UInt64)? {
    for index in head..<entries.count {
      for place in entries[index].contacts where contacts[place].id == contactID {
        return (contacts[place], entries[index].time)
      }
    }
    return nil
  }

  subscript(contact index: Int) -> Contact { contacts[index] }

  // A handler may run the queue in the middle of a frame; its contacts stay until all are done.
  mutating func beginUse() { users += 1 }

  mutating func endUse() {
    users -= 1
    guard users == 0, head > 0 else { return }
    // What waits for the end of an interval moves to the front: the storage does not grow.
    let done = head < entries.count ? entries[head].first : contacts.count
    entries.removeSubrange(..<head)
    contacts.removeSubrange(..<done)
    for index in entries.indices { entries[index].first -= done }
    head = 0
  }
}
