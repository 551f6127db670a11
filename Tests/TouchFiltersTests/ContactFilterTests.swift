import Testing
import TouchFilters
import TouchModel

@Suite struct `Touches that come again where a filter dropped one` {
  @Test func `are counted within 7 mm and 2 s, whatever becomes of them`() throws {
    let rig = FilterRig { $0.minimumDuration = 20_000_000 }
    rig.tap(100, 100, at: 0)
    #expect(rig.drops == ["1 up by min-duration"])
    // 7 mm are 70 units here.
    rig.tap(171, 100, at: 100, for: 30)
    #expect(rig.retouches == 0)
    rig.tap(170, 100, at: 200)
    #expect(rig.retouches == 1)
    // That one was dropped as well, so this comes after two.
    rig.tap(135, 100, at: 1_900, for: 30)
    #expect(rig.retouches == 2)
    rig.tap(170, 100, at: 2_211, for: 30)
    #expect(rig.retouches == 2, "2 s and a millisecond after the drop at 210 ms")
    try rig.finish()
  }

  @Test func `are counted after one that was taken away from an app, and in a dry run`() throws {
    for isDryRun in [false, true] {
      let rig = FilterRig {
        $0.palmSize = PalmSize(diameter: 20)
        $0.isDryRun = isDryRun
      }
      rig.down(100, 100, major: 10, at: 0)
      rig.move(110, 100, major: 100, at: 10)
      rig.up(at: 20)
      rig.tap(110, 110, at: 30)
      #expect(rig.retouches == 1)
    }
  }

  @Test func `are not counted on a panel without a size, where all places would be one`() throws {
    let rig = FilterRig(.panel(resolution: 0)) { $0.minimumDuration = 20_000_000 }
    rig.tap(100, 100, at: 0)
    rig.tap(100, 100, at: 20)
    #expect(rig.drops.count == 2)
    #expect(rig.retouches == 0)
  }
}

