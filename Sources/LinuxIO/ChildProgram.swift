import CLinuxShims
import Glibc

/// A program that this one has started; its input and output are this one's.
///
/// - Ownership: does not end the program when it goes; call `wait`.
public final class ChildProgram {
  /// The process's number.
  public let pid: Int32
  private let handle: OwnedDescriptor

  /// Starts a program, found on the path unless its name has a slash.
  ///
  /// - Parameter environment: what is set beside, or in place of, what this process has.
  /// - Errors: `SystemError`, for a program that is not there too.
  public init(
    _ arguments: [String], environment additions: [String: String] = [:]
  ) throws(SystemError) {
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var settings: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let entry = next.pointee {
      let name = String(cString: entry).prefix { $0 != "=" }
      if additions[String(name)] == nil { settings.append(strdup(entry)) }
      next += 1
    }
    settings += additions.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + settings { free(text) } }
    // Signals that this program waits for by a descriptor are blocked here, and would be there.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var child: Int32 = 0
    let failure = posix_spawnp(
      &child, arguments.first ?? "", nil, &attributes, &words, &settings)
    guard failure == 0 else {
      throw SystemError("start \(arguments.first ?? "a program")", Errno(failure))
    }
    pid = child
    let raw = tb_pidfd_open(child)
    guard raw >= 0 else { throw SystemError("watch process \(child)") }
    handle = OwnedDescriptor(owning: raw)
  }

  /// Readable once the program has ended.
  public var descriptor: Int32 { handle.raw }

  /// Sends a signal; nothing happens if the program has ended.
  public func signal(_ number: Int32) { kill(pid, number) }

  /// Waits for the end; the exit code, or 128 and the signal's number.
  public func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? status >> 8 & 0xff : 128 + signal
  }
}

/// The path of this program's own file; nil if the kernel does not say.
public func ownProgramPath() -> String? {
  var bytes = [CChar](repeating: 0, count: 4096)
  let count = readlink("/proc/self/exe", &bytes, bytes.count)
  guard count > 0, count < bytes.count else { return nil }
  return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
}
