/// A view that stands for a text; touches pass to what lies behind unless it is told to take them.
///
/// Nothing is drawn: the text is for whoever draws.
@MainActor
open class UILabel: UIView {
  /// The text; nil for none.
  open var text: String?

  /// Creates a label that takes no touches.
  public override init(frame: CGRect) {
    super.init(frame: frame)
    isUserInteractionEnabled = false
  }
}
