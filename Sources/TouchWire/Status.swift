import TouchModel

/// One line of the daemon's status.
///
/// A status is a list of lines: the daemon's, then one for each panel, then one for each client.
public struct StatusLine: Equatable, Sendable {
  /// The serial of the request that it answers.
  public var requestSerial: UInt32
  /// Its place in the list of all lines.
  public var index: UInt32
  /// Whether no more lines come for this request.
  public var isLastOfAnswer: Bool
  /// Whether the list goes on behind this answer; the next line is to be asked for.
  public var hasMore: Bool
  /// A JSON object; empty if the list is shorter than was asked for.
  public var text: String

  static let size = 40

  /// Creates a line.
  public init(
    requestSerial: UInt32, index: UInt32, isLastOfAnswer: Bool, hasMore: Bool, text: String
  ) {
    self.requestSerial = requestSerial
    self.index = index
    self.isLastOfAnswer = isLastOfAnswer
    self.hasMore = hasMore
    self.text = text
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    requestSerial = fields.u32(16)
    index = fields.u32(20)
    isLastOfAnswer = fields.u32(24) & 1 != 0
    hasMore = fields.u32(24) & 2 != 0
    let length = Int(fields.u32(28))
    let offset = Int(fields.u32(32))
    guard length <= WireFormat.maximumStatusLine,
      length == 0 || (offset >= Self.size && offset + length <= packet.count)
    else { throw .badList(.statusLine) }
    text = length == 0 ? "" : fields.text(offset, length)
  }
}

enum StatusRequestLayout {
  static let size = 24
}

/// A contact that has been down for longer than the daemon's limit, told to observers.
public struct StuckNotice: Equatable, Sendable {
  /// The panel.
  public var device: UInt32
  /// The slot that holds it.
  public var slot: Int32
  /// Its id.
  public var contact: UInt64
  /// When it went down, in `CLOCK_MONOTONIC` nanoseconds.
  public var downTime: UInt64
  /// Whether it was cancelled and is ignored until it is lifted.
  public var isReleased: Bool

  static let size = 48

  /// Creates a notice.
  public init(device: UInt32, slot: Int32, contact: UInt64, downTime: UInt64, isReleased: Bool) {
    self.device = device
    self.slot = slot
    self.contact = contact
    self.downTime = downTime
    self.isReleased = isReleased
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    device = fields.u32(16)
    slot = fields.i32(20)
    contact = fields.u64(24)
    downTime = fields.u64(32)
    isReleased = fields.u32(40) & 1 != 0
  }
}

extension PacketWriter {
  /// Writes a wish for the daemon's status, from one of its lines on.
  public func statusRequest(from index: UInt32 = 0, serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.statusRequest, length: StatusRequestLayout.size)
    put(index, 16)
    return finish(serial: serial)
  }

  /// Writes a line of the status; a text that is too long is cut.
  public func statusLine(_ line: StatusLine, serial: UInt32) -> UnsafeRawBufferPointer {
    let length = min(line.text.utf8.count, WireFormat.maximumStatusLine)
    begin(.statusLine, length: StatusLine.size + length, optional: true)
    put(line.requestSerial, 16)
    put(line.index, 20)
    put(UInt32((line.isLastOfAnswer ? 1 : 0) | (line.hasMore ? 2 : 0)), 24)
    put(UInt32(length), 28)
    put(UInt32(StatusLine.size), 32)
    put(line.text, StatusLine.size, size: length)
    return finish(serial: serial)
  }

  /// Writes that a contact is stuck.
  public func stuckNotice(_ notice: StuckNotice, serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.stuckNotice, length: StuckNotice.size, optional: true)
    put(notice.device, 16)
    put(notice.slot, 20)
    put(notice.contact, 24)
    put(notice.downTime, 32)
    put(notice.isReleased ? UInt32(1) : 0, 40)
    return finish(serial: serial)
  }
}
