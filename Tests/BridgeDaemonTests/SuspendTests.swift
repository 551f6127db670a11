import Testing
import TouchModel

@testable import BridgeDaemon

@Suite struct `A machine that sleeps` {
  @Test func `is told by the clock that goes on in suspend, by more than 100 ms`() {
    var watch = SuspendWatch(monotonic: 1_000, sinceBoot: 5_000)
    #expect(watch.sleptFor(monotonic: 2_000, sinceBoot: 6_000) == nil)
    // Two readings of the clocks lie apart, and the time between counts for the second.
    #expect(watch.sleptFor(monotonic: 3_000, sinceBoot: 7_000 + 100_000_000) == nil)
    #expect(
      watch.sleptFor(monotonic: 4_000, sinceBoot: 8_000 + 200_000_001) == 100_000_001)
    #expect(watch.sleptFor(monotonic: 5_000, sinceBoot: 9_000 + 200_000_001) == nil)
    #expect(watch.sleptFor(monotonic: .max, sinceBoot: 0) == nil, "no clock does this; no trap")
    #expect(watch.sleptFor(monotonic: 0, sinceBoot: .max) != nil)
  }

  @Test func `C5: has contacts that break off after it counted, for a minute`() throws {
    let bench = try ConfiguredBench("[Display d]\nSize=1001x501")
    let daemon = bench.rig.daemon
    let panel = try #require(daemon.panels.first)
    /// A drag in two parts.
    func breakOff(_ id: Int32) {
      bench.touch(id: id, 100, 100)
      bench.touch(id: -1)
      bench.touch(id: id + 1, 105, 100)
      bench.touch(id: -1)
    }
    breakOff(1)
    #expect(panel.brokenContacts == 0)
    daemon.suspendWatch = SuspendWatch(monotonic: 0, sinceBoot: 0)
    daemon.look(monotonic: 20_000, sinceBoot: 20_000 + 3_000_000_000)
    breakOff(3)
    // The second half of one and the first of the next are at the same place as well.
    #expect(panel.brokenContacts == 1)
    breakOff(5)
    #expect(panel.brokenContacts == 3)
    #expect(panel.breaks.value != nil)
    try bench.reload("[Display d]\nSize=1001x501\n[Panel p]\nRotate=180")
    #expect(daemon.panels[0].brokenContacts == 3)
  }

  @Test func `C5: has the third contact that breaks off told, and none once the minute is over`()
    throws
  {
    let rig = PanelRig(try FakePanel())
    func tap(at time: Int) {
      for (offset, id) in [(0, Int32(time)), (10_000, -1)] {
        rig.device.write(
          at: time + offset,
          [(EvdevCode.abs, EvdevCode.absMTTrackingID, id), (EvdevCode.syn, EvdevCode.synReport, 0)])
      }
      _ = rig.read()
    }
    rig.panel.breaks.value = BreakCheck(until: 100_000_000, reach: 0.02)
    for time in [10_000, 30_000, 50_000] { tap(at: time) }
    #expect(rig.events == [])
    tap(at: 70_000)
    #expect(rig.events == ["breaks off"])
    tap(at: 90_000)
    #expect(rig.events == ["breaks off"])
    #expect(rig.panel.brokenContacts == 4)
    tap(at: 110_000)
    #expect(rig.panel.breaks.value == nil)
    #expect(rig.panel.brokenContacts == 4)
    try rig.finish()
  }

  @Test func `C3: cancels what was down; the next touch starts clean`() throws {
    var options = DaemonOptions()
    options.findsPanels = false
    options.display = .fallback
    let rig = try DaemonRig(options)
    let device = try FakePanel()
    try rig.daemon.add(device, node: "/a/node")
    defer { for panel in rig.daemon.panels { rig.daemon.panelIsGone(panel, because: "over") } }
    let app = try rig.client()
    app.send {
      $0.setScenes([Scene(id: 1, frame: Rect(x: 0, y: 0, width: 9e3, height: 9e3))], serial: $1)
    }
    #expect(try app.lines() == ["welcome 1", "scenes 2 applied"])
    func send(_ time: Int, _ id: Int32) {
      device.write(
        at: time,
        [(EvdevCode.abs, EvdevCode.absMTTrackingID, id), (EvdevCode.syn, EvdevCode.synReport, 0)])
      for panel in rig.daemon.panels { panel.descriptorReady(.readable) }
    }
    send(1, 5)
    #expect(try app.lines() == ["frame of 1: 1 down"])
    let slept: UInt64 = 3_000_000_000
    let watch = SuspendWatch(monotonic: 0, sinceBoot: 0)
    rig.daemon.suspendWatch = watch
    rig.daemon.look(monotonic: 10_000, sinceBoot: 10_000)
    #expect(try app.lines() == [])
    rig.daemon.look(monotonic: 20_000, sinceBoot: 20_000 + slept)
    #expect(try app.lines() == ["frame of 1: 1 cancel"])
    // Whether it is lifted now or was asleep with the machine: nobody hears of it again.
    send(30, -1)
    #expect(try app.lines() == [])
    send(40, 6)
    #expect(try app.lines() == ["frame of 1: 2 down"])
    rig.daemon.look(monotonic: 50_000, sinceBoot: 50_000 + slept)
    #expect(try app.lines() == [])
    send(60, -1)
    #expect(try app.lines() == ["frame of 1: 2 up"])
  }
}
