import TouchModel

/// Holds back what is recorded of one panel until it is known which contacts are in sensitive scenes,
/// and takes their places out.
///
/// A frame is let go when the daemon has reported it, or a later one; one that it never reports has no
/// contact in any scene and is let go as it is. Events come out in the order in which they went in.
public struct SensitiveGate: Sendable {
  /// How long a frame waits for the daemon's word, in nanoseconds; then its places are taken out to
  /// be safe.
  public static let patience: UInt64 = 1_000_000_000

  private enum Masked {
    case nothing
    case slots(Set<Int32>)
    case all
  }

  private struct Held {
    var events: [EvdevEvent]
    var time: UInt64
    var arrival: UInt64
    /// nil until the daemon has spoken.
    var sensitive: Set<Int32>?
  }

  // The daemon may be the faster reader: what it said of frames that are yet to come here, and of
  // the last ones. More than fit into the kernel's buffer for one reader.
  private static let memory = 512

  private var held: [Held] = []
  private var said: [(time: UInt64, sensitive: Set<Int32>)] = []
  private var open: [EvdevEvent] = []
  private let hasSlots: Bool
  private var slot: Int32 = 0
  /// How many frames went out without some of their places.
  public private(set) var maskedFrames = 0

  /// Begins with a device's first event.
  ///
  /// - Parameter hasSlots: whether the device tells contacts apart by slots; without them there is no
  ///   telling whose a place is, and all of a frame go if one is sensitive.
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
          events: open, time: time, arrival: now, sensitive: isWatched ? verdict(on: time) : []))
      open = []
    }
  }

  /// Takes the daemon's report of one frame.
  ///
  /// - Parameter sensitive: the slots whose contacts are in sensitive scenes.
  public mutating func report(_ time: UInt64, sensitive: Set<Int32>) {
    if said.count == Self.memory { said.removeFirst() }
    said.append((time, sensitive))
    for index in held.indices where held[index].sensitive == nil || held[index].time == time {
      held[index].sensitive = verdict(on: held[index].time)
    }
  }

  /// What the daemon has said of a frame; empty if it has passed it over, nil if its word is due.
  private func verdict(on time: UInt64) -> Set<Int32>? {
    let reports = said.filter { $0.time == time }
    if !reports.isEmpty { return reports.reduce(into: []) { $0.formUnion($1.sensitive) } }
    return said.contains { $0.time > time } ? [] : nil
  }

  /// Hands out what need not be held any longer.
  public mutating func release(at now: UInt64) -> [EvdevEvent] {
    var events: [EvdevEvent] = []
    while let first = held.first {
      if let sensitive = first.sensitive {
        events += mask(first.events, what: sensitive.isEmpty ? .nothing : .slots(sensitive))
      } else if first.arrival &+ Self.patience <= now {
        events += mask(first.events, what: .all)
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
    return events + mask(open, what: .all)
  }

  private mutating func mask(_ events: [EvdevEvent], what masked: Masked) -> [EvdevEvent] {
    var kept: [EvdevEvent] = []
    for event in events {
      if event.key == Self.slotKey { slot = event.value }
      if !hides(event, masked) { kept.append(event) }
    }
    if kept.count < events.count { maskedFrames += 1 }
    return kept
  }

  private func hides(_ event: EvdevEvent, _ masked: Masked) -> Bool {
    guard event.type == EvdevCode.abs else { return false }
    switch masked {
    case .nothing: return false
    case .all: break
    case .slots(let slots):
      if Self.contactAxes.contains(event.code), hasSlots, !slots.contains(slot) { return false }
    }
    return Self.contactAxes.contains(event.code) || Self.pointerAxes.contains(event.code)
  }

  private static let slotKey = EvdevEvent(
    seconds: 0, microseconds: 0, type: EvdevCode.abs, code: EvdevCode.absMTSlot, value: 0
  ).key
  // The pointer follows one of the contacts, and which one is not said.
  private static let pointerAxes: Set<UInt16> = [
    EvdevCode.absX, EvdevCode.absY, EvdevCode.absPressure, 0x02, 0x03,
  ]
  // All but slot and tracking id.
  private static let contactAxes = Set<UInt16>(0x30...0x3d).subtracting([EvdevCode.absMTTrackingID])
}
