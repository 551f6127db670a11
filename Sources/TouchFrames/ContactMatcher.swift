import TouchModel

/// Finds out which contacts of a report are those of the report before, by where they are.
///
/// The sum of the squared distances is the least there is (Hungarian method), where a contact that
/// stays alone counts as if it had moved as far as it may. Of several matchings with that sum it is the
/// one in which the first contact has the lowest slot, alone being the last, then the second, and so on.
/// Distances are counted in whole steps, so that equal sums are equal on every machine.
///
/// - Ownership: owns its tables, allocated once.
final class ContactMatcher {
  /// Where a contact is, or was; an axis that nobody told is nil.
  struct Place {
    var x: Int32?
    var y: Int32?
  }

  private let unit: SIMD2<Double>
  private let limit: Double
  private let costOfNone: Int64
  private let capacity: Int
  // In steps of 2^-40 of the square of an axis's range: finer than an axis of a million units, and 32
  // contacts as far apart as `longestReach` are still far from the end of 64 bits.
  private static let steps = Double(1 << 40)
  private static let longestReach = 100.0
  // More than all contacts of a report together can cost.
  private static let impossible: Int64 = 1 << 60
  private let costs: UnsafeMutablePointer<Int64>
  // Prices of rows and columns, the row that a column belongs to, the column before on the way to
  // it, and what is left of its cost; each has an entry 0 that stands for none.
  private let rowPrices: UnsafeMutablePointer<Int64>
  private let columnPrices: UnsafeMutablePointer<Int64>
  private let slack: UnsafeMutablePointer<Int64>
  private let rows: UnsafeMutablePointer<Int>
  private let before: UnsafeMutablePointer<Int>
  private let isUsed: UnsafeMutablePointer<Bool>

  /// Prepares for up to `capacity` contacts on each side.
  init(x: AxisRange?, y: AxisRange?, limit: Double, capacity: Int) {
    func extent(_ range: AxisRange?) -> Double {
      max(1, Double(range?.maximum ?? 0) - Double(range?.minimum ?? 0))
    }
    unit = SIMD2(extent(x), extent(y))
    let reach = limit > 0 ? min(limit, Self.longestReach) : 0
    self.limit = reach * reach
    costOfNone = Int64(self.limit * Self.steps)
    self.capacity = capacity
    let width = 2 * capacity + 1
    costs = .allocate(capacity: capacity * width)
    rowPrices = .allocate(capacity: capacity + 1)
    columnPrices = .allocate(capacity: width)
    slack = .allocate(capacity: width)
    rows = .allocate(capacity: width)
    before = .allocate(capacity: width)
    isUsed = .allocate(capacity: width)
    costs.initialize(repeating: 0, count: capacity * width)
    rowPrices.initialize(repeating: 0, count: capacity + 1)
    columnPrices.initialize(repeating: 0, count: width)
    slack.initialize(repeating: 0, count: width)
    rows.initialize(repeating: 0, count: width)
    before.initialize(repeating: 0, count: width)
    isUsed.initialize(repeating: false, count: width)
  }

  deinit {
    costs.deallocate()
    rowPrices.deallocate()
    columnPrices.deallocate()
    slack.deallocate()
    rows.deallocate()
    before.deallocate()
    isUsed.deallocate()
  }

  /// Says how far apart a contact of the report and one of those before are.
  func set(contact: Int, earlier: Int, _ place: Place, _ last: SIMD2<Int32>) {
    var distance = 0.0
    if let x = place.x {
      let part = (Double(x) - Double(last.x)) / unit.x
      distance += part * part
    }
    if let y = place.y {
      let part = (Double(y) - Double(last.y)) / unit.y
      distance += part * part
    }
    // A pair too far apart is no pair at any price.
    cost(contact + 1, earlier + 1).pointee =
      distance <= limit ? Int64(distance * Self.steps) : Self.impossible
  }

  private func cost(_ row: Int, _ column: Int) -> UnsafeMutablePointer<Int64> {
    costs + (row - 1) * (2 * capacity + 1) + column
  }

