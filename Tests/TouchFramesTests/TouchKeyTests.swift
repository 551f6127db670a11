import Testing
import TouchFrames
import TouchModel

/// BTN_TOUCH of devices with slots.
@Suite struct `A key that lifts all slots` {
  @Test func `A3: is obeyed where no slot says anything, at the last positions`() throws {
    let rig = try PanelRig()
    rig.id(0).x(10).y(20).slot(1).id(1).x(30).touchKey(1).report(1)
    rig.abs(EvdevCode.absMTPressure, 0).touchKey(0).report(2)
    #expect(
      rig.look() == ["1: 1@0 down 10,20; 2@1 down 30,0", "2: 1@0 up 10,20; 2@1 up 30,0"])
    #expect(rig.counters.liftsByKey == 1)
    #expect(!rig.isTouched)
  }

  @Test func `A3: the next press begins a contact without any id`() throws {
    let rig = try PanelRig()
    rig.id(0).x(10).touchKey(1).report(1).touchKey(0).report(2)
    rig.x(50).y(60).touchKey(1).report(3).x(51).report(4).touchKey(0).report(5)
    // The same place once more: no slot says anything at all.
    rig.touchKey(1).report(6).touchKey(0).report(7)
    #expect(
      rig.look() == [
        "1: 1@0 down 10,0", "2: 1@0 up 10,0", "3: 2@0 down 50,60", "4: 2@0 motion 51,60",
        "5: 2@0 up 51,60", "6: 3@0 down 51,60", "7: 3@0 up 51,60",
      ])
    rig.finish()
    #expect(rig.fault == nil)
  }

  @Test func `A3: the same id, sent again, begins a contact`() throws {
    let rig = try PanelRig()
    rig.id(0).x(10).report(1).touchKey(0).report(2).id(0).report(3).id(-1).report(4)
    #expect(
      rig.look() == [
        "1: 1@0 down 10,0", "2: 1@0 up 10,0", "3: 2@0 down 10,0", "4: 2@0 up 10,0",
      ])
  }

  @Test func `A3: a second finger of such a driver begins once it has moved`() throws {
    let rig = try PanelRig()
    rig.id(0).x(10).slot(1).id(1).x(90).touchKey(1).report(1).touchKey(0).report(2)
    rig.slot(0).x(11).touchKey(1).report(3).slot(1).x(91).report(4)
    #expect(
      Array(rig.look().dropFirst(2)) == [
        "3: 3@0 down 11,0", "4: 3@0 still 11,0; 4@1 down 91,0",
      ])
  }

  static let busy: [(String, @Sendable (PanelRig) -> Void, String)] = [
    ("a slot moves", { $0.x(11) }, "2: 1@0 motion 11,0; 2@1 still 0,0"),
    ("a slot ends", { $0.slot(1).id(-1) }, "2: 1@0 still 10,0; 2@1 up 0,0"),
    (
      "a slot begins", { $0.slot(2).id(9) },
      "2: 1@0 still 10,0; 2@1 still 0,0; 3@2 down 0,0"
    ),
    ("a slot becomes a palm", { $0.tool(2) }, "2: 1@0 cancel 10,0; 2@1 still 0,0"),
  ]

  @Test(arguments: busy.indices)
  func `has nothing to say where a slot does: slots that are right win`(_ index: Int) throws {
    let rig = try PanelRig()
    rig.slot(1).id(2).slot(0).id(1).x(10).report(1)
    Self.busy[index].1(rig)
    rig.touchKey(0).report(2)
    #expect(rig.look().last == Self.busy[index].2, "\(Self.busy[index].0)")
    #expect(rig.counters.liftsByKey == 0)
  }

  @Test func `A4: is not needed, and one that stays pressed holds nothing`() throws {
    let rig = try PanelRig()
    rig.id(1).report(1).id(-1).report(2).touchKey(1).id(2).report(3).id(-1).report(4).report(5)
    #expect(
      rig.look() == ["1: 1@0 down 0,0", "2: 1@0 up 0,0", "3: 2@0 down 0,0", "4: 2@0 up 0,0"])
  }

  @Test func `of a device that goes away is the kernel tidying up`() throws {
    let rig = try PanelRig()
    rig.id(1).touchKey(1).report(1).touchKey(0).report(2, value: 1).report(3)
    #expect(rig.look() == ["1: 1@0 down 0,0", "3: 1@0 still 0,0"])
  }

  @Test func `leaves what hovers alone`() throws {
    let rig = try PanelRig()
    rig.id(1).distance(1).slot(1).id(2).touchKey(1).report(1).touchKey(0).report(2)
    rig.slot(0).distance(0).report(3)
    #expect(rig.look() == ["1: 1@1 down 0,0", "2: 1@1 up 0,0", "3: 2@0 down 0,0"])
  }

  @Test func `that is up at opening makes a slot with an id one that begins with the key`() throws {
    let rig = try PanelRig(source: .device)
    rig.adopt([SlotState(trackingID: 0, x: 7, y: 8)], touchKey: false)
    rig.report(1).touchKey(1).x(9).report(2)
    #expect(rig.look() == ["2: 1@0 down 9,8"])
  }

  @Test func `that is down at opening leaves what is down to be ignored until it goes up`() throws {
    let rig = try PanelRig(source: .device)
    rig.adopt([SlotState(trackingID: 0, x: 7, y: 8)], touchKey: true)
    rig.x(9).report(1).touchKey(0).report(2).x(20).touchKey(1).report(3)
    #expect(rig.look() == ["3: 1@0 down 20,8"])
  }

  @Test func `that went up in a gap cancels, if the driver lifts so`() throws {
    let rig = try PanelRig(source: .device)
    rig.id(0).x(5).touchKey(1).report(1).touchKey(0).report(2).touchKey(1).x(6).report(3)
    rig.dropped().report(4)
    rig.resynchronise(5, [SlotState(trackingID: 0, x: 6)], touchKey: false)
    rig.touchKey(1).x(7).report(6)
    #expect(
      rig.look() == [
        "1: 1@0 down 5,0", "2: 1@0 up 5,0", "3: 2@0 down 6,0", "5: 2@0 cancel 6,0",
        "6: 3@0 down 7,0",
      ])
    rig.finish()
    #expect(rig.fault == nil)
  }

  @Test func `works on after all was cancelled`() throws {
    let rig = try PanelRig()
    rig.id(0).x(5).touchKey(1).report(1)
    rig.cancelAll(2)
    rig.x(6).report(3).touchKey(0).report(4).x(7).touchKey(1).report(5)
    #expect(rig.look() == ["1: 1@0 down 5,0", "2: 1@0 cancel 5,0", "5: 2@0 down 7,0"])
  }
}
