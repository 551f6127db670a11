import TestSupport
import Testing
import TouchFrames
import TouchModel

/// Devices of any shape and options of any kind, with events that keep no order.
@Suite struct `Random devices` {
  /// What may happen to a device.
  enum Move: CaseIterable {
    case slot
    case id
    case lift
    case axis
    case key
    case mtReport
    case report
    case dropped
    case goesAway
    case anything
    case cancelAll
    case quiet
    case batch
  }

  static let axes: [UInt16] = [
    EvdevCode.absX, EvdevCode.absY, 2, 3, EvdevCode.absPressure, EvdevCode.absDistance,
    EvdevCode.absMTTouchMajor, EvdevCode.absMTTouchMinor, EvdevCode.absMTOrientation,
    EvdevCode.absMTPositionX, EvdevCode.absMTPositionY, EvdevCode.absMTToolType,
    EvdevCode.absMTPressure, EvdevCode.absMTDistance,
  ]

  static let keys: [UInt16] = [
    EvdevCode.btnTouch, EvdevCode.btnLeft, EvdevCode.btnToolPen, 0x141, EvdevCode.btnStylus,
    EvdevCode.btnToolFinger,
  ]

  static func range(_ dice: inout SplitMix) -> AxisRange {
    switch Int.random(in: 0..<8, using: &dice) {
    case 0: AxisRange(minimum: .min, maximum: .max)
    case 1: AxisRange(minimum: 500, maximum: -500)
    case 2: AxisRange(minimum: 7, maximum: 7)
    case 3: AxisRange(minimum: .max, maximum: .min)
    case 4: AxisRange(minimum: -1000, maximum: -1)
    default: AxisRange(minimum: 0, maximum: 1000)
    }
  }

  static func device(_ dice: inout SplitMix) -> DeviceDescription {
    var device = DeviceDescription(name: "random")
    for axis in axes where Int.random(in: 0..<4, using: &dice) > 0 {
      device.axes[axis] = range(&dice)
    }
    if Bool.random(using: &dice) {
      let counts: [Int32] = [-1, 0, 1, 2, 5, 10, 64, 255, 1024, 2000, .max - 1, .max]
      let last = counts.randomElement(using: &dice) ?? 0
      device.axes[EvdevCode.absMTSlot] = AxisRange(minimum: 0, maximum: last)
    }
    if Bool.random(using: &dice) { device.axes[EvdevCode.absMTTrackingID] = range(&dice) }
    device.codes[EvdevCode.key] = Set(keys.filter { _ in Bool.random(using: &dice) })
    return device
  }

  static func options(_ dice: inout SplitMix) -> FrameOptions {
    var options = FrameOptions()
    options.outOfRange = FrameOptions.OutOfRange.allCases.randomElement(using: &dice) ?? .clamp
    options.reportsHover = Bool.random(using: &dice)
    options.timesNeverStepBack = Bool.random(using: &dice)
    options.liftsWhenQuiet = Bool.random(using: &dice)
    options.quietLimitNanoseconds = [0, 1, 50_000, .max].randomElement(using: &dice) ?? 0
    options.matchDistance = [0.25, 0, -1, .nan, .infinity, 1].randomElement(using: &dice) ?? 0
    if Int.random(in: 0..<4, using: &dice) == 0 { options.pressureRange = -5...Int32.max }
    if Int.random(in: 0..<4, using: &dice) == 0 {
      options.positionAxes = PositionAxes(
        x: axes.randomElement(using: &dice) ?? 0, y: axes.randomElement(using: &dice) ?? 0)
    }
    for axis in axes where Int.random(in: 0..<10, using: &dice) == 0 {
      options.axes[axis] = AxisOverride(
        minimum: Bool.random(using: &dice) ? .random(in: -5...5, using: &dice) : nil,
        maximum: Bool.random(using: &dice) ? .random(in: .min ... .max, using: &dice) : nil,
        resolution: 4)
    }
    return options
  }

  static func value(_ dice: inout SplitMix, usual: ClosedRange<Int32>) -> Int32 {
    Int.random(in: 0..<40, using: &dice) == 0
      ? Int32.random(in: .min ... .max, using: &dice) : Int32.random(in: usual, using: &dice)
  }

  static func states(_ dice: inout SplitMix) -> [SlotState] {
    (0..<Int.random(in: 0...8, using: &dice)).map { _ in
      SlotState(
        trackingID: value(&dice, usual: -1...4), x: value(&dice, usual: 0...1000),
        y: value(&dice, usual: 0...1000), tool: value(&dice, usual: 0...2),
        distance: value(&dice, usual: -1...1), pressure: value(&dice, usual: 0...255))
    }
  }

  static func event(_ time: Int, _ dice: inout SplitMix) -> EvdevEvent {
    let codes = axes + [EvdevCode.absMTSlot, EvdevCode.absMTTrackingID, EvdevCode.absMTTrackingID]
    var event = EvdevEvent(
      seconds: 0, microseconds: time, type: EvdevCode.abs,
      code: codes.randomElement(using: &dice) ?? 0, value: value(&dice, usual: -1...1000))
    switch Int.random(in: 0..<8, using: &dice) {
    case 0:
      event.type = EvdevCode.syn
      event.code = [0, 0, 0, 2, 2, 3].randomElement(using: &dice) ?? 0
      event.value = 0
    case 1:
      event.type = EvdevCode.key
      event.code = keys.randomElement(using: &dice) ?? 0
      event.value = .random(in: 0...2, using: &dice)
    default: break
    }
    return event
  }

