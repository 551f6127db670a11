import TestSupport
import Testing
import TouchFilters
import TouchModel

/// A lawful stream of frames of one panel, and a model of who is down in what comes of it.
private struct RandomPanel {

  private var fingers: [Int32: Contact] = [:]
  private var lastID: UInt64 = 0
  private(set) var time: UInt64 = 1_000_000_000

  /// The next frame: each slot may do something, and a slot may be used again at once.
  mutating func frame(_ dice: inout SplitMix) -> TouchFrame {
    // Clocks stand, rarely jump, and go back in a replay.
    switch Int.random(in: 0..<20, using: &dice) {
    case 0: time &+= 2_000_000_000
    case 1: time -= min(time, 5_000_000)
    default: time &+= UInt64.random(in: 0...20_000_000, using: &dice)
    }
    var contacts: [Contact] = []
    let cancelsAll = Int.random(in: 0..<40, using: &dice) == 0
    for slot in Int32(0)..<6 {
      if let finger = fingers[slot] {
        contacts.append(next(finger, cancelsAll, &dice))
        guard contacts.last?.phase.isEnd == true else {
          fingers[slot] = contacts.last
          continue
        }
        fingers[slot] = nil
        guard Int.random(in: 0..<4, using: &dice) == 0 else { continue }
      } else if Int.random(in: 0..<4, using: &dice) > 0 {
        continue
      }
      guard !cancelsAll else { continue }
      lastID += 1
      let (x, y) = Self.place(&dice)
      var contact = Contact(
        id: lastID, slot: slot, phase: .down, position: Point(x: 0, y: 0), rawX: x, rawY: y)
      Self.detail(&contact, &dice)
      fingers[slot] = contact
      contacts.append(contact)
    }
    return TouchFrame(timeNanoseconds: time, contacts: contacts)
  }

  private func next(
    _ finger: Contact, _ cancelsAll: Bool, _ dice: inout SplitMix
  ) -> Contact {
    var contact = finger
    let end = Int.random(in: 0..<12, using: &dice)
    if cancelsAll || end < 2 {
      contact.phase = cancelsAll || end == 1 ? .cancel : .up
      return contact
    }
    contact.phase = .still
    if Bool.random(using: &dice) {
      let isFar = Int.random(in: 0..<10, using: &dice) == 0
      let place = Self.place(&dice)
      contact.rawX = isFar ? place.0 : contact.rawX &+ .random(in: -9...9, using: &dice)
      contact.rawY = isFar ? place.1 : contact.rawY &+ .random(in: -9...9, using: &dice)
      let hasMoved = contact.rawX != finger.rawX || contact.rawY != finger.rawY
      contact.phase = hasMoved ? .motion : .still
    }
    Self.detail(&contact, &dice)
    return contact
  }

  private static func place(_ dice: inout SplitMix) -> (Int32, Int32) {
    let extremes: [Int32] = [0, 1, 1000, 500, -1, .min, .max]
    if Int.random(in: 0..<4, using: &dice) == 0 {
      return (extremes.randomElement(using: &dice) ?? 0, extremes.randomElement(using: &dice) ?? 0)
    }
    return (.random(in: 0...1000, using: &dice), .random(in: 0...500, using: &dice))
  }

  private static func detail(_ contact: inout Contact, _ dice: inout SplitMix) {
    contact.position = Point(x: Double(contact.rawX) / 2, y: Double(contact.rawY) / 2)
    contact.major = Float.random(in: 0...120, using: &dice)
    contact.pressure = Float.random(in: 0...1, using: &dice)
  }
}

extension FilterSettings {
  /// Any settings, each filter on half of the time.
  fileprivate static func random(_ dice: inout SplitMix) -> FilterSettings {
    let coins = UInt16.random(in: .min ... .max, using: &dice)
    let isOn = { (bit: UInt16) in coins & 1 << bit != 0 }
    let duration = { (dice: inout SplitMix) in UInt64.random(in: 1...100_000_000, using: &dice) }
    var settings = FilterSettings()
    if isOn(0) { settings.deadRectangles = [Rect(x: 20, y: 10, width: 30, height: 20)] }
    if isOn(1) { settings.liftDebounce = LiftDebounce(duration: duration(&dice), distance: 20) }
    if isOn(2) { settings.contactRate = ContactRate(perSecond: 3, distance: 30) }
    if isOn(3) { settings.maximumContacts = .random(in: 1...4, using: &dice) }
    if isOn(4) {
      settings.palmSize = PalmSize(
        diameter: 22, settledFrames: .random(in: 0...3, using: &dice), settleLimit: duration(&dice))
    }
    if isOn(5) { settings.ghostCorner = Bool.random(using: &dice) ? 0 : 20 }
    if isOn(6) {
      settings.edgeHold = EdgeHold(
        distance: 10, travel: 2, limit: Bool.random(using: &dice) ? nil : duration(&dice),
        deliversEnded: .random(using: &dice))
    }
    if isOn(7) { settings.minimumDuration = duration(&dice) }
    if isOn(8) { settings.pressureDrop = 0.7 }
    if isOn(9) { settings.medianWindow = [3, 5, 9].randomElement(using: &dice) }
    if isOn(10) { settings.lowPass = duration(&dice) }
    settings.hysteresis = isOn(11) ? .millimetres(0.5) : .off
    settings.isDryRun = isOn(12) && isOn(13)
    return settings
  }
}

