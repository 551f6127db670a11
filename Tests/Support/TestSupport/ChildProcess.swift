import Glibc
import LinuxIO

/// A program started by a test.
///
/// - Ownership: kills the program, by its number, when it goes.
public final class ChildProcess {
  /// The process's number.
  public let identifier: pid_t
  /// Its standard output.
  public let output: OutputLines
  /// Its standard error.
  public let errors: OutputLines
  private var status: Int32?

  /// Starts a program, found on the path, with this process's environment.
  ///
  /// - Parameters:
  ///   - environment: what is set beside, or in place of, what this process has.
  ///   - descriptors: what the program gets as its descriptors 3, 4 and so on.
  public init(
    _ arguments: [String], environment: [String: String] = [:], descriptors: [Int32] = []
  ) throws {
    let name = arguments.first ?? ""
    // Sockets and not pipes: a pipe could not be kept from programs that other threads start at
    // the same moment, and then it would not end with this one.
    let (output, outputEnd) = try Self.channel()
    let (errors, errorsEnd) = try Self.channel()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, outputEnd, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errorsEnd, STDERR_FILENO)
    for (index, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, 3 + Int32(index))
    }
    // Dispatch's worker threads, on which tests run, have signals blocked, and a child inherits that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    var settings = Self.environment(with: environment)
    defer {
      for word in words + settings { free(word) }
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
      close(outputEnd)
      close(errorsEnd)
    }
    words.append(nil)
    settings.append(nil)
    self.output = try OutputLines(output, name: name)
    self.errors = try OutputLines(errors, name: name)
    var child = pid_t()
    let failure = posix_spawnp(&child, name, &actions, &attributes, words, settings)
    guard failure == 0 else { throw SystemError("start \(name)", Errno(failure)) }
    identifier = child
  }

  deinit { if status == nil { kill(SIGKILL) } }

  private static func channel() throws -> (near: Int32, far: Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("make a socket pair") }
    return (ends[0], ends[1])
  }

  private static func environment(
    with additions: [String: String]
  ) -> [UnsafeMutablePointer<CChar>?] {
    var entries: [String] = []
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      let name = text.prefix { $0 != "=" }
      if additions[String(name)] == nil { entries.append(text) }
      next += 1
    }
    entries += additions.map { "\($0.key)=\($0.value)" }
    return entries.map { strdup($0) }
  }

  /// Sends a signal.
  public func signal(_ number: Int32) {
    if status == nil { Glibc.kill(identifier, number) }
  }

  /// Stops the program where it is, until it gets `SIGCONT`; it does nothing more on return.
  public func stop() {
    signal(SIGSTOP)
    var raw: Int32 = 0
    while status == nil, waitpid(identifier, &raw, WUNTRACED) < 0, errno == EINTR {}
    // It may have ended first.
    if status == nil, raw & 0xff != 0x7f { status = Self.exitCode(raw) }
  }

  /// Sends a signal and waits until the program is gone.
  public func kill(_ number: Int32) {
    signal(number)
    reap()
  }

  /// Waits for the program to end; its exit code, or 128 and the signal's number.
  public func end(by deadline: Deadline = Deadline()) throws -> Int32 {
    // It closes both at its end, unless a child of its own outlives it.
    try output.waitForEnd(by: deadline)
    try errors.waitForEnd(by: deadline)
    return reap()
  }

  /// Runs a program to its end: its exit code and its standard output, without the last line's end.
  public static func run(
    _ arguments: String..., by deadline: Deadline = Deadline(.seconds(120))
  ) throws -> (code: Int32, output: String) {
    let child = try ChildProcess(arguments)
    let code = try child.end(by: deadline)
    return (code, child.output.all.joined(separator: "\n"))
  }

  @discardableResult
  private func reap() -> Int32 {
    if let status { return status }
    var raw: Int32 = 0
    while waitpid(identifier, &raw, 0) < 0, errno == EINTR {}
    let code = Self.exitCode(raw)
    status = code
    return code
  }

  /// What a shell makes of the status of a program that has ended.
  private static func exitCode(_ raw: Int32) -> Int32 {
    let signal = raw & 0x7f
    return signal == 0 ? (raw >> 8) & 0xff : 128 + signal
  }
}
