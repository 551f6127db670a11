import TestSupport
import Testing
import TouchModel

@testable import TouchFrames

@Suite struct `Contacts matched by their places` {
  typealias Spot = SIMD2<Int32>

  /// The cost of the best way to pair contacts, found by trying all.
  private func least(_ contacts: ArraySlice<Spot>, _ earlier: Set<Int>, _ spots: [Spot]) -> Double {
    guard let contact = contacts.first else { return 0 }
    let rest = contacts.dropFirst()
    var best = 0.0625 + least(rest, earlier, spots)
    for index in earlier {
      let cost = apart(contact, spots[index])
      guard cost <= 0.0625 else { continue }
      best = min(best, cost + least(rest, earlier.subtracting([index]), spots))
    }
    return best
  }

  private func apart(_ one: Spot, _ other: Spot) -> Double {
    let x = (Double(one.x) - Double(other.x)) / 1000
    let y = (Double(one.y) - Double(other.y)) / 500
    return x * x + y * y
  }

  @Test func `cost as little as can be, and each is used once`() throws {
    let seed = environmentSeed("MatcherTests")
    print("matched contacts: TOUCHBRIDGE_SEED=\(seed)")
    var dice = SplitMix(seed: seed)
    let matcher = ContactMatcher(
      x: AxisRange(minimum: 0, maximum: 1000), y: AxisRange(minimum: 0, maximum: 500),
      limit: 0.25, capacity: 8)
    for round in 0..<randomRounds {
      func spots() -> [Spot] {
        (0..<Int.random(in: 0...5, using: &dice)).map { _ in
          Spot(.random(in: 0...1000, using: &dice), .random(in: 0...500, using: &dice))
        }
      }
      let (earlier, contacts) = (spots(), spots())
      for (row, contact) in contacts.enumerated() {
        for (column, spot) in earlier.enumerated() {
          matcher.set(
            contact: row, earlier: column, ContactMatcher.Place(x: contact.x, y: contact.y), spot)
        }
      }
      var pairs: [Int: Int] = [:]
      matcher.match(contacts: contacts.count, earlier: earlier.count) { pairs[$0] = $1 }
      try #require(Set(pairs.values).count == pairs.count, "round \(round) of seed \(seed)")
      var cost = 0.0625 * Double(contacts.count - pairs.count)
      for (row, column) in pairs { cost += apart(contacts[row], earlier[column]) }
      let due = least(contacts[...], Set(earlier.indices), earlier)
      try #require(abs(cost - due) < 1e-9, "round \(round) of seed \(seed)")
    }
  }

  @Test(arguments: [Double.nan, -1, 0, .infinity])
  func `end with any limit`(_ limit: Double) {
    let matcher = ContactMatcher(x: nil, y: nil, limit: limit, capacity: 2)
    matcher.set(
      contact: 0, earlier: 0, ContactMatcher.Place(x: .min, y: .min), Spot(.max, .max))
    matcher.set(contact: 1, earlier: 0, ContactMatcher.Place(x: nil, y: nil), Spot(.max, .max))
    var pairs: [Int: Int] = [:]
    matcher.match(contacts: 2, earlier: 1) { pairs[$0] = $1 }
    #expect(pairs == [1: 0])
  }
}
