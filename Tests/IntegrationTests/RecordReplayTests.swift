import FoundationEssentials
import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import UInputPanel

/// What `decode` and `monitor` say of a contact, as far as both say it.
struct ContactLine: Decodable, Equatable {
  var slot: Int
  var phase: String
  var rawX: Int?
  var rawY: Int?
}

/// The contacts of one line of `decode --json` or `monitor --json`.
private struct FrameLine: Decodable, Equatable {
  var contacts: [ContactLine]

  static func all(_ lines: [String]) throws -> [[ContactLine]] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try lines.map { try decoder.decode(FrameLine.self, from: Data($0.utf8)).contacts }
  }
}

@Suite(.withPrograms) struct `Recordings that are played` {
  private static let touchctl = "\(Repository.programs)/touchctl"
  private static let file = "\(Repository.root)/Tests/Fixtures/ten-finger-panel.gestures.evemu"

  private func run(_ arguments: String...) throws -> (code: Int32, process: ChildProcess) {
    let process = try ChildProcess([Self.touchctl] + arguments)
    return (try process.end(), process)
  }

  @Test func `go through a daemon of their own, each frame as it is in the file`() throws {
    let (code, replay) = try run("replay", Self.file, "--speed", "max", "--json")
    #expect(code == 0)
    let (decoded, decode) = try run("decode", Self.file, "--json")
    #expect(decoded == 0)
    let frames = try FrameLine.all(decode.output.all)
    #expect(frames.count > 50)
    #expect(try FrameLine.all(replay.output.all) == frames)
    #expect(replay.errors.all == [])
  }

  @Test func `are given to an app, which ends with them`() throws {
    let (code, replay) = try run(
      "replay", Self.file, "--speed", "20", "--", "\(Repository.programs)/Panel", "--json",
      "--touches")
    #expect(code == 0)
    let (_, decode) = try run("decode", Self.file, "--json")
    let downs = try FrameLine.all(decode.output.all).flatMap(\.self).filter { $0.phase == "down" }
    let begun = replay.output.all.filter { $0.hasPrefix("{\"touch\":\"began\"") }
    #expect(downs.count > 10)
    #expect(begun.count == downs.count)
  }

  @Test func `leave no folder behind, and say what is wrong once`() throws {
    let folder = try TemporaryFolder()
    let process = try ChildProcess(
      [Self.touchctl, "replay", Self.file, "--speed", "max"], environment: ["TMPDIR": folder.path])
    #expect(try process.end() == 0)
    #expect(try directoryNames(folder.path) == [])
    let (code, missing) = try run("replay", "/no/such/file")
    #expect(code == 1)
    #expect(
      missing.errors.all == [
        "touchctl: cannot open /no/such/file: No such file or directory (ENOENT). Check the path and "
          + "that you may read the file."
      ])
  }

  @Test func `a command that never connects is told apart from one that ends too early`() throws {
    let (code, replay) = try run("replay", Self.file, "--", "/bin/false")
    #expect(code == 1)
    #expect(
      replay.errors.all == [
        "touchctl: /bin/false ended, with 1, and never connected to the daemon. Is it an app of "
          + "TouchKit or TouchClient?"
      ])
    let early = try ChildProcess([
      Self.touchctl, "replay", Self.file, "--speed", "0.001", "--", "\(Repository.programs)/Panel",
      "--json", "--touches",
    ])
    _ = try early.output.next()
    // The app is the only child of this process that is no daemon.
    let children = try readFile("/proc/\(early.identifier)/task/\(early.identifier)/children")
    let pids = String(decoding: children, as: UTF8.self).split(separator: " ").compactMap {
      pid_t($0)
    }
    try #require(pids.count == 2)
    kill(pids[1], SIGKILL)
    #expect(try early.end() == 1)
    #expect(
      early.errors.all == [
        "touchctl: \(Repository.programs)/Panel ended before the recording did, with 137."
      ])
  }

  @Test func `a command that does not connect is waited for, with a word on it`() throws {
    let process = try ChildProcess([Self.touchctl, "replay", Self.file, "--", "sleep", "1000"])
    let word = "touchctl: waiting for sleep to connect; the recording begins once it has a scene."
    #expect(try process.errors.next() == word)
    process.signal(SIGTERM)
    #expect(try process.end() == 0)
    #expect(process.errors.all == [word])
  }

  @Test(arguments: [
    ["replay"], ["replay", "a", "b"], ["replay", "-"], ["replay", "a", "--speed", "0"],
    ["replay", "a", "--speed", "nan"], ["replay", "a", "--delay", "1"],
    ["replay", "a", "--uinput", "--json"], ["replay", "a", "--json", "--", "app"],
    ["replay", "a", "--uinput", "--", "app"], ["replay", "a", "--uinput", "--delay", "x"],
    ["record", "--frames", "0"], ["record", "--frames", "x"],
  ])
  func `wrong usage is told`(_ arguments: [String]) throws {
    // The file is looked at after the words of the command, but for the delay.
    let process = try ChildProcess([Self.touchctl] + arguments.map { $0 == "a" ? Self.file : $0 })
    #expect(try process.end() == 2)
    #expect(process.errors.all.count == 1)
    #expect(process.output.all == [])
  }
}

