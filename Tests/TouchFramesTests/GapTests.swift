import Testing
import TouchFrames
import TouchModel

@Suite struct `SYN_DROPPED in a recording` {
  @Test func `all contacts are cancelled at the next report`() throws {
    let rig = try PanelRig()
    rig.id(1).x(5).slot(1).id(2).report(1)
    rig.dropped(2).slot(0).x(50).id(-1).report(3)
    #expect(
      rig.look() == ["1: 1@0 down 5,0; 2@1 down 0,0", "3: 1@0 cancel 5,0; 2@1 cancel 0,0"])
    #expect(!rig.needsResync)
    #expect(rig.counters.droppedReports == 1)
  }

  @Test func `a slot stays silent until its next id, whatever that is`() throws {
    let rig = try PanelRig()
    rig.id(1).report(1).dropped().report(2).x(7).report(3).id(-1).report(4)
    #expect(rig.look() == ["1: 1@0 down 0,0", "2: 1@0 cancel 0,0"])
    rig.id(1).report(5)
    #expect(rig.look() == ["5: 2@0 down 7,0"])
    #expect(rig.fault == nil)
  }

  @Test func `half a frame before it lifts nothing`() throws {
    let rig = try PanelRig()
    rig.id(1).report(1).id(-1).slot(1).id(2).dropped().report(2).report(3)
    #expect(rig.look() == ["1: 1@0 down 0,0", "2: 1@0 cancel 0,0"])
    #expect(rig.fault == nil)
  }

  @Test func `the notice of a device going away does not end it`() throws {
    let rig = try PanelRig()
    rig.id(1).report(1).dropped().report(2, value: 1).id(3).report(3)
    #expect(rig.look() == ["1: 1@0 down 0,0", "3: 1@0 cancel 0,0"])
  }
}

@Suite struct `SYN_DROPPED of a device` {
  static func rig() throws -> PanelRig {
    let rig = try PanelRig(source: .device)
    rig.id(1).x(5).report(1)
    _ = rig.look()
    return rig
  }

  @Test func `a resync is asked for once the report has come, and nothing is taken till then`()
    throws
  {
    let rig = try Self.rig()
    rig.dropped().id(-1)
    #expect(!rig.needsResync)
    rig.report(2)
    #expect(rig.needsResync)
    rig.id(9).x(3).report(3).dropped().report(4)
    #expect(rig.needsResync)
    #expect(rig.look() == [])
    rig.resynchronise(5, [SlotState(trackingID: 1, x: 5)])
    #expect(!rig.needsResync)
    #expect(rig.look() == ["5: 1@0 still 5,0"])
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var state: SlotState
    var frame: [String]
    var after: [String]
    var testDescription: String { name }
  }

  // What the kernel holds for slot 0 after the gap, the frame of the resync, and the frame of
  // another report with x 8.
  static let rows = [
    Row(
      name: "rested", state: SlotState(trackingID: 1, x: 5),
      frame: ["5: 1@0 still 5,0"], after: ["6: 1@0 motion 8,0"]),
    Row(
      name: "moved", state: SlotState(trackingID: 1, x: 6, y: 7),
      frame: ["5: 1@0 motion 6,7"], after: ["6: 1@0 motion 8,7"]),
    Row(
      name: "vanished", state: SlotState(trackingID: -1, x: 6),
      frame: ["5: 1@0 cancel 5,0"], after: []),
    Row(
      name: "replaced", state: SlotState(trackingID: 2, x: 6),
      frame: ["5: 1@0 cancel 5,0; 2@0 down 6,0"], after: ["6: 2@0 motion 8,0"]),
    Row(
      name: "became a palm", state: SlotState(trackingID: 1, x: 6, tool: 2),
      frame: ["5: 1@0 cancel 5,0"], after: []),
    Row(
      name: "replaced by a palm", state: SlotState(trackingID: 2, x: 6, tool: 2),
      frame: ["5: 1@0 cancel 5,0"], after: []),
    Row(
      name: "hovers", state: SlotState(trackingID: 1, x: 6, distance: 1),
      frame: ["5: 1@0 cancel 5,0"], after: []),
    Row(
      name: "replaced by a hovering finger", state: SlotState(trackingID: 2, distance: 1),
      frame: ["5: 1@0 cancel 5,0"], after: []),
  ]

