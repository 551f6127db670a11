import Glibc
import LinuxIO
import TouchWire

/// `touchctl status`: how things stand in the daemon.
enum Status: Subcommand {
  static let name = "status"
  static let summary = "show the daemon, its panels with their filters, and its clients"

  private static let usage = CommandUsage(
    title: "touchctl status", operands: "[OPTION...]",
    text: """
      Shows how things stand: the daemon, each panel with what it counted, its filters with what
      each of them did, and contacts that are stuck, and each client. Asking changes nothing for
      the apps.
      """,
    options: [
      CommandOption(name: "json", summary: "print a JSON object a line instead of text"),
      CommandOption(
        name: "socket", argument: "PATH",
        summary: "the daemon's admin socket (\(Monitor.standardSocket))"),
    ])

  static func run(_ arguments: [String]) -> ExitCode {
    guard let parsed = usage.parse(arguments) else { return .usage }
    if parsed.has("help") { return Console.show(usage.help) }
    guard parsed.operands.isEmpty else {
      Console.fail("status takes options only. Try `touchctl status --help`.")
      return .usage
    }
    let path = parsed.value("socket") ?? Monitor.standardSocket
    do throws(SystemError) {
      return try StatusQuery(path: path).run(isJSON: parsed.has("json"))
    } catch {
      Console.fail("\(error). Is touchbridged running, and may you use \(path)?")
      return .noDaemon
    }
  }
}

/// The connection to the daemon: questions and answers in turn.
private final class StatusQuery {
  // A daemon that is asked answers in a millisecond; one that was stopped never does.
  private static let patience: Int32 = 5_000

  private let path: String
  private let socket: PacketSocket
  private let poller: Poller
  private let buffer = PacketBuffer(byteCount: WireFormat.maximumLength)
  private let output = OutputBuffer()

  init(path: String) throws(SystemError) {
    self.path = path
    socket = try PacketSocket.connect(to: path)
    poller = try Poller(capacity: 1)
    try poller.add(socket.descriptor, token: 1)
  }

  func run(isJSON: Bool) throws(SystemError) -> ExitCode {
    let writer = PacketWriter()
    _ = socket.send(writer.hello(Hello(roles: .observer, name: "touchctl status"), serial: 1))
    _ = socket.send(writer.statusRequest(serial: 2))
    var serial: UInt32 = 2
    while true {
      switch socket.receive(into: buffer.bytes) {
      case .wouldBlock:
        guard poller.wait(milliseconds: Self.patience) > 0 else {
          Console.fail("the daemon does not answer. Does it hang? Look at its log.")
          return .failed
        }
      case .closed:
        Console.fail("the daemon has gone. Ask again once it is back.")
        return .noDaemon
      case .failed(let errno):
        Console.fail("cannot read from \(path): \(errno).")
        return .failed
      case .done(let count):
        let packet = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
        switch take(packet, isJSON: isJSON) {
        case .goOn: break
        case .end(let code): return code == .done ? output.finish() : code
        case .ask(let index):
          serial += 1
          _ = socket.send(writer.statusRequest(from: index, serial: serial))
        }
      }
    }
  }

  private enum Next {
    case goOn
    case ask(UInt32)
    case end(ExitCode)
  }

  private func take(_ packet: UnsafeRawBufferPointer, isJSON: Bool) -> Next {
    do throws(WireError) {
      switch try ServerMessage.decode(packet) {
      case .refusal(let refusal):
        Console.fail("the daemon refuses: \(refusal.text)")
        return .end(.failed)
      case .statusLine(let line):
        if isJSON, !line.text.isEmpty {
          output.write(line.text + "\n")
        } else if let object = JSONValue(parsing: line.text) {
          output.write(StatusText.text(of: object))
        }
        guard line.isLastOfAnswer else { return .goOn }
        return line.hasMore ? .ask(line.index &+ 1) : .end(.done)
      default: return .goOn
      }
    } catch {
      Console.fail("the daemon sent a \(error). Are daemon and touchctl of one version?")
      return .end(.failed)
    }
  }
}

/// A line of the status as people read it.
private enum StatusText {
  static func text(of object: JSONValue) -> String {
    switch object["object"]?.plain {
    case "daemon": daemon(object)
    case "panel": panel(object)
    case "client": client(object)
    default: ""
    }
  }

  private static func plain(_ object: JSONValue, _ key: String) -> String {
    Console.printable(object[key]?.plain ?? "-")
  }

