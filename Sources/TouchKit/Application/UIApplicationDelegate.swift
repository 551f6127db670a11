/// What stands behind an application; a delegate that is a responder ends the responder chain.
///
/// `@main` before a class that conforms makes it the program's start. The calls about activity come
/// only while no scene has a delegate of its own, which then gets them.
@MainActor
public protocol UIApplicationDelegate: AnyObject {
  /// Creates the delegate at the start of the program.
  init()

  /// Tells that the program has started: the place to make windows and show them.
  ///
  /// - Parameters:
  ///   - application: the application, connected or about to be.
  ///   - launchOptions: nil; nothing on Linux launches an app with options yet.
  /// - Returns: whether the app runs; false ends the program.
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool

  /// Says how a scene is to be set up that is about to be connected; its delegate's class above all.
  func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration

  /// Tells that the app is in front and gets touches.
  func applicationDidBecomeActive(_ application: UIApplication)
  /// Tells that the app is about to get no more touches; those that were down are cancelled.
  func applicationWillResignActive(_ application: UIApplication)
  /// Tells that the app is no longer to be seen.
  func applicationDidEnterBackground(_ application: UIApplication)
  /// Tells that the app is about to be seen again.
  func applicationWillEnterForeground(_ application: UIApplication)
  /// Tells that the program is about to end, once its main loop has been stopped.
  func applicationWillTerminate(_ application: UIApplication)
}

// What a delegate leaves out.
extension UIApplicationDelegate {
  /// Lets the app run.
  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }

  /// Leaves the scene without a delegate: the application's delegate hears of activity.
  public func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration { UISceneConfiguration() }

  /// Does nothing.
  public func applicationDidBecomeActive(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationWillResignActive(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationDidEnterBackground(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationWillEnterForeground(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationWillTerminate(_ application: UIApplication) {}
}

extension UIApplication {
  /// The name of something that an app is launched with.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// Creates a name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }
}
