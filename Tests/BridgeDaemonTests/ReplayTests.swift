import Testing
import TouchModel
import TouchRecording

@testable import BridgeDaemon

@Suite struct `A replay` {
  /// Two devices: events at 10.0 s, 10.2 s and 10.5 s of the file's clock.
  private func replay(speed: Double = 1) -> Replay {
    func event(_ microseconds: Int, _ value: Int32) -> EvdevEvent {
      EvdevEvent(seconds: 10, microseconds: microseconds, type: 3, code: 0x35, value: value)
    }
    let first = RecordedDevice(
      description: DeviceDescription(name: "a"), events: [event(0, 1), event(500_000, 3)])
    let second = RecordedDevice(
      description: DeviceDescription(name: "b"), events: [event(200_000, 2)])
    return Replay(Recording(devices: [first, second]), speed: speed)
  }

  /// The values of the events that are due by a time.
  private func values(_ replay: Replay, by time: UInt64) -> [Int32] {
    var values: [Int32] = []
    while let timed = replay.next(dueBy: time) { values.append(timed.event.value) }
    return values
  }

  @Test func `waits for its start, then keeps the recording's pace`() {
    let replay = replay()
    #expect(replay.deadline == nil)
    #expect(values(replay, by: .max).isEmpty)
    #expect(!replay.hasStarted)
    let start: UInt64 = 5_000_000_000
    replay.start(at: start)
    // A second start changes nothing.
    replay.start(at: start + 999)
    #expect(replay.hasStarted)
    #expect(replay.deadline == start)
    #expect(values(replay, by: start) == [1])
    #expect(replay.deadline == start + 200_000_000)
    #expect(values(replay, by: start + 199_999_999).isEmpty)
    #expect(values(replay, by: start + 500_000_000) == [2, 3])
    #expect(replay.isOver)
    #expect(replay.deadline == nil)
  }

  @Test func `stamps events with the time they were due at, not with the present`() throws {
    let replay = replay()
    replay.start(at: 5_000_001_000)
    _ = replay.next(dueBy: .max)
    let timed = try #require(replay.next(dueBy: 900_000_000_000))
    #expect(timed.device == 1)
    #expect(timed.event.seconds == 5)
    #expect(timed.event.microseconds == 200_001)
  }

  @Test func `that was held goes on from now, unless it is a few milliseconds late`() {
    let replay = replay()
    let start: UInt64 = 5_000_000_000
    replay.start(at: start)
    _ = replay.next(dueBy: start)
    replay.makeUp(until: start + 100_000_000)
    replay.makeUp(until: start + 220_000_000)
    #expect(replay.deadline == start + 200_000_000)
    replay.makeUp(until: start + 3_000_000_000)
    #expect(replay.deadline == start + 3_000_000_000)
    #expect(values(replay, by: start + 3_000_000_000) == [2])
    // The recorded distance to the next one stays.
    #expect(replay.deadline == start + 3_300_000_000)
  }

  @Test(arguments: [(2.0, 100_000_000), (0.5, 400_000_000), (1e9, 0)] as [(Double, UInt64)])
  func `runs as much faster as asked`(_ speed: Double, _ offset: UInt64) {
    let replay = replay(speed: speed)
    replay.start(at: 1_000)
    _ = replay.next(dueBy: .max)
    #expect(replay.deadline == 1_000 + offset)
  }

  @Test func `at a speed next to nothing is due in centuries, and overflows nothing`() {
    let replay = replay(speed: 1e-300)
    replay.start(at: 1_000)
    _ = replay.next(dueBy: .max)
    let farAway: UInt64 = 1_000 + 1 << 62
    #expect(replay.deadline == farAway)
  }
}
