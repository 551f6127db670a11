// A whole app with recognisers, as `floor client`: counts the frames that its views and recognisers
// have handled.
//
//   BenchApp SOCKET FRAMES CPU
//
// With BENCH_PLANT=1 it allocates at each move, so that the counting can be seen to count.

import CLinuxShims
import Glibc
import LinuxIO
import TouchKit

/// Ten fingers drag it; a pan with any number of fingers follows them.
@MainActor
final class BenchController: UIViewController {
  var moves = 0
  let expected: Int
  private let allocates = environment("BENCH_PLANT") == "1"
  private var planted: UnsafeMutableRawPointer?

  init(expected: Int) {
    self.expected = expected
    super.init()
  }

  override func viewDidLoad() {
    view.isMultipleTouchEnabled = true
    let pan = UIPanGestureRecognizer()
    pan.addTarget(self, action: BenchController.moved)
    view.addGestureRecognizer(pan)
    view.addGestureRecognizer(UITapGestureRecognizer())
    view.addGestureRecognizer(UILongPressGestureRecognizer())
  }

  /// Kept until the next time, or the compiler would see through it.
  private func allocate() {
    free(planted)
    planted = malloc(1)
  }

  func moved(_ pan: UIPanGestureRecognizer) {
    moves += 1
    if allocates { allocate() }
    // The first moves settle the recognisers; the last frame lifts all fingers.
    if moves >= expected - 2 || pan.state == .ended { MainLoop.main.stop() }
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let frames = Int(arguments[2]), frames > 10 else {
  writeAll("usage: BenchApp SOCKET FRAMES CPU\n".utf8, to: STDERR_FILENO)
  exit(2)
}
if let cpu = Int32(arguments[3]), tb_pin(cpu) != 0 {
  writeAll("BenchApp: cannot pin to CPU \(cpu): \(Errno.current)\n".utf8, to: STDERR_FILENO)
  exit(1)
}
do {
  let application = UIApplication.reset(UIApplication(clock: MonotonicClock.now))
  let connection = try ApplicationConnection(application, name: "bench", path: arguments[1])
  connection.open()
  connection.stateChanged = { isOpen, _ in
    if !isOpen { MainLoop.main.stop() }
  }
  let window = UIWindow(frame: UIScreen.main.bounds)
  let controller = BenchController(expected: frames)
  window.rootViewController = controller
  window.makeKeyAndVisible()
  writeAll("ready\n".utf8, to: STDOUT_FILENO)
  MainLoop.main.run()
  writeAll("\(controller.moves) 0 0\n".utf8, to: STDOUT_FILENO)
} catch {
  writeAll("BenchApp: \(error)\n".utf8, to: STDERR_FILENO)
  exit(1)
}
