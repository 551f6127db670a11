/// A view that stands for an image; touches pass to what lies behind unless it is told to take them.
///
/// There is no image in it: who draws keeps that.
@MainActor
open class UIImageView: UIView {
  /// Creates an image view that takes no touches.
  public override init(frame: CGRect) {
    super.init(frame: frame)
    isUserInteractionEnabled = false
  }
}
