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
  // A bit for each phase that occurs.
  @usableFromInline var phases: UInt32 = 0

  @usableFromInline
  init(of decision: RoutedContact) {
    device = decision.device
    client = decision.client
    display = decision.display
  }

  /// Whether all its contacts were down before and still are.
  @inlinable
  public var isMotion: Bool {
    phases & ~(1 << UInt32(ContactPhase.motion.rawValue) | 1 << UInt32(ContactPhase.still.rawValue))
      == 0
  }

  /// Tells whether a decision belongs to it.
  @inlinable
  public func contains(_ decision: RoutedContact) -> Bool {
    decision.client == client && decision.device == device
  }

  @inlinable
  mutating func count(_ phase: ContactPhase) {
    count &+= 1
    phases |= 1 &<< UInt32(phase.rawValue)
    if phase == .down { downs &+= 1 }
  }
}

/// What the router decided for the contacts of one frame, in storage allocated once.
///
/// The decisions stand in the order of the contacts. While they come in they are counted by client
/// and panel, so that whoever hands them out asks each client once.
///
/// - Ownership: owns its storage, which goes with it.
public struct DeliveryBuffer: ~Copyable {
  /// How many decisions fit.
  public let capacity: Int
  /// How many there are.
  @inlinable public var count: Int { used }
  /// How many pairs of a client and a panel they are for.
  @inlinable public var partCount: Int { usedParts }

  @usableFromInline var used = 0
  @usableFromInline let storage: UnsafeMutablePointer<RoutedContact>
  @usableFromInline var usedParts = 0
  // The part of the decision that came last: most likely that of the next.
  @usableFromInline var lastPart: UnsafeMutablePointer<DeliveryPart>
  // Room for as many parts as decisions.
  @usableFromInline let parts: UnsafeMutablePointer<DeliveryPart>

  /// Allocates room; a capacity below 1 counts as 1.
  public init(capacity: Int) {
    self.capacity = max(1, capacity)
    storage = .allocate(capacity: self.capacity)
    parts = .allocate(capacity: self.capacity)
    lastPart = parts
  }

  deinit {
    storage.deallocate()
    parts.deallocate()
  }

  /// The decision at an index below `count`.
  @inlinable
  public subscript(_ index: Int) -> RoutedContact {
    precondition(index >= 0 && index < used, "no decision at this index")
    return storage[index]
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
    used = 0
    usedParts = 0
  }

  /// Adds a decision.
  ///
  /// - Returns: false, and nothing is added, if the buffer is full.
  @inlinable
  public mutating func append(_ decision: RoutedContact) -> Bool {
    guard used < capacity else { return false }
    (storage + used).initialize(to: decision)
    countLast()
    return true
  }

  /// Adds a decision on a contact of a display: its position becomes one of the scene.
  ///
  /// It takes addresses, so that nothing is copied twice.
  @inline(__always)
  mutating func append(
    _ contact: UnsafePointer<Contact>, scene: UInt32, route: UnsafePointer<ContactRoute>
  ) {
    guard used < capacity else { return }
    let place = storage + used
    place.initialize(to: RoutedContact(contact: contact.pointee, route: route.pointee))
    place.pointee.contact.scene = scene
    place.pointee.contact.position.x -= route.pointee.sceneOrigin.x
    place.pointee.contact.position.y -= route.pointee.sceneOrigin.y
    countLast()
  }

  @inlinable
  @inline(__always)
  mutating func countLast() {
    let decision = storage + used
    used &+= 1
    let client = decision.pointee.route.client
    if usedParts == 0 || lastPart.pointee.client != client
      || lastPart.pointee.device != decision.pointee.route.device
    {
      choosePart(for: decision.pointee)
    }
    lastPart.pointee.count(decision.pointee.contact.phase)
  }

  @usableFromInline
  mutating func choosePart(for decision: RoutedContact) {
    var index = 0
    while index < usedParts, !parts[index].contains(decision) { index += 1 }
    lastPart = parts + index
    guard index == usedParts else { return }
    lastPart.initialize(to: DeliveryPart(of: decision))
    usedParts += 1
  }

  /// Calls for each decision of a part; the buffer must not change meanwhile.
  @inlinable
  @inline(__always)
  public func visit(_ part: DeliveryPart, _ body: (UnsafePointer<RoutedContact>) -> Void) {
    var place = UnsafePointer(storage)
    let end = place + used
    let isWhole = part.count == used
    while place != end {
      if isWhole || part.contains(place.pointee) { body(place) }
      place += 1
    }
  }

  /// The decisions as they lie in memory; valid until the buffer changes.
  @inlinable
  public var decisions: UnsafeBufferPointer<RoutedContact> {
    UnsafeBufferPointer(start: storage, count: used)
  }
}
