/// Where and when something happened last, in a ring of fixed size.
///
/// - Ownership: owns its storage, which goes with it.
struct RecentPlaces: ~Copyable {
  private struct Entry {
    var time: UInt64
    var place: SIMD2<Double>
  }

  private let entries: UnsafeMutablePointer<Entry>
  private let capacity: Int
  private var count = 0
  private var next = 0

  init(capacity: Int) {
    self.capacity = max(1, capacity)
    entries = .allocate(capacity: self.capacity)
  }

  deinit { entries.deallocate() }

  /// Adds one; the oldest goes if there is no room.
  mutating func append(_ place: SIMD2<Double>, at time: UInt64) {
    (entries + next).initialize(to: Entry(time: time, place: place))
    next = (next + 1) % capacity
    count = min(capacity, count + 1)
  }

  /// How many happened within a distance and not longer ago than a duration.
  func count(
    near place: SIMD2<Double>, within distance: Double, at time: UInt64, since duration: UInt64
  ) -> Int {
    var found = 0
    for index in 0..<count {
      let entry = entries[index]
      let away = entry.place - place
      // A clock that went back makes nothing old.
      let age = time > entry.time ? time - entry.time : 0
      if age < duration, (away * away).sum() <= distance * distance { found += 1 }
    }
    return found
  }
}
