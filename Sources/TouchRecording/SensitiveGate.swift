import TouchModel

/// Holds back what is recorded of one panel until it is known which contacts may be seen, and takes the
/// places of all others out.
///
/// A place stays only if the daemon has reported that very frame and said of that contact where it
/// goes, and that is no sensitive scene. What the daemon does not speak of (a contact that a filter
/// holds, one that was down before it started, a report that was lost) may belong to one. Events come
/// out in the order in which they went in.
public struct SensitiveGate: Sendable {
  /// How long a frame waits for the daemon's word, in nanoseconds; then it counts as passed over.
  public static let patience: UInt64 = 1_000_000_000

  private enum Shown {
    case all
    case slots(Set<Int32>)
  }

  private struct Held {
    var events: [EvdevEvent]
    var time: UInt64
    var arrival: UInt64
    /// nil until the daemon has spoken.
    var shown: Shown?
  }

  // The daemon may be the faster reader: what it said of frames that are yet to come here, and of
  // the last ones. More than fit into the kernel's buffer for one reader.
  private static let memory = 512

  private var held: [Held] = []
  private var said: [(time: UInt64, shown: Set<Int32>)] = []
  private var open: [EvdevEvent] = []
  private let hasSlots: Bool
  private var slot: Int32 = 0
  // The slots with a tracking id: the pointer's axes follow one of them.
  private var live: Set<Int32> = []
  /// How many frames went out without some of their places.
  public private(set) var maskedFrames = 0

  /// Begins with a device's first event.
  ///
  /// - Parameter hasSlots: whether the device tells contacts apart by slots; without them there is no
  ///   telling whose a place is, and all of a frame go unless all its contacts may be seen.
  public init(hasSlots: Bool) { self.hasSlots = hasSlots }

  /// When `release` has something to do though nothing more comes; nil if nothing is held.
  public var deadline: UInt64? { held.first.map { $0.arrival &+ Self.patience } }

  /// Takes events as they are read.
  ///
  /// - Parameters:
  ///   - isWatched: whether the daemon routes this panel, so that its word is to be waited for.
  ///   - now: the present time, in nanoseconds of `CLOCK_MONOTONIC`.
  public mutating func take(_ events: some Sequence<EvdevEvent>, isWatched: Bool, at now: UInt64) {
    for event in events {
      open.append(event)
      guard event.type == EvdevCode.syn, event.code == EvdevCode.synReport else { continue }
      let time = event.timeNanoseconds
      held.append(
        Held(
          events: open, time: time, arrival: now, shown: isWatched ? verdict(on: time) : .all))
      open = []
    }
  }

  /// Takes the daemon's report of one frame, or of a part of its contacts.
  ///
  /// - Parameter shown: the slots whose contacts are in no sensitive scene.
  public mutating func report(_ time: UInt64, shown: Set<Int32>) {
    if said.count == Self.memory { said.removeFirst() }
    said.append((time, shown))
    for index in held.indices {
      if case .all = held[index].shown { continue }
      held[index].shown = verdict(on: held[index].time)
    }
  }

  /// What the daemon has said of a frame; nothing is shown if it has passed it over, nil if its word
  /// is due.
  private func verdict(on time: UInt64) -> Shown? {
    let reports = said.filter { $0.time == time }
    if !reports.isEmpty { return .slots(reports.reduce(into: []) { $0.formUnion($1.shown) }) }
    return said.contains { $0.time > time } ? .slots([]) : nil
  }

  /// Hands out what need not be held any longer.
  public mutating func release(at now: UInt64) -> [EvdevEvent] {
    var events: [EvdevEvent] = []
    while let first = held.first {
      if let shown = first.shown {
        events += mask(first.events, but: shown)
      } else if first.arrival &+ Self.patience <= now {
        events += mask(first.events, but: .slots([]))
      } else {
        break
      }
      held.removeFirst()
    }
    return events
  }

  /// Hands out all that is left, at the end; an unfinished frame goes with it.
  public mutating func releaseAll() -> [EvdevEvent] {
    let events = release(at: .max)
    defer { open = [] }
    return events + mask(open, but: .slots([]))
  }

  private mutating func mask(_ events: [EvdevEvent], but shown: Shown) -> [EvdevEvent] {
    var kept: [EvdevEvent] = []
    let isWhole = showsAll(events, shown)
    for event in events {
      follow(event)
      if isWhole || !hides(event, shown) { kept.append(event) }
    }
    if kept.count < events.count { maskedFrames += 1 }
    return kept
  }

  private mutating func follow(_ event: EvdevEvent) {
    guard event.type == EvdevCode.abs else { return }
    if event.code == EvdevCode.absMTSlot { slot = event.value }
    guard event.code == EvdevCode.absMTTrackingID else { return }
    if event.value >= 0 { live.insert(slot) } else { live.remove(slot) }
  }

  /// Whether nothing of a frame needs to be hidden.
  private func showsAll(_ events: [EvdevEvent], _ shown: Shown) -> Bool {
    guard case .slots(let slots) = shown else { return true }
    guard !hasSlots else {
      var (present, current) = (live, slot)
      for event in events where event.type == EvdevCode.abs {
        if event.code == EvdevCode.absMTSlot { current = event.value }
        if Self.contactAxes.contains(event.code) || event.code == EvdevCode.absMTTrackingID {
          present.insert(current)
        }
      }
      return present.isSubset(of: slots)
    }
    let contacts = events.count { event in
      event.type == EvdevCode.syn && event.code == EvdevCode.synMTReport
    }
    return slots.count >= max(1, contacts)
  }

  private func hides(_ event: EvdevEvent, _ shown: Shown) -> Bool {
    guard event.type == EvdevCode.abs else { return false }
    if Self.contactAxes.contains(event.code), hasSlots, case .slots(let slots) = shown {
      return !slots.contains(slot)
    }
    return Self.contactAxes.contains(event.code) || Self.pointerAxes.contains(event.code)
  }

  // The pointer follows one of the contacts, and which one is not said.
  private static let pointerAxes: Set<UInt16> = [
    EvdevCode.absX, EvdevCode.absY, EvdevCode.absPressure, 0x02, 0x03,
  ]
  // All but slot and tracking id.
  private static let contactAxes = Set<UInt16>(0x30...0x3d).subtracting([EvdevCode.absMTTrackingID])
}