  @Test(arguments: rows)
  func `a contact goes on only if its slot still holds it`(_ row: Row) throws {
    let rig = try Self.rig()
    rig.dropped().report(2)
    rig.resynchronise(5, [row.state])
    #expect(rig.look() == row.frame)
    rig.x(8).report(6)
    #expect(rig.look() == row.after)
    rig.finish()
    #expect(rig.fault == nil)
  }

  @Test func `a finger that landed in the gap goes down, in the slot the kernel chose`() throws {
    let rig = try Self.rig()
    rig.dropped().report(2)
    rig.resynchronise(
      5, [SlotState(trackingID: 1, x: 5), SlotState(trackingID: 3, x: 9)], current: 1)
    rig.x(10).report(6)
    #expect(
      rig.look() == ["5: 1@0 still 5,0; 2@1 down 9,0", "6: 1@0 still 5,0; 2@1 motion 10,0"])
  }

  @Test func `a slot that the kernel says nothing of is cancelled`() throws {
    let rig = try Self.rig()
    rig.slot(12).id(4).report(2).dropped().report(3)
    rig.resynchronise(5, [SlotState(trackingID: 1, x: 5)])
    #expect(rig.look().last == "5: 1@0 still 5,0; 2@12 cancel 0,0")
    rig.slot(12).x(3).report(6)
    #expect(rig.look() == ["6: 1@0 still 5,0"])
  }

  @Test func `a palm and what was down at open stay ignored over a gap`() throws {
    let rig = try PanelRig(source: .device)
    rig.adopt([SlotState(trackingID: 7)])
    rig.slot(1).id(8).tool(2).report(1).dropped().report(2)
    rig.resynchronise(3, [SlotState(trackingID: 7), SlotState(trackingID: 8)])
    #expect(rig.look() == [])
    rig.slot(0).id(-1).slot(1).id(9).report(4)
    #expect(rig.look() == ["4: 1@1 down 0,0"])
  }
}

@Suite struct `Opening and ending` {
  @Test func `a contact down at open is ignored until it is lifted`() throws {
    let rig = try PanelRig(source: .device)
    rig.adopt([SlotState(trackingID: 7, x: 3, y: 4), SlotState(x: 8, y: 9)], current: 1)
    rig.id(8).report(1).slot(0).x(5).report(2).id(-1).report(3).id(9).report(4)
    #expect(
      rig.look() == [
        "1: 1@1 down 8,9", "2: 1@1 still 8,9", "3: 1@1 still 8,9",
        "4: 2@0 down 5,4; 1@1 still 8,9",
      ])
    #expect(rig.counters.contactsDownAtOpen == 1)
  }

  @Test func `a finger that replaces one that was down at open counts`() throws {
    let rig = try PanelRig(source: .device)
    rig.adopt([SlotState(trackingID: 7)])
    rig.id(8).report(1)
    #expect(rig.look() == ["1: 1@0 down 0,0"])
  }

  @Test func `the end cancels what is down and ignores it until it is lifted`() throws {
    let rig = try PanelRig(source: .device)
    rig.id(1).slot(1).id(2).report(1).id(-1).slot(2).id(3)
    rig.cancelAll(2)
    rig.slot(0).x(9).slot(2).x(9).report(3).id(-1).id(4).report(4)
    #expect(
      rig.look() == [
        "1: 1@0 down 0,0; 2@1 down 0,0", "2: 1@0 cancel 0,0; 2@1 cancel 0,0", "4: 3@2 down 9,0",
      ])
    rig.cancelAll(5)
    rig.cancelAll(6)
    #expect(rig.look() == ["5: 3@2 cancel 9,0"])
    #expect(rig.fault == nil)
  }

  @Test func `a finger that hovers at the end may touch later`() throws {
    let rig = try PanelRig(source: .device)
    rig.distance(1).id(1).report(1)
    rig.cancelAll(2)
    rig.distance(0).report(3)
    #expect(rig.look() == ["3: 1@0 down 0,0"])
  }
}