@Suite(.withPrograms, .withMockDevices) struct `Panels that are recorded` {
  private static let touchscreen = "ID_INPUT_TOUCHSCREEN=1"

  private func record(_ bench: MockBench, _ arguments: String...) throws -> ChildProcess {
    let process = try ChildProcess(
      ["\(Repository.programs)/touchctl", "record"] + arguments, environment: bench.environment)
    _ = try process.errors.next(containing: "the file holds the time and place of each touch")
    return process
  }

  private func decoded(_ text: [String]) throws -> [[ContactLine]] {
    let folder = try TemporaryFolder()
    try folder.write(text.map { $0 + "\n" }.joined(), to: "recording")
    let process = try ChildProcess(
      ["\(Repository.programs)/touchctl", "decode", "\(folder.path)/recording", "--json"])
    #expect(try process.end() == 0)
    return try FrameLine.all(process.output.all)
  }

  @Test func `are in the file with what the fingers did, and decode to it`() throws {
    let bench = try MockBench()
    try bench.add(5, .tenFingerPanel(), Self.touchscreen, "ID_PATH=usb-1")
    let process = try record(bench, "--socket", "/no/daemon", "--frames", "3")
    try bench.touch(5, [0: (100, 200)])
    try bench.touch(5, [0: (110, 200), 1: (5, 6)])
    try bench.touch(5, [:])
    #expect(try process.end() == 0)
    let lines = process.output.all
    #expect(
      lines.prefix(3) == [
        "# EVEMU 1.3", "# Touchbridge node: /dev/input/event5", "# Touchbridge ID_PATH: usb-1",
      ])
    #expect(
      try decoded(lines) == [
        [ContactLine(slot: 0, phase: "down", rawX: 400, rawY: 800)],
        [
          ContactLine(slot: 0, phase: "motion", rawX: 440, rawY: 800),
          ContactLine(slot: 1, phase: "down", rawX: 20, rawY: 24),
        ],
        [
          ContactLine(slot: 0, phase: "up", rawX: 440, rawY: 800),
          ContactLine(slot: 1, phase: "up", rawX: 20, rawY: 24),
        ],
      ])
  }

  @Test func `stand one after the other in one file`() throws {
    let bench = try MockBench()
    for number in [5, 6] {
      try bench.add(number, .tenFingerPanel(named: "Panel \(number)"), Self.touchscreen)
    }
    let process = try record(bench, "--socket", "/no/daemon")
    try bench.touch(6, [0: (1, 2)])
    try bench.touch(5, [3: (3, 4)])
    // Both have been read when the last frame, of the first panel, is in the output.
    _ = try process.output.next(containing: "0000 0000 0000")
    process.signal(SIGINT)
    #expect(try process.end() == 0)
    #expect(process.output.all.filter { $0.hasPrefix("N:") } == ["N: Panel 5", "N: Panel 6"])
    #expect(
      process.errors.all.last == "touchctl: 2 frames recorded.", "\(process.errors.all)")
  }
}