@Suite struct `Random frames through random filters` {
  @Test func `obey the laws of a touch stream, lose no end and delay none`() throws {
    let seed = environmentSeed("RandomFilterTests")
    var dice = SplitMix(seed: seed)
    var delivered = 0
    var dropped = 0
    for round in 0..<randomRounds {
      var run = RandomRun(.random(&dice))
      for _ in 0..<Int.random(in: 1...80, using: &dice) {
        run.step(&dice)
        try #require(run.fault == nil, "round \(round) of seed \(seed)")
      }
      run.finish()
      try #require(run.fault == nil, "round \(round) of seed \(seed)")
      delivered += run.delivered
      dropped += run.dropped
    }
    // Were all of one kind, the test would have looked at half of the code only.
    #expect(delivered > randomRounds && dropped > randomRounds, "seed \(seed)")
  }
}

/// One chain and what is known of the contacts on both of its sides.
private struct RandomRun: ~Copyable {
  private var chain: FilterChain
  private var watch: StuckContactWatch
  private var panel = RandomPanel()
  private var buffer = FrameBuffer(capacity: 64)
  private var watched = FrameBuffer(capacity: 64)
  private var checker = TouchStreamChecker()
  private var live: Set<UInt64> = []
  private var told: Set<UInt64> = []
  private(set) var fault: String?
  private(set) var delivered = 0
  private(set) var dropped = 0

  init(_ settings: FilterSettings) {
    chain = FilterChain(FilterPlan(settings, for: .panel()), frameCapacity: 64)
    watch = StuckContactWatch(
      StuckSettings(limit: 300_000_000, releases: true), frameCapacity: 64)
  }

  mutating func step(_ dice: inout SplitMix) {
    if Int.random(in: 0..<4, using: &dice) == 0 {
      let now = panel.time &+ UInt64.random(in: 0...50_000_000, using: &dice)
      let hasFrame = chain.deadlineReached(now)
      noteDrops()
      if hasFrame { handOn(chain.released.frame(), ends: []) }
      if chain.nextDeadline ?? .max <= now { fault = "a deadline stays in the past" }
      if watch.deadlineReached(now) { take(watch.cancels.frame()) }
    }
    feed(panel.frame(&dice))
  }

  private mutating func feed(_ frame: TouchFrame) {
    guard !frame.contacts.isEmpty else { return }
    // Who goes on must end in this very frame.
    let ends = frame.contacts.filter(\.phase.isEnd)
    _ = buffer.load(frame)
    let hasReleased = chain.apply(&buffer)
    noteDrops()
    if hasReleased {
      handOn(chain.released.frame(), ends: [])
    }
    if chain.plan.settings.isDryRun {
      if buffer.frame() != frame { fault = "a dry run changed a frame" }
    }
    if buffer.count > 0 { handOn(buffer.frame(), ends: ends) }
    for end in ends where live.contains(end.id) { fault = "contact \(end.id) did not end" }
  }

  /// Takes what the chain hands on, and gives it to the watch.
  private mutating func handOn(_ frame: TouchFrame, ends: [Contact]) {
    for contact in frame.contacts {
      if contact.phase == .down {
        live.insert(contact.id)
        delivered += 1
        if told.contains(contact.id) { fault = "contact \(contact.id) was told as dropped" }
      }
      guard contact.phase.isEnd else { continue }
      live.remove(contact.id)
      let original = ends.first { $0.id == contact.id }
      // Only a palm ends before the device says so, and then by a cancel.
      if original?.phase != contact.phase, contact.phase != .cancel || original != nil {
        fault = "contact \(contact.id) ends in another way"
      }
    }
    _ = watched.load(frame)
    watch.apply(&watched)
    if watched.count > 0 { take(watched.frame()) }
  }

  private mutating func take(_ frame: TouchFrame) {
    do throws(TouchStreamFault) {
      try checker.accept(frame)
    } catch {
      fault = "\(error)"
    }
    let slots = frame.contacts.map(\.slot)
    if slots != slots.sorted() { fault = "contacts stand out of order" }
  }

  private mutating func noteDrops() {
    for drop in chain.dropped {
      if !told.insert(drop.contact.id).inserted { fault = "contact \(drop.contact.id) told twice" }
      dropped += 1
    }
  }

  /// Cancels what is down, as at unplugging; then nothing may be left.
  mutating func finish() {
    feed(panel.cancelAll())
    if !live.isEmpty || chain.heldContacts > 0 || chain.nextDeadline != nil {
      fault = fault ?? "something is left: \(live.sorted())"
    }
    do throws(TouchStreamFault) {
      try checker.finish()
    } catch {
      fault = fault ?? "\(error)"
    }
  }
}

extension RandomPanel {
  fileprivate mutating func cancelAll() -> TouchFrame {
    let contacts = fingers.sorted { $0.key < $1.key }.map { _, finger in
      var contact = finger
      contact.phase = .cancel
      return contact
    }
    fingers = [:]
    return TouchFrame(timeNanoseconds: time, contacts: contacts)
  }
}
