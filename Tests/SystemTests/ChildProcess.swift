import Glibc

/// A program started by a test, whose standard output is read line by line.
///
/// Its standard error goes where the test's goes. It is killed when the test lets go of it.
final class ChildProcess {
  private let name: String
  private let output: Int32
  private let identifier: pid_t
  private var pending: [UInt8] = []
  private var isOver = false

  /// Starts a program, found on the path, with this process's environment.
  init(_ arguments: [String]) throws {
    name = arguments.joined(separator: " ")
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw TimedOut("a pipe for \(name)") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var child = pid_t()
    let failure = posix_spawnp(&child, arguments[0], &actions, nil, words, environ)
    close(ends[1])
    guard failure == 0 else {
      close(ends[0])
      throw TimedOut("\(name) to start: \(String(cString: strerror(failure)))")
    }
    identifier = child
    output = ends[0]
  }

  deinit {
    if !isOver { kill(SIGKILL) }
    close(output)
  }

  /// The next line of output; nil at its end.
  func line(by deadline: Deadline = Deadline()) throws -> String? {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        defer { pending.removeSubrange(...end) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      guard deadline.awaitInput(output) else { throw TimedOut("a line of \(name)") }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &bytes, bytes.count)
      guard count > 0 else { return nil }
      pending += bytes.prefix(count)
    }
  }

  /// Sends a signal and waits until the program is gone.
  func kill(_ signal: Int32) {
    Glibc.kill(identifier, signal)
    _ = end()
  }

  /// Waits for the program to end; its exit code, or 128 and the signal's number.
  func end() -> Int32 {
    var status: Int32 = 0
    while !isOver, waitpid(identifier, &status, 0) == identifier || errno != EINTR { isOver = true }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  /// Runs a program to its end: its exit code and its output.
  static func run(_ arguments: String...) throws -> (code: Int32, output: String) {
    let child = try ChildProcess(arguments)
    var lines: [String] = []
    while let line = try child.line(by: Deadline(.seconds(120))) { lines.append(line) }
    return (child.end(), lines.joined(separator: "\n"))
  }
}
