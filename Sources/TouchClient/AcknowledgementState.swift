import TouchWire

/// What the daemon is still to be told about frames that have come.
///
///     received --handled--> waiting --sent--> (told)
///
/// An acknowledgement that finds no room waits and is joined by the next one.
struct AcknowledgementState {
  private var receivedSerial: UInt32?
  private var receivedAt: UInt64 = 0
  private var staleContacts: UInt32 = 0
  /// What has been handled and is to be said as soon as there is room.
  private(set) var waiting: Acknowledgement?

  /// Whether a frame has come that is not handled yet.
  var hasUnhandled: Bool { receivedSerial != nil }

  /// Takes note of a frame, and of how many of its contacts were dropped as stale.
  mutating func received(_ serial: UInt32, at time: UInt64, stale: Int) {
    receivedSerial = serial
    receivedAt = time
    staleContacts &+= UInt32(truncatingIfNeeded: stale)
  }

  /// Takes note that all that came has been handled.
  mutating func handled(at time: UInt64) {
    guard let serial = receivedSerial else { return }
    waiting = Acknowledgement(
      frameSerial: serial, staleContacts: staleContacts &+ (waiting?.staleContacts ?? 0),
      readTime: receivedAt, doneTime: time)
    receivedSerial = nil
    staleContacts = 0
  }

  /// Takes note that the daemon has been told.
  mutating func sent() { waiting = nil }
}
