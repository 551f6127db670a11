import Glibc
import TestSupport
import Testing
import TouchModel
import UInputPanel

/// Apps and daemons that die, sleep or misbehave while fingers are down, on a panel that the test
/// plays by hand.
@Suite(.withPrograms, .withMockDevices) struct `Faults with fingers down` {
  /// A panel, a daemon on it, and the apps that are started one after the other.
  private final class Scene {
    let bench: MockBench
    let folder: TemporaryFolder
    private(set) var daemon: DaemonProcess
    private let options: [String]

    init(_ options: String...) throws {
      bench = try MockBench()
      try bench.add(5, .tenFingerPanel(), "ID_INPUT_TOUCHSCREEN=1")
      self.options = ["--display", "1280x800", "--verbose"] + options
      daemon = try DaemonProcess(self.options, environment: bench.environment)
      folder = daemon.folder
    }

    /// Starts another daemon in the place of one that has gone.
    func restartDaemon() throws {
      daemon = try DaemonProcess(self.options, in: folder, environment: bench.environment)
    }

    /// Starts the example app and waits until its scene is in force.
    func app() throws -> TouchedApp {
      let app = try TouchedApp(daemon)
      try awaitScene(of: app)
      return app
    }

    func awaitScene(of app: TouchedApp) throws {
      let pid = "client sets scenes client=Panel pid=\(app.process.identifier)"
      _ = try daemon.process.errors.next(containing: pid)
    }

    func touch(_ fingers: [Int32: (x: Int32, y: Int32)]) throws { try bench.touch(5, fingers) }

    /// A finger that no recogniser of the app takes for anything: far, and beside the card.
    func drag(from x: Int32) throws {
      try touch([0: (x, 700)])
      try touch([0: (x + 60, 700)])
      try touch([:])
    }
  }

  @Test func `when an app is killed the next touch goes to the app below, and only the next`()
    throws
  {
    let scene = try Scene()
    let below = try scene.app()
    let above = try scene.app()
    try scene.touch([0: (100, 700)])
    #expect(try above.next() == "began at 100, 700")
    above.process.kill(SIGKILL)
    let pid = "pid=\(above.process.identifier)"
    #expect(
      try scene.daemon.process.errors.next(containing: "client went")
        == "touchbridged: client went client=Panel \(pid)")
    // The finger that was down belongs to nobody until it lifts.
    try scene.touch([0: (150, 700)])
    try scene.touch([:])
    try scene.drag(from: 300)
    #expect(try below.next() == "began at 300, 700")
    #expect(try below.next() == "moved at 360, 700")
    #expect(try below.next() == "ended at 360, 700")
    #expect(try scene.daemon.stop() == 0)
    #expect(try below.end() == ["began at 300, 700", "moved at 360, 700", "ended at 360, 700"])
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `when the daemon goes, views are cancelled once, and the next daemon touches them again`(
    _ signal: Int32
  ) throws {
    let scene = try Scene()
    let app = try scene.app()
    // The next daemon counts contacts from 1 again: its third must not be taken for this one's.
    try scene.drag(from: 300)
    for line in ["began at 300, 700", "moved at 360, 700", "ended at 360, 700"] {
      #expect(try app.next() == line)
    }
    try scene.touch([0: (100, 700), 1: (200, 720)])
    #expect(try app.next() == "began at 100, 700")
    #expect(try app.next() == "began at 200, 720")
    scene.daemon.process.kill(signal)
    #expect(try app.next() == "cancelled at 100, 700")
    #expect(try app.next() == "cancelled at 200, 720")
    try scene.restartDaemon()
    try scene.awaitScene(of: app)
    // These have been down since before the new daemon.
    try scene.touch([0: (110, 700), 1: (210, 720)])
    try scene.touch([:])
    try scene.drag(from: 500)
    for line in ["began at 500, 700", "moved at 560, 700", "ended at 560, 700"] {
      #expect(try app.next() == line)
    }
    #expect(try scene.daemon.stop() == 0)
    #expect(try app.end().count == 10)
  }

