import Testing
import TouchFrames
import TouchModel

@testable import BridgeDaemon

@Suite struct `A panel` {
  private static let slot = EvdevCode.absMTSlot
  private static let id = EvdevCode.absMTTrackingID
  private static let x = EvdevCode.absMTPositionX
  private static let y = EvdevCode.absMTPositionY

  private func axis(_ code: UInt16, _ value: Int32) -> (UInt16, UInt16, Int32) {
    (EvdevCode.abs, code, value)
  }

  private let report: (UInt16, UInt16, Int32) = (EvdevCode.syn, EvdevCode.synReport, 0)
  private let dropped: (UInt16, UInt16, Int32) = (EvdevCode.syn, EvdevCode.synDropped, 0)

  private func down(_ slot: Int32, id: Int32, _ x: Int32, _ y: Int32) -> [(UInt16, UInt16, Int32)] {
    [axis(Self.slot, slot), axis(Self.id, id), axis(Self.x, x), axis(Self.y, y), report]
  }

  /// A frame's contacts as words: id, phase, raw place.
  private func words(_ frames: [TouchFrame]) -> [String] {
    frames.map { frame in
      frame.contacts.map { "\($0.id) \($0.phase) \($0.rawX),\($0.rawY)" }.joined(separator: "; ")
    }
  }

  @Test func `makes a frame of each report, in normalised positions`() throws {
    let device = try FakePanel()
    let rig = PanelRig(device)
    device.write(at: 5, down(0, id: 1, 250, 500))
    device.write(at: 9, [axis(Self.x, 750), report])
    let frames = rig.read()
    #expect(words(frames) == ["1 down 250,500", "1 motion 750,500"])
    #expect(frames.map(\.timeNanoseconds) == [5_000, 9_000])
    #expect(frames.map(\.device) == [7, 7])
    #expect(frames[0].contacts[0].position == Point(x: 0.25, y: 0.5))
    device.write(at: 12, [axis(Self.id, -1), report])
    #expect(words(rig.read()) == ["1 up 750,500"])
    try rig.finish()
  }

  @Test func `hands out nothing before the report comes, however the events are cut`() throws {
    let device = try FakePanel()
    let rig = PanelRig(device)
    for event in down(0, id: 1, 1, 2).dropLast() {
      device.write(at: 1, [event])
      #expect(rig.read().isEmpty)
    }
    device.write(at: 2, [report])
    #expect(words(rig.read()) == ["1 down 1,2"])
  }

  @Test func `reads once where it got less than it could take, else until nothing is left`() throws
  {
    let device = try FakePanel()
    let rig = PanelRig(device)
    device.write(at: 1, down(0, id: 1, 0, 0))
    _ = rig.read()
    #expect(device.reads == 1)
    // 512 events are a full batch: there may be more.
    for step in 1...256 { device.write(at: step, [axis(Self.x, Int32(step)), report]) }
    #expect(rig.read().count == 256)
    #expect(device.reads == 3)
    for step in 1...300 { device.write(at: step, [axis(Self.x, Int32(500 + step)), report]) }
    #expect(rig.read().count == 300)
    #expect(device.reads == 5)
  }

