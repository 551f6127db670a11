import Glibc
import TestSupport
import Testing

/// The unit touchbridged.service, by way of systemctl.
enum Service {
  static let name = "touchbridged.service"

  /// Starts it; with Type=notify that takes until the daemon says it is ready.
  static func start() throws {
    let (code, _) = try ChildProcess.run("systemctl", "start", name)
    try #require(code == 0, "systemctl start \(name); the journal tells why")
  }

  static func restart() throws {
    let (code, _) = try ChildProcess.run("systemctl", "restart", name)
    try #require(code == 0, "systemctl restart \(name); the journal tells why")
  }

  /// Stops it and its sockets, so that nothing wakes it but what the test does.
  static func stop() throws {
    let sockets = ["touchbridged-app.socket", "touchbridged-admin.socket"]
    let (code, _) = try ChildProcess.run("systemctl", "stop", name, sockets[0], sockets[1])
    try #require(code == 0, "systemctl stop \(name)")
  }

  /// One property, such as `ActiveState`.
  static func property(_ property: String) throws -> String {
    try ChildProcess.run("systemctl", "show", "--value", "-p", property, name).output
  }

  /// Asks again and again until a property has a value; each question takes systemctl's time.
  static func await(_ name: String, is value: String) throws {
    let deadline = Deadline()
    while try property(name) != value {
      if deadline.milliseconds == 0 { throw TimedOut("\(name)=\(value)") }
    }
  }
}

/// The permission bits of a file, and the group that has it.
func access(_ path: String) -> (mode: UInt32, group: gid_t)? {
  var status = stat()
  guard stat(path, &status) == 0 else { return nil }
  return (status.st_mode & 0o7777, status.st_gid)
}
