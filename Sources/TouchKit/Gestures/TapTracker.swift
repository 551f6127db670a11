/// Follows the fingers of a series of taps, for recognisers that start with taps.
@MainActor
struct TapTracker {
  /// What the fingers have made of the series.
  enum Verdict {
    /// Nothing is decided.
    case goesOn
    /// A tap is complete.
    case tapped
    /// This is no series of taps.
    case failed
  }

  private struct Finger {
    let touch: UITouch
    var isDown = true
  }

  /// How many fingers make one tap.
  var fingersRequired = 1
  private(set) var tapsDone = 0
  private(set) var lastLift: UInt64 = 0
  private var fingers: [Finger] = []
  private var firstTap: [CGPoint] = []
  private var firstDown: UInt64 = 0
  private var hasLifted = false

  /// Whether the fingers are up between two taps.
  var isBetweenTaps: Bool { tapsDone > 0 && fingers.allSatisfy { !$0.isDown } }

  /// When the present finger work is too long, or the pause after it; the time itself is allowed.
  func deadline(by limits: TouchConfiguration) -> UInt64 {
    if isBetweenTaps { return later(than: lastLift, by: limits.tapInterval.wholeNanoseconds) }
    let end = later(than: firstDown, by: limits.tapDuration.wholeNanoseconds)
    if fingers.count >= fingersRequired { return end }
    return min(end, later(than: firstDown, by: limits.tapFingerSpread.wholeNanoseconds))
  }

  /// Tells whether a contact is near enough to the first tap, and early enough after the last.
  func continues(with touch: UITouch, by limits: TouchConfiguration) -> Bool {
    guard tapsDone > 0 else { return true }
    let latest = later(than: lastLift, by: limits.tapInterval.wholeNanoseconds)
    return touch.time <= latest
      && firstTap.contains { $0.distance(to: touch.startInWindow) <= limits.tapDistance }
  }

  mutating func began(_ touch: UITouch, by limits: TouchConfiguration) -> Verdict {
    if isBetweenTaps || fingers.isEmpty {
      guard continues(with: touch, by: limits) else { return .failed }
      fingers.removeAll(keepingCapacity: true)
      firstDown = touch.time
      hasLifted = false
    }
    fingers.append(Finger(touch: touch))
    let spread = touch.time &- firstDown
    let isInTime = spread <= limits.tapFingerSpread.wholeNanoseconds
    return isInTime && !hasLifted && fingers.count <= fingersRequired ? .goesOn : .failed
  }

  func moved(_ touches: Set<UITouch>, by limits: TouchConfiguration) -> Verdict {
    for touch in touches where touch.farthest > limits.tapMovement { return .failed }
    return .goesOn
  }

  mutating func ended(_ touch: UITouch, by limits: TouchConfiguration) -> Verdict {
    guard let index = fingers.firstIndex(where: { $0.touch === touch }) else { return .goesOn }
    fingers[index].isDown = false
    hasLifted = true
    guard touch.farthest <= limits.tapMovement, fingers.count == fingersRequired,
      touch.time &- firstDown <= limits.tapDuration.wholeNanoseconds
    else { return .failed }
    guard fingers.allSatisfy({ !$0.isDown }) else { return .goesOn }
    tapsDone += 1
    lastLift = touch.time
    if tapsDone == 1 { firstTap = starts }
    return .tapped
  }

  /// Where the fingers of the present tap, or of the last, landed; in window coordinates.
  var starts: [CGPoint] { fingers.map { $0.touch.startInWindow } }

  mutating func forget() {
    let required = fingersRequired
    self = TapTracker()
    fingersRequired = required
  }
}

extension UITouch {
  /// Where the contact landed, in window coordinates.
  var startInWindow: CGPoint { convert(beganPlace, to: nil) }
}

extension UIGestureRecognizer {
  /// The touches of a set in order of landing.
  func inOrder(_ touches: Set<UITouch>) -> [UITouch] { tracked.filter { touches.contains($0) } }

  /// A place on the window in a view's coordinates.
  func place(_ point: CGPoint, in target: UIView?) -> CGPoint {
    guard let target, let window else { return point }
    return target.convert(point, from: window)
  }

  /// A movement on the window in a view's coordinates.
  func vector(_ vector: CGVector, in target: UIView?) -> CGVector {
    CGVector(
      from: place(.zero, in: target), to: place(CGPoint(x: vector.dx, y: vector.dy), in: target))
  }

  /// A movement in a view's coordinates on the window.
  func vector(_ vector: CGVector, from source: UIView?) -> CGVector {
    guard let source, let window else { return vector }
    return CGVector(
      from: source.convert(CGPoint.zero, to: window),
      to: source.convert(CGPoint(x: vector.dx, y: vector.dy), to: window))
  }
}
