/// Recognises two fingers that move apart or together; continuous.
@MainActor
open class UIPinchGestureRecognizer: UIGestureRecognizer {
  private var pair = FingerPair()
  private var startDistance: CGFloat = 1
  /// The distance that stands for a scale of 1.
  private var unit: CGFloat = 1
  private var currentScale: CGFloat = 1
  private var rate = ChangeRate()

  /// How much further apart the fingers are than when it began: 1 at first.
  ///
  /// Setting it lets the scale go on from there.
  open var scale: CGFloat {
    get { currentScale }
    set {
      guard newValue > 0, newValue.isFinite else { return }
      currentScale = newValue
      if pair.isComplete { unit = distance / newValue }
    }
  }

  /// How fast the scale changed last, a second.
  open var velocity: CGFloat { rate.perSecond / unit }

  private var distance: CGFloat { pair.distance(least: limits.leastFingerDistance) }

  /// Takes the first two fingers; further ones are ignored.
  open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
    let wasComplete = pair.isComplete
    for touch in inOrder(touches) where !pair.add(touch) { ignore(touch, for: event) }
    guard pair.isComplete, !wasComplete else { return }
    let distance = distance
    startDistance = distance
    // A finger that comes back goes on with the scale there is.
    unit = isRunning ? distance / currentScale : distance
    rate.start(distance, at: event.time)
  }

  /// Begins when the distance has changed enough, and follows it.
  open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
    guard pair.isComplete else { return }
    let distance = distance
    rate.add(distance, at: event.time)
    if isRunning {
      currentScale = distance / unit
      state = .changed
    } else if abs(distance - startDistance) >= limits.pinchHysteresis {
      unit = distance
      state = .began
    }
  }

  /// Ends when both fingers are up; fails if it has not begun.
  open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
    pair.remove(touches)
    if pair.isEmpty { state = isRunning ? .ended : .failed }
  }

  /// Cancels the gesture.
  open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
    state = .cancelled
  }

  final override func willRecognize() {
    unit = distance
    currentScale = 1
  }

  final override func forgetAttempt() {
    pair.removeAll()
    currentScale = 1
    unit = 1
    rate = ChangeRate()
  }
}
