import TouchModel

/// A client's word that it has handled everything up to a frame.
public struct Acknowledgement: Equatable, Sendable {
  /// The serial of the last frame handled.
  public var frameSerial: UInt32
  /// How many contacts were dropped as stale since the last acknowledgement.
  public var staleContacts: UInt32
  /// When that frame was read from the socket, in `CLOCK_MONOTONIC` nanoseconds.
  public var readTime: UInt64
  /// When it had been handled.
  public var doneTime: UInt64

  static let size = 40

  /// Creates an acknowledgement.
  public init(frameSerial: UInt32, staleContacts: UInt32 = 0, readTime: UInt64, doneTime: UInt64) {
    self.frameSerial = frameSerial
    self.staleContacts = staleContacts
    self.readTime = readTime
    self.doneTime = doneTime
  }

  /// Reads a packet that is a lawful acknowledgement; nil for any other.
  ///
  /// The same as `ClientMessage.decode`, which says what is wrong with the others, at a fraction of
  /// its cost.
  public init?(ifLawful packet: UnsafeRawBufferPointer) {
    guard packet.count >= Self.size, packet.count <= WireFormat.maximumLength else { return nil }
    let fields = Fields(packet)
    guard fields.u16(4) == WireType.acknowledge.rawValue, fields.u32(0) == WireFormat.magic,
      Int(fields.u32(8)) == packet.count
    else { return nil }
    self.init(fields)
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    self.init(Fields(packet))
  }

  @inline(__always)
  private init(_ fields: Fields) {
    frameSerial = fields.u32(16)
    staleContacts = fields.u32(20)
    readTime = fields.u64(24)
    doneTime = fields.u64(32)
  }
}

@usableFromInline
enum FrameLayout {
  @inlinable static var size: Int { 72 }
  @inlinable static var contactSize: Int { 56 }
  static var historySize: Int { 32 }
}

/// A frame for one client, read in place from the packet it came in.
///
/// - Ownership: borrows the packet's bytes and is valid no longer than they are.
public struct FrameMessage {
  private let fields: Fields
  private let contacts: WireList
  private let history: WireList
  /// The message's number, to be acknowledged.
  public let serial: UInt32

  init(_ packet: UnsafeRawBufferPointer, serial: UInt32) throws(WireError) {
    try require(packet, FrameLayout.size)
    fields = Fields(packet)
    self.serial = serial
    contacts = try WireList(
      .frame, offset: fields.u32(60), count: fields.u16(56), stride: fields.u16(58),
      fixed: FrameLayout.size, element: FrameLayout.contactSize,
      limit: WireFormat.maximumContacts, length: packet.count)
    historyCount = Int(fields.u16(64))
    // A sample for each contact in each step.
    guard historyCount <= WireFormat.maximumHistory,
      historyCount * contacts.count <= WireFormat.maximumSamples
    else { throw .badList(.frame) }
    history = try WireList(
      .frame, offset: fields.u32(68), count: UInt16(historyCount * contacts.count),
      stride: fields.u16(66), fixed: FrameLayout.size, element: FrameLayout.historySize,
      limit: WireFormat.maximumSamples, length: packet.count)
    try checkContacts()
    for index in 0..<history.count {
      let at = history.element(index)
      guard fields.isFinitePoint(at + 8), fields.areFinite(at + 24, 2) else {
        throw .badValue(.frame, field: "an earlier position")
      }
    }
  }

  private func checkContacts() throws(WireError) {
    for index in 0..<contacts.count {
      let at = contacts.element(index)
      // What hovers is shown to observers alone.
      let phase = ContactPhase(rawValue: fields.u8(at + 16))
      guard let phase, phase != .hover else {
        throw .badValue(.frame, field: "a contact's phase")
      }
      guard ContactTool(rawValue: fields.u8(at + 17)) != nil else {
        throw .badValue(.frame, field: "a contact's tool")
      }
      guard fields.isFinitePoint(at + 24) else {
        throw .badValue(.frame, field: "a contact's position")
      }
      guard fields.areFinite(at + 40, 4) else {
        throw .badValue(.frame, field: "a contact's size, pressure or orientation")
      }
    }
  }

