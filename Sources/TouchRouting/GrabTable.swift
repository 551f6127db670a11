import TouchModel

/// What the router knows of a live contact: who got it when it went down.
struct Grab {
  /// 0 marks an empty place.
  var id: UInt64 = 0
  /// The client gets the contact while the reason is `none`; else why it no longer does.
  var route: ContactRoute
  var scene: UInt32 = 0
  /// The contact as it went down, but where it now is; in points of the display.
  var last: Contact

  /// Takes the contact from its client.
  mutating func withhold(because reason: DropReason) {
    route.client = 0
    route.reason = reason
    route.sceneOrigin = Point(x: 0, y: 0)
  }
}

/// The live contacts by id: open addressing in storage that is allocated once.
struct GrabTable: ~Copyable {
  /// More than all slots of eight panels; half of the places, so that searches stay short.
  static let maximumContacts = 512
  private static let mask = 1023

  private let places: UnsafeMutablePointer<Grab>
  private(set) var count = 0

  init() {
    let empty = Contact(id: 0, slot: 0, phase: .up, position: Point(x: 0, y: 0))
    places = .allocate(capacity: Self.mask + 1)
    let nobody = ContactRoute(device: 0, client: 0, display: 0)
    places.initialize(repeating: Grab(route: nobody, last: empty), count: Self.mask + 1)
  }

  deinit { places.deallocate() }

  /// The place of a contact; nil if it is not live. Valid until an insertion or removal.
  @inline(__always)
  func find(_ id: UInt64) -> UnsafeMutablePointer<Grab>? {
    let home = places + Self.home(id)
    return home.pointee.id == id ? home : findElsewhere(id)
  }

  private func findElsewhere(_ id: UInt64) -> UnsafeMutablePointer<Grab>? {
    var place = Self.home(id)
    while places[place].id != id {
      if places[place].id == 0 { return nil }
      place = (place + 1) & Self.mask
    }
    return places + place
  }

  /// Adds a contact that is not in the table.
  ///
  /// - Returns: false if there are too many.
  mutating func insert(_ grab: Grab) -> Bool {
    guard count < Self.maximumContacts, grab.id != 0 else { return false }
    var place = Self.home(grab.id)
    while places[place].id != 0 { place = (place + 1) & Self.mask }
    places[place] = grab
    count += 1
    return true
  }

  /// Takes a contact out; one that is not there is left alone.
  mutating func remove(_ id: UInt64) {
    guard let found = find(id) else { return }
    var hole = found - places
    places[hole].id = 0
    count -= 1
    // What follows moves up, or a search for it would end at the hole.
    var next = (hole + 1) & Self.mask
    while places[next].id != 0 {
      let home = Self.home(places[next].id)
      if (next - home) & Self.mask >= (next - hole) & Self.mask {
        places[hole] = places[next]
        places[next].id = 0
        hole = next
      }
      next = (next + 1) & Self.mask
    }
  }

  /// Calls for each live contact; the table must not change meanwhile.
  func visitAll(_ body: (UnsafeMutablePointer<Grab>) -> Void) {
    for place in 0...Self.mask where places[place].id != 0 { body(places + place) }
  }

  @inline(__always)
  private static func home(_ id: UInt64) -> Int {
    Int(truncatingIfNeeded: id) & mask
  }
}
