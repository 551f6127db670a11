import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchRecording
import TouchWire
import UInputPanel

@Suite(.withPrograms) struct `A daemon with a configuration` {
  private static let display = "[Display default]\nSize=1280x800\n"
  private static let heldDown = "down at 100.0, 200.0"

  private let folder: TemporaryFolder
  private var file: String { "\(folder.path)/touch.conf" }

  init() throws { folder = try TemporaryFolder() }

  private func daemon(
    _ text: String, replay: String = Recordings.heldFinger, clients: Int = 1,
    keepsStatus: Bool = false
  ) throws -> DaemonProcess {
    try folder.write(text, to: "touch.conf")
    return try DaemonProcess(
      ["--wait-for-clients", "\(clients)", "--config", file], replay: replay, in: folder,
      keepsStatus: keepsStatus)
  }

  /// A client whose scene has come into force and which a finger touches.
  private func touched(_ daemon: DaemonProcess, at down: String = heldDown) throws -> LibraryClient
  {
    let app = try LibraryClient(daemon.appSocket)
    #expect(try app.next().hasPrefix("open on "))
    #expect(try app.next() == "scenes applied")
    #expect(try app.next() == down)
    return app
  }

  /// Ends the daemon: its client hears of nothing but that.
  private func finish(_ daemon: DaemonProcess, _ app: LibraryClient) throws {
    #expect(try daemon.stop() == 0)
    #expect(try app.next() == "closed: the daemon has gone; trying again until it is back")
    try app.finish()
  }

  private func touchctl(_ arguments: String...) throws -> (Int32, [String], [String]) {
    let process = try ChildProcess(["\(Repository.programs)/touchctl"] + arguments)
    return (try process.end(), process.output.all, process.errors.all)
  }

  @Test func `applies panel and display to what apps see`() throws {
    let daemon = try daemon(
      "[Display default]\nSize=800x1280\nRotate=90\n[Panel p]\nMatchName=test panel\nInvertX=yes")
    // The picture is 1280 by 800; a quarter turn of the inverted panel.
    let x = 200.0 / 799 * 1279
    let y = 100.0 / 1279 * 799
    let place = Point(x: x, y: y)
    let app = try touched(daemon, at: "down at \(place.words)")
    #expect(app.lines[0] == "open on 1280.0x800.0")
    #expect(try daemon.stop() == 0)
    #expect(try app.next() == "cancel at \(place.words)")
  }

  @Test func `a panel that a reload leaves alone plays no further, nor does its recording`() throws
  {
    let replay = Recordings.fingers((0..<400).map { (20 * $0, [0: RawPoint(x: Int32($0), y: 9)]) })
    let daemon = try daemon(Self.display, replay: replay)
    let app = try LibraryClient(daemon.appSocket)
    #expect(try app.next().hasPrefix("open on "))
    #expect(try app.next() == "scenes applied")
    #expect(try app.next() == "down at 0.0, 9.0")
    try reload(daemon, Self.display + "[Panel a]\nMatchName=*\nIgnore=yes")
    while true {
      let line = try app.next()
      if line.hasPrefix("motion") { continue }
      #expect(line.hasPrefix("cancel"))
      break
    }
    try finish(daemon, app)
  }

