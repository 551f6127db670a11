import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchWire
import UInputPanel

/// A daemon of a test's own, and a connection that sees all it routes.
final class DaemonObserver {
  private let folder: TemporaryFolder
  private let daemon: ChildProcess
  private let socket: PacketSocket
  private let buffer = PacketBuffer(byteCount: 65_536)
  /// The panels that the daemon uses, by node.
  private(set) var panels: [String: UInt32] = [:]
  /// The frames with contacts that it routed, by panel.
  private(set) var frames: [UInt32: [SeenFrame]] = [:]
  /// Where the first contact of each panel's last report was, in points of the display.
  private(set) var lastPlaces: [UInt32: Point] = [:]
  /// How many reports were left out because this observer was too slow.
  private(set) var lost: UInt64 = 0
  private var checkers: [UInt32: TouchStreamChecker] = [:]
  /// What was unlawful in what the daemon routed; nil for nothing.
  private(set) var fault: String?

  /// Starts the installed daemon on sockets of its own.
  init(_ arguments: [String] = []) throws {
    folder = try TemporaryFolder()
    let manager = try ReadyListener(folder)
    daemon = try ChildProcess(
      ["touchbridged", "--runtime-dir", folder.path] + arguments,
      environment: ["NOTIFY_SOCKET": manager.path])
    try manager.waitUntilReady(daemon)
    socket = try PacketSocket.connect(to: folder.path + "/admin.sock")
    let writer = PacketWriter()
    _ = socket.send(writer.hello(Hello(roles: .observer, name: "system test"), serial: 1))
    _ = socket.send(writer.subscribe(serial: 2))
  }

  /// The daemon's process.
  var processIdentifier: pid_t { daemon.identifier }
  /// What it writes to its log.
  var errors: OutputLines { daemon.errors }

  /// Where apps connect to it.
  var appSocket: String { folder.path + "/app.sock" }
  /// Where tools do.
  var adminSocket: String { folder.path + "/admin.sock" }

  /// Plugs in a panel of ten fingers, and waits until the daemon uses it.
  func plug() throws -> (panel: UInputPanel, node: String, device: UInt32) {
    let watch = try UdevWatch()
    let panel = try UInputPanel(.tenFingerPanel())
    let node = try #require(try watch.event("add", of: panel.systemName).node)
    try wait(for: "the daemon to use \(node)") { panels[node] != nil }
    return (panel, node, try #require(panels[node]))
  }

  /// Sends the daemon a signal.
  func signal(_ number: Int32) { daemon.signal(number) }

  /// Lets the daemon run only while nobody else wants to, or as usual again.
  func setPatient(_ isPatient: Bool) throws {
    var parameters = sched_param()
    // SCHED_IDLE and SCHED_OTHER, of linux/sched.h.
    let result = sched_setscheduler(daemon.identifier, isPatient ? 5 : 0, &parameters)
    try #require(result == 0, "errno \(errno)")
  }

  /// The daemon's descriptor of a file; nil if it has none.
  func descriptor(of path: String) -> Int32? {
    let folder = "/proc/\(daemon.identifier)/fd"
    let names = (try? directoryNames(folder)) ?? []
    return names.first { linkTarget("\(folder)/\($0)") == path }.flatMap { Int32($0) }
  }

  private func linkTarget(_ path: String) -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = bytes.withUnsafeMutableBytes { room in
      room.withMemoryRebound(to: CChar.self) { chars in
        chars.baseAddress.map { readlink(path, $0, chars.count) } ?? 0
      }
    }
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// The contacts of a panel that are down now, with their places.
  func live(on device: UInt32) -> [Int32: RawPoint] {
    var live: [Int32: RawPoint] = [:]
    for contact in frames[device]?.last?.contacts ?? [] where !contact.phase.isEnd {
      live[contact.slot] = RawPoint(x: contact.x, y: contact.y)
    }
    return live
  }

  /// Reads until something holds.
  func wait(
    for what: String, by deadline: Deadline = Deadline(), until holds: () -> Bool
  ) throws {
    while true {
      try readAvailable()
      if holds() { return }
      guard deadline.awaitInput(socket.descriptor) else { throw TimedOut(what) }
    }
  }

  /// Reads what has come.
  func readAvailable() throws {
    while case .done(let count) = socket.receive(into: buffer.bytes) {
      let packet = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
      switch try ServerMessage.decode(packet) {
      case .panelNotice(let notice): panels[notice.node] = notice.isGone ? nil : notice.device
      case .report(let report): take(report)
      case .refusal(let refusal): throw TimedOut("a welcome: \(refusal.text)")
      default: break
      }
    }
  }

  private func take(_ report: ReportMessage) {
    lost += report.lost
    let contacts = (0..<report.contactCount).map { report.contact($0).contact }
    do {
      try checkers[report.device, default: TouchStreamChecker()]
        .accept(contacts, device: report.device)
    } catch {
      fault = fault ?? "\(error)"
    }
    // What hovers touches nothing.
    let touching = contacts.filter { $0.phase != .hover }
    guard let first = touching.first else { return }
    lastPlaces[report.device] = first.position
    frames[report.device, default: []].append(
      SeenFrame(
        time: report.times.kernel,
        contacts: touching.map {
          SeenContact(slot: $0.slot, phase: $0.phase, x: $0.rawX, y: $0.rawY)
        }))
  }

  /// Tells what is wrong with the panel's stream now that it has ended; nil if nothing is.
  func faultAtEnd(of device: UInt32) -> String? {
    if let fault { return fault }
    do { try checkers[device]?.finish() } catch { return "\(error)" }
    return nil
  }
}
