/// The owner of a view, between it and what holds it in the responder chain.
///
/// Its view appears when it enters a window that is shown, and disappears when it leaves it or the
/// window is hidden; nothing is animated, so `animated` is false and all is done at once.
@MainActor
open class UIViewController: UIResponder {
  /// The view if it has been made.
  public private(set) final var viewIfLoaded: UIView?
  /// The controller that this one was added to.
  public private(set) final weak var parent: UIViewController?
  /// The controllers that were added to this one.
  public private(set) final var children: [UIViewController] = []
  /// How a presentation of this controller treats the views behind.
  open var modalPresentationStyle = UIModalPresentationStyle.automatic
  /// Whether the controller is just being presented.
  public internal(set) final var isBeingPresented = false
  /// Whether the controller is just being dismissed.
  public internal(set) final var isBeingDismissed = false

  /// The window that this is the root of.
  weak var rootWindow: UIWindow?
  /// The controller that this one lies over.
  weak var presenter: UIViewController?
  var presented: UIViewController?
  /// Where the view goes back to after the presentation that covers it.
  var covered: CoveredPlace?
  private var appearance = Appearance.away

  private enum Appearance { case away, appearing, here, disappearing }

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
    let window = viewIfLoaded?.window
    viewIfLoaded?.controller = nil
    viewIfLoaded = view
    view.controller = self
    if let window, window.firstResponder === self, view.window !== window {
      window.dropFirstResponder()
    }
  }

  /// What holds the view: the window, the view of the parent that it was put into, or for a
  /// presented controller the one that presents it.
  open override var next: UIResponder? { presenter ?? viewIfLoaded?.superview ?? rootWindow }

  final override var responderWindow: UIWindow? { viewIfLoaded?.window }

  // MARK: Appearing

  /// Tells that the view is about to come into sight.
  open func viewWillAppear(_ animated: Bool) {}
  /// Tells that the view has come into sight.
  open func viewDidAppear(_ animated: Bool) {}
  /// Tells that the view is about to go out of sight.
  open func viewWillDisappear(_ animated: Bool) {}
  /// Tells that the view has gone out of sight.
  open func viewDidDisappear(_ animated: Bool) {}

  // Each step is taken once, whoever asks for it, so that each call is paired.
  func willAppear(_ isInSight: Bool) {
    switch (appearance, isInSight) {
    case (.away, true), (.disappearing, true):
      appearance = .appearing
      viewWillAppear(false)
    case (.here, false), (.appearing, false):
      appearance = .disappearing
      viewWillDisappear(false)
    default: break
    }
  }

  func didAppear(_ isInSight: Bool) {
    willAppear(isInSight)
    switch (appearance, isInSight) {
    case (.appearing, true):
      appearance = .here
      viewDidAppear(false)
    case (.disappearing, false):
      appearance = .away
      viewDidDisappear(false)
    default: break
    }
  }

  // MARK: Children

  /// Makes a controller a child of this one; its view is to be added by hand.
  ///
  /// A controller that this one is a child of, at any distance, is refused and counted.
  open func addChild(_ childController: UIViewController) {
    guard childController.parent !== self else { return }
    guard !isWithin(childController) else { return refuse() }
    childController.removeFromParent()
    childController.willMove(toParent: self)
    guard childController.parent == nil, !isWithin(childController) else { return }
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

  private func isWithin(_ other: UIViewController) -> Bool {
    var candidate: UIViewController? = self
    while let controller = candidate {
      if controller === other { return true }
      candidate = controller.parent
    }
    return false
  }

  // MARK: Presenting

  /// The controller that lies over this one or over what this one is a part of.
  open var presentedViewController: UIViewController? {
    presented ?? parent?.presentedViewController
  }

  /// The controller that this one, or what this one is a part of, lies over.
  open var presentingViewController: UIViewController? {
    presenter ?? parent?.presentingViewController
  }

  /// Puts a controller's view in front of all views of the window.
  ///
  /// The outermost parent of this controller presents. A controller that is in use, and a second
  /// one over the same, are refused and counted, and so is all outside of a window.
  ///
  /// - Parameters:
  ///   - viewControllerToPresent: a controller without parent or window; it is kept until dismissed.
  ///   - flag: of no effect: nothing is animated.
  ///   - completion: is called when the view has appeared, before the method returns.
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool,
    completion: (() -> Void)? = nil
  ) {
    guard outermost.put(viewControllerToPresent) else { return refuse() }
    completion?()
  }

  /// Takes away what lies over this controller, or else this one from what it lies over.
  ///
  /// - Parameters:
  ///   - flag: of no effect: nothing is animated.
  ///   - completion: is called when the view has disappeared, before the method returns; not at
  ///     all if there was nothing to take away.
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    let over = presentedViewController == nil ? presentingViewController : outermost
    guard let over, over.presented != nil else { return }
    over.takeAway()
    completion?()
  }

  private func refuse() {
    let window = viewIfLoaded?.window ?? rootWindow
    (window?.application ?? .shared).diagnostics.refusedControllers += 1
  }
}
