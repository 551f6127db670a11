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
    let socket = try serve { message in
      if case .capturePanel = message { true } else { false }
    }
    for (index, count) in lost.enumerated() {
      let place = Int32(index % 2 * 1000)
      let contact = RawContact(
        id: 1, slot: 0, phase: index == 0 ? .down : .motion, x: place, y: place)
      let frame = RawFrame(
        timeNanoseconds: UInt64(index + 1) * 10_000_000, lost: count, device: 1,
        contacts: [contact])
      send(socket) { $0.rawFrame(frame, serial: $1) }
    }
    // It goes once it has them all.
    try Self.wait(for: socket.descriptor)
  }

  /// Takes one tool, and does something before a display is turned for it.
  func answer(beforeTurn work: () throws -> Void) throws {
    let socket = try serve { message in
      guard case .rotateDisplay = message else { return false }
      try work()
      return true
    }
    try Self.wait(for: socket.descriptor)
  }

  /// Answers one tool, up to the message that a function takes for the last one.
  private func serve(until isLast: (ClientMessage) throws -> Bool) throws -> PacketSocket {
    try Self.wait(for: listener.descriptor)
    let socket = try #require(try listener.accept())
    while true {
      try Self.wait(for: socket.descriptor)
      guard case .done(let count) = socket.receive(into: buffer.bytes) else { throw EndOfTool() }
      let packet = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
      guard let (message, request) = try ClientMessage.decode(packet) else { continue }
      let isOver = try isLast(message)
      answer(message, request, on: socket)
      if isOver { return socket }
    }
  }

  private func answer(_ message: ClientMessage, _ request: UInt32, on socket: PacketSocket) {
    switch message {
    case .hello:
      let welcome = Welcome(
        version: WireFormat.version, roles: .admin, capabilities: [], client: 1024,
        maximumUnacknowledged: 8, staleLimitNanoseconds: 0, displays: [.fallback])
      send(socket) { $0.welcome(welcome, serial: $1) }
    case .statusRequest:
      let line = StatusLine(
        requestSerial: request, index: 0, isLastOfAnswer: true, hasMore: false,
        text: #"{"object":"panel","device":1,"node":"a","name":"b"}"#)
      send(socket) { $0.statusLine(line, serial: $1) }
    case .capturePanel:
      let range = CapturedPanel.Range(minimum: 0, maximum: 1000)
      let panel = CapturedPanel(
        display: Display.fallback.id, declaredX: range, declaredY: range, usedX: range,
        usedY: range)
      let captured = PanelCaptured(
        requestSerial: request, result: .captured, device: 1, panel: panel)
      send(socket) { $0.panelCaptured(captured, serial: $1) }
    case .rotateDisplay:
      let turned = DisplayRotated(requestSerial: request, result: .rotated)
      send(socket) { $0.displayRotated(turned, serial: $1) }
    default: break
    }
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
