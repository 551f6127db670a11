/// A control that does something when a finger is lifted on it.
@MainActor
open class UIButton: UIControl {
  /// Creates a button at a place in its future superview.
  public override init(frame: CGRect) { super.init(frame: frame) }

  final override func liftedInside(_ event: UIEvent?) {
    super.liftedInside(event)
    send(.primaryActionTriggered, with: event)
  }

  /// Refuses a single tap of an ancestor's recogniser: a tap on the button is the button's.
  open override func gestureRecognizerShouldBegin(
    _ gestureRecognizer: UIGestureRecognizer
  ) -> Bool {
    guard isEnabled, gestureRecognizer.view !== self,
      let tap = gestureRecognizer as? UITapGestureRecognizer
    else { return super.gestureRecognizerShouldBegin(gestureRecognizer) }
    return tap.numberOfTapsRequired > 1 || tap.numberOfTouchesRequired > 1
  }
}
