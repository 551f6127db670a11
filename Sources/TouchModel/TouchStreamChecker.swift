/// A breach of the laws of a touch stream; each names the contact it concerns.
public enum TouchStreamFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// Law 1: an id goes down once, ever.
  case downOfKnownContact(id: UInt64)
  /// Law 2: motion and still belong to a live contact.
  case moveOfUnknownContact(id: UInt64)
  /// Law 3: up and cancel belong to a live contact, so a contact ends once and nothing follows.
  case endOfUnknownContact(id: UInt64)
  /// Law 4: a frame names a contact once, but for an end that a new contact in its slot follows.
  case contactTwiceInFrame(id: UInt64)
  /// Law 5: two live contacts of a device never share a slot.
  case slotTaken(id: UInt64, slot: Int32)
  /// Law 6: a position is a number.
  case positionNotFinite(id: UInt64)
  /// Law 7: a stream that ends has no live contact left.
  case liveAtEnd(id: UInt64)
  /// Law 8: what hovers has not gone down yet; the stream to an app has no such contact at all.
  case hoverOfKnownContact(id: UInt64)

  /// The fault in words.
  public var description: String {
    switch self {
    case .downOfKnownContact(let id): "contact \(id) goes down a second time"
    case .moveOfUnknownContact(let id): "contact \(id) moves without being down"
    case .endOfUnknownContact(let id): "contact \(id) ends without being down"
    case .contactTwiceInFrame(let id): "contact \(id) stands twice in one frame"
    case .slotTaken(let id, let slot): "contact \(id) goes down in slot \(slot), which is taken"
    case .positionNotFinite(let id): "contact \(id) has a position that is not a number"
    case .liveAtEnd(let id): "contact \(id) is still down at the end of the stream"
    case .hoverOfKnownContact(let id): "contact \(id) hovers after it went down"
    }
  }
}

/// Watches one stream of frames, to or from one client, and names the first law it breaks.
///
/// Every contact that went down is later up or cancelled, once, and nothing follows it.
/// It runs in tests, fuzzers and debug builds; it allocates and is not for the frame path.
public struct TouchStreamChecker: Sendable {
  private struct Live {
    var device: UInt32
    var slot: Int32
  }

  private var live: [UInt64: Live] = [:]
  // Ids rise over the daemon's life but reach one client out of order by a frame at most, when a
  // slot is reused; so remembering every id that ended is the only exact test of law 1.
  private var ended: Set<UInt64> = []

  /// Creates a checker for a stream that has not begun.
  public init() {}

  /// The ids of the contacts that are down, in rising order.
  public var liveContacts: [UInt64] { live.keys.sorted() }

  /// Takes the next frame.
  public mutating func accept(_ frame: TouchFrame) throws(TouchStreamFault) {
    try accept(frame.contacts, device: frame.device)
  }

  /// Takes the contacts of the next frame of a device.
  public mutating func accept(
    _ contacts: [Contact], device: UInt32
  ) throws(TouchStreamFault) {
    var seen: Set<UInt64> = []
    for contact in contacts {
      guard seen.insert(contact.id).inserted else {
        throw .contactTwiceInFrame(id: contact.id)
      }
      guard contact.position.x.isFinite, contact.position.y.isFinite else {
        throw .positionNotFinite(id: contact.id)
      }
      try accept(contact, device: device)
    }
  }

  private mutating func accept(
    _ contact: Contact, device: UInt32
  ) throws(TouchStreamFault) {
    switch contact.phase {
    // It neither begins nor ends, but what is down does not hover.
    case .hover:
      guard live[contact.id] == nil, !ended.contains(contact.id) else {
        throw .hoverOfKnownContact(id: contact.id)
      }
    case .down:
      guard live[contact.id] == nil, !ended.contains(contact.id) else {
        throw .downOfKnownContact(id: contact.id)
      }
      let isTaken = live.values.contains { $0.device == device && $0.slot == contact.slot }
      guard !isTaken else { throw .slotTaken(id: contact.id, slot: contact.slot) }
      live[contact.id] = Live(device: device, slot: contact.slot)
    case .motion, .still:
      guard live[contact.id] != nil else { throw .moveOfUnknownContact(id: contact.id) }
    case .up, .cancel:
      guard live.removeValue(forKey: contact.id) != nil else {
        throw .endOfUnknownContact(id: contact.id)
      }
      ended.insert(contact.id)
    }
  }

  /// Ends the stream: nothing may be down.
  public func finish() throws(TouchStreamFault) {
    if let id = live.keys.min() { throw .liveAtEnd(id: id) }
  }
}
