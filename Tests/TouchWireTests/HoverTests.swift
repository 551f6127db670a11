import Testing
import TouchModel

@testable import TouchWire

@Suite struct `What hovers` {
  static let contact = Contact(
    id: 7, slot: 2, phase: .hover, position: Point(x: 3, y: 4), rawX: 30, rawY: 40)

  @Test func `stands in a report, with its reason`() throws {
    let observed = ObservedContact(
      contact: Self.contact, client: 0, reason: .hovering, isSensitive: false, frameSerial: 0)
    let writer = PacketWriter()
    writer.beginReport(times: StageTimes(kernel: 1), device: 5, display: 0, contacts: 1)
    writer.put(observed: observed, at: 0)
    let packet = Array(writer.finishReport(lost: 0, serial: 9))
    try packet.withUnsafeBytes { bytes in
      guard case .report(let report) = try ServerMessage.decode(bytes) else {
        Issue.record("no report")
        return
      }
      #expect(report.contactCount == 1)
      #expect(report.contact(0) == observed)
    }
  }

  @Test func `is malformed in a frame, for no app is told of it`() {
    let writer = PacketWriter()
    let frame = writer.beginFrame(
      times: StageTimes(kernel: 1), device: 5, display: 0, contacts: 1)
    frame.put(contact: Self.contact, at: 0)
    let packet = Array(frame.finish(sent: 1, serial: 9))
    packet.withUnsafeBytes { bytes -> Void in
      #expect(throws: WireError.badValue(.frame, field: "a contact's phase")) {
        _ = try ServerMessage.decode(bytes)
      }
    }
  }
}
