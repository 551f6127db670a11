import Testing
import TouchFilters
import TouchModel

@Suite struct `The hold queue` {
  @Test func `a contact that is too short is never seen`() throws {
    let rig = FilterRig { $0.minimumDuration = 20_000_000 }
    rig.down(100, 100, at: 0)
    #expect(rig.deadline == 20)
    rig.move(110, 100, at: 10)
    rig.up(at: 19)
    #expect(rig.deadline == nil)
    #expect(rig.lines == [])
    #expect(rig.drops == ["1 up by min-duration"])
    #expect(rig.counters(.minimumDuration).all == [1, 0, 1, 1, 0])
    #expect(rig.held == 0)
    try rig.finish()
  }

  @Test func `one that lives long enough comes as it began, at its deadline`() throws {
    let rig = FilterRig { $0.minimumDuration = 20_000_000 }
    rig.down(100, 100, at: 5)
    rig.move(110, 100, at: 10)
    rig.wake(at: 24)
    #expect(rig.lines == [])
    rig.wake(at: 25)
    #expect(rig.lines == ["5: 1 down 50,50"])
    #expect(rig.deadline == nil)
    // The move that was held back with it comes with the next frame, whatever that says.
    rig.move(110, 100, at: 30)
    rig.move(110, 100, at: 40)
    rig.up(at: 50)
    #expect(
      rig.lines.dropFirst() == [
        "30: 1 motion 55,50", "40: 1 still 55,50", "50: 1 up 55,50",
      ])
    #expect(rig.counters(.minimumDuration).all == [1, 1, 1, 0, 0])
    try rig.finish()
  }

  @Test func `a frame past the deadline lets it go before the wake-up comes`() throws {
    let rig = FilterRig { $0.minimumDuration = 20_000_000 }
    rig.down(100, 100, at: 0)
    rig.up(at: 20)
    #expect(rig.lines == ["0: 1 down 50,50", "20: 1 up 50,50"])
    rig.wake(at: 21)
    #expect(rig.lines.count == 2)
    try rig.finish()
  }

  @Test func `an up after a held move has the position that was handed on`() throws {
    let rig = FilterRig { $0.minimumDuration = 20_000_000 }
    rig.down(100, 100, at: 0)
    rig.move(200, 100, at: 10)
    rig.wake(at: 20)
    rig.up(at: 25)
    #expect(rig.lines == ["0: 1 down 50,50", "25: 1 up 50,50"])
    try rig.finish()
  }

  @Test func `a down never goes back behind a frame that was handed on`() throws {
    let rig = FilterRig { $0.edgeHold = EdgeHold(distance: 2, travel: 3, limit: 100_000_000) }
    rig.down(0, 500, 100, at: 0)
    rig.down(1, 10, 100, at: 10)
    rig.move(0, 510, 100, at: 20)
    rig.move(1, 39, 100, at: 30)
    rig.move(1, 40, 100, at: 40)
    rig.up(1, at: 50)
    rig.up(0, at: 60)
    #expect(
      rig.lines == [
        "0: 1 down 250,50", "10: 1 still 250,50", "20: 1 motion 255,50", "30: 1 still 255,50",
        // Apart: its down with the others as they were, then the frame.
        "30: 1 still 255,50; 2 down 5,50", "40: 1 still 255,50; 2 motion 20,50",
        "50: 1 still 255,50; 2 up 20,50", "60: 1 up 255,50",
      ])
    #expect(rig.counters(.edgeHold).all == [2, 2, 1, 0, 0])
    try rig.finish()
  }

  @Test func `a down that was held for long is not so old that clients drop it`() throws {
    let rig = FilterRig { $0.ghostCorner = 0 }
    rig.down(0, 0, at: 0)
    rig.move(0, 0, at: 1_000)
    #expect(rig.deadline == nil)
    rig.move(10, 0, at: 3_000)
    rig.up(at: 3_010)
    #expect(rig.lines == ["2500: 1 down 0,0", "3000: 1 motion 5,0", "3010: 1 up 5,0"])
    try rig.finish()
  }

  @Test(arguments: [false, true])
  func `a contact that ends at the edge is dropped, or delivered late`(_ delivers: Bool) throws {
    let rig = FilterRig {
      $0.edgeHold = EdgeHold(distance: 2, travel: 3, limit: 100_000_000, deliversEnded: delivers)
    }
    rig.tap(990, 100, at: 0, for: 40)
    rig.tap(500, 100, at: 200)
    let late = delivers ? ["0: 1 down 495,50", "40: 1 up 495,50"] : []
    #expect(rig.lines == late + ["200: 2 down 250,50", "210: 2 up 250,50"])
    #expect(rig.drops == (delivers ? [] : ["1 up by edge-hold"]))
    #expect(rig.counters(.edgeHold).all == [2, delivers ? 2 : 1, 1, delivers ? 0 : 1, 0])
    try rig.finish()
  }

  static let edges: [(Int32, Int32, Bool)] = [
    (19, 250, true), (20, 250, false), (981, 250, true), (980, 250, false), (500, 19, true),
    (500, 20, false), (500, 481, true), (500, 480, false), (-5, 250, true),
  ]

  @Test(arguments: edges)
  func `an edge is as wide as it was set, on all four sides`(
    _ x: Int32, _ y: Int32, _ isHeld: Bool
  ) {
    let rig = FilterRig { $0.edgeHold = EdgeHold(distance: 2, travel: 3, limit: nil) }
    rig.down(x, y, at: 0)
    #expect(rig.held == (isHeld ? 1 : 0))
    #expect(rig.lines.isEmpty == isHeld)
    #expect(rig.deadline == nil)
  }

  @Test func `the time limit of the edge lets a resting contact go`() throws {
    let rig = FilterRig { $0.edgeHold = EdgeHold(distance: 2, travel: 3, limit: 100_000_000) }
    rig.down(10, 100, at: 0)
    #expect(rig.deadline == 100)
    rig.wake(at: 100)
    rig.up(at: 150)
    #expect(rig.lines == ["0: 1 down 5,50", "150: 1 up 5,50"])
    try rig.finish()
  }

  @Test func `a contact that grows is held until it stopped, a tap before that comes late`() throws
  {
    let rig = FilterRig { $0.palmSize = PalmSize(diameter: 20, settledFrames: 2) }
    rig.down(100, 100, major: 10, at: 0)
    rig.move(100, 100, major: 20, at: 10)
    rig.move(100, 100, major: 20, at: 20)
    rig.move(100, 100, major: 30, at: 30)
    rig.move(100, 100, major: 30, at: 40)
    #expect(rig.lines == [])
    rig.move(100, 100, major: 25, at: 50)
    rig.up(at: 60)
    #expect(
      rig.lines == ["0: 1 down 50,50", "50: 1 still 50,50", "60: 1 up 50,50"])
    rig.down(100, 100, major: 10, at: 100)
    rig.up(at: 110)
    #expect(rig.lines.dropFirst(3) == ["100: 2 down 50,50", "110: 2 up 50,50"])
    // Grown to a palm while it was held: nobody ever knew.
    rig.down(100, 100, major: 10, at: 200)
    rig.move(100, 100, major: 100, at: 210)
    rig.up(at: 220)
    #expect(rig.lines.count == 5)
    #expect(rig.drops == ["3 still by palm-size"])
    #expect(rig.counters(.palmSize).all == [3, 2, 3, 1, 0])
    // A panel that has nothing to report does not hold it for ever.
    rig.down(100, 100, major: 10, at: 300)
    #expect(rig.deadline == 400)
    rig.wake(at: 400)
    #expect(rig.lines.dropFirst(5) == ["300: 4 down 50,50"])
    rig.up(at: 500)
    try rig.finish()
  }

  @Test func `a ghost in a corner is dropped, a finger that moves out of it is not`() throws {
    let rig = FilterRig { $0.ghostCorner = 1 }
    rig.tap(1000, 500, at: 0, for: 500)
    rig.tap(990, 491, at: 600)
    rig.tap(989, 500, at: 700)
    rig.down(5, 495, at: 800)
    rig.move(6, 495, at: 810)
    rig.up(at: 820)
    #expect(
      rig.lines == [
        "700: 3 down 494.5,250", "710: 3 up 494.5,250", "800: 4 down 2.5,247.5",
        "810: 4 motion 3,247.5", "820: 4 up 3,247.5",
      ])
    #expect(rig.drops == ["1 up by ghost", "2 up by ghost"])
    #expect(rig.counters(.ghost).all == [4, 2, 3, 2, 0])
    try rig.finish()
  }

  @Test func `a ghost of the last unit needs no resolution`() throws {
    let rig = FilterRig(.panel(resolution: 0)) { $0.ghostCorner = 0 }
    rig.tap(1000, 500, at: 0)
    rig.tap(999, 500, at: 20)
    rig.tap(1000, 499, at: 40)
    #expect(rig.drops == ["1 up by ghost"])
    #expect(rig.lines.count == 4)
  }

  @Test func `the first that drops a contact is named, and all must let it go`() throws {
    let rig = FilterRig {
      $0.minimumDuration = 50_000_000
      $0.edgeHold = EdgeHold(distance: 2, travel: 3, limit: 20_000_000, deliversEnded: true)
      $0.ghostCorner = 1
    }
    rig.tap(0, 0, at: 0, for: 10)  // Ghost, edge and duration hold it.
    rig.tap(0, 250, at: 100, for: 30)  // The edge would deliver it, the duration does not.
    #expect(rig.drops == ["1 up by ghost", "2 up by min-duration"])
    rig.down(0, 250, at: 200)
    #expect(rig.deadline == 220)
    rig.wake(at: 220)
    #expect(rig.deadline == 250)
    #expect(rig.lines == [])
    rig.wake(at: 250)
    rig.up(at: 300)
    #expect(rig.lines == ["200: 3 down 0,125", "300: 3 up 0,125"])
    #expect(rig.counters(.ghost).all == [3, 2, 1, 1, 0])
    #expect(rig.counters(.edgeHold).all == [3, 2, 3, 0, 0])
    #expect(rig.counters(.minimumDuration).all == [3, 1, 3, 1, 0])
    try rig.finish()
  }

  @Test func `a held contact that the device takes back is never seen`() throws {
    let rig = FilterRig { $0.minimumDuration = 20_000_000 }
    rig.down(0, 100, 100, at: 0)
    rig.down(1, 200, 100, at: 5)
    rig.wake(at: 20)
    // Unplugged: everything that is down is cancelled in one frame.
    rig.feed(
      [
        Contact(id: 1, slot: 0, phase: .cancel, position: Point(x: 50, y: 50)),
        Contact(id: 2, slot: 1, phase: .cancel, position: Point(x: 100, y: 50)),
      ], at: 22)
    #expect(rig.lines == ["0: 1 down 50,50", "22: 1 cancel 50,50"])
    #expect(rig.drops == ["2 cancel by min-duration"])
    #expect(rig.deadline == nil)
    try rig.finish()
  }

  @Test func `one that is taken back past its time, before the wake-up, is never seen either`()
    throws
  {
    let rig = FilterRig { $0.minimumDuration = 20_000_000 }
    rig.down(100, 100, at: 0)
    rig.cancel(at: 25)
    #expect(rig.lines == [])
    #expect(rig.drops == ["1 cancel by min-duration"])
    #expect(rig.counters(.minimumDuration).all == [1, 0, 1, 1, 0])
    try rig.finish()
  }

  @Test func `an edge without a distance waits for any movement of the contact itself`() throws {
    let rig = FilterRig { $0.edgeHold = EdgeHold(distance: 2, travel: 0, limit: nil) }
    rig.down(0, 10, 100, at: 0)
    rig.down(1, 500, 100, at: 10)
    rig.move(1, 510, 100, at: 20)
    #expect(rig.held == 1)
    #expect(rig.lines == ["10: 2 down 250,50", "20: 2 motion 255,50"])
    rig.move(0, 11, 100, at: 30)
    #expect(rig.held == 0)
    #expect(
      rig.lines.dropFirst(2) == [
        "20: 1 down 5,50; 2 still 255,50", "30: 1 motion 5.5,50; 2 still 255,50",
      ])
  }

  @Test func `a slot that is used again in the frame of a late end holds the new contact`() throws {
    let rig = FilterRig { $0.minimumDuration = 20_000_000 }
    rig.down(0, 100, 100, at: 0)
    let place = Point(x: 50, y: 50)
    rig.feed(
      [
        Contact(id: 1, slot: 0, phase: .up, position: place, rawX: 100, rawY: 100),
        Contact(id: 2, slot: 0, phase: .down, position: place, rawX: 100, rawY: 100),
      ], at: 30)
    #expect(rig.lines == ["0: 1 down 50,50", "30: 1 up 50,50"])
    #expect(rig.deadline == 50)
    rig.wake(at: 50)
    #expect(rig.lines.last == "30: 2 down 50,50")
  }
}
