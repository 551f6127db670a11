import EvdevSource
import Glibc
import LinuxIO
import TouchRecording

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
    let app = try ChildProgram(command, environment: ["TOUCHBRIDGE_SOCKET": "\(folder)/app.sock"])
    var endings = [daemon, app].map {
      pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
    }
    let signals = try SignalReader([SIGINT, SIGTERM])
    endings.append(pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0))
    while poll(&endings, nfds_t(endings.count), -1) < 0, errno == EINTR {}
    let hasEndedEarly = endings[1].revents != 0 && endings[0].revents == 0
    app.signal(SIGTERM)
    let code = app.wait()
    guard hasEndedEarly else { return .done }
    Console.fail("\(command[0]) ended before the recording did, with \(code).")
    return .failed
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
