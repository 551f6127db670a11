import CLinuxShims
import Glibc

/// Who is at the other end of a Unix socket, as the kernel says.
public struct PeerCredentials: Equatable, Sendable {
  /// The process that connected; it may have ended since.
  public var pid: Int32
  /// Its effective user at that time.
  public var uid: UInt32
  /// Its effective group at that time.
  public var gid: UInt32

  /// Creates credentials; for tests.
  public init(pid: Int32, uid: UInt32, gid: UInt32) {
    self.pid = pid
    self.uid = uid
    self.gid = gid
  }
}

/// What came of an attempt to send or receive a packet without waiting.
public enum PacketResult: Equatable, Sendable {
  /// The packet went or came; its length.
  case done(Int)
  /// There is no room, or nothing to read, at this moment.
  case wouldBlock
  /// The other end is gone.
  case closed
  /// Something else failed.
  case failed(Errno)
}

/// One end of a `SOCK_SEQPACKET` connection, never blocking.
///
/// - Ownership: closes its descriptor when it goes.
public final class PacketSocket {
  private let socket: OwnedDescriptor

  /// Takes over a connected socket.
  public init(owning descriptor: consuming OwnedDescriptor) { socket = descriptor }

  /// Connects to a listening socket.
  ///
  /// - Parameter path: a path, or an abstract name that starts with `@`.
  /// - Errors: `SystemError`; `ENOENT` and `ECONNREFUSED` when nobody listens: worth a later try.
  public static func connect(to path: String) throws(SystemError) -> PacketSocket {
    let descriptor = try makeSocket(SOCK_SEQPACKET)
    guard retryingInterrupts({ tb_unix_connect(descriptor.raw, path) }) == 0 else {
      throw SystemError("connect to \(path)")
    }
    return PacketSocket(owning: descriptor)
  }

  /// Two ends of a new connection within this process.
  public static func pair() throws(SystemError) -> (PacketSocket, PacketSocket) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("make a socket pair") }
    return (
      PacketSocket(owning: OwnedDescriptor(owning: ends[0])),
      PacketSocket(owning: OwnedDescriptor(owning: ends[1]))
    )
  }

  /// The descriptor to wait for.
  public var descriptor: Int32 { socket.raw }

  /// Who is at the other end.
  public func peer() throws(SystemError) -> PeerCredentials {
    var peer = tb_peer()
    guard tb_peer_credentials(socket.raw, &peer) == 0 else {
      throw SystemError("ask who is at the other end of a socket")
    }
    return PeerCredentials(pid: peer.pid, uid: peer.uid, gid: peer.gid)
  }

  /// Asks for room for packets on their way, in bytes; the kernel may give less.
  public func setSendBuffer(_ bytes: Int32) {
    var bytes = bytes
    setsockopt(
      socket.raw, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Ends both directions at once, whoever else holds the descriptor.
  ///
  /// Closing alone takes effect late where another thread is just starting a program: until that
  /// program runs, its process has the socket too.
  public func shutDown() { _ = shutdown(socket.raw, Int32(SHUT_RDWR)) }

  /// Refuses what the other end may still send, and throws away what it has sent.
  ///
  /// Before closing, so that the other end reads what it was sent last: bytes unread at closing
  /// would reach it as a reset first.
  public func stopReceiving() {
    guard shutdown(socket.raw, Int32(SHUT_RD)) == 0 else { return }
    var byte: UInt8 = 0
    // Ends: nothing comes any more, and at the end of what has come stands a zero.
    while retryingInterrupts({ recv(socket.raw, &byte, 1, Int32(MSG_DONTWAIT)) }) > 0 {}
  }

  /// Sends one packet, or says why not; never waits, never raises `SIGPIPE`.
  public func send(_ packet: UnsafeRawBufferPointer) -> PacketResult {
    let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    let count = retryingInterrupts {
      Glibc.send(socket.raw, packet.baseAddress, packet.count, flags)
    }
    return count >= 0 ? .done(count) : Self.failure()
  }

  /// Receives one packet into a buffer; a packet longer than the buffer counts as `EMSGSIZE`.
  public func receive(into buffer: UnsafeMutableRawBufferPointer) -> PacketResult {
    let flags = Int32(MSG_DONTWAIT | MSG_TRUNC)
    let read = {
      retryingInterrupts { recv(self.socket.raw, buffer.baseAddress, buffer.count, flags) }
    }
    var count = read()
    // The other end closed with packets of ours unread: the kernel says so once, before it hands
    // out the packets that the other end sent last, a refusal for one.
    if count < 0, errno == ECONNRESET { count = read() }
    if count == 0 { return .closed }
    if count > buffer.count { return .failed(Errno(EMSGSIZE)) }
    return count > 0 ? .done(count) : Self.failure()
  }

  private static func failure() -> PacketResult {
    switch errno {
    case EAGAIN: .wouldBlock
    case EPIPE, ECONNRESET, ENOTCONN: .closed
    default: .failed(.current)
    }
  }

  fileprivate static func makeSocket(
    _ type: __socket_type
  ) throws(SystemError) -> OwnedDescriptor {
    let type = Int32(type.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let raw = Glibc.socket(AF_UNIX, type, 0)
    guard raw >= 0 else { throw SystemError("make a socket") }
    return OwnedDescriptor(owning: raw)
  }
}

/// A socket that waits for connections.
///
/// - Ownership: closes its descriptor; removes its path if it made it.
public final class PacketListener {
  private let socket: OwnedDescriptor
  private let path: String?

  /// Takes over a socket that already listens, from systemd for one; its path is left alone.
  public init(owning descriptor: consuming OwnedDescriptor) {
    socket = descriptor
    path = nil
  }

  /// Makes a socket at a path; what a dead daemon left there is replaced.
  ///
  /// - Errors: `SystemError`; `EADDRINUSE` if somebody still listens there.
  public init(path: String, mode: UInt32) throws(SystemError) {
    let descriptor = try PacketSocket.makeSocket(SOCK_SEQPACKET)
    if (try? PacketSocket.connect(to: path)) != nil {
      // Losing the error is right: a path nobody answers at is free for us.
      throw SystemError("listen at \(path)", Errno(EADDRINUSE))
    }
    var status = stat()
    if lstat(path, &status) == 0 {
      // Only a socket may be left over from a dead daemon; anything else is somebody's file.
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw SystemError("listen at \(path)", Errno(EEXIST))
      }
      unlink(path)
    }
    // The kernel gives the path the socket's own mode, less the umask: nobody slips in before chmod,
    // which then adds what the umask took away. Not by way of umask: that is the whole process's, and
    // files and programs of other threads would get it for the moment, or for life.
    guard fchmod(descriptor.raw, mode) == 0, tb_unix_bind(descriptor.raw, path) == 0,
      chmod(path, mode) == 0, listen(descriptor.raw, 128) == 0
    else {
      throw SystemError("listen at \(path)")
    }
    socket = descriptor
    self.path = path
  }

  deinit { if let path { unlink(path) } }

  /// The descriptor to wait for.
  public var descriptor: Int32 { socket.raw }

  /// The next connection that waits; nil if there is none.
  ///
  /// - Errors: `SystemError`; `EMFILE` while the process has no descriptor left.
  public func accept() throws(SystemError) -> PacketSocket? {
    let raw = retryingInterrupts { tb_accept(socket.raw) }
    if raw >= 0 { return PacketSocket(owning: OwnedDescriptor(owning: raw)) }
    switch errno {
    case EAGAIN, ECONNABORTED: return nil
    default: throw SystemError("accept a connection")
    }
  }
}
