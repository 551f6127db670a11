import BridgeDaemon
import Glibc
import LinuxIO
import TouchModel

let usage = CommandUsage(
  title: "touchbridged", operands: "[OPTION...]",
  text: """
    Reads the touchscreens of this machine and routes each contact to the app under it.
    Apps connect to DIR/app.sock, tools to DIR/admin.sock.
    """,
  options: [
    CommandOption(
      name: "runtime-dir", argument: "DIR",
      summary: "where the sockets are made (/run/touchbridge)"),
    CommandOption(
      name: "device", argument: "PATH",
      summary: "use this node and ask udev for no others; may be repeated"),
    CommandOption(
      name: "seat", argument: "NAME", summary: "the seat whose panels are used (seat0)"),
    CommandOption(
      name: "config", argument: "PATH",
      summary: "a configuration file, or a folder in the place of /etc/touchbridge"),
    CommandOption(
      name: "replay", argument: "FILE", summary: "play a recording in the place of panels"),
    CommandOption(name: "speed", argument: "N", summary: "how much faster than recorded (1)"),
    CommandOption(
      name: "wait-for-clients", argument: "N",
      summary: "start the replay once N clients have scenes (0)"),
    CommandOption(
      name: "in-step",
      summary: "play a frame only when its clients have handled the one before, so none merge"),
    CommandOption(
      name: "once", summary: "end when the replay is over and its clients have handled it"),
    CommandOption(
      name: "display", argument: "WxH",
      summary:
        "one display of this size in points, instead of those configured or shown by the kernel"),
    CommandOption(
      name: "stale-limit", argument: "MS",
      summary: "age in ms at which an app drops a touch it has not read yet; 0 for never (1000)"),
    CommandOption(
      name: "hung-limit", argument: "MS",
      summary: "how long in ms an app may leave a frame unacknowledged (5000)"),
    CommandOption(
      name: "stuck-limit", argument: "MS",
      summary: "how long in ms a contact may be down before it counts as stuck; 0 for ever (0)"),
    CommandOption(
      name: "release-stuck", summary: "cancel a stuck contact and ignore it until it is lifted"),
    CommandOption(name: "verbose", summary: "log decisions too"),
    CommandOption(name: "quiet", summary: "log warnings and errors only"),
  ])

func fail(_ message: String, code: Int32) -> Never {
  writeAll("touchbridged: \(message)\n".utf8, to: STDERR_FILENO)
  exit(code)
}

/// A time limit in nanoseconds, of an option in milliseconds; ends the program where it is wrong.
func limit(_ name: String, from least: UInt64, in arguments: ParsedArguments) -> UInt64? {
  guard let text = arguments.value(name) else { return nil }
  // A day is longer than anybody's patience, and short enough to be added to any time.
  guard let number = UInt64(text), (least...86_400_000).contains(number) else {
    fail("--\(name) takes milliseconds from \(least) to 86400000, not '\(text)'", code: 2)
  }
  return number * 1_000_000
}

/// The options that the arguments ask for; ends the program where they are wrong.
func options(from arguments: ParsedArguments) -> DaemonOptions {
  var options = DaemonOptions()
  options.runtimeDirectory = arguments.value("runtime-dir") ?? options.runtimeDirectory
  options.devices = arguments.all("device")
  options.seat = arguments.value("seat")
  options.replayFile = arguments.value("replay")
  options.endsWithReplay = arguments.has("once")
  options.replaysInStep = arguments.has("in-step")
  if let text = arguments.value("speed") {
    guard let speed = Double(text), speed.isFinite, speed > 0 else {
      fail("--speed takes a number above 0, not '\(text)'", code: 2)
    }
    options.replaySpeed = speed
  }
  if let text = arguments.value("wait-for-clients") {
    guard let count = Int(text), count >= 0 else {
      fail("--wait-for-clients takes a number from 0, not '\(text)'", code: 2)
    }
    options.replayClients = count
  }
  if let text = arguments.value("display") {
    guard let display = Display(size: text) else {
      fail("--display takes a size such as 1280x800, not '\(text)'", code: 2)
    }
    options.display = display
  }
  options.configuration = arguments.value("config").map { .path($0) } ?? .system
  options.staleLimit = limit("stale-limit", from: 0, in: arguments)
  options.hungLimit = limit("hung-limit", from: 1, in: arguments)
  options.stuck.limit = limit("stuck-limit", from: 0, in: arguments) ?? options.stuck.limit
  options.stuck.releases = arguments.has("release-stuck")
  if options.stuck.releases, options.stuck.limit == 0 {
    fail("--release-stuck goes with --stuck-limit", code: 2)
  }
  if options.replayFile == nil,
    arguments.has("speed") || options.endsWithReplay || options.replaysInStep
      || options.replayClients > 0
  {
    fail("--speed, --once, --in-step and --wait-for-clients go with --replay", code: 2)
  }
  return options
}

holdStandardDescriptors()
guard let arguments = usage.parse(Array(CommandLine.arguments.dropFirst())) else { exit(2) }
if arguments.has("help") {
  exit(writeAll(usage.help.utf8, to: STDOUT_FILENO) ? 0 : 1)
}
guard arguments.operands.isEmpty else {
  fail("takes options only; `touchbridged --help` lists them", code: 2)
}
do throws(DaemonError) {
  let threshold: LogLevel =
    arguments.has("verbose") ? .debug : arguments.has("quiet") ? .warning : .notice
  let log = Log(threshold: threshold)
  try Daemon(options: options(from: arguments), log: log).run()
} catch {
  fail("\(error)", code: error.exitCode)
}
