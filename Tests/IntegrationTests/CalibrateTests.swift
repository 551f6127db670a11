import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import UInputPanel

/// A panel of 1279 by 799 units that is mounted on its side: its x runs down, its y from right to left.
enum SidewaysPanel {
  /// What it sends for a place on its display, 0...1 on both axes.
  static func raw(_ x: Double, _ y: Double) -> RawPoint {
    RawPoint(x: Int32((y * 1279).rounded()), y: Int32(((1 - x) * 799).rounded()))
  }

  /// A recording in which these places are held for 150 ms each, and then nothing happens for hours.
  static func recording(_ places: [(Double, Double)]) -> String {
    var frames: [(milliseconds: Int, fingers: [Int32: RawPoint])] = []
    for (index, place) in places.enumerated() {
      let point = raw(place.0, place.1)
      let start = 100 + 200 * index
      frames.append((start, [0: point]))
      // A little unrest, and somebody's other finger.
      frames.append((start + 10, [0: RawPoint(x: point.x + 1, y: point.y)]))
      frames.append((start + 20, [0: point, 1: RawPoint(x: 3, y: 5)]))
      frames.append((start + 150, [:]))
    }
    frames.append((90_000_000, [0: RawPoint(x: 0, y: 0)]))
    return Recordings.fingers(frames)
  }

  static let corners = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]
  static let check = (0.35, 0.65)
}

/// A run of `touchctl calibrate` on a daemon that replays touches once the tool asks for the first.
final class CalibrateRun {
  let process: ChildProcess
  private(set) var lines: [String] = []

  init(_ daemon: DaemonProcess, _ arguments: String...) throws {
    process = try ChildProcess(
      ["\(Repository.programs)/touchctl", "calibrate"] + arguments
        + ["--socket", daemon.adminSocket])
  }

  /// Waits until it asks for the first touch: what is on disk counts from before that.
  func waitForFirst() throws {
    let first = try #require(try process.output.next())
    lines = [first]
  }

  /// Lets the recording begin when the tool has asked, and waits for the tool's end.
  func play(on daemon: DaemonProcess) throws -> (code: Int32, app: WireClient) {
    let app = try WireClient.welcomed(daemon.appSocket, name: "app")
    if lines.isEmpty { try waitForFirst() }
    app.setScenes([.everywhere])
    #expect(try app.next() == "scenes applied")
    let code = try process.end()
    lines = process.output.all
    return (code, app)
  }

  static let display = "[Display default]\nSize=1280x800\n"
  static let dropIn = "90-panel-calibration-test-panel.conf"

  /// What stands on standard error behind the reason why a result of the four corners was not kept.
  static let byHand = [
    "The result was not kept. Its matrix and section, to be written by hand:",
    "matrix: MATRIX", "[Panel calibration-test-panel]", "MatchName=test panel",
    "Calibration=MATRIX",
  ]

  /// Lines without the numbers of a matrix; they are those of the matrix that has to come out.
  static func withoutMatrix(_ lines: [String]) -> [String] {
    lines.map { line in
      guard let found = line.firstMatch(of: /(?:-?[0-9.e-]+ ){5}-?[0-9.e-]+/) else { return line }
      let numbers = found.output.split(separator: " ").compactMap { Double($0) }
      let right = [0, -1, 1, 1, 0, 0].map { Double($0) }
      let isRight =
        numbers.count == 6 && zip(numbers, right).allSatisfy { abs($0 - $1) < 0.01 }
      return isRight ? line.replacing(found.output, with: "MATRIX") : line
    }
  }

  static func daemon(
    _ places: [(Double, Double)], in folder: TemporaryFolder, config: TemporaryFolder
  ) throws -> DaemonProcess {
    try DaemonProcess(
      ["--wait-for-clients", "1", "--config", config.path],
      replay: SidewaysPanel.recording(places), in: folder)
  }

  static func configuration(_ text: String = CalibrateRun.display) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "touchbridge.conf")
    return folder
  }

  /// Expects another daemon with the same configuration to deliver touches where they are.
  static func expectTouches(in folder: TemporaryFolder, _ config: TemporaryFolder) throws {
    let second = try daemon([(0.25, 0.75)], in: folder, config: config)
    let app = try WireClient.welcomed(second.appSocket, name: "app")
    app.setScenes([.everywhere])
    #expect(try app.next() == "scenes applied")
    let down = try app.next()
    let place = try #require(down.wholeMatch(of: /frame: 1 down at ([0-9.]+), ([0-9.]+)/))
    let (x, y) = (Double(place.1) ?? 0, Double(place.2) ?? 0)
    // A unit of the panel is up to 1.6 points of the display.
    #expect(abs(x - 0.25 * 1279) <= 1.6, "\(down)")
    #expect(abs(y - 0.75 * 799) <= 1, "\(down)")
    #expect(try second.stop() == 0)
  }
}

