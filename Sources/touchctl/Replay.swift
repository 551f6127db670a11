import EvdevSource
import Glibc
import LinuxIO
import TouchRecording
import TouchWire

/// `touchctl replay`: a recording into a daemon of its own, or into the kernel.
enum Replay: Subcommand {
  static let name = "replay"
  static let summary = "play a recording into an app, or as a device of the kernel"

  private static let usage = CommandUsage(
    title: "touchctl replay", operands: "FILE [OPTION...] [-- COMMAND...]",
    text: """
      Plays an evemu or libinput recording as a panel of a daemon of its own; a running one is left
      alone. COMMAND is run as the app on it and ended after it; without COMMAND the routed frames
      are shown as `touchctl monitor` does. With --uinput the kernel makes the recorded devices
      anew, and every program sees them (needs root).
      """,
    options: [
      CommandOption(
        name: "speed", argument: "N", summary: "how much faster than recorded, or max (1)"),
      CommandOption(name: "json", summary: "without COMMAND: print a JSON object a frame"),
      CommandOption(name: "uinput", summary: "make the devices through /dev/uinput"),
      CommandOption(
        name: "delay", argument: "MS",
        summary: "with --uinput: how long readers get to open the devices (500)"),
    ])

  static func run(_ arguments: [String]) -> ExitCode {
    let split = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let command = Array(arguments[split...].dropFirst())
    guard let parsed = usage.parse(Array(arguments[..<split])) else { return .usage }
    if parsed.has("help") { return Console.show(usage.help) }
    guard parsed.operands.count == 1, parsed.operands[0] != "-" else {
      Console.fail("replay takes one FILE, on disk. Try `touchctl replay --help`.")
      return .usage
    }
    guard let speed = speed(parsed.value("speed")) else {
      Console.fail("--speed takes a number above 0 or max, not '\(parsed.value("speed") ?? "")'.")
      return .usage
    }
    let isWrong =
      parsed.has("uinput") ? parsed.has("json") || !command.isEmpty : parsed.has("delay")
    guard !isWrong, !parsed.has("json") || command.isEmpty else {
      Console.fail("--delay goes with --uinput; --json and COMMAND go without, one of them.")
      return .usage
    }
    let file = parsed.operands[0]
    // Also where the daemon reads it itself: what is wrong is said once, and before anything starts.
    guard let recording = RecordingFile.read(file) else { return .failed }
    guard parsed.has("uinput") else {
      return OwnDaemon(file: file, speed: speed).run(command, asJSON: parsed.has("json"))
    }
    guard let delay = parsed.value("delay").map({ UInt64($0) }) ?? 500, delay <= 60_000 else {
      Console.fail("--delay takes milliseconds up to 60000, not '\(parsed.value("delay") ?? "")'.")
      return .usage
    }
    return KernelReplay(speed: speed, delay: delay * 1_000_000).run(recording)
  }

  /// How much faster than recorded; infinite for max.
  private static func speed(_ text: String?) -> Double? {
    guard let text else { return 1 }
    if text == "max" { return .infinity }
    return Double(text).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }
}

/// A daemon that plays one recording and ends.
private struct OwnDaemon {
  let file: String
  let speed: Double

