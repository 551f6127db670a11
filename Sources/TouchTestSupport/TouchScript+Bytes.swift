import TouchModel
import TouchWire

extension TouchScript {
  /// The script as messages of the daemon to a client, a frame each, in wire version 1.
  ///
  /// - Parameters:
  ///   - scene: the client's number of the scene that gets the contacts.
  ///   - firstSerial: the number of the first message; those before it are the handshake's.
  public func bytes(scene: UInt32 = 1, firstSerial: UInt32 = 1) -> [[UInt8]] {
    let writer = PacketWriter()
    return frames.enumerated().map { index, frame in
      Self.message(frame, scene: scene, serial: firstSerial + UInt32(index), writer)
    }
  }

  static func message(
    _ frame: TouchFrame, scene: UInt32, serial: UInt32, _ writer: PacketWriter
  ) -> [UInt8] {
    let time = frame.timeNanoseconds
    let body = writer.beginFrame(
      times: StageTimes(kernel: time, read: time, routed: time), device: frame.device,
      display: frame.display, contacts: frame.contacts.count)
    for (index, contact) in frame.contacts.enumerated() {
      var contact = contact
      contact.scene = scene
      body.put(contact: contact, at: index)
    }
    return Array(body.finish(sent: time, serial: serial))
  }
}
