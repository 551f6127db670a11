import Testing
import TouchFrames
import TouchModel

@Suite struct `Contacts that come and go within one frame` {
  @Test func `down and up take two frames of one time`() throws {
    let rig = try PanelRig()
    rig.id(1).x(5).y(6).id(-1).x(9).report(10).report(20)
    #expect(rig.look() == ["10: 1@0 down 5,6", "10: 1@0 up 5,6"])
    #expect(rig.fault == nil)
  }

  @Test func `the others rest in the second frame`() throws {
    let rig = try PanelRig()
    rig.slot(2).id(1).x(1).slot(3).id(2).report(1)
    rig.slot(2).x(2).slot(3).id(-1).slot(0).id(3).slot(1).id(4).id(-1).report(2)
    #expect(
      rig.look() == [
        "1: 1@2 down 1,0; 2@3 down 0,0",
        "2: 3@0 down 0,0; 4@1 down 0,0; 1@2 motion 2,0; 2@3 up 0,0",
        "2: 3@0 still 0,0; 4@1 up 0,0; 1@2 still 2,0",
      ])
  }

  @Test func `several in one slot take a frame more each`() throws {
    let rig = try PanelRig()
    rig.id(1).x(1).report(1)
    rig.id(2).x(2).id(-1).id(3).x(3).id(4).x(4).report(2)
    #expect(
      rig.look() == [
        "1: 1@0 down 1,0", "2: 1@0 cancel 1,0; 2@0 down 2,0", "2: 2@0 up 2,0; 3@0 down 3,0",
        "2: 3@0 cancel 3,0; 4@0 down 4,0",
      ])
    #expect(rig.fault == nil)
  }

  @Test func `a palm or a hover that comes and goes is not listed`() throws {
    let rig = try PanelRig()
    rig.tool(2).id(1).id(-1).report(1).tool(0).distance(3).id(2).id(-1).report(2)
    #expect(rig.look() == [])
  }

  @Test func `more than there is room for are counted and not listed`() throws {
    let rig = try PanelRig()
    for id in 0..<70 { rig.id(Int32(id)).id(-1) }
    rig.report(1)
    #expect(rig.look().count == 65)
    #expect(rig.counters.lostTaps == 6)
    #expect(rig.fault == nil)
  }

  @Test func `a caller that forgets the second frame gets its contacts with the next`() throws {
    let rig = try PanelRig()
    let events = [(UInt16(3), UInt16(0x39), Int32(1)), (3, 0x39, -1), (0, 0, 0), (0, 0, 0)]
    rig.feed(
      events.enumerated().map {
        EvdevEvent(
          seconds: 0, microseconds: $0, type: $1.0, code: $1.1, value: $1.2)
      }, takingPending: false)
    #expect(rig.look() == ["2: 1@0 down 0,0", "3: 1@0 up 0,0"])
    #expect(rig.fault == nil)
  }
}

@Suite struct `Palms and hovering fingers` {
  @Test func `a contact that begins as a palm is not listed, nor what becomes of it`() throws {
    let rig = try PanelRig()
    rig.id(1).tool(2).report(1).x(5).report(2).tool(0).report(3).id(-1).report(4)
    #expect(rig.look() == [])
    rig.id(2).report(5)
    #expect(rig.look() == ["5: 1@0 down 5,0"])
    #expect(rig.counters.palms == 1)
  }

  @Test func `a contact that becomes a palm is cancelled where it last was`() throws {
    let rig = try PanelRig()
    rig.id(1).x(5).slot(1).id(2).report(1)
    rig.slot(0).tool(2).x(9).report(2).tool(0).report(3).id(-1).report(4)
    #expect(
      rig.look() == [
        "1: 1@0 down 5,0; 2@1 down 0,0", "2: 1@0 cancel 5,0; 2@1 still 0,0",
        "3: 2@1 still 0,0", "4: 2@1 still 0,0",
      ])
    #expect(rig.frames[1].contacts[0].tool == .palm)
    #expect(rig.fault == nil)
  }

  @Test func `the tool outlives the contact, for the kernel repeats no value`() throws {
    let rig = try PanelRig()
    rig.id(1).tool(2).report(1).id(-1).report(2).id(2).report(3)
    #expect(rig.look() == [])
  }

  @Test func `a hovering finger is listed while it touches, each time as a new contact`() throws {
    let rig = try PanelRig()
    rig.distance(4).id(1).x(5).report(1).distance(0).report(2).x(6).report(3)
    rig.distance(1).x(7).report(4).x(8).report(5).distance(0).report(6).id(-1).report(7)
    #expect(
      rig.look() == [
        "2: 1@0 down 5,0", "3: 1@0 motion 6,0", "4: 1@0 up 6,0", "6: 2@0 down 8,0",
        "7: 2@0 up 8,0",
      ])
    #expect(rig.fault == nil)
  }
}
