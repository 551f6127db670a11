import Testing
import TouchFrames
import TouchModel

@Suite struct `A single contact` {
  @Test func `A16: goes down at the end of the report that presses the key, wherever that stands`()
    throws
  {
    let rig = try PanelRig(.single())
    rig.touchKey(1).at(10, 20).report(1).at(11, 20).report(2).touchKey(0).report(3)
    #expect(rig.look() == ["1: 1@0 down 10,20", "2: 1@0 motion 11,20", "3: 1@0 up 11,20"])
    rig.at(30, 40).report(4).touchKey(1).report(5)
    // The position came in a report of its own, before the key.
    #expect(rig.look() == ["5: 2@0 down 30,40"])
  }

  @Test func `A11: has slot 0 and an id of its own each time`() throws {
    let rig = try PanelRig(.single())
    for time in 1...3 { rig.touchKey(1).report(2 * time).touchKey(0).report(2 * time + 1) }
    #expect(rig.frames.flatMap(\.contacts).map(\.slot) == [0, 0, 0, 0, 0, 0])
    #expect(rig.frames.flatMap(\.contacts).map(\.id) == [1, 1, 2, 2, 3, 3])
  }

  @Test func `A12, A13: a position that comes together with the release is no move`() throws {
    let rig = try PanelRig(.single())
    rig.touchKey(1).at(10, 20).report(1).at(900, 400).touchKey(0).report(2)
    #expect(rig.look() == ["1: 1@0 down 10,20", "2: 1@0 up 10,20"])
  }

  @Test func `that comes and goes within one report makes two frames`() throws {
    let rig = try PanelRig(.single())
    rig.at(5, 6).touchKey(1).touchKey(0).report(1)
    #expect(rig.look() == ["1: 1@0 down 5,6", "1: 1@0 up 5,6"])
  }

  @Test func `that is pressed again says nothing new`() throws {
    let rig = try PanelRig(.single())
    rig.touchKey(1).report(1).touchKey(1).report(2).touchKey(2).report(3)
    #expect(rig.look() == ["1: 1@0 down 0,0", "2: 1@0 still 0,0", "3: 1@0 still 0,0"])
  }

  static let signs: [(String, DeviceDescription, UInt16, UInt16, TouchSign)] = {
    let pressure = [EvdevCode.absPressure: AxisRange(minimum: 0, maximum: 255)]
    let both: Set<UInt16> = [EvdevCode.btnTouch, EvdevCode.btnLeft]
    return [
      (
        "BTN_TOUCH before all others", .single(keys: both, axes: pressure), EvdevCode.key,
        EvdevCode.btnTouch, .key(EvdevCode.btnTouch)
      ),
      (
        "the pressure alone", .single(keys: [EvdevCode.btnLeft], axes: pressure), EvdevCode.abs,
        EvdevCode.absPressure, .pressure
      ),
      (
        "BTN_LEFT of one that passes for a mouse", .single(keys: [EvdevCode.btnLeft]),
        EvdevCode.key, EvdevCode.btnLeft, .key(EvdevCode.btnLeft)
      ),
    ]
  }()

  @Test(arguments: signs.indices)
  func `touches when what says so says so`(_ index: Int) throws {
    let (name, device, type, code, sign) = Self.signs[index]
    let rig = try PanelRig(device)
    #expect(rig.heldState == .contact(.singleTouch, sign), "\(name)")
    rig.at(10, 20).report(1).send(type, code, 1).report(2).at(11, 20).report(3)
    rig.send(type, code, 0).report(4)
    #expect(
      rig.look() == ["2: 1@0 down 10,20", "3: 1@0 motion 11,20", "4: 1@0 up 11,20"], "\(name)")
  }

  @Test func `of a device with BTN_TOUCH does not end by its pressure`() throws {
    let device = DeviceDescription.single(axes: [
      EvdevCode.absPressure: AxisRange(minimum: 0, maximum: 200)
    ])
    let rig = try PanelRig(device)
    rig.touchKey(1).abs(EvdevCode.absPressure, 100).report(1)
    rig.abs(EvdevCode.absPressure, 0).report(2).key(EvdevCode.btnLeft, 0).report(3)
    #expect(rig.look() == ["1: 1@0 down 0,0", "2: 1@0 still 0,0", "3: 1@0 still 0,0"])
    #expect(rig.frames.map { $0.contacts[0].pressure } == [0.5, 0, 0])
  }

  @Test func `obeys a BTN_TOUCH that was never declared`() throws {
    let rig = try PanelRig(.single(keys: []))
    rig.at(1, 2).touchKey(1).report(1).touchKey(0).report(2)
    #expect(rig.look() == ["1: 1@0 down 1,2", "2: 1@0 up 1,2"])
  }

  @Test func `A9: ignores every code that it does not know`() throws {
    let rig = try PanelRig(.single())
    for code in UInt16(0)..<0x2ff where ![EvdevCode.btnTouch].contains(code) { rig.key(code, 1) }
    rig.touchKey(1).slot(3).id(4).x(900).send(4, 4, 852_034).mtReport().report(1)
    #expect(rig.look() == ["1: 1@0 down 0,0"])
  }

  @Test func `F5: a pen is a pen, also one that names no tool`() throws {
    let pen = try PanelRig(.single(keys: [EvdevCode.btnTouch, EvdevCode.btnToolPen]))
    pen.key(EvdevCode.btnToolPen, 1).report(1).touchKey(1).report(2)
    pen.touchKey(0).key(EvdevCode.btnToolPen, 0).report(3).touchKey(1).report(4)
    #expect(pen.frames.map { $0.contacts[0].tool } == [.pen, .pen, .finger])
    let tablet = try PanelRig(.single(keys: [EvdevCode.btnTouch, EvdevCode.btnStylus]))
    tablet.touchKey(1).report(1)
    #expect(tablet.frames[0].contacts[0].tool == .pen)
    let eraser = try PanelRig(.single(keys: [EvdevCode.btnTouch, EvdevCode.btnToolPen]))
    eraser.key(0x141, 1).touchKey(1).report(1)
    #expect(eraser.frames[0].contacts[0].tool == .pen)
  }

  @Test func `A17: that sends its position on other axes is counted, and named by option`() throws {
    let axes = [
      EvdevCode.absX + 2: AxisRange(minimum: 30, maximum: 4040),
      EvdevCode.absX + 3: AxisRange(minimum: 60, maximum: 4035),
    ]
    let plain = try PanelRig(.single(axes: axes))
    plain.abs(2, 2035).touchKey(1).report(1)
    #expect(plain.look() == ["1: 1@0 down 0,0"])
    #expect(plain.counters.downsWithoutPosition == 1)
    var options = FrameOptions()
    options.positionAxes = PositionAxes(x: 2, y: 3)
    let named = try PanelRig(.single(axes: axes), options: options)
    #expect(named.heldState == .contact(PositionAxes(x: 2, y: 3), .key(EvdevCode.btnTouch)))
    named.abs(2, 2035).abs(3, 4035).at(7, 8).touchKey(1).report(1)
    #expect(named.look() == ["1: 1@0 down 2035,4035"])
    #expect(named.frames[0].contacts[0].position == Point(x: 0.5, y: 1))
    #expect(named.counters.downsWithoutPosition == 0)
  }
}

