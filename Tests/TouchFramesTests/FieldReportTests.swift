import Testing
import TouchFrames
import TouchModel

/// What went wrong for people who built panels, where it is a matter of frames.
///
/// Those about protocol A, a single contact, `BTN_TOUCH`, silence and ranges stand with the tests of
/// these subjects, under the same numbers.
@Suite struct `Reports from the field` {
  @Test func `A1: an id of 0 is an id like any other, in any order`() throws {
    let rig = try PanelRig()
    for (time, id) in [Int32(0), 1, 9, 0, 65_535, 0].enumerated() {
      rig.id(id).report(2 * time + 1).id(-1).report(2 * time + 2)
    }
    let contacts = rig.frames.flatMap(\.contacts)
    #expect(contacts.map(\.id) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6])
    #expect(contacts.map(\.phase) == (0..<6).flatMap { _ in [ContactPhase.down, .up] })
  }

  @Test func `A4: slots alone are enough, without any key`() throws {
    let rig = try PanelRig()
    rig.id(1).x(3).report(1).id(-1).report(2)
    #expect(rig.look() == ["1: 1@0 down 3,0", "2: 1@0 up 3,0"])
  }

  @Test func `A6: an id that moves on to another slot ends one contact and begins another`() throws
  {
    let rig = try PanelRig()
    rig.id(1).x(10).slot(1).id(2).x(90).report(1)
    // A source that sorts its contacts anew: the two change places.
    rig.slot(0).id(2).x(90).slot(1).id(1).x(11).report(2)
    rig.slot(0).id(-1).report(3)
    #expect(
      rig.look() == [
        "1: 1@0 down 10,0; 2@1 down 90,0",
        "2: 1@0 cancel 10,0; 3@0 down 90,0; 2@1 cancel 90,0; 4@1 down 11,0",
        "3: 3@0 up 90,0; 4@1 still 11,0",
      ])
    #expect(rig.counters.replacedIDs == 2)
    // Which slot holds an id was never in doubt at the end of a report, only within it.
    #expect(rig.counters.doubleIDs == 1)
    rig.finish()
    #expect(rig.fault == nil)
  }

  @Test func `A7: an id without the -1 before cancels the old contact, begins a new one, counts`()
    throws
  {
    let rig = try PanelRig()
    rig.id(1).x(5).report(1).id(2).report(2).x(6).report(3).id(-1).report(4)
    #expect(
      rig.look() == [
        "1: 1@0 down 5,0", "2: 1@0 cancel 5,0; 2@0 down 5,0", "3: 2@0 motion 6,0", "4: 2@0 up 6,0",
      ])
    #expect(rig.counters.replacedIDs == 1)
  }

  @Test func `A8: after lost events there are ends, begins and moves as the kernel has them`()
    throws
  {
    let rig = try PanelRig(source: .device)
    rig.id(1).x(1).slot(1).id(2).slot(2).id(3).report(1).dropped(2).id(-1).report(3)
    rig.resynchronise(
      4,
      [SlotState(trackingID: 1, x: 9), SlotState(), SlotState(trackingID: 3)] + [
        SlotState(trackingID: 4, x: 7)
      ], current: 3)
    #expect(
      rig.look().last
        == "4: 1@0 motion 9,0; 2@1 cancel 0,0; 3@2 still 0,0; 4@3 down 7,0")
  }

  @Test func `A12, A13: a position that comes together with the release is no move`() throws {
    let rig = try PanelRig()
    rig.id(1).x(100).y(200).report(1).x(200).y(100).id(-1).report(2)
    #expect(rig.look() == ["1: 1@0 down 100,200", "2: 1@0 up 100,200"])
  }

  @Test func `A15: an end whose report is missing comes with the next report, once`() throws {
    let rig = try PanelRig()
    rig.id(1).report(1).id(-1).slot(1).id(2).report(2).report(3)
    #expect(
      rig.look() == ["1: 1@0 down 0,0", "2: 1@0 up 0,0; 2@1 down 0,0", "3: 2@1 still 0,0"])
  }

  @Test func `A15: an end whose report never comes is a cancel when the device goes`() throws {
    let rig = try PanelRig()
    rig.id(1).report(1).id(-1)
    rig.finish()
    #expect(rig.look() == ["1: 1@0 down 0,0", "0: 1@0 cancel 0,0"])
    #expect(rig.fault == nil)
  }

  @Test func `A16: nothing is handed out before the report`() throws {
    let rig = try PanelRig()
    rig.id(1).touchKey(1).x(5)
    #expect(rig.look() == [])
    rig.y(6).report(1)
    #expect(rig.look() == ["1: 1@0 down 5,6"])
  }

  @Test func `A20: each position belongs to its slot`() throws {
    let rig = try PanelRig()
    rig.id(1).x(10).slot(1).id(2).x(90).report(1)
    for step in 1...3 {
      rig.slot(0).x(10 + Int32(step)).slot(1).x(90 - Int32(step)).report(1 + step)
    }
    #expect(rig.look().last == "4: 1@0 motion 13,0; 2@1 motion 87,0")
  }

  @Test func `A21: a frame names all that is still down, whichever finger lifts`() throws {
    let rig = try PanelRig()
    rig.id(1).slot(1).id(2).slot(2).id(3).report(1).slot(1).id(-1).report(2).report(3)
    rig.id(4).report(4)
    #expect(
      Array(rig.look().dropFirst()) == [
        "2: 1@0 still 0,0; 2@1 up 0,0; 3@2 still 0,0", "3: 1@0 still 0,0; 3@2 still 0,0",
        "4: 1@0 still 0,0; 4@1 down 0,0; 3@2 still 0,0",
      ])
  }

  @Test func `F1: a contact without a position begins at the last of its slot, and is counted`()
    throws
  {
    let rig = try PanelRig()
    rig.id(1).x(799).y(479).report(1).id(-1).report(2)
    for time in 0..<3 { rig.id(Int32(2 + time)).report(3 + 2 * time).id(-1).report(4 + 2 * time) }
    #expect(
      Array(rig.look().dropFirst(2)) == [
        "3: 2@0 down 799,479", "4: 2@0 up 799,479", "5: 3@0 down 799,479", "6: 3@0 up 799,479",
        "7: 4@0 down 799,479", "8: 4@0 up 799,479",
      ])
    #expect(rig.counters.downsInPlace == 3)
  }

  @Test func `F1: of two positions in one report the later counts`() throws {
    let rig = try PanelRig()
    rig.id(1).x(799).y(479).x(100).y(200).report(1)
    #expect(rig.look() == ["1: 1@0 down 100,200"])
  }

  @Test func `F2: a palm cancels its own contact only, and one that lands as a palm is none`()
    throws
  {
    let rig = try PanelRig()
    rig.id(1).slot(1).id(2).report(1).tool(2).report(2).slot(2).id(3).tool(2).report(3)
    #expect(
      rig.look() == [
        "1: 1@0 down 0,0; 2@1 down 0,0", "2: 1@0 still 0,0; 2@1 cancel 0,0", "3: 1@0 still 0,0",
      ])
    #expect(rig.counters.palms == 2)
  }

  @Test func `G1, G2: what has ended ends once, and nothing follows`() throws {
    let rig = try PanelRig()
    rig.id(1).report(1).id(-1).id(-1).report(2).x(9).report(3).id(-1).report(4)
    rig.cancelAll(5)
    #expect(rig.look() == ["1: 1@0 down 0,0", "2: 1@0 up 0,0"])
    rig.finish()
    #expect(rig.fault == nil)
  }

  @Test func `G3: what is taken away is cancelled, never lifted`() throws {
    let rig = try PanelRig()
    rig.id(1).report(1).tool(2).report(2).slot(1).id(2).report(3).dropped().report(4)
    rig.slot(2).id(3).report(5)
    rig.cancelAll(6)
    #expect(
      rig.frames.flatMap(\.contacts).filter(\.phase.isEnd).map(\.phase)
        == [.cancel, .cancel, .cancel])
  }
}
