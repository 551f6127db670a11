import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchRecording
import TouchWire
import UInputPanel

@Suite(.withPrograms, .withMockDevices) struct `Configured panels that udev presents` {
  private static let touchscreen = "ID_INPUT_TOUCHSCREEN=1"
  private static let config = """
    [Display left]
    Size=1280x800
    [Display right]
    Size=1280x800
    [Panel left]
    MatchPath=*-usb-0:1:1.0
    Display=left
    [Panel right]
    MatchPath=*-usb-0:2:1.0
    Display=right
    Rotate=180
    """

  private func bench() throws -> MockBench {
    let bench = try MockBench()
    for number in 1...3 {
      try bench.add(
        4 + number, .tenFingerPanel(named: "Twin"), Self.touchscreen,
        "ID_PATH=pci-usb-0:\(number):1.0")
    }
    return bench
  }

  @Test func `are told apart by their paths, and used without a word on them only if that is sure`()
    throws
  {
    let bench = try bench()
    let folder = try TemporaryFolder()
    try folder.write(Self.config, to: "touch.conf")
    let daemon = try DaemonProcess(
      ["--config", "\(folder.path)/touch.conf"], environment: bench.environment, keepsStatus: true)
    let sentence =
      "it is not said which of the displays left, right it lies on. Write into "
      + "/etc/touchbridge/touchbridge.conf: [Panel left] MatchPath=pci-usb-0:3:1.0 Display=left, each "
      + "on a line, and reload"
    #expect(
      try daemon.process.errors.next(containing: "skipping")
        == "touchbridged: skipping a panel node=/dev/input/event7 why=\"\(sentence)\"")
    #expect(
      try daemon.status(containing: "skipped: /dev")
        .hasSuffix("skipped: /dev/input/event7: \(sentence)"))
    let scene = { (display: UInt32) in
      Scene(id: 1, display: display, frame: Rect(x: 0, y: 0, width: 1280, height: 800))
    }
    let left = try LibraryClient(daemon.appSocket, scenes: [scene(0)])
    let right = try LibraryClient(daemon.appSocket, scenes: [scene(1)])
    #expect(try left.next("scenes") == "scenes applied")
    #expect(try right.next("scenes") == "scenes applied")
    try bench.touch(5, [0: (x: 100, y: 200)])
    let down = try left.next()
    #expect(down.hasPrefix("down at 1"))
    try bench.touch(6, [0: (x: 100, y: 200)])
    let turned = try right.next()
    #expect(turned.hasPrefix("down at 1"))
    #expect(turned != down)
    // Turned back: the finger that is down is cancelled, the next one is where it is touched.
    try folder.write(Self.config.replacing("Rotate=180", with: ""), to: "touch.conf")
    daemon.process.signal(SIGHUP)
    #expect(try right.next().hasPrefix("cancel at 1"))
    _ = try daemon.process.errors.next(containing: "configuration read")
    try bench.touch(6, [:])
    try bench.touch(6, [0: (x: 100, y: 200)])
    #expect(try right.next() == down)
    #expect(try daemon.stop() == 0)
    #expect(try left.next() == down.replacing("down", with: "cancel"))
    #expect(try right.next() == down.replacing("down", with: "cancel"))
    try left.finish()
    try right.finish()
  }

  @Test func `come and go with the seat and the nodes that the configuration names`() throws {
    let bench = try MockBench()
    for number in 5...7 {
      var panel = DeviceDescription.tenFingerPanel(named: "Panel \(number)")
      // Else they would pass for a program's copies of each other.
      panel.product = UInt16(number)
      try bench.add(number, panel, Self.touchscreen)
    }
    let folder = try TemporaryFolder()
    let display = "[Display d]\nSize=1280x800\n[Daemon]\n"
    try folder.write(display + "ExplicitDevices=/dev/input/event6", to: "touch.conf")
    let daemon = try DaemonProcess(
      ["--config", "\(folder.path)/touch.conf"], environment: bench.environment)
    func next(_ word: String) throws -> Substring? {
      try daemon.process.errors.next(containing: "panel \(word) ")?
        .firstMatch(of: /node=([^ ]+)/)?.1
    }
    #expect(try next("came") == "/dev/input/event6")
    try folder.write(display + "Seat=seat0", to: "touch.conf")
    daemon.process.signal(SIGHUP)
    #expect(try next("came") == "/dev/input/event5")
    #expect(try next("came") == "/dev/input/event7")
    try folder.write(display + "Seat=seat9", to: "touch.conf")
    daemon.process.signal(SIGHUP)
    for number in [6, 5, 7] { #expect(try next("went") == "/dev/input/event\(number)") }
    #expect(try daemon.stop() == 0)
    #expect(daemon.process.errors.all.count { $0.contains("panel came") } == 3)
  }

  @Test func `take what udev says of them at a reload, and are known for the same when they go`()
    throws
  {
    let bench = try MockBench()
    let matrix = "LIBINPUT_CALIBRATION_MATRIX"
    try bench.add(5, .tenFingerPanel(), Self.touchscreen, "\(matrix)=1 0 0 0 1 0")
    let folder = try TemporaryFolder()
    try folder.write("[Display d]\nSize=1280x800\n", to: "touch.conf")
    let daemon = try DaemonProcess(
      ["--config", "\(folder.path)/touch.conf"], environment: bench.environment)
    let client = try LibraryClient(daemon.appSocket)
    #expect(try client.next("scenes") == "scenes applied")
    try bench.touch(5, [0: (100, 200)])
    #expect(try client.next() == "down at 100.0, 200.0")
    try bench.set(5, "\(matrix)=-1 0 1 0 1 0")
    daemon.process.signal(SIGHUP)
    #expect(try client.next() == "cancel at 100.0, 200.0")
    _ = try daemon.process.errors.next(containing: "configuration read")
    try bench.touch(5, [:])
    try bench.touch(5, [0: (100, 200)])
    #expect(try client.next() == "down at 1179.0, 200.0")
    try bench.remove(5)
    #expect(try client.next() == "cancel at 1179.0, 200.0")
    let notice = try daemon.process.errors.next(containing: "panel went")
    #expect(notice?.hasSuffix("why=unplugged") == true)
    try client.finish()
    #expect(try daemon.stop() == 0)
  }

  @Test func `are bound again when an output is plugged in or has another mode`() throws {
    let bench = try MockBench()
    try bench.plug(output: "DSI-1", mode: "1280x800")
    try bench.add(5, .tenFingerPanel(), Self.touchscreen, "WL_OUTPUT=DSI-1")
    let folder = try TemporaryFolder()
    try folder.write("[Daemon]\nDisplays=connected\n", to: "touch.conf")
    let daemon = try DaemonProcess(
      ["--config", "\(folder.path)/touch.conf"], environment: bench.environment)
    let client = try LibraryClient(daemon.appSocket)
    #expect(try client.next() == "open on 1280.0x800.0")
    #expect(try client.next() == "scenes applied")
    try bench.touch(5, [0: (100, 200)])
    #expect(try client.next() == "down at 100.0, 200.0")
    // Another output is nothing to this panel.
    try bench.plug(output: "HDMI-A-1", mode: "1920x1080")
    #expect(try client.next() == "displays: DSI-1 1280.0x800.0, HDMI-A-1 1920.0x1080.0")
    try bench.plug(output: "DSI-1", mode: "640x400")
    #expect(try client.next() == "cancel at 100.0, 200.0")
    #expect(try client.next() == "displays: DSI-1 640.0x400.0, HDMI-A-1 1920.0x1080.0")
    try bench.touch(5, [:])
    try bench.touch(5, [0: (100, 200)])
    let down = try client.next()
    #expect(down == "down at 49.961, 99.875")
    #expect(try daemon.stop() == 0)
  }

  @Test func `that are a program's copies are read once the panel itself is unplugged`() throws {
    let bench = try MockBench()
    try bench.add(5, .tenFingerPanel(), Self.touchscreen)
    let daemon = try DaemonProcess(["--display", "1280x800"], environment: bench.environment)
    _ = try daemon.process.errors.next(containing: "panel came node=/dev/input/event5")
    try bench.add(6, .tenFingerPanel(), properties: [Self.touchscreen], isVirtual: false)
    _ = try daemon.process.errors.next(containing: "panel went node=/dev/input/event5")
    _ = try daemon.process.errors.next(containing: "panel came node=/dev/input/event6")
    try bench.remove(6)
    _ = try daemon.process.errors.next(containing: "panel went node=/dev/input/event6")
    let line = try daemon.process.errors.next(containing: "panel came node=/dev/input/event5")
    #expect(line != nil)
    #expect(try daemon.stop() == 0)
  }

  @Test func `are shown with their display and matrices by touchctl`() throws {
    let bench = try bench()
    let folder = try TemporaryFolder()
    try folder.write(Self.config, to: "touch.conf")
    let file = "\(folder.path)/touch.conf"
    let devices = try ChildProcess(
      ["\(Repository.programs)/touchctl", "devices", "--json", "--config", file],
      environment: bench.environment)
    #expect(try devices.end() == 0)
    let lines = devices.output.all
    try #require(lines.count == 3)
    #expect(
      lines[0].hasSuffix(
        "\"display\":\"left\",\"display_origin\":\"\(file):7\",\"panel_matrix\":[1,0,0,0,1,0],"
          + "\"display_matrix\":[1,0,0,0,1,0],\"matrix\":[1,0,0,0,1,0],\"used\":true,"
          + "\"reason\":null}"))
    #expect(
      lines[1].hasSuffix(
        "\"display\":\"right\",\"display_origin\":\"\(file):10\",\"panel_matrix\":[-1,0,1,0,-1,1],"
          + "\"display_matrix\":[1,0,0,0,1,0],\"matrix\":[-1,0,1,0,-1,1],\"used\":true,"
          + "\"reason\":null}"))
    #expect(
      lines[2].contains(
        "\"display\":null,\"display_origin\":null,\"panel_matrix\":null,\"display_matrix\":null,"
          + "\"matrix\":null,\"used\":false,\"reason\":\"it is not said which"))
    let shown = try ChildProcess(
      ["\(Repository.programs)/touchctl", "config", "show", file], environment: bench.environment)
    #expect(try shown.end() == 0)
    #expect(shown.output.all.contains("[Panel /dev/input/event6]"))
    #expect(shown.output.all.contains("Rotate=180  # \(file):11"))
    #expect(shown.output.all.contains("panel matrix=-1 0 1 0 -1 1  # default"))
  }
}
