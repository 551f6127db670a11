private import Glibc
import LinuxIO

extension UIApplicationDelegate {
  /// Runs an app: `@main` before the delegate's class is all it takes.
  ///
  /// Connects to the daemon, makes the delegate, tells it that the app has launched, and runs the
  /// main loop. Without a daemon the app runs all the same and gets its touches once there is one;
  /// standard error says so, once an outage. With `TOUCHKIT_PROBE=1` in its environment it writes
  /// down what each touch does, see `EventProbe`.
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
      application.delegate = delegate
      guard delegate.application(application, didFinishLaunchingWithOptions: nil) else { return }
      MainLoop.main.run()
      connection.invalidate()
      // The application holds its delegate weakly, as UIKit's does.
      withExtendedLifetime(delegate) {}
    } catch {
      writeAll("\(title): \(error). Close what holds descriptors open.\n".utf8, to: STDERR_FILENO)
      exit(1)
    }
  }
}
