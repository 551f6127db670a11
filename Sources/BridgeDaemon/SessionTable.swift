/// The sessions by client number: a look-up is an index and a comparison.
///
/// A number is a place in the low ten bits and a count of how often the place was used above;
/// so it is never 0 and is not used again before four million clients have been in one place.
struct SessionTable {
  private static let placeBits: UInt32 = 10
  private var sessions: [Session?]
  private var uses: [UInt32]
  private(set) var count = 0

  init() {
    sessions = Array(repeating: nil, count: 1 << Int(Self.placeBits))
    uses = Array(repeating: 0, count: 1 << Int(Self.placeBits))
  }

  /// The number for a client that is about to come; nil if there is no place.
  mutating func reserve() -> UInt32? {
    guard count < DaemonLimits.clients, let place = sessions.firstIndex(where: { $0 == nil })
    else { return nil }
    let highest = UInt32.max >> Self.placeBits
    uses[place] = uses[place] == highest ? 1 : uses[place] + 1
    return uses[place] << Self.placeBits | UInt32(place)
  }

  mutating func insert(_ session: Session) {
    sessions[Self.place(session.id)] = session
    count += 1
  }

  mutating func remove(_ session: Session) {
    guard self[session.id] != nil else { return }
    sessions[Self.place(session.id)] = nil
    count -= 1
  }

  subscript(_ id: UInt32) -> Session? {
    guard let session = sessions[Self.place(id)], session.id == id else { return nil }
    return session
  }

  /// All sessions, in no order that matters.
  var all: [Session] { sessions.compactMap { $0 } }

  private static func place(_ id: UInt32) -> Int { Int(id & (1 << placeBits - 1)) }
}
