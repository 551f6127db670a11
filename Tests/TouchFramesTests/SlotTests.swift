import Testing
import TouchFrames
import TouchModel

@Suite struct `Frames of slots` {
  @Test func `a contact goes down, moves, rests and lifts where it last was`() throws {
    let rig = try PanelRig()
    rig.slot(0).id(45).x(100).y(200).report(1)
    rig.x(110).report(2).report(3)
    rig.x(999).y(1).id(-1).report(4).report(5)
    #expect(
      rig.look() == [
        "1: 1@0 down 100,200", "2: 1@0 motion 110,200", "3: 1@0 still 110,200",
        "4: 1@0 up 110,200",
      ])
    #expect(rig.fault == nil)
  }

  @Test func `nothing is handed out before the report`() throws {
    let rig = try PanelRig()
    rig.id(1).x(1).y(1).send(EvdevCode.key, EvdevCode.btnTouch, 1)
    #expect(rig.look() == [])
  }

  @Test func `the chosen slot outlives the frame`() throws {
    let rig = try PanelRig()
    rig.id(1).x(10).y(10).slot(1).id(2).x(20).y(20).report(1)
    rig.x(21).report(2)
    #expect(
      rig.look() == ["1: 1@0 down 10,10; 2@1 down 20,20", "2: 1@0 still 10,10; 2@1 motion 21,20"])
  }

  @Test func `contacts stand by slot and are numbered in that order`() throws {
    let rig = try PanelRig()
    rig.slot(9).id(1).slot(3).id(2).slot(0).id(3).report(1)
    #expect(rig.look() == ["1: 1@0 down 0,0; 2@3 down 0,0; 3@9 down 0,0"])
  }

  @Test func `tracking id 0 is an id like any other`() throws {
    let rig = try PanelRig()
    rig.id(0).report(1).id(-1).report(2).id(9).report(3)
    #expect(rig.look() == ["1: 1@0 down 0,0", "2: 1@0 up 0,0", "3: 2@0 down 0,0"])
  }

  @Test func `tracking ids may wrap`() throws {
    let rig = try PanelRig()
    rig.id(65535).report(1).id(-1).report(2).id(0).report(3)
    #expect(rig.look() == ["1: 1@0 down 0,0", "2: 1@0 up 0,0", "3: 2@0 down 0,0"])
  }

  @Test func `an id that comes again changes nothing`() throws {
    let rig = try PanelRig()
    rig.id(5).x(7).report(1).id(5).report(2)
    #expect(rig.look() == ["1: 1@0 down 7,0", "2: 1@0 still 7,0"])
  }

  @Test func `an id replaced without -1 cancels the old contact first`() throws {
    let rig = try PanelRig()
    rig.id(5).x(50).y(50).report(1)
    rig.id(6).x(60).report(2).id(-1).report(3)
    #expect(
      rig.look() == [
        "1: 1@0 down 50,50", "2: 1@0 cancel 50,50; 2@0 down 60,50", "3: 2@0 up 60,50",
      ])
    #expect(rig.counters.replacedIDs == 1)
    #expect(rig.fault == nil)
  }

  @Test func `a slot reused in the frame that lifts its contact lists the end first`() throws {
    let rig = try PanelRig()
    rig.id(5).x(50).report(1)
    rig.id(-1).id(5).x(60).report(2)
    #expect(rig.look() == ["1: 1@0 down 50,0", "2: 1@0 up 50,0; 2@0 down 60,0"])
  }

  @Test func `a contact without a position begins where its slot last was`() throws {
    let rig = try PanelRig()
    rig.id(5).x(50).y(60).report(1).x(70).id(-1).report(2).id(6).report(3)
    #expect(
      rig.look() == ["1: 1@0 down 50,60", "2: 1@0 up 50,60", "3: 2@0 down 70,60"])
  }

  @Test func `an id that another slot holds is a contact of its own, and counted`() throws {
    let rig = try PanelRig()
    rig.id(5).report(1).slot(1).id(5).report(2)
    #expect(rig.look() == ["1: 1@0 down 0,0", "2: 1@0 still 0,0; 2@1 down 0,0"])
    #expect(rig.counters.doubleIDs == 1)
  }

  @Test func `a report of value 1 ends no frame`() throws {
    let rig = try PanelRig()
    rig.id(5).report(1).id(-1).report(2, value: 1)
    #expect(rig.look() == ["1: 1@0 down 0,0"])
    rig.cancelAll(2)
    #expect(rig.look() == ["2: 1@0 cancel 0,0"])
  }

  @Test func `buttons, single-touch axes and unknown codes are ignored`() throws {
    let rig = try PanelRig()
    rig.id(5).abs(EvdevCode.absX, 9).abs(0x3c, 9).send(4, 4, 1)
    rig.send(EvdevCode.syn, EvdevCode.synMTReport, 0).send(EvdevCode.key, EvdevCode.btnTouch, 0)
    rig.report(1)
    #expect(rig.look() == ["1: 1@0 down 0,0"])
  }

  @Test func `a batch gives the frames that single events give`() throws {
    let rig = try PanelRig()
    let codes: [(UInt16, UInt16, Int32)] = [(3, 0x39, 1), (0, 0, 0), (3, 0x35, 4), (0, 0, 0)]
    rig.feed(
      codes.map { EvdevEvent(seconds: 0, microseconds: 3, type: $0.0, code: $0.1, value: $0.2) })
    #expect(rig.look() == ["3: 1@0 down 0,0", "3: 1@0 motion 4,0"])
  }

  @Test func `panels that share a sequence never share an id`() throws {
    let ids = ContactIDSequence()
    let left = try PanelRig(ids: ids, device: 1)
    let right = try PanelRig(ids: ids, device: 2, isInjected: true)
    left.id(1).report(1)
    right.id(1).report(1)
    left.id(2).report(2)
    #expect(left.look() == ["1: 1@0 down 0,0", "2: 1@0 cancel 0,0; 3@0 down 0,0"])
    #expect(right.look() == ["1: 2@0 down 0,0"])
    #expect(right.frames[0].device == 2)
    #expect(right.frames[0].display == 7)
    #expect(right.frames[0].contacts[0].isInjected)
    #expect(!left.frames[0].contacts[0].isInjected)
  }
}

@Suite struct `Slots past the declared` {
  @Test func `they are tracked up to the limit`() throws {
    let rig = try PanelRig(.panel(slots: 2))
    rig.slot(3).id(1).x(3).slot(1023).id(2).x(5).report(1)
    #expect(rig.look() == ["1: 1@3 down 3,0; 2@1023 down 5,0"])
    #expect(rig.counters.slotsBeyondDeclared == 2)
    rig.finish()
    #expect(rig.fault == nil)
  }

  @Test(arguments: [-1, 1024, Int32.min, Int32.max])
  func `events of a slot outside the limit touch no other slot`(_ slot: Int32) throws {
    let rig = try PanelRig()
    rig.id(1).x(1).report(1).slot(slot).id(7).x(900).id(-1).report(2).slot(0).x(2).report(3)
    #expect(rig.look() == ["1: 1@0 down 1,0", "2: 1@0 still 1,0", "3: 1@0 motion 2,0"])
    #expect(rig.counters.slotsBeyondLimit == 1)
  }

  @Test func `a device may declare any number of slots`() throws {
    let description = DeviceDescription.panel(axes: [
      EvdevCode.absMTSlot: AxisRange(minimum: 0, maximum: .max)
    ])
    let rig = try PanelRig(description)
    rig.slot(1023).id(1).report(1)
    #expect(rig.look() == ["1: 1@1023 down 0,0"])
  }
}
