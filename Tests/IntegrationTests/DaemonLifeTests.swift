import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchWire
import UInputPanel

@Suite(.withPrograms) struct `The life of a daemon` {
  static let down = "down at 100.0, 200.0"
  static let cancel = "cancel at 100.0, 200.0"
  static let open = "open on 1280.0x800.0"
  static let gone = "closed: the daemon has gone; trying again until it is back"

  @Test func `its end cancels what is down, orderly or not`() throws {
    for signal in [SIGTERM, SIGINT, SIGKILL] {
      let daemon = try DaemonProcess(
        ["--wait-for-clients", "1", "--display", "1280x800"], replay: Recordings.heldFinger)
      let app = try LibraryClient(daemon.appSocket)
      #expect(try app.next() == Self.open)
      #expect(try app.next() == "scenes applied")
      #expect(try app.next() == Self.down)
      daemon.process.kill(signal)
      #expect(try app.next() == Self.cancel)
      #expect(try app.next() == Self.gone)
      try app.finish()
    }
  }

  @Test func `an app finds the next daemon, sets its scenes again and is touched again`() throws {
    let arguments = ["--wait-for-clients", "1", "--display", "1280x800"]
    let folder = try TemporaryFolder()
    var app: LibraryClient?
    for _ in 0..<3 {
      let daemon = try DaemonProcess(arguments, replay: Recordings.heldFinger, in: folder)
      let client = try app ?? LibraryClient(daemon.appSocket)
      app = client
      #expect(try client.next("open") == Self.open)
      #expect(try client.next() == "scenes applied")
      #expect(try client.next() == Self.down)
      // The sockets of a daemon that was killed are left behind and do not stand in the way.
      daemon.process.kill(SIGKILL)
      #expect(try client.next() == Self.cancel)
      #expect(try client.next() == Self.gone)
    }
    try app?.finish()
  }

  @Test func `a recording is played to the end, and the daemon ends when all is handled`() throws {
    let fixture = "\(Repository.root)/Tests/Fixtures/ten-finger-panel.gestures.evemu"
    let daemon = try DaemonProcess([
      "--replay", fixture, "--speed", "1000", "--wait-for-clients", "1", "--once",
    ])
    let app = try LibraryClient(daemon.appSocket)
    #expect(try app.next("closed") == Self.gone)
    try app.finish()
    #expect(try daemon.process.end() == 0)
    #expect(app.lines.contains { $0.hasPrefix("down") })
    #expect(!app.lines.contains { $0.contains("cancel") })
  }

