// The real daemon with a panel whose events come from standard input.
//
//   BenchDaemon DIR CPU [filtered]
//
// The sockets are made in DIR; CPU is a number, or - for any. With the third word three filters are
// on: hysteresis, min-duration, and a dead rectangle that nothing begins in.
// With BENCH_PLANT=1 its panel allocates at each read, so that the counting can be seen to count.

import BridgeDaemon
import CLinuxShims
import Glibc
import LinuxIO
import TouchFilters
import TouchModel

/// A panel of ten slots behind a pipe: what it is given to read are whole evdev events.
final class PipeDevice: DeviceSource {
  let description: DeviceDescription
  let descriptor = STDIN_FILENO
  private let allocates = environment("BENCH_PLANT") == "1"
  private var planted: UnsafeMutableRawPointer?

  init() {
    var description = DeviceDescription(name: "Benchmark panel")
    description.axes = [
      EvdevCode.absMTSlot: AxisRange(minimum: 0, maximum: 9),
      EvdevCode.absMTTrackingID: AxisRange(minimum: 0, maximum: 65_535),
      EvdevCode.absMTPositionX: AxisRange(minimum: 0, maximum: 5_116, resolution: 24),
      EvdevCode.absMTPositionY: AxisRange(minimum: 0, maximum: 3_196, resolution: 24),
      EvdevCode.absMTPressure: AxisRange(minimum: 0, maximum: 255),
    ]
    self.description = description
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  func read(into events: UnsafeMutableBufferPointer<EvdevEvent>) -> DeviceRead {
    let size = MemoryLayout<EvdevEvent>.stride
    let count = Glibc.read(descriptor, events.baseAddress, events.count * size)
    if count >= size {
      if allocates { allocate() }
      return .events(count / size)
    }
    return count < 0 && errno == EAGAIN ? .nothing : .gone
  }

  /// Kept until the next time, or the compiler would see through it.
  private func allocate() {
    free(planted)
    planted = malloc(1)
  }

  func slotValues(_ axis: UInt16, into values: UnsafeMutableBufferPointer<Int32>) -> Bool { false }
  func axisValue(_ axis: UInt16) -> Int32? { nil }
  func setGrabbed(_ isGrabbed: Bool) -> DeviceGrab { .failed(ENOTTY) }
  func keyIsDown(_ key: UInt16) -> Bool? { nil }
}

let arguments = CommandLine.arguments
let isFiltered = arguments.count == 4 && arguments[3] == "filtered"
guard arguments.count == 3 || isFiltered else {
  writeAll("usage: BenchDaemon DIR CPU [filtered]\n".utf8, to: STDERR_FILENO)
  exit(2)
}
if let cpu = Int32(arguments[2]), tb_pin(cpu) != 0 {
  writeAll("BenchDaemon: cannot pin to CPU \(cpu): \(Errno.current)\n".utf8, to: STDERR_FILENO)
  exit(1)
}
var options = DaemonOptions()
options.runtimeDirectory = arguments[1]
options.findsPanels = false
options.endsWithoutPanels = true
options.display = .fallback
if isFiltered {
  options.filters.hysteresis = .millimetres(0.25)
  options.filters.minimumDuration = 5_000_000
  // Beyond the panel's 213 by 133 mm.
  options.filters.deadRectangles = [Rect(x: 500, y: 500, width: 1, height: 1)]
}
do {
  let daemon = try Daemon(options: options, log: Log(threshold: .warning))
  try daemon.add(PipeDevice(), node: "standard input")
  try daemon.run()
} catch {
  writeAll("BenchDaemon: \(error)\n".utf8, to: STDERR_FILENO)
  exit(1)
}
