import Testing
import TouchFrames
import TouchModel

@Suite struct `Protocol A without ids` {
  static func rig(keys: Set<UInt16> = []) throws -> PanelRig { try PanelRig(.reports(keys: keys)) }

  @Test func `A5: each contact of a report gets a slot, and keeps it while it moves`() throws {
    let rig = try Self.rig()
    rig.contact(10, 10).contact(500, 100).report(1)
    rig.contact(20, 12).contact(490, 110).report(2)
    // The order in the report says nothing.
    rig.contact(480, 120).contact(30, 14).report(3)
    #expect(
      rig.look() == [
        "1: 1@0 down 10,10; 2@1 down 500,100", "2: 1@0 motion 20,12; 2@1 motion 490,110",
        "3: 1@0 motion 30,14; 2@1 motion 480,120",
      ])
  }

  @Test func `A2: a contact that the next report leaves out is lifted, where it was`() throws {
    let rig = try Self.rig()
    rig.contact(10, 10).contact(500, 100).report(1).contact(501, 100).report(2)
    #expect(
      rig.look() == [
        "1: 1@0 down 10,10; 2@1 down 500,100", "2: 1@0 up 10,10; 2@1 motion 501,100",
      ])
  }

  @Test func `A2: two touches far apart are never joined`() throws {
    let rig = try Self.rig()
    rig.contact(100, 100).report(1).contact(400, 100).report(2)
    #expect(rig.look() == ["1: 1@0 down 100,100", "2: 1@0 up 100,100; 2@0 down 400,100"])
    rig.contact(649, 100).report(3)
    #expect(rig.look() == ["3: 2@0 motion 649,100"])
    rig.contact(900, 100).report(4)
    #expect(rig.look() == ["4: 2@0 up 649,100; 3@0 down 900,100"])
  }

  @Test func `the distance that may be joined is a choice`() throws {
    var options = FrameOptions()
    options.matchDistance = 0.01
    let rig = try PanelRig(.reports(), options: options)
    rig.contact(100, 100).report(1).contact(110, 100).report(2).contact(121, 100).report(3)
    #expect(
      rig.look() == [
        "1: 1@0 down 100,100", "2: 1@0 motion 110,100", "3: 1@0 up 110,100; 2@0 down 121,100",
      ])
  }

  @Test func `of equal sums the first contact gets the lowest slot, then the second`() throws {
    // All on one line, each as far from the one as from the other.
    let rig = try Self.rig()
    rig.contact(100, 0).contact(120, 0).report(1).contact(110, 0).contact(110, 0).report(2)
    rig.contact(110, 1).contact(110, 2).report(3)
    #expect(
      rig.look() == [
        "1: 1@0 down 100,0; 2@1 down 120,0", "2: 1@0 motion 110,0; 2@1 motion 110,0",
        "3: 1@0 motion 110,1; 2@1 motion 110,2",
      ])
    // One contact is left, between both: the first goes on.
    let between = try Self.rig()
    between.contact(120, 0).contact(100, 0).report(1).contact(110, 0).report(2)
    #expect(
      between.look() == [
        "1: 1@0 down 120,0; 2@1 down 100,0", "2: 1@0 motion 110,0; 2@1 up 100,0",
      ])
    // Two were at one place: whichever of them goes on to 10 and which to 20, the sum is the same.
    let twins = try Self.rig()
    twins.contact(0, 0).contact(30, 0).contact(30, 0).report(1)
    twins.contact(10, 0).contact(20, 0).contact(0, 0).report(2)
    #expect(
      twins.look() == [
        "1: 1@0 down 0,0; 2@1 down 30,0; 3@2 down 30,0",
        "2: 1@0 still 0,0; 2@1 motion 10,0; 3@2 motion 20,0",
      ])
  }

  @Test func `fingers that follow each other closely are not mixed up`() throws {
    let rig = try Self.rig()
    // Each finger is where the other was: the nearest pair first would make a leap of the second.
    rig.contact(100, 0).contact(110, 0).report(1).contact(110, 0).contact(120, 0).report(2)
    #expect(
      rig.look() == [
        "1: 1@0 down 100,0; 2@1 down 110,0", "2: 1@0 motion 110,0; 2@1 motion 120,0",
      ])
  }

  @Test func `a new contact takes the lowest free slot, also one that is free just now`() throws {
    let rig = try Self.rig()
    rig.contact(0, 0).contact(500, 0).contact(1000, 0).report(1)
    rig.contact(0, 500).contact(500, 0).contact(1000, 0).report(2)
    #expect(
      rig.look().last
        == "2: 1@0 up 0,0; 4@0 down 0,500; 2@1 still 500,0; 3@2 still 1000,0")
  }

  static let releases: [(String, @Sendable (PanelRig) -> Void)] = [
    ("SYN_MT_REPORT alone", { $0.mtReport().report(2) }),
    ("BTN_TOUCH 0", { $0.touchKey(0).report(2) }),
    ("a size of 0 and no position", { $0.abs(EvdevCode.absMTTouchMajor, 0).mtReport().report(2) }),
    ("an id of -1", { $0.id(-1).mtReport().report(2) }),
  ]

  @Test(arguments: releases.indices)
  func `A2: a report without contacts lifts all`(_ index: Int) throws {
    let rig = try Self.rig()
    rig.contact(10, 10).contact(500, 100).report(1)
    Self.releases[index].1(rig)
    #expect(
      rig.look() == [
        "1: 1@0 down 10,10; 2@1 down 500,100", "2: 1@0 up 10,10; 2@1 up 500,100",
      ], "\(Self.releases[index].0)")
    rig.finish()
    #expect(rig.frames.count == 2)
  }

  @Test func `a report that is not about contacts changes none`() throws {
    let rig = try Self.rig()
    rig.contact(10, 10).report(1).abs(EvdevCode.absX, 3).touchKey(1).report(2)
    rig.contact(11, 10).touchKey(0).report(3)
    #expect(
      rig.look() == ["1: 1@0 down 10,10", "2: 1@0 still 10,10", "3: 1@0 motion 11,10"])
  }

  @Test func `A10: an axis that a contact leaves out is where it was last`() throws {
    let rig = try Self.rig()
    rig.contact(10, 10).contact(500, 100).report(1)
    rig.y(104).mtReport().x(12).mtReport().report(2)
    #expect(
      rig.look().last == "2: 1@0 motion 12,10; 2@1 motion 500,104")
  }

  @Test func `A10: a contact without id and position is none, and is counted`() throws {
    let rig = try Self.rig()
    rig.contact(10, 10).abs(EvdevCode.absMTTouchMajor, 5).mtReport().report(1)
    #expect(rig.look() == ["1: 1@0 down 10,10"])
    #expect(rig.counters.emptyContacts == 1)
  }

  @Test func `the last contact needs no SYN_MT_REPORT`() throws {
    let rig = try Self.rig()
    rig.contact(10, 10).x(500).y(100).report(1).x(11).y(11).report(2)
    #expect(
      rig.look() == [
        "1: 1@0 down 10,10; 2@1 down 500,100", "2: 1@0 motion 11,11; 2@1 up 500,100",
      ])
  }

  @Test func `a tool, a distance and a pressure belong to the contact that says them`() throws {
    let rig = try PanelRig(
      .reports(axes: [EvdevCode.absMTPressure: AxisRange(minimum: 0, maximum: 100)]))
    rig.abs(EvdevCode.absMTPressure, 50).tool(1).contact(10, 10)
    rig.tool(2).contact(500, 100).distance(1).contact(900, 400).report(1)
    #expect(rig.look() == ["1: 1@0 down 10,10"])
    #expect(rig.frames[0].contacts[0].tool == .pen)
    #expect(rig.frames[0].contacts[0].pressure == 0.5)
    rig.mtReport().report(2).contact(500, 100).report(3)
    // What is not said of a new contact is not that of the one before in its slot.
    #expect(rig.look() == ["2: 1@0 up 10,10", "3: 2@0 down 500,100"])
    #expect(rig.frames.last?.contacts[0].tool == .finger)
    #expect(rig.frames.last?.contacts[0].pressure == 0)
  }

  @Test func `more contacts than are tracked are left out and counted`() throws {
    let rig = try Self.rig()
    for step in 0..<40 { rig.contact(Int32(step) * 25, 0) }
    rig.report(1)
    #expect(rig.frames[0].contacts.count == 32)
    #expect(rig.counters.contactsBeyondLimit == 8)
  }

  @Test func `lost events cancel all at once, and the next report begins anew`() throws {
    let rig = try PanelRig(.reports(), source: .device)
    rig.contact(10, 10).report(1).dropped(2).contact(11, 10).report(3)
    #expect(!rig.needsResync)
    rig.contact(12, 10).report(4)
    #expect(rig.look() == ["1: 1@0 down 10,10", "3: 1@0 cancel 10,10", "4: 2@0 down 12,10"])
  }

  @Test func `what was down at opening is ignored until it is lifted`() throws {
    let rig = try PanelRig(.reports(keys: [EvdevCode.btnTouch]), source: .device)
    #expect(rig.heldState == .touchKey)
    rig.adopt([], touchKey: true)
    #expect(rig.isTouched)
    rig.contact(10, 10).report(1).contact(12, 10).contact(500, 0).report(2)
    rig.contact(500, 0).report(3).contact(13, 10).contact(500, 0).report(4)
    #expect(
      rig.look() == [
        "2: 1@1 down 500,0", "3: 1@1 still 500,0", "4: 2@0 down 13,10; 1@1 still 500,0",
      ])
    #expect(rig.counters.contactsDownAtOpen == 1)
  }

  @Test func `the end cancels all, and ignores it until it is lifted`() throws {
    let rig = try Self.rig()
    rig.contact(10, 10).report(1)
    rig.cancelAll(2)
    rig.contact(11, 10).report(3).mtReport().report(4).contact(11, 10).report(5)
    #expect(rig.look() == ["1: 1@0 down 10,10", "2: 1@0 cancel 10,10", "5: 2@0 down 11,10"])
    rig.finish()
    #expect(rig.fault == nil)
  }
}

