import Testing
import TouchFilters
import TouchModel

extension PanelGeometry {
  /// A panel of 1000 by 500 units, ten a millimetre, whose points are half units.
  static func panel(
    resolution: Int32 = 10, fuzz: Int32 = 0, pressure: Bool = true, area: Bool = true
  ) -> PanelGeometry {
    let x = AxisRange(minimum: 0, maximum: 1000, fuzz: fuzz, resolution: resolution)
    let y = AxisRange(minimum: 0, maximum: 500, fuzz: fuzz, resolution: resolution)
    var axes = [EvdevCode.absMTPositionX: x, EvdevCode.absMTPositionY: y]
    if pressure { axes[EvdevCode.absMTPressure] = AxisRange(minimum: 0, maximum: 255) }
    if area { axes[EvdevCode.absMTTouchMajor] = AxisRange(minimum: 0, maximum: 1000) }
    let placement = RawPlacement(
      x: x, y: y, origin: Point(x: 0, y: 0), xEnd: Point(x: 500, y: 0),
      yEnd: Point(x: 0, y: 250), area: (Point(x: 0, y: 0), Point(x: 500, y: 250)))
    return PanelGeometry(axes: axes, placement: placement, areaScale: 500)
  }
}

/// A panel with filters: what a test does to it, and what comes out, a line a frame.
///
/// A line is the time in milliseconds and the contacts: id, phase, points.
final class FilterRig {
  private struct Finger {
    var id: UInt64
    var x: Int32
    var y: Int32
    var pressure: Float
    var major: Float
  }

  private var chain: FilterChain
  private var frame = FrameBuffer(capacity: 64)
  private var fingers: [Int32: Finger] = [:]
  private var lastID: UInt64 = 0
  private var checker = TouchStreamChecker()
  private(set) var lines: [String] = []
  private(set) var drops: [String] = []
  private(set) var fault: TouchStreamFault?
  /// The time, in milliseconds.
  var now = 0

  init(_ plan: FilterPlan) { chain = FilterChain(plan, frameCapacity: 64) }

  convenience init(
    _ geometry: PanelGeometry = .panel(), properties: [String: String] = [:],
    _ change: (inout FilterSettings) -> Void
  ) {
    var settings = FilterSettings()
    change(&settings)
    let plan = FilterPlan(settings, for: geometry, properties: properties)
    #expect(plan.problems == [])
    self.init(plan)
  }

  /// When the chain wants to be woken, in milliseconds.
  var deadline: Double? { chain.nextDeadline.map { Double($0) / 1_000_000 } }
  var held: Int { chain.heldContacts }
  var retouches: UInt64 { chain.retouches }

  func counters(_ kind: FilterKind) -> FilterCounters { chain.counters(of: kind) }

  /// A step of one finger in device units; the others of the panel are still.
  func down(
    _ slot: Int32, _ x: Int32, _ y: Int32, pressure: Float = 0.5, major: Float = 0,
    at time: Int
  ) {
    lastID += 1
    let finger = Finger(id: lastID, x: x, y: y, pressure: pressure, major: major)
    fingers[slot] = finger
    report(slot, .down, at: time)
  }

  func move(
    _ slot: Int32, _ x: Int32, _ y: Int32, pressure: Float? = nil, major: Float? = nil,
    at time: Int
  ) {
    let hasMoved = fingers[slot].map { $0.x != x || $0.y != y } ?? false
    fingers[slot]?.x = x
    fingers[slot]?.y = y
    if let pressure { fingers[slot]?.pressure = pressure }
    if let major { fingers[slot]?.major = major }
    report(slot, hasMoved ? .motion : .still, at: time)
  }

  func up(_ slot: Int32 = 0, at time: Int) { end(slot, .up, at: time) }
  func cancel(_ slot: Int32 = 0, at time: Int) { end(slot, .cancel, at: time) }

  // The same on slot 0.

  func down(
    _ x: Int32, _ y: Int32, pressure: Float = 0.5, major: Float = 0, at time: Int
  ) {
    down(0, x, y, pressure: pressure, major: major, at: time)
  }

  func move(
    _ x: Int32, _ y: Int32, pressure: Float? = nil, major: Float? = nil, at time: Int
  ) {
    move(0, x, y, pressure: pressure, major: major, at: time)
  }

  private func end(_ slot: Int32, _ phase: ContactPhase, at time: Int) {
    report(slot, phase, at: time)
    fingers[slot] = nil
  }

  /// A tap.
  func tap(_ x: Int32, _ y: Int32, at time: Int, for duration: Int = 10) {
    down(x, y, at: time)
    up(at: time + duration)
  }

  /// Wakes the chain.
  func wake(at time: Int) {
    now = time
    let hasFrame = chain.deadlineReached(UInt64(time) * 1_000_000)
    noteDrops()
    if hasFrame { take(chain.released.frame()) }
  }

  private func report(_ slot: Int32, _ phase: ContactPhase, at time: Int) {
    let contacts = fingers.sorted { $0.key < $1.key }.map { key, finger in
      Contact(
        id: finger.id, slot: key, phase: key == slot ? phase : .still,
        position: Point(x: Double(finger.x) / 2, y: Double(finger.y) / 2), rawX: finger.x,
        rawY: finger.y, major: finger.major, pressure: finger.pressure)
    }
    feed(contacts, at: time)
  }

  /// Feeds a frame in.
  func feed(_ contacts: [Contact], at time: Int) {
    now = time
    frame.removeAll()
    frame.timeNanoseconds = UInt64(time) * 1_000_000
    for contact in contacts { _ = frame.append(contact) }
    let hasReleased = chain.apply(&frame)
    noteDrops()
    if hasReleased { take(chain.released.frame()) }
    if frame.count > 0 { take(frame.frame()) }
  }

  private func noteDrops() {
    for drop in chain.dropped {
      drops.append("\(drop.contact.id) \(drop.contact.phase) by \(drop.filter.name)")
    }
  }

  private func take(_ frame: TouchFrame) {
    do throws(TouchStreamFault) {
      try checker.accept(frame)
    } catch {
      fault = fault ?? error
      Issue.record("\(error)")
    }
    let contacts = frame.contacts.map {
      "\($0.id) \($0.phase) \(Self.short($0.position.x)),\(Self.short($0.position.y))"
    }
    lines.append("\(frame.timeNanoseconds / 1_000_000): " + contacts.joined(separator: "; "))
  }

  private static func short(_ value: Double) -> String {
    let rounded = (value * 1_000).rounded() / 1_000
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  /// Ends the stream: nothing may be left down.
  func finish() throws { try checker.finish() }
}

extension FilterCounters {
  /// The counters in their order: contacts, passed, held, dropped, changed.
  var all: [UInt64] { [contacts, passed, held, dropped, changed] }
}
