public import TouchKit
public import TouchModel

extension TouchScript {
  /// The script as frames of one panel, for every layer that takes frames.
  ///
  /// Contacts have ids from 1 up and the lowest free slots; fingers that a frame does not change
  /// are `still` in it. The first frame of the script has the time of one second.
  public var frames: [TouchFrame] {
    var panel = ScriptedPanel(nextID: 1)
    var frames: [TouchFrame] = []
    for entry in steps {
      let time = 1_000_000_000 + entry.at.nanoseconds
      switch entry.step {
      case .frame(let changes): frames.append(panel.frame(changes, at: time))
      case .unplug:
        if let frame = panel.cancelAll(at: time) { frames.append(frame) }
      case .drop, .call: break
      }
    }
    return frames
  }

  /// Plays the script into a window's application, in no time.
  ///
  /// The script goes on at the time at which the application stands. Between its frames the
  /// application is driven as a run loop would: events before timers, then what is left.
  ///
  /// - Parameters:
  ///   - window: any window of the application, whose other windows get their touches as well.
  ///   - clock: is turned along.
  @MainActor
  public func play(into window: UIWindow, clock: HandTurnedClock? = nil) {
    guard let application = window.application else { return }
    play(into: application, clock: clock)
  }

  /// Plays the script into an application; see `play(into:clock:)`.
  @MainActor
  public func play(into application: UIApplication, clock: HandTurnedClock? = nil) {
    let start = max(application.eventTimeNanoseconds, clock?.nanoseconds ?? 0, 1_000_000_000)
    // A panel of its own for each play: fingers that an earlier script left down keep their slots.
    let firstID = application.highestContactID + 1
    var panel = ScriptedPanel(nextID: firstID, device: UInt32(truncatingIfNeeded: firstID))
    for entry in steps {
      let time = start + entry.at.nanoseconds
      switch entry.step {
      case .frame(let changes):
        // Not before the frame: what is due at its very time is the application's business.
        Self.passTime(before: time, in: application)
        clock?.advance(to: time)
        application.enqueue(panel.frame(changes, at: time))
        application.handleEventQueue()
        application.settle()
      case .unplug:
        clock?.advance(to: time)
        guard let frame = panel.cancelAll(at: time) else { continue }
        application.enqueue(frame)
        application.handleEventQueue()
        application.settle()
      case .drop: break
      case .call(let body):
        clock?.advance(to: time)
        application.fireTimers(upTo: time)
        application.settle()
        body()
        application.settle()
      }
    }
    let end = start + duration.nanoseconds
    clock?.advance(to: end)
    application.fireTimers(upTo: end)
    application.settle()
  }

  @MainActor
  private static func passTime(before time: UInt64, in application: UIApplication) {
    while let due = application.nextDeadlineNanoseconds, due < time {
      application.fireTimers(upTo: due)
      application.settle()
    }
  }
}

/// A panel that does what a script says: it gives out slots and ids.
struct ScriptedPanel {
  private struct Live {
    var contact: Contact
    var finger: Int
  }

  private var live: [Live] = []
  private(set) var nextID: UInt64

  private let device: UInt32

  init(nextID: UInt64, device: UInt32 = 0) {
    self.nextID = nextID
    self.device = device
  }

  mutating func frame(_ changes: [TouchScript.Change], at time: UInt64) -> TouchFrame {
    for index in live.indices { live[index].contact.phase = .still }
    var landed: [Live] = []
    for change in changes { apply(change, &landed) }
    // By slot; of one slot the contact that ended stands before the one that took its place.
    let contacts = (live + landed).enumerated().sorted {
      ($0.element.contact.slot, $0.offset) < ($1.element.contact.slot, $1.offset)
    }
    let frame = TouchFrame(
      timeNanoseconds: time, device: device, contacts: contacts.map(\.element.contact))
    live = (live + landed).filter { !$0.contact.phase.isEnd }
    return frame
  }

  /// Cancels what is down; nil if nothing is.
  mutating func cancelAll(at time: UInt64) -> TouchFrame? {
    guard !live.isEmpty else { return nil }
    return frame(live.map { TouchScript.Change(finger: $0.finger, kind: .cancel) }, at: time)
  }

  private mutating func apply(_ change: TouchScript.Change, _ landed: inout [Live]) {
    let index = live.firstIndex { $0.finger == change.finger && !$0.contact.phase.isEnd }
    switch change.kind {
    case .down:
      precondition(index == nil, "finger \(change.finger) is down already")
      landed.append(land(change, beside: landed))
    case .move:
      guard let index, let place = change.place else { return missing(change.finger) }
      let point = Point(x: place.x, y: place.y)
      if live[index].contact.position != point { live[index].contact.phase = .motion }
      live[index].contact.position = point
    case .up, .cancel:
      guard let index else { return missing(change.finger) }
      live[index].contact.phase = change.kind == .up ? .up : .cancel
    }
  }

  private func missing(_ finger: Int) {
    preconditionFailure("finger \(finger) is not down, so it can neither move nor end")
  }

  private mutating func land(_ change: TouchScript.Change, beside landed: [Live]) -> Live {
    let taken = (live.filter { !$0.contact.phase.isEnd } + landed).map(\.contact.slot)
    let free = (0...Int32(taken.count)).first { !taken.contains($0) } ?? 0
    let place = change.place ?? .zero
    let contact = Contact(
      id: nextID, slot: change.style.slot ?? free, phase: .down, tool: change.style.tool,
      position: Point(x: place.x, y: place.y), major: change.style.major)
    nextID += 1
    return Live(contact: contact, finger: change.finger)
  }
}
