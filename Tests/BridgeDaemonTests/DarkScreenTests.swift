import Testing
import TouchModel

@testable import BridgeDaemon

@Suite struct `A touch on a dark screen` {
  private static let text = "[Display DSI-1]\nWakeTouch=yes\n"

  private func bench(_ text: String = text) throws -> ConfiguredBench {
    let bench = try ConfiguredBench(text, outputs: [("DSI-1", "1001x501")])
    try bench.power("DSI-1", dpms: "On")
    try bench.reload(text + "[Panel p]\nRotate=180")
    return bench
  }

  @Test func `C8: wakes it once and presses nothing, until all fingers have lifted`() throws {
    let bench = try bench()
    let app = try bench.app()
    let observer = try bench.rig.client(.observer)
    _ = try observer.lines()
    bench.touch(id: 1, 1, 1)
    bench.touch(id: -1)
    #expect(try app.lines() == ["frame of 1: 1 down", "frame of 1: 1 up"])
    app.acknowledge()
    _ = try observer.lines()
    try bench.power("DSI-1", dpms: "Off")
    bench.touch(id: 2, 1, 1)
    // Somebody has switched it on meanwhile: the rest of the touch is part of the waking all the same.
    try bench.power("DSI-1", dpms: "On")
    bench.touch(id: 2, 5, 5)
    bench.touch(id: -1)
    let dark = "to 0 because display-off"
    #expect(
      try observer.lines() == [
        "report of 1, 0 lost: 2 down \(dark)", "report of 1, 0 lost: 2 motion \(dark)",
        "report of 1, 0 lost: 2 up \(dark)",
      ])
    #expect(try app.lines() == [])
    bench.touch(id: 3, 1, 1)
    #expect(try app.lines() == ["frame of 1: 3 down"])
    // Going dark takes nothing away from a touch that is under way.
    try bench.power("DSI-1", dpms: "Off")
    bench.touch(id: 3, 5, 5)
    bench.touch(id: -1)
    #expect(try app.lines() == ["frame of 1: 3 motion", "frame of 1: 3 up"])
    try app.finish()
  }

  @Test func `stays one while any finger of it is down`() throws {
    let bench = try bench()
    let app = try bench.app()
    try bench.power("DSI-1", dpms: "Off")
    bench.touch(id: 1, 1, 1)
    try bench.power("DSI-1", dpms: "On")
    let second: [(UInt16, UInt16, Int32)] = [
      (EvdevCode.abs, EvdevCode.absMTSlot, 1), (EvdevCode.abs, EvdevCode.absMTTrackingID, 9),
      (EvdevCode.syn, EvdevCode.synReport, 0), (EvdevCode.abs, EvdevCode.absMTSlot, 0),
    ]
    bench.device.write(at: 20_000, second)
    bench.touch(id: -1)
    bench.touch(id: 2, 1, 1)
    #expect(try app.lines() == [])
    bench.device.write(
      at: 50_000,
      [(EvdevCode.abs, EvdevCode.absMTSlot, 1), (EvdevCode.abs, EvdevCode.absMTTrackingID, -1)])
    bench.device.write(at: 50_000, [(EvdevCode.abs, EvdevCode.absMTSlot, 0)])
    bench.touch(id: -1)
    bench.touch(id: 3, 1, 1)
    #expect(try app.lines() == ["frame of 1: 4 down"])
  }

  static let states = [
    ("On", "enabled", false), ("Off", "enabled", true), ("Standby", "enabled", true),
    ("Suspend", "enabled", true), ("On", "disabled", true), ("Off", "disabled", true),
    ("", "", false),
  ]

  @Test(arguments: states)
  func `is one where the kernel says so`(_ dpms: String, _ enabled: String, _ isDark: Bool) throws {
    let bench = try bench()
    let app = try bench.app()
    if dpms.isEmpty {
      // The output is gone, and with it what could be read.
      for name in ["dpms", "enabled"] { try bench.folder.write("", to: "drm/card0-DSI-1/\(name)") }
    } else {
      try bench.power("DSI-1", dpms: dpms, enabled: enabled)
    }
    bench.touch(id: 1, 1, 1)
    #expect(try app.lines() == (isDark ? [] : ["frame of 1: 1 down"]))
  }

  @Test func `is like any other where nobody asks for it, or the kernel says nothing`() throws {
    let plain = try bench("[Display DSI-1]\n")
    try plain.power("DSI-1", dpms: "Off")
    let app = try plain.app()
    plain.touch(id: 1, 1, 1)
    #expect(try app.lines() == ["frame of 1: 1 down"])
    let silent = try ConfiguredBench(
      "[Display d]\nOutput=HDMI-A-1\nSize=100x50\nWakeTouch=yes", outputs: [("DSI-1", "10x10")])
    let other = try silent.app()
    silent.touch(id: 1, 1, 1)
    #expect(try other.lines() == ["frame of 1: 1 down"])
  }

  @Test func `reaches apps again once it is no longer asked for`() throws {
    let bench = try bench()
    let app = try bench.app()
    try bench.power("DSI-1", dpms: "Off")
    bench.touch(id: 1, 1, 1)
    try bench.reload("[Display DSI-1]\nWakeTouch=no\n[Panel p]\nRotate=180")
    bench.touch(id: -1)
    #expect(try app.lines() == [])
    bench.touch(id: 2, 1, 1)
    #expect(try app.lines() == ["frame of 1: 2 down"])
  }
}
