/// What happened at once: all live contacts of the application, each with its own phase.
///
/// An application has one such object, whose content changes with each delivery.
@MainActor
public final class UIEvent {
  /// The kind of an event.
  public enum EventType: Int, Sendable {
    /// Contacts on a panel.
    case touches = 0
  }

  /// One measurement of a contact since its last delivery.
  struct Sample {
    var contactID: UInt64
    var time: UInt64
    var place: CGPoint
    var previousPlace: CGPoint
    var pressure: Float
  }

  /// The buttons of a pointer.
  public struct ButtonMask: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int
    /// Wraps bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The first button.
    public static let primary = ButtonMask(rawValue: 1 << 0)
    /// The second button.
    public static let secondary = ButtonMask(rawValue: 1 << 1)
  }

  /// The pointer's buttons that are down: none, for fingers and pens have none.
  public var buttonMask: ButtonMask { [] }

  /// The kind: contacts on a panel.
  public var type: EventType { .touches }

  /// When the panel measured what the event tells.
  ///
  /// - Units: seconds of `CLOCK_MONOTONIC`.
  public var timestamp: Double { Double(time) / 1e9 }

  var time: UInt64 = 0
  /// Counts deliveries.
  var serial: UInt64 = 0
  /// The live contacts, and those that end in this delivery, in order of landing.
  var touches: [UITouch] = []
  /// The measurements that this delivery sums up, in order.
  var samples: [Sample] = []

  /// Who writes down what the event does; nil unless asked for.
  @exclusivity(unchecked) var probe: EventProbe?

  private var sets: [Set<UITouch>] = []
  private var gathered: [UITouch] = []

  init() {
    // A delivery sums up all frames that wait, at the worst.
    samples.reserveCapacity(EventQueue.usualContacts)
  }

  // MARK: Asking

  /// All contacts: live ones, also those that rest, and those that end in this delivery.
  public var allTouches: Set<UITouch>? { touchSet { _ in true } }

  /// The contacts that landed on a view itself; nil if there are none.
  public func touches(for view: UIView) -> Set<UITouch>? { touchSet { $0.view === view } }

  /// The contacts that landed in a window; nil if there are none.
  public func touches(for window: UIWindow) -> Set<UITouch>? { touchSet { $0.window === window } }

  /// The contacts that a recogniser tracks; nil if there are none.
  public func touches(for gesture: UIGestureRecognizer) -> Set<UITouch>? {
    touchSet { gesture.tracked.contains($0) }
  }

  /// All measurements of a contact since its last delivery, the present one last.
  ///
  /// The touches are copies, good for the time of the delivery; nil for a contact of no event.
  public func coalescedTouches(for touch: UITouch) -> [UITouch]? {
    guard touches.contains(touch) else { return nil }
    var copies: [UITouch] = []
    for sample in samples where sample.contactID == touch.contactID {
      copies.append(UITouch(touch, at: sample))
    }
    if copies.isEmpty {
      copies.append(
        UITouch(
          touch,
          at: Sample(
            contactID: touch.contactID, time: touch.time, place: touch.place,
            previousPlace: touch.previousPlace, pressure: touch.pressure)))
    }
    return copies
  }

  /// Where a contact is likely to be next, nearest first; good for the time of the delivery.
  ///
  /// It goes on as from its last measurement but one to the last: two touches, as far apart in
  /// place and time as those. Empty for a contact that landed, rests or ended; nil for a contact of
  /// no event.
  public func predictedTouches(for touch: UITouch) -> [UITouch]? {
    guard touches.contains(touch) else { return nil }
    let last = touch.measured.last
    guard touch.phase == .moved, let before = touch.measured.before, last.time > before.time else {
      return []
    }
    let (dx, dy) = (last.place.x - before.place.x, last.place.y - before.place.y)
    var place = touch.place
    var time = touch.time
    return (0..<Self.predictedCount).map { _ in
      let previous = place
      place = CGPoint(x: place.x + dx, y: place.y + dy)
      time &+= last.time - before.time
      return UITouch(
        touch,
        at: Sample(
          contactID: touch.contactID, time: time, place: place, previousPlace: previous,
          pressure: touch.pressure))
    }
  }

  private static let predictedCount = 2

  // MARK: Sets

  /// The touches that fulfil a condition, as a set; nil if none does.
  func touchSet(where condition: (UITouch) -> Bool) -> Set<UITouch>? {
    gathered.removeAll(keepingCapacity: true)
    for touch in touches where condition(touch) { gathered.append(touch) }
    return gathered.isEmpty ? nil : takeGathered()
  }

  // A drag hands out the same few sets again and again. Making a set allocates; so those made
  // since a contact last came or went are kept, and in a steady drag nothing is allocated.
  private func takeGathered() -> Set<UITouch> {
    for known in sets where known.count == gathered.count {
      if gathered.allSatisfy({ known.contains($0) }) { return known }
    }
    let made = Set(gathered)
    // 32: more than the fingers of one hand make; past it the fingers change too much to remember.
    if sets.count >= 32 { sets.removeAll(keepingCapacity: true) }
    sets.append(made)
    return made
  }

  func forgetSets() {
    sets.removeAll(keepingCapacity: true)
    gathered.removeAll(keepingCapacity: true)
  }

  // MARK: The runtime's side

  func add(_ touch: UITouch) {
    touches.append(touch)
    forgetSets()
  }

  func note(_ touch: UITouch, from old: CGPoint) {
    samples.append(
      Sample(
        contactID: touch.contactID, time: touch.time, place: touch.place, previousPlace: old,
        pressure: touch.pressure))
  }

  func hasLiveTouch(in window: UIWindow) -> Bool {
    for touch in touches where touch.window === window && touch.isLive { return true }
    return false
  }

  func hasTouch(in window: UIWindow) -> Bool {
    for touch in touches where touch.window === window { return true }
    return false
  }
}
