import LinuxIO
import TouchModel
import TouchRecording

/// A recording on its way into the panels that stand for its devices.
final class Replay {
  private var timeline: RecordingTimeline
  private var upcoming: TimedEvent?
  private let speed: Double
  private var startTime: UInt64?

  init(_ recording: Recording, speed: Double) {
    timeline = RecordingTimeline(recording)
    self.speed = speed
    upcoming = timeline.next()
  }

  var hasStarted: Bool { startTime != nil }
  var isOver: Bool { upcoming == nil }

  /// Lets the recording begin; its first event is due at once.
  func start(at now: UInt64) { startTime = startTime ?? now }

  /// When the next event is due; nil before the start and at the end.
  var deadline: UInt64? {
    guard let startTime, let upcoming else { return nil }
    return due(upcoming, startTime)
  }

  /// Moves what is still to come so that the next event is due now, if it is late already.
  ///
  /// A replay that was held would otherwise make up for it in a rush, with times so old that clients
  /// drop its contacts as stale. A few milliseconds are left as they are, and so are the recorded
  /// distances.
  func makeUp(until now: UInt64) {
    guard let startTime, let deadline, now > deadline, now - deadline > 20_000_000 else { return }
    self.startTime = startTime + (now - deadline)
  }

  /// Takes the next event that is due, stamped with the time it was due at.
  ///
  /// The stamp is the due time and not the present, so that a replay on a busy machine gives
  /// the same times as one on an idle machine.
  func next(dueBy now: UInt64) -> TimedEvent? {
    guard let startTime, let event = upcoming else { return nil }
    let time = due(event, startTime)
    guard time <= now else { return nil }
    upcoming = timeline.next()
    var stamped = event
    stamped.event.seconds = Int(time / 1_000_000_000)
    stamped.event.microseconds = Int(time % 1_000_000_000 / 1_000)
    return stamped
  }

  private func due(_ event: TimedEvent, _ startTime: UInt64) -> UInt64 {
    let offset = Double(event.offsetNanoseconds) / speed
    // A recording whose clock jumps by centuries is not waited for to the end.
    let limit: UInt64 = 1 << 62
    return startTime &+ (offset < Double(limit) ? UInt64(offset) : limit)
  }
}
