import LinuxIO
import TestSupport
import Testing
import TouchClient
import TouchModel

/// An app on the client library, without views.
final class LibraryClient: TouchConnectionDelegate {
  private let connection: TouchConnection
  private var checker = TouchStreamChecker()
  /// What it was told, a line each.
  private(set) var lines: [String] = []
  private var taken = 0

  init(_ path: String, scenes: [Scene] = [.everywhere]) throws {
    connection = try TouchConnection(name: "library client", path: path)
    connection.delegate = self
    connection.setScenes(scenes)
  }

  /// The next line that was not taken yet.
  func next(by deadline: Deadline = Deadline()) throws -> String {
    while taken == lines.count {
      guard deadline.awaitInput(connection.descriptor) else { throw TimedOut("the daemon") }
      connection.dispatchPending()
    }
    taken += 1
    return lines[taken - 1]
  }

  /// The next line that begins with a text.
  func next(_ prefix: String, by deadline: Deadline = Deadline()) throws -> String {
    while true {
      let line = try next(by: deadline)
      if line.hasPrefix(prefix) { return line }
    }
  }

  /// Ends the stream: nothing may be left down.
  func finish() throws { try checker.finish() }

  func connection(_ connection: TouchConnection, didOpenWith displays: [Display]) {
    lines.append("open on " + displays.map { "\($0.width)x\($0.height)" }.joined(separator: ", "))
  }

  func connection(_ connection: TouchConnection, displaysDidChange displays: [Display]) {
    let sizes = displays.map { "\($0.name) \($0.width)x\($0.height)" }
    lines.append("displays: " + sizes.joined(separator: ", "))
  }

  func connection(_ connection: TouchConnection, didReceive frame: borrowing FrameBuffer) {
    let frame = frame.frame()
    #expect(throws: Never.self) { try checker.accept(frame) }
    let words = frame.contacts.map { "\($0.phase) at \($0.position.words)" }
    lines.append(words.joined(separator: "; "))
  }

  func connection(_ connection: TouchConnection, didApplyScenes fault: ScenesFault?) {
    lines.append(fault.map { "scenes refused: \($0)" } ?? "scenes applied")
  }

  func connection(_ connection: TouchConnection, didCloseBecause reason: String) {
    // Another daemon counts contacts from 1 again, so each connection is a stream of its own.
    #expect(throws: Never.self) { try checker.finish() }
    checker = TouchStreamChecker()
    lines.append("closed: \(reason)")
  }
}
