import EvdevSource
import Testing
import TouchModel

@testable import BridgeDaemon

@Suite struct `Nodes that cannot be used at present` {
  private let panel = InputNode(node: "/dev/input/event3", sysPath: "/sys/a", properties: [:])

  @Test func `pauses double from a tenth of a second up to half a minute`() {
    var schedule = RetrySchedule()
    #expect(schedule.due == nil)
    var pauses: [UInt64] = []
    for _ in 0..<11 {
      schedule.failed(at: 1_000)
      pauses.append((schedule.due ?? 0) - 1_000)
    }
    #expect(
      pauses.map { $0 / 1_000_000 } == [
        100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000,
      ])
  }

  @Test func `a reason is news once, and a node that is used starts afresh`() {
    var table = NodeTable()
    func isNews(_ problem: String, at now: UInt64) -> Bool {
      table.setWaiting(panel, isExplicit: false, because: problem, at: now)
    }
    #expect(isNews("no", at: 0))
    #expect(!isNews("no", at: 100_000_000))
    #expect(table.nextDeadline == 300_000_000)
    #expect(isNews("not yet", at: 300_000_000))
    #expect(table.waiting.map(\.problem) == ["not yet"])
    #expect(table.due(by: 699_999_999).isEmpty)
    #expect(table.due(by: 700_000_000).map(\.node) == [panel])
    table.setUsed(panel, isExplicit: false)
    #expect(table.nextDeadline == nil)
    #expect(table.waiting.isEmpty)
    #expect(isNews("no", at: 0))
    #expect(table.nextDeadline == 100_000_000)
    table.remove(panel.node)
    #expect(table.entries.isEmpty)
  }

  @Test func `that go are told by their place in sysfs, for a name may be another's by then`()
    throws
  {
    var options = DaemonOptions()
    options.findsPanels = false
    let daemon = try DaemonRig(options).daemon
    daemon.wait(
      for: NodeTable.Entry(node: panel, isExplicit: false), because: "it is not readable")
    let waiting = "STATUS=0 panels, 0 clients; /dev/input/event3: it is not readable"
    #expect(daemon.statusLine == waiting)
    daemon.nodeChanged(
      .removed(InputNode(node: panel.node, sysPath: "/sys/before", properties: [:])))
    #expect(daemon.statusLine == waiting)
    daemon.nodeChanged(.removed(panel))
    #expect(daemon.statusLine == "STATUS=0 panels, 0 clients")
    let device = try FakePanel()
    try daemon.add(device, node: panel.node)
    daemon.panels[0].likeness = PanelLikeness(node: panel, description: device.description)
    daemon.nodeChanged(
      .removed(InputNode(node: panel.node, sysPath: "/sys/before", properties: [:])))
    #expect(daemon.panels.count == 1)
    daemon.nodeChanged(.removed(panel))
    #expect(daemon.panels.isEmpty)
  }

  @Test func `that udev knows no more are not tried again`() throws {
    var options = DaemonOptions()
    options.findsPanels = false
    let daemon = try DaemonRig(options).daemon
    daemon.wait(
      for: NodeTable.Entry(node: panel, isExplicit: false), because: "it is not readable")
    daemon.retryNodes(.max)
    #expect(daemon.statusLine == "STATUS=0 panels, 0 clients")
    #expect(daemon.nodes.nextDeadline == nil)
  }

  @Test func `a copy is virtual and shares ids or name with a panel that is not`() {
    func likeness(_ path: String, _ name: String, _ vendor: UInt16, _ product: UInt16)
      -> PanelLikeness
    {
      PanelLikeness(
        node: InputNode(node: "/dev/input/event1", sysPath: path, properties: [:]),
        description: DeviceDescription(name: name, vendor: vendor, product: product))
    }
    let usb = "/sys/devices/pci0000:00/usb1/input/input3/event3"
    let made = "/sys/devices/virtual/input/input9/event9"
    let panel = likeness(usb, "eGalax Touch", 0x0eef, 1)
    #expect(likeness(made, "other", 0x0eef, 1).isCopy(of: panel))
    #expect(likeness(made, "eGalax Touch Virtual Device", 0, 0).isCopy(of: panel))
    #expect(!likeness(made, "other", 0x0eef, 2).isCopy(of: panel))
    #expect(!likeness(made, "other", 0, 0).isCopy(of: likeness(usb, "", 0, 0)))
    #expect(!likeness(usb, "eGalax Touch", 0x0eef, 1).isCopy(of: panel), "two of a kind")
    #expect(!panel.isCopy(of: likeness(made, "eGalax Touch", 0x0eef, 1)))
  }

  @Test func `a panel of another seat is left alone`() {
    var node = panel
    node.properties = ["ID_INPUT_TOUCHSCREEN": "1", "ID_SEAT": "seat-rear"]
    #expect(node.verdict() == .otherSeat("seat-rear"))
    #expect(node.verdict(inSeat: "seat-rear") == nil)
    #expect(node.verdict()?.reason == "left alone: it belongs to seat-rear")
  }
}

@Suite struct `A panel that is to be had alone` {
  private let touched: [(UInt16, UInt16, Int32)] = [
    (EvdevCode.abs, EvdevCode.absMTTrackingID, 1), (EvdevCode.syn, EvdevCode.synReport, 0),
  ]
  private let lifted: [(UInt16, UInt16, Int32)] = [
    (EvdevCode.abs, EvdevCode.absMTTrackingID, -1), (EvdevCode.syn, EvdevCode.synReport, 0),
  ]

  @Test func `is grabbed at once if nothing touches it, and stays so`() throws {
    let rig = PanelRig(try FakePanel(), wantsGrab: true)
    #expect(rig.panel.settleGrab() == nil)
    #expect(rig.device.grabs == [true])
    rig.device.write(at: 1, touched)
    _ = rig.read()
    rig.device.write(at: 2, lifted)
    _ = rig.read()
    #expect(rig.device.grabs == [true])
    try rig.finish()
  }

  @Test func `is grabbed after the last finger that was down at the start has lifted`() throws {
    let device = try FakePanel()
    device.slots[EvdevCode.absMTTrackingID] = [7, -1, -1, -1]
    let rig = PanelRig(device, wantsGrab: true)
    rig.panel.adoptInitialState()
    #expect(rig.panel.settleGrab() == nil)
    #expect(device.grabs == [])
    device.write(at: 1, lifted)
    #expect(rig.read() == [])
    #expect(device.grabs == [true])
  }

  @Test func `ends with the reason if another program has it by then`() throws {
    let device = try FakePanel()
    device.slots[EvdevCode.absMTTrackingID] = [7, -1, -1, -1]
    device.whenGrabbed = .heldByOther
    let rig = PanelRig(device, wantsGrab: true)
    rig.panel.adoptInitialState()
    device.write(at: 1, lifted)
    _ = rig.read()
    #expect(
      rig.goneBecause == [
        "another program has grabbed it (EVIOCGRAB), so nothing can be read from it. End that "
          + "program; `fuser /a/node` names it."
      ])
  }

  @Test func `is not even tried if it need not be had alone`() throws {
    let rig = PanelRig(try FakePanel())
    #expect(rig.panel.settleGrab() == nil)
    #expect(rig.device.grabs == [])
  }

  @Test func `is read all the same if it cannot be grabbed`() throws {
    let device = try FakePanel()
    device.whenGrabbed = .failed(22)
    let rig = PanelRig(device, wantsGrab: true)
    #expect(rig.panel.settleGrab() == nil)
    #expect(device.grabs == [true])
  }
}
