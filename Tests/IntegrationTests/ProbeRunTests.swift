import Glibc
import TestSupport
import Testing
import UInputPanel

/// The probe in programs of their own, with a daemon and a finger on its panel.
@Suite(.withPrograms) struct `The event probe in a program` {
  private func run(
    _ name: String, environment: [String: String] = [:], at point: RawPoint
  ) throws -> (daemon: DaemonProcess, app: ChildProcess) {
    let daemon = try DaemonProcess(
      ["--wait-for-clients", "1", "--in-step", "--display", "1280x800"],
      replay: Recordings.fingers([(100, [0: point]), (200, [:])]))
    let socket = ["TOUCHBRIDGE_SOCKET": daemon.appSocket]
    let app = try ChildProcess(
      ["\(Repository.programs)/\(name)"], environment: environment.merging(socket) { $1 })
    return (daemon, app)
  }

  /// Takes lines up to one that begins with a text.
  private func lines(_ output: OutputLines, through last: String) throws -> [String] {
    var lines: [String] = []
    while let line = try output.next() {
      lines.append(line)
      if line.hasPrefix(last) { break }
    }
    return lines
  }

  @Test func `the example prints the way of each touch`() throws {
    let (daemon, app) = try run("TouchProbe", at: RawPoint(x: 400, y: 300))
    let lines = try lines(app.output, through: "[touchesEnded] UIApplication")
    let isTested = { (line: String) in !line.contains("UIButton") }
    #expect(
      lines.filter(isTested) == [
        "[hitTest] UIWindow point=(400.0, 300.0)",
        "[pointInside] UIWindow point=(400.0, 300.0) inside=true",
        "[hitTest] Screen point=(400.0, 300.0)",
        "[pointInside] Screen point=(400.0, 300.0) inside=true",
        "[hitTest] Root point=(360.0, 260.0)",
        "[pointInside] Root point=(360.0, 260.0) inside=true",
        "[hitTest] Overlap point=(110.0, 60.0)",
        "[pointInside] Overlap point=(110.0, 60.0) inside=true",
        "[hitTest] Overlap -> Overlap", "[hitTest] Root -> Overlap",
        "[hitTest] Screen -> Overlap", "[hitTest] UIWindow -> Overlap",
        "[sendEvent] phase=began eventWindow=UIWindow activeKeyWindow=UIWindow",
        "[touchesBegan] Overlap next=Root", "[touchesBegan] Root next=Screen",
        "[touchesBegan] Screen next=ProbeController",
        "[touchesBegan] ProbeController next=UIWindow",
      ] + Self.chainEnd("Began") + [
        "[sendEvent] phase=ended eventWindow=UIWindow activeKeyWindow=UIWindow",
        "[touchesEnded] Overlap next=Root", "[touchesEnded] Root next=Screen",
        "[touchesEnded] Screen next=ProbeController",
        "[touchesEnded] ProbeController next=UIWindow",
      ] + Self.chainEnd("Ended"))
    app.signal(SIGTERM)
    #expect(try app.end() == 128 + SIGTERM)
    #expect(app.errors.all == [])
    #expect(try daemon.stop() == 0)
  }

  private static func chainEnd(_ phase: String) -> [String] {
    [
      "[touches\(phase)] UIWindow next=UIWindowScene",
      "[touches\(phase)] UIWindowScene next=UIApplication",
      "[touches\(phase)] UIApplication next=nil",
    ]
  }

  /// What a run of ProbeCost tells of one stage.
  private struct Cost: Equatable {
    var tests: Int
    var testLines: Int
    var moves: Int
    var moveLines: Int

    init?(_ line: String, _ name: String) {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      guard line.hasPrefix(name + ": "), numbers.count == 4 else { return nil }
      (tests, testLines) = (numbers[0], numbers[1])
      (moves, moveLines) = (numbers[2], numbers[3])
    }
  }

  @Test func `costs nothing when it is off: no line is written, and none is made`() throws {
    let program = try ChildProcess(["\(Repository.programs)/ProbeCost"])
    #expect(try program.end() == 0)
    let lines = program.output.all
    try #require(lines.count == 3, "\(lines)")
    let before = try #require(Cost(lines[0], "before"))
    let probed = try #require(Cost(lines[1], "probed"))
    let after = try #require(Cost(lines[2], "after"))
    #expect(before.tests == 0 && before.testLines == 0 && before.moveLines == 0)
    #expect(after == before)
    // A hit test asks the window in a line and eight views in three; a move comes to the application,
    // 4 views, the window and the application. Each line is an allocation at least, which is made
    // only now. What a move costs by itself a debug build does not tell; script/bench does.
    #expect(probed.testLines == 100 * (1 + 3 * 8) && probed.tests >= probed.testLines)
    #expect(probed.moveLines == 100 * 7 && probed.moves - before.moves >= probed.moveLines)
  }

  @Test func `TOUCHKIT_PROBE=1 sets one in any program, and nothing else does`() throws {
    for value in ["1", "0"] {
      let (daemon, app) = try run(
        "Panel", environment: ["TOUCHKIT_PROBE": value], at: RawPoint(x: 100, y: 600))
      #expect(try app.output.next() == "tap ended at 100.0,600.0")
      app.signal(SIGTERM)
      #expect(try app.end() == 128 + SIGTERM)
      let errors = app.errors.all
      #expect(errors.isEmpty == (value == "0"))
      #expect(value == "0" || errors.first == "[hitTest] UIWindow point=(100.0, 600.0)")
      #expect(try daemon.stop() == 0)
    }
  }
}