  static func make(_ move: Move, on rig: PanelRig, _ dice: inout SplitMix) {
    let time = Int.random(in: 0...1_000_000, using: &dice)
    let isRare = Int.random(in: 0..<20, using: &dice) == 0
    switch move {
    case .slot: rig.slot(value(&dice, usual: 0...7))
    case .id: rig.id(value(&dice, usual: -1...5))
    case .lift: rig.id(-1)
    case .axis: rig.abs(axes.randomElement(using: &dice) ?? 0, value(&dice, usual: -5...1005))
    case .key:
      rig.key(keys.randomElement(using: &dice) ?? 0, .random(in: 0...2, using: &dice))
    case .mtReport: rig.mtReport()
    case .report: rig.report(time)
    case .dropped where isRare: rig.dropped(time)
    case .goesAway where isRare: rig.report(time, value: 1)
    case .cancelAll where isRare: rig.cancelAll(UInt64(time))
    case .dropped, .goesAway, .cancelAll: break
    case .quiet: fallSilent(rig, &dice)
    case .batch:
      let count = Int.random(in: 0..<60, using: &dice)
      rig.feed((0..<count).map { event(time + $0, &dice) })
    case .anything:
      rig.send(
        .random(in: 0...5, using: &dice), .random(in: 0...0x3f, using: &dice),
        value(&dice, usual: -1...3), at: .random(in: .min ... .max, using: &dice))
    }
    if rig.needsResync, Int.random(in: 0..<4, using: &dice) == 0 {
      rig.resynchronise(
        UInt64(time), states(&dice), current: value(&dice, usual: 0...7),
        touchKey: [nil, true, false].randomElement(using: &dice) ?? nil)
    }
  }

  static func fallSilent(_ rig: PanelRig, _ dice: inout SplitMix) {
    rig.deadlineReached((rig.deadline ?? 0) &+ .random(in: 0...2, using: &dice))
    // An answer may also come late, or where nobody asked.
    guard rig.needsStateCheck || Int.random(in: 0..<10, using: &dice) == 0 else { return }
    rig.takeState(
      .random(in: 0...1_000_000, using: &dice), states(&dice),
      touchKey: [nil, true, false].randomElement(using: &dice) ?? nil)
  }

  @Test(arguments: [FrameAssembler.Source.recording, .device])
  func `never trap, and their streams obey the laws`(_ source: FrameAssembler.Source) throws {
    let seed = environmentSeed("RandomDeviceTests")
    print("random devices as a \(source): TOUCHBRIDGE_SEED=\(seed)")
    var dice = SplitMix(seed: seed)
    var kinds: Set<String> = []
    for round in 0..<randomRounds {
      let device = Self.device(&dice)
      let options = Self.options(&dice)
      guard let rig = try? PanelRig(device, source: source, options: options) else { continue }
      kinds.insert(String("\(rig.heldState)".prefix(5)))
      if Bool.random(using: &dice) {
        rig.adopt(
          Self.states(&dice), current: .random(in: -1...9, using: &dice),
          touchKey: [nil, true, false].randomElement(using: &dice) ?? nil)
      }
      for _ in 0..<Int.random(in: 0..<200, using: &dice) {
        Self.make(Move.allCases.randomElement(using: &dice) ?? .report, on: rig, &dice)
        if rig.fault != nil { break }
      }
      rig.finish()
      try #require(rig.fault == nil, "round \(round) of seed \(seed)")
      try Self.check(rig, options, isDevice: source == .device, "round \(round) of seed \(seed)")
    }
    // A front end each, and none of them idle.
    #expect(kinds == ["slots", "conta", "touch"])
  }

  /// Holds the frames against what the options promise, beyond the laws.
  static func check(
    _ rig: PanelRig, _ options: FrameOptions, isDevice: Bool, _ where: Comment
  ) throws {
    var last: UInt64 = 0
    for frame in rig.frames {
      try #require(!frame.contacts.isEmpty && isOrdered(frame), `where`)
      if isDevice || options.timesNeverStepBack {
        try #require(frame.timeNanoseconds >= last, `where`)
      }
      last = frame.timeNanoseconds
      for contact in frame.contacts {
        try #require(options.reportsHover || contact.phase != .hover, `where`)
        try #require((0...1).contains(contact.pressure), `where`)
        guard options.outOfRange != .count else { continue }
        try #require((0...1).contains(contact.position.x), `where`)
        try #require((0...1).contains(contact.position.y), `where`)
      }
    }
  }

  /// Contacts rise by slot; of one slot the one that ended stands before its successor.
  static func isOrdered(_ frame: TouchFrame) -> Bool {
    zip(frame.contacts, frame.contacts.dropFirst()).allSatisfy { first, second in
      first.slot < second.slot
        || (first.slot == second.slot && first.phase.isEnd && !second.phase.isEnd)
    }
  }
}
