/// All contacts of one panel at one `SYN_REPORT`: live ones and those that ended in it.
///
/// This is the value for tests, tools and apps. The stages of the daemon pass `FrameBuffer`,
/// which holds the same and allocates nothing.
public struct TouchFrame: Sendable, Equatable {
  /// The kernel's time of the frame in `CLOCK_MONOTONIC`.
  ///
  /// - Units: nanoseconds.
  public var timeNanoseconds: UInt64
  /// The panel, as the daemon numbers it; never reused for another panel while the daemon runs.
  public var device: UInt32
  /// The display the panel belongs to; 0 is the first.
  public var display: UInt32
  /// The contacts, by slot; where a slot is reused within the frame the ended contact comes first.
  public var contacts: [Contact]

  /// Creates a frame.
  public init(
    timeNanoseconds: UInt64, device: UInt32 = 0, display: UInt32 = 0, contacts: [Contact]
  ) {
    self.timeNanoseconds = timeNanoseconds
    self.device = device
    self.display = display
    self.contacts = contacts
  }
}

/// A frame in storage that is allocated once and used again for each frame.
///
/// - Ownership: owns its storage, which goes with it; not copyable for that reason.
public struct FrameBuffer: ~Copyable {
  /// The kernel's time of the frame in `CLOCK_MONOTONIC`, in nanoseconds.
  public var timeNanoseconds: UInt64 = 0
  /// The panel's number.
  public var device: UInt32 = 0
  /// The display's number.
  public var display: UInt32 = 0
  /// How many contacts the frame holds.
  ///
  /// - Range: `0 ... capacity`.
  @inlinable public var count: Int { used }
  /// How many contacts fit.
  public private(set) var capacity: Int

  @usableFromInline var used = 0
  @usableFromInline var storage: UnsafeMutablePointer<Contact>

  /// Allocates room for a number of contacts; a capacity below 1 counts as 1.
  public init(capacity: Int) {
    self.capacity = max(1, capacity)
    storage = .allocate(capacity: self.capacity)
  }

  deinit { storage.deallocate() }

  /// Adds a contact behind the others.
  ///
  /// - Returns: false, and nothing is added, if the buffer is full.
  @inlinable
  public mutating func append(_ contact: Contact) -> Bool {
    guard used < capacity else { return false }
    (storage + used).initialize(to: contact)
    used &+= 1
    return true
  }

  /// Forgets all contacts and keeps the storage.
  @inlinable
  public mutating func removeAll() { used = 0 }

  /// Forgets the contacts from an index on.
  @inlinable
  public mutating func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= count, "truncating to more than there is")
    used = newCount
  }

  /// The contact at an index below `count`.
  @inlinable
  public subscript(_ index: Int) -> Contact {
    get {
      precondition(index >= 0 && index < count, "no contact at this index")
      return storage[index]
    }
    set {
      precondition(index >= 0 && index < count, "no contact at this index")
      storage[index] = newValue
    }
  }

  /// Exchanges the contacts with another frame, storage and all; times and numbers stay.
  public mutating func exchangeContacts(with other: inout FrameBuffer) {
    (capacity, other.capacity) = (other.capacity, capacity)
    (used, other.used) = (other.used, used)
    (storage, other.storage) = (other.storage, storage)
  }

  /// Room for all contacts that fit, for a stage that fills it itself and then calls `setCount`.
  @inlinable
  public var room: UnsafeMutablePointer<Contact> { storage }

  /// Says how many contacts of `room` have been filled, from the first on.
  @inlinable
  public mutating func setCount(_ count: Int) {
    precondition(count >= 0 && count <= capacity, "more contacts than there is room for")
    used = count
  }

  /// The contacts as they lie in memory; valid until the buffer changes.
  @inlinable
  public var contacts: UnsafeBufferPointer<Contact> {
    UnsafeBufferPointer(start: storage, count: used)
  }

  /// The frame as a value of its own; allocates.
  public func frame() -> TouchFrame {
    TouchFrame(
      timeNanoseconds: timeNanoseconds, device: device, display: display,
      contacts: Array(UnsafeBufferPointer(start: storage, count: count)))
  }

  /// Takes over a frame's values.
  ///
  /// - Returns: false if not all contacts fitted; those that did are held.
  public mutating func load(_ frame: TouchFrame) -> Bool {
    timeNanoseconds = frame.timeNanoseconds
    device = frame.device
    display = frame.display
    used = 0
    for contact in frame.contacts where !append(contact) { return false }
    return true
  }
}
