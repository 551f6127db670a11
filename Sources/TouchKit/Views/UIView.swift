/// A rectangle in a window that takes touches and holds other views.
///
/// Nothing is drawn: a view is where touches land and what conversions go through.
///
/// - Ownership: a view keeps its subviews and recognisers; it is kept by its superview.
@MainActor
open class UIView: UIResponder {
  // MARK: Geometry

  // A hit test reads these plain values of each view it comes to. The run-time check for overlapping
  // changes took three fifths of its instructions, and has nothing to find: each read is a copy.

  /// The view's rectangle in its own coordinates; a moved origin shifts the content.
  @exclusivity(unchecked) open var bounds: CGRect
  /// Where the anchor, by default the middle of `bounds`, lies in the superview's coordinates.
  @exclusivity(unchecked) open var center: CGPoint
  /// The place in `bounds` that `center` positions and that a transform leaves where it is.
  ///
  /// - Units: parts of the extents; (0, 0) is the left top corner. Setting it moves the view.
  @exclusivity(unchecked) public final var anchorPoint = CGPoint(x: 0.5, y: 0.5)
  /// What is done to the view about its anchor.
  open var transform = CGAffineTransform.identity {
    didSet { isTransformed = !transform.isIdentity }
  }
  @exclusivity(unchecked) private(set) var isTransformed = false

  /// The rectangle around the view in the superview's coordinates.
  ///
  /// A negative extent is set as the same rectangle with positive ones. Setting it under a
  /// transform sets `center` and `bounds` so that the transformed view has this rectangle around
  /// it, where the transform can be undone and keeps the axes.
  open var frame: CGRect {
    get {
      if isTransformed { return bounds.boundingBox { toSuperview($0) } }
      let size = bounds.size
      return CGRect(
        x: center.x - anchorPoint.x * size.width, y: center.y - anchorPoint.y * size.height,
        width: size.width, height: size.height
      ).standardized
    }
    set {
      let rect = newValue.standardized
      if !isTransformed {
        bounds.size = rect.size
        center = CGPoint(
          x: rect.origin.x + anchorPoint.x * rect.size.width,
          y: rect.origin.y + anchorPoint.y * rect.size.height)
        return
      }
      if transform.isInvertible {
        bounds.size =
          CGRect(origin: .zero, size: rect.size).applying(transform.inverted()).size
      }
      // The anchor need not be in the middle: what the box is off by, the centre makes up.
      let box = bounds.boundingBox { toSuperview($0) }
      center.x += rect.midX - box.midX
      center.y += rect.midY - box.midY
    }
  }

  // MARK: Taking touches

  /// How opaque the view is, 0...1; at 0.01 and below it takes no touch.
  @exclusivity(unchecked) open var alpha: CGFloat = 1
  /// Whether the view is out of sight and takes no touch.
  @exclusivity(unchecked) open var isHidden = false
  /// Whether the view and its subviews take touches.
  @exclusivity(unchecked) open var isUserInteractionEnabled = true
  /// Whether an animation of the app's own keeps new touches off the view until it ends.
  ///
  /// Nothing is animated here. An app that moves views step by step sets it for that time, to have
  /// what UIKit's animations do unless they are given `allowUserInteraction`.
  @exclusivity(unchecked) public final var isHeldByAnimation = false
  /// Whether the view gets further contacts while a first one is down.
  open var isMultipleTouchEnabled = false
  /// Whether other views of the window get no touches while this one has any, and the reverse.
  open var isExclusiveTouch = false
  /// Whether drawing stops at the bounds; touches stop there in any case.
  open var clipsToBounds = false
  /// A number for the app's use.
  open var tag = 0

  // MARK: Tree

  /// The view that holds this one.
  open internal(set) weak var superview: UIView?
  /// The views that this one holds, back to front.
  open internal(set) var subviews: [UIView] = []
  /// The controller whose root view this is.
  weak var controller: UIViewController?
  /// Counts the times that the view was given a superview: of two at once the later one counts.
  var placements: UInt64 = 0
  var recognizers: [UIGestureRecognizer] = []

  /// Creates a view at a place in its future superview; negative extents are made positive.
  public init(frame: CGRect) {
    let frame = frame.standardized
    bounds = CGRect(origin: .zero, size: frame.size)
    center = CGPoint(x: frame.midX, y: frame.midY)
    super.init()
  }

  /// Creates a view without an extent.
  public convenience override init() { self.init(frame: .zero) }

  // MARK: Responder

  /// The controller if this is its root view, else the superview.
  open override var next: UIResponder? { controller ?? superview }

  /// The window that the view is in.
  open var window: UIWindow? {
    var view: UIView? = self
    while let candidate = view {
      if let window = candidate.asWindow { return window }
      view = candidate.superview
    }
    return nil
  }

  // Overridden by UIWindow: cheaper than a cast for each step of each walk.
  var asWindow: UIWindow? { nil }

  final override var responderWindow: UIWindow? { window }

  // MARK: Hit-testing

  /// The front-most view at a point of this view's coordinates that takes touches.
  ///
  /// An override may return any view, or nil to let the touch pass to what lies behind. It runs
  /// once for each new contact, and must have no effect besides its answer.
  open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
    frontMostView(at: point, with: event)
  }

  /// Tells whether a point of this view's coordinates belongs to it; by default if in `bounds`.
  open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { bounds.contains(point) }

  // MARK: Changing the tree

  /// Puts a view in front of all others; a view that is elsewhere is removed from there.
  open func addSubview(_ view: UIView) { place(view) { $0.count } }

  /// Takes the view out of its superview; touches that landed in it are cancelled at once.
  open func removeFromSuperview() { leave(for: nil) }

  // MARK: Hooks of the tree

  /// Tells that a view has been added.
  open func didAddSubview(_ subview: UIView) {}
  /// Tells that a view is about to be removed.
  open func willRemoveSubview(_ subview: UIView) {}
  /// Tells that the superview is about to change.
  open func willMove(toSuperview newSuperview: UIView?) {}
  /// Tells that the superview has changed.
  open func didMoveToSuperview() {}
  /// Tells that the window is about to change.
  open func willMove(toWindow newWindow: UIWindow?) {}
  /// Tells that the window has changed.
  open func didMoveToWindow() {}

  // MARK: Gestures

  /// The recognisers in the order they were added; nil if there are none.
  open var gestureRecognizers: [UIGestureRecognizer]? {
    get { recognizers.isEmpty ? nil : recognizers }
    set {
      let wanted = newValue ?? []
      for recognizer in recognizers where !wanted.contains(recognizer) {
        removeGestureRecognizer(recognizer)
      }
      for recognizer in wanted { addGestureRecognizer(recognizer) }
    }
  }

  /// Lets a recogniser see the contacts that land in the view from now on.
  ///
  /// One that is attached elsewhere is removed from there; adding it again changes nothing.
  open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
    guard gestureRecognizer.view !== self else { return }
    gestureRecognizer.view?.removeGestureRecognizer(gestureRecognizer)
    recognizers.append(gestureRecognizer)
    gestureRecognizer.view = self
  }

  /// Takes a recogniser off the view; a gesture that is under way is cancelled.
  open func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
    guard let index = recognizers.firstIndex(where: { $0 === gestureRecognizer }) else { return }
    gestureRecognizer.abandon()
    recognizers.remove(at: index)
    gestureRecognizer.view = nil
  }

  /// Tells whether a recogniser may take the touches that landed on this view; true by default.
  ///
  /// - Source: asked of each view that a tracked touch landed on, unless the recogniser leaves
  ///   the touches to the views (`cancelsTouchesInView`).
  open func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }
}