  /// When the frame passed the daemon's stages.
  public var times: StageTimes {
    StageTimes(
      kernel: fields.u64(16), read: fields.u64(24), routed: fields.u64(32), sent: fields.u64(40))
  }

  /// The panel's number.
  public var device: UInt32 { fields.u32(48) }
  /// The display's number.
  public var display: UInt32 { fields.u32(52) }
  /// How many contacts the frame holds.
  public var contactCount: Int { contacts.count }
  /// How many earlier positions of each contact were merged into this frame.
  public let historyCount: Int

  /// The id of the contact at an index below `contactCount`.
  public func contactID(_ index: Int) -> UInt64 { fields.u64(contacts.element(index)) }

  /// The contact at an index below `contactCount`, in points of its scene.
  public func contact(_ index: Int) -> Contact {
    let at = contacts.element(index)
    return Contact(
      id: fields.u64(at), slot: fields.i32(at + 12), scene: fields.u32(at + 8),
      // Both were checked when the message was read.
      phase: ContactPhase(rawValue: fields.u8(at + 16)) ?? .cancel,
      tool: ContactTool(rawValue: fields.u8(at + 17)) ?? .finger,
      isInjected: fields.u16(at + 18) & 1 != 0, position: fields.point(at + 24),
      major: fields.f32(at + 40), minor: fields.f32(at + 44), pressure: fields.f32(at + 48),
      orientation: fields.f32(at + 52))
  }

  /// An earlier position of a contact; step 0 is the oldest.
  public func history(step: Int, contact: Int) -> HistorySample {
    let at = history.element(step * contacts.count + contact)
    return HistorySample(
      timeNanoseconds: fields.u64(at), position: fields.point(at + 8),
      pressure: fields.f32(at + 24), major: fields.f32(at + 28))
  }
}

extension PacketWriter {
  /// Writes an acknowledgement.
  public func acknowledge(
    _ acknowledgement: Acknowledgement, serial: UInt32
  ) -> UnsafeRawBufferPointer {
    begin(.acknowledge, length: Acknowledgement.size)
    put(acknowledgement.frameSerial, 16)
    put(acknowledgement.staleContacts, 20)
    put(acknowledgement.readTime, 24)
    put(acknowledgement.doneTime, 32)
    return finish(serial: serial)
  }

  /// Starts a frame of so many contacts and merged steps.
  public func beginFrame(
    times: StageTimes, device: UInt32, display: UInt32, contacts: Int, history: Int = 0
  ) -> FrameBody {
    precondition(
      contacts >= 0 && contacts <= WireFormat.maximumContacts && history >= 0
        && history <= WireFormat.maximumHistory
        && contacts &* history <= WireFormat.maximumSamples,
      "a frame beyond the wire's limits")
    let samples = FrameLayout.size &+ contacts &* FrameLayout.contactSize
    let length = samples &+ contacts &* history &* FrameLayout.historySize
    // Within the limits above all of this lies within the storage.
    let start = beginUncleared(.frame, length: length)
    start.storeBytes(of: times.kernel.littleEndian, toByteOffset: 16, as: UInt64.self)
    start.storeBytes(of: times.read.littleEndian, toByteOffset: 24, as: UInt64.self)
    start.storeBytes(of: times.routed.littleEndian, toByteOffset: 32, as: UInt64.self)
    start.storeBytes(of: 0, toByteOffset: 40, as: UInt64.self)
    start.storeBytes(of: device.littleEndian, toByteOffset: 48, as: UInt32.self)
    start.storeBytes(of: display.littleEndian, toByteOffset: 52, as: UInt32.self)
    let count = UInt32(truncatingIfNeeded: contacts)
    let stride = UInt32(FrameLayout.contactSize) << 16
    start.storeBytes(of: (count | stride).littleEndian, toByteOffset: 56, as: UInt32.self)
    start.storeBytes(
      of: UInt32(FrameLayout.size).littleEndian, toByteOffset: 60, as: UInt32.self)
    let steps = UInt32(truncatingIfNeeded: history) | UInt32(FrameLayout.historySize) << 16
    start.storeBytes(of: steps.littleEndian, toByteOffset: 64, as: UInt32.self)
    start.storeBytes(
      of: UInt32(truncatingIfNeeded: samples).littleEndian, toByteOffset: 68, as: UInt32.self)
    return FrameBody(start: start, length: length, contacts: contacts, history: history)
  }
}

