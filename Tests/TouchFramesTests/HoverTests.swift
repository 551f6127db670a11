import Testing
import TouchFrames
import TouchModel

@Suite struct `What hovers` {
  static func options() -> FrameOptions {
    var options = FrameOptions()
    options.reportsHover = true
    return options
  }

  @Test func `is listed if asked for, and keeps its id when it goes down`() throws {
    let rig = try PanelRig(options: Self.options())
    rig.id(1).distance(5).x(10).report(1).x(12).report(2).distance(0).report(3).x(13).report(4)
    #expect(
      rig.look() == [
        "1: 1@0 hover 10,0", "2: 1@0 hover 12,0", "3: 1@0 down 12,0", "4: 1@0 motion 13,0",
      ])
    rig.distance(3).report(5).report(6).id(-1).report(7)
    #expect(rig.look() == ["5: 1@0 up 13,0", "6: 2@0 hover 13,0"])
    rig.finish()
    #expect(rig.fault == nil)
  }

  @Test func `is listed beside what is down`() throws {
    let rig = try PanelRig(options: Self.options())
    rig.id(1).distance(5).slot(1).id(2).report(1)
    #expect(rig.look() == ["1: 1@0 hover 0,0; 2@1 down 0,0"])
  }

  @Test func `has another id each time it comes`() throws {
    let rig = try PanelRig(options: Self.options())
    rig.distance(1).id(1).report(1).id(2).report(2).id(-1).report(3).id(3).report(4)
    #expect(
      rig.look() == ["1: 1@0 hover 0,0", "2: 2@0 hover 0,0", "4: 3@0 hover 0,0"])
  }

  @Test func `is never listed of its own accord, nor if it is a palm`() throws {
    let plain = try PanelRig()
    plain.id(1).distance(5).report(1)
    #expect(plain.look() == [])
    let palm = try PanelRig(options: Self.options())
    palm.id(1).distance(5).tool(2).report(1)
    #expect(palm.look() == [])
  }

  @Test func `of a single contact is a distance or a pen that is near`() throws {
    let device = DeviceDescription.single(
      keys: [EvdevCode.btnTouch, EvdevCode.btnToolPen],
      axes: [EvdevCode.absDistance: AxisRange(minimum: 0, maximum: 63)])
    let rig = try PanelRig(device, options: Self.options())
    rig.at(10, 20).report(1).key(EvdevCode.btnToolPen, 1).report(2).touchKey(1).report(3)
    rig.touchKey(0).report(4).at(11, 20).report(5).key(EvdevCode.btnToolPen, 0).report(6)
    rig.abs(EvdevCode.absDistance, 9).report(7).abs(EvdevCode.absDistance, 0).report(8)
    rig.touchKey(1).report(9)
    #expect(
      rig.look() == [
        "2: 1@0 hover 10,20", "3: 1@0 down 10,20", "4: 1@0 up 10,20; 2@0 hover 10,20",
        "5: 2@0 hover 11,20", "7: 3@0 hover 11,20", "9: 4@0 down 11,20",
      ])
    #expect(rig.frames[0].contacts[0].tool == .pen)
    rig.finish()
    #expect(rig.fault == nil)
  }

  @Test func `of a single contact is not listed by itself`() throws {
    let rig = try PanelRig(.single(keys: [EvdevCode.btnTouch, EvdevCode.btnToolPen]))
    rig.key(EvdevCode.btnToolPen, 1).abs(EvdevCode.absDistance, 9).report(1)
    #expect(rig.look() == [])
  }
}