@Suite struct `A single contact, where the stream is not the whole truth` {
  static func device() throws -> PanelRig {
    let rig = try PanelRig(.single(), source: .device)
    rig.touchKey(1).at(10, 20).report(1)
    _ = rig.look()
    return rig
  }

  @Test func `down at open is ignored until it is lifted`() throws {
    let rig = try PanelRig(.single(), source: .device)
    rig.adopt([SlotState(trackingID: 0, x: 3, y: 4)])
    #expect(rig.isTouched)
    rig.at(5, 6).report(1).touchKey(0).report(2)
    #expect(!rig.isTouched)
    rig.touchKey(1).report(3)
    #expect(rig.look() == ["3: 1@0 down 5,6"])
    #expect(rig.counters.contactsDownAtOpen == 1)
  }

  @Test func `not down at open begins where the kernel has it`() throws {
    let rig = try PanelRig(.single(), source: .device)
    rig.adopt([SlotState(x: 3, y: 4)])
    rig.touchKey(1).report(1)
    #expect(rig.look() == ["1: 1@0 down 3,4"])
    #expect(rig.counters.downsWithoutPosition == 0)
  }

  @Test func `lost events: one that touches still goes on`() throws {
    let rig = try Self.device()
    rig.dropped(2).touchKey(0).report(3)
    #expect(rig.needsResync)
    rig.resynchronise(4, [SlotState(trackingID: 0, x: 30, y: 20)])
    rig.touchKey(0).report(5)
    #expect(rig.look() == ["4: 1@0 motion 30,20", "5: 1@0 up 30,20"])
  }

  @Test func `lost events: one that is gone is cancelled`() throws {
    let rig = try Self.device()
    rig.dropped(2).report(3)
    rig.resynchronise(4, [SlotState(x: 30, y: 20)])
    rig.touchKey(1).report(5)
    #expect(rig.look() == ["4: 1@0 cancel 10,20", "5: 2@0 down 30,20"])
  }

  @Test func `lost events: one that has come goes down`() throws {
    let rig = try PanelRig(.single(), source: .device)
    rig.dropped(2).report(3)
    rig.resynchronise(4, [SlotState(trackingID: 0, x: 30, y: 20)])
    rig.touchKey(0).report(5)
    #expect(rig.look() == ["4: 1@0 down 30,20", "5: 1@0 up 30,20"])
  }

  @Test func `lost events: a device that cannot say what it holds has nothing down`() throws {
    let rig = try Self.device()
    rig.dropped(2).report(3)
    rig.resynchronise(4, [])
    #expect(rig.look() == ["4: 1@0 cancel 10,20"])
    rig.touchKey(1).report(5)
    #expect(rig.look() == ["5: 2@0 down 10,20"])
  }

  @Test func `lost events in a recording: cancelled, and silent until it is pressed`() throws {
    let rig = try PanelRig(.single())
    rig.touchKey(1).at(10, 20).report(1).dropped(2).report(3).at(11, 20).report(4)
    rig.touchKey(0).report(5).touchKey(1).report(6)
    #expect(
      rig.look() == ["1: 1@0 down 10,20", "3: 1@0 cancel 10,20", "6: 2@0 down 11,20"])
  }

  @Test func `the end cancels it, and ignores it until it is lifted`() throws {
    let rig = try Self.device()
    rig.cancelAll(2)
    rig.at(11, 20).report(3).touchKey(0).report(4).touchKey(1).report(5)
    #expect(rig.look() == ["2: 1@0 cancel 10,20", "5: 2@0 down 11,20"])
    rig.finish()
    #expect(rig.fault == nil)
  }
}