/// A frame that was begun and whose contacts and merged positions are to be written.
///
/// The storage is not cleared first, so every contact and every sample must be written: what is
/// left out would go out as it was in an earlier message.
///
/// - Ownership: lies in its writer's storage and is valid until that begins the next message.
public struct FrameBody {
  @usableFromInline let start: UnsafeMutableRawPointer
  @usableFromInline let length: Int
  @usableFromInline let contacts: Int
  @usableFromInline let history: Int

  @usableFromInline
  init(start: UnsafeMutableRawPointer, length: Int, contacts: Int, history: Int) {
    self.start = start
    self.length = length
    self.contacts = contacts
    self.history = history
  }

  /// Writes the contact at an index below the frame's count.
  @inlinable
  public func put(contact: Contact, at index: Int) {
    // One comparison: a negative index is a huge number.
    precondition(
      UInt(bitPattern: index) < UInt(bitPattern: contacts), "no such contact in this frame")
    // With a good index all 56 bytes lie within the message.
    let at = start + (FrameLayout.size &+ index &* FrameLayout.contactSize)
    let flags: UInt64 = contact.isInjected ? 1 << 16 : 0
    let state = UInt64(contact.phase.rawValue) | UInt64(contact.tool.rawValue) << 8 | flags
    at.storeBytes(of: contact.id.littleEndian, as: UInt64.self)
    at.storeBytes(of: contact.scene.littleEndian, toByteOffset: 8, as: UInt32.self)
    at.storeBytes(of: contact.slot.littleEndian, toByteOffset: 12, as: Int32.self)
    at.storeBytes(of: state.littleEndian, toByteOffset: 16, as: UInt64.self)
    at.storeBytes(of: contact.position.x.bitPattern.littleEndian, toByteOffset: 24, as: UInt64.self)
    at.storeBytes(of: contact.position.y.bitPattern.littleEndian, toByteOffset: 32, as: UInt64.self)
    at.storeBytes(of: contact.major.bitPattern.littleEndian, toByteOffset: 40, as: UInt32.self)
    at.storeBytes(of: contact.minor.bitPattern.littleEndian, toByteOffset: 44, as: UInt32.self)
    at.storeBytes(of: contact.pressure.bitPattern.littleEndian, toByteOffset: 48, as: UInt32.self)
    at.storeBytes(
      of: contact.orientation.bitPattern.littleEndian, toByteOffset: 52, as: UInt32.self)
  }

  /// Writes a merged position; samples go oldest step first, within a step in contact order.
  public func put(sample: HistorySample, at index: Int) {
    precondition(index >= 0 && index < contacts &* history, "no such sample in this frame")
    let samples = FrameLayout.size + contacts * FrameLayout.contactSize
    let at = start + (samples + index * FrameLayout.historySize)
    at.storeBytes(of: sample.timeNanoseconds.littleEndian, as: UInt64.self)
    at.storeBytes(of: sample.position.x.bitPattern.littleEndian, toByteOffset: 8, as: UInt64.self)
    at.storeBytes(of: sample.position.y.bitPattern.littleEndian, toByteOffset: 16, as: UInt64.self)
    at.storeBytes(of: sample.pressure.bitPattern.littleEndian, toByteOffset: 24, as: UInt32.self)
    at.storeBytes(of: sample.major.bitPattern.littleEndian, toByteOffset: 28, as: UInt32.self)
  }

  /// Stamps and numbers the frame and hands it out.
  @inlinable
  public func finish(sent: UInt64, serial: UInt32) -> UnsafeRawBufferPointer {
    start.storeBytes(of: serial.littleEndian, toByteOffset: 12, as: UInt32.self)
    start.storeBytes(of: sent.littleEndian, toByteOffset: 40, as: UInt64.self)
    return UnsafeRawBufferPointer(start: start, count: length)
  }
}
