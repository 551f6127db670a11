import Glibc
import LinuxIO

/// The service manager's end of `sd_notify(3)`, until the daemon is ready.
public final class ReadyListener {
  /// What the daemon is to be given as `NOTIFY_SOCKET`.
  public let path: String
  private let socket: OwnedDescriptor
  private var statuses: [String] = []

  /// Listens in a folder.
  public init(_ folder: TemporaryFolder) throws {
    path = "\(folder.path)/notify"
    unlink(path)
    let raw = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { throw SystemError("make a socket") }
    socket = OwnedDescriptor(owning: raw)
    try withAddress { address, size in
      guard bind(raw, address, size) == 0 else { throw SystemError("listen at \(path)") }
    }
  }

  private func withAddress(
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
  ) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    try withUnsafePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        try body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Fills the socket, so that nobody can tell it anything before it is read.
  public func fill() throws {
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let sender = OwnedDescriptor(owning: Glibc.socket(AF_UNIX, type, 0))
    try withAddress { address, size in
      guard connect(sender.raw, address, size) == 0 else { throw SystemError("connect to \(path)") }
    }
    while send(sender.raw, "x", 1, 0) == 1 {}
    guard errno == EAGAIN else { throw SystemError("fill \(path)") }
  }

  /// Reads until the daemon says `READY=1`; a daemon that ends before says why in the error.
  public func waitUntilReady(_ process: ChildProcess) throws {
    let deadline = Deadline()
    while let lines = receive(by: deadline) {
      if lines.contains("READY=1") { return }
    }
    throw TimedOut("the daemon to be ready; it said \(process.errors.all)")
  }

  /// The first status that contains a text, of those the daemon has sent or will send.
  public func status(containing text: String) throws -> String {
    let deadline = Deadline()
    repeat {
      if let status = statuses.first(where: { $0.contains(text) }) { return status }
    } while receive(by: deadline) != nil
    throw TimedOut("\"\(text)\" in a status, of which there were \(statuses)")
  }

  private func receive(by deadline: Deadline) -> [String]? {
    guard deadline.awaitInput(socket.raw) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(socket.raw, &bytes, bytes.count, 0)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    statuses += lines.filter { $0.hasPrefix("STATUS=") }
    return lines
  }
}