  /// Matches contacts with earlier ones; all pairs have been set.
  ///
  /// - Parameters:
  ///   - contacts: how many the report has, at most the capacity.
  ///   - earlier: how many there were, at most the capacity.
  ///   - found: is called with each pair.
  func match(contacts: Int, earlier: Int, _ found: (Int, Int) -> Void) {
    // Behind the earlier contacts there is a column for each contact to stay alone in.
    let width = earlier + contacts
    for row in stride(from: 1, through: contacts, by: 1) {
      rowPrices[row] = 0
      for column in stride(from: earlier + 1, through: width, by: 1) {
        cost(row, column).pointee = costOfNone
      }
    }
    for column in 0...width {
      columnPrices[column] = 0
      rows[column] = 0
    }
    for row in stride(from: 1, through: contacts, by: 1) { place(row, width: width) }
    for row in stride(from: 1, through: contacts, by: 1) { settle(row, earlier, width: width) }
    for column in stride(from: 1, through: earlier, by: 1) where rows[column] != 0 {
      found(rows[column] - 1, column - 1)
    }
  }

  /// Finds the cheapest way to give one more row a column, moving others where that helps.
  private func place(_ row: Int, width: Int) {
    rows[0] = row
    for column in 0...width {
      slack[column] = .max
      isUsed[column] = false
    }
    var column = 0
    repeat {
      isUsed[column] = true
      let current = rows[column]
      var least = Int64.max
      var next = 0
      for other in stride(from: 1, through: width, by: 1) where !isUsed[other] {
        let price =
          cost(current, other).pointee - rowPrices[current] - columnPrices[other]
        if price < slack[other] {
          slack[other] = price
          before[other] = column
        }
        if slack[other] < least {
          least = slack[other]
          next = other
        }
      }
      for other in 0...width {
        if isUsed[other] {
          rowPrices[rows[other]] += least
          columnPrices[other] -= least
        } else {
          slack[other] -= least
        }
      }
      column = next
    } while rows[column] != 0
    repeat {
      rows[column] = rows[before[column]]
      column = before[column]
    } while column != 0
  }
  // MARK: Equal sums

  /// Gives a row the lowest column that it can have without the sum rising, once all rows have one; the
  /// rows before it keep theirs.
  private func settle(_ row: Int, _ earlier: Int, width: Int) {
    var own = 1
    while rows[own] != row { own += 1 }
    for column in stride(from: 1, to: min(own, earlier + 1), by: 1)
    where isFree(row, column) && !(rows[column] != 0 && rows[column] < row) {
      if exchange(column, for: own, of: row, width: width) { return }
    }
  }

  /// Whether a pair may be part of a matching with the least sum.
  private func isFree(_ row: Int, _ column: Int) -> Bool {
    // Nobody in a column counts as one who has it for nothing.
    row == 0
      ? columnPrices[column] == 0
      : cost(row, column).pointee == rowPrices[row] + columnPrices[column]
  }

  /// Lets a row change columns, if those who are in the way can all move on at no cost, the last of
  /// them to the column that the row leaves.
  private func exchange(_ column: Int, for own: Int, of row: Int, width: Int) -> Bool {
    for other in 0...width { isUsed[other] = false }
    isUsed[column] = true
    // The columns in the order in which they were found, in the room for what is left of costs.
    slack[0] = Int64(column)
    var found = 1
    var next = 0
    while next < found, !isUsed[own] {
      let from = Int(slack[next])
      next += 1
      for other in stride(from: 1, through: width, by: 1)
      where !isUsed[other] && isFree(rows[from], other)
        && !(rows[other] != 0 && rows[other] < row)
      {
        isUsed[other] = true
        before[other] = from
        slack[found] = Int64(other)
        found += 1
      }
    }
    guard isUsed[own] else { return false }
    var to = own
    while to != column {
      rows[to] = rows[before[to]]
      to = before[to]
    }
    rows[column] = row
    return true
  }
}
