/// The line between the two fingers of a pinch or a rotation.
@MainActor
struct FingerPair {
  private(set) var fingers: [UITouch] = []

  var isComplete: Bool { fingers.count == 2 }
  var isEmpty: Bool { fingers.isEmpty }

  /// - Returns: false if there are two already.
  mutating func add(_ touch: UITouch) -> Bool {
    guard !isComplete else { return false }
    fingers.append(touch)
    return true
  }

  mutating func remove(_ touches: Set<UITouch>) { fingers.removeAll { touches.contains($0) } }

  mutating func removeAll() { fingers.removeAll(keepingCapacity: true) }

  /// The line from the first finger to the second, on the window.
  private var line: CGVector {
    guard isComplete else { return .zero }
    return CGVector(from: fingers[0].location(in: nil), to: fingers[1].location(in: nil))
  }

  /// The fingers' distance, never below a least one.
  func distance(least: CGFloat) -> CGFloat { max(least, line.length) }

  /// The line's angle, clockwise from the x axis; nil if the fingers are too near to tell.
  func angle(least: CGFloat) -> CGFloat? {
    let line = line
    return line.length < least ? nil : Trigonometry.angle(x: line.dx, y: line.dy)
  }
}

/// How fast a value changed between the last two measurements.
struct ChangeRate {
  private var last: (value: Double, time: UInt64)?
  private(set) var perSecond = 0.0

  mutating func start(_ value: Double, at time: UInt64) {
    last = (value, time)
    perSecond = 0
  }

  mutating func add(_ value: Double, at time: UInt64) {
    if let last, time > last.time {
      perSecond = (value - last.value) / (Double(time - last.time) / 1e9)
    }
    last = (value, time)
  }
}
