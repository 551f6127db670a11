import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import UInputPanel

@Suite(.withPrograms) struct `What touchctl calibrate changes, and what it leaves` {
  private static let dropIn = CalibrateRun.dropIn
  private static let touches = SidewaysPanel.corners + [SidewaysPanel.check]
  private static let head = "[Panel calibration-test-panel]\nMatchName=test panel\n"

  private func text(_ config: TemporaryFolder) throws -> String {
    try String(decoding: readFile("\(config.path)/conf.d/\(Self.dropIn)"), as: UTF8.self)
  }

  private func folders(_ file: String? = nil) throws -> (TemporaryFolder, TemporaryFolder) {
    let config = try CalibrateRun.configuration()
    try makeDirectory("\(config.path)/conf.d", mode: 0o755)
    if let file { try config.write(file, to: "conf.d/\(Self.dropIn)") }
    return (try TemporaryFolder(), config)
  }

  @Test func `takes the touches as the files on disk have the panel`() throws {
    let (folder, config) = try folders()
    let daemon = try CalibrateRun.daemon(Self.touches, in: folder, config: config)
    // Nobody has had the daemon read this.
    try config.write(
      CalibrateRun.display + "[Panel p]\nRangeX=0 1600\nRangeY=0 1000\n", to: "touchbridge.conf")
    let run = try CalibrateRun(daemon, "1", "--points", "4")
    let (code, _) = try run.play(on: daemon)
    #expect(run.process.errors.all == [])
    #expect(code == 0)
    #expect(try daemon.stop() == 0)
    try CalibrateRun.expectTouches(in: folder, config)
  }

