import TestSupport
import Testing
import TouchModel
import TouchWire

@testable import BridgeDaemon

@Suite struct `A display that changes` {
  private static let display = "[Display d]\nSize=1001x501\n"

  @Test func `cancels what is down, and takes it again once it was lifted`() throws {
    let bench = try ConfiguredBench(Self.display)
    let app = try bench.app()
    bench.touch(id: 1, 100, 200)
    #expect(try app.lines() == ["frame of 1: 1 down"])
    let tool = try bench.rig.client([.admin])
    tool.send { $0.rotateDisplay(RotateDisplay(display: "d", rotation: .quarter), serial: $1) }
    #expect(
      try tool.lines() == ["welcome 16", "displays: d 501.0x1001.0", "2 rotated"])
    #expect(try app.lines() == ["frame of 1: 1 cancel", "displays: d 501.0x1001.0"])
    app.acknowledge()
    // Still the same finger.
    bench.touch(id: 1, 150, 250)
    bench.touch(id: -1)
    #expect(try app.lines() == [])
    bench.touch(id: 2, 0, 0)
    #expect(try app.lines() == ["frame of 1: 2 down"])
    // The glass's left top is the turned picture's left bottom.
    #expect(app.lastPosition == Point(x: 0, y: 1000))
    bench.touch(id: -1)
    #expect(try app.lines() == ["frame of 1: 2 up"])
    try app.finish()
  }

  @Test func `is told once there is room to a client that does not read`() throws {
    let bench = try ConfiguredBench(Self.display)
    let app = try bench.app()
    // Its socket is full.
    app.session.socket.setSendBuffer(1)
    while app.session.tell({
      $0.scenesApplied(.init(scenesSerial: 9, result: .applied), serial: $1)
    }) {}
    try bench.reload("[Display d]\nSize=100x50\n")
    #expect(app.session.needsDisplays)
    #expect(!app.isOver)
    #expect(Set(try app.lines()) == ["scenes 9 applied"])
    bench.touch(id: 1, 100, 200)
    #expect(try app.lines() == ["frame of 1: 1 down"])
    app.acknowledge()
    #expect(try app.lines() == ["displays: d 100.0x50.0"])
    #expect(!app.session.needsDisplays)
  }

  @Test func `keeps its number as long as its name is there, and gives it to no other`() throws {
    let bench = try ConfiguredBench(Self.display + "[Display e]\nSize=1x1\n[Panel p]\nDisplay=d")
    func numbers() -> [String] { bench.rig.daemon.displays.map { "\($0.name) \($0.id)" } }
    #expect(numbers() == ["d 0", "e 1"])
    try bench.reload("[Display f]\nSize=1x1\n[Display e]\nSize=1x1\n[Panel p]\nDisplay=e")
    #expect(numbers() == ["f 2", "e 1"])
    try bench.reload("[Display e]\nSize=1x1\n[Display g]\nSize=2x2\n[Panel p]\nDisplay=e")
    #expect(numbers() == ["e 1", "g 3"])
  }

  @Test func `takes a panel with it that is bound to none any more, until it is bound again`()
    throws
  {
    let bench = try ConfiguredBench(Self.display)
    let app = try bench.app()
    bench.touch(id: 1, 100, 200)
    #expect(try app.lines() == ["frame of 1: 1 down"])
    try bench.reload(Self.display + "[Display e]\nSize=1x1")
    #expect(
      try app.lines() == ["frame of 1: 1 cancel", "displays: d 1001.0x501.0, e 1.0x1.0"])
    #expect(bench.rig.daemon.panels.isEmpty)
    #expect(
      bench.rig.daemon.statusLine.hasPrefix(
        "STATUS=0 panels, 1 clients; skipped: /a/node: it is not said which of the displays d, e"))
    try app.finish()
  }

  @Test func `with one setting of a panel changes nothing of another panel`() throws {
    let text = Self.display + "[Panel p]\nMatchName=other\nRotate="
    let bench = try ConfiguredBench(text + "90")
    let app = try bench.app()
    bench.touch(id: 1, 100, 200)
    try bench.reload(text + "180")
    #expect(try app.lines() == ["frame of 1: 1 down"])
    bench.touch(id: -1)
    #expect(try app.lines() == ["frame of 1: 1 up"])
  }

  @Test func `of another size cancels what is down, and places the next contact by it`() throws {
    let bench = try ConfiguredBench(Self.display)
    let app = try bench.app()
    bench.touch(id: 1, 1000, 1000)
    #expect(try app.lines() == ["frame of 1: 1 down"])
    #expect(app.lastPosition == Point(x: 1000, y: 500))
    app.acknowledge()
    try bench.reload("[Display d]\nSize=101x51\n")
    #expect(try app.lines() == ["frame of 1: 1 cancel", "displays: d 101.0x51.0"])
    app.acknowledge()
    bench.touch(id: -1)
    bench.touch(id: 2, 1000, 1000)
    #expect(try app.lines() == ["frame of 1: 2 down"])
    #expect(app.lastPosition == Point(x: 100, y: 50))
  }

  @Test func `whose limits change brings them to new clients`() throws {
    let bench = try ConfiguredBench("[Daemon]\nStaleLimit=2s\nHungLimit=7s")
    #expect(bench.rig.daemon.limits.value.stale == 2_000_000_000)
    #expect(bench.rig.daemon.limits.value.hung == 7_000_000_000)
    try bench.reload("[Daemon]\nStaleLimit=0")
    #expect(bench.rig.daemon.limits.value.stale == 0)
    #expect(bench.rig.daemon.limits.value.hung == 5_000_000_000)
  }
}

