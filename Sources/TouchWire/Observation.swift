import TouchModel

/// One contact of a routed frame as observers see it.
public struct ObservedContact: Equatable, Sendable {
  /// The contact, in points of the display; without positions if `isSensitive`.
  public var contact: Contact
  /// The client that gets it; 0 if nobody does.
  public var client: UInt32
  /// Why nobody gets it; `unknown` for a reason of a later version.
  public var reason: DropReason
  /// Whether the scene keeps its positions to itself.
  public var isSensitive: Bool
  /// The serial of the frame that carried it to the client; 0 if it waits in the outbox.
  public var frameSerial: UInt32
  /// The filter that kept it from everybody; nil without one, or for one of a later version.
  public var filter: FilterKind?

  /// Creates an entry.
  public init(
    contact: Contact, client: UInt32, reason: DropReason, isSensitive: Bool,
    frameSerial: UInt32, filter: FilterKind? = nil
  ) {
    self.contact = contact
    self.client = client
    self.reason = reason
    self.isSensitive = isSensitive
    self.frameSerial = frameSerial
    self.filter = filter
  }
}

/// A routed frame as observers see it, read in place from its packet.
///
/// - Ownership: borrows the packet's bytes and is valid no longer than they are.
public struct ReportMessage {
  private let fields: Fields
  private let contacts: WireList

  static let size = 72
  static let contactSize = 64

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    fields = Fields(packet)
    contacts = try WireList(
      .report, offset: fields.u32(68), count: fields.u16(64), stride: fields.u16(66),
      fixed: Self.size, element: Self.contactSize, limit: WireFormat.maximumContacts,
      length: packet.count)
    for index in 0..<contacts.count {
      let at = contacts.element(index)
      guard ContactPhase(rawValue: fields.u8(at + 24)) != nil,
        ContactTool(rawValue: fields.u8(at + 25)) != nil
      else { throw .badValue(.report, field: "a contact's phase or tool") }
      guard fields.isFinitePoint(at + 32), fields.areFinite(at + 56, 2) else {
        throw .badValue(.report, field: "a contact's position, pressure or size")
      }
    }
  }

  /// When the frame passed the daemon's stages; `sent` is the last client's.
  public var times: StageTimes {
    StageTimes(
      kernel: fields.u64(16), read: fields.u64(24), routed: fields.u64(32), sent: fields.u64(40))
  }

  /// The panel's number.
  public var device: UInt32 { fields.u32(48) }
  /// The display's number.
  public var display: UInt32 { fields.u32(52) }
  /// How many reports this observer missed before this one because it was too slow.
  public var lost: UInt64 { fields.u64(56) }
  /// How many contacts the frame holds.
  public var contactCount: Int { contacts.count }

  /// The contact at an index below `contactCount`.
  public func contact(_ index: Int) -> ObservedContact {
    let at = contacts.element(index)
    let flags = fields.u8(at + 27)
    let isSensitive = flags & 1 != 0
    var contact = Contact(
      id: fields.u64(at), slot: fields.i32(at + 16), scene: fields.u32(at + 12),
      phase: ContactPhase(rawValue: fields.u8(at + 24)) ?? .cancel,
      tool: ContactTool(rawValue: fields.u8(at + 25)) ?? .finger, isInjected: flags & 2 != 0,
      position: Point(x: 0, y: 0))
    // The writer leaves them out; nobody shall see them through a writer that does not.
    if !isSensitive {
      contact.position = fields.point(at + 32)
      contact.rawX = fields.i32(at + 48)
      contact.rawY = fields.i32(at + 52)
      contact.pressure = fields.f32(at + 56)
      contact.major = fields.f32(at + 60)
    }
    return ObservedContact(
      contact: contact, client: fields.u32(at + 8),
      reason: DropReason(rawValue: fields.u8(at + 26)) ?? .unknown, isSensitive: isSensitive,
      frameSerial: fields.u32(at + 20), filter: FilterKind(rawValue: fields.u8(at + 28)))
  }
}

/// What a client acknowledged, told to observers.
public struct Handled: Equatable, Sendable {
  /// The client.
  public var client: UInt32
  /// What it said.
  public var acknowledgement: Acknowledgement

  static let size = 48

  /// Creates a notice.
  public init(client: UInt32, acknowledgement: Acknowledgement) {
    self.client = client
    self.acknowledgement = acknowledgement
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    client = fields.u32(16)
    acknowledgement = Acknowledgement(
      frameSerial: fields.u32(20), staleContacts: fields.u32(24), readTime: fields.u64(32),
      doneTime: fields.u64(40))
  }
}

/// A client that came or went, told to observers.
public struct ClientNotice: Equatable, Sendable {
  /// The daemon's number for it.
  public var client: UInt32
  /// The process that connected.
  public var pid: Int32
  /// Its user.
  public var uid: UInt32
  /// Whether it is gone.
  public var isGone: Bool
  /// The name it claims.
  public var name: String

