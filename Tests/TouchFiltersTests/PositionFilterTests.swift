import Testing
import TouchFilters
import TouchModel

@Suite struct `Filters of positions` {
  @Test func `hysteresis keeps a resting contact still and drags behind a moving one`() throws {
    // 1 mm is 10 units.
    let rig = FilterRig { $0.hysteresis = .millimetres(1) }
    rig.down(100, 100, at: 0)
    rig.move(106, 108, at: 10)  // On the margin.
    rig.move(95, 100, at: 20)
    rig.move(130, 100, at: 30)
    rig.move(125, 100, at: 40)
    rig.move(100, 100, at: 50)
    rig.up(at: 60)
    #expect(
      rig.lines == [
        "0: 1 down 50,50", "10: 1 still 50,50", "20: 1 still 50,50", "30: 1 motion 60,50",
        "40: 1 still 60,50", "50: 1 motion 55,50", "60: 1 up 55,50",
      ])
    #expect(rig.counters(.hysteresis).all == [1, 1, 0, 0, 5])
    try rig.finish()
  }

  static let margins: [(Hysteresis, Int32, Int32, String?, String?, HysteresisMargin?)] = [
    (.fromFuzz, 0, 10, "8", "6", HysteresisMargin(x: 4, y: 3)),
    (.fromFuzz, 0, 0, "9", nil, HysteresisMargin(x: 4.5, y: 0)),
    (.fromFuzz, 8, 10, "8", "8", HysteresisMargin.none),  // The kernel filters.
    (.fromFuzz, 0, 10, nil, nil, HysteresisMargin.none),
    (.fromFuzz, 0, 10, "eight", "-4", HysteresisMargin.none),
    (.fromFuzz, 0, 10, "99999999999", " 8", HysteresisMargin.none),
    (.millimetres(0.5), 8, 10, "8", "8", HysteresisMargin(x: 5, y: 5)),
    (.millimetres(0.5), 0, 0, "8", "8", nil),
    (.millimetres(.nan), 0, 10, nil, nil, HysteresisMargin.none),
    (.off, 0, 10, "8", "8", HysteresisMargin.none),
  ]

  @Test(arguments: margins)
  func `the margin is half of udev's fuzz unless the kernel has it, or what was set`(
    _ setting: Hysteresis, _ fuzz: Int32, _ resolution: Int32, _ x: String?, _ y: String?,
    _ margin: HysteresisMargin?
  ) {
    let geometry = PanelGeometry.panel(resolution: resolution, fuzz: fuzz)
    #expect(HysteresisMargin.of(geometry, setting: setting, xFuzz: x, yFuzz: y) == margin)
  }

  @Test func `a margin on one axis leaves the other alone`() throws {
    let rig = FilterRig(properties: ["LIBINPUT_FUZZ_35": "20"]) { $0.isDryRun = false }
    rig.down(100, 100, at: 0)
    rig.move(108, 102, at: 10)
    rig.move(115, 102, at: 20)
    rig.move(100, 102, at: 30)
    rig.move(80, 102, at: 40)
    rig.up(at: 50)
    #expect(
      rig.lines == [
        "0: 1 down 50,50", "10: 1 motion 50,51", "20: 1 motion 52.5,51", "30: 1 still 52.5,51",
        "40: 1 motion 45,51", "50: 1 up 45,51",
      ])
    #expect(rig.counters(.hysteresis).changed == 4)
  }

  @Test func `the median takes single jumps out`() throws {
    let rig = FilterRig { $0.medianWindow = 3 }
    rig.down(100, 100, at: 0)
    rig.move(900, 400, at: 10)
    rig.move(110, 100, at: 20)
    rig.move(120, 100, at: 30)
    rig.move(120, 100, at: 40)
    rig.up(at: 50)
    #expect(
      rig.lines == [
        "0: 1 down 50,50", "10: 1 still 50,50", "20: 1 motion 55,50", "30: 1 motion 60,50",
        "40: 1 still 60,50", "50: 1 up 60,50",
      ])
    #expect(rig.counters(.median).all == [1, 1, 0, 0, 1])
    try rig.finish()
  }

  @Test func `each contact has a median of its own`() throws {
    let rig = FilterRig { $0.medianWindow = 5 }
    rig.down(0, 100, 100, at: 0)
    rig.down(1, 300, 300, at: 10)
    rig.move(0, 200, 100, at: 20)
    rig.move(1, 400, 300, at: 30)
    rig.move(1, 400, 300, at: 40)
    #expect(
      rig.lines.dropFirst(2) == [
        "20: 1 still 50,50; 2 still 150,150", "30: 1 still 50,50; 2 still 150,150",
        "40: 1 motion 100,50; 2 still 150,150",
      ])
  }

  @Test func `the low-pass follows by true times and takes no repeated value`() throws {
    let rig = FilterRig { $0.lowPass = 10_000_000 }
    rig.down(0, 100, at: 0)
    rig.move(400, 100, at: 10)  // Half of the way after one time constant.
    rig.move(400, 100, at: 20)
    rig.move(400, 100, at: 25)
    // 30 ms after the last change: three quarters.
    rig.move(600, 100, at: 40)
    rig.up(at: 50)
    #expect(
      rig.lines == [
        "0: 1 down 0,50", "10: 1 motion 100,50", "20: 1 still 100,50", "25: 1 still 100,50",
        "40: 1 motion 250,50", "50: 1 up 250,50",
      ])
    #expect(rig.counters(.lowPass).all == [1, 1, 0, 0, 4])
    try rig.finish()
  }

  @Test func `the low-pass takes a clock that stands or goes back for no time`() {
    let rig = FilterRig { $0.lowPass = 10_000_000 }
    rig.down(100, 100, at: 50)
    rig.move(200, 100, at: 50)
    rig.move(300, 100, at: 40)
    #expect(
      rig.lines == ["50: 1 down 50,50", "50: 1 still 50,50", "40: 1 still 50,50"])
  }

  @Test func `a sample whose pressure drops is no move, less pressure for good is`() throws {
    let rig = FilterRig { $0.pressureDrop = 2.0 / 3 }
    rig.down(158, 100, pressure: 0.6, at: 0)
    rig.move(160, 100, pressure: 0.6, at: 10)
    rig.move(591, 100, pressure: 0.3, at: 20)  // It rolls off.
    rig.move(162, 100, pressure: 0.6, at: 30)
    // From here on the finger is light: mean 0.525, 0.45, 0.375, 0.375, 0.3 of the four before.
    for (index, x) in [Int32(170), 180, 190].enumerated() {
      rig.move(x, 100, pressure: 0.3, at: 40 + 10 * index)
    }
    rig.up(at: 70)
    #expect(
      rig.lines == [
        "0: 1 down 79,50", "10: 1 motion 80,50", "20: 1 still 80,50", "30: 1 motion 81,50",
        "40: 1 still 81,50", "50: 1 motion 90,50", "60: 1 motion 95,50", "70: 1 up 95,50",
      ])
    #expect(rig.counters(.pressureDrop).all == [1, 1, 0, 0, 2])
    try rig.finish()
  }

  @Test func `filters stand in their order: pressure, median, low-pass, hysteresis`() throws {
    let rig = FilterRig {
      $0.pressureDrop = 0.5
      $0.medianWindow = 3
      $0.lowPass = 10_000_000
      $0.hysteresis = .millimetres(1)
    }
    rig.down(100, 100, at: 0)
    rig.move(900, 100, pressure: 0.1, at: 10)  // Stopped by the pressure: all samples stay 100.
    rig.move(200, 100, pressure: 0.5, at: 20)  // Median 100.
    rig.move(200, 100, pressure: 0.5, at: 30)  // Median 200, low-pass 175, hysteresis 165.
    #expect(
      rig.lines == [
        "0: 1 down 50,50", "10: 1 still 50,50", "20: 1 still 50,50", "30: 1 motion 82.5,50",
      ])
    #expect(rig.counters(.pressureDrop).changed == 1)
    #expect(rig.counters(.median).changed == 1)
    #expect(rig.counters(.lowPass).changed == 1)
    #expect(rig.counters(.hysteresis).changed == 1)
  }

  @Test func `what is smoothed while it is held goes on as if it had not been`() throws {
    let rig = FilterRig {
      $0.minimumDuration = 25_000_000
      $0.medianWindow = 3
    }
    rig.down(100, 100, at: 0)
    rig.move(200, 100, at: 10)
    rig.move(210, 100, at: 20)
    rig.move(220, 100, at: 30)
    rig.up(at: 40)
    #expect(
      rig.lines == ["0: 1 down 50,50", "30: 1 motion 105,50", "40: 1 up 105,50"])
    try rig.finish()
  }
}
