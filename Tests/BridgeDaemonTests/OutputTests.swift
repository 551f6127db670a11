import Testing
import TouchModel

@testable import BridgeDaemon

@Suite struct `Outputs that are plugged in and out` {
  @Test func `give the display its size, and cancel what is down on it`() throws {
    let bench = try ConfiguredBench("", outputs: [("HDMI-A-1", "1001x501")])
    let app = try bench.app()
    bench.touch(id: 1, 1000, 1000)
    #expect(try app.lines() == ["frame of 1: 1 down"])
    #expect(app.lastPosition == Point(x: 1000, y: 500))
    app.acknowledge()
    bench.rig.daemon.nodeChanged(.outputs)
    #expect(try app.lines() == [], "nothing has changed")
    try bench.plug("HDMI-A-1", "101x51")
    bench.rig.daemon.nodeChanged(.outputs)
    #expect(try app.lines() == ["frame of 1: 1 cancel", "displays: default 101.0x51.0"])
    app.acknowledge()
    bench.touch(id: -1)
    bench.touch(id: 2, 1000, 1000)
    #expect(try app.lines() == ["frame of 1: 2 down"])
    #expect(app.lastPosition == Point(x: 100, y: 50))
    // Switched off, not away.
    try bench.plug("HDMI-A-1", nil)
    bench.rig.daemon.nodeChanged(.outputs)
    bench.touch(id: -1)
    #expect(try app.lines() == ["frame of 1: 2 up"])
    try app.finish()
  }

  @Test func `leave a panel alone that lies on another one`() throws {
    let bench = try ConfiguredBench(
      "[Daemon]\nDisplays=connected\n[Panel p]\nDisplay=DSI-1", outputs: [("DSI-1", "800x480")])
    let app = try bench.app()
    bench.touch(id: 1, 0, 0)
    #expect(try app.lines() == ["frame of 1: 1 down"])
    app.acknowledge()
    try bench.plug("HDMI-A-1", "1920x1080")
    bench.rig.daemon.nodeChanged(.outputs)
    #expect(try app.lines() == ["displays: DSI-1 800.0x480.0, HDMI-A-1 1920.0x1080.0"])
    bench.touch(id: -1)
    #expect(try app.lines() == ["frame of 1: 1 up"])
  }

  @Test func `take the panels with them that nothing binds any more`() throws {
    let bench = try ConfiguredBench(
      "[Daemon]\nDisplays=connected", outputs: [("DSI-1", "800x480")])
    let app = try bench.app()
    bench.touch(id: 1, 0, 0)
    #expect(try app.lines() == ["frame of 1: 1 down"])
    try bench.plug("HDMI-A-1", "1920x1080")
    bench.rig.daemon.nodeChanged(.outputs)
    #expect(try app.lines().first == "frame of 1: 1 cancel")
    #expect(bench.rig.daemon.panels.isEmpty)
    #expect(
      bench.rig.daemon.statusLine.hasPrefix(
        "STATUS=0 panels, 1 clients; skipped: /a/node: it is not said which of the displays"))
    try app.finish()
  }

  @Test func `change nothing where the command line gives the display`() throws {
    let bench = try ConfiguredBench("", outputs: [("DSI-1", "800x480")], display: .fallback)
    try bench.plug("DSI-1", "100x50")
    bench.rig.daemon.nodeChanged(.outputs)
    #expect(bench.rig.daemon.displays == [.fallback])
  }
}