  @Test func `a client that leaves a frame unacknowledged too long loses its contacts`() throws {
    let daemon = try DaemonProcess(
      ["--wait-for-clients", "1", "--display", "1280x800", "--hung-limit", "50"],
      replay: Recordings.heldFinger)
    let client = try WireClient.welcomed(daemon.appSocket, name: "sleeper")
    client.setScenes([.everywhere])
    #expect(try client.next() == "scenes applied")
    #expect(try client.next() == "frame: 1 down at 100.0, 200.0")
    #expect(try client.next() == "frame: 1 cancel at 100.0, 200.0")
    let warning = "client does not acknowledge, cancelling its contacts"
    #expect(
      try daemon.process.errors.next(containing: warning)
        == "touchbridged: \(warning) client=sleeper pid=\(getpid())")
    client.acknowledge(client.lastFrame)
    let back = "client acknowledges again"
    #expect(
      try daemon.process.errors.next(containing: back)
        == "touchbridged: \(back) client=sleeper pid=\(getpid())")
    #expect(try daemon.stop() == 0)
  }

  @Test func `a client that wakes up and acknowledges one frame of two is not given up again`()
    throws
  {
    let daemon = try DaemonProcess(
      ["--wait-for-clients", "1", "--display", "1280x800", "--hung-limit", "400"],
      replay: Recordings.fingers([
        (0, [0: RawPoint(x: 100, y: 200)]), (10, [0: RawPoint(x: 110, y: 200)]), (90_000_000, [:]),
      ]))
    let client = try WireClient.welcomed(daemon.appSocket, name: "sleeper")
    client.setScenes([.everywhere])
    #expect(try client.next() == "scenes applied")
    #expect(try client.next() == "frame: 1 down at 100.0, 200.0")
    let down = client.lastFrame
    #expect(try client.next() == "frame: 1 motion at 110.0, 200.0")
    #expect(try client.next() == "frame: 1 cancel at 110.0, 200.0")
    client.acknowledge(down)
    #expect(try daemon.process.errors.next(containing: "acknowledges again") != nil)
    client.acknowledge(client.lastFrame)
    client.setScenes([])
    #expect(try client.next() == "scenes applied")
    #expect(try daemon.stop() == 0)
    try client.finish()
    let warnings = daemon.process.errors.all.filter { $0.contains("does not acknowledge") }
    #expect(warnings.count == 1)
  }

  @Test func `an observer sees who is there, what is routed where, and what was handled`() throws {
    let daemon = try DaemonProcess(
      ["--wait-for-clients", "1", "--display", "1280x800"], replay: Recordings.heldFinger)
    let observer = try WireClient(daemon.adminSocket)
    observer.hello(.observer, name: "watcher")
    observer.send { $0.subscribe(serial: $1) }
    #expect(try observer.next() == "welcome as observer")
    #expect(try observer.next() == "panel test panel is there")
    #expect(try observer.next() == "client watcher is there")
    let client = try WireClient.welcomed(daemon.appSocket, name: "app")
    #expect(try observer.next() == "client app is there")
    client.setScenes([.everywhere])
    #expect(try client.next() == "scenes applied")
    #expect(try client.next() == "frame: 1 down at 100.0, 200.0")
    #expect(try observer.next() == "report: 1 down, none")
    client.acknowledge(client.lastFrame)
    #expect(try observer.next() == "handled \(client.lastFrame)")
    client.setScenes([])
    #expect(try client.next() == "frame: 1 cancel at 100.0, 200.0")
    #expect(try observer.next() == "report: 1 cancel, none")
    daemon.process.signal(SIGTERM)
    #expect(try observer.next() == "report: 1 cancel, scene-gone")
  }

  @Test func `sockets handed over by a service manager serve more than one client`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Recordings.endless, to: "replay.evemu")
    // As systemd makes them: listening, and blocking.
    let sockets = try ["app", "admin"].map { try listeningSocket("\(folder.path)/\($0)") }
    let shell = ["sh", "-c", "LISTEN_PID=$$ exec \"$@\"", "sh"]
    let process = try ChildProcess(
      shell + [DaemonProcess.program, "--replay", "\(folder.path)/replay.evemu"],
      environment: [
        "LISTEN_FDS": "2", "LISTEN_FDNAMES": "app:admin", "JOURNAL_STREAM": "8:1",
      ], descriptors: sockets.map(\.raw))
    // In a journal each line begins with its level.
    #expect(try process.errors.next(containing: "ready") == "<5>ready panels=1")
    let first = try WireClient.welcomed("\(folder.path)/app")
    let second = try WireClient.welcomed("\(folder.path)/app")
    for client in [first, second] {
      client.setScenes([.everywhere])
      #expect(try client.next() == "scenes applied")
    }
    process.signal(SIGTERM)
    #expect(try process.end() == 0)
    // They are the manager's: the daemon leaves their paths alone.
    #expect(access("\(folder.path)/app", F_OK) == 0)
  }

  private static let held = ["--wait-for-clients", "1", "--display", "1280x800"]

  /// A finger comes and is cancelled at the end, whatever else goes wrong.
  private func touchAndEnd(_ process: ChildProcess, in folder: TemporaryFolder) throws {
    let app = try LibraryClient("\(folder.path)/app.sock")
    #expect(try app.next() == Self.open)
    #expect(try app.next() == "scenes applied")
    #expect(try app.next() == Self.down)
    process.signal(SIGTERM)
    #expect(try app.next() == Self.cancel)
    try app.finish()
    #expect(try process.end() == 0)
  }

  @Test func `a service manager that does not read holds nobody up, and is told when it does`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write(Recordings.heldFinger, to: "replay.evemu")
    let manager = try ReadyListener(folder)
    try manager.fill()
    let process = try ChildProcess(
      [DaemonProcess.program, "--runtime-dir", folder.path, "--replay"]
        + ["\(folder.path)/replay.evemu"] + Self.held,
      environment: ["NOTIFY_SOCKET": manager.path, "JOURNAL_STREAM": ""])
    #expect(try process.errors.next(containing: "ready") == "touchbridged: ready panels=1")
    let client = try WireClient.welcomed("\(folder.path)/app.sock")
    try manager.waitUntilReady(process)
    withExtendedLifetime(client) {}
    try touchAndEnd(process, in: folder)
  }

  @Test func `a log that nobody reads holds nobody up, and says what was lost`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Recordings.heldFinger, to: "replay.evemu")
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let reader = OwnedDescriptor(owning: ends[0])
    let writer = OwnedDescriptor(owning: ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(reader.raw, F_SETFL, O_NONBLOCK)
    _ = fcntl(writer.raw, F_SETFL, O_NONBLOCK)
    let page = [UInt8](repeating: UInt8(ascii: "x"), count: 4_096)
    while write(writer.raw, page, page.count) > 0 {}
    _ = fcntl(writer.raw, F_SETFL, 0)
    let manager = try ReadyListener(folder)
    let process = try ChildProcess(
      ["sh", "-c", "exec 2>&3 3>&-; exec \"$@\"", "sh", DaemonProcess.program, "--runtime-dir"]
        + [folder.path, "--replay", "\(folder.path)/replay.evemu"] + Self.held,
      environment: ["NOTIFY_SOCKET": manager.path, "JOURNAL_STREAM": ""],
      descriptors: [writer.raw])
    try manager.waitUntilReady(process)
    func read() -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 1 << 17)
      let count = Glibc.read(reader.raw, &bytes, bytes.count)
      return Array(bytes.prefix(max(0, count)))
    }
    #expect(read().allSatisfy { $0 == UInt8(ascii: "x") })
    try touchAndEnd(process, in: folder)
    let lines = String(decoding: read(), as: UTF8.self).split(separator: "\n")
    #expect(
      lines.first?.hasPrefix("touchbridged: lines of the log were lost, nobody read them lines=")
        == true)
    #expect(lines.contains("touchbridged: stopping"))
  }

  private func listeningSocket(_ path: String) throws -> Listening {
    let socket = try PacketListener(path: path, mode: 0o600)
    let flags = fcntl(socket.descriptor, F_GETFL)
    _ = fcntl(socket.descriptor, F_SETFL, flags & ~O_NONBLOCK)
    return Listening(socket)
  }

  private final class Listening {
    private let socket: PacketListener
    init(_ socket: PacketListener) { self.socket = socket }
    var raw: Int32 { socket.descriptor }
  }
}
