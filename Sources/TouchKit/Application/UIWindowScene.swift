/// A scene with windows: what an app shows on one display.
@MainActor
open class UIWindowScene: UIScene {
  /// The display that its windows lie on.
  public final var screen: UIScreen { .main }
  /// The scene's visible windows, back to front.
  public final var windows: [UIWindow] {
    application?.windows.filter { $0.windowScene === self } ?? []
  }
  /// The window of the scene that was made key last, while it is to be seen.
  public internal(set) final weak var keyWindow: UIWindow?
}

/// What stands behind a scene.
///
/// All calls but the first are about how the scene stands to the user; what is left out does nothing.
@MainActor
public protocol UISceneDelegate: AnyObject {
  /// Creates the delegate of a scene whose configuration names its class.
  init()
  /// Tells that the scene is connected: the place to make its windows and show them.
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions)
  /// Tells that the scene is gone.
  func sceneDidDisconnect(_ scene: UIScene)
  /// Tells that the scene is in front and its windows get touches.
  func sceneDidBecomeActive(_ scene: UIScene)
  /// Tells that its windows are about to get no more touches; those that were down are cancelled.
  func sceneWillResignActive(_ scene: UIScene)
  /// Tells that the scene is about to be seen.
  func sceneWillEnterForeground(_ scene: UIScene)
  /// Tells that the scene is no longer to be seen.
  func sceneDidEnterBackground(_ scene: UIScene)
}

// What a delegate leaves out.
extension UISceneDelegate {
  /// Does nothing.
  public func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions
  ) {}
  /// Does nothing.
  public func sceneDidDisconnect(_ scene: UIScene) {}
  /// Does nothing.
  public func sceneDidBecomeActive(_ scene: UIScene) {}
  /// Does nothing.
  public func sceneWillResignActive(_ scene: UIScene) {}
  /// Does nothing.
  public func sceneWillEnterForeground(_ scene: UIScene) {}
  /// Does nothing.
  public func sceneDidEnterBackground(_ scene: UIScene) {}
}

/// What stands behind a scene with windows.
@MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
  /// The scene's window, where there is one.
  var window: UIWindow? { get set }
}
