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

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    frameSerial = fields.u32(16)
    staleContacts = fields.u32(20)
    readTime = fields.u64(24)
    doneTime = fields.u64(32)
  }
}

enum FrameLayout {
  static let size = 72
  static let contactSize = 56
  static let historySize = 32
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
      guard ContactPhase(rawValue: fields.u8(at + 16)) != nil else {
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

  /// Starts a frame of so many contacts and merged steps; then come `put` for each, and
  /// `finishFrame`.
  public func beginFrame(
    times: StageTimes, device: UInt32, display: UInt32, contacts: Int, history: Int = 0
  ) {
    precondition(
      contacts <= WireFormat.maximumContacts && history <= WireFormat.maximumHistory
        && contacts * history <= WireFormat.maximumSamples,
      "a frame beyond the wire's limits")
    let samples = FrameLayout.size + contacts * FrameLayout.contactSize
    let length = samples + contacts * history * FrameLayout.historySize
    begin(.frame, length: length)
    put(times.kernel, 16)
    put(times.read, 24)
    put(times.routed, 32)
    put(device, 48)
    put(display, 52)
    put(UInt16(contacts), 56)
    put(UInt16(FrameLayout.contactSize), 58)
    put(UInt32(FrameLayout.size), 60)
    put(UInt16(history), 64)
    put(UInt16(FrameLayout.historySize), 66)
    put(UInt32(samples), 68)
    frameSamples = samples
  }

  /// Writes the contact at an index.
  public func put(contact: Contact, at index: Int) {
    let at = FrameLayout.size + index * FrameLayout.contactSize
    put(contact.id, at)
    put(contact.scene, at + 8)
    put(contact.slot, at + 12)
    put(contact.phase.rawValue, at + 16)
    put(contact.tool.rawValue, at + 17)
    put(contact.isInjected ? UInt16(1) : 0, at + 18)
    put(contact.position.x, at + 24)
    put(contact.position.y, at + 32)
    put(contact.major, at + 40)
    put(contact.minor, at + 44)
    put(contact.pressure, at + 48)
    put(contact.orientation, at + 52)
  }

  /// Writes a merged position; samples go oldest step first, within a step in contact order.
  public func put(sample: HistorySample, at index: Int) {
    let at = frameSamples + index * FrameLayout.historySize
    put(sample.timeNanoseconds, at)
    put(sample.position.x, at + 8)
    put(sample.position.y, at + 16)
    put(sample.pressure, at + 24)
    put(sample.major, at + 28)
  }

  /// Stamps and numbers the frame and hands it out.
  public func finishFrame(sent: UInt64, serial: UInt32) -> UnsafeRawBufferPointer {
    put(sent, 40)
    return finish(serial: serial)
  }
}
