/// Lets a few through each second and counts the rest, so that nobody fills the log.
struct RateLimit {
  /// How many pass in one second.
  let limit: Int
  private var second: UInt64 = 0
  private var passed = 0
  private var held = 0

  init(limit: Int) { self.limit = limit }

  /// Asks for one more.
  ///
  /// - Returns: nil if it is held back; else how many were held back since the last that passed.
  mutating func pass(at nanoseconds: UInt64) -> Int? {
    let now = nanoseconds / 1_000_000_000
    if now != second {
      second = now
      passed = 0
    }
    guard passed < limit else {
      held += 1
      return nil
    }
    passed += 1
    defer { held = 0 }
    return held
  }
}
