import Testing
import TouchFrames
import TouchModel

@Suite struct `Frame options` {
  static func options(_ change: (inout FrameOptions) -> Void) -> FrameOptions {
    var options = FrameOptions()
    change(&options)
    return options
  }

  @Test func `an axis takes the range that is given for it`() throws {
    let options = Self.options {
      $0.axes[EvdevCode.absMTPositionX] = AxisOverride(minimum: 100, maximum: 300)
      $0.axes[EvdevCode.absMTPositionY] = AxisOverride(maximum: 50)
    }
    let rig = try PanelRig(options: options)
    rig.id(1).x(200).y(25).report(1)
    #expect(rig.frames[0].contacts[0].position == Point(x: 0.5, y: 0.5))
    #expect(rig.counters.outOfRange == 0)
  }

  @Test func `an override keeps what it does not name`() {
    let range = AxisRange(minimum: 1, maximum: 2, fuzz: 3, flat: 4, resolution: 5)
    #expect(AxisOverride().applied(to: range) == range)
    #expect(
      AxisOverride(minimum: 9, resolution: 8).applied(to: range)
        == AxisRange(minimum: 9, maximum: 2, fuzz: 3, flat: 4, resolution: 8))
    #expect(AxisOverride(maximum: 7).applied(to: nil) == AxisRange(minimum: 0, maximum: 7))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var policy: FrameOptions.OutOfRange
    var frames: [String]
    var places: [Double]
    var testDescription: String { "\(policy)" }
  }

  // A contact goes down at -10, then to 500, 1200, 600, and is lifted at 1300.
  static let rows = [
    Row(
      policy: .clamp,
      frames: [
        "1: 1@0 down -10,0", "2: 1@0 motion 500,0", "3: 1@0 motion 1200,0",
        "4: 1@0 motion 600,0", "5: 1@0 up 600,0",
      ],
      places: [0, 0.5, 1, 0.6, 0.6]),
    Row(
      policy: .drop,
      frames: [
        "2: 1@0 down 500,0", "3: 1@0 still 500,0", "4: 1@0 motion 600,0",
        "5: 1@0 up 600,0",
      ],
      places: [0.5, 0.5, 0.6, 0.6]),
    Row(
      policy: .count,
      frames: [
        "1: 1@0 down -10,0", "2: 1@0 motion 500,0", "3: 1@0 motion 1200,0",
        "4: 1@0 motion 600,0", "5: 1@0 up 600,0",
      ],
      places: [0, 0.5, 1, 0.6, 0.6]),
  ]

  @Test(arguments: rows)
  func `a position outside the range is clamped, dropped or kept, and counted`(_ row: Row) throws {
    let rig = try PanelRig(options: Self.options { $0.outOfRange = row.policy })
    rig.id(1).x(-10).report(1).x(500).report(2).x(1200).report(3).x(600).report(4)
    rig.x(1300).id(-1).report(5)
    #expect(rig.look() == row.frames)
    #expect(rig.frames.map { $0.contacts[0].position.x } == row.places)
    #expect(rig.counters.outOfRange == 2)
  }

  @Test func `what is kept outside the range goes through the calibration, and is then clamped`()
    throws
  {
    let options = Self.options { $0.outOfRange = .count }
    let mapping = DisplayMapping(
      display: Display(id: 7, name: "d", width: 101, height: 101),
      transform: PanelTransform(0.5, 0, 0.25, 0, 0.5, 0.25))
    let rig = try PanelRig(options: options, mapping: mapping)
    rig.id(1).x(-100).report(1).x(500).report(2).x(1200).report(3).x(1900).report(4)
    _ = rig.look()
    #expect(rig.frames.map { $0.contacts[0].position.x } == [20, 50, 85, 100])
  }

  @Test func `a contact that stays outside is never listed where such positions are dropped`()
    throws
  {
    let rig = try PanelRig(options: Self.options { $0.outOfRange = .drop })
    rig.id(1).x(-1).report(1).id(-1).report(2).id(2).id(-1).report(3)
    #expect(rig.look() == [])
    rig.x(0).id(3).report(4)
    #expect(rig.look() == ["4: 1@0 down 0,0"])
  }

  @Test func `the pressure is scaled by the range that is given`() throws {
    let axes = [EvdevCode.absMTPressure: AxisRange(minimum: 0, maximum: 255)]
    let rig = try PanelRig(.panel(axes: axes), options: Self.options { $0.pressureRange = 20...60 })
    rig.id(1).abs(EvdevCode.absMTPressure, 30).report(1)
    rig.abs(EvdevCode.absMTPressure, 100).report(2).abs(EvdevCode.absMTPressure, 10).report(3)
    #expect(rig.frames.map { $0.contacts[0].pressure } == [0.25, 1, 0])
  }

  @Test func `position axes of a single contact make any device one`() throws {
    var device = DeviceDescription.panel()
    device.axes[EvdevCode.absX] = AxisRange(minimum: 0, maximum: 100)
    device.axes[EvdevCode.absY] = AxisRange(minimum: 0, maximum: 100)
    let rig = try PanelRig(device, options: Self.options { $0.positionAxes = .singleTouch })
    rig.at(50, 100).touchKey(1).x(7).id(1).report(1)
    #expect(rig.look() == ["1: 1@0 down 50,100"])
    #expect(rig.frames[0].contacts[0].position == Point(x: 0.5, y: 1))
  }

  @Test func `A14: two axes with ranges make a panel of one without position axes`() throws {
    let device = DeviceDescription(
      name: "odd", axes: [0x33: AxisRange(minimum: 0, maximum: 2047)])
    let options = Self.options {
      $0.positionAxes = PositionAxes(x: 0x33, y: 0x32)
      $0.axes[0x32] = AxisOverride(minimum: 0, maximum: 1)
    }
    let rig = try PanelRig(device, options: options)
    rig.abs(0x33, 2047).abs(0x32, 1).report(1)
    #expect(rig.frames[0].contacts[0].position == Point(x: 1, y: 1))
  }

  @Test func `axes that are not there, or not those of the slots, are refused`() {
    let device = DeviceDescription.panel()
    #expect(throws: FrameError.noSuchAxis(device: "panel", axis: 2)) {
      _ = try PanelRig(device, options: Self.options { $0.positionAxes = PositionAxes(x: 2, y: 3) })
    }
    #expect(throws: FrameError.otherAxesInSlots(device: "panel")) {
      let axes = PositionAxes(x: EvdevCode.absMTPositionY, y: EvdevCode.absMTPositionX)
      _ = try PanelRig(device, options: Self.options { $0.positionAxes = axes })
    }
    #expect(
      FrameError.noSuchAxis(device: "panel", axis: 2).description
        == "\"panel\" has no axis 2, which was named as one of its position axes. "
        + "Name two axes that it has, or give this one a range.")
    #expect(
      FrameError.otherAxesInSlots(device: "panel").description
        == "\"panel\" has slots, whose position axes are always ABS_MT_POSITION_X and _Y. "
        + "Leave its position axes as they are.")
  }

  @Test func `B16: an axis without extent is refused if asked for, unless it is given a range`()
    throws
  {
    let axes = [EvdevCode.absMTPositionY: AxisRange(minimum: 5, maximum: 5)]
    _ = try PanelRig(.panel(axes: axes))
    var options = Self.options { $0.refusesFaultyDevices = true }
    #expect(throws: FrameError.noExtent(device: "panel", axis: "y")) {
      _ = try PanelRig(.panel(axes: axes), options: options)
    }
    #expect(
      FrameError.noExtent(device: "panel", axis: "y").description
        == "the y axis of \"panel\" has no extent, so no place on it can be told. "
        + "Set RangeY=MINIMUM MAXIMUM in a [Panel] section of touchbridge.conf.")
    options.axes[EvdevCode.absMTPositionY] = AxisOverride(maximum: 105)
    let rig = try PanelRig(.panel(axes: axes), options: options)
    rig.id(1).y(55).report(1)
    #expect(rig.frames[0].contacts[0].position.y == 0.5)
  }

  @Test func `A19: slots without ABS_MT_TRACKING_ID are refused if asked for`() throws {
    var device = DeviceDescription.panel()
    device.axes[EvdevCode.absMTTrackingID] = nil
    // The events may come all the same, in a recording.
    let rig = try PanelRig(device)
    rig.id(4).x(3).report(1)
    #expect(rig.look() == ["1: 1@0 down 3,0"])
    #expect(throws: FrameError.noTrackingID(device: "panel")) {
      _ = try PanelRig(device, options: Self.options { $0.refusesFaultyDevices = true })
    }
    #expect(
      FrameError.noTrackingID(device: "panel").description
        == "\"panel\" has slots but no ABS_MT_TRACKING_ID, so its touches cannot be told. "
        + "The driver is at fault: it must declare the axis.")
  }

  @Test func `times of a device never step back, those of a file are the file's`() throws {
    let device = try PanelRig(source: .device)
    device.id(1).report(5).x(1).report(3).x(2).report(6)
    #expect(
      device.look() == ["5: 1@0 down 0,0", "5: 1@0 motion 1,0", "6: 1@0 motion 2,0"])
    #expect(device.counters.timesHeld == 1)
    device.cancelAll(2)
    #expect(device.look() == ["6: 1@0 cancel 2,0"])
    let file = try PanelRig()
    file.id(1).report(5).x(1).report(3)
    #expect(file.look() == ["5: 1@0 down 0,0", "3: 1@0 motion 1,0"])
    let replay = try PanelRig(options: Self.options { $0.timesNeverStepBack = true })
    replay.id(1).report(5).x(1).report(3)
    #expect(replay.look() == ["5: 1@0 down 0,0", "5: 1@0 motion 1,0"])
  }
}
