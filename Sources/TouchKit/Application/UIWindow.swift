/// The root of a view tree, and the first that an application hands a touch to.
///
/// - Ownership: who shows a window keeps it; neither application, scene nor touch does. One that is
///   let go is no longer shown, and the touches in it are cancelled before the run loop sleeps.
@MainActor
open class UIWindow: UIView {
  /// A height in the stack of windows.
  public struct Level: RawRepresentable, Hashable, Comparable, Sendable {
    /// The height; higher is nearer to the finger.
    public let rawValue: CGFloat
    /// Creates a level from its height.
    public init(rawValue: CGFloat) { self.rawValue = rawValue }

    /// Ordinary windows.
    public static let normal = Level(rawValue: 0)
    /// Windows over the ordinary ones, such as a status bar's.
    public static let statusBar = Level(rawValue: 1000)
    /// Windows over all others.
    public static let alert = Level(rawValue: 2000)

    /// Compares heights.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// The application whose touches the window gets.
  public private(set) weak var application: UIApplication?

  /// The scene that the window belongs to, with whose state it gets touches; nil for the app's own.
  ///
  /// A window whose scene is gone gets none, until this is set again, be it to nil.
  open weak var windowScene: UIWindowScene? {
    didSet {
      isOfScene = windowScene != nil
      guard windowScene !== oldValue else { return }
      if oldValue?.keyWindow === self { oldValue?.keyWindow = nil }
      if isKeyWindow { windowScene?.keyWindow = self }
    }
  }

  /// Whether the window was given a scene, which may be gone.
  private(set) var isOfScene = false

  /// Whether contacts may land in the window, as far as its scene or app is in front.
  var isInFront: Bool {
    isOfScene ? windowScene?.isInFront == true : application?.isInFront == true
  }

  /// The window's height among others; of equals the one shown last lies in front.
  open var windowLevel = Level.normal {
    didSet { if windowLevel != oldValue, !isHidden { application?.order(self) } }
  }

  /// Whether the window is out of sight; it is until it is shown. Hiding cancels its touches.
  open override var isHidden: Bool {
    didSet {
      guard isHidden != oldValue else { return }
      if isHidden { application?.conceal(self) } else { application?.order(self) }
      tellControllers(isInSight: !isHidden)
    }
  }

  /// The controller whose view fills the window.
  ///
  /// One that is set by a hook of the change, such as `viewWillDisappear`, stays.
  open var rootViewController: UIViewController? {
    didSet { if rootViewController !== oldValue { changeRoot(from: oldValue) } }
  }

  // Counts the changes of the root: once a hook has made another one, all is done.
  private var rootChanges: UInt64 = 0

  private func changeRoot(from old: UIViewController?) {
    rootChanges &+= 1
    let change = rootChanges
    old?.leaveRoot(of: self)
    guard change == rootChanges, let root = rootViewController else { return }
    // A controller is the root of one window.
    if let other = root.rootWindow, other !== self { other.rootViewController = nil }
    guard change == rootChanges else { return }
    guard root.rootWindow == nil || root.rootWindow === self else {
      rootViewController = nil
      return
    }
    root.rootWindow = self
    let view = root.view
    guard change == rootChanges else { return }
    view.frame = bounds
    insertSubview(view, at: 0)
    // Its hooks may have given its place away before it had it.
    if root.rootWindow !== self, view.superview === self { view.removeFromSuperview() }
  }

  /// Where actions without a target start while the window is key.
  weak var firstResponder: UIResponder?
  /// Counts the times that a first contact landed while no other was down.
  var sequence: UInt64 = 0
  /// The event that the application has handed to the window last.
  var sentEvent: UInt64?
  /// The event that was delivered in the window last.
  var deliveredEvent: UInt64?

  // Goes with the window, which itself can do nothing any more by then.
  private let end: WindowEnd

  /// Creates a hidden window of the shared application.
  public override convenience init(frame: CGRect) {
    self.init(frame: frame, application: .shared)
  }

  /// Creates a hidden window of a scene, as large as its screen.
  public convenience init(windowScene: UIWindowScene) {
    self.init(frame: windowScene.screen.bounds, application: windowScene.application ?? .shared)
    self.windowScene = windowScene
  }

  /// Creates a hidden window of an application.
  public init(frame: CGRect, application: UIApplication) {
    self.application = application
    end = WindowEnd(application)
    super.init(frame: frame)
    windowScene = application.defaultScene
    isOfScene = windowScene != nil
    isHidden = true
  }

  /// The scene, or the application of a window without one.
  open override var next: UIResponder? { windowScene ?? application }

  final override var asWindow: UIWindow? { self }

  /// Shows the window in front of its level and makes it key.
  open func makeKeyAndVisible() {
    if isHidden { isHidden = false } else { application?.order(self) }
    // Who has heard that it is shown may have hidden it.
    if !isHidden { makeKey() }
  }

  /// Makes this the window where actions without a target start; touches don't depend on it.
  ///
  /// When it goes out of sight, the visible window that was key before is so again.
  open func makeKey() { application?.makeKey(self) }

  /// Whether this is the application's key window.
  public final var isKeyWindow: Bool { application?.keyWindow === self }

  /// Tells that the window has become key.
  open func becomeKey() {}
  /// Tells that the window is no longer key.
  open func resignKey() {}

  /// Hands an event's touches in this window to the recognisers and then to the views.
  ///
  /// An override that does not call super keeps the event from both. It must not run the loop before
  /// it has decided: a run within a handler finishes the event first, for all.
  open func sendEvent(_ event: UIEvent) { application?.gestures.deliver(event, in: self) }

  /// Where a point of the screen lies in the window.
  func fromScreen(_ point: CGPoint) -> CGPoint { fromSuperview(point) }

  /// Takes the first responder's place from it although it refused.
  func dropFirstResponder() {
    let responder = firstResponder
    firstResponder = nil
    responder?.didLoseFirstResponder()
  }
}

/// Tells the application that a window is gone.
@MainActor
private final class WindowEnd {
  private weak var application: UIApplication?

  init(_ application: UIApplication) { self.application = application }

  isolated deinit { application?.windowHasGone() }
}
