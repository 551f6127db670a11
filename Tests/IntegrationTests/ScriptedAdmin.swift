import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchWire

/// A daemon with one panel that answers a tool, and whose frames come as a test says.
final class ScriptedAdmin {
  let path: String
  private let listener: PacketListener
  private let writer = PacketWriter()
  private let buffer = PacketBuffer(byteCount: WireFormat.maximumLength)
  private var serial: UInt32 = 0

  init(_ path: String) throws {
    self.path = path
    listener = try PacketListener(path: path, mode: 0o600)
  }

  /// Takes one tool, answers it until it has the panel, and sends a frame for each number: 10 ms after
  /// the one before, from corner to corner of 0...1000, with so many lost before it.
  func serve(lost: [UInt64]) throws {
    try Self.wait(for: listener.descriptor)
    let socket = try #require(try listener.accept())
    var isCaptured = false
    while !isCaptured {
      try Self.wait(for: socket.descriptor)
      guard case .done(let count) = socket.receive(into: buffer.bytes) else {
        throw EndOfTool()
      }
      let packet = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
      guard let (message, request) = try ClientMessage.decode(packet) else { continue }
      switch message {
      case .hello:
        send(socket) {
          $0.welcome(
            Welcome(
              version: WireFormat.version, roles: .admin, capabilities: [], client: 1024,
              maximumUnacknowledged: 8, staleLimitNanoseconds: 0, displays: [.fallback]),
            serial: $1)
        }
      case .statusRequest:
        send(socket) {
          $0.statusLine(
            StatusLine(
              requestSerial: request, index: 0, isLastOfAnswer: true, hasMore: false,
              text: #"{"object":"panel","device":1,"node":"a","name":"b"}"#), serial: $1)
        }
      case .capturePanel:
        let range = CapturedPanel.Range(minimum: 0, maximum: 1000)
        let panel = CapturedPanel(
          display: Display.fallback.id, declaredX: range, declaredY: range, usedX: range,
          usedY: range)
        send(socket) {
          $0.panelCaptured(
            PanelCaptured(requestSerial: request, result: .captured, device: 1, panel: panel),
            serial: $1)
        }
        isCaptured = true
      default: break
      }
    }
    for (index, count) in lost.enumerated() {
      let place = Int32(index % 2 * 1000)
      let frame = RawFrame(
        timeNanoseconds: UInt64(index + 1) * 10_000_000, lost: count, device: 1,
        contacts: [
          RawContact(id: 1, slot: 0, phase: index == 0 ? .down : .motion, x: place, y: place)
        ])
      send(socket) { $0.rawFrame(frame, serial: $1) }
    }
    // It goes once it has them all.
    try Self.wait(for: socket.descriptor)
  }

  private struct EndOfTool: Error {}

  private func send(
    _ socket: PacketSocket, _ message: (PacketWriter, UInt32) -> UnsafeRawBufferPointer
  ) {
    serial += 1
    _ = socket.send(message(writer, serial))
  }

  private static func wait(for descriptor: Int32) throws {
    let poller = try Poller(capacity: 1)
    try poller.add(descriptor, token: 1)
    while poller.wait(milliseconds: -1) == 0 {}
  }
}
