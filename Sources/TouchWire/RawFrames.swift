import TouchModel

/// One contact of a captured panel, in the device's own numbers.
public struct RawContact: Equatable, Sendable {
  /// The contact's id, as in frames.
  public var id: UInt64
  /// The slot that holds it.
  public var slot: Int32
  /// What happened to it in this frame.
  public var phase: ContactPhase
  /// What touches.
  public var tool: ContactTool
  /// The device's own x, also outside of its range.
  public var x: Int32
  /// The device's own y, also outside of its range.
  public var y: Int32
  /// The pressure, 0...1 of the device's range; 0 where unknown.
  public var pressure: Float

  /// Creates a contact.
  public init(
    id: UInt64, slot: Int32, phase: ContactPhase, tool: ContactTool = .finger, x: Int32, y: Int32,
    pressure: Float = 0
  ) {
    self.id = id
    self.slot = slot
    self.phase = phase
    self.tool = tool
    self.x = x
    self.y = y
    self.pressure = pressure
  }
}

/// A frame of a captured panel, before calibration and filters.
public struct RawFrame: Equatable, Sendable {
  /// The kernel's time of the frame, in `CLOCK_MONOTONIC` nanoseconds.
  public var timeNanoseconds: UInt64
  /// How many frames this connection missed before this one because it was too slow.
  ///
  /// What was down before such a gap and does not stand in this frame has ended.
  public var lost: UInt64
  /// The panel.
  public var device: UInt32
  /// All contacts that are down, and those that ended in this frame; hovering ones too.
  ///
  /// - Range: at most `WireFormat.maximumContacts`; the writer leaves the rest out.
  public var contacts: [RawContact]

  static let size = 48
  static let contactSize = 32

  /// Creates a frame.
  public init(timeNanoseconds: UInt64, lost: UInt64 = 0, device: UInt32, contacts: [RawContact]) {
    self.timeNanoseconds = timeNanoseconds
    self.lost = lost
    self.device = device
    self.contacts = contacts
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    let list = try WireList(
      .rawFrame, offset: fields.u32(40), count: fields.u16(36), stride: fields.u16(38),
      fixed: Self.size, element: Self.contactSize, limit: WireFormat.maximumContacts,
      length: packet.count)
    timeNanoseconds = fields.u64(16)
    lost = fields.u64(24)
    device = fields.u32(32)
    contacts = []
    for index in 0..<list.count {
      let at = list.element(index)
      guard let phase = ContactPhase(rawValue: fields.u8(at + 12)),
        let tool = ContactTool(rawValue: fields.u8(at + 13))
      else { throw .badValue(.rawFrame, field: "a contact's phase or tool") }
      guard fields.f32(at + 24).isFinite else {
        throw .badValue(.rawFrame, field: "a contact's pressure")
      }
      contacts.append(
        RawContact(
          id: fields.u64(at), slot: fields.i32(at + 8), phase: phase, tool: tool,
          x: fields.i32(at + 16), y: fields.i32(at + 20), pressure: fields.f32(at + 24)))
    }
  }
}

extension PacketWriter {
  /// Writes a frame of a captured panel.
  public func rawFrame(_ frame: RawFrame, serial: UInt32) -> UnsafeRawBufferPointer {
    let count = min(frame.contacts.count, WireFormat.maximumContacts)
    beginRawFrame(
      at: frame.timeNanoseconds, device: frame.device, lost: frame.lost, contacts: count)
    for (index, contact) in frame.contacts.prefix(count).enumerated() {
      put(raw: contact, at: index)
    }
    return finish(serial: serial)
  }

  /// Writes a frame of a captured panel as the daemon's stages have it; allocates nothing.
  public func rawFrame(
    _ frame: borrowing FrameBuffer, lost: UInt64, serial: UInt32
  ) -> UnsafeRawBufferPointer {
    let count = min(frame.count, WireFormat.maximumContacts)
    beginRawFrame(at: frame.timeNanoseconds, device: frame.device, lost: lost, contacts: count)
    for index in 0..<count {
      let contact = frame[index]
      let raw = RawContact(
        id: contact.id, slot: contact.slot, phase: contact.phase, tool: contact.tool,
        x: contact.rawX, y: contact.rawY, pressure: contact.pressure)
      put(raw: raw, at: index)
    }
    return finish(serial: serial)
  }

  private func beginRawFrame(at time: UInt64, device: UInt32, lost: UInt64, contacts: Int) {
    begin(
      .rawFrame, length: RawFrame.size + contacts * RawFrame.contactSize, optional: true)
    put(time, 16)
    put(lost, 24)
    put(device, 32)
    put(UInt16(contacts), 36)
    put(UInt16(RawFrame.contactSize), 38)
    put(UInt32(RawFrame.size), 40)
  }

  private func put(raw contact: RawContact, at index: Int) {
    let at = RawFrame.size + index * RawFrame.contactSize
    put(contact.id, at)
    put(contact.slot, at + 8)
    put(contact.phase.rawValue, at + 12)
    put(contact.tool.rawValue, at + 13)
    put(contact.x, at + 16)
    put(contact.y, at + 20)
    put(contact.pressure, at + 24)
  }
}
