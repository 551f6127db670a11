import Testing
import TouchFilters
import TouchModel

@Suite struct `Filter settings` {
  struct Fault: Sendable {
    var sentence: String
    var geometry = PanelGeometry.panel()
    var change: @Sendable (inout FilterSettings) -> Void
  }

  private static let noSize =
    "is off: it works in millimetres, but the panel states no resolution. Set the panel's size."

  private static func noSize(
    _ name: String, _ change: @escaping @Sendable (inout FilterSettings) -> Void
  ) -> Fault {
    Fault(
      sentence: "filter \(name) \(noSize)", geometry: .panel(resolution: 0), change: change)
  }

  static let faults = [
    noSize("dead-rectangle") { $0.deadRectangles = [Rect(x: 0, y: 0, width: 1, height: 1)] },
    noSize("lift-debounce") { $0.liftDebounce = LiftDebounce(duration: 1, distance: 1) },
    noSize("contact-rate") { $0.contactRate = ContactRate(perSecond: 1, distance: 1) },
    noSize("palm-size") { $0.palmSize = PalmSize(diameter: 1) },
    noSize("ghost") { $0.ghostCorner = 1 },
    noSize("edge-hold") { $0.edgeHold = EdgeHold(distance: 1, travel: 1, limit: nil) },
    noSize("hysteresis") { $0.hysteresis = .millimetres(1) },
    Fault(
      sentence: "filter palm-size is off: the panel reports no contact size. Take the setting out.",
      geometry: .panel(area: false)
    ) { $0.palmSize = PalmSize(diameter: 1) },
    Fault(
      sentence: "filter pressure-drop is off: the panel reports no pressure. Take the setting out.",
      geometry: .panel(pressure: false)
    ) { $0.pressureDrop = 0.5 },
    Fault(
      sentence: "filter median is off: its window must be an odd number from 3 to 9. Correct the "
        + "setting."
    ) { $0.medianWindow = 4 },
    Fault(
      sentence: "filter median is off: its window must be an odd number from 3 to 9. Correct the "
        + "setting."
    ) { $0.medianWindow = 11 },
    Fault(
      sentence: "filter pressure-drop is off: its fraction must be between 0 and 1. Correct the "
        + "setting."
    ) { $0.pressureDrop = .nan },
    Fault(
      sentence: "filter max-contacts is off: its number must be 1 or more. Correct the setting."
    ) { $0.maximumContacts = 0 },
    Fault(
      sentence: "filter contact-rate is off: its number must be 1 to 64 a second. Correct the "
        + "setting."
    ) { $0.contactRate = ContactRate(perSecond: 65, distance: 1) },
    Fault(
      sentence: "filter edge-hold is off: its distance must be a number of millimetres above 0. "
        + "Correct the setting."
    ) { $0.edgeHold = EdgeHold(distance: -1, travel: 1, limit: nil) },
    Fault(
      sentence: "filter hysteresis is off: its margin must be a number of millimetres above 0. "
        + "Correct the setting."
    ) { $0.hysteresis = .millimetres(.infinity) },
    Fault(
      sentence: "filter dead-rectangle is off: its rectangles must be at most 16. Correct the "
        + "setting."
    ) {
      $0.deadRectangles = Array(repeating: Rect(x: 0, y: 0, width: 1, height: 1), count: 17)
    },
    Fault(
      sentence: "filter dead-rectangle is off: its rectangles must be finite and not empty. "
        + "Correct the setting."
    ) { $0.deadRectangles = [Rect(x: 0, y: 0, width: .nan, height: 1)] },
    Fault(
      sentence: "filter min-duration is off: its duration must be above 0. Correct the setting."
    ) { $0.minimumDuration = 0 },
    Fault(
      sentence: "filter low-pass is off: its time constant must be above 0. Correct the setting."
    ) { $0.lowPass = 0 },
  ]

  @Test(arguments: faults)
  func `what cannot work is off and says why, the others work`(_ fault: Fault) {
    var settings = FilterSettings()
    fault.change(&settings)
    let alone = FilterPlan(settings, for: fault.geometry)
    #expect(alone.problems.map(\.description) == [fault.sentence])
    #expect(alone.isEmpty)
    #expect(alone.filters == [])
    if settings.maximumContacts == nil {
      settings.maximumContacts = 3
    } else {
      settings.medianWindow = 3
    }
    #expect(FilterPlan(settings, for: fault.geometry).filters.count == 1)
  }

  @Test func `nothing is filtered by default, but for what udev says`() {
    #expect(FilterPlan(FilterSettings(), for: .panel()).isEmpty)
    let properties = ["LIBINPUT_FUZZ_35": "8", "LIBINPUT_FUZZ_36": "8"]
    let plan = FilterPlan(FilterSettings(), for: .panel(), properties: properties)
    #expect(plan.filters == [.hysteresis])
    #expect(FilterPlan(.off, for: .panel(), properties: properties).isEmpty)
  }

