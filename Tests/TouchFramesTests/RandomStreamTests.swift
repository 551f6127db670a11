import Glibc
import TestSupport
import Testing
import TouchFrames
import TouchModel

@Suite struct `Random event streams` {
  /// What may happen to a panel.
  enum Move: CaseIterable {
    case slot
    case id
    case lift
    case position
    case tool
    case distance
    case report
    case dropped
    case goesAway
    case anything
    case cancelAll
  }

  static func value(_ dice: inout SplitMix, usual: ClosedRange<Int32>) -> Int32 {
    Int.random(in: 0..<50, using: &dice) == 0
      ? Int32.random(in: .min ... .max, using: &dice) : Int32.random(in: usual, using: &dice)
  }

  static func slots(_ dice: inout SplitMix) -> [SlotState] {
    (0..<Int.random(in: 0...8, using: &dice)).map { _ in
      SlotState(
        trackingID: .random(in: -1...4, using: &dice), x: value(&dice, usual: 0...1000),
        tool: .random(in: 0...2, using: &dice), distance: .random(in: -1...1, using: &dice))
    }
  }

  static func make(_ move: Move, on rig: PanelRig, _ dice: inout SplitMix) {
    let time = Int.random(in: 0...1_000_000_000, using: &dice)
    switch move {
    case .slot: rig.slot(value(&dice, usual: 0...7))
    case .id: rig.id(value(&dice, usual: -1...5))
    case .lift: rig.id(-1)
    case .position:
      rig.abs(Bool.random(using: &dice) ? 0x35 : 0x36, value(&dice, usual: 0...1000))
    case .tool: rig.tool(value(&dice, usual: 0...2))
    case .distance: rig.distance(value(&dice, usual: 0...1))
    case .report: rig.report(time)
    case .dropped where Bool.random(using: &dice): rig.dropped(time)
    case .goesAway where Bool.random(using: &dice): rig.report(time, value: 1)
    case .cancelAll where Int.random(in: 0..<20, using: &dice) == 0: rig.cancelAll(UInt64(time))
    case .dropped, .goesAway, .cancelAll: break
    case .anything:
      rig.send(
        .random(in: 0...5, using: &dice), .random(in: 0...0x3f, using: &dice),
        value(&dice, usual: -1...3), at: .random(in: .min ... .max, using: &dice))
    }
    if rig.needsResync, Int.random(in: 0..<4, using: &dice) == 0 {
      rig.resynchronise(UInt64(time), slots(&dice), current: value(&dice, usual: 0...7))
    }
  }

  @Test(arguments: [FrameAssembler.Source.recording, .device])
  func `they never trap and obey the laws of a touch stream`(_ source: FrameAssembler.Source)
    throws
  {
    let seed = environmentSeed("RandomStreamTests")
    print("random event streams of a \(source): TOUCHBRIDGE_SEED=\(seed)")
    var dice = SplitMix(seed: seed)
    for round in 0..<randomRounds {
      let slots = Int32.random(in: 1...8, using: &dice)
      let rig = try PanelRig(.panel(slots: slots), source: source)
      if Bool.random(using: &dice) {
        rig.adopt(Self.slots(&dice), current: .random(in: -1...9, using: &dice))
      }
      for _ in 0..<Int.random(in: 0..<200, using: &dice) {
        Self.make(Move.allCases.randomElement(using: &dice) ?? .report, on: rig, &dice)
        if rig.fault != nil { break }
      }
      rig.finish()
      try #require(rig.fault == nil, "round \(round) of seed \(seed)")
      for frame in rig.frames {
        try #require(Self.isOrdered(frame), "round \(round) of seed \(seed): \(frame)")
      }
    }
  }

  /// Contacts rise by slot, an ended one before its successor; positions lie in 0...1.
  static func isOrdered(_ frame: TouchFrame) -> Bool {
    let contacts = frame.contacts
    let areInside = contacts.allSatisfy {
      (0...1).contains($0.position.x) && (0...1).contains($0.position.y)
    }
    return areInside && !contacts.isEmpty
      && zip(contacts, contacts.dropFirst()).allSatisfy { first, second in
        first.slot < second.slot
          || (first.slot == second.slot && first.phase.isEnd && second.phase == .down)
      }
  }
}
