import Glibc
import TestSupport
import Testing
import TouchModel
import UInputPanel

/// The main job: a recording through daemon, socket and app.
@Suite(.withPrograms) struct `The bundled recording, from one end to the other` {
  static let recording = "\(Repository.root)/Tests/Fixtures/ten-finger-panel.gestures.evemu"

  private func script() throws -> GestureScript {
    try GestureScript(text: Repository.text("Tests/Fixtures/ten-finger-panel.gestures.script.txt"))
  }

  /// The example's card, 480 by 360 at 400, 220, as the drag and the pinch leave it.
  ///
  /// The drag takes it along by its 190 points and the pinch stretches it about its middle.
  static let card: Rect = {
    let (width, height) = (480 * 24.0 / 11, 360 * 24.0 / 11)
    return Rect(x: 830 - width / 2, y: 400 - height / 2, width: width, height: height)
  }()

  /// Holds lines of a program against what must come; times may not go back.
  private func check(_ lines: [String], against expected: [String]) {
    let outputs = lines.compactMap(GestureOutput.init)
    #expect(outputs.count == lines.count, "a line without a time or with an odd velocity")
    #expect(outputs.map(\.comparable) == expected)
    #expect(zip(outputs, outputs.dropFirst()).allSatisfy { $0.time <= $1.time })
  }

  private func run(_ arguments: [String]) throws -> [String] {
    let process = try ChildProcess(
      ["\(Repository.root)/script/run", "--programs", Repository.programs] + arguments)
    // It takes its own children with it.
    defer { process.kill(SIGTERM) }
    #expect(try process.end() == 0)
    #expect(process.errors.all == [])
    return process.output.all
  }

  @Test func `script/run --json prints the gestures that the fingers made, and nothing else`()
    throws
  {
    let expected = try ExpectedGestures(card: Self.card).lines(script())
    let lines = try run(["--replay", Self.recording, "--json"])
    check(lines, against: expected)
    // Eight of the ten fingers land on the card; a view for all of them sees ten.
    #expect(lines.filter { $0.contains("\"touches\":8,") }.count == 11)
  }

  @Test func `touchctl recognize sees the same without a daemon`() throws {
    let process = try ChildProcess([
      "\(Repository.programs)/touchctl", "recognize", Self.recording, "--size", "1280x800",
      "--json", "--exclusive",
    ])
    #expect(try process.end() == 0)
    #expect(process.errors.all == [])
    try check(process.output.all, against: ExpectedGestures().lines(script()))
  }

  @Test func `script/run shows routed frames and gestures, each its own way`() throws {
    let script = try script()
    let lines = try run(["--replay", Self.recording])
    #expect(lines.first?.hasPrefix("script/run: routed frames") == true)
    let marked = lines.filter { $0.hasPrefix("| ") }.map { String($0.dropFirst(2)) }
    // One line a frame, and one a contact.
    #expect(marked.filter { $0.contains("routed +") }.count == script.frames.count)
    #expect(marked.contains { $0.hasSuffix("contact 1 slot 0 down 160.0,120.0 -> Panel scene 1") })
    #expect(marked.last?.hasPrefix("-- panel Touchbridge ten-finger panel") == true)
    let own = lines.filter { !$0.hasPrefix("| ") }.dropFirst()
    let expected = try ExpectedGestures(card: Self.card).lines(script)
    #expect(own.count == expected.count)
    #expect(own.first == "tap ended at 160.0,120.0")
    #expect(own.last == "pan ended at 1040.0,440.0")
  }

  @Test func `script/run says so when the app does not live to the end`() throws {
    let folder = try TemporaryFolder()
    for name in ["touchbridged", "touchctl"] {
      symlink("\(Repository.programs)/\(name)", "\(folder.path)/\(name)")
    }
    try folder.write("#!/bin/sh\necho no screen >&2; exit 7\n", to: "Panel")
    chmod("\(folder.path)/Panel", 0o700)
    let process = try ChildProcess([
      "\(Repository.root)/script/run", "--programs", folder.path, "--replay", Self.recording,
      "--json",
    ])
    defer { process.kill(SIGTERM) }
    #expect(try process.end() == 1)
    #expect(
      process.errors.all == [
        "script/run: the app ended before the recording did, with 7; it said:", "no screen",
      ])
  }

  @Test func `script/run tells a wrong call from a right one`() throws {
    func call(_ arguments: String...) throws -> (code: Int32, lines: [String]) {
      let process = try ChildProcess(["\(Repository.root)/script/run"] + arguments)
      let code = try process.end()
      return (code, process.output.all + process.errors.all)
    }
    #expect(try call("--help").code == 0)
    #expect(try call("--help").lines.contains { $0.hasPrefix("usage: script/run") })
    let wrong = try call("--dance")
    #expect(wrong.code == 2)
    #expect(
      wrong.lines == ["script/run: unknown argument --dance; script/run --help tells"])
  }
}
