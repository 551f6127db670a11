/// Decides about the editing of a text field, and hears of it.
@MainActor
public protocol UITextFieldDelegate: AnyObject {
  /// Tells whether a field that was tapped becomes first responder; true unless implemented.
  func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
  /// Tells that the field has become first responder.
  func textFieldDidBeginEditing(_ textField: UITextField)
  /// Tells whether the field may stop being first responder; true unless implemented.
  func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
  /// Tells that the field is no longer first responder.
  func textFieldDidEndEditing(_ textField: UITextField)
}

extension UITextFieldDelegate {
  /// Lets editing begin.
  public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
  /// Does nothing.
  public func textFieldDidBeginEditing(_ textField: UITextField) {}
  /// Lets editing end.
  public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
  /// Does nothing.
  public func textFieldDidEndEditing(_ textField: UITextField) {}
}

/// A control that becomes first responder when it is tapped.
///
/// Where letters come from is the app's affair: it sets `text`, for one from a keyboard of its own,
/// and then tells of it by `sendActions(for: .editingChanged)`; at a return key it sends
/// `.editingDidEndOnExit`.
@MainActor
open class UITextField: UIControl {
  /// The text; setting it sends no event.
  open var text: String? = ""
  /// The text that stands there while there is none.
  open var placeholder: String?
  /// Who decides about editing and hears of it.
  open weak var delegate: (any UITextFieldDelegate)?

  /// Whether the field is first responder.
  open var isEditing: Bool { isFirstResponder }

  /// Creates a text field at a place in its future superview.
  public override init(frame: CGRect) { super.init(frame: frame) }

  /// Whether the field is enabled.
  open override var canBecomeFirstResponder: Bool { isEnabled }

  /// Whether the delegate lets editing end.
  open override var canResignFirstResponder: Bool {
    delegate?.textFieldShouldEndEditing(self) ?? true
  }

  /// Begins editing, if the delegate agrees.
  @discardableResult
  open override func becomeFirstResponder() -> Bool {
    if isFirstResponder { return true }
    guard delegate?.textFieldShouldBeginEditing(self) ?? true else { return false }
    return super.becomeFirstResponder()
  }

  final override func didBecomeFirstResponder() {
    delegate?.textFieldDidBeginEditing(self)
    sendActions(for: .editingDidBegin)
  }

  final override func didLoseFirstResponder() {
    delegate?.textFieldDidEndEditing(self)
    sendActions(for: .editingDidEnd)
  }

  final override func liftedInside(_ event: UIEvent?) {
    super.liftedInside(event)
    becomeFirstResponder()
  }
}