@Suite struct `Protocol A with ids` {
  @Test func `the same id is the same contact, however far it went`() throws {
    let rig = try PanelRig(.reports())
    rig.contact(10, 10, id: 0).report(1).contact(900, 400, id: 0).report(2)
    #expect(rig.look() == ["1: 1@0 down 10,10", "2: 1@0 motion 900,400"])
  }

  @Test func `another id at the same place is another contact`() throws {
    let rig = try PanelRig(.reports())
    rig.contact(10, 10, id: 3).report(1).contact(10, 10, id: 4).report(2)
    #expect(rig.look() == ["1: 1@0 down 10,10", "2: 1@0 up 10,10; 2@0 down 10,10"])
  }

  @Test func `an id that comes again after the contact has gone begins another`() throws {
    let rig = try PanelRig(.reports())
    rig.contact(10, 10, id: 0).report(1).mtReport().report(2).contact(12, 10, id: 0).report(3)
    #expect(rig.look() == ["1: 1@0 down 10,10", "2: 1@0 up 10,10", "3: 2@0 down 12,10"])
  }

  @Test func `contacts of one id in one report are one`() throws {
    let rig = try PanelRig(.reports())
    rig.contact(10, 10, id: 1).id(1).y(30).mtReport().report(1)
    #expect(rig.look() == ["1: 1@0 down 10,30"])
  }

  @Test func `those with and without an id do not mix`() throws {
    let rig = try PanelRig(.reports())
    rig.contact(10, 10, id: 1).contact(500, 10).report(1)
    rig.contact(11, 10).contact(501, 10, id: 2).report(2)
    #expect(
      rig.look().last
        == "2: 1@0 up 10,10; 3@0 down 11,10; 2@1 up 500,10; 4@1 down 501,10")
  }

  @Test func `a contact that tells an id and no position begins at the last of its slot`() throws {
    let rig = try PanelRig(.reports())
    rig.id(1).mtReport().report(1)
    #expect(rig.look() == ["1: 1@0 down 0,0"])
    #expect(rig.counters.downsWithoutPosition == 1)
  }
}