  @Test func `a size in millimetres takes the place of the panel's resolution`() {
    let x = AxisRange(minimum: 0, maximum: 1000)
    let axes = [EvdevCode.absMTPositionX: x, EvdevCode.absMTPositionY: x]
    let placement = RawPlacement(
      x: x, y: x, origin: Point(x: 0, y: 0), xEnd: Point(x: 1, y: 0), yEnd: Point(x: 0, y: 1),
      area: (Point(x: 0, y: 0), Point(x: 1, y: 1)))
    let units = { (size: SIMD2<Double>?) in
      PanelGeometry(axes: axes, placement: placement, areaScale: 1, size: size).unitsPerMillimetre
    }
    #expect(units(SIMD2(200, 100)) == SIMD2(5, 10))
    #expect(units(SIMD2(0, 100)) == nil)
    #expect(units(SIMD2(-1, 100)) == nil)
    #expect(units(SIMD2(.nan, 100)) == nil)
    #expect(units(nil) == nil)
  }

  @Test func `all filters show their settings and counters in their order`() {
    var settings = FilterSettings()
    settings.deadRectangles = [Rect(x: 0, y: 0, width: 1, height: 1)]
    settings.liftDebounce = LiftDebounce(duration: 20_000_000, distance: 3)
    settings.contactRate = ContactRate(perSecond: 5, distance: 10)
    settings.maximumContacts = 10
    settings.palmSize = PalmSize(diameter: 25, settledFrames: 2)
    settings.ghostCorner = 0.5
    settings.edgeHold = EdgeHold(distance: 2, travel: 3, limit: 150_000_000, deliversEnded: true)
    settings.minimumDuration = 12_500_000
    settings.pressureDrop = 0.5
    settings.medianWindow = 3
    settings.lowPass = 8_000_000
    settings.hysteresis = .millimetres(0.25)
    let chain = FilterChain(FilterPlan(settings, for: .panel()), frameCapacity: 4)
    let lines = chain.status.map { status in
      ([status.filter.name] + status.settings.map { "\($0.name)=\($0.value)" })
        .joined(separator: " ")
    }
    #expect(
      lines == [
        "dead-rectangle rectangles=1.0", "lift-debounce ms=20.0 mm=3.0",
        "contact-rate per_s=5.0 mm=10.0", "max-contacts contacts=10.0",
        "palm-size mm=25.0 settled_frames=2.0 limit_ms=100.0", "ghost mm=0.5",
        "edge-hold mm=2.0 travel_mm=3.0 limit_ms=150.0 delivers=1.0", "min-duration ms=12.5",
        "pressure-drop fraction=0.5", "median window=3.0", "low-pass ms=8.0",
        "hysteresis x_units=2.5 y_units=2.5",
      ])
    #expect(chain.status.map(\.filter) == FilterKind.allCases)
  }
}

@Suite struct `A dry run` {
  @Test func `counts what each filter would have done and changes nothing`() throws {
    var settings = FilterSettings()
    settings.minimumDuration = 20_000_000
    settings.palmSize = PalmSize(diameter: 20)
    settings.hysteresis = .millimetres(1)
    settings.maximumContacts = 1
    var counts: [[[UInt64]]] = []
    for isDryRun in [false, true] {
      settings.isDryRun = isDryRun
      let rig = FilterRig(FilterPlan(settings, for: .panel()))
      rig.tap(100, 100, at: 0)
      rig.down(0, 100, 100, at: 100)
      rig.down(1, 300, 100, at: 110)
      rig.up(1, at: 120)
      rig.move(0, 105, 100, at: 130)
      rig.move(0, 105, 100, major: 200, at: 140)
      rig.up(0, at: 150)
      let kinds: [FilterKind] = [.maximumContacts, .palmSize, .minimumDuration, .hysteresis]
      counts.append(kinds.map { rig.counters($0).all })
      try rig.finish()
      guard isDryRun else {
        #expect(
          rig.lines == [
            "100: 2 down 50,50", "120: 2 still 50,50", "130: 2 still 50,50", "140: 2 cancel 50,50",
          ])
        #expect(
          rig.drops == ["1 up by min-duration", "3 down by max-contacts", "2 cancel by palm-size"])
        continue
      }
      #expect(
        rig.lines == [
          "0: 1 down 50,50", "10: 1 up 50,50", "100: 2 down 50,50",
          "110: 2 still 50,50; 3 down 150,50", "120: 2 still 50,50; 3 up 150,50",
          "130: 2 motion 52.5,50", "140: 2 still 52.5,50", "150: 2 up 52.5,50",
        ])
      #expect(rig.drops == [])
      #expect(rig.deadline == nil)
    }
    #expect(counts[0] == counts[1])
    #expect(
      counts[1] == [[3, 2, 0, 1, 0], [2, 2, 0, 1, 0], [2, 1, 2, 1, 0], [1, 1, 0, 0, 1]])
  }
}
