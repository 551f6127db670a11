import FoundationEssentials
import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchRecording
import UInputPanel

@Suite(.withPrograms, .withMockDevices) struct `Panels that udev and evdev present` {
  private static let touchscreen = "ID_INPUT_TOUCHSCREEN=1"

  private static let keyboard = DeviceDescription(
    name: "Mock keyboard", bus: 3, vendor: 0x1209, product: 2,
    codes: [EvdevCode.syn: [EvdevCode.synReport], EvdevCode.key: [30, 48, 46]])

  /// A resistive panel: one contact, by ABS_X, ABS_Y and BTN_TOUCH.
  private static let resistive = DeviceDescription(
    name: "Mock resistive panel", bus: 3, vendor: 0x1209, product: 3,
    codes: [
      EvdevCode.syn: [EvdevCode.synReport], EvdevCode.key: [EvdevCode.btnTouch],
      EvdevCode.abs: [EvdevCode.absX, EvdevCode.absY],
    ],
    axes: [
      EvdevCode.absX: AxisRange(minimum: 0, maximum: 1279),
      EvdevCode.absY: AxisRange(minimum: 0, maximum: 799),
    ])

  /// A panel of multi-touch protocol A.
  private static let reports = DeviceDescription(
    name: "Mock reports", bus: 3, vendor: 0x1209, product: 4,
    codes: [
      EvdevCode.syn: [EvdevCode.synReport, EvdevCode.synMTReport],
      EvdevCode.abs: [EvdevCode.absMTPositionX, EvdevCode.absMTPositionY],
    ],
    axes: [
      EvdevCode.absMTPositionX: AxisRange(minimum: 0, maximum: 1279),
      EvdevCode.absMTPositionY: AxisRange(minimum: 0, maximum: 799),
    ])

  private static func events(_ words: (UInt16, UInt16, Int32)...) -> [EvdevEvent] {
    words.map { EvdevEvent(seconds: 0, microseconds: 0, type: $0.0, code: $0.1, value: $0.2) }
  }

  private static let touchPad: DeviceDescription = {
    var pad = DeviceDescription.tenFingerPanel(named: "Mock touch pad")
    pad.properties = []
    return pad
  }()

  /// A node's line of `touchctl devices --json`.
  private struct Node: Decodable, Equatable {
    var node: String
    var name: String?
    var ids: String?
    var path: String
    var seat: String
    var `protocol`: String?
    var slots: Int?
    var sizeMm: [Int]?
    var display: String?
    var used: Bool
    var reason: String?
  }

  private func daemon(on bench: MockBench) throws -> DaemonProcess {
    try DaemonProcess(["--display", "1280x800", "--verbose"], environment: bench.environment)
  }

  /// The example app on a daemon, which has its scene.
  private func app(on daemon: DaemonProcess) throws -> ChildProcess {
    let app = try daemon.panel("--json", "--touches")
    _ = try daemon.process.errors.next(containing: "client sets scenes client=Panel")
    return app
  }

  private func touch(_ phase: String, _ x: Int, _ y: Int) -> String {
    "{\"touch\":\"\(phase)\",\"x\":\(x).0,\"y\":\(y).0}"
  }

