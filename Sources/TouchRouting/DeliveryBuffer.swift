import TouchModel

/// What the router decided for the contacts of one frame, in storage allocated once.
///
/// - Ownership: owns its storage, which goes with it.
public struct DeliveryBuffer: ~Copyable {
  /// How many decisions fit.
  public let capacity: Int
  /// How many there are.
  @inlinable public var count: Int { used }

  @usableFromInline var used = 0
  @usableFromInline let storage: UnsafeMutablePointer<RoutedContact>

  /// Allocates room; a capacity below 1 counts as 1.
  public init(capacity: Int) {
    self.capacity = max(1, capacity)
    storage = .allocate(capacity: self.capacity)
  }

  deinit { storage.deallocate() }

  /// The decision at an index below `count`.
  @inlinable
  public subscript(_ index: Int) -> RoutedContact {
    precondition(index >= 0 && index < used, "no decision at this index")
    return storage[index]
  }

  /// Forgets all decisions and keeps the storage.
  @inlinable
  public mutating func removeAll() { used = 0 }

  /// Adds a decision.
  ///
  /// - Returns: false, and nothing is added, if the buffer is full.
  @inlinable
  public mutating func append(_ decision: RoutedContact) -> Bool {
    guard used < capacity else { return false }
    (storage + used).initialize(to: decision)
    used += 1
    return true
  }

  /// The decisions as they lie in memory; valid until the buffer changes.
  @inlinable
  public var decisions: UnsafeBufferPointer<RoutedContact> {
    UnsafeBufferPointer(start: storage, count: used)
  }
}
