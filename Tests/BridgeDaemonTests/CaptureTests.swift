import TestSupport
import Testing
import TouchModel
import TouchWire

@testable import BridgeDaemon

@Suite struct `A panel that one connection has alone` {
  private static let display = "[Display d]\nSize=1001x501\n"
  private static let everywhere = [Scene(id: 1, frame: Rect(x: 0, y: 0, width: 9999, height: 9999))]

  private func tool(_ bench: ConfiguredBench, name: String = "tool") throws -> FakeClient {
    let tool = try bench.rig.client([.admin], name: name)
    #expect(try tool.lines() == ["welcome 16"])
    return tool
  }

  private func capture(_ tool: FakeClient, _ panel: UInt32 = 1, isRelease: Bool = false) {
    tool.send {
      $0.capturePanel(CapturePanel(device: panel, isRelease: isRelease), serial: $1)
    }
  }

  @Test func `sends nothing to apps and its own numbers to the connection, until it is given back`()
    throws
  {
    let bench = try ConfiguredBench(
      Self.display + "[Panel p]\nRotate=180\nRangeX=100 900\nMedian=5\nOutOfRange=drop")
    let app = try bench.app()
    bench.touch(id: 1, 300, 200)
    #expect(try app.lines() == ["frame of 1: 1 down"])
    let tool = try tool(bench)
    capture(tool)
    #expect(try app.lines() == ["frame of 1: 1 cancel"])
    app.acknowledge()
    // The finger from before counts for nobody; then one counts that lies outside of all ranges.
    bench.touch(id: 1, 350, 250)
    bench.touch(id: -1)
    bench.touch(id: 2, 1_234, -7)
    bench.touch(id: 2, 500, 501)
    #expect(
      try tool.lines() == [
        "2 1 captured", "raw frame of 1, 0 lost: 2 down at 1234, -7",
        "raw frame of 1, 0 lost: 2 motion at 500, 501",
      ])
    capture(tool, isRelease: true)
    #expect(
      try tool.lines() == [
        "raw frame of 1, 0 lost: 2 cancel at 500, 501", "capture of 1 ended: released",
      ])
    // The finger from then counts for nobody either.
    bench.touch(id: 2, 510, 510)
    bench.touch(id: -1)
    #expect(try app.lines() == [])
    bench.touch(id: 3, 500, 500)
    bench.touch(id: -1)
    #expect(try app.lines() == ["frame of 1: 3 down", "frame of 1: 3 up"])
    app.acknowledge()
    #expect(try tool.lines() == [])
    // To give back what one has not is nothing.
    capture(tool, isRelease: true)
    capture(tool, 9, isRelease: true)
    #expect(try tool.lines() == [])
    try app.finish()
  }

  @Test func `is told with its ranges, its size and both matrices`() throws {
    let bench = try ConfiguredBench(
      Self.display
        + "Rotate=90\n[Panel p]\nRangeX=100 900\nSize=154x86.5mm\nInvertX=yes\n"
        + "Calibration=0.9 0 0 0 1 0\nRectangle=0.5 0 0.5 1")
    let panel = try #require(bench.rig.daemon.panels.first)
    let setup = try #require(panel.setup)
    #expect(
      CapturedPanel(setup, of: bench.device.description)
        == CapturedPanel(
          display: 0, declaredX: .init(minimum: 0, maximum: 1_000),
          declaredY: .init(minimum: 0, maximum: 1_000), usedX: .init(minimum: 100, maximum: 900),
          usedY: .init(minimum: 0, maximum: 1_000), millimetresX: 154, millimetresY: 86.5,
          mounting: .invertX,
          displayTransform: PanelTransform.into(Rect(x: 0.5, y: 0, width: 0.5, height: 1))
            .then(.picture(.quarter))))
  }

  @Test func `has its size from a resolution, the device's or the configuration's`() throws {
    let bench = try ConfiguredBench(Self.display + "[Panel p]\nResolution=8 4")
    var device = bench.device.description
    let setup = try #require(bench.rig.daemon.panels.first?.setup)
    #expect(setup.millimetres(of: device) == .init(width: 125, height: 250))
    try bench.reload(Self.display)
    let plain = try #require(bench.rig.daemon.panels.first?.setup)
    #expect(plain.millimetres(of: device) == nil)
    device.axes[EvdevCode.absMTPositionX]?.resolution = 10
    #expect(plain.millimetres(of: device) == nil)
    device.axes[EvdevCode.absMTPositionY]?.resolution = 20
    #expect(plain.millimetres(of: device) == .init(width: 100, height: 50))
  }

  @Test func `is given to one connection only, and who comes second is told who has it`() throws {
    let bench = try ConfiguredBench(Self.display)
    let first = try tool(bench, name: "first")
    let second = try tool(bench, name: "second")
    capture(first)
    capture(second)
    #expect(try first.lines() == ["2 1 captured"])
    #expect(
      try second.lines() == [
        "2 1 taken: first (pid 1) has panel 1 for itself. End it, or wait."
      ])
    capture(second, isRelease: true)
    bench.touch(id: 1, 5, 6)
    #expect(try first.lines() == ["raw frame of 1, 0 lost: 1 down at 5, 6"])
    #expect(try second.lines() == [])
    capture(second, 2)
    #expect(
      try second.lines() == [
        "4 2 unknownPanel: there is no panel 2. `touchctl status` lists those there are."
      ])
  }

  @Test func `is not given to an app or an observer`() throws {
    let bench = try ConfiguredBench(Self.display)
    for roles in [WireRoles.app, .observer] {
      let client = try bench.rig.client(roles)
      _ = try client.lines()
      capture(client)
      #expect(
        try client.lines() == ["refusal 3: only an administrator has a panel alone"])
      #expect(client.isOver)
    }
    #expect(bench.rig.daemon.panels.allSatisfy { $0.capture == nil })
  }

  @Test func `comes back to the apps when the connection ends`() throws {
    let bench = try ConfiguredBench(Self.display)
    let app = try bench.app()
    let tool = try tool(bench)
    capture(tool)
    bench.touch(id: 1, 5, 6)
    bench.rig.daemon.end(tool.session, because: nil)
    bench.touch(id: 1, 7, 8)
    bench.touch(id: -1)
    #expect(try app.lines() == [])
    bench.touch(id: 2, 9, 9)
    bench.touch(id: -1)
    #expect(try app.lines() == ["frame of 1: 2 down", "frame of 1: 2 up"])
    try app.finish()
  }

  @Test func `ends with the panel, and with a use of it that is another`() throws {
    let bench = try ConfiguredBench(Self.display)
    let tool = try tool(bench)
    capture(tool)
    tool.send { $0.rotateDisplay(RotateDisplay(display: "d", rotation: .quarter), serial: $1) }
    #expect(
      try tool.lines() == [
        "2 1 captured", "capture of 1 ended: changed", "displays: d 501.0x1001.0", "3 rotated",
      ])
    capture(tool)
    // What changes nothing for the panel leaves it where it is.
    try bench.reload(Self.display + "[Daemon]\nStaleLimit=2s")
    #expect(try tool.lines() == ["4 1 captured"])
    try bench.reload(Self.display + "[Panel p]\nInvertX=yes")
    #expect(try tool.lines() == ["capture of 1 ended: changed"])
    capture(tool)
    bench.touch(id: 1, 5, 6)
    let panel = try #require(bench.rig.daemon.panels.first)
    bench.device.whenEmpty = .gone
    panel.descriptorReady(.readable)
    #expect(
      try tool.lines() == [
        "5 1 captured", "raw frame of 1, 0 lost: 1 down at 5, 6",
        "raw frame of 1, 0 lost: 1 cancel at 5, 6", "capture of 1 ended: gone",
      ])
    #expect(bench.rig.daemon.panels.isEmpty)
  }

  @Test func `counts the frames that a connection has no room for`() throws {
    let bench = try ConfiguredBench(Self.display)
    let tool = try tool(bench)
    capture(tool)
    #expect(try tool.lines() == ["2 1 captured"])
    tool.session.socket.setSendBuffer(1)
    for index in 0..<400 { bench.touch(id: 1, Int32(index), 0) }
    let frames = try tool.lines()
    let first = frames.count
    #expect(first < 400)
    #expect(frames.last == "raw frame of 1, 0 lost: 1 motion at \(first - 1), 0")
    bench.touch(id: 1, 500, 0)
    #expect(
      try tool.lines() == ["raw frame of 1, \(400 - first) lost: 1 motion at 500, 0"])
    #expect(!tool.isOver)
  }

  @Test func `is told of in the status, and so is how often it reports`() throws {
    let bench = try ConfiguredBench(Self.display)
    let tool = try tool(bench)
    func panel() throws -> JSONValue {
      tool.send { $0.statusRequest(from: 1, serial: $1) }
      let line = try #require(tool.lines().first { $0.hasPrefix("status 1") })
      return try #require(JSONValue(parsing: String(line.drop { $0 != "{" })))
    }
    #expect(try panel()["captured_by"] == .null)
    #expect(try panel()["frame_rate_hz"] == .null)
    // A frame each 10 ms.
    for index in 0..<9 { bench.touch(id: 1, Int32(index), 0) }
    #expect(try panel()["captured_by"] == .null)
    #expect(try panel()["frame_rate_hz"] == .number("100.0"))
    // It is the same panel after.
    capture(tool)
    #expect(try panel()["captured_by"] == .number("\(tool.session.id)"))
    #expect(try panel()["frame_rate_hz"] == .number("100.0"))
  }

  @Test func `leaves each contact with one end, whoever comes and goes`() throws {
    let seed = environmentSeed("CaptureTests")
    print("captures at any time: TOUCHBRIDGE_SEED=\(seed)")
    var dice = SplitMix(seed: seed)
    for _ in 0..<max(1, randomRounds / 20) {
      let bench = try ConfiguredBench(Self.display)
      let app = try bench.app()
      var tools = [try tool(bench), try tool(bench)]
      var id: Int32 = 0
      for _ in 0..<60 {
        let number = Int.random(in: 0...1, using: &dice)
        switch Int.random(in: 0..<7, using: &dice) {
        case 0: capture(tools[number])
        case 1: capture(tools[number], isRelease: true)
        case 2:
          bench.rig.daemon.end(tools[number].session, because: nil)
          tools[number] = try tool(bench)
        case 3:
          try bench.reload(
            Self.display + (Bool.random(using: &dice) ? "[Panel p]\nInvertX=yes" : ""))
        case 4: bench.touch(id: -1)
        default:
          if Bool.random(using: &dice) { id += 1 }
          bench.touch(id: id, .random(in: 0...1000, using: &dice), 5)
        }
        let frames = try app.lines()
        // Only what ends may reach an app of a panel that is captured.
        if app.session.outbox.value.unacknowledged > 0 { app.acknowledge() }
        let isCaptured = bench.rig.daemon.panels[0].capture != nil
        #expect(
          !isCaptured || frames.allSatisfy { !$0.hasSuffix("down") && !$0.hasSuffix("motion") },
          "seed \(seed)")
        for tool in tools { _ = try tool.lines() }
        try #require(!app.isOver && tools.allSatisfy { !$0.isOver }, "seed \(seed)")
      }
      for panel in bench.rig.daemon.panels { panel.cancelAll(at: 1) }
      _ = try app.lines()
      try app.finish()
    }
  }
}

@Suite struct `A configuration that is read again on a message` {
  @Test func `is answered with what is wrong, and then the old one stays`() throws {
    let bench = try ConfiguredBench("[Display d]\nSize=1001x501\n")
    let tool = try bench.rig.client([.admin])
    try bench.folder.write("[Display d]\nSize=100x50\n", to: "touch.conf")
    tool.send { $0.readConfiguration(serial: $1) }
    #expect(try tool.lines() == ["welcome 16", "displays: d 100.0x50.0", "2 taken"])
    try bench.folder.write("[Display d]\nSize=100x\n", to: "touch.conf")
    tool.send { $0.readConfiguration(serial: $1) }
    #expect(
      try tool.lines() == [
        "3 refused: \(bench.folder.path)/touch.conf:2: Size= takes a size such as 1280x800, not '100x'"
      ])
    let app = try bench.rig.client()
    app.send { $0.readConfiguration(serial: $1) }
    #expect(
      try app.lines() == [
        "welcome 1", "refusal 3: only an administrator has the configuration read again",
      ])
  }
}
