/// The owner of a view, between it and what holds it in the responder chain.
@MainActor
open class UIViewController: UIResponder {
  /// The view if it has been made.
  public private(set) final var viewIfLoaded: UIView?
  /// The controller that this one was added to.
  public private(set) final weak var parent: UIViewController?
  /// The controllers that were added to this one.
  public private(set) final var children: [UIViewController] = []

  /// Creates a controller whose view is made when it is first asked for.
  public override init() { super.init() }

  /// The view; the first use makes it by `loadView` and then calls `viewDidLoad`.
  open var view: UIView {
    get {
      if let view = viewIfLoaded { return view }
      loadView()
      if viewIfLoaded == nil { adopt(UIView()) }  // an override that set no view
      viewDidLoad()
      return viewIfLoaded ?? UIView()
    }
    set { adopt(newValue) }
  }

  /// Whether the view has been made.
  public final var isViewLoaded: Bool { viewIfLoaded != nil }

  /// Makes the view and sets `view`; a plain one unless overridden.
  open func loadView() { view = UIView() }
  /// Tells that the view has been made.
  open func viewDidLoad() {}

  private func adopt(_ view: UIView) {
    viewIfLoaded?.controller = nil
    viewIfLoaded = view
    view.controller = self
  }

  /// What holds the view: the window, or the view of the parent that it was put into.
  open override var next: UIResponder? { viewIfLoaded?.superview }

  final override var responderWindow: UIWindow? { viewIfLoaded?.window }

  // MARK: Children

  /// Makes a controller a child of this one; its view is to be added by hand.
  open func addChild(_ childController: UIViewController) {
    guard childController.parent !== self else { return }
    childController.removeFromParent()
    childController.willMove(toParent: self)
    children.append(childController)
    childController.parent = self
  }

  /// Takes the controller from its parent; its view is to be removed by hand.
  open func removeFromParent() {
    guard let parent else { return }
    parent.children.removeAll { $0 === self }
    self.parent = nil
    didMove(toParent: nil)
  }

  /// Tells that the parent is about to change.
  open func willMove(toParent parent: UIViewController?) {}
  /// Tells that the parent has changed; whoever adds a child calls it.
  open func didMove(toParent parent: UIViewController?) {}
}
