import Glibc
import TestSupport
import Testing
import TouchModel
import UInputPanel

@Suite(.withPrograms) struct `touchctl monitor beside a daemon and an app` {
  @Test func `each frame is told with its panel, client, scene and the times of all stages`()
    throws
  {
    let frames: [(milliseconds: Int, fingers: [Int32: RawPoint])] = [
      (0, [0: RawPoint(x: 600, y: 300)]), (20, [0: RawPoint(x: 620, y: 300)]),
      (40, [0: RawPoint(x: 620, y: 300), 3: RawPoint(x: 100, y: 700)]),
      (60, [3: RawPoint(x: 100, y: 700)]), (80, [:]),
    ]
    let daemon = try DaemonProcess(
      ["--wait-for-clients", "1", "--in-step", "--once", "--display", "1280x800"],
      replay: Recordings.fingers(frames))
    let monitor = try MonitorProcess(daemon)
    let app = try daemon.panel("--json")
    #expect(try daemon.process.end() == 0)
    // A monitor whose daemon went says so, with what it had.
    #expect(try monitor.process.end() == 3)
    #expect(
      monitor.process.errors.all == [
        "touchctl: the daemon has gone. Start the monitor again once it is back."
      ])
    let lines = try monitor.lines()
    #expect(
      lines.map(\.told) == [
        ["1 down at 600.0, 300.0: scene 1"],
        ["1 motion at 620.0, 300.0: scene 1"],
        ["1 still at 620.0, 300.0: scene 1", "2 down at 100.0, 700.0: scene 1"],
        ["1 up at 620.0, 300.0: scene 1", "2 still at 100.0, 700.0: scene 1"],
        ["2 up at 100.0, 700.0: scene 1"],
      ])
    for line in lines {
      #expect(line.deviceName == "test panel")
      #expect(line.clients.map(\.name) == ["Panel"])
      #expect(line.clients.map(\.pid) == [app.identifier])
      #expect(line.clients.map(\.stale) == [0])
      #expect(line.contacts.allSatisfy { $0.client == line.clients[0].client })
      #expect(line.contacts.allSatisfy { $0.injected && $0.tool == "finger" })
      #expect(line.risesToTheEnd, "\(line)")
      #expect(line.timeUs == line.stagesNs.kernel / 1_000)
      #expect(line.lost == 0)
    }
  }

  @Test func `a contact that reaches nobody is told with the reason`() throws {
    let daemon = try DaemonProcess(
      ["--wait-for-clients", "1", "--display", "1280x800"],
      replay: Recordings.fingers([
        (0, [0: RawPoint(x: 100, y: 200), 1: RawPoint(x: 900, y: 200)]),
        (20, [0: RawPoint(x: 100, y: 200)]), (100_000_000, [:]),
      ]))
    let monitor = try MonitorProcess(daemon)
    let half = Scene(id: 7, frame: Rect(x: 0, y: 0, width: 640, height: 800))
    let app = try WireClient.welcomed(daemon.appSocket, name: "left half")
    app.setScenes([half])
    #expect(
      try monitor.next().told == [
        "1 down at 100.0, 200.0: scene 7", "2 down at 900.0, 200.0: no-scene",
      ])
    let second = try monitor.next()
    #expect(
      second.told == ["1 still at 100.0, 200.0: scene 7", "2 up at 900.0, 200.0: no-scene"])
    // It has acknowledged nothing: its stages are missing, and the line comes all the same.
    #expect(second.clients.map(\.name) == ["left half"])
    #expect(second.clients.map(\.clientDoneNs) == [nil])
    app.setScenes([])
    #expect(try monitor.next().told == ["1 cancel at 100.0, 200.0: scene 7"])
    #expect(try daemon.stop() == 0)
    #expect(try monitor.next().told == ["1 cancel at 100.0, 200.0: scene-gone"])
    #expect(try monitor.process.end() == 3)
  }

  /// A monitor's life during a recording.
  private enum Fate: CaseIterable {
    case absent
    case watches
    case isKilled
    case isStoppedForAWhile
  }

  @Test func `a monitor that is killed or stopped changes nothing for the app`() throws {
    let script = try GestureScript(
      text: Repository.text("Tests/Fixtures/ten-finger-panel.gestures.script.txt"))
    let frameCount = script.frames.count
    let options = [
      "--replay", `The bundled recording, from one end to the other`.recording,
      "--wait-for-clients", "1", "--in-step", "--once", "--display", "1280x800",
    ]
    // All at once: the recording takes its time.
    let runs = try Fate.allCases.map { fate in
      let daemon = try DaemonProcess(options)
      let monitor = fate == .absent ? nil : try MonitorProcess(daemon)
      return (
        fate: fate, daemon: daemon, monitor: monitor,
        app: try daemon.panel("--json", "--touches")
      )
    }
    for run in runs {
      let deadline = Deadline()
      _ = try run.app.output.next(containing: "\"state\":\"began\"", by: deadline)
      if run.fate == .isKilled { run.monitor?.process.kill(SIGKILL) }
      if run.fate == .isStoppedForAWhile { run.monitor?.process.stop() }
    }
    for run in runs {
      _ = try run.app.output.next(containing: "\"gesture\":\"pinch\"")
      if run.fate == .isStoppedForAWhile { run.monitor?.process.signal(SIGCONT) }
    }
    for run in runs {
      #expect(try run.daemon.process.end() == 0)
      run.app.kill(SIGTERM)
      _ = try run.app.end()
    }
    let lines = runs.map { run in
      run.app.output.all.map { GestureOutput($0)?.comparable ?? $0 }
    }
    #expect(lines[0].contains { $0.contains("\"gesture\":\"pinch\"") })
    for index in 1..<runs.count { #expect(lines[index] == lines[0], "\(runs[index].fate)") }
    for run in runs where run.fate == .watches || run.fate == .isStoppedForAWhile {
      let monitor = try #require(run.monitor)
      #expect(try monitor.process.end() == 3)
      let told = try monitor.lines()
      // A pause of some seconds fits into what the daemon keeps for it.
      #expect(told.count == frameCount)
      #expect(told.allSatisfy { $0.lost == 0 })
    }
  }

  @Test func `a monitor that sleeps through more than is kept for it learns how much it missed`()
    throws
  {
    // Ten fingers wriggle 3,000 times, then one taps and taps.
    var frames: [(milliseconds: Int, fingers: [Int32: RawPoint])] = []
    frames.append((0, [0: RawPoint(x: 10, y: 10)]))
    frames.append((100, [:]))
    for number in 0..<3_000 {
      let fingers = (0..<10).map { slot in
        (Int32(slot), RawPoint(x: Int32(100 + 100 * slot), y: Int32(300 + number % 2)))
      }
      frames.append((2_000 + number, Dictionary(uniqueKeysWithValues: fingers)))
    }
    frames.append((5_100, [:]))
    for number in 0..<100 {
      frames.append((6_000 + 200 * number, [0: RawPoint(x: 1200, y: 20)]))
      frames.append((6_100 + 200 * number, [:]))
    }
    let daemon = try DaemonProcess(
      ["--wait-for-clients", "1", "--once", "--speed", "10", "--display", "1280x800"],
      replay: Recordings.fingers(frames))
    let monitor = try MonitorProcess(daemon)
    let app = try daemon.panel("--json", "--touches")
    #expect(try monitor.next().told == ["1 down at 10.0, 10.0: scene 1"])
    monitor.process.stop()
    _ = try app.output.next(containing: "\"touch\":\"began\",\"x\":1200.0")
    monitor.process.signal(SIGCONT)
    let gap = try monitor.next { $0.lost > 0 }
    #expect(gap.risesToTheEnd)
    _ = try monitor.next { $0.lost == 0 }
    #expect(try daemon.process.end() == 0)
    #expect(try monitor.process.end() == 3)
    let told = try monitor.lines()
    // A line without contacts is no frame: it tells of what was missed.
    #expect(told.count { !$0.contacts.isEmpty } + told.map(\.lost).reduce(0, +) == frames.count)
    // The app has seen every finger come, and go once.
    app.kill(SIGTERM)
    _ = try app.end()
    func count(_ words: String...) -> Int {
      app.output.all.filter { line in words.contains { line.contains("\"touch\":\"\($0)\"") } }
        .count
    }
    #expect(count("began") == 111)
    #expect(count("ended", "cancelled") == 111)
  }
}