  @Test func `refuses a result for a panel that the files have changed meanwhile`() throws {
    let (folder, config) = try folders()
    let daemon = try CalibrateRun.daemon(Self.touches, in: folder, config: config)
    let run = try CalibrateRun(daemon, "1")
    try run.waitForFirst()
    try config.write("[Panel p]\nRangeX=0 1600\n", to: "conf.d/10-range.conf")
    let (code, _) = try run.play(on: daemon)
    #expect(code == 1)
    #expect(
      run.process.errors.all == [
        "touchctl: the configuration of the panel has changed meanwhile; nothing was changed here. "
          + "Start again."
      ])
    #expect(try directoryNames("\(config.path)/conf.d") == ["10-range.conf"])
    #expect(try daemon.stop() == 0)
  }

  @Test func `takes a result though another panel was configured meanwhile`() throws {
    let (folder, config) = try folders()
    let daemon = try CalibrateRun.daemon(Self.touches, in: folder, config: config)
    let run = try CalibrateRun(daemon, "1")
    try run.waitForFirst()
    try config.write("[Panel p]\nMatchName=other\nRangeX=0 1600\n", to: "conf.d/10-range.conf")
    let (code, _) = try run.play(on: daemon)
    #expect(run.process.errors.all == [])
    #expect(code == 0)
    #expect(try daemon.stop() == 0)
    try CalibrateRun.expectTouches(in: folder, config)
  }

  @Test func `keeps what else stands in the file`() throws {
    let (folder, config) = try folders(
      "# ours\n\(Self.head)RangeX=0 1600\nInvertX=yes\n# the end\n")
    let daemon = try CalibrateRun.daemon(Self.touches, in: folder, config: config)
    let run = try CalibrateRun(daemon, "1")
    let (code, _) = try run.play(on: daemon)
    #expect(run.process.errors.all == [])
    #expect(code == 0)
    let lines = try text(config).split(separator: "\n")
    #expect(lines.first?.hasPrefix("# Written by touchctl calibrate at ") == true)
    #expect(lines.count == 8)
    #expect(
      lines.dropFirst().filter { !$0.hasPrefix("Calibration=") } == [
        "# ours", "[Panel calibration-test-panel]", "MatchName=test panel", "RangeX=0 1600",
        "InvertX=yes", "# the end",
      ])
    #expect(try daemon.stop() == 0)
    try CalibrateRun.expectTouches(in: folder, config)
  }

  @Test func `leaves a file alone that became another's meanwhile`() throws {
    let (folder, config) = try folders()
    let daemon = try CalibrateRun.daemon(Self.touches, in: folder, config: config)
    let run = try CalibrateRun(daemon, "1")
    try run.waitForFirst()
    let foreign = "[Panel mine]\nMatchName=other\n"
    try config.write(foreign, to: "conf.d/\(Self.dropIn)")
    let (code, _) = try run.play(on: daemon)
    #expect(code == 1)
    #expect(
      CalibrateRun.withoutMatrix(run.process.errors.all) == [
        "touchctl: \(config.path)/conf.d/\(Self.dropIn) holds something else; rename it, or put this by "
          + "hand where it belongs: what --dry-run prints"
      ] + CalibrateRun.byHand)
    #expect(try text(config) == foreign)
    #expect(try directoryNames("\(config.path)/conf.d") == [Self.dropIn])
    #expect(try daemon.stop() == 0)
  }

  @Test func `says so at once where the files leave the panel alone`() throws {
    let (folder, config) = try folders()
    let daemon = try CalibrateRun.daemon(Self.touches, in: folder, config: config)
    try config.write("[Panel p]\nIgnore=yes\n", to: "conf.d/10-ignore.conf")
    let run = try CalibrateRun(daemon, "1")
    #expect(try run.process.end() == 1)
    #expect(run.process.output.all == [])
    let reason = try #require(run.process.errors.all.first)
    #expect(
      reason.hasPrefix("touchctl: the daemon has read its configuration anew, and now "),
      "\(reason)")
    #expect(try directoryNames("\(config.path)/conf.d") == ["10-ignore.conf"])
    #expect(try daemon.stop() == 0)
  }

  @Test func `puts all back where the daemon reads another folder`() throws {
    let (folder, config) = try folders()
    let other = try CalibrateRun.configuration()
    let daemon = try CalibrateRun.daemon(Self.touches, in: folder, config: config)
    let run = try CalibrateRun(daemon, "1", "--config", other.path)
    let (code, _) = try run.play(on: daemon)
    #expect(code == 1)
    #expect(
      CalibrateRun.withoutMatrix(run.process.errors.all) == [
        "touchctl: the daemon has read its configuration, and the panel's matrix is 1 0 0 0 1 0 all the "
          + "same. Does it read another folder than \(other.path)/conf.d/\(Self.dropIn)? --config "
          + "names it. All is as it was before."
      ] + CalibrateRun.byHand)
    #expect(try directoryNames("\(other.path)/conf.d") == [])
    #expect(try daemon.stop() == 0)
  }

  @Test func `takes nothing back that is not its own`() throws {
    let old = "\(Self.head)Calibration=0.9 0 0.05 0 0.9 0.05\n"
    let (folder, config) = try folders(old)
    let foreign = "[Panel mine]\nIgnore=yes\n"
    try config.write(foreign, to: "conf.d/\(Self.dropIn).previous")
    let daemon = try CalibrateRun.daemon([], in: folder, config: config)
    let run = try CalibrateRun(daemon, "1", "--restore")
    #expect(try run.process.end() == 1)
    #expect(
      run.process.errors.all == [
        "touchctl: \(config.path)/conf.d/\(Self.dropIn).previous holds something else; nothing was "
          + "taken back."
      ])
    #expect(try text(config) == old)
    // What is its own and takes the panel away does not stay either.
    try config.write("\(Self.head)Ignore=yes\n", to: "conf.d/\(Self.dropIn).previous")
    let second = try CalibrateRun(daemon, "1", "--restore")
    #expect(try second.process.end() == 1)
    // A recording that was ended does not begin again.
    #expect(
      second.process.errors.all == [
        "touchctl: the daemon has no panel \(folder.path)/replay.evemu, and no other. `touchctl devices` "
          + "says why. The file is as it was before, but the panel is not. `touchctl status` shows how "
          + "it is used."
      ])
    #expect(try text(config) == old)
    #expect(try daemon.stop() == 0)
  }

  @Test func `changes nothing when nobody reads the result`() throws {
    let (folder, config) = try folders()
    var frames: [(milliseconds: Int, fingers: [Int32: RawPoint])] = []
    for (index, place) in Self.touches.enumerated() {
      // Long before the check, so that who reads has gone by then.
      let start = 100 + 200 * index + (index == 4 ? 2000 : 0)
      frames.append((start, [0: SidewaysPanel.raw(place.0, place.1)]))
      frames.append((start + 150, [:]))
    }
    frames.append((90_000_000, [0: RawPoint(x: 0, y: 0)]))
    let daemon = try DaemonProcess(
      ["--wait-for-clients", "1", "--config", config.path], replay: Recordings.fingers(frames),
      in: folder)
    let tool = "\(Repository.programs)/touchctl calibrate 1 --socket \(daemon.adminSocket)"
    let run = try ChildProcess(["sh", "-c", "{ \(tool); echo $? >&2; } | sed -u 5q"])
    _ = try run.output.next()
    let app = try WireClient.welcomed(daemon.appSocket, name: "app")
    app.setScenes([.everywhere])
    #expect(try app.next() == "scenes applied")
    #expect(try run.end() == 0)
    try run.errors.waitForEnd(by: Deadline())
    #expect(
      CalibrateRun.withoutMatrix(run.errors.all) == [
        "touchctl: cannot write the output: Broken pipe (EPIPE). Where does it go?",
        "touchctl: nobody reads the result. All is as it was before.",
      ] + CalibrateRun.byHand + ["1"])
    #expect(try directoryNames("\(config.path)/conf.d") == [])
    #expect(try daemon.stop() == 0)
  }

  @Test func `does not calibrate two panels that nothing tells apart`() throws {
    let bench = try MockBench()
    let touchscreen = "ID_INPUT_TOUCHSCREEN=1"
    try bench.add(5, .tenFingerPanel(), touchscreen)
    try bench.add(6, .tenFingerPanel(), touchscreen)
    let config = try CalibrateRun.configuration()
    let daemon = try DaemonProcess(["--config", config.path], environment: bench.environment)
    let run = try CalibrateRun(daemon, "event5")
    #expect(try run.process.end() == 1)
    #expect(
      run.process.errors.all.first?.wholeMatch(
        of:
          /touchctl: a section for panel . \(Touchbridge ten-finger panel, .dev.input.event5\) would be for . \(Touchbridge ten-finger panel, .dev.input.event6\) as well\. Write what --dry-run prints by hand, with MatchIds= or MatchAxes= to tell them apart\./
      ) != nil, "\(run.process.errors.all)")
    #expect(try directoryNames("\(config.path)/conf.d") == [])
    #expect(try daemon.stop() == 0)
  }
}
