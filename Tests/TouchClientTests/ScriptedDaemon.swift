import Glibc
import LinuxIO
import Testing
import TouchModel
import TouchWire

/// The daemon's end of a connection: it reads and says what the test tells it to.
final class ScriptedDaemon {
  private let socket: PacketSocket
  private let writer = PacketWriter()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
  private var serial: UInt32 = 0

  init(_ socket: PacketSocket) { self.socket = socket }

  deinit {
    buffer.deallocate()
    // Closing alone takes effect late where another test is just starting a program: until that
    // program runs, its process has the socket too.
    shutdown(socket.descriptor, Int32(SHUT_RDWR))
  }

  private func nextSerial() -> UInt32 {
    serial += 1
    return serial
  }

  // MARK: Reading

  /// The next message of the client with its serial; nil if there is none.
  func next() throws -> (message: ClientMessage, serial: UInt32)? {
    guard case .done(let count) = socket.receive(into: buffer) else { return nil }
    return try ClientMessage.decode(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
  }

  /// All messages that the client has sent.
  func messages() throws -> [ClientMessage] {
    var messages: [ClientMessage] = []
    while let next = try next() { messages.append(next.message) }
    return messages
  }

  /// Throws away all packets that came, whatever they are.
  func drain() {
    while case .done = socket.receive(into: buffer) {}
  }

  /// Whether the client has gone.
  var isLeft: Bool {
    drain()
    if case .closed = socket.receive(into: buffer) { return true }
    return false
  }

  // MARK: Saying

  func send(_ bytes: [UInt8]) { bytes.withUnsafeBytes { _ = socket.send($0) } }

  /// Says what only a client says.
  func greet() { _ = socket.send(writer.hello(Hello(name: ""), serial: nextSerial())) }

  func welcome(
    version: UInt16 = 1, staleLimit: UInt64 = 1_000_000_000, displays: [Display] = [.fallback]
  ) {
    let welcome = Welcome(
      version: version, roles: .app, capabilities: .history, client: 1024,
      maximumUnacknowledged: 8, staleLimitNanoseconds: staleLimit, displays: displays)
    _ = socket.send(writer.welcome(welcome, serial: nextSerial()))
  }

  func refuse(_ text: String) {
    _ = socket.send(writer.refusal(Refusal(.limit, text), serial: nextSerial()))
  }

  func apply(_ serial: UInt32, _ result: ScenesApplied.Result = .applied) {
    let applied = ScenesApplied(scenesSerial: serial, result: result)
    _ = socket.send(writer.scenesApplied(applied, serial: nextSerial()))
  }

  func activation(_ activation: Activation, on display: UInt32 = 0) {
    let notice = ActivationNotice(display: display, activation: activation)
    _ = socket.send(writer.activation(notice, serial: nextSerial()))
  }

  /// Sends a frame; a step of history is a sample for each contact.
  ///
  /// - Returns: its serial.
  @discardableResult
  func frame(
    at time: UInt64, device: UInt32 = 1, _ contacts: [Contact], history: [[HistorySample]] = []
  ) -> UInt32 {
    let serial = nextSerial()
    let frame = writer.beginFrame(
      times: StageTimes(kernel: time), device: device, display: 0, contacts: contacts.count,
      history: history.count)
    for (index, contact) in contacts.enumerated() { frame.put(contact: contact, at: index) }
    for (index, sample) in history.joined().enumerated() { frame.put(sample: sample, at: index) }
    _ = socket.send(frame.finish(sent: time, serial: serial))
    return serial
  }
}

/// A frame as the app is told of it.
func told(_ time: UInt64, device: UInt32 = 1, _ contacts: Contact...) -> Told {
  .frame(TouchFrame(timeNanoseconds: time, device: device, contacts: contacts))
}

/// A contact as short as a test likes it.
func contact(
  _ id: UInt64, _ phase: ContactPhase, _ x: Double = 0, _ y: Double = 0, slot: Int32? = nil
) -> Contact {
  Contact(
    id: id, slot: slot ?? Int32(truncatingIfNeeded: id), scene: 1, phase: phase,
    position: Point(x: x, y: y))
}
