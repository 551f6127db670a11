import TouchModel

/// Finds out which contacts of a report are those of the report before, by where they are.
///
/// The sum of the squared distances is the least there is (Hungarian method), where a contact that
/// stays alone counts as if it had moved as far as it may.
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
  private let capacity: Int
  private let costs: UnsafeMutablePointer<Double>
  // Prices of rows and columns, the row that a column belongs to, the column before on the way to
  // it, and what is left of its cost; each has an entry 0 that stands for none.
  private let rowPrices: UnsafeMutablePointer<Double>
  private let columnPrices: UnsafeMutablePointer<Double>
  private let slack: UnsafeMutablePointer<Double>
  private let rows: UnsafeMutablePointer<Int>
  private let before: UnsafeMutablePointer<Int>
  private let isUsed: UnsafeMutablePointer<Bool>

  /// Prepares for up to `capacity` contacts on each side.
  init(x: AxisRange?, y: AxisRange?, limit: Double, capacity: Int) {
    func extent(_ range: AxisRange?) -> Double {
      max(1, Double(range?.maximum ?? 0) - Double(range?.minimum ?? 0))
    }
    unit = SIMD2(extent(x), extent(y))
    // Finite, for a sum of infinite costs tells nothing.
    let reach = limit > 0 ? min(limit, 1e6) : 0
    self.limit = reach * reach
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
    cost(contact + 1, earlier + 1).pointee = distance <= limit ? distance : .infinity
  }

  private func cost(_ row: Int, _ column: Int) -> UnsafeMutablePointer<Double> {
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
        cost(row, column).pointee = limit
      }
    }
    for column in 0...width {
      columnPrices[column] = 0
      rows[column] = 0
    }
    for row in stride(from: 1, through: contacts, by: 1) { place(row, width: width) }
    for column in stride(from: 1, through: earlier, by: 1) where rows[column] != 0 {
      found(rows[column] - 1, column - 1)
    }
  }

  /// Finds the cheapest way to give one more row a column, moving others where that helps.
  private func place(_ row: Int, width: Int) {
    rows[0] = row
    for column in 0...width {
      slack[column] = .infinity
      isUsed[column] = false
    }
    var column = 0
    repeat {
      isUsed[column] = true
      let current = rows[column]
      var least = Double.infinity
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
}
