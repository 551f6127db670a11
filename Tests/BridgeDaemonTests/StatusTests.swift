import EvdevSource
import Glibc
import LinuxIO
import Testing
import TouchFilters
import TouchModel
import TouchWire

@testable import BridgeDaemon

@Suite struct `The daemon's status` {
  /// The JSON without the times, which differ from run to run.
  private func steady(_ line: String) -> String {
    line.replacing(/"(uptime_ms|down_ms)":\d+/) { "\"\($0.1)\":0" }
  }

  @Test func `is told to an observer, line by line`() throws {
    let rig = try DaemonRig()
    let app = try rig.client(name: "an \"app\"")
    app.send { $0.setScenes([`A session`.everywhere], serial: $1) }
    rig.route(at: 1, contact(1, .down))
    let observer = try rig.client(.observer, name: "watcher")
    _ = try observer.lines()
    observer.send { $0.statusRequest(serial: $1) }
    #expect(
      try observer.lines().map(steady) == [
        #"status 0 for 3: {"object":"daemon","version":"unreleased","wire_version":1,"pid":\#(getpid()),"#
          + #""uptime_ms":0,"panels":0,"clients":2,"configuration":null,"config_problems":[]}"#,
        #"status 1 for 3: {"object":"client","client":\#(app.session.id),"name":"an \"app\"","pid":1,"#
          + #""uid":0,"scenes":1,"waiting_frames":0,"unacknowledged_frames":1,"unresponsive":false,"#
          + #""observer":false}"#,
        #"status 2 for 3, last: {"object":"client","client":\#(observer.session.id),"#
          + #""name":"watcher","pid":1,"uid":0,"scenes":0,"waiting_frames":0,"#
          + #""unacknowledged_frames":0,"unresponsive":false,"observer":true}"#,
      ])
  }

  @Test func `comes in pages, of which the last may be empty`() throws {
    let rig = try DaemonRig()
    var others: [FakeClient] = []
    for _ in 0..<40 { others.append(try rig.client()) }
    let observer = try rig.client(.observer)
    _ = try observer.lines()
    observer.send { $0.statusRequest(serial: $1) }
    let first = try observer.lines()
    #expect(first.count == 32)
    #expect(first[31].hasPrefix("status 31 for 3, more follow: {"))
    observer.send { $0.statusRequest(from: 32, serial: $1) }
    let second = try observer.lines()
    #expect(second.count == 10)
    #expect(second[9].hasPrefix("status 41 for 4, last: {"))
    observer.send { $0.statusRequest(from: .max, serial: $1) }
    #expect(try observer.lines() == ["status 42 for 5, last: "])
  }

  @Test func `is not told to an app`() throws {
    let rig = try DaemonRig()
    let app = try rig.client()
    _ = try app.lines()
    app.send { $0.statusRequest(serial: $1) }
    #expect(
      try app.lines() == [
        "refusal 3: only an observer or an administrator sees how things stand"
      ])
    #expect(app.isOver)
  }

  @Test func `tells as many problems of the configuration as there is room for`() throws {
    let rig = try DaemonRig()
    let observer = try rig.client(.observer)
    _ = try observer.lines()
    rig.daemon.refusedPanels = ["/a": "no \"b\"", "/c": "d"]
    observer.send { $0.statusRequest(serial: $1) }
    #expect(try observer.lines()[0].hasSuffix(#""config_problems":["/a: no \"b\"","/c: d"]}"#))
    rig.daemon.refusedPanels = Dictionary(
      uniqueKeysWithValues: (0..<9).map { ("\($0)", String(repeating: "x", count: 4_091)) })
    observer.send { $0.statusRequest(serial: $1) }
    let line = try observer.lines()[0]
    #expect(line.utf8.count < WireFormat.maximumStatusLine)
    let object = JSONValue(parsing: String(line.dropFirst("status 0 for 4: ".count)))
    #expect(object?["config_problems"]?.elements.count == 5)
    #expect(object?["config_problems"]?.elements.last == .text("and 5 more"))
  }

  @Test func `has the panels that cannot be used, and why`() throws {
    let rig = try DaemonRig()
    let node = InputNode(node: "/dev/input/event9", sysPath: "/sys/9", properties: [:])
    _ = rig.daemon.nodes.setWaiting(node, isExplicit: false, because: "no rights", at: 1)
    let observer = try rig.client(.observer)
    _ = try observer.lines()
    observer.send { $0.statusRequest(serial: $1) }
    let lines = try observer.lines()
    #expect(lines.count == 3)
    #expect(
      lines[1]
        == #"status 1 for 3: {"object":"panel","device":null,"node":"/dev/input/event9","#
        + #""state":"waiting","reason":"no rights"}"#)
  }

  @Test func `has each panel with its filters and stuck contacts`() throws {
    var options = DaemonOptions()
    options.display = .fallback
    options.filters.minimumDuration = 1_000
    options.filters.ghostCorner = 2
    options.stuck = StuckSettings(limit: 1_000_000, releases: true)
    let rig = try DaemonRig(options)
    let device = try FakePanel()
    try rig.daemon.add(device, node: "/a/node")
    let abs = EvdevCode.abs
    let syn = (EvdevCode.syn, EvdevCode.synReport, Int32(0))
    device.write(
      at: 5, [(abs, EvdevCode.absMTTrackingID, 1), (abs, EvdevCode.absMTPositionX, 1_001), syn])
    device.write(at: 9, [(abs, EvdevCode.absMTPositionX, 500), syn])
    let panel = try #require(rig.daemon.panels.first)
    panel.descriptorReady(.readable)
    #expect(rig.daemon.nextPanelDeadline == 1_005_000)
    rig.daemon.runStages(1_005_000)
    #expect(rig.daemon.nextPanelDeadline == .max)
    let observer = try rig.client(.observer)
    _ = try observer.lines()
    observer.send { $0.statusRequest(from: 1, serial: $1) }
    #expect(
      try observer.lines().map(steady).first
        == #"status 1 for 3: {"object":"panel","device":1,"node":"/a/node","name":"fake panel","#
        + #""state":"open","path":"","phys":"","display":"default","#
        + #""panel_matrix":[1,0,0,0,1,0],"size_mm":null,"captured_by":null,"frame_rate_hz":null,"protocol":"B","#
        + #""contacts_down":1,"frames":"#
        + #"{"frames":2,"dropped_reports":0,"slots_beyond_declared":0,"slots_beyond_limit":0,"#
        + #""out_of_range":1,"double_ids":0,"replaced_ids":0,"down_at_open":0,"palms":0,"lost_taps":0},"#
        + #""dry_run":false,"contacts_held":0,"filters":[{"filter":"min-duration","settings":"#
        + #"{"ms":0.001},"contacts":1,"passed":1,"held":1,"dropped":0,"changed":0}],"#
        + #""filter_problems":["filter ghost is off: it works in millimetres, but the panel states "#
        + #"no resolution. Set the panel's size."],"stuck":{"limit_ms":1,"releases":true,"found":1,"#
        + #""contacts":[{"id":1,"slot":0,"down_ms":0,"released":true}]},"retouches":0,"broken_after_sleep":0}"#
    )
  }
}