  /// A number of things, in words.
  private static func counted(_ object: JSONValue, _ key: String, _ thing: String) -> String {
    let number = plain(object, key)
    return "\(number) \(thing)\(number == "1" ? "" : "s")"
  }

  private static func daemon(_ object: JSONValue) -> String {
    var text = "touchbridged \(plain(object, "version")), pid \(plain(object, "pid")), up for "
    text += "\(seconds(object, "uptime_ms")) s: \(counted(object, "panels", "panel")), "
    text += "\(counted(object, "clients", "client"))\n"
    for problem in object["config_problems"]?.elements ?? [] {
      text += "  configuration: \(Console.printable(problem.plain))\n"
    }
    return text
  }

  private static func panel(_ object: JSONValue) -> String {
    guard object["state"] != .text("waiting") else {
      return "panel \(plain(object, "node")) is waited for: \(plain(object, "reason"))\n"
    }
    var text = "panel \(plain(object, "device")): \(plain(object, "name")) "
    text += "(\(plain(object, "node"))), \(plain(object, "state")), protocol "
    text += "\(plain(object, "protocol")), display \(plain(object, "display"))\n"
    text += "  \(counted(object, "contacts_down", "contact")) down"
    if object["contacts_held"] != .number("0") {
      text += ", \(plain(object, "contacts_held")) of them held"
    }
    text += "; \(counts(object["frames"]))"
    if let rate = object["frame_rate_hz"], rate != .null { text += ", \(rate.plain) a second" }
    text += "\n"
    if let holder = object["captured_by"], holder != .null {
      text += "  captured by client \(holder.plain): apps get nothing of it\n"
    }
    let isDry = object["dry_run"] == .bool(true)
    for filter in object["filters"]?.elements ?? [] {
      text += "  filter \(plain(filter, "filter"))"
      if let settings = filter["settings"]?.plain, !settings.isEmpty { text += " (\(settings))" }
      text += isDry ? ", dry run: " : ": "
      text += "\(counted(filter, "contacts", "contact")), \(plain(filter, "passed")) passed, "
      text += "\(plain(filter, "held")) held, \(plain(filter, "dropped")) dropped, "
      text += "\(counted(filter, "changed", "position")) changed\n"
    }
    for problem in object["filter_problems"]?.elements ?? [] {
      text += "  \(Console.printable(problem.plain))\n"
    }
    if object["retouches"]?.plain ?? "0" != "0" {
      text += "  \(plain(object, "retouches")) times touched again soon where a filter "
      text += "had dropped a touch\n"
    }
    if object["broken_after_sleep"]?.plain ?? "0" != "0" {
      text +=
        "  \(counted(object, "broken_after_sleep", "contact")) broke off after the machine slept\n"
    }
    return text + stuck(object["stuck"] ?? .null)
  }

  private static func stuck(_ object: JSONValue) -> String {
    var text = ""
    if object["found"]?.plain ?? "0" != "0" {
      text += "  \(counted(object, "found", "stuck contact")) so far\n"
    }
    for contact in object["contacts"]?.elements ?? [] {
      text += "  contact \(plain(contact, "id")) slot \(plain(contact, "slot")) has been down for "
      text += "\(seconds(contact, "down_ms")) s"
      text += contact["released"] == .bool(true) ? ", ignored until it is lifted\n" : "\n"
    }
    return text
  }

  private static func client(_ object: JSONValue) -> String {
    var text =
      "client \(plain(object, "client")): \(plain(object, "name")), pid \(plain(object, "pid")), uid "
    text += "\(plain(object, "uid")), \(counted(object, "scenes", "scene"))"
    if object["observer"] == .bool(true) { text += ", watches all touches" }
    if object["waiting_frames"] != .number("0") {
      text += ", \(counted(object, "waiting_frames", "frame")) waiting for it"
    }
    if object["unresponsive"] == .bool(true) { text += ", does not acknowledge" }
    return text + "\n"
  }

  /// What is above zero, by its name.
  private static func counts(_ object: JSONValue?) -> String {
    let entries = object?.entries.filter { $0.key == "frames" || $0.value != .number("0") } ?? []
    return entries.map { entry in
      let words = entry.key.split(separator: "_").joined(separator: " ")
      return "\(entry.value.plain) \(words)"
    }.joined(separator: ", ")
  }

  private static func seconds(_ object: JSONValue, _ key: String) -> String {
    guard let number = object[key].flatMap({ UInt64($0.plain) }) else { return "?" }
    return "\(number / 1_000).\(number / 100 % 10)"
  }
}