  static let size = 96

  /// Creates a notice.
  public init(client: UInt32, pid: Int32, uid: UInt32, isGone: Bool, name: String) {
    self.client = client
    self.pid = pid
    self.uid = uid
    self.isGone = isGone
    self.name = name
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    client = fields.u32(16)
    pid = fields.i32(20)
    uid = fields.u32(24)
    isGone = fields.u32(28) & 1 != 0
    name = fields.text(32, WireFormat.maximumName)
  }
}

/// A panel that came or went, told to observers.
public struct PanelNotice: Equatable, Sendable {
  /// The daemon's number for it.
  public var device: UInt32
  /// Whether it is gone.
  public var isGone: Bool
  /// The kernel's name of the device, cut to 80 bytes.
  public var name: String
  /// The node or file it is read from, cut to 128 bytes.
  public var node: String

  static let size = 232
  static let nameSize = 80
  static let nodeSize = 128

  /// Creates a notice.
  public init(device: UInt32, isGone: Bool, name: String, node: String) {
    self.device = device
    self.isGone = isGone
    self.name = name
    self.node = node
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    device = fields.u32(16)
    isGone = fields.u32(20) & 1 != 0
    name = fields.text(24, Self.nameSize)
    node = fields.text(24 + Self.nameSize, Self.nodeSize)
  }
}

extension PacketWriter {
  /// Writes a wish to see every routed frame.
  public func subscribe(serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.subscribe, length: SubscribeLayout.size)
    return finish(serial: serial)
  }

  /// Starts a report of so many contacts; then comes `put(observed:at:)` for each.
  public func beginReport(
    times: StageTimes, device: UInt32, display: UInt32, contacts: Int
  ) {
    precondition(contacts <= WireFormat.maximumContacts, "a report beyond the wire's limits")
    begin(
      .report, length: ReportMessage.size + contacts * ReportMessage.contactSize, optional: true)
    put(times.kernel, 16)
    put(times.read, 24)
    put(times.routed, 32)
    put(times.sent, 40)
    put(device, 48)
    put(display, 52)
    put(UInt16(contacts), 64)
    put(UInt16(ReportMessage.contactSize), 66)
    put(UInt32(ReportMessage.size), 68)
  }

  /// Writes the contact at an index; a sensitive one goes without its positions.
  public func put(observed: ObservedContact, at index: Int) {
    let at = ReportMessage.size + index * ReportMessage.contactSize
    let contact = observed.contact
    put(contact.id, at)
    put(observed.client, at + 8)
    put(contact.scene, at + 12)
    put(contact.slot, at + 16)
    put(observed.frameSerial, at + 20)
    put(contact.phase.rawValue, at + 24)
    put(contact.tool.rawValue, at + 25)
    put(observed.reason.rawValue, at + 26)
    put(UInt8((observed.isSensitive ? 1 : 0) | (contact.isInjected ? 2 : 0)), at + 27)
    put(observed.filter?.rawValue ?? 0, at + 28)
    guard !observed.isSensitive else { return }
    put(contact.position.x, at + 32)
    put(contact.position.y, at + 40)
    put(contact.rawX, at + 48)
    put(contact.rawY, at + 52)
    put(contact.pressure, at + 56)
    put(contact.major, at + 60)
  }

  /// Hands out a report for one observer, with how many it missed before.
  public func finishReport(lost: UInt64, serial: UInt32) -> UnsafeRawBufferPointer {
    put(lost, 56)
    return finish(serial: serial)
  }

  /// Writes what a client acknowledged.
  public func handled(_ handled: Handled, serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.handled, length: Handled.size, optional: true)
    put(handled.client, 16)
    put(handled.acknowledgement.frameSerial, 20)
    put(handled.acknowledgement.staleContacts, 24)
    put(handled.acknowledgement.readTime, 32)
    put(handled.acknowledgement.doneTime, 40)
    return finish(serial: serial)
  }

  /// Writes that a client came or went.
  public func clientNotice(_ notice: ClientNotice, serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.clientNotice, length: ClientNotice.size, optional: true)
    put(notice.client, 16)
    put(notice.pid, 20)
    put(notice.uid, 24)
    put(notice.isGone ? UInt32(1) : 0, 28)
    put(notice.name, 32, size: WireFormat.maximumName)
    return finish(serial: serial)
  }

  /// Writes that a panel came or went.
  public func panelNotice(_ notice: PanelNotice, serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.panelNotice, length: PanelNotice.size, optional: true)
    put(notice.device, 16)
    put(notice.isGone ? UInt32(1) : 0, 20)
    put(notice.name, 24, size: PanelNotice.nameSize)
    put(notice.node, 24 + PanelNotice.nameSize, size: PanelNotice.nodeSize)
    return finish(serial: serial)
  }
}

enum SubscribeLayout {
  static let size = 24
}