@Suite struct `Observers of a panel with filters` {
  private let abs = EvdevCode.abs
  private let syn = (EvdevCode.syn, EvdevCode.synReport, Int32(0))

  @Test func `are told once what was dropped and by which filter, and what is stuck`() throws {
    var options = DaemonOptions()
    options.display = .fallback
    options.filters.minimumDuration = 1_000
    options.stuck = StuckSettings(limit: 1_000_000)
    let rig = try DaemonRig(options)
    let device = try FakePanel()
    try rig.daemon.add(device, node: "/a/node")
    let panel = try #require(rig.daemon.panels.first)
    let observer = try rig.client(.observer)
    let app = try rig.client()
    app.send { $0.setScenes([`A session`.everywhere], serial: $1) }
    _ = try (observer.lines(), app.lines())
    // The device's clock counts microseconds: a tap of none.
    device.write(at: 5, [(abs, EvdevCode.absMTTrackingID, 1), syn])
    device.write(at: 5, [(abs, EvdevCode.absMTTrackingID, -1), syn])
    panel.descriptorReady(.readable)
    #expect(
      try observer.lines() == ["report of 1, 0 lost: 1 up to 0 because filtered by min-duration"])
    #expect(try app.lines() == [])
    device.write(at: 10, [(abs, EvdevCode.absMTTrackingID, 2), syn])
    panel.descriptorReady(.readable)
    rig.daemon.runStages(11_000)
    #expect(try app.lines() == ["frame of 1: 2 down"])
    rig.daemon.runStages(1_010_000)
    #expect(
      try observer.lines() == [
        "report of 1, 0 lost: 2 down to \(app.session.id) because none", "stuck 2 of 1",
      ])
    panel.cancelAll(at: 1_011_000)
    #expect(try app.lines() == ["frame of 1: 2 cancel"])
    try app.finish()
  }

  @Test func `get no places of what was dropped over a sensitive scene`() throws {
    var options = DaemonOptions()
    options.display = .fallback
    options.filters.maximumContacts = 1
    let rig = try DaemonRig(options)
    let device = try FakePanel()
    try rig.daemon.add(device, node: "/a/node")
    let panel = try #require(rig.daemon.panels.first)
    let app = try rig.client()
    let keypad = Scene(
      id: 1, frame: Rect(x: 0, y: 0, width: 640, height: 800), flags: .sensitive)
    app.send { $0.setScenes([keypad], serial: $1) }
    let observer = try rig.client(.observer)
    _ = try observer.lines()
    for (slot, x) in [(Int32(0), Int32(900)), (1, 100), (2, 800)] {
      device.write(
        at: 5,
        [
          (abs, EvdevCode.absMTSlot, slot), (abs, EvdevCode.absMTTrackingID, slot + 1),
          (abs, EvdevCode.absMTPositionX, x), syn,
        ])
    }
    panel.descriptorReady(.readable)
    let contacts = try observer.contacts().filter { $0.reason == .filtered }
    #expect(contacts.map(\.contact.id) == [2, 3])
    #expect(contacts.map(\.isSensitive) == [true, false])
    #expect(contacts.map(\.contact.rawX) == [0, 800])
    #expect(contacts.map(\.filter) == [.maximumContacts, .maximumContacts])
  }
}
