import LinuxIO
import TouchModel
import TouchWire

/// `touchctl display`: turns a display's picture while the daemon runs.
enum DisplayCommand: Subcommand {
  static let name = "display"
  static let summary = "turn a display's picture"

  private static let usage = CommandUsage(
    title: "touchctl display", operands: "NAME --rotate DEGREES [--socket PATH]",
    text: """
      Tells the daemon how far the picture of a display is turned clockwise on its glass. What is
      down on the display's panels is cancelled, and the apps are told of its new size. It holds
      until the daemon ends or the configuration says something else; Rotate= there makes it last.
      """,
    options: [
      CommandOption(name: "rotate", argument: "DEGREES", summary: "0, 90, 180 or 270"),
      CommandOption(
        name: "socket", argument: "PATH",
        summary: "the daemon's admin socket (\(Monitor.standardSocket))"),
    ])

  static func run(_ arguments: [String]) -> ExitCode {
    guard let parsed = usage.parse(arguments) else { return .usage }
    if parsed.has("help") { return Console.show(usage.help) }
    guard parsed.operands.count == 1, let text = parsed.value("rotate") else {
      Console.fail("display takes a name and --rotate DEGREES. Try `touchctl display --help`.")
      return .usage
    }
    guard let rotation = Int(text).flatMap({ Rotation(rawValue: $0) }) else {
      Console.fail("--rotate takes 0, 90, 180 or 270, not '\(text)'.")
      return .usage
    }
    let path = parsed.value("socket") ?? Monitor.standardSocket
    do throws(SystemError) {
      let socket = try PacketSocket.connect(to: path)
      let wish = RotateDisplay(display: parsed.operands[0], rotation: rotation)
      var exchange = Exchange(socket)
      return try exchange.ask(wish)
    } catch {
      Console.fail("\(error). Is touchbridged running, and may you use \(path)?")
      return .noDaemon
    }
  }
}

/// One question to the daemon and its answer.
private struct Exchange {
  private let socket: PacketSocket
  private var displays: [Display] = []

  init(_ socket: PacketSocket) { self.socket = socket }

  mutating func ask(_ wish: RotateDisplay) throws(SystemError) -> ExitCode {
    let writer = PacketWriter()
    let poller = try Poller(capacity: 1)
    try poller.add(socket.descriptor, token: 1)
    _ = socket.send(writer.hello(Hello(roles: .admin, name: "touchctl display"), serial: 1))
    _ = socket.send(writer.rotateDisplay(wish, serial: 2))
    let end = MonotonicClock.now() &+ 5_000_000_000
    let buffer = PacketBuffer(byteCount: WireFormat.maximumLength)
    while true {
      switch socket.receive(into: buffer.bytes) {
      case .done(let count):
        let packet = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
        if let code = take(packet, wish) { return code }
      case .wouldBlock:
        let now = MonotonicClock.now()
        guard now < end else {
          Console.fail("the daemon does not answer. Is it of this version?")
          return .failed
        }
        _ = poller.wait(milliseconds: Int32((end - now) / 1_000_000) + 1)
      case .closed:
        Console.fail("the daemon has gone.")
        return .noDaemon
      case .failed(let errno):
        Console.fail("cannot read from the daemon: \(errno).")
        return .failed
      }
    }
  }

  private mutating func take(
    _ packet: UnsafeRawBufferPointer, _ wish: RotateDisplay
  ) -> ExitCode? {
    do throws(WireError) {
      switch try ServerMessage.decode(packet) {
      case .refusal(let refusal):
        Console.fail("the daemon refuses: \(refusal.text)")
        return .failed
      case .welcome(let welcome): displays = welcome.displays
      case .displayRotated(let answer):
        if answer.result == .rotated { return .done }
        let names = displays.map(\.name).joined(separator: ", ")
        Console.fail("there is no display \(wish.display); there are \(names).")
        return .failed
      default: break
      }
      return nil
    } catch {
      Console.fail("the daemon sent a \(error). Are daemon and touchctl of one version?")
      return .failed
    }
  }
}
