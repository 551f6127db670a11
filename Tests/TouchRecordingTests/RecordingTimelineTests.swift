import Testing
import TouchModel
import TouchRecording

@Suite struct `The timeline of a recording` {
  static func device(_ times: [Int]) -> RecordedDevice {
    let events = times.map {
      EvdevEvent(seconds: 100, microseconds: $0, type: 0, code: 0, value: 0)
    }
    return RecordedDevice(description: DeviceDescription(name: "a"), events: events)
  }

  static func timeline(_ devices: [[Int]]) -> [String] {
    RecordingTimeline(Recording(devices: devices.map(device)))
      .map { "\($0.device) at \($0.offsetNanoseconds / 1000)" }
  }

  @Test func `events are due as long after the first as they were recorded`() {
    #expect(Self.timeline([[7, 9, 20]]) == ["0 at 0", "0 at 2", "0 at 13"])
  }

  @Test func `devices are merged by time, of equal times the first in the file`() {
    #expect(
      Self.timeline([[5, 8], [4, 5, 9]]) == ["1 at 0", "0 at 1", "1 at 1", "0 at 4", "1 at 5"])
  }

  @Test func `a clock that steps back keeps the order of its device`() {
    #expect(Self.timeline([[5, 2, 6]]) == ["0 at 0", "0 at 0", "0 at 1"])
    #expect(Self.timeline([[]]) == [])
    #expect(Self.timeline([]) == [])
  }
}
