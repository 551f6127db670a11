private import Glibc
import LinuxIO

extension UIApplicationDelegate {
  /// Runs an app: `@main` before the delegate's class is all it takes.
  ///
  /// Connects to the daemon, makes the delegate, tells it that the app has launched, connects a scene
  /// and runs the main loop. Without a daemon the app runs all the same and gets its touches once
  /// there is one; standard error says so, once an outage. With `TOUCHKIT_PROBE=1`
  /// in its environment it writes down what each touch does, see `EventProbe`.
  public static func main() {
    let application = UIApplication.reset(UIApplication(clock: MonotonicClock.now))
    if getenv("TOUCHKIT_PROBE").map({ String(cString: $0) }) == "1" {
      application.probe = EventProbe()
    }
    let name = CommandLine.arguments.first.map { $0.split(separator: "/").last.map(String.init) }
    let title = (name ?? nil) ?? "app"
    do throws(ConnectionError) {
      let connection = try ApplicationConnection(application, name: title)
      connection.stateChanged = { isOpen, reason in
        if let reason { writeAll("\(title): \(reason)\n".utf8, to: STDERR_FILENO) }
      }
      connection.open()
      let delegate = Self()
      if application.launch(delegate) {
        MainLoop.main.run()
        application.terminate()
      }
      connection.invalidate()
      // The application holds its delegate weakly, as UIKit's does.
      withExtendedLifetime(delegate) {}
    } catch {
      writeAll("\(title): \(error). Close what holds descriptors open.\n".utf8, to: STDERR_FILENO)
      exit(1)
    }
  }
}

extension UIApplication {
  /// Starts an app's life, with one scene, as a program that has no `@main` delegate may do, too.
  ///
  /// The delegate is told of the launch, then asked for the scene's configuration. A scene without a
  /// delegate takes over the windows that were shown before. The app then becomes active, unless it
  /// was told otherwise before.
  ///
  /// - Returns: what the delegate says to the launch; if false, nothing more has happened.
  @discardableResult
  public final func launch(_ delegate: any UIApplicationDelegate) -> Bool {
    askedState = applicationState
    self.delegate = delegate
    // Nobody has heard of a state yet.
    applicationState = .inactive
    guard delegate.application(self, didFinishLaunchingWithOptions: nil) else { return false }
    let session = UISceneSession()
    let options = UIScene.ConnectionOptions()
    session.configuration = delegate.application(
      self, configurationForConnecting: session, options: options)
    let scene = UIWindowScene(application: self, session: session)
    scene.delegate = session.configuration.delegateClass.map { $0.init() }
    if scene.delegate == nil {
      for window in windows where !window.isOfScene { window.windowScene = scene }
      defaultScene = scene
    }
    connect(scene, options: options)
    transition(to: askedState)
    return true
  }

  /// Ends an app's life: its scenes are disconnected, then the delegate is told.
  public final func terminate() {
    for scene in connectedScenes { disconnect(scene) }
    delegate?.applicationWillTerminate(self)
  }
}