  @Test func `takes the slots afresh after lost events`() throws {
    let device = try FakePanel()
    let rig = PanelRig(device)
    device.write(at: 1, down(0, id: 10, 100, 100) + down(1, id: 11, 200, 200))
    device.write(at: 1, down(2, id: 12, 300, 300))
    #expect(
      words(rig.read()) == [
        "1 down 100,100", "1 still 100,100; 2 down 200,200",
        "1 still 100,100; 2 still 200,200; 3 down 300,300",
      ])
    // Slot 0 moved, slot 1 was lifted, slot 2 was replaced, slot 3 is new.
    device.slots = [
      Self.id: [10, -1, 20, 21], Self.x: [150, 200, 330, 400], Self.y: [100, 200, 330, 400],
    ]
    device.currentSlot = 3
    device.write(at: 2, [axis(Self.slot, 1), axis(Self.id, -1), dropped, axis(Self.x, 999)])
    #expect(rig.read().isEmpty)
    device.write(at: 3, [axis(Self.y, 999), report])
    #expect(
      words(rig.read()) == [
        "1 motion 150,100; 2 cancel 200,200; 3 cancel 300,300; 4 down 330,330; 5 down 400,400"
      ])
    // The kernel's current slot is known again: the next events belong to slot 3.
    device.write(at: 4, [axis(Self.x, 410), report])
    #expect(
      words(rig.read()) == ["1 still 150,100; 4 still 330,330; 5 motion 410,400"])
  }

  @Test func `whose device cannot tell its slots cancels what was down before lost events`() throws
  {
    let device = try FakePanel()
    let rig = PanelRig(device)
    device.write(at: 1, down(0, id: 10, 100, 100))
    device.write(at: 2, [dropped, report])
    #expect(words(rig.read()) == ["1 down 100,100", "1 cancel 100,100"])
    try rig.finish()
  }

  @Test func `begins at 0 in a slot past those that the device tells of`() throws {
    let device = try FakePanel()
    device.slots = [Self.id: [-1, -1], Self.x: [7, 7], Self.y: [8, 8]]
    let rig = PanelRig(device)
    rig.panel.adoptInitialState()
    device.write(at: 1, [axis(Self.slot, 1), axis(Self.id, 1), report])
    device.write(at: 2, [axis(Self.slot, 3), axis(Self.id, 2), report])
    #expect(words(rig.read()) == ["1 down 7,8", "1 still 7,8; 2 down 0,0"])
  }

  @Test func `ignores what is down when it is opened, until it is lifted`() throws {
    let device = try FakePanel()
    let rig = PanelRig(device)
    device.slots = [Self.id: [5, -1, -1, -1], Self.x: [10, 0, 0, 0], Self.y: [20, 0, 0, 0]]
    device.currentSlot = 0
    rig.panel.adoptInitialState()
    device.write(at: 1, [axis(Self.x, 11), report])
    device.write(at: 2, [axis(Self.id, -1), report])
    #expect(rig.read().isEmpty)
    device.write(at: 3, [axis(Self.id, 6), report])
    #expect(words(rig.read()) == ["1 down 11,20"])
  }

  static let ends: [(DeviceRead, String)] = [
    (.gone, "unplugged, or access revoked"), (.failed(5), "Input/output error (EIO)"),
  ]

  @Test(arguments: ends)
  func `cancels what is down when its device goes`(_ end: DeviceRead, _ reason: String) throws {
    let device = try FakePanel()
    let rig = PanelRig(device)
    device.write(at: 1, down(0, id: 1, 1, 1) + down(1, id: 2, 2, 2))
    _ = rig.read()
    device.whenEmpty = end
    #expect(words(rig.read()) == ["1 cancel 1,1; 2 cancel 2,2"])
    #expect(rig.goneBecause == [reason])
    try rig.finish()
  }

  // MARK: Panels without slots

  private static let resistive = DeviceDescription(
    name: "resistive", codes: [EvdevCode.key: [EvdevCode.btnTouch]],
    axes: [
      EvdevCode.absX: AxisRange(minimum: 0, maximum: 1_000),
      EvdevCode.absY: AxisRange(minimum: 0, maximum: 1_000),
      EvdevCode.absPressure: AxisRange(minimum: 0, maximum: 100),
    ])

  private static let reports = DeviceDescription(
    name: "reports", codes: [EvdevCode.key: [EvdevCode.btnTouch]],
    axes: [
      EvdevCode.absMTPositionX: AxisRange(minimum: 0, maximum: 1_000),
      EvdevCode.absMTPositionY: AxisRange(minimum: 0, maximum: 1_000),
    ])

  private func key(_ value: Int32) -> (UInt16, UInt16, Int32) {
    (EvdevCode.key, EvdevCode.btnTouch, value)
  }

  private let mtReport: (UInt16, UInt16, Int32) = (EvdevCode.syn, EvdevCode.synMTReport, 0)

  @Test func `of a single contact ignores what is down when it is opened`() throws {
    let device = try FakePanel(Self.resistive)
    let rig = PanelRig(device)
    device.keys = [EvdevCode.btnTouch: true]
    device.values = [EvdevCode.absX: 10, EvdevCode.absY: 20]
    rig.panel.adoptInitialState()
    device.write(at: 1, [axis(EvdevCode.absX, 11), report])
    device.write(at: 2, [key(0), report])
    #expect(rig.read().isEmpty)
    device.write(at: 3, [key(1), report])
    #expect(words(rig.read()) == ["1 down 11,20"])
  }

  @Test func `of a single contact asks for its state after lost events`() throws {
    let device = try FakePanel(Self.resistive)
    let rig = PanelRig(device)
    device.write(at: 1, [key(1), axis(EvdevCode.absX, 10), report, dropped, report])
    device.keys = [EvdevCode.btnTouch: true]
    device.values = [EvdevCode.absX: 30, EvdevCode.absY: 40, EvdevCode.absPressure: 50]
    let frames = rig.read()
    #expect(words(frames) == ["1 down 10,0", "1 motion 30,40"])
    #expect(frames.last?.contacts.first?.pressure == 0.5)
    device.write(at: 2, [dropped, report])
    device.keys = [EvdevCode.btnTouch: false]
    #expect(words(rig.read()) == ["1 cancel 30,40"])
    try rig.finish()
  }

  @Test func `of a single contact that cannot tell its state has nothing down after lost events`()
    throws
  {
    let device = try FakePanel(Self.resistive)
    let rig = PanelRig(device)
    device.write(at: 1, [key(1), report, dropped, report])
    #expect(words(rig.read()) == ["1 down 0,0", "1 cancel 0,0"])
    try rig.finish()
  }

  @Test func `A18: that falls silent is asked whether it is touched still`() throws {
    let device = try FakePanel(Self.resistive)
    var options = FrameOptions()
    options.quietLimitNanoseconds = 1_000_000
    let rig = PanelRig(device, options: options)
    device.write(at: 5, [key(1), axis(EvdevCode.absX, 10), report])
    #expect(words(rig.read()) == ["1 down 10,0"])
    #expect(rig.events == ["deadline 1005"])
    #expect(rig.panel.quietDeadline == 1_005_000)
    rig.panel.deadlineReached(1_004_999)
    #expect(rig.read().isEmpty)
    device.keys = [EvdevCode.btnTouch: true]
    device.values = [EvdevCode.absX: 10, EvdevCode.absY: 0]
    rig.panel.deadlineReached(1_005_000)
    #expect(rig.panel.quietDeadline == 2_005_000)
    device.keys = [EvdevCode.btnTouch: false]
    rig.panel.deadlineReached(2_005_000)
    #expect(words(rig.read()) == ["1 up 10,0"])
    #expect(rig.panel.quietDeadline == nil)
    try rig.finish()
  }

  @Test func `of reports lists its contacts, and cancels them after lost events`() throws {
    let device = try FakePanel(Self.reports)
    let rig = PanelRig(device)
    device.keys = [EvdevCode.btnTouch: false]
    rig.panel.adoptInitialState()
    let finger = [axis(Self.x, 10), axis(Self.y, 20), mtReport]
    device.write(at: 1, finger + [key(1), report])
    device.write(at: 2, [dropped, report])
    device.write(at: 3, finger + [report, key(0), report])
    #expect(
      words(rig.read()) == ["1 down 10,20", "1 cancel 10,20", "2 down 10,20", "2 up 10,20"])
    try rig.finish()
  }

  @Test func `with slots that lift by BTN_TOUCH alone is not dead after it is opened again`() throws
  {
    let device = try FakePanel()
    let rig = PanelRig(device)
    device.slots = [Self.id: [0, -1, -1, -1], Self.x: [10, 0, 0, 0], Self.y: [20, 0, 0, 0]]
    device.keys = [EvdevCode.btnTouch: false]
    rig.panel.adoptInitialState()
    device.write(at: 1, [axis(Self.x, 30), key(1), report, key(0), report])
    #expect(words(rig.read()) == ["1 down 30,20", "1 up 30,20"])
    try rig.finish()
  }
}
