import CLinuxShims
import CUInput
import Glibc
import TestSupport
import TouchModel

/// The kernel's node of one input device, open for reading, with times of the monotonic clock.
final class EventNode {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0, tb_set_event_clock(descriptor, CLOCK_MONOTONIC) == 0 else {
      throw TimedOut("\(path) to open: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// Takes the device away from all other readers, or gives it back.
  func grab(_ isOn: Bool) throws {
    guard tu_grab(descriptor, isOn ? 1 : 0) == 0 else {
      throw TimedOut("a grab: \(String(cString: strerror(errno)))")
    }
  }

  /// Reads all events that are there, without waiting.
  func available() -> [EvdevEvent] {
    let blank = EvdevEvent(seconds: 0, microseconds: 0, type: 0, code: 0, value: 0)
    var all: [EvdevEvent] = []
    var batch = [EvdevEvent](repeating: blank, count: 256)
    while true {
      let size = MemoryLayout<EvdevEvent>.stride
      let count = read(descriptor, &batch, batch.count * size)
      guard count > 0 else { return all }
      all += batch.prefix(count / size)
    }
  }

  /// Reads up to and including the next `SYN_REPORT`.
  func frame(by deadline: Deadline = Deadline()) throws -> [EvdevEvent] {
    var frame: [EvdevEvent] = []
    while deadline.awaitInput(descriptor) {
      // One by one: a later frame stays in the kernel for the next call.
      var event = EvdevEvent(seconds: 0, microseconds: 0, type: 0, code: 0, value: 0)
      let size = MemoryLayout<EvdevEvent>.size
      guard read(descriptor, &event, size) == size else {
        throw TimedOut("events: \(String(cString: strerror(errno)))")
      }
      frame.append(event)
      if event.type == EvdevCode.syn, event.code == EvdevCode.synReport { return frame }
    }
    throw TimedOut("the end of a frame")
  }
}