  func run(_ command: [String], asJSON: Bool) -> ExitCode {
    do throws(SystemError) {
      let folder = try makeTemporaryDirectory()
      defer {
        for name in ["app.sock", "admin.sock"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
      }
      let daemon = try start(in: folder)
      let code =
        try command.isEmpty
        ? watch(folder, asJSON: asJSON) : serve(command, folder, until: daemon)
      daemon.signal(SIGTERM)
      let ending = daemon.wait()
      // What was wrong with the file the daemon has said itself.
      return ending == 0 ? code : .failed
    } catch {
      Console.fail("\(error)")
      return .failed
    }
  }

  private func start(in folder: String) throws(SystemError) -> ChildProgram {
    var arguments = [
      Self.program, "--runtime-dir", folder, "--replay", file, "--wait-for-clients", "1", "--once",
      "--quiet",
    ]
    // No motions merge then, as fast as it goes.
    arguments += speed.isFinite ? ["--speed", "\(speed)"] : ["--speed", "1e12", "--in-step"]
    let daemon = try ChildProgram(arguments)
    try awaitSocket("\(folder)/admin.sock", of: daemon)
    return daemon
  }

  /// The daemon beside this program, or the one on the path.
  private static var program: String {
    guard let own = ownProgramPath(), let slash = own.lastIndex(of: "/") else {
      return "touchbridged"
    }
    let beside = own[...slash] + "touchbridged"
    return access(String(beside), X_OK) == 0 ? String(beside) : "touchbridged"
  }

  /// Waits until the daemon listens, or has ended.
  private func awaitSocket(_ path: String, of daemon: ChildProgram) throws(SystemError) {
    var ending = pollfd(fd: daemon.descriptor, events: Int16(POLLIN), revents: 0)
    while access(path, F_OK) != 0 {
      if poll(&ending, 1, 10) > 0 { return }
    }
  }

  private func watch(_ folder: String, asJSON: Bool) throws(SystemError) -> ExitCode {
    let output = OutputBuffer()
    let printer: any ReportPrinter = asJSON ? JSONReports(output) : TextReports(output)
    let lines = MonitorLines(printer: printer, limit: nil)
    return try MonitorFeed(
      path: "\(folder)/admin.sock", lines: lines, output: output, part: .watchesAsTheApp
    ).run()
  }

  private func serve(
    _ command: [String], _ folder: String, until daemon: ChildProgram
  ) throws(SystemError) -> ExitCode {
    let arrival = try AppArrival(path: "\(folder)/admin.sock")
    let app = try ChildProgram(command, environment: ["TOUCHBRIDGE_SOCKET": "\(folder)/app.sock"])
    let signals = try SignalReader([SIGINT, SIGTERM])
    var waited = [daemon.descriptor, app.descriptor, signals.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    var patience = Self.patience
    while !waited.contains(where: { $0.revents != 0 }) {
      // A negative descriptor is passed over.
      var all = waited + [pollfd(fd: arrival.descriptor, events: Int16(POLLIN), revents: 0)]
      let count = poll(&all, nfds_t(all.count), arrival.hasCome ? -1 : patience)
      if count < 0, errno == EINTR { continue }
      waited = Array(all.dropLast())
      arrival.look()
      if count == 0 {
        Console.line(
          "touchctl: waiting for \(command[0]) to connect; the recording begins once it has a scene."
        )
        patience = -1
      }
    }
    let hasEndedEarly = waited[1].revents != 0 && waited[0].revents == 0
    app.signal(SIGTERM)
    let code = app.wait()
    guard hasEndedEarly else { return .done }
    arrival.look()
    Console.fail(
      arrival.hasCome
        ? "\(command[0]) ended before the recording did, with \(code)."
        : "\(command[0]) ended, with \(code), and never connected to the daemon. Is it an app of "
          + "TouchKit or TouchClient?")
    return .failed
  }

  /// After how many milliseconds of waiting for the app a word is due.
  private static let patience: Int32 = 2_000
}

/// Learns whether an app has come to the daemon.
private final class AppArrival {
  private var socket: PacketSocket?
  /// Whether it has come, now or before.
  private(set) var hasCome = false

  /// Begins to listen.
  init(path: String) throws(SystemError) {
    let socket = try PacketSocket.connect(to: path)
    let writer = PacketWriter()
    _ = socket.send(writer.hello(Hello(roles: .observer, name: "touchctl replay"), serial: 1))
    _ = socket.send(writer.subscribe(serial: 2))
    self.socket = socket
  }

  /// What to wait for; -1 once the app has come, for nothing more is of interest.
  var descriptor: Int32 { socket?.descriptor ?? -1 }

  /// Takes what was told meanwhile.
  func look() {
    withUnsafeTemporaryAllocation(byteCount: WireFormat.maximumLength, alignment: 8) { buffer in
      while let socket {
        switch socket.receive(into: buffer) {
        case .done(let count):
          let packet = UnsafeRawBufferPointer(rebasing: buffer[..<count])
          // What else it says, and what is of another version, is not for this.
          guard case .clientNotice(let notice)? = try? ServerMessage.decode(packet),
            notice.pid != getpid()
          else { continue }
          hasCome = true
          self.socket = nil
        case .wouldBlock: return
        case .closed, .failed: self.socket = nil
        }
      }
    }
  }
}

/// The recorded devices, made anew by the kernel.
private struct KernelReplay {
  let speed: Double
  /// How long readers get to open the devices, in nanoseconds.
  let delay: UInt64

  func run(_ recording: Recording) -> ExitCode {
    do throws(UInputError) {
      var devices: [UInputDevice] = []
      for recorded in recording.devices {
        let device = try UInputDevice(recorded.description)
        devices.append(device)
        Console.line("touchctl: \(recorded.description.name) is \(device.node ?? "a device") now")
      }
      pause(until: MonotonicClock.now() + delay)
      let start = MonotonicClock.now()
      var timeline = RecordingTimeline(recording)
      while let timed = timeline.next() {
        let offset = Double(timed.offsetNanoseconds) / speed
        // A recording whose clock jumps by centuries is not waited for to the end.
        pause(until: start + UInt64(min(offset, Double(UInt64(1) << 62))))
        try devices[timed.device].send(timed.event)
      }
      return .done
    } catch {
      Console.fail("\(error)")
      return .failed
    }
  }

  private func pause(until time: UInt64) {
    while true {
      let now = MonotonicClock.now()
      guard now < time else { return }
      var left = timespec(
        tv_sec: Int((time - now) / 1_000_000_000), tv_nsec: Int((time - now) % 1_000_000_000))
      nanosleep(&left, nil)
    }
  }
}
