import Dispatch
import Glibc
import TouchKit

// An app that tells what its main loop does, a line each, for tests against a real daemon.
//
//     LoopProbe order    each stage and callout of the loop, and the events sent
//     LoopProbe work     what else the loop serves: tasks, the main queue, timers, wake-ups, a run
//                        within a run
//     LoopProbe poll     no loop of its own: poll(2) on its descriptor, and dispatchPending(); as
//     LoopProbe glib     others do with GLib's, on libdispatch's main queue and in Foundation's
//     LoopProbe dispatch
//     LoopProbe foundation
//     LoopProbe hosts    who serves the main queue as hosts come and go, and what a run within a host's
//                        handler serves; ends by itself
//     LoopProbe screen   the screen's size at first and after each change; ends with the first change
//
// The daemon is the one of TOUCHBRIDGE_SOCKET. It ends once the touch that begins at 100, 100 ends.

/// Prints a line at once: whoever reads along waits for it.
@MainActor func tell(_ line: String) {
  print(line)
  fflush(nil)
}

extension MainLoop.Activity {
  /// The stage's name.
  var word: String {
    switch self {
    case .entry: "entry"
    case .beforeTimers: "before timers"
    case .beforeSources: "before sources"
    case .beforeWaiting: "before waiting"
    case .afterWaiting: "after waiting"
    case .exit: "exit"
    default: "stage \(rawValue)"
    }
  }
}

extension UITouch.Phase {
  /// The phase's name.
  var word: String {
    switch self {
    case .began: "began"
    case .moved: "moved"
    case .stationary: "stationary"
    case .ended: "ended"
    case .cancelled: "cancelled"
    }
  }
}

/// Tells of each event before its windows get it.
final class ProbeApplication: UIApplication {
  private let mainThread = pthread_self()

  override func sendEvent(_ event: UIEvent) {
    let phases = (event.allTouches ?? []).map { touch in
      let place = touch.location(in: nil)
      return "\(touch.phase.word) at \(place.x),\(place.y)"
    }
    let thread =
      pthread_equal(pthread_self(), mainThread) != 0 ? "the main thread" : "another thread"
    tell(
      "event \(phases.sorted().joined(separator: "; ")) in \(MainLoop.main.callout) on \(thread)")
    super.sendEvent(event)
  }
}

/// Takes all touches, and ends the program with the last one.
final class ProbeView: UIView {
  var isDone = false
  var touchBegan: () -> Void = {}
  var finish: () -> Void = { MainLoop.main.stop() }

  override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { touchBegan() }

  override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
    isDone = touches.contains { $0.location(in: nil) == CGPoint(x: 100, y: 100) }
    if isDone { finish() }
  }
}

@main
@MainActor
struct LoopProbe {
  let loop = MainLoop.main
  let connection: ApplicationConnection
  let window: UIWindow
  let view: ProbeView

  init() throws {
    // Started here: a delegate's `main` makes an application of the plain class.
    let application = UIApplication.reset(
      ProbeApplication(clock: {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
      }))
    connection = try ApplicationConnection(application, name: "LoopProbe")
    window = UIWindow(frame: UIScreen.main.bounds)
    view = ProbeView(frame: window.bounds)
    window.addSubview(view)
    window.makeKeyAndVisible()
  }

  static func main() throws {
    let probe = try LoopProbe()
    switch CommandLine.arguments.dropFirst().first {
    case "order": probe.runInOrder()
    case "work": probe.runWork()
    case "poll": probe.runByPolling()
    case "screen": probe.runForScreen()
    case "glib": probe.runInGLib()
    case "dispatch": probe.runOnDispatch()
    case "foundation": probe.runInFoundation()
    case "hosts": probe.runHosts()
    default:
      tell("LoopProbe takes order, work, poll, glib, dispatch, foundation, hosts or screen")
      exit(2)
    }
    probe.connection.invalidate()
    tell("done")
  }

  private func runInOrder() {
    connection.open()
    _ = loop.addObserver(.all) { tell($0.word) }
    loop.calloutBegan = { tell("\($0)") }
    loop.run()
  }

  private func runForScreen() {
    connection.open()
    func show() {
      let screen = UIScreen.main.bounds.size
      let filled = window.frame.size
      tell("screen \(screen.width)x\(screen.height), window \(filled.width)x\(filled.height)")
    }
    connection.screenChanged = {
      show()
      loop.stop()
    }
    show()
    loop.run()
  }

  // MARK: Work

  private func runWork() {
    connection.open()
    view.touchBegan = { tell("touch began in \(loop.callout)") }
    Task { @MainActor in
      tell("task in \(loop.callout)")
      // What is shown is that the loop serves it; nobody waits for an outcome here.
      try? await Task.sleep(for: .milliseconds(5))
      tell("task again in \(loop.callout)")
      let answer = await Task.detached { 42 }.value
      tell("task with \(answer) in \(loop.callout)")
    }
    DispatchQueue.main.async { MainActor.assumeIsolated { tell("block in \(loop.callout)") } }
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(5)) {
      MainActor.assumeIsolated { tell("later block in \(loop.callout)") }
    }
    DispatchQueue.global().async {
      DispatchQueue.main.async {
        MainActor.assumeIsolated { tell("block of another thread in \(loop.callout)") }
      }
    }
    wakeUpFromAnotherThread()
    var ticks = 0
    let clock = now()
    var timer: MainLoop.Token?
    timer = loop.addTimer(at: clock, every: 1_000_000) { _ in
      ticks += 1
      guard ticks == 3 else { return }
      if let timer { loop.remove(timer) }
      tell("third tick in \(loop.callout)")
      runWithin()
    }
    loop.run()
  }

  private func wakeUpFromAnotherThread() {
    let flag = WakeUps()
    let source = loop.addSource0 { tell("signalled in \(loop.callout)") }
    _ = loop.addObserver(.afterWaiting) { _ in
      guard flag.take() else { return }
      tell("woken up in \(loop.callout)")
      loop.signal(source)
    }
    DispatchQueue.global().async {
      flag.raise()
      MainLoop.main.wakeUp()
    }
  }

  /// Runs the loop from within a timer until a touch has come and gone: at 500, 500.
  private func runWithin() {
    tell("inner run begins")
    var hasServedTask = false
    Task { @MainActor in hasServedTask = true }
    var touches = 0
    view.touchBegan = {
      tell("touch began in \(loop.callout)")
      touches += 1
    }
    loop.run(until: { touches > 0 && hasServedTask })
    tell("inner run ends in \(loop.callout)")
  }

  private func now() -> UInt64 { UIApplication.shared.eventTimeNanoseconds }
}

/// A flag that any thread raises.
final class WakeUps: @unchecked Sendable {
  // The lock guards the flag.
  private let lock = DispatchSemaphore(value: 1)
  private var isRaised = false

  func raise() {
    lock.wait()
    isRaised = true
    lock.signal()
  }

  func take() -> Bool {
    lock.wait()
    defer {
      isRaised = false
      lock.signal()
    }
    return isRaised
  }
}
