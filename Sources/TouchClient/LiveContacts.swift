import TouchModel
import TouchWire

/// What is wrong with a frame; the connection that it came on is to be closed.
enum FrameFault: Error, Equatable, CustomStringConvertible {
  /// It breaks a law of touch streams.
  case unlawful(TouchStreamFault)
  /// More contacts are down than the daemon sends to one client.
  case tooManyContacts

  var description: String {
    switch self {
    case .unlawful(let fault): fault.description
    case .tooManyContacts: "more than \(WireFormat.maximumLive) contacts are down at once"
    }
  }
}

/// The contacts that the app has seen go down and not yet end.
///
/// It is the client's side of the invariant: whatever the daemon sends, an app sees lawful
/// streams only. It allocates nothing once it has grown to the most contacts seen at once.
struct LiveContacts: ~Copyable {
  private struct Live {
    var contact: Contact
    var device: UInt32
    var display: UInt32
  }

  private var live: [Live] = []
  #if DEBUG
    private var checker = TouchStreamChecker()
  #endif

  /// Holds a message against what the daemon promises, before anything of it is taken.
  ///
  /// What concerns contacts that are not known is let through: it is ignored later.
  func check(_ message: FrameMessage, isStale: Bool) throws(FrameFault) {
    var downs = 0
    for index in 0..<message.contactCount {
      let id = message.contactID(index)
      for earlier in 0..<index where message.contactID(earlier) == id {
        throw .unlawful(.contactTwiceInFrame(id: id))
      }
      let contact = message.contact(index)
      guard contact.phase == .down else { continue }
      guard find(id) == nil else { throw .unlawful(.downOfKnownContact(id: id)) }
      guard !isStale else { continue }
      downs += 1
      guard isFree(contact.slot, message, before: index) else {
        throw .unlawful(.slotTaken(id: id, slot: contact.slot))
      }
    }
    guard live.count + downs <= WireFormat.maximumLive else { throw .tooManyContacts }
  }

  /// Tells whether a slot has no contact when the message comes to a contact of its own.
  private func isFree(_ slot: Int32, _ message: FrameMessage, before index: Int) -> Bool {
    for earlier in 0..<index {
      let contact = message.contact(earlier)
      if contact.phase == .down && contact.slot == slot { return false }
    }
    return !live.contains { other in
      other.device == message.device && other.contact.slot == slot
        && !(0..<index).contains {
          message.contactID($0) == other.contact.id && message.contact($0).phase.isEnd
        }
    }
  }

  /// Fills the frame with the earlier positions of one merged step.
  ///
  /// - Returns: whether there are any.
  mutating func take(
    _ message: FrameMessage, step: Int, into frame: inout FrameBuffer
  ) throws(FrameFault) -> Bool {
    begin(&frame, message)
    for index in 0..<message.contactCount {
      var contact = message.contact(index)
      guard find(contact.id) != nil else { continue }
      let sample = message.history(step: step, contact: index)
      frame.timeNanoseconds = sample.timeNanoseconds
      contact.phase = .motion
      contact.position = sample.position
      contact.pressure = sample.pressure
      contact.major = sample.major
      _ = frame.append(contact)
    }
    try check(frame, else: live)
    return frame.count > 0
  }

  /// Fills the frame with the lawful contacts of a message.
  ///
  /// - Returns: how many contacts were dropped since they went down too long ago.
  mutating func take(
    _ message: FrameMessage, isStale: Bool, into frame: inout FrameBuffer
  ) throws(FrameFault) -> Int {
    // A second reference to the array would make the next change of it a copy.
    #if DEBUG
      let before = live
    #else
      let before: [Live] = []
    #endif
    begin(&frame, message)
    frame.timeNanoseconds = message.times.kernel
    var stale = 0
    for index in 0..<message.contactCount {
      let contact = message.contact(index)
      let place = find(contact.id)
      if contact.phase == .down {
        if isStale {
          stale += 1
          continue
        }
        live.append(Live(contact: contact, device: message.device, display: message.display))
      } else if let place {
        live[place].contact = contact
        if contact.phase.isEnd { live.swapAt(place, live.count - 1) }
        if contact.phase.isEnd { live.removeLast() }
      } else {
        continue
      }
      _ = frame.append(contact)
    }
    try check(frame, else: before)
    return stale
  }

  /// Fills the frame with cancels for the contacts of one panel, and forgets them.
  ///
  /// - Returns: whether there were any; call again until there are none.
  mutating func takeCancels(
    into frame: inout FrameBuffer, at time: UInt64
  ) throws(FrameFault) -> Bool {
    guard let first = live.first else { return false }
    frame.removeAll()
    frame.timeNanoseconds = time
    frame.device = first.device
    frame.display = first.display
    var kept = 0
    for index in live.indices {
      var contact = live[index].contact
      contact.phase = .cancel
      if live[index].device == first.device, frame.append(contact) { continue }
      live[kept] = live[index]
      kept += 1
    }
    live.removeLast(live.count - kept)
    try check(frame, else: live)
    return true
  }

  private func begin(_ frame: inout FrameBuffer, _ message: FrameMessage) {
    frame.removeAll()
    frame.device = message.device
    frame.display = message.display
  }

  private func find(_ id: UInt64) -> Int? { live.firstIndex { $0.contact.id == id } }

  /// Prepares for another connection: its daemon may count contacts from 1 again.
  mutating func beginAnew() {
    #if DEBUG
      checker = TouchStreamChecker()
    #endif
  }

  /// Holds the frame against the laws; what breaks one is as if it had never come.
  private mutating func check(
    _ frame: borrowing FrameBuffer, else before: [Live]
  ) throws(FrameFault) {
    #if DEBUG
      let lawful = checker
      do throws(TouchStreamFault) {
        try checker.accept(frame.frame())
      } catch {
        checker = lawful
        live = before
        throw .unlawful(error)
      }
    #endif
  }
}
