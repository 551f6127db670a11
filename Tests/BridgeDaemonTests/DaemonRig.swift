import LinuxIO
import Testing
import TouchModel
import TouchRouting
import TouchWire

@testable import BridgeDaemon

/// A daemon that nobody runs: the test routes frames by hand and reads what clients would get.
final class DaemonRig {
  let daemon: Daemon
  private var frame = FrameBuffer(capacity: 256)

  init(_ options: DaemonOptions = DaemonOptions()) throws {
    daemon = try Daemon(options: options, log: Log(threshold: .error))
  }

  deinit {
    // The loop holds its sessions until they end, as a daemon that stops ends them.
    for session in daemon.sessions.all { daemon.end(session, because: nil) }
  }

  /// A client that has said hello.
  func client(_ roles: WireRoles = .app, name: String = "client") throws -> FakeClient {
    let (near, far) = try PacketSocket.pair()
    let id = daemon.sessions.reserve()
    let session = Session(
      id: try #require(id), socket: near,
      peer: PeerCredentials(pid: 1, uid: 0, gid: 0),
      isAdmin: !roles.isDisjoint(with: [.observer, .admin]), now: 0,
      loop: daemon.loop, writer: daemon.writer, buffer: daemon.receiveBuffer, owner: daemon)
    session.watch = try daemon.loop.watch(near.descriptor, handler: session)
    daemon.sessions.insert(session)
    let client = FakeClient(session, far)
    client.send { $0.hello(Hello(roles: roles, name: name), serial: $1) }
    if roles.contains(.observer) { client.send { $0.subscribe(serial: $1) } }
    return client
  }

  /// Routes a frame of a panel, in points of the display, at a time in nanoseconds.
  func route(device: UInt32 = 1, at time: UInt64, _ contacts: Contact...) {
    route(device: device, at: time, contacts)
  }

  /// Routes a frame of so many contacts.
  func route(device: UInt32, at time: UInt64, _ contacts: [Contact]) {
    frame.removeAll()
    frame.device = device
    frame.timeNanoseconds = time
    for contact in contacts { _ = frame.append(contact) }
    daemon.router.value.route(&frame, into: &daemon.deliveries.value)
    daemon.dispatch(StageTimes(kernel: time))
  }
}

/// The far end of a session.
final class FakeClient {
  let session: Session
  private let socket: PacketSocket
  private let writer = PacketWriter()
  private var serial: UInt32 = 0
  private let buffer = PacketBuffer(byteCount: 65_536)
  private var checker = TouchStreamChecker()
  /// The serial of the last frame that was read.
  private(set) var lastFrame: UInt32 = 0
  /// Where the first contact of that frame is.
  private(set) var lastPosition: Point?

  init(_ session: Session, _ socket: PacketSocket) {
    self.session = session
    self.socket = socket
  }

  /// Sends a message, which the session reads at once.
  func send(_ message: (PacketWriter, UInt32) -> UnsafeRawBufferPointer?) {
    post(message)
    session.descriptorReady(.readable)
  }

  /// Sends a message that the session is still to read.
  func post(_ message: (PacketWriter, UInt32) -> UnsafeRawBufferPointer?) {
    serial += 1
    if let packet = message(writer, serial) { _ = socket.send(packet) }
  }

  func acknowledge(_ frame: UInt32? = nil) {
    let frame = frame ?? lastFrame
    send {
      $0.acknowledge(Acknowledgement(frameSerial: frame, readTime: 0, doneTime: 0), serial: $1)
    }
  }

  /// All messages that came, a line each.
  func lines() throws -> [String] {
    var lines: [String] = []
    while case .done(let count) = socket.receive(into: buffer.bytes) {
      let packet = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
      guard let message = try ServerMessage.decode(packet) else { continue }
      lines.append(try line(message))
    }
    return lines
  }

  /// All contacts of the reports that came; other messages are passed over.
  func contacts() throws -> [ObservedContact] {
    var contacts: [ObservedContact] = []
    while case .done(let count) = socket.receive(into: buffer.bytes) {
      let packet = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
      guard case .report(let report) = try ServerMessage.decode(packet) else { continue }
      contacts += (0..<report.contactCount).map { report.contact($0) }
    }
    return contacts
  }

  /// Whether the daemon has let the session go.
  var isOver: Bool { session.watch < 0 }

  private func line(_ message: ServerMessage) throws -> String {
    switch message {
    case .welcome(let welcome): return "welcome \(welcome.roles.rawValue)"
    case .refusal(let refusal): return "refusal \(refusal.code.rawValue): \(refusal.text)"
    case .scenesApplied(let applied):
      return "scenes \(applied.scenesSerial) \(applied.result)"
    case .frame(let frame):
      lastFrame = frame.serial
      lastPosition = frame.contactCount > 0 ? frame.contact(0).position : nil
      let contacts = (0..<frame.contactCount).map { frame.contact($0) }
      try checker.accept(contacts, device: frame.device)
      return "frame of \(frame.device): " + words(contacts)
    case .report(let report):
      let contacts = (0..<report.contactCount).map { report.contact($0) }
      let words = contacts.map {
        "\($0.contact.id) \($0.contact.phase) to \($0.client) because \($0.reason.name)"
          + ($0.filter.map { " by \($0.name)" } ?? "")
      }
      return "report of \(report.device), \(report.lost) lost: " + words.joined(separator: "; ")
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

  private func words(_ contacts: [Contact]) -> String {
    contacts.map { "\($0.id) \($0.phase)" }.joined(separator: "; ")
  }

  /// Ends the stream: nothing may be left down.
  func finish() throws { try checker.finish() }
}

/// A contact as short as a test likes it.
func contact(_ id: UInt64, _ phase: ContactPhase, _ x: Double = 5, _ y: Double = 5) -> Contact {
  Contact(id: id, slot: Int32(id), phase: phase, position: Point(x: x, y: y))
}
