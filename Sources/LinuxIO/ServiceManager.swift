import CLinuxShims
import Glibc

/// The service manager's side of a daemon: readiness, status, watchdog and sockets handed over.
///
/// - Source: `sd_notify(3)`, `sd_listen_fds(3)`, `sd_watchdog_enabled(3)`, spoken directly.
public struct ServiceManager: Sendable {
  private let notifySocket: String?
  /// How often the manager wants a sign of life, in nanoseconds; nil for not at all.
  public let watchdogInterval: UInt64?

  /// Reads what the manager left in the environment.
  public init() {
    notifySocket = environment("NOTIFY_SOCKET")
    let isOurs = environment("WATCHDOG_PID").map { $0 == String(getpid()) } ?? true
    let microseconds = environment("WATCHDOG_USEC").flatMap { UInt64($0) }
    watchdogInterval = isOurs ? microseconds.map { $0 &* 1_000 } : nil
  }

  /// Tells the manager something, such as `READY=1`; does nothing without one.
  ///
  /// Never waits: a manager that does not read must not hold up whoever has more to do.
  /// - Returns: false if there was no room for it, so that it makes sense to try again.
  @discardableResult
  public func notify(_ state: @autoclosure () -> String) -> Bool {
    guard let notifySocket else { return true }
    let raw = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { return true }
    let descriptor = OwnedDescriptor(owning: raw)
    let bytes = Array(state().utf8)
    let result = retryingInterrupts {
      tb_unix_send_to(descriptor.raw, notifySocket, bytes, bytes.count)
    }
    return result == 0 || errno != EAGAIN
  }

  /// Takes the sockets that the manager opened, by their `FileDescriptorName=`.
  ///
  /// - Ownership: the caller closes the descriptors; a second call returns none.
  public func takeSockets() -> [String: Int32] {
    guard environment("LISTEN_PID") == String(getpid()),
      let count = environment("LISTEN_FDS").flatMap({ Int32($0) }), count > 0, count < 1_000
    else { return [:] }
    let text = environment("LISTEN_FDNAMES") ?? ""
    let names = text.split(separator: ":", omittingEmptySubsequences: false)
    unsetenv("LISTEN_PID")
    unsetenv("LISTEN_FDS")
    unsetenv("LISTEN_FDNAMES")
    var sockets: [String: Int32] = [:]
    for offset in 0..<count {
      // The first one is descriptor 3, SD_LISTEN_FDS_START.
      let descriptor = 3 + offset
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      // Handed over as it was opened: blocking, unless the unit says otherwise.
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
      let name = Int(offset) < names.count ? String(names[Int(offset)]) : "unknown"
      sockets[name] = descriptor
    }
    return sockets
  }
}

/// The value of an environment variable; nil if it is not set or empty.
public func environment(_ name: String) -> String? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return String(cString: value)
}
