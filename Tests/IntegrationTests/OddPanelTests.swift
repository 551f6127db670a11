import LinuxIO
import TestSupport
import Testing
import TouchModel
import UInputPanel

/// Panels that do not say the truth of themselves, from the file or the kernel to an app.
@Suite(.withPrograms) struct `Odd panels` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func daemon(
    _ settings: String, replay: String? = nil, environment: [String: String] = [:]
  ) throws -> DaemonProcess {
    try folder.write("[Display default]\nSize=1280x800\n" + settings, to: "touch.conf")
    let waits = replay == nil ? [] : ["--wait-for-clients", "1", "--in-step"]
    return try DaemonProcess(
      ["--config", "\(folder.path)/touch.conf"] + waits, replay: replay, in: folder,
      environment: environment)
  }

  private func client(on daemon: DaemonProcess) throws -> LibraryClient {
    let client = try LibraryClient(daemon.appSocket)
    #expect(try client.next("scenes") == "scenes applied")
    return client
  }

  /// ABS_X and ABS_Y are declared and never sent; the places come on ABS_Z and ABS_RX (A17).
  private static let misplaced = """
    N: eGalax Inc. USB TouchController
    I: 0003 0eef 0001 0100
    B: 01 00 00 00 00 00 00 00 00
    A: 00 42 1981 0 0 0
    A: 01 42 1981 0 0 0
    A: 02 0 2558 0 0 0
    A: 03 0 1598 0 0 0
    E: 0.000001 0001 014a 1
    E: 0.000001 0003 0002 200
    E: 0.000001 0003 0003 400
    E: 0.000001 0000 0000 0
    E: 0.100000 0003 0002 240
    E: 0.100000 0000 0000 0
    E: 0.200000 0001 014a 0
    E: 0.200000 0000 0000 0
    E: 9000.0 0000 0000 0

    """

  @Test func `A17: places on other axes reach the app once the configuration names them`() throws {
    let daemon = try daemon(
      "[Panel e]\nMatchName=eGalax*\nPositionAxes=ABS_Z ABS_RX", replay: Self.misplaced)
    let app = try client(on: daemon)
    #expect(try app.next() == "down at 100.0, 200.0")
    #expect(try app.next() == "motion at 120.0, 200.0")
    #expect(try app.next() == "up at 120.0, 200.0")
    #expect(try daemon.stop() == 0)
    try app.finish()
  }

  @Test func `a finger that hovers is shown to tools, and touches the app when it lands`() throws {
    let hovering = """
      N: test panel
      A: 2f 0 9 0 0 0
      A: 35 0 1279 0 0 0
      A: 36 0 799 0 0 0
      A: 39 0 65535 0 0 0
      A: 3b 0 10 0 0 0
      E: 0.000001 0003 0039 1
      E: 0.000001 0003 0035 100
      E: 0.000001 0003 0036 200
      E: 0.000001 0003 003b 4
      E: 0.000001 0000 0000 0
      E: 0.100000 0003 003b 0
      E: 0.100000 0003 0035 110
      E: 0.100000 0000 0000 0
      E: 0.200000 0003 0039 -1
      E: 0.200000 0000 0000 0
      E: 9000.0 0000 0000 0

      """
    let daemon = try daemon("", replay: hovering)
    let monitor = try MonitorProcess(daemon)
    #expect(
      daemon.process.errors.all.contains {
        $0.hasSuffix("name=\"test panel\" size=\"unknown, settings in mm need Size=\"")
      })
    let app = try client(on: daemon)
    #expect(try app.next() == "down at 110.0, 200.0")
    #expect(try app.next() == "up at 110.0, 200.0")
    let contacts = try (0..<3).map { _ in try #require(monitor.next().contacts.first) }
    #expect(contacts.map(\.phase) == ["hover", "down", "up"])
    #expect(contacts.map(\.reason) == ["hovering", nil, nil])
    #expect(contacts.map { ($0.x ?? 0).rounded() } == [100, 110, 110])
    #expect(try daemon.stop() == 0)
    try app.finish()
  }

  @Test func `A14: a recorded device without positions is passed over, the other one plays`() throws
  {
    let keyboard = "N: keys\nB: 01 06 00 00 00 00 00 00 00\nE: 0.000001 0001 0001 1\n"
    let daemon = try daemon(
      "", replay: keyboard + Recordings.events("0.000001 3 39 1", "0.000001 0 0 0"))
    let line = try daemon.process.errors.next(containing: "passing a recorded device over")
    #expect(line?.contains("\\\"keys\\\" has no touch position axes") == true, "\(line ?? "")")
    let app = try client(on: daemon)
    #expect(try app.next() == "down at 0.0, 0.0")
    #expect(try app.next() == "cancel at 0.0, 0.0")
    #expect(try daemon.stop() == 0)
    try app.finish()
  }

  @Test(.enabled(if: MockBench.isAvailable, "SKIPPED: needs umockdev"))
  func `B16: axes without extent are named, and the panel works with ranges of the configuration`()
    throws
  {
    let bench = try MockBench()
    var panel = DeviceDescription.tenFingerPanel(named: "No ranges")
    for code in [EvdevCode.absMTPositionX, EvdevCode.absMTPositionY] {
      panel.axes[code] = AxisRange(minimum: 0, maximum: 0)
    }
    try bench.add(5, panel, "ID_INPUT_TOUCHSCREEN=1")
    let refusing = try daemon("", environment: bench.environment)
    let line = try refusing.process.errors.next(containing: "No ranges")
    #expect(line?.contains("Set RangeX=MINIMUM MAXIMUM in a [Panel] section") == true)
    #expect(try refusing.stop() == 0)
    let daemon = try daemon(
      "[Panel n]\nMatchName=No ranges\nRangeX=0 5116\nRangeY=0 3196\nSize=213x133mm",
      environment: bench.environment)
    let came = try daemon.process.errors.next(containing: "panel came")
    #expect(came?.hasSuffix("name=\"No ranges\" size=213x133mm") == true, "\(came ?? "")")
    let app = try client(on: daemon)
    try bench.touch(5, [0: (1279, 799)])
    #expect(try app.next() == "down at 1279.0, 799.0")
    try bench.touch(5, [:])
    #expect(try app.next() == "up at 1279.0, 799.0")
    #expect(try daemon.stop() == 0)
    try app.finish()
  }
}