  @Test func `skips wrong sections, says so in log and status, and serves the other panels`() throws
  {
    let daemon = try daemon(
      Self.display + "[Panel other]\nMatchName=other\nRotate=45\n[Daemon]\nHungLimit=soon",
      keepsStatus: true)
    let faults = [
      "\(file):5: Rotate= takes 0, 90, 180 or 270 degrees, not '45'",
      "\(file):7: HungLimit= takes a time from 1ms such as 5s, not 'soon'",
    ]
    #expect(
      try [daemon.process.errors.next(), daemon.process.errors.next()] == [
        "touchbridged: skipping section=\"[Panel other]\" why=\"\(faults[0])\"",
        "touchbridged: skipping section=[Daemon] why=\"\(faults[1])\"",
      ])
    #expect(
      try daemon.status(containing: "skipped")
        == "STATUS=1 panels, 0 clients; skipped: \(faults[0]) (and 1 more)")
    let app = try touched(daemon)
    #expect(try daemon.stop() == 0)
    #expect(try app.next() == "cancel at 100.0, 200.0")
    try app.finish()
  }

  private func failure(_ text: String?) throws -> (Int32, [String]) {
    if let text { try folder.write(text, to: "touch.conf") }
    try folder.write(Recordings.endless, to: "replay.evemu")
    let process = try ChildProcess(
      [
        DaemonProcess.program, "--runtime-dir", folder.path, "--config", file, "--replay",
        "\(folder.path)/replay.evemu",
      ], environment: ["JOURNAL_STREAM": ""])
    return (try process.end(), process.errors.all)
  }

  @Test func `with which nothing can work ends with 78`() throws {
    let end = "nothing can work with this configuration. `touchctl config check` shows all of it."
    let missing = try failure(nil)
    #expect(missing.0 == 78)
    #expect(
      missing.1 == [
        "touchbridged: \(file): cannot open \(file): No such file or directory (ENOENT)", end,
      ])
    let noDisplay = try failure("[Display a]\nScale=0")
    #expect(noDisplay.0 == 78)
    #expect(
      noDisplay.1 == [
        "touchbridged: \(file):2: Scale= takes a number from 0.1 to 16, not '0'", end,
      ])
  }

  @Test func `does not guess the display of a panel`() throws {
    let two = try failure("[Display left]\nSize=800x480\n[Display right]\nSize=800x480")
    let sentence =
      "it is not said which of the displays left, right it lies on. Write into "
      + "/etc/touchbridge/touchbridge.conf: [Panel left] MatchName=test panel Display=left, each on a "
      + "line, and reload"
    #expect(two.0 == 1)
    #expect(
      two.1.last == "touchbridged: cannot replay \(folder.path)/replay.evemu: \(sentence)")
    let daemon = try daemon(
      "[Display left]\nSize=800x480\n[Display right]\nSize=1280x800\n[Panel p]\nDisplay=right",
      clients: 2)
    let left = try LibraryClient(daemon.appSocket)
    #expect(try left.next() == "open on 800.0x480.0, 1280.0x800.0")
    #expect(try left.next() == "scenes applied")
    let right = Scene(
      id: 1, display: 1, frame: Rect(x: 0, y: 0, width: 1280, height: 800))
    let app = try LibraryClient(daemon.appSocket, scenes: [right])
    #expect(try app.next("down") == Self.heldDown)
    #expect(try daemon.stop() == 0)
    #expect(try app.next() == "cancel at 100.0, 200.0")
    try app.finish()
    // The other display's client hears of no contact.
    #expect(try left.next("closed") != "")
    #expect(left.lines.filter { $0.contains(" at ") } == [])
  }

  // MARK: Reloading

  private func reload(_ daemon: DaemonProcess, _ text: String) throws {
    try folder.write(text, to: "touch.conf")
    daemon.process.signal(SIGHUP)
  }

  @Test func `is reloaded: a panel that is used otherwise has its contacts cancelled once`() throws
  {
    let daemon = try daemon(Self.display)
    let app = try touched(daemon)
    try reload(daemon, Self.display + "[Panel p]\nRotate=180\n[Panel none]\nMatchName=none")
    #expect(try app.next() == "cancel at 100.0, 200.0")
    _ = try daemon.process.errors.next(containing: "panel is used in another way")
    let line = daemon.process.errors.all.first { $0.contains("in another way") }
    #expect(
      line == "touchbridged: panel is used in another way, its contacts are cancelled "
        + "node=\(daemon.folder.path)/replay.evemu Rotate=180 transform=\"-1 0 1 0 -1 1\"")
    #expect(
      try daemon.process.errors.next(containing: "configuration read")
        == "touchbridged: configuration read changes=1")
    #expect(
      try daemon.process.errors.next()
        == "touchbridged: no panel matches a section section=\"[Panel none]\" where=\(file):5")
    // The same again changes nothing.
    try reload(daemon, Self.display + "\n\n[Panel p]\nRotate=180")
    #expect(
      try daemon.process.errors.next(containing: "configuration read")
        == "touchbridged: configuration read changes=0")
    try finish(daemon, app)
  }

  @Test func `that is wrong on reload leaves the old one`() throws {
    let daemon = try daemon(Self.display + "[Panel p]\nHysteresis=1mm")
    let app = try touched(daemon)
    try reload(daemon, Self.display + "[Panel p]\nHysteresis=1\nRotate=90")
    #expect(
      try daemon.process.errors.next(containing: "wrong in the new")
        == "touchbridged: wrong in the new configuration section=\"[Panel p]\" why=\"\(file):4: "
        + "Hysteresis= takes a length such as 1mm, or 0 for none, not '1'\"")
    #expect(
      try daemon.process.errors.next() == "touchbridged: the old configuration stays")
    #expect(try daemon.stop() == 0)
    #expect(try app.next() == "cancel at 100.0, 200.0")
    try app.finish()
  }

  @Test func `whose displays change takes scenes with those that go`() throws {
    let two = Self.display + "[Display side]\nSize=400x300\n[Panel p]\nDisplay=default"
    let daemon = try daemon(two)
    let app = try touched(daemon)
    let side = try WireClient.welcomed(daemon.appSocket)
    side.setScenes([Scene(id: 1, display: 1, frame: Rect(x: 0, y: 0, width: 400, height: 300))])
    #expect(try side.next() == "scenes applied")
    try reload(daemon, Self.display)
    #expect(try side.next() == "displays: default 1280.0x800.0")
    // The contact's own display is as it was.
    #expect(try app.next() == "displays: default 1280.0x800.0")
    side.setScenes([Scene(id: 1, display: 1, frame: Rect(x: 0, y: 0, width: 400, height: 300))])
    #expect(try side.next() == "scenes unknownDisplay")
    #expect(try daemon.stop() == 0)
    #expect(try app.next() == "cancel at 100.0, 200.0")
    try app.finish()
  }

  @Test func `filters what it says, and something else after a reload`() throws {
    // A finger that stays for 20 ms, and one that stays for 200 ms.
    let taps = Recordings.fingers([
      (10, [0: RawPoint(x: 100, y: 200)]), (30, [:]), (60, [0: RawPoint(x: 300, y: 200)]),
      (260, [:]), (90_000_000, [:]),
    ])
    let daemon = try daemon(Self.display + "[Panel p]\nMinimumDuration=100ms", replay: taps)
    let app = try touched(daemon, at: "down at 300.0, 200.0")
    #expect(try app.next() == "up at 300.0, 200.0")
    try reload(daemon, Self.display + "[Panel p]\nMinimumDuration=50ms\nHysteresis=1mm\nMedian=3")
    let change = try daemon.process.errors.next(containing: "in another way")
    #expect(
      change?.hasSuffix("replay.evemu Hysteresis=1mm MinimumDuration=50ms Median=3") == true)
    let problem = try daemon.process.errors.next(containing: "a filter cannot work")
    #expect(problem?.contains("filter hysteresis is off") == true)
    try finish(daemon, app)
  }

  // MARK: Turning

  @Test func `lets an administrator turn a display; what is down is cancelled once`() throws {
    let daemon = try daemon(Self.display)
    let app = try touched(daemon)
    let tool = try WireClient(daemon.adminSocket)
    tool.hello(.admin)
    #expect(try tool.next() == "welcome as admin")
    tool.send {
      $0.rotateDisplay(RotateDisplay(display: "default", rotation: .quarter), serial: $1)
    }
    #expect(try tool.next() == "displays: default 800.0x1280.0")
    #expect(try tool.next() == "2 rotated")
    #expect(try app.next() == "cancel at 100.0, 200.0")
    #expect(try app.next() == "displays: default 800.0x1280.0")
    // As it is already: an answer and nothing else.
    tool.send {
      $0.rotateDisplay(RotateDisplay(display: "default", rotation: .quarter), serial: $1)
    }
    #expect(try tool.next() == "3 rotated")
    tool.send { $0.rotateDisplay(RotateDisplay(display: "wall", rotation: .half), serial: $1) }
    #expect(try tool.next() == "4 unknownDisplay")
    try finish(daemon, app)
  }

  @Test func `lets no one else turn a display`() throws {
    let daemon = try daemon(Self.display)
    let app = try WireClient.welcomed(daemon.appSocket)
    app.send { $0.rotateDisplay(RotateDisplay(display: "default", rotation: .half), serial: $1) }
    #expect(try app.next() == "refusal 3: only an administrator turns displays")
    #expect(try app.next() == "closed")
    let claim = try WireClient(daemon.appSocket)
    claim.hello(.admin)
    #expect(try claim.next().hasPrefix("refusal 3: none of the roles"))
    #expect(try daemon.stop() == 0)
  }

  @Test func `keeps an administrator's turn over a reload that says nothing of it`() throws {
    let daemon = try daemon(Self.display)
    let app = try touched(daemon)
    let turned = try touchctl(
      "display", "default", "--rotate", "270", "--socket", daemon.adminSocket)
    #expect(turned == (0, [], []))
    #expect(try app.next() == "cancel at 100.0, 200.0")
    #expect(try app.next() == "displays: default 800.0x1280.0")
    try reload(daemon, Self.display + "[Daemon]\nStaleLimit=2s")
    #expect(
      try daemon.process.errors.next(containing: "configuration read")
        == "touchbridged: configuration read changes=1")
    try reload(daemon, Self.display + "Rotate=180")
    #expect(try app.next() == "displays: default 1280.0x800.0")
    try finish(daemon, app)
  }

  @Test func `keeps a turn over a restart, if it was asked to`() throws {
    let folder = try TemporaryFolder()
    try folder.write("[Daemon]\nStaleLimit=2s\n", to: "touchbridge.conf")
    let daemon = try DaemonProcess(["--config", folder.path])
    let turned = try touchctl(
      "display", "default", "--rotate", "90", "--keep", "--socket", daemon.adminSocket)
    let file = "\(folder.path)/conf.d/90-display-default.conf"
    #expect(turned == (0, ["written to \(file)"], []))
    func lines() throws -> [Substring] {
      var lines = try String(decoding: readFile(file), as: UTF8.self).split(separator: "\n")
      #expect(lines.removeFirst().hasPrefix("# Written by touchctl display at "))
      return lines
    }
    #expect(try lines() == ["[Display default]", "Size=1280x800", "Rotate=90"])
    let wrong = try touchctl(
      "display", "wall", "--rotate", "90", "--keep", "--socket", daemon.adminSocket)
    #expect(
      wrong == (
        1, [],
        [
          "touchctl: the configuration in \(folder.path) has no display wall, so nothing was turned or "
            + "written. A [Display wall] section makes it one."
        ]
      ))
    #expect(try daemon.stop() == 0)
    let second = try DaemonProcess(["--config", folder.path])
    let app = try LibraryClient(second.appSocket, scenes: [.everywhere])
    #expect(try app.next("scenes") == "scenes applied")
    #expect(app.lines.first == "open on 800.0x1280.0")
    let back = try touchctl(
      "display", "default", "--rotate", "0", "--keep", "--socket", second.adminSocket)
    #expect(back == (0, ["written to \(file)"], []))
    #expect(try lines() == ["[Display default]", "Size=1280x800", "Rotate=0"])
    // What an administrator has put into the file stays; only the turn is written.
    try folder.write(
      "# Written by touchctl display.\n[Display default]\nRotate=0\nSize=640x480\nScale=2\n# end\n",
      to: "conf.d/90-display-default.conf")
    let again = try touchctl(
      "display", "default", "--rotate", "180", "--keep", "--socket", second.adminSocket)
    #expect(again == (0, ["written to \(file)"], []))
    #expect(try lines() == ["[Display default]", "Rotate=180", "Size=640x480", "Scale=2", "# end"])
    // Another file has the last word; nothing is written then.
    try folder.write("[Display default]\nRotate=270\n", to: "conf.d/95-mine.conf")
    let kept = try readFile(file)
    let vain = try touchctl(
      "display", "default", "--rotate", "90", "--keep", "--socket", second.adminSocket)
    #expect(vain.0 == 1)
    #expect(
      vain.2.last == "touchctl: the picture is turned until the daemon ends, but Rotate= at "
        + "\(folder.path)/conf.d/95-mine.conf:2 is read after \(file) and wins. Change it there.")
    #expect(try readFile(file) == kept)
    #expect(try second.stop() == 0)
  }

  @Test
  func `is kept whole when many keep turns at once, and by a daemon that was told a short path`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write("[Daemon]\nStaleLimit=2s\n", to: "conf/touchbridge.conf")
    // The tools run in another folder than the daemon.
    let runtime = try TemporaryFolder()
    try runtime.write(Recordings.endless, to: "replay.evemu")
    let process = try ChildProcess([
      "sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder.path, DaemonProcess.program,
      "--runtime-dir", runtime.path, "--replay", "\(runtime.path)/replay.evemu", "--config", "conf",
    ])
    _ = try process.errors.next(containing: "ready")
    let socket = "\(runtime.path)/admin.sock"
    let shown = try touchctl("status", "--json", "--socket", socket)
    #expect(shown.1.first?.contains(#""configuration":"\#(folder.path)/conf""#) == true)
    let runs = try [90, 180, 270, 0, 90, 180, 270, 0].map { turn in
      try ChildProcess([
        "\(Repository.programs)/touchctl", "display", "default", "--rotate", "\(turn)", "--keep",
        "--socket", socket,
      ])
    }
    let file = "\(folder.path)/conf/conf.d/90-display-default.conf"
    for run in runs {
      #expect(try run.end() == 0)
      #expect(run.errors.all == [])
      #expect(run.output.all == ["written to \(file)"])
    }
    let names = try directoryNames("\(folder.path)/conf/conf.d")
    #expect(names == ["90-display-default.conf", "90-display-default.conf.previous"])
    let text = try String(decoding: readFile(file), as: UTF8.self)
    #expect(
      text.wholeMatch(
        of:
          /# Written by touchctl display at [-0-9]+ [:0-9]+ UTC by [^\n]+\.\n\[Display default\]\nSize=1280x800\nRotate=(0|90|180|270)\n/
      )
        != nil)
    let none = try touchctl(
      "display", "default", "--rotate", "0", "--keep", "--config", "\(folder.path)/none",
      "--socket",
      socket)
    #expect(
      none == (
        1, [],
        [
          "touchctl: cannot list \(folder.path)/none: No such file or directory (ENOENT). --config names "
            + "the folder with conf.d as it is called here."
        ]
      ))
    process.signal(SIGTERM)
    #expect(try process.end() == 0)
  }

  @Test func `is turned for the moment alone when the turn cannot be kept after all`() throws {
    let folder = try TemporaryFolder()
    try folder.write("[Display default]\nSize=1280x800\n", to: "touchbridge.conf")
    let daemon = try ScriptedAdmin("\(folder.path)/admin.sock")
    let process = try ChildProcess([
      "\(Repository.programs)/touchctl", "display", "default", "--rotate", "90", "--keep",
      "--config", folder.path, "--socket", daemon.path,
    ])
    let previous = "\(folder.path)/conf.d/90-display-default.conf.previous"
    try daemon.answer(beforeTurn: { try makeDirectory(previous, mode: 0o755) })
    #expect(try process.end() == 1)
    #expect(process.output.all == [])
    #expect(
      process.errors.all == [
        "touchctl: the picture is turned until the daemon ends, but it is not kept: cannot read "
          + "\(previous): Is a directory (EISDIR). A folder stands in the file's way; move it."
      ])
    #expect(
      try directoryNames("\(folder.path)/conf.d") == ["90-display-default.conf.previous"])
  }

  @Test func `is not turned when the turn could not be kept, and says why`() throws {
    let folder = try TemporaryFolder()
    try folder.write("[Daemon]\nStaleLimit=2s\n", to: "touchbridge.conf")
    let daemon = try DaemonProcess(["--config", folder.path])
    let app = try LibraryClient(daemon.appSocket, scenes: [.everywhere])
    #expect(try app.next("scenes") == "scenes applied")
    let file = "\(folder.path)/conf.d/90-display-default.conf"
    // A program that may make files, but put nothing into them.
    let full = try ChildProcess([
      "sh", "-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh",
      "\(Repository.programs)/touchctl", "display", "default", "--rotate", "90", "--keep",
      "--socket", daemon.adminSocket,
    ])
    #expect(try full.end() == 1)
    #expect(full.output.all == [])
    #expect(full.errors.all == ["touchctl: cannot write \(file): File too large (EFBIG)."])
    try makeDirectory("\(file).previous", mode: 0o755)
    let blocked = try touchctl(
      "display", "default", "--rotate", "90", "--keep", "--socket", daemon.adminSocket)
    #expect(
      blocked == (
        1, [],
        [
          "touchctl: cannot read \(file).previous: Is a directory (EISDIR). A folder stands in the "
            + "file's way; move it."
        ]
      ))
    #expect(try directoryNames("\(folder.path)/conf.d") == ["90-display-default.conf.previous"])
    #expect(app.lines.last == "scenes applied")
    #expect(try daemon.stop() == 0)
  }

  @Test
  func `shows in UIScreen when a display is turned, and windows that filled it fill it again`()
    throws
  {
    let daemon = try daemon(Self.display, replay: Recordings.endless)
    let probe = try ChildProcess(
      ["\(Repository.programs)/LoopProbe", "screen"],
      environment: ["TOUCHBRIDGE_SOCKET": daemon.appSocket])
    #expect(try probe.output.next() == "screen 1280.0x800.0, window 1280.0x800.0")
    let turned = try touchctl(
      "display", "default", "--rotate", "90", "--socket", daemon.adminSocket)
    #expect(turned == (0, [], []))
    #expect(try probe.end() == 0)
    #expect(
      probe.output.all == [
        "screen 1280.0x800.0, window 1280.0x800.0", "screen 800.0x1280.0, window 800.0x1280.0",
        "done",
      ])
    #expect(try daemon.stop() == 0)
  }

  @Test func `tells who turns a display that is not there, or how it is done`() throws {
    let daemon = try daemon(Self.display)
    let wrong = try touchctl("display", "wall", "--rotate", "90", "--socket", daemon.adminSocket)
    #expect(wrong == (1, [], ["touchctl: there is no display wall; there are default."]))
    let angle = try touchctl("display", "default", "--rotate", "45")
    #expect(angle == (2, [], ["touchctl: --rotate takes 0, 90, 180 or 270, not '45'."]))
    let usage = try touchctl("display", "default")
    #expect(
      usage == (
        2, [],
        ["touchctl: display takes a name and --rotate DEGREES. Try `touchctl display --help`."]
      ))
    #expect(try daemon.stop() == 0)
    let nobody = try touchctl("display", "default", "--rotate", "0", "--socket", daemon.adminSocket)
    #expect(nobody.0 == 3)
  }
}