@Suite struct `Reloads at any time` {
  private static let pieces = [
    "[Display d]\nSize=1001x501\n", "[Display d]\nSize=501x1001\nRotate=90\n",
    "[Display d]\nSize=10x10\n[Display e]\nSize=20x20\n", "[Display e]\nSize=5x5\n", "",
  ]
  private static let panels = [
    "", "[Panel p]\nRotate=180\n", "[Panel p]\nDisplay=d\n", "[Panel p]\nInvertX=maybe\n",
    "[Panel p]\nHysteresis=1mm\n",
  ]

  @Test func `leave each contact with one end`() throws {
    let seed = environmentSeed("ReloadTests")
    print("reloads at any time: TOUCHBRIDGE_SEED=\(seed)")
    var dice = SplitMix(seed: seed)
    for _ in 0..<max(1, randomRounds / 20) {
      let bench = try ConfiguredBench(Self.pieces[0])
      let app = try bench.app()
      let tool = try bench.rig.client([.admin])
      var id: Int32 = 0
      for _ in 0..<30 {
        switch Int.random(in: 0..<5, using: &dice) {
        case 0:
          try bench.reload(
            (Self.pieces.randomElement(using: &dice) ?? "")
              + (Self.panels.randomElement(using: &dice) ?? ""))
        case 1:
          let rotation = Rotation.allCases.randomElement(using: &dice) ?? .none
          tool.send {
            $0.rotateDisplay(RotateDisplay(display: "d", rotation: rotation), serial: $1)
          }
        case 2: bench.touch(id: -1)
        default:
          if Bool.random(using: &dice) { id += 1 }
          bench.touch(id: id, .random(in: 0...1000, using: &dice), 5)
        }
        // Each line passes the laws of a stream; a breach throws.
        _ = try app.lines()
        if app.session.outbox.value.unacknowledged > 0 { app.acknowledge() }
        try #require(!app.isOver && !tool.isOver, "seed \(seed)")
        if bench.rig.daemon.panels.isEmpty { break }
      }
      for panel in bench.rig.daemon.panels { panel.cancelAll(at: 1) }
      _ = try app.lines()
      try app.finish()
    }
  }
}