@Suite(.withPrograms) struct `touchctl calibrate` {
  @Test func `finds how a panel lies, and the daemon has it at once and after a restart`() throws {
    let (folder, config) = (try TemporaryFolder(), try CalibrateRun.configuration())
    let daemon = try CalibrateRun.daemon(
      SidewaysPanel.corners + [SidewaysPanel.check], in: folder, config: config)
    let run = try CalibrateRun(daemon, "1")
    let (code, app) = try run.play(on: daemon)
    #expect(code == 0)
    #expect(run.process.errors.all == [])
    let file = "\(config.path)/conf.d/\(CalibrateRun.dropIn)"
    #expect(
      run.lines.prefix(5) == [
        "1 of 5: touch 10 % of the width and 10 % of the height; hold for a moment, then lift.",
        "2 of 5: touch 90 % of the width and 10 % of the height; hold for a moment, then lift.",
        "3 of 5: touch 90 % of the width and 90 % of the height; hold for a moment, then lift.",
        "4 of 5: touch 10 % of the width and 90 % of the height; hold for a moment, then lift.",
        "5 of 5, the check: touch 35 % of the width and 65 % of the height; hold for a moment, "
          + "then lift.",
      ])
    #expect(run.lines.last == "written to \(file); the daemon uses it")
    let text = try String(decoding: readFile(file), as: UTF8.self)
    #expect(
      text.prefixMatch(
        of:
          /# Written by touchctl calibrate at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC by .+\.\n\[Panel calibration-test-panel\]\nMatchName=test panel\nCalibration=/
      ) != nil, "\(text)")
    #expect(try directoryNames("\(config.path)/conf.d") == [CalibrateRun.dropIn])
    let shown = try ChildProcess(
      ["\(Repository.programs)/touchctl", "status", "--json", "--socket", daemon.adminSocket])
    #expect(try shown.end() == 0)
    #expect(shown.output.all.contains { $0.contains(#""captured_by":null"#) })
    #expect(try daemon.stop() == 0)
    // Nothing of it all reached the app.
    #expect(try app.next() == "closed")
    try app.finish()
    try CalibrateRun.expectTouches(in: folder, config)
  }

  @Test func `takes the calibration before back, and forth again`() throws {
    let (folder, config) = (try TemporaryFolder(), try CalibrateRun.configuration())
    let conf = "\(config.path)/conf.d"
    try makeDirectory(conf, mode: 0o755)
    let old =
      "[Panel calibration-test-panel]\nMatchName=test panel\nCalibration=0.9 0 0.05 0 0.9 0.05\n"
    try config.write(old, to: "conf.d/\(CalibrateRun.dropIn)")
    let daemon = try CalibrateRun.daemon(
      SidewaysPanel.corners + [SidewaysPanel.check], in: folder, config: config)
    let run = try CalibrateRun(daemon, "test panel", "--json")
    #expect(try run.play(on: daemon).code == 0)
    let new = try readFile("\(conf)/\(CalibrateRun.dropIn)")
    #expect(try readFile("\(conf)/\(CalibrateRun.dropIn).previous") == Array(old.utf8))
    let back = try CalibrateRun(daemon, "1", "--restore")
    #expect(try back.process.end() == 0)
    #expect(
      back.process.output.all == [
        "\(conf)/\(CalibrateRun.dropIn) is as it was before; the panel's matrix is 0.9 0 0.05 0 0.9 0.05"
      ])
    #expect(try readFile("\(conf)/\(CalibrateRun.dropIn)") == Array(old.utf8))
    let forth = try CalibrateRun(daemon, "1", "--restore")
    #expect(try forth.process.end() == 0)
    #expect(try readFile("\(conf)/\(CalibrateRun.dropIn)") == new)
    #expect(
      try directoryNames(conf) == [CalibrateRun.dropIn, "\(CalibrateRun.dropIn).previous"])
    #expect(try daemon.stop() == 0)
  }

  @Test func `tells a program that draws where to draw, on a picture that is turned`() throws {
    let (folder, config) = (
      try TemporaryFolder(),
      try CalibrateRun.configuration(
        "[Display default]\nSize=1280x800\nRotate=90\n[Panel p]\nSize=160x100mm\n")
    )
    let daemon = try CalibrateRun.daemon([(0.1, 0.1)], in: folder, config: config)
    let run = try CalibrateRun(daemon, "1", "--json", "--dry-run")
    let first = try run.process.output.next()
    // A tenth from the left top of the glass is at the left bottom of a picture turned by 90 degrees.
    #expect(
      first
        == #"{"target":{"number":1,"count":5,"check":false,"display":"default","x":79.9,"#
        + #""y":1151.1,"part_x":0.1,"part_y":0.9,"left_mm":10,"top_mm":144}}"#)
    run.process.signal(SIGINT)
    #expect(try run.process.end() == 1)
    #expect(run.process.errors.all == ["touchctl: interrupted; nothing was changed."])
    #expect(try daemon.stop() == 0)
  }

  @Test func `asks again, and changes nothing when the check is missed`() throws {
    let (folder, config) = (try TemporaryFolder(), try CalibrateRun.configuration())
    let daemon = try CalibrateRun.daemon(
      [(0.1, 0.1), (0.1, 0.1)] + SidewaysPanel.corners.dropFirst() + [(0.45, 0.65)], in: folder,
      config: config)
    let run = try CalibrateRun(daemon, "1", "--points", "4")
    let (code, _) = try run.play(on: daemon)
    #expect(code == 1)
    #expect(run.lines.contains("That cannot have been this place. Once more:"))
    let reason = try #require(run.process.errors.all.first)
    #expect(
      reason.wholeMatch(
        of:
          /touchctl: the check point was missed by (9\.9|10\.0)\d % of an axis, more than 3\.00 % of an axis\. .*\. Nothing was changed\./
      ) != nil, "\(reason)")
    #expect(try directoryNames("\(config.path)/conf.d") == [])
    #expect(try daemon.stop() == 0)
  }

  @Test func `prints a section that the configuration takes, with --dry-run`() throws {
    let (folder, config) = (try TemporaryFolder(), try CalibrateRun.configuration())
    let daemon = try CalibrateRun.daemon(
      SidewaysPanel.corners + [SidewaysPanel.check], in: folder, config: config)
    let run = try CalibrateRun(daemon, "1", "--dry-run")
    let (code, _) = try run.play(on: daemon)
    #expect(code == 0)
    let section = run.lines.drop { !$0.hasPrefix("[Panel") }
    #expect(section.count == 3)
    #expect(try directoryNames(config.path) == ["touchbridge.conf"])
    try config.write(
      CalibrateRun.display + section.joined(separator: "\n") + "\n", to: "touchbridge.conf")
    #expect(try daemon.stop() == 0)
    try CalibrateRun.expectTouches(in: folder, config)
  }

  @Test func `leaves nothing behind that the daemon would not take`() throws {
    // What is read later says something else.
    let (folder, config) = (try TemporaryFolder(), try CalibrateRun.configuration())
    try makeDirectory("\(config.path)/conf.d", mode: 0o755)
    try config.write("[Panel mine]\nCalibration=0 1 0 1 0 0\n", to: "conf.d/mine.conf")
    let first = try CalibrateRun.daemon(
      SidewaysPanel.corners + [SidewaysPanel.check], in: folder, config: config)
    let run = try CalibrateRun(first, "1")
    let (code, _) = try run.play(on: first)
    #expect(code == 1)
    #expect(
      CalibrateRun.withoutMatrix(run.process.errors.all) == [
        "touchctl: Calibration= at \(config.path)/conf.d/mine.conf:2 is read after "
          + "\(config.path)/conf.d/\(CalibrateRun.dropIn) and wins. Remove it there. All is as it was "
          + "before."
      ] + CalibrateRun.byHand)
    #expect(try directoryNames("\(config.path)/conf.d") == ["mine.conf"])
    #expect(try first.stop() == 0)
  }

  @Test func `prints the result when it cannot be kept at the end`() throws {
    let (folder, config) = (try TemporaryFolder(), try CalibrateRun.configuration())
    let daemon = try CalibrateRun.daemon(
      SidewaysPanel.corners + [SidewaysPanel.check], in: folder, config: config)
    let run = try CalibrateRun(daemon, "1")
    // By now it has found that it can be written.
    let first = try run.process.output.next()
    #expect(first?.hasPrefix("1 of 5") == true)
    let previous = "\(config.path)/conf.d/\(CalibrateRun.dropIn).previous"
    try makeDirectory(previous, mode: 0o755)
    let app = try WireClient.welcomed(daemon.appSocket, name: "app")
    app.setScenes([.everywhere])
    #expect(try app.next() == "scenes applied")
    #expect(try run.process.end() == 1)
    #expect(
      CalibrateRun.withoutMatrix(run.process.errors.all) == [
        "touchctl: cannot read \(previous): Is a directory (EISDIR). A folder stands in the file's "
          + "way; move it."
      ] + CalibrateRun.byHand)
    #expect(try directoryNames("\(config.path)/conf.d") == ["\(CalibrateRun.dropIn).previous"])
    #expect(try daemon.stop() == 0)
  }

  @Test func `finds before any touch that there is no room, and nothing older to restore`() throws {
    let (folder, config) = (try TemporaryFolder(), try CalibrateRun.configuration())
    let daemon = try CalibrateRun.daemon([], in: folder, config: config)
    let file = "\(config.path)/conf.d/\(CalibrateRun.dropIn)"
    // A program that may make files, but put nothing into them.
    let full = try ChildProcess([
      "sh", "-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh",
      "\(Repository.programs)/touchctl", "calibrate", "1", "--socket", daemon.adminSocket,
    ])
    #expect(try full.end() == 1)
    #expect(full.output.all == [])
    #expect(
      full.errors.all == [
        "touchctl: cannot write \(file): File too large (EFBIG). --dry-run shows the result alone."
      ])
    #expect(try directoryNames("\(config.path)/conf.d") == [])
    let text = "[Panel calibration-test-panel]\nMatchName=test panel\nCalibration=0.9 0 0 0 0.9 0\n"
    try config.write(text, to: "conf.d/\(CalibrateRun.dropIn)")
    try config.write(text, to: "conf.d/\(CalibrateRun.dropIn).previous")
    let same = try ChildProcess([
      "\(Repository.programs)/touchctl", "calibrate", "1", "--restore", "--socket",
      daemon.adminSocket,
    ])
    #expect(try same.end() == 1)
    #expect(same.output.all == [])
    #expect(
      same.errors.all == [
        "touchctl: \(file) and the version before it are the same; there is nothing older."
      ])
    #expect(try daemon.stop() == 0)
  }

  @Test func `says at once what would keep the result from being used`() throws {
    let (folder, config) = (try TemporaryFolder(), try CalibrateRun.configuration())
    let daemon = try CalibrateRun.daemon([], in: folder, config: config)
    func failure(_ arguments: String...) throws -> String {
      let run = try ChildProcess(
        ["\(Repository.programs)/touchctl", "calibrate"] + arguments
          + ["--socket", daemon.adminSocket])
      #expect(try run.end() != 0)
      #expect(run.output.all == [])
      return run.errors.all.joined(separator: "\n")
    }
    let list = "1 (test panel, \(folder.path)/replay.evemu)"
    #expect(try failure("9") == "touchctl: there is no panel 9; there are \(list).")
    #expect(
      try failure("1", "--limit", "5mm")
        == "touchctl: the panel's size is not known, so --limit takes a part such as 3%. Size= in its "
        + "[Panel] section says it.")
    #expect(
      try failure("1", "--restore")
        == "touchctl: \(config.path)/conf.d/\(CalibrateRun.dropIn) and a version before it are not there; "
        + "nothing to restore.")
    #expect(
      try failure("1", "--config", "\(config.path)/touchbridge.conf")
        == "touchctl: a single file has no conf.d to write to. Put this into it: what --dry-run prints"
    )
    try config.write("[Panel mine]\nMatchName=test panel\n", to: "conf.d/\(CalibrateRun.dropIn)")
    #expect(
      try failure("1")
        == "touchctl: \(config.path)/conf.d/\(CalibrateRun.dropIn) holds something else; rename it, or put this "
        + "by hand where it belongs: what --dry-run prints")
    try config.write("", to: "conf.d/\(CalibrateRun.dropIn)")
    try config.write("[Panel x]\nInvertX=maybe\n", to: "conf.d/x.conf")
    #expect(
      try failure("1")
        == "touchctl: the configuration would be wrong, so the daemon would not take it: "
        + "\(config.path)/conf.d/x.conf:2: InvertX= takes yes or no, not 'maybe'. Mend that first; "
        + "`touchctl config check` names all.")
    #expect(
      try failure("1", "--restore", "--dry-run")
        == "touchctl: --dry-run changes nothing and --restore does; take one of them.")
    #expect(try daemon.stop() == 0)
    // Nothing that was down on it was cancelled for any of that.
    #expect(!daemon.process.errors.all.contains { $0.contains("panel is captured") })
    #expect(
      try failure("1").hasPrefix("touchctl: cannot connect to \(folder.path)/admin.sock"))
  }

  @Test func `gives the panel back when it is killed`() throws {
    let (folder, config) = (try TemporaryFolder(), try CalibrateRun.configuration())
    let daemon = try CalibrateRun.daemon([(0.25, 0.75)], in: folder, config: config)
    let run = try CalibrateRun(daemon, "1", "--dry-run")
    _ = try run.process.output.next()
    let second = try CalibrateRun(daemon, "1", "--dry-run")
    #expect(try second.process.end() == 1)
    #expect(
      second.process.errors.all == [
        "touchctl: touchctl calibrate (pid \(run.process.identifier)) has panel 1 for itself. End it, "
          + "or wait."
      ])
    run.process.kill(SIGKILL)
    _ = try? run.process.end()
    let app = try WireClient.welcomed(daemon.appSocket, name: "app")
    app.setScenes([.everywhere])
    #expect(try app.next() == "scenes applied")
    #expect(try app.next().hasPrefix("frame: 1 down at "))
    #expect(try daemon.stop() == 0)
  }
}
