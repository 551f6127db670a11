/// Recognises fingers that stay where they are for a time; continuous.
///
/// It begins when the time has passed, without a new event, and then follows the fingers.
@MainActor
open class UILongPressGestureRecognizer: UIGestureRecognizer {
  /// How many full taps come before the press.
  open var numberOfTapsRequired = 0
  /// How many fingers press.
  open var numberOfTouchesRequired = 1 {
    didSet { taps.fingersRequired = numberOfTouchesRequired }
  }
  /// How long the fingers stay, in seconds.
  ///
  /// - Range: 0 and up, where infinity and what no clock can reach stand for never; what is below, or
  ///   not a number, counts as 0.
  open var minimumPressDuration = 0.5
  /// How far each finger may move before the time has passed, in points.
  open var allowableMovement: CGFloat = 10

  private var taps = TapTracker()
  private var fingers: [UITouch] = []

  private var isTapping: Bool { taps.tapsDone < numberOfTapsRequired }
  final override var awaitsTouches: Bool {
    actual == .possible && numberOfTapsRequired > 0 && fingers.isEmpty && taps.isBetweenTaps
  }

  /// Looks at touches that landed.
  open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
    for touch in inOrder(touches) {
      if isRunning {
        ignore(touch, for: event)
      } else if isTapping {
        if taps.began(touch, by: limits) == .failed {
          state = .failed
          return
        }
        setDeadline(taps.deadline(by: limits), inclusive: true)
      } else if !press(touch) {
        return
      }
    }
  }

  /// - Returns: false if the press has failed or begun with this finger.
  private func press(_ touch: UITouch) -> Bool {
    if fingers.isEmpty, !taps.continues(with: touch, by: limits) {
      state = .failed
      return false
    }
    fingers.append(touch)
    if fingers.count > numberOfTouchesRequired {
      state = .failed
      return false
    }
    clearDeadline()
    guard fingers.count == numberOfTouchesRequired else { return true }
    let wait = wholeNanoseconds(inSeconds: minimumPressDuration)
    setDeadline(later(than: touch.time, by: wait), inclusive: false)
    // No time to wait for, unless another finger of this event is one too many.
    if wait == 0, !tracked.contains(where: { $0.phase == .began && !fingers.contains($0) }) {
      clearDeadline()
      state = .began
      return false
    }
    return true
  }

  /// Follows the fingers of a press; fails if one moves too far before.
  open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
    if isRunning {
      state = .changed
    } else if isTapping {
      if taps.moved(touches, by: limits) == .failed { state = .failed }
    } else {
      for touch in touches where touch.farthest > allowableMovement { state = .failed }
    }
  }

  /// Ends a press; before, counts a tap or fails.
  open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
    if isRunning {
      state = .ended
    } else if isTapping {
      for touch in inOrder(touches) {
        switch taps.ended(touch, by: limits) {
        case .goesOn: continue
        case .tapped: setDeadline(taps.deadline(by: limits), inclusive: true)
        case .failed: state = .failed
        }
      }
    } else {
      state = .failed
    }
  }

  /// Cancels a press; fails before.
  open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
    state = .cancelled
  }

  final override func deadlineReached() {
    let isPressed = !isTapping && fingers.count == numberOfTouchesRequired
    state = isPressed ? .began : .failed
  }

  final override func forgetAttempt() {
    taps.forget()
    fingers.removeAll(keepingCapacity: true)
  }
}
