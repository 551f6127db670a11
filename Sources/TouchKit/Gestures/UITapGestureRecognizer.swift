/// Recognises one or more taps of one or more fingers; discrete.
///
/// Recognised when the last finger of the last tap is lifted. More taps go before fewer, but a
/// single tap does not wait for a double tap unless it requires that one to fail.
@MainActor
open class UITapGestureRecognizer: UIGestureRecognizer {
  /// How many taps make the gesture.
  open var numberOfTapsRequired = 1
  /// How many fingers make a tap.
  open var numberOfTouchesRequired = 1 {
    didSet { taps.fingersRequired = numberOfTouchesRequired }
  }

  private var taps = TapTracker()

  final override var tapRank: Int { max(1, numberOfTapsRequired) }
  final override var awaitsTouches: Bool { actual == .possible && taps.isBetweenTaps }

  /// Looks at touches that landed.
  open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
    for touch in inOrder(touches) where taps.began(touch, by: limits) == .failed {
      state = .failed
      return
    }
    setDeadline(taps.deadline(by: limits), inclusive: true)
  }

  /// Fails if a finger has moved too far.
  open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
    if taps.moved(touches, by: limits) == .failed { state = .failed }
  }

  /// Counts the tap, and recognises the last.
  open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
    for touch in inOrder(touches) {
      switch taps.ended(touch, by: limits) {
      case .goesOn: continue
      case .failed: state = .failed
      case .tapped where taps.tapsDone >= tapRank:
        clearDeadline()
        environment.noteReady(self)
      case .tapped: setDeadline(taps.deadline(by: limits), inclusive: true)
      }
      return
    }
  }

  /// Fails.
  open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
    state = .failed
  }

  final override func deadlineReached() { state = .failed }
  final override func forgetAttempt() { taps.forget() }

  /// Tells that taps that need more taps are never made to fail by this.
  open override func canPrevent(
    _ preventedGestureRecognizer: UIGestureRecognizer
  ) -> Bool {
    guard let other = preventedGestureRecognizer as? UITapGestureRecognizer else { return true }
    return other.numberOfTapsRequired <= numberOfTapsRequired
  }

  /// How many fingers the last tap had.
  open override var numberOfTouches: Int { taps.starts.count }

  /// The middle of where the fingers of the last tap landed.
  open override func location(in view: UIView?) -> CGPoint {
    var places = Places()
    for start in taps.starts { places.add(place(start, in: view)) }
    return places.middle
  }

  /// Where one finger of the last tap landed.
  open override func location(ofTouch touchIndex: Int, in view: UIView?) -> CGPoint {
    let starts = taps.starts
    precondition(starts.indices.contains(touchIndex), "a touch index is below numberOfTouches")
    return place(starts[touchIndex], in: view)
  }
}
