import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchWire

/// A client that speaks the protocol without our library, rightly or wrongly.
final class WireClient {
  private let socket: PacketSocket
  private let writer = PacketWriter()
  private let buffer = PacketBuffer(byteCount: 65_536)
  private var serial: UInt32 = 0
  /// The serial of the last frame that came.
  private(set) var lastFrame: UInt32 = 0
  private var checker = TouchStreamChecker()

  init(_ path: String) throws { socket = try PacketSocket.connect(to: path) }

  /// Sends a message.
  func send(_ message: (PacketWriter, UInt32) -> UnsafeRawBufferPointer?) {
    serial += 1
    if let packet = message(writer, serial) { _ = socket.send(packet) }
  }

  /// Sends bytes as they are.
  func send(bytes: [UInt8]) { bytes.withUnsafeBytes { _ = socket.send($0) } }

  func hello(_ roles: WireRoles = .app, name: String = "wire client") {
    send { $0.hello(Hello(roles: roles, name: name), serial: $1) }
  }

  func setScenes(_ scenes: [Scene]) { send { $0.setScenes(scenes, serial: $1) } }

  func acknowledge(_ frame: UInt32) {
    send {
      $0.acknowledge(Acknowledgement(frameSerial: frame, readTime: 0, doneTime: 0), serial: $1)
    }
  }

  /// The next message as a line; `closed` at the end.
  func next(by deadline: Deadline = Deadline()) throws -> String {
    while true {
      switch socket.receive(into: buffer.bytes) {
      case .done(let count):
        let packet = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
        return try ServerMessage.decode(packet).map { line($0) } ?? "skipped"
      case .wouldBlock:
        guard deadline.awaitInput(socket.descriptor) else { throw TimedOut("the daemon") }
      case .closed: return "closed"
      case .failed(let errno): return "failed: \(errno)"
      }
    }
  }

  /// Ends the stream: nothing may be left down.
  func finish() throws { try checker.finish() }

  /// Says hello and waits for the welcome.
  static func welcomed(_ path: String, name: String = "wire client") throws -> WireClient {
    let client = try WireClient(path)
    client.hello(name: name)
    #expect(try client.next() == "welcome as app")
    return client
  }

  private func line(_ message: ServerMessage) -> String {
    switch message {
    case .welcome(let welcome):
      let names: [(WireRoles, String)] = [
        (.app, "app"), (.observer, "observer"), (.admin, "admin"),
      ]
      let roles = names.filter { welcome.roles.contains($0.0) }.map(\.1)
      return "welcome as " + roles.joined(separator: " and ")
    case .refusal(let refusal): return "refusal \(refusal.code.rawValue): \(refusal.text)"
    case .scenesApplied(let applied): return "scenes \(applied.result)"
    case .frame(let frame):
      lastFrame = frame.serial
      let contacts = (0..<frame.contactCount).map { frame.contact($0) }
      #expect(throws: Never.self) { try checker.accept(contacts, device: frame.device) }
      return "frame: "
        + contacts.map { "\($0.id) \($0.phase) at \($0.position.words)" }
        .joined(separator: "; ")
    case .report(let report):
      let contacts = (0..<report.contactCount).map { report.contact($0) }
      return "report: "
        + contacts.map { "\($0.contact.id) \($0.contact.phase), \($0.reason.name)" }
        .joined(separator: "; ")
    case .handled(let handled): return "handled \(handled.acknowledgement.frameSerial)"
    case .clientNotice(let notice):
      return "client \(notice.name) \(notice.isGone ? "went" : "is there")"
    case .panelNotice(let notice):
      return "panel \(notice.name) \(notice.isGone ? "went" : "is there")"
    case .stuckNotice(let notice):
      return "stuck \(notice.contact) of \(notice.device)\(notice.isReleased ? ", released" : "")"
    case .activation(let notice): return "\(notice.activation) on \(notice.display)"
    case .statusLine(let line):
      let end = line.isLastOfAnswer ? line.hasMore ? ", more follow" : ", last" : ""
      return "status \(line.index) for \(line.requestSerial)\(end): \(line.text)"
    case .displaysChanged(let displays):
      return "displays: "
        + displays.map { "\($0.name) \($0.width)x\($0.height)" }
        .joined(separator: ", ")
    case .displayRotated(let answer): return "\(answer.requestSerial) \(answer.result)"
    case .panelCaptured(let answer):
      let text = answer.text.isEmpty ? "" : ": \(answer.text)"
      return "\(answer.requestSerial) \(answer.device) \(answer.result)\(text)"
    case .rawFrame(let frame):
      let contacts = frame.contacts.map { "\($0.id) \($0.phase) at \($0.x), \($0.y)" }
      return "raw frame of \(frame.device), \(frame.lost) lost: "
        + contacts.joined(separator: "; ")
    case .captureEnded(let notice): return "capture of \(notice.device) ended: \(notice.reason)"
    case .configurationRead(let answer):
      let text = answer.text.isEmpty ? "" : ": \(answer.text)"
      return "\(answer.requestSerial) \(answer.result)\(text)"
    }
  }
}

extension Scene {
  /// All of the default display.
  static let everywhere = Scene(id: 1, frame: Rect(x: 0, y: 0, width: 1280, height: 800))
}

extension Point {
  /// Its coordinates, without what floating point adds to them.
  var words: String {
    [x, y].map { "\(($0 * 1_000).rounded() / 1_000)" }.joined(separator: ", ")
  }
}