  @Test func `what an app slept through is caught up with, but for taps that are too old`() throws {
    let scene = try Scene("--stale-limit", "400")
    let monitor = try MonitorProcess(scene.daemon)
    let app = try scene.app()
    try scene.touch([0: (100, 700)])
    #expect(try app.next() == "began at 100, 700")
    // Handled, so that nothing but what follows is asleep.
    #expect(try monitor.next().risesToTheEnd)
    app.process.stop()
    for x in stride(from: Int32(110), through: 400, by: 10) { try scene.touch([0: (x, 700)]) }
    try scene.touch([:])
    // A tap, and a finger that stays.
    try scene.touch([1: (900, 100)])
    try scene.touch([:])
    try scene.touch([2: (900, 700)])
    let last = try monitor.next { $0.contacts.contains { $0.id == 3 } }
    letPass(until: last.stagesNs.kernel + 400_000_000)
    app.process.signal(SIGCONT)
    // Eight frames were on their way; the rest of the drag was merged behind them.
    let drag = ["moved at 180, 700", "moved at 400, 700", "ended at 400, 700"]
    for line in drag { #expect(try app.next() == line) }
    // Neither the tap nor the rest of the other finger comes; the next one does.
    try scene.touch([2: (950, 700)])
    try scene.touch([:])
    try scene.drag(from: 600)
    for line in ["began at 600, 700", "moved at 660, 700", "ended at 660, 700"] {
      #expect(try app.next() == line)
    }
    #expect(try scene.daemon.stop() == 0)
    #expect(try monitor.process.end() == 3)
    let stale = try monitor.lines().flatMap(\.clients).map(\.stale)
    #expect(stale.reduce(0, +) == 2, "\(monitor.process.output.all)")
    #expect(
      try app.end() == ["began at 100, 700"] + drag + [
        "began at 600, 700", "moved at 660, 700", "ended at 660, 700",
      ])
  }

  @Test func `an app that wakes up to nothing but old taps is not taken for a hung one`() throws {
    let scene = try Scene("--stale-limit", "100", "--hung-limit", "400")
    let monitor = try MonitorProcess(scene.daemon)
    let app = try scene.app()
    app.process.stop()
    try scene.touch([0: (300, 300)])
    let tap = try monitor.next()
    letPass(until: tap.stagesNs.kernel + 100_000_000)
    app.process.signal(SIGCONT)
    // If it had said nothing, it would be given up by then.
    letPass(until: tap.stagesNs.kernel + 600_000_000)
    try scene.touch([:])
    try scene.drag(from: 600)
    for line in ["began at 600, 700", "moved at 660, 700", "ended at 660, 700"] {
      #expect(try app.next() == line)
    }
    #expect(try scene.daemon.stop() == 0)
    #expect(!scene.daemon.process.errors.all.contains { $0.contains("does not acknowledge") })
    #expect(try app.end().count == 3)
  }

