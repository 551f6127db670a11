import TouchModel

/// An event of a recording and when it is due.
public struct TimedEvent: Sendable, Equatable {
  /// The device, as its place in the recording.
  public var device: Int
  /// The time since the first event of the recording.
  ///
  /// - Units: nanoseconds; 0 while the file's clock stands before that of its first event.
  public var offsetNanoseconds: UInt64
  /// The event, with the time of the file.
  public var event: EvdevEvent

  /// Creates a timed event.
  public init(device: Int, offsetNanoseconds: UInt64, event: EvdevEvent) {
    self.device = device
    self.offsetNanoseconds = offsetNanoseconds
    self.event = event
  }
}

/// The events of all devices of a recording in the order of their times.
///
/// A device's own events keep their order, also where its clock steps back; of equal times the
/// device that stands first in the file comes first.
public struct RecordingTimeline: Sequence, IteratorProtocol, Sendable {
  private let devices: [[EvdevEvent]]
  private var positions: [Int]
  private let start: UInt64

  /// Prepares a recording's events.
  public init(_ recording: Recording) {
    devices = recording.devices.map(\.events)
    positions = Array(repeating: 0, count: devices.count)
    start = devices.compactMap(\.first).map(\.timeNanoseconds).min() ?? 0
  }

  /// The next event, nil at the end.
  public mutating func next() -> TimedEvent? {
    var earliest: TimedEvent?
    for device in devices.indices where positions[device] < devices[device].count {
      let event = devices[device][positions[device]]
      let time = event.timeNanoseconds
      let offset = time > start ? time - start : 0
      if let best = earliest, best.event.timeNanoseconds <= time { continue }
      earliest = TimedEvent(device: device, offsetNanoseconds: offset, event: event)
    }
    if let earliest { positions[earliest.device] += 1 }
    return earliest
  }
}