  @Test func `touchctl devices lists each node, and why it is not used`() throws {
    let bench = try MockBench()
    let fixture = `The bundled recording, from one end to the other`.recording
    let panel = try #require(Recording(parsing: readFile(fixture)).devices.first).description
    try bench.add(5, panel, Self.touchscreen, "ID_PATH=pci-0000:00:14.0-usb-0:3:1.0")
    try bench.add(6, Self.keyboard, "ID_INPUT_KEY=1", "ID_INPUT_KEYBOARD=1")
    try bench.add(7, Self.touchPad, "ID_INPUT_TOUCHPAD=1")
    try bench.add(
      10, .tenFingerPanel(named: "Mock ignored"), Self.touchscreen, "LIBINPUT_IGNORE_DEVICE=1",
      "ID_SEAT=seat9")
    try bench.add(11, Self.resistive, Self.touchscreen)
    try bench.add(12, Self.reports, Self.touchscreen)
    var flat = Self.resistive
    flat.axes[EvdevCode.absY] = AxisRange(minimum: 0, maximum: 0)
    try bench.add(13, flat, Self.touchscreen)
    let process = try ChildProcess(
      ["\(Repository.programs)/touchctl", "devices", "--json"], environment: bench.environment)
    #expect(try process.end() == 0)
    #expect(process.errors.all == [])
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let nodes = try process.output.all.map { try decoder.decode(Node.self, from: Data($0.utf8)) }
    #expect(
      nodes == [
        Node(
          node: "/dev/input/event5", name: "Touchbridge ten-finger panel", ids: "0003:1209:0001",
          path: "pci-0000:00:14.0-usb-0:3:1.0", seat: "seat0", protocol: "B", slots: 10,
          sizeMm: [213, 133], display: "default", used: true),
        Node(
          node: "/dev/input/event6", name: "Mock keyboard", ids: "0003:1209:0002", path: "",
          seat: "seat0", used: false, reason: "not a touchscreen: udev has it as a keyboard"),
        Node(
          node: "/dev/input/event7", name: "Mock touch pad", ids: "0003:1209:0001", path: "",
          seat: "seat0", protocol: "B", slots: 10, sizeMm: [213, 133], used: false,
          reason: "not a touchscreen: udev has it as a touchpad"),
        Node(
          node: "/dev/input/event10", name: "Mock ignored", ids: "0003:1209:0001", path: "",
          seat: "seat9", protocol: "B", slots: 10, sizeMm: [213, 133], used: false,
          reason: "left alone: LIBINPUT_IGNORE_DEVICE is set by a udev rule"),
        Node(
          node: "/dev/input/event11", name: "Mock resistive panel", ids: "0003:1209:0003",
          path: "", seat: "seat0", protocol: "single-touch", display: "default", used: true),
        Node(
          node: "/dev/input/event12", name: "Mock reports", ids: "0003:1209:0004", path: "",
          seat: "seat0", protocol: "A", display: "default", used: true),
        Node(
          node: "/dev/input/event13", name: "Mock resistive panel", ids: "0003:1209:0003",
          path: "", seat: "seat0", protocol: "single-touch", used: false,
          reason: "the y axis of \"Mock resistive panel\" has no extent, so no place on it can be "
            + "told. Set RangeY=MINIMUM MAXIMUM in a [Panel] section of touchbridge.conf."),
      ])
  }

  @Test func `an app sees the touches of a panel, and of nothing else`() throws {
    let bench = try MockBench()
    try bench.add(5, .tenFingerPanel(), Self.touchscreen)
    try bench.add(7, Self.touchPad, "ID_INPUT_TOUCHPAD=1")
    try bench.add(
      8, .tenFingerPanel(named: "Mock ignored"), Self.touchscreen,
      "LIBINPUT_IGNORE_DEVICE=1")
    let daemon = try daemon(on: bench)
    let monitor = try MonitorProcess(daemon)
    let app = try app(on: daemon)
    for other in [7, 8] {
      try bench.touch(other, [0: (900, 700)])
      try bench.touch(other, [:])
    }
    try bench.touch(5, [0: (100, 200), 4: (101, 210)])
    #expect(try app.output.next() == touch("began", 100, 200))
    #expect(try app.output.next() == touch("began", 101, 210))
    let line = try monitor.next()
    #expect(line.deviceName == "Touchbridge ten-finger panel")
    #expect(line.contacts.map(\.injected) == [false, false])
    #expect(line.risesToTheEnd, "\(line)")
    try bench.touch(5, [0: (105, 200)])
    #expect(try app.output.next() == touch("moved", 105, 200))
    #expect(try daemon.stop() == 0)
  }

  @Test func `panels without slots are panels like all others`() throws {
    let bench = try MockBench()
    try bench.add(5, Self.resistive, Self.touchscreen)
    try bench.add(6, Self.reports, Self.touchscreen)
    // A finger rests on the first as the daemon comes.
    try bench.send(5, Self.events((1, 0x14a, 1), (3, 0, 100), (3, 1, 200), (0, 0, 0)))
    let daemon = try daemon(on: bench)
    let client = try client(on: daemon)
    try bench.send(5, Self.events((3, 0, 110), (0, 0, 0)))
    try bench.send(5, Self.events((1, 0x14a, 0), (0, 0, 0)))
    try bench.send(5, Self.events((1, 0x14a, 1), (3, 0, 120), (0, 0, 0)))
    #expect(try client.next() == "down at 120.0, 200.0")
    try bench.send(5, Self.events((1, 0x14a, 0), (0, 0, 0)))
    #expect(try client.next() == "up at 120.0, 200.0")
    try bench.send(6, Self.events((3, 0x35, 30), (3, 0x36, 40), (0, 2, 0), (0, 0, 0)))
    #expect(try client.next() == "down at 30.0, 40.0")
    try bench.send(6, Self.events((0, 2, 0), (0, 0, 0)))
    #expect(try client.next() == "up at 30.0, 40.0")
    try client.finish()
    #expect(try daemon.stop() == 0)
  }

  @Test func `a panel that is plugged in is used, and cancels when it is unplugged`() throws {
    let bench = try MockBench()
    let daemon = try daemon(on: bench)
    let client = try client(on: daemon)
    for (number, x) in [(5, 100), (6, 200)] {
      try bench.add(number, .tenFingerPanel(), Self.touchscreen)
      _ = try daemon.process.errors.next(containing: "panel came node=/dev/input/event\(number)")
      try bench.touch(number, [0: (Int32(x), 300)])
      #expect(try client.next() == "down at \(x).0, 300.0")
      try bench.remove(number)
      #expect(try client.next() == "cancel at \(x).0, 300.0")
      let notice = try daemon.process.errors.next(containing: "panel went")
      #expect(notice?.hasSuffix("why=unplugged") == true)
    }
    try client.finish()
    #expect(try daemon.stop() == 0)
  }

  @Test func `fingers that rest on a panel when the daemon comes are ignored until they lift`()
    throws
  {
    let bench = try MockBench()
    try bench.add(5, .tenFingerPanel(), Self.touchscreen)
    try bench.touch(5, [0: (100, 100), 1: (1000, 700)])
    let daemon = try daemon(on: bench)
    let client = try client(on: daemon)
    try bench.touch(5, [0: (110, 100), 1: (1000, 700), 2: (500, 500)])
    #expect(try client.next() == "down at 500.0, 500.0")
    try bench.touch(5, [1: (1010, 700)])
    #expect(try client.next() == "up at 500.0, 500.0")
    try bench.touch(5, [0: (120, 100), 1: (1020, 700)])
    #expect(try client.next() == "down at 120.0, 100.0")
    #expect(try daemon.stop() == 0)
  }

  private func client(on daemon: DaemonProcess) throws -> LibraryClient {
    let client = try LibraryClient(daemon.appSocket)
    #expect(try client.next("scenes") == "scenes applied")
    return client
  }
}
