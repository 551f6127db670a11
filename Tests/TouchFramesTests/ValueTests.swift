import Testing
import TouchFrames
import TouchModel

@Suite struct `Values of a contact` {
  static let landings: [(x: Int32, y: Int32, at: Point)] = [
    (0, 0, Point(x: 0, y: 0)),
    (1000, 500, Point(x: 1, y: 1)),
    (500, 125, Point(x: 0.5, y: 0.25)),
    (-1, 501, Point(x: 0, y: 1)),
    (.min, .max, Point(x: 0, y: 1)),
  ]

  @Test(arguments: landings)
  func `a position is its place in the range, clamped, and the raw value stays`(
    _ landing: (x: Int32, y: Int32, at: Point)
  ) throws {
    let rig = try PanelRig()
    rig.id(1).x(landing.x).y(landing.y).report(1)
    let contact = try #require(rig.frames.first?.contacts.first)
    #expect(contact.position == landing.at)
    #expect(contact.rawX == landing.x)
    #expect(contact.rawY == landing.y)
  }

  @Test func `positions outside the range are counted`() throws {
    let rig = try PanelRig()
    rig.id(1).x(-1).report(1).report(2).x(5).report(3).y(501).report(4)
    #expect(rig.counters.outOfRange == 2)
  }

  @Test func `a range may begin below zero`() throws {
    let description = DeviceDescription.panel(axes: [
      EvdevCode.absMTPositionX: AxisRange(minimum: -640, maximum: 640)
    ])
    let rig = try PanelRig(description)
    rig.id(1).report(1)
    #expect(rig.frames.first?.contacts.first?.position == Point(x: 0.5, y: 0))
  }

  @Test func `a range without extent gives 0`() throws {
    let description = DeviceDescription.panel(axes: [
      EvdevCode.absMTPositionX: AxisRange(minimum: 0, maximum: 0)
    ])
    let rig = try PanelRig(description)
    rig.id(1).x(12).report(1)
    #expect(rig.frames.first?.contacts.first?.position == Point(x: 0, y: 0))
  }

  @Test func `area, pressure and orientation are shares of their ranges`() throws {
    let description = DeviceDescription.panel(axes: [
      EvdevCode.absMTTouchMajor: AxisRange(minimum: 0, maximum: 255),
      EvdevCode.absMTPressure: AxisRange(minimum: 0, maximum: 200),
      EvdevCode.absMTOrientation: AxisRange(minimum: -2, maximum: 2),
    ])
    let rig = try PanelRig(description)
    rig.id(1).abs(EvdevCode.absMTTouchMajor, 100).abs(EvdevCode.absMTTouchMinor, 50)
    rig.abs(EvdevCode.absMTPressure, 50).abs(EvdevCode.absMTOrientation, 1).report(1)
    let contact = try #require(rig.frames.first?.contacts.first)
    #expect(contact.major == 0.1)
    #expect(contact.minor == 0.05)
    #expect(contact.pressure == 0.25)
    #expect(contact.orientation == Float(Double.pi / 4))
  }

  @Test func `a change of pressure alone is no motion`() throws {
    let description = DeviceDescription.panel(axes: [
      EvdevCode.absMTPressure: AxisRange(minimum: 0, maximum: 100)
    ])
    let rig = try PanelRig(description)
    rig.id(1).report(1).abs(EvdevCode.absMTPressure, 50).report(2)
    #expect(rig.frames.last?.contacts.first?.phase == .still)
    #expect(rig.frames.last?.contacts.first?.pressure == 0.5)
  }

  @Test(arguments: [(Int32(0), ContactTool.finger), (1, .pen), (10, .finger), (-3, .finger)])
  func `a tool that is no pen and no palm is a finger`(_ tool: Int32, _ expected: ContactTool)
    throws
  {
    let rig = try PanelRig()
    rig.id(1).tool(tool).report(1)
    #expect(rig.frames.first?.contacts.first?.tool == expected)
  }
}

@Suite struct `Devices that give no frames` {
  static func error(_ axes: [UInt16]) -> FrameError? {
    let range = AxisRange(minimum: 0, maximum: 9)
    let description = DeviceDescription(
      name: "odd", axes: Dictionary(uniqueKeysWithValues: axes.map { ($0, range) }))
    do throws(FrameError) {
      _ = try PanelRig(description)
      return nil
    } catch {
      return error
    }
  }

  @Test func `no position axes`() {
    let error = Self.error([EvdevCode.absPressure])
    #expect(error == .noTouchPosition(device: "odd"))
    #expect(
      error?.description
        == "\"odd\" has no touch position axes (ABS_MT_POSITION_X and _Y, or ABS_X and ABS_Y), "
        + "so it gives no frames. Choose a device that reports where it is touched.")
  }
}
