import CLinuxShims
import Glibc

/// A file descriptor that is closed when its owner goes.
///
/// - Ownership: closes the descriptor in `deinit`; not copyable, so it is closed once.
public struct OwnedDescriptor: ~Copyable, Sendable {
  /// The number to hand to system calls; stays owned here.
  public let raw: Int32

  /// Takes over an open descriptor.
  public init(owning raw: Int32) { self.raw = raw }

  deinit { close(raw) }

  /// Hands the descriptor to somebody else, who closes it.
  public consuming func release() -> Int32 {
    let raw = raw
    discard self
    return raw
  }
}

/// Opens a file with `O_CLOEXEC`.
///
/// - Errors: `SystemError` with what `open(2)` said.
public func openFile(
  _ path: String, flags: Int32, mode: UInt32 = 0
) throws(SystemError) -> OwnedDescriptor {
  let raw = retryingInterrupts { tb_open(path, flags, mode) }
  guard raw >= 0 else { throw SystemError("open \(path)") }
  return OwnedDescriptor(owning: raw)
}

/// Another descriptor of an open file, with `O_CLOEXEC`.
public func duplicate(_ descriptor: Int32) throws(SystemError) -> OwnedDescriptor {
  let raw = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
  guard raw >= 0 else { throw SystemError("use descriptor \(descriptor)") }
  return OwnedDescriptor(owning: raw)
}

/// Reads a whole file.
///
/// - Errors: `SystemError`; also `EFBIG` for a file of more than `limit` bytes.
public func readFile(_ path: String, limit: Int = 1 << 28) throws(SystemError) -> [UInt8] {
  let file = try openFile(path, flags: O_RDONLY)
  return try readAll(file.raw, named: path, limit: limit)
}

/// Reads the beginning of an open file anew, as a value of sysfs that may have changed.
///
/// - Returns: how many bytes there are; negative if it cannot be read.
public func readAgain(_ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer) -> Int {
  retryingInterrupts { pread(descriptor, bytes.baseAddress, bytes.count, 0) }
}

/// Reads a whole regular file; never waits, as a pipe would make it.
///
/// - Errors: as `readFile`; `EINVAL` for a pipe, a device or a socket.
public func readRegularFile(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
  let file = try openFile(path, flags: O_RDONLY | O_NONBLOCK)
  var status = stat()
  guard fstat(file.raw, &status) == 0 else { throw SystemError("look at \(path)") }
  let kind = status.st_mode & S_IFMT
  guard kind == S_IFREG || kind == S_IFDIR else {
    throw SystemError("read \(path), which is no regular file", Errno(EINVAL))
  }
  return try readAll(file.raw, named: path, limit: limit)
}

/// Makes sure that descriptors 0, 1 and 2 are taken, so that no socket or file gets one of them and
/// then what is meant for people. Call it first.
///
/// What takes a missing one's place cannot be written to, or read from, so that its loss still shows.
public func holdStandardDescriptors() {
  for (descriptor, flags) in [
    (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
  ]
  where fcntl(descriptor, F_GETFD) < 0 {
    // The lowest free number is the missing one, for those below it are taken by now.
    _ = open("/dev/null", flags)
  }
}

/// Reads a descriptor to its end.
///
/// - Errors: as `readFile`; `name` is what the error calls the descriptor.
public func readAll(
  _ descriptor: Int32, named name: String, limit: Int = 1 << 28
) throws(SystemError) -> [UInt8] {
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = retryingInterrupts { read(descriptor, &chunk, chunk.count) }
    guard count >= 0 else { throw SystemError("read \(name)") }
    if count == 0 { return bytes }
    bytes.append(contentsOf: chunk[..<count])
    if bytes.count > limit { throw SystemError("read \(name)", Errno(EFBIG)) }
  }
}

/// Reads a file or a descriptor in pieces, where the whole is not to be kept.
public final class PieceReader {
  private let file: OwnedDescriptor?
  private let descriptor: Int32
  private let name: String
  private let limit: Int
  private var count = 0
  private let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 18)

  /// Opens a file.
  ///
  /// - Parameter limit: how many bytes there may be.
  public init(file path: String, limit: Int) throws(SystemError) {
    let opened = try openFile(path, flags: O_RDONLY)
    descriptor = opened.raw
    file = consume opened
    name = path
    self.limit = limit
  }

  /// Reads a descriptor, which stays the caller's; `name` is what an error calls it.
  public init(descriptor: Int32, named name: String, limit: Int) {
    file = nil
    self.descriptor = descriptor
    self.name = name
    self.limit = limit
  }

  deinit { piece.deallocate() }

  /// The next piece; nil at the end. It is good until the next call.
  ///
  /// - Errors: as `readFile`.
  public func next() throws(SystemError) -> UnsafeBufferPointer<UInt8>? {
    let read = retryingInterrupts { Glibc.read(descriptor, piece.baseAddress, piece.count) }
    guard read >= 0 else { throw SystemError("read \(name)") }
    count += read
    guard count <= limit else { throw SystemError("read \(name)", Errno(EFBIG)) }
    return read == 0 ? nil : UnsafeBufferPointer(rebasing: piece[..<read])
  }
}

/// Writes bytes to a descriptor as long as its reader takes them; does not wait for one that stopped.
///
/// - Parameter patience: how long each piece may wait for room, in milliseconds.
/// - Returns: how many bytes went.
public func writeReady(_ bytes: [UInt8], to descriptor: Int32, patience: Int32) -> Int {
  var start = 0
  while start < bytes.count {
    let count = bytes.withUnsafeBytes { all in
      // No more than what a pipe that has room takes at once.
      let piece = UnsafeRawBufferPointer(rebasing: all[start..<min(start + 4096, all.count)])
      return writeReady(piece, to: descriptor, patience: patience)
    }
    guard count > 0 else { return start }
    start += count
  }
  return start
}

/// A descriptor that blocks must not be made another one, for other programs may share it.
private func writeReady(
  _ piece: UnsafeRawBufferPointer, to descriptor: Int32, patience: Int32
) -> Int {
  let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
  let sent = retryingInterrupts { send(descriptor, piece.baseAddress, piece.count, flags) }
  if sent >= 0 || ![ENOTSOCK, EAGAIN].contains(errno) { return sent }
  let isSocket = errno == EAGAIN
  var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  guard retryingInterrupts({ poll(&room, 1, patience) }) > 0 else { return 0 }
  return retryingInterrupts {
    isSocket
      ? send(descriptor, piece.baseAddress, piece.count, flags)
      : write(descriptor, piece.baseAddress, piece.count)
  }
}

/// Writes bytes to a descriptor until all are gone.
///
/// - Returns: false if the other end is gone or the write failed.
@discardableResult
public func writeAll(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Bool {
  let bytes = Array(bytes)
  var start = 0
  while start < bytes.count {
    let count = bytes.withUnsafeBytes { all in
      retryingInterrupts {
        write(descriptor, all.baseAddress.map { $0 + start }, all.count - start)
      }
    }
    if count < 0 {
      guard errno == EAGAIN else { return false }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = retryingInterrupts { poll(&waiting, 1, -1) }
      continue
    }
    start += count
  }
  return true
}