@Suite struct `Filters of contacts` {
  @Test func `a dead rectangle takes what begins in it, but not what moves into it`() throws {
    let rig = FilterRig { $0.deadRectangles = [Rect(x: 10, y: 10, width: 5, height: 5)] }
    rig.down(100, 100, at: 0)
    rig.move(500, 100, at: 10)
    rig.up(at: 20)
    // Its right and bottom edge lie outside.
    rig.down(150, 100, at: 30)
    rig.move(120, 120, at: 40)
    rig.up(at: 50)
    #expect(
      rig.lines == ["30: 2 down 75,50", "40: 2 motion 60,60", "50: 2 up 60,60"])
    #expect(rig.drops == ["1 down by dead-rectangle"])
    #expect(rig.counters(.deadRectangle).all == [2, 1, 0, 1, 0])
    try rig.finish()
  }

  @Test func `a bounce near a lift is dropped, later or elsewhere it is not`() throws {
    let rig = FilterRig { $0.liftDebounce = LiftDebounce(duration: 50_000_000, distance: 5) }
    rig.tap(100, 100, at: 0)
    rig.tap(130, 140, at: 59)  // 49 ms later, 5 mm away.
    rig.tap(100, 100, at: 60)  // 50 ms later: a bounce of a bounce does not count.
    rig.tap(151, 100, at: 80)  // 5.1 mm away.
    #expect(
      rig.lines == [
        "0: 1 down 50,50", "10: 1 up 50,50", "60: 3 down 50,50", "70: 3 up 50,50",
        "80: 4 down 75.5,50", "90: 4 up 75.5,50",
      ])
    #expect(rig.drops == ["2 down by lift-debounce"])
    #expect(rig.counters(.liftDebounce).all == [4, 3, 0, 1, 0])
    try rig.finish()
  }

  @Test func `a cancel is no lift, so nothing bounces off it`() throws {
    let rig = FilterRig { $0.liftDebounce = LiftDebounce(duration: 50_000_000, distance: 5) }
    rig.down(100, 100, at: 0)
    rig.cancel(at: 10)
    rig.tap(100, 100, at: 20)
    #expect(rig.drops == [])
    try rig.finish()
  }

  @Test func `contacts that begin too often in one area are dropped, those elsewhere are not`()
    throws
  {
    let rig = FilterRig { $0.contactRate = ContactRate(perSecond: 2, distance: 10) }
    for time in [0, 100, 200, 999] { rig.tap(100, 100, at: time) }
    rig.tap(500, 100, at: 1_009)
    // A second after the first of the two that passed there is room for one.
    rig.tap(100, 100, at: 1_020)
    rig.tap(100, 100, at: 1_040)
    #expect(
      rig.lines.filter { $0.contains("down") } == [
        "0: 1 down 50,50", "100: 2 down 50,50", "1009: 5 down 250,50", "1020: 6 down 50,50",
      ])
    #expect(
      rig.drops == [
        "3 down by contact-rate", "4 down by contact-rate", "7 down by contact-rate",
      ])
    #expect(rig.counters(.contactRate).all == [7, 4, 0, 3, 0])
    try rig.finish()
  }

  @Test func `the newest contacts beyond a number are dropped, and stay so`() throws {
    let rig = FilterRig { $0.maximumContacts = 2 }
    rig.down(0, 100, 100, at: 0)
    rig.down(1, 200, 100, at: 10)
    rig.down(2, 300, 100, at: 20)
    rig.up(0, at: 30)
    rig.move(2, 310, 100, at: 40)
    rig.down(3, 400, 100, at: 50)
    rig.up(2, at: 60)
    rig.up(1, at: 70)
    rig.up(3, at: 80)
    #expect(
      rig.lines == [
        "0: 1 down 50,50", "10: 1 still 50,50; 2 down 100,50", "20: 1 still 50,50; 2 still 100,50",
        "30: 1 up 50,50; 2 still 100,50", "40: 2 still 100,50", "50: 2 still 100,50; 4 down 200,50",
        "60: 2 still 100,50; 4 still 200,50", "70: 2 up 100,50; 4 still 200,50", "80: 4 up 200,50",
      ])
    #expect(rig.drops == ["3 down by max-contacts"])
    #expect(rig.counters(.maximumContacts).all == [4, 3, 0, 1, 0])
    try rig.finish()
  }

  @Test func `a palm that lands large is never delivered, one that grows is cancelled once`() throws
  {
    // 20 mm are 200 units and 100 points.
    let rig = FilterRig { $0.palmSize = PalmSize(diameter: 20) }
    rig.down(0, 100, 100, major: 100, at: 0)
    rig.move(0, 110, 100, major: 20, at: 10)
    rig.down(1, 300, 100, major: 40, at: 20)
    rig.move(1, 310, 100, major: 99.9, at: 30)
    rig.move(1, 320, 100, major: 100, at: 40)
    rig.move(1, 330, 100, major: 20, at: 50)
    rig.up(1, at: 60)
    rig.up(0, at: 70)
    #expect(
      rig.lines == ["20: 2 down 150,50", "30: 2 motion 155,50", "40: 2 cancel 155,50"])
    #expect(rig.drops == ["1 down by palm-size", "2 cancel by palm-size"])
    #expect(rig.counters(.palmSize).all == [2, 1, 0, 2, 0])
    try rig.finish()
  }

  @Test func `a contact that grows to a palm while another filter holds it is never seen`() throws {
    let rig = FilterRig {
      $0.palmSize = PalmSize(diameter: 20)
      $0.minimumDuration = 20_000_000
    }
    rig.down(100, 100, major: 40, at: 0)
    rig.move(110, 100, major: 120, at: 30)
    rig.up(at: 40)
    #expect(rig.lines == [])
    #expect(rig.drops == ["1 motion by palm-size"])
    #expect(rig.deadline == nil)
  }

  @Test func `the size that a panel reports is compared without a loss to rounding`() throws {
    for raw in stride(from: Int32(1), through: 1000, by: 1) {
      var settings = FilterSettings()
      settings.palmSize = PalmSize(diameter: Double(raw) / 10)
      let rig = FilterRig(FilterPlan(settings, for: .panel()))
      // As a frame assembler works it out.
      let factor = Float(1 / Double(1000))
      rig.down(100, 100, major: Float(raw) * factor * Float(500), at: 0)
      #expect(rig.drops == ["1 down by palm-size"], "\(raw) units")
      guard raw > 1 else { continue }
      rig.down(1, 100, 100, major: Float(raw - 1) * factor * Float(500), at: 0)
      #expect(rig.drops.count == 1, "\(raw - 1) units")
    }
  }
}
