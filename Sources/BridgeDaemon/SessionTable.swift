/// The sessions by client number: a look-up is an index and a comparison.
///
/// A number is a place in the low ten bits and a count of how often the place was used above;
/// so it is never 0 and is not used again before four million clients have been in one place.
///
/// - Ownership: holds the sessions strongly; owns its storage, which goes with it.
final class SessionTable {
  private static let placeBits: UInt32 = 10
  private static let places = 1 << Int(placeBits)
  // Bare storage, for an array in a class would cost several calls into the runtime a look-up.
  private let sessions: UnsafeMutablePointer<Session?>
  // The same again, for the frame path.
  private let unretained: UnsafeMutablePointer<Unmanaged<Session>?>
  private let uses: UnsafeMutablePointer<UInt32>
  private(set) var count = 0

  init() {
    sessions = .allocate(capacity: Self.places)
    sessions.initialize(repeating: nil, count: Self.places)
    unretained = .allocate(capacity: Self.places)
    unretained.initialize(repeating: nil, count: Self.places)
    uses = .allocate(capacity: Self.places)
    uses.initialize(repeating: 0, count: Self.places)
  }

  deinit {
    sessions.deinitialize(count: Self.places)
    sessions.deallocate()
    unretained.deallocate()
    uses.deallocate()
  }

  /// The number for a client that is about to come; nil if there is no place.
  ///
  /// - Parameter isAdmin: whether it comes through the socket for tools, which has places of its own.
  func reserve(isAdmin: Bool = false) -> UInt32? {
    guard count < DaemonLimits.clients + (isAdmin ? DaemonLimits.tools : 0),
      let place = (0..<Self.places).first(where: { sessions[$0] == nil })
    else { return nil }
    let highest = UInt32.max >> Self.placeBits
    uses[place] = uses[place] == highest ? 1 : uses[place] + 1
    return uses[place] << Self.placeBits | UInt32(place)
  }

  func insert(_ session: Session) {
    sessions[Self.place(session.id)] = session
    unretained[Self.place(session.id)] = Unmanaged.passUnretained(session)
    count += 1
  }

  func remove(_ session: Session) {
    guard self[session.id] != nil else { return }
    unretained[Self.place(session.id)] = nil
    sessions[Self.place(session.id)] = nil
    count -= 1
  }

  subscript(_ id: UInt32) -> Session? {
    guard let session = sessions[Self.place(id)], session.id == id else { return nil }
    return session
  }

  /// Calls with a session that stays in the table meanwhile; not for a number of nobody.
  ///
  /// Without the count of references that handing it out costs: the table holds it.
  @inline(__always)
  func with(_ id: UInt32, _ body: (Session) -> Void) {
    guard let session = unretained[Self.place(id)] else { return }
    session._withUnsafeGuaranteedRef { if $0.id == id { body($0) } }
  }

  /// All sessions, in no order that matters; allocates.
  var all: [Session] { (0..<Self.places).compactMap { sessions[$0] } }

  /// Tells whether something holds of a session.
  func contains(where holds: (Session) -> Bool) -> Bool {
    var left = count
    for place in 0..<Self.places where left > 0 {
      guard let session = sessions[place] else { continue }
      if holds(session) { return true }
      left -= 1
    }
    return false
  }

  /// Calls for each session; the one that it is called for may go.
  func visitAll(_ body: (Session) -> Void) {
    for place in 0..<Self.places {
      if let session = sessions[place] { body(session) }
    }
  }

  // Below `places`, whatever the number.
  private static func place(_ id: UInt32) -> Int { Int(id & (1 << placeBits - 1)) }
}
