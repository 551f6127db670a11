/// Recognises two fingers that turn about each other; continuous.
@MainActor
open class UIRotationGestureRecognizer: UIGestureRecognizer {
  private var pair = FingerPair()
  private var lastAngle: CGFloat?
  /// The turn since the second finger landed; several full turns add up.
  private var turn: CGFloat = 0
  /// The turn that stands for a rotation of 0.
  private var zero: CGFloat = 0
  private var rate = ChangeRate()

  /// How far the fingers have turned since it began, 0 at first.
  ///
  /// Setting it lets the rotation go on from there.
  ///
  /// - Units: radians, clockwise on screen.
  open var rotation: CGFloat {
    get { actual == .possible ? 0 : turn - zero }
    set { zero = turn - newValue }
  }

  /// How fast the fingers turned last, in radians a second.
  open var velocity: CGFloat { rate.perSecond }

  /// Takes the first two fingers; further ones are ignored.
  open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
    let wasComplete = pair.isComplete
    for touch in inOrder(touches) where !pair.add(touch) { ignore(touch, for: event) }
    guard pair.isComplete, !wasComplete else { return }
    lastAngle = pair.angle(least: limits.leastFingerDistance)
    if !isRunning { turn = 0 }
    rate.start(turn, at: event.time)
  }

  /// Begins when the fingers have turned enough, and follows them.
  open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
    guard pair.isComplete else { return }
    follow(at: event.time)
    if isRunning {
      state = .changed
    } else if abs(turn) >= limits.rotationHysteresis {
      state = .began
    }
  }

  private func follow(at time: UInt64) {
    if let angle = pair.angle(least: limits.leastFingerDistance) {
      if let last = lastAngle { turn += Self.shortWay(from: last, to: angle) }
      lastAngle = angle
    }
    rate.add(turn, at: time)
  }

  /// The turn from one angle to another, at most half a turn.
  private static func shortWay(from old: CGFloat, to new: CGFloat) -> CGFloat {
    (new - old).remainder(dividingBy: 2 * .pi)
  }

  /// Ends when both fingers are up; fails if it has not begun.
  open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
    pair.remove(touches)
    lastAngle = nil
    if pair.isEmpty { state = isRunning ? .ended : .failed }
  }

  /// Cancels the gesture.
  open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
    state = .cancelled
  }

  final override func willRecognize() { zero = turn }

  final override func forgetAttempt() {
    pair.removeAll()
    lastAngle = nil
    turn = 0
    zero = 0
    rate = ChangeRate()
  }
}
