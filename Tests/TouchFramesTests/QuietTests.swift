import Testing
import TouchFrames
import TouchModel

@Suite struct `A device that falls silent` {
  static func options(lifts: Bool = false) -> FrameOptions {
    var options = FrameOptions()
    options.quietLimitNanoseconds = 100_000
    options.liftsWhenQuiet = lifts
    return options
  }

  static func single() throws -> PanelRig {
    let rig = try PanelRig(.single(), source: .device, options: options())
    rig.touchKey(1).at(10, 20).report(1000)
    _ = rig.look()
    return rig
  }

  @Test func `has a deadline only while something is down and a limit is set`() throws {
    let rig = try Self.single()
    #expect(rig.deadline == 1100)
    rig.at(11, 20).report(1050)
    #expect(rig.deadline == 1150)
    rig.touchKey(0).report(1060)
    #expect(rig.deadline == nil)
    let unlimited = try PanelRig(.single(), source: .device)
    unlimited.touchKey(1).report(1000)
    #expect(unlimited.deadline == nil)
    let slots = try PanelRig(source: .device, options: Self.options())
    slots.id(1).report(1000)
    #expect(slots.deadline == nil)
  }

  @Test func `A18: is asked for its state, and a press without release is lifted`() throws {
    let rig = try Self.single()
    rig.deadlineReached(1099)
    #expect(!rig.needsStateCheck)
    rig.deadlineReached(1100)
    #expect(rig.needsStateCheck)
    #expect(rig.deadline == nil)
    rig.takeState(1101, [SlotState(x: 10, y: 20)])
    #expect(rig.look() == ["1101: 1@0 up 10,20"])
    #expect(!rig.needsStateCheck)
    #expect(rig.deadline == nil)
    rig.touchKey(1).report(2000)
    #expect(rig.look() == ["2000: 2@0 down 10,20"])
  }

  @Test func `with the finger still down is asked again later`() throws {
    let rig = try Self.single()
    rig.deadlineReached(1100)
    rig.takeState(1110, [SlotState(trackingID: 0, x: 10, y: 20)])
    #expect(rig.look() == [])
    #expect(rig.deadline == 1210)
    rig.deadlineReached(1210)
    rig.takeState(1211, [SlotState(trackingID: 0, x: 15, y: 20)])
    #expect(rig.look() == ["1211: 1@0 motion 15,20"])
  }

  @Test func `that cannot say what it holds is left alone until it speaks`() throws {
    let rig = try Self.single()
    rig.deadlineReached(1100)
    rig.takeState(1101, [])
    #expect(rig.look() == [])
    #expect(rig.deadline == nil)
    rig.at(11, 20).report(1200)
    #expect(rig.deadline == 1300)
  }

  @Test func `within a gap has no deadline, for what ends there is cancelled`() throws {
    let rig = try Self.single()
    rig.dropped(1050)
    #expect(rig.deadline == nil)
    rig.deadlineReached(1200)
    #expect(!rig.needsStateCheck)
    rig.report(1300)
    #expect(rig.needsResync)
    #expect(rig.deadline == nil)
    rig.resynchronise(1301, [SlotState(x: 10, y: 20)])
    #expect(rig.look() == ["1301: 1@0 cancel 10,20"])
    rig.finish()
    #expect(rig.fault == nil)
  }

  @Test func `nobody asked gives nothing`() throws {
    let rig = try Self.single()
    rig.takeState(1001, [SlotState()])
    #expect(rig.look() == [])
    #expect(rig.deadline == 1100)
  }

  @Test func `also while its contact is ignored`() throws {
    let rig = try Self.single()
    rig.cancelAll(1001)
    rig.deadlineReached(1100)
    rig.takeState(1101, [SlotState()])
    rig.touchKey(1).report(1200)
    #expect(rig.look() == ["1001: 1@0 cancel 10,20", "1200: 2@0 down 10,20"])
  }

  @Test func `A2: reports that just stop are lifted if that was asked for`() throws {
    let rig = try PanelRig(.reports(), source: .device, options: Self.options(lifts: true))
    rig.contact(10, 10).contact(500, 10).report(1000)
    #expect(rig.deadline == 1100)
    rig.deadlineReached(1100)
    #expect(!rig.needsStateCheck)
    #expect(rig.deadline == nil)
    rig.contact(500, 10).report(1500)
    #expect(
      rig.look() == [
        "1000: 1@0 down 10,10; 2@1 down 500,10", "1100: 1@0 up 10,10; 2@1 up 500,10",
        "1500: 3@0 down 500,10",
      ])
  }

  @Test func `reports that just stop are kept otherwise`() throws {
    let rig = try PanelRig(.reports(), source: .device, options: Self.options())
    rig.contact(10, 10).report(1000)
    rig.deadlineReached(1100)
    #expect(rig.deadline == nil)
    rig.contact(11, 10).report(1500)
    #expect(rig.look() == ["1000: 1@0 down 10,10", "1500: 1@0 motion 11,10"])
  }

  static let keys: [(Bool?, [String])] = [
    (true, []), (false, ["1101: 1@0 up 10,10"]), (nil, ["1101: 1@0 up 10,10"]),
  ]

  @Test(arguments: keys)
  func `reports with BTN_TOUCH are held against it`(_ key: Bool?, _ frames: [String]) throws {
    let device = DeviceDescription.reports(keys: [EvdevCode.btnTouch])
    let rig = try PanelRig(device, source: .device, options: Self.options(lifts: true))
    rig.contact(10, 10).report(1000)
    _ = rig.look()
    rig.deadlineReached(1100)
    #expect(rig.needsStateCheck)
    rig.takeState(1101, [], touchKey: key)
    #expect(rig.look() == frames)
    rig.finish()
    #expect(rig.fault == nil)
  }

  @Test func `whose time is at its end has no deadline`() throws {
    var options = FrameOptions()
    options.quietLimitNanoseconds = .max
    let rig = try PanelRig(.single(), source: .device, options: options)
    rig.touchKey(1).report(1)
    #expect(rig.deadline == nil)
  }
}
