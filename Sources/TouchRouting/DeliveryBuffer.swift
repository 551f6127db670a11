import TouchModel

/// The decisions of one call that are for one client and of one panel, or for nobody.
public struct DeliveryPart: Sendable, Equatable {
  /// The panel.
  public var device: UInt32
  /// The client; 0 for contacts that nobody gets.
  public var client: UInt32
  /// The display.
  public var display: UInt32
  /// How many decisions belong to it.
  public var count = 0
  /// How many of them are downs.
  public var downs = 0
  /// Whether all its contacts were down before and still are.
  public var isMotion = true

  @usableFromInline
  init(device: UInt32, client: UInt32, display: UInt32) {
    self.device = device
    self.client = client
    self.display = display
  }

  /// Tells whether a decision belongs to it.
  @inlinable
  public func contains(_ route: ContactRoute) -> Bool {
    route.client == client && route.device == device
  }

  @usableFromInline
  mutating func noteChange(_ phase: ContactPhase) {
    isMotion = false
    if phase == .down { downs += 1 }
  }
}

/// What the router decided for the contacts of one frame, in storage allocated once.
///
/// The decisions stand in the order of the contacts. While they come in they are counted by client
/// and panel, so that whoever hands them out asks each client once. A frame's contacts come in by
/// an exchange of storage and are changed in place: to copy them costs as much as to route them.
///
/// - Ownership: owns its storage, which goes with it.
public struct DeliveryBuffer: ~Copyable {
  /// How many decisions fit.
  public let capacity: Int
  /// How many there are.
  @inlinable public var count: Int { contacts.count }
  /// How many pairs of a client and a panel they are for.
  @inlinable public var partCount: Int { usedParts }

  @usableFromInline var contacts: FrameBuffer
  // One for each contact.
  @usableFromInline let routes: UnsafeMutablePointer<ContactRoute>
  @usableFromInline var usedParts = 0
  // The part of the decision that came last: most likely that of the next.
  @usableFromInline var lastPart: UnsafeMutablePointer<DeliveryPart>
  // Room for as many parts as decisions; before them one that no decision belongs to.
  @usableFromInline let parts: UnsafeMutablePointer<DeliveryPart>

  /// Allocates room; a capacity below 1 counts as 1.
  public init(capacity: Int) {
    self.capacity = max(1, capacity)
    contacts = FrameBuffer(capacity: self.capacity)
    routes = .allocate(capacity: self.capacity)
    let noPart = UnsafeMutablePointer<DeliveryPart>.allocate(capacity: self.capacity + 1)
    noPart.initialize(to: DeliveryPart(device: .max, client: .max, display: 0))
    parts = noPart + 1
    lastPart = noPart
  }

  deinit {
    routes.deallocate()
    (parts - 1).deallocate()
  }

  /// The decision at an index below `count`.
  @inlinable
  public subscript(_ index: Int) -> RoutedContact {
    RoutedContact(contact: contacts[index], route: routes[index])
  }

  /// The part at an index below `partCount`; parts stand in the order of their first decisions.
  @inlinable
  public func part(_ index: Int) -> DeliveryPart {
    precondition(index >= 0 && index < usedParts, "no part at this index")
    return parts[index]
  }

  /// The part for a client and a panel; nil if there is nothing of that panel for the client.
  public func part(client: UInt32, device: UInt32) -> DeliveryPart? {
    for index in 0..<usedParts
    where parts[index].client == client && parts[index].device == device {
      return parts[index]
    }
    return nil
  }

  /// Forgets all decisions and keeps the storage.
  @inlinable
  public mutating func removeAll() {
    contacts.removeAll()
    removeParts()
  }

  @inlinable
  mutating func removeParts() {
    usedParts = 0
    lastPart = parts - 1
  }

  /// Takes over a frame's contacts, of which the caller then decides each.
  ///
  /// - Returns: how many there are; those that do not fit are left out.
  @inline(__always)
  mutating func takeContacts(of frame: inout FrameBuffer) -> Int {
    removeParts()
    if frame.capacity == capacity {
      contacts.exchangeContacts(with: &frame)
    } else {
      contacts.removeAll()
      for contact in frame.contacts where !contacts.append(contact) { break }
    }
    return contacts.count
  }

  /// Adds a decision.
  ///
  /// - Returns: false, and nothing is added, if the buffer is full.
  public mutating func append(_ decision: RoutedContact) -> Bool {
    let index = contacts.count
    guard contacts.append(decision.contact) else { return false }
    (routes + index).initialize(to: decision.route)
    countPart(client: decision.client, device: decision.device, routes + index)
    let phase = decision.contact.phase
    if phase != .motion, phase != .still { lastPart.pointee.noteChange(phase) }
    return true
  }

  /// Counts a decision among those of its client and panel, which are `lastPart` afterwards.
  @inline(__always)
  mutating func countPart(client: UInt32, device: UInt32, _ route: UnsafePointer<ContactRoute>) {
    if lastPart.pointee.client != client || lastPart.pointee.device != device {
      choosePart(for: route.pointee)
    }
    lastPart.pointee.count &+= 1
  }

  private mutating func choosePart(for route: ContactRoute) {
    var index = 0
    while index < usedParts, !parts[index].contains(route) { index += 1 }
    lastPart = parts + index
    guard index == usedParts else { return }
    lastPart.initialize(
      to: DeliveryPart(device: route.device, client: route.client, display: route.display))
    usedParts += 1
  }

  /// Calls for each contact of a part; the buffer must not change meanwhile.
  @inlinable
  @inline(__always)
  public func visit(_ part: DeliveryPart, _ body: (UnsafePointer<Contact>) -> Void) {
    var contact = UnsafePointer(contacts.room)
    let end = contact + contacts.count
    if part.count == contacts.count {
      while contact != end {
        body(contact)
        contact += 1
      }
      return
    }
    var route = routes
    while contact != end {
      if part.contains(route.pointee) { body(contact) }
      contact += 1
      route += 1
    }
  }

  /// The decisions; valid until the buffer changes.
  public var decisions: Decisions {
    Decisions(contacts: contacts.contacts, routes: UnsafePointer(routes))
  }

  /// The decisions of a buffer, as a collection.
  public struct Decisions: RandomAccessCollection {
    let contacts: UnsafeBufferPointer<Contact>
    let routes: UnsafePointer<ContactRoute>

    /// The first index: 0.
    public var startIndex: Int { 0 }
    /// How many there are.
    public var endIndex: Int { contacts.count }
    /// The decision at an index.
    public subscript(_ index: Int) -> RoutedContact {
      precondition(index >= 0 && index < contacts.count, "no decision at this index")
      return RoutedContact(contact: contacts[index], route: routes[index])
    }
  }
}
