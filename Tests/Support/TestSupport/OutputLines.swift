import Glibc
import LinuxIO
import Synchronization

/// What a program writes, line by line.
///
/// A thread of its own takes all of it as it comes, so that no program ever waits for its reader.
public final class OutputLines: Sendable {
  private struct State {
    var lines: [String] = []
    var taken = 0
    var rest: [UInt8] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let news: WakeUpFlag
  private let name: String

  /// Starts to read.
  ///
  /// - Ownership: takes over the descriptor and closes it at its end.
  init(_ descriptor: Int32, name: String) throws {
    self.name = name
    news = try WakeUpFlag()
    let start = Unmanaged.passRetained(Start(lines: self, descriptor: descriptor))
    var thread = pthread_t()
    let failure = pthread_create(&thread, nil, readAll, start.toOpaque())
    guard failure == 0 else {
      start.release()
      close(descriptor)
      throw SystemError("start a thread", Errno(failure))
    }
    pthread_detach(thread)
  }

  /// All lines so far.
  public var all: [String] { state.withLock { $0.lines } }

  /// The next line that was not taken yet; nil at the end.
  public func next(by deadline: Deadline = Deadline()) throws -> String? {
    try wait("a line of \(name)", by: deadline) { state in
      guard state.taken < state.lines.count else { return nil }
      state.taken += 1
      return .some(state.lines[state.taken - 1])
    }
  }

  /// The next line that contains a text; those before it are taken as well.
  public func next(containing text: String, by deadline: Deadline = Deadline()) throws -> String? {
    try wait("\"\(text)\" in the output of \(name)", by: deadline) { state in
      while state.taken < state.lines.count {
        state.taken += 1
        if state.lines[state.taken - 1].contains(text) { return state.lines[state.taken - 1] }
      }
      return nil
    }
  }

  /// Waits until the program has closed its output.
  public func waitForEnd(by deadline: Deadline) throws {
    _ = try wait("the end of \(name)", by: deadline) { _ in nil }
  }

  /// Waits for something in the state; nil if the end comes first.
  private func wait(
    _ what: String, by deadline: Deadline, _ find: (inout State) -> String?
  ) throws -> String? {
    while true {
      // Lowered before looking: what comes after the look raises it again.
      news.lower()
      let (found, isOver) = state.withLock { (find(&$0), $0.isOver) }
      if found != nil || isOver { return found }
      guard deadline.awaitInput(news.descriptor) else {
        throw TimedOut("\(what); its last lines were \(all.suffix(5))")
      }
    }
  }

  fileprivate func take(_ bytes: ArraySlice<UInt8>) {
    state.withLock { state in
      state.rest += bytes
      while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
        state.lines.append(String(decoding: state.rest[..<end], as: UTF8.self))
        state.rest.removeSubrange(...end)
      }
    }
    news.raise()
  }

  fileprivate func end() {
    state.withLock { state in
      if !state.rest.isEmpty {
        state.lines.append(String(decoding: state.rest, as: UTF8.self))
        state.rest = []
      }
      state.isOver = true
    }
    news.raise()
  }
}

private final class Start {
  let lines: OutputLines
  let descriptor: Int32

  init(lines: OutputLines, descriptor: Int32) {
    self.lines = lines
    self.descriptor = descriptor
  }
}

/// The thread's work: reads until the other end is closed.
private func readAll(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let start else { return nil }
  let work = Unmanaged<Start>.fromOpaque(start).takeRetainedValue()
  var bytes = [UInt8](repeating: 0, count: 16_384)
  while true {
    let count = read(work.descriptor, &bytes, bytes.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { break }
    work.lines.take(bytes[..<count])
  }
  close(work.descriptor)
  work.lines.end()
  return nil
}
