// The real client library, as `floor client`: counts frames and prints p50 and p99 of the time from
// the kernel's stamp to the app's callback.
//
//   BenchClient SOCKET FRAMES CPU

import CLinuxShims
import Glibc
import LinuxIO
import TouchClient
import TouchModel

final class Stopwatch: TouchConnectionDelegate {
  let expected: Int
  var delays: [UInt64] = []
  /// All frames have come, or the daemon has gone.
  var isOver = false
  private var hasBegun = false

  init(expected: Int) {
    self.expected = expected
    delays.reserveCapacity(expected)
  }

  func connection(_ connection: TouchConnection, didReceive frame: borrowing FrameBuffer) {
    guard !isOver else { return }
    delays.append(MonotonicClock.now() - frame.timeNanoseconds)
    if delays.count == expected { isOver = true }
  }

  func connection(_ connection: TouchConnection, didOpenWith displays: [Display]) {
    hasBegun = true
  }

  func connection(_ connection: TouchConnection, didApplyScenes fault: ScenesFault?) {
    writeAll("ready\n".utf8, to: STDOUT_FILENO)
  }

  func connection(_ connection: TouchConnection, didCloseBecause reason: String) {
    isOver = hasBegun
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let frames = Int(arguments[2]), frames > 0 else {
  writeAll("usage: BenchClient SOCKET FRAMES CPU\n".utf8, to: STDERR_FILENO)
  exit(2)
}
if let cpu = Int32(arguments[3]), tb_pin(cpu) != 0 {
  writeAll("BenchClient: cannot pin to CPU \(cpu): \(Errno.current)\n".utf8, to: STDERR_FILENO)
  exit(1)
}
do {
  let stopwatch = Stopwatch(expected: frames)
  let connection = try TouchConnection(name: "bench", path: arguments[1])
  connection.delegate = stopwatch
  connection.setScenes([Scene(id: 1, frame: Rect(x: 0, y: 0, width: 1280, height: 800))])
  let poller = try Poller(capacity: 1)
  try poller.add(connection.descriptor, token: 1)
  while !stopwatch.isOver {
    _ = poller.wait(milliseconds: -1)
    connection.dispatchPending()
  }
  let sorted = stopwatch.delays.isEmpty ? [0] : stopwatch.delays.sorted()
  let line =
    "\(stopwatch.delays.count) \(sorted[sorted.count / 2]) \(sorted[sorted.count * 99 / 100])\n"
  writeAll(line.utf8, to: STDOUT_FILENO)
} catch {
  writeAll("BenchClient: \(error)\n".utf8, to: STDERR_FILENO)
  exit(1)
}
