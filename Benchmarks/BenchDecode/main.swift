// The project's half of decode_speedup: reads a file of evdev events as the daemon reads a node.
//
//   BenchDecode FILE     prints frames and nanoseconds, as libevdev-loop does

import Glibc
import LinuxIO
import TouchFrames
import TouchModel

func fail(_ message: String) -> Never {
  writeAll("BenchDecode: \(message)\n".utf8, to: STDERR_FILENO)
  exit(1)
}

/// The panel of ten slots that `floor player` plays.
func description() -> DeviceDescription {
  var description = DeviceDescription(name: "Benchmark panel")
  description.axes = [
    EvdevCode.absMTSlot: AxisRange(minimum: 0, maximum: 9),
    EvdevCode.absMTTrackingID: AxisRange(minimum: 0, maximum: 65_535),
    EvdevCode.absMTPositionX: AxisRange(minimum: 0, maximum: 5_116),
    EvdevCode.absMTPositionY: AxisRange(minimum: 0, maximum: 3_196),
    EvdevCode.absMTPressure: AxisRange(minimum: 0, maximum: 255),
  ]
  return description
}

/// Reads all events of a file in batches; the sum keeps the work from being left out.
func decode(_ path: String) throws -> (frames: Int, nanoseconds: UInt64, sum: Double) {
  let file = try openFile(path, flags: O_RDONLY)
  var assembler = try FrameAssembler(
    description: description(), device: 1, display: 0, ids: ContactIDSequence(), source: .device,
    isInjected: false)
  let events = UnsafeMutableBufferPointer<EvdevEvent>.allocate(capacity: 256)
  defer { events.deallocate() }
  var frames = 0
  var sum = 0.0
  let start = MonotonicClock.now()
  while true {
    let bytes = read(file.raw, events.baseAddress, 256 * MemoryLayout<EvdevEvent>.stride)
    guard bytes > 0 else { break }
    let count = bytes / MemoryLayout<EvdevEvent>.stride
    let batch = UnsafeBufferPointer(rebasing: events[..<count])
    var index = 0
    while assembler.consume(batch, from: &index) {
      frames += 1
      for contact in 0..<assembler.frame.count {
        let position = assembler.frame[contact].position
        sum += position.x + position.y
      }
    }
  }
  return (frames, MonotonicClock.now() - start, sum)
}

guard CommandLine.arguments.count == 2 else { fail("usage: BenchDecode FILE") }
do {
  let result = try decode(CommandLine.arguments[1])
  print(result.frames, result.nanoseconds, result.sum)
} catch {
  fail("\(error)")
}