  @Test func `an app that sleeps too long loses its contacts, and gets new ones once it is awake`()
    throws
  {
    let scene = try Scene("--hung-limit", "300")
    let monitor = try MonitorProcess(scene.daemon)
    let app = try scene.app()
    try scene.touch([0: (100, 700)])
    #expect(try app.next() == "began at 100, 700")
    app.process.stop()
    try scene.touch([0: (170, 700)])
    let log = scene.daemon.process.errors
    let pid = "client=Panel pid=\(app.process.identifier)"
    #expect(
      try log.next(containing: "does not acknowledge")
        == "touchbridged: client does not acknowledge, cancelling its contacts \(pid)")
    // Nothing new is kept for it, and its old finger is not its own any more.
    try scene.touch([0: (180, 700), 1: (900, 100)])
    try scene.touch([0: (190, 700)])
    let dropped = "client-unresponsive"
    for line in [
      ["1 motion at 180.0, 700.0: \(dropped)", "2 down at 900.0, 100.0: \(dropped)"],
      ["1 motion at 190.0, 700.0: \(dropped)", "2 up at 900.0, 100.0: \(dropped)"],
    ] {
      _ = try monitor.next { $0.told == line }
    }
    app.process.signal(SIGCONT)
    #expect(try app.next() == "moved at 170, 700")
    #expect(try app.next() == "cancelled at 170, 700")
    _ = try log.next(containing: "client acknowledges again \(pid)")
    try scene.touch([0: (200, 700)])
    try scene.touch([:])
    try scene.drag(from: 600)
    for line in ["began at 600, 700", "moved at 660, 700", "ended at 660, 700"] {
      #expect(try app.next() == line)
    }
    #expect(try scene.daemon.stop() == 0)
    #expect(try app.end().count == 6)
  }

  @Test func `a client that breaks the rules goes, and another one's drag goes on`() throws {
    let scene = try Scene()
    let app = try scene.app()
    try scene.touch([0: (100, 700)])
    #expect(try app.next() == "began at 100, 700")
    for step in Int32(1)...5 {
      let vandal = try WireClient.welcomed(scene.daemon.appSocket, name: "vandal")
      // Beside the app's: one that covered it would take the drag away.
      vandal.setScenes([TouchModel.Scene(id: 1, frame: Rect(x: 640, y: 0, width: 640, height: 800))]
      )
      #expect(try vandal.next() == "scenes applied")
      vandal.send(bytes: [UInt8](repeating: 0xff, count: 64 * Int(step)))
      #expect(try vandal.next().hasPrefix("refusal 2: "))
      #expect(try vandal.next() == "closed")
      try scene.touch([0: (100 + 60 * step, 700)])
      #expect(try app.next() == "moved at \(100 + 60 * step), 700")
    }
    try scene.touch([:])
    #expect(try app.next() == "ended at 400, 700")
    #expect(try scene.daemon.stop() == 0)
    #expect(try app.end().count == 7)
  }

  @Test func `PL-5, WN-12: an app that is covered loses its contacts, and gets new ones in front`()
    throws
  {
    let scene = try Scene()
    let app = try scene.app()
    try scene.touch([0: (100, 700)])
    #expect(try app.next() == "began at 100, 700")
    var above: WireClient? = try WireClient.welcomed(scene.daemon.appSocket, name: "above")
    above?.setScenes([.everywhere])
    #expect(try app.next() == "cancelled at 100, 700")
    #expect(try above?.next() == "scenes applied")
    try scene.touch([0: (160, 700), 1: (300, 700)])
    // The one in front gets the finger that is new, the other one nothing.
    #expect(try above?.next() == "frame: 2 down at 300.0, 700.0")
    above = nil
    let gone = try scene.daemon.process.errors.next(containing: "client went")
    #expect(gone?.hasPrefix("touchbridged: client went client=above pid=") == true)
    try scene.touch([:])
    try scene.drag(from: 500)
    for line in ["began at 500, 700", "moved at 560, 700", "ended at 560, 700"] {
      #expect(try app.next() == line)
    }
    #expect(try scene.daemon.stop() == 0)
    #expect(try app.end().count == 5)
  }

  /// Waits for a time to pass, not for anything to happen.
  private func letPass(until time: UInt64) {
    var left = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &left, nil) == EINTR {}
  }
}

/// The example app as its own process, with the touches that its views were told.
private final class TouchedApp {
  let process: ChildProcess

  init(_ daemon: DaemonProcess) throws {
    process = try daemon.panel("--json", "--touches")
  }

  /// The next touch.
  func next() throws -> String { try words(process.output.next() ?? "nothing more") }

  /// Ends the app; all it was told. What began must have ended or been cancelled, once.
  func end() throws -> [String] {
    process.kill(SIGTERM)
    _ = try process.end()
    let lines = process.output.all.map(words)
    let outage = "Panel: the daemon has gone; trying again until it is back"
    #expect(process.errors.all.allSatisfy { $0 == outage })
    var live = 0
    for line in lines {
      if line.hasPrefix("began") { live += 1 }
      if line.hasPrefix("ended") || line.hasPrefix("cancelled") { live -= 1 }
      #expect(live >= 0, "\(line) of nothing that had begun")
    }
    #expect(live == 0, "\(lines)")
    return lines
  }

  /// `{"touch":"began","x":1.0,"y":2.0}` as `began at 1, 2`.
  private func words(_ line: String) -> String {
    let values = line.split { "{\":,}".contains($0) }.map {
      $0.hasSuffix(".0") ? $0.dropLast(2) : $0
    }
    guard values.count == 6, values[0] == "touch" else { return line }
    return "\(values[1]) at \(values[3]), \(values[5])"
  }
}
