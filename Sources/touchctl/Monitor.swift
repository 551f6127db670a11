import Glibc
import LinuxIO
import TouchModel
import TouchWire

/// `touchctl monitor`: what the daemon routes where, as it happens.
enum Monitor: Subcommand {
  static let name = "monitor"
  static let summary = "show what is routed where, live"

  static let standardSocket = "/run/touchbridge/admin.sock"

  private static let usage = CommandUsage(
    title: "touchctl monitor", operands: "[OPTION...]",
    text: """
      Shows each frame that the daemon routes: panel, contacts, the client and scene that got
      them or the reason why nobody did, and the time of each stage. Watching changes nothing for
      the apps. A line waits up to 200 ms for the client's acknowledgement.
      """,
    options: [
      CommandOption(name: "json", summary: "print a JSON object a frame instead of text"),
      CommandOption(name: "count", argument: "N", summary: "end after N frames"),
      CommandOption(
        name: "socket", argument: "PATH", summary: "the daemon's admin socket (\(standardSocket))"),
    ])

  static func run(_ arguments: [String]) -> ExitCode {
    guard let parsed = usage.parse(arguments) else { return .usage }
    if parsed.has("help") { return Console.show(usage.help) }
    guard parsed.operands.isEmpty else {
      Console.fail("monitor takes options only. Try `touchctl monitor --help`.")
      return .usage
    }
    var count: Int?
    if let text = parsed.value("count") {
      guard let number = Int(text), number > 0 else {
        Console.fail("--count takes a number above 0, not '\(text)'.")
        return .usage
      }
      count = number
    }
    let output = OutputBuffer()
    let printer: any ReportPrinter =
      parsed.has("json") ? JSONReports(output) : TextReports(output)
    let lines = MonitorLines(printer: printer, limit: count)
    let path = parsed.value("socket") ?? standardSocket
    do throws(SystemError) {
      return try MonitorFeed(path: path, lines: lines, output: output).run()
    } catch {
      Console.fail("\(error). Is touchbridged running, and may you use \(path)?")
      return .noDaemon
    }
  }
}

/// The connection to the daemon, and the loop around it.
final class MonitorFeed {
  /// What the monitor does beside watching.
  enum Part {
    case watches
    /// It also is the app that gets all contacts, and ends without a word when the daemon does.
    case watchesAsTheApp
  }

  private let path: String
  private let socket: PacketSocket
  private let poller: Poller
  private let timer: DeadlineTimer
  private let signals: SignalReader
  private let lines: MonitorLines
  private let output: OutputBuffer
  private let part: Part
  private let writer = PacketWriter()
  private var serial: UInt32 = 0

  init(
    path: String, lines: MonitorLines, output: OutputBuffer, part: Part = .watches
  ) throws(SystemError) {
    self.part = part
    self.path = path
    self.lines = lines
    self.output = output
    signals = try SignalReader([SIGINT, SIGTERM])
    socket = try PacketSocket.connect(to: path)
    poller = try Poller(capacity: 4)
    timer = try DeadlineTimer()
    try poller.add(socket.descriptor, token: 1)
    try poller.add(timer.descriptor, token: 2)
    try poller.add(signals.descriptor, token: 3)
  }

  func run() throws(SystemError) -> ExitCode {
    let roles: WireRoles = part == .watches ? .observer : [.observer, .app]
    send { $0.hello(Hello(roles: roles, name: "touchctl monitor"), serial: $1) }
    send { $0.subscribe(serial: $1) }
    var ending: ExitCode?
    while ending == nil {
      timer.set(lines.deadline)
      for index in 0..<poller.wait(milliseconds: -1) {
        switch poller.token(index) {
        case 1: ending = receive() ?? ending
        case 2: timer.consume()
        default: ending = .done
        }
      }
      lines.release(MonotonicClock.now())
      output.flush()
      if lines.isFull || output.hasFailed { ending = .done }
    }
    lines.releaseAll()
    let written = output.finish()
    return ending == .done ? written : ending ?? written
  }

  /// Reads what has come; an exit code if that was the last.
  private func receive() -> ExitCode? {
    withUnsafeTemporaryAllocation(byteCount: WireFormat.maximumLength, alignment: 8) { buffer in
      while true {
        switch socket.receive(into: buffer) {
        case .done(let count):
          if let code = take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { return code }
        case .wouldBlock: return nil
        case .closed where part == .watchesAsTheApp: return .done
        case .closed:
          Console.fail("the daemon has gone. Start the monitor again once it is back.")
          return .noDaemon
        case .failed(let errno):
          Console.fail("cannot read from \(path): \(errno).")
          return .failed
        }
      }
    }
  }

  private func send(_ message: (PacketWriter, UInt32) -> UnsafeRawBufferPointer?) {
    serial += 1
    if let packet = message(writer, serial) { _ = socket.send(packet) }
  }

  /// Takes all of each display.
  private func takePlace(_ welcome: Welcome) {
    let scenes = welcome.displays.map { display in
      Scene(
        id: display.id, display: display.id,
        frame: Rect(x: 0, y: 0, width: display.width, height: display.height))
    }
    send { $0.setScenes(scenes, serial: $1) }
  }

  private func acknowledge(_ frame: FrameMessage) {
    let now = MonotonicClock.now()
    let done = Acknowledgement(frameSerial: frame.serial, readTime: now, doneTime: now)
    send { $0.acknowledge(done, serial: $1) }
  }

  private func take(_ packet: UnsafeRawBufferPointer) -> ExitCode? {
    do throws(WireError) {
      switch try ServerMessage.decode(packet) {
      case .refusal(let refusal):
        Console.fail("the daemon refuses: \(refusal.text)")
        return .failed
      case .report(let report): lines.take(report, at: MonotonicClock.now())
      case .handled(let handled): lines.take(handled)
      case .clientNotice(let notice): lines.take(notice)
      case .panelNotice(let notice): lines.take(notice)
      case .stuckNotice(let notice): lines.take(notice)
      case .welcome(let welcome): if part == .watchesAsTheApp { takePlace(welcome) }
      case .frame(let frame): acknowledge(frame)
      case .scenesApplied, .activation, .statusLine, .displaysChanged, .displayRotated,
        .panelCaptured, .rawFrame, .captureEnded, .configurationRead, nil:
        break
      }
      return nil
    } catch {
      Console.fail("the daemon sent a \(error). Are daemon and touchctl of one version?")
      return .failed
    }
  }
}
