/// Recognises fingers that flick in a direction; discrete.
///
/// A slow swipe must be straight but may be short, a quick one may stray but must be long. It is
/// recognised on the way, without waiting for the lift.
@MainActor
open class UISwipeGestureRecognizer: UIGestureRecognizer {
  /// Directions of a swipe.
  public struct Direction: OptionSet, Sendable, Hashable {
    /// The bits of the directions.
    public let rawValue: UInt
    /// Creates a set of directions from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// To the right.
    public static let right = Direction(rawValue: 1 << 0)
    /// To the left.
    public static let left = Direction(rawValue: 1 << 1)
    /// Upwards.
    public static let up = Direction(rawValue: 1 << 2)
    /// Downwards.
    public static let down = Direction(rawValue: 1 << 3)

    static let each: [Direction] = [.right, .left, .up, .down]

    /// How far a way goes in the direction, and how far to the side.
    func parts(of way: CGVector) -> (forward: CGFloat, sideways: CGFloat) {
      switch self {
      case .right: (way.dx, abs(way.dy))
      case .left: (-way.dx, abs(way.dy))
      case .up: (-way.dy, abs(way.dx))
      default: (way.dy, abs(way.dx))
      }
    }
  }

  /// The directions that are accepted; the action cannot tell which it was.
  open var direction = Direction.right
  /// How many fingers swipe.
  open var numberOfTouchesRequired = 1

  private var fingers: [UITouch] = []
  private var firstDown: UInt64 = 0
  /// The directions that the way has not ruled out.
  private var open = Direction()

  /// Looks at touches that landed.
  open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
    for touch in inOrder(touches) {
      if fingers.isEmpty {
        firstDown = touch.time
        open = direction
      }
      fingers.append(touch)
    }
    if fingers.count > numberOfTouchesRequired || isLate(event) { state = .failed }
  }

  /// Recognises the swipe, or fails where it is none.
  open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
    if isLate(event) {
      state = .failed
      return
    }
    let way = way
    for candidate in Direction.each where open.contains(candidate) {
      switch judge(candidate.parts(of: way), after: seconds(at: event)) {
      case .goesOn: break
      case .fails: open.remove(candidate)
      case .swipes:
        state = fingers.count == numberOfTouchesRequired ? .ended : .failed
        return
      }
    }
    if open.isEmpty { state = .failed }
  }

  /// Fails: a swipe is recognised before.
  open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
    state = .failed
  }

  /// Fails.
  open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
    state = .failed
  }

  private enum Judgement {
    case goesOn
    case swipes
    case fails
  }

  private func judge(
    _ parts: (forward: CGFloat, sideways: CGFloat), after seconds: Double
  ) -> Judgement {
    let limits = limits
    let share = seconds / limits.swipeDuration.inSeconds
    let least =
      limits.swipeDistanceWhenFast
      + (limits.swipeDistanceWhenSlow - limits.swipeDistanceWhenFast) * share
    let most =
      limits.swipeStrayWhenFast + (limits.swipeStrayWhenSlow - limits.swipeStrayWhenFast) * share
    if parts.sideways > limits.swipeStrayWhenFast || parts.forward < -limits.swipeBacktrack {
      return .fails
    }
    if parts.forward < least { return .goesOn }
    return parts.sideways <= most ? .swipes : .fails
  }

  private var way: CGVector {
    var sum = CGVector.zero
    for finger in fingers {
      sum = sum + CGVector(from: finger.startInWindow, to: finger.location(in: nil))
    }
    return sum * (1 / CGFloat(max(1, fingers.count)))
  }

  private func seconds(at event: UIEvent) -> Double { Double(event.time &- firstDown) / 1e9 }

  private func isLate(_ event: UIEvent) -> Bool {
    event.time &- firstDown > limits.swipeDuration.wholeNanoseconds
  }

  final override func forgetAttempt() {
    fingers.removeAll(keepingCapacity: true)
    open = []
  }

  /// The middle of where the fingers landed.
  open override func location(in view: UIView?) -> CGPoint {
    var places = Places()
    for finger in fingers { places.add(place(finger.startInWindow, in: view)) }
    return places.middle
  }

  /// Where one finger landed.
  open override func location(ofTouch touchIndex: Int, in view: UIView?) -> CGPoint {
    precondition(fingers.indices.contains(touchIndex), "a touch index is below numberOfTouches")
    return place(fingers[touchIndex].startInWindow, in: view)
  }
}
