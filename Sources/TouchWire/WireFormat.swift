// Where this module sits: device -> frames -> routing -> *wire* -> app.
// Messages to bytes and back; no sockets. docs/wire.md is the contract.

import TouchModel

/// Sizes and numbers that both sides rely on.
public enum WireFormat {
  /// The first four bytes of each message, `TBW1`, read as a little-endian number.
  public static let magic: UInt32 = 0x3157_4254
  /// The version spoken here.
  public static let version: UInt16 = 1
  /// The length of the header.
  public static let headerSize = 16
  /// The longest message; the longest lawful frame, of 40,008 bytes, leaves room to grow.
  public static let maximumLength = 1 << 16
  /// The longest name of a client, in UTF-8 bytes: what a line of a log holds with ease.
  public static let maximumName = 64
  /// The most scenes of one client: an app has a few windows, not hundreds.
  public static let maximumScenes = 32
  /// The most rectangles over all scenes of one client.
  public static let maximumRects = 128
  /// The most contacts in one frame: each of 64 slots replaced at once.
  public static let maximumContacts = 128
  /// The most merged steps that one frame carries: 133 ms at 120 Hz.
  public static let maximumHistory = 16
  /// The most merged samples of all contacts of one frame: ten fingers with all their steps six
  /// times over; keeps a frame well within `maximumLength`.
  public static let maximumSamples = 1024
  /// The most contacts that one client has at once: each of 128 slots with a replacement.
  public static let maximumLive = 256
  /// The longest line of the status, in UTF-8 bytes: a panel with all its filters several times
  /// over.
  public static let maximumStatusLine = 1 << 15
  /// The most lines of one answer to a request for the status: what a socket takes at once.
  public static let maximumStatusLines = 32
  /// The flag of a message that who does not know it skips.
  public static let optionalFlag: UInt16 = 1
}

/// The kinds of messages; 1...63 go to the daemon, 64...127 come from it.
public enum WireType: UInt16, Sendable, CaseIterable {
  /// To the daemon: the first on each connection.
  case hello = 1
  /// To the daemon: the client's whole set of scenes.
  case setScenes = 2
  /// To the daemon: frames have been handled.
  case acknowledge = 3
  /// To the daemon: an observer wants every routed frame.
  case subscribe = 4
  /// To the daemon: an administrator turns a display's picture.
  case rotateDisplay = 5
  /// To the daemon: an administrator takes a panel alone, or gives it back.
  case capturePanel = 6
  /// To the daemon: an administrator wants the configuration to be read again.
  case readConfiguration = 7
  /// To the daemon: an observer wants to know how things stand.
  case statusRequest = 16
  /// From the daemon: the connection stands.
  case welcome = 64
  /// From the daemon: the connection ends.
  case refusal = 65
  /// From the daemon: what became of a set of scenes.
  case scenesApplied = 66
  /// From the daemon: contacts of the client.
  case frame = 67
  /// From the daemon, for observers: a routed frame.
  case report = 68
  /// From the daemon, for observers: a client acknowledged.
  case handled = 69
  /// From the daemon, for observers: a client came or went.
  case clientNotice = 70
  /// From the daemon, for observers: a panel came or went.
  case panelNotice = 71
  /// From the daemon: these displays are there from now on.
  case displaysChanged = 72
  /// From the daemon: what became of a wish to turn a display.
  case displayRotated = 73
  /// From the daemon: what became of a wish to have a panel alone.
  case panelCaptured = 74
  /// From the daemon: contacts of a captured panel, in the device's own numbers.
  case rawFrame = 75
  /// From the daemon: a panel is captured no more.
  case captureEnded = 76
  /// From the daemon: what became of a wish to read the configuration again.
  case configurationRead = 77
  /// From the daemon: a line of its status.
  case statusLine = 80
  /// From the daemon, for observers: a contact has been down for too long.
  case stuckNotice = 81
  /// From the daemon: whether the client is in front.
  case activation = 96
}

/// What a peer may do; granted by the daemon from kernel credentials and the socket used.
public struct WireRoles: OptionSet, Sendable, Hashable {
  /// The bits on the wire.
  public let rawValue: UInt32
  /// Wraps wire bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Has scenes and gets its own contacts.
  public static let app = WireRoles(rawValue: 1 << 0)
  /// Sees every routed frame: as sensitive as a key logger.
  public static let observer = WireRoles(rawValue: 1 << 1)
  /// Sees contacts first and may take them over.
  public static let interceptor = WireRoles(rawValue: 1 << 2)
  /// Makes contacts.
  public static let injector = WireRoles(rawValue: 1 << 3)
  /// Changes what the daemon does.
  public static let admin = WireRoles(rawValue: 1 << 4)
}

/// What both sides of a connection can do beyond the version's own rules.
public struct WireCapabilities: OptionSet, Sendable, Hashable {
  /// The bits on the wire.
  public let rawValue: UInt64
  /// Wraps wire bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Frames may carry the positions of merged motions.
  public static let history = WireCapabilities(rawValue: 1 << 0)
}

/// Bytes that are no lawful message; the connection they came on is to be closed.
public enum WireError: Error, Equatable, Sendable {
  /// The message is shorter than its kind requires.
  case tooShort(length: Int, required: Int)
  /// The message is longer than any may be.
  case tooLong(length: Int)
  /// It does not start with the magic number.
  case badMagic(UInt32)
  /// The header states another length than came.
  case lengthMismatch(stated: UInt32, got: Int)
  /// Nobody knows this kind, and it is not marked optional.
  case unknownType(UInt16)
  /// The kind is known but does not travel in this direction.
  case wrongDirection(WireType)
  /// A list in the message reaches beyond it, overlaps its fixed part or has too many elements.
  case badList(WireType)
  /// A field has a value that its kind does not allow.
  case badValue(WireType, field: String)
}

extension WireError: CustomStringConvertible {
  /// What is wrong, in words that go to the peer and to the log.
  public var description: String {
    switch self {
    case .tooShort(let length, let required):
      "message of \(length) bytes where at least \(required) are required"
    case .tooLong(let length):
      "message of \(length) bytes where at most \(WireFormat.maximumLength) are allowed"
    case .badMagic(let magic):
      "message starts with 0x\(String(magic, radix: 16)) instead of TBW1"
    case .lengthMismatch(let stated, let got):
      "message states a length of \(stated) bytes, but \(got) came"
    case .unknownType(let type):
      "message of unknown type \(type) that is not marked optional"
    case .wrongDirection(let type):
      "message of type \(type) came from the wrong side"
    case .badList(let type):
      "message of type \(type) has a list that does not fit into it"
    case .badValue(let type, let field):
      "message of type \(type) has an impossible value in \(field)"
    }
  }
}

/// The start of each message.
public struct WireHeader: Equatable, Sendable {
  /// The kind, known or not.
  public var type: UInt16
  /// See `WireFormat.optionalFlag`.
  public var flags: UInt16
  /// The message's number on its way, from 1; wraps to 1.
  public var serial: UInt32

  /// Reads and checks the header of one whole packet.
  public init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    guard packet.count >= WireFormat.headerSize else {
      throw .tooShort(length: packet.count, required: WireFormat.headerSize)
    }
    guard packet.count <= WireFormat.maximumLength else { throw .tooLong(length: packet.count) }
    let fields = Fields(packet)
    guard fields.u32(0) == WireFormat.magic else { throw .badMagic(fields.u32(0)) }
    guard Int(fields.u32(8)) == packet.count else {
      throw .lengthMismatch(stated: fields.u32(8), got: packet.count)
    }
    type = fields.u16(4)
    flags = fields.u16(6)
    serial = fields.u32(12)
  }

  /// The kind; nil for an unknown one that may be skipped.
  public func knownType() throws(WireError) -> WireType? {
    if let known = WireType(rawValue: type) { return known }
    guard flags & WireFormat.optionalFlag != 0 else { throw .unknownType(type) }
    return nil
  }
}

/// Little-endian fields of a packet at offsets that the caller has checked.
struct Fields {
  let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  @inline(__always)
  func load<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Value {
    precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= bytes.count, "unchecked field")
    return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
  }

  @inline(__always) func u8(_ offset: Int) -> UInt8 { load(offset) }
  @inline(__always) func u16(_ offset: Int) -> UInt16 { load(offset) }
  @inline(__always) func u32(_ offset: Int) -> UInt32 { load(offset) }
  @inline(__always) func i32(_ offset: Int) -> Int32 { load(offset) }
  @inline(__always) func u64(_ offset: Int) -> UInt64 { load(offset) }
  @inline(__always) func f32(_ offset: Int) -> Float { Float(bitPattern: load(offset)) }
  @inline(__always) func f64(_ offset: Int) -> Double { Double(bitPattern: load(offset)) }

  @inline(__always)
  func areFinite(_ first: Int, _ count: Int) -> Bool {
    for index in 0..<count where !f32(first + index * 4).isFinite { return false }
    return true
  }

  @inline(__always)
  func isFinitePoint(_ offset: Int) -> Bool {
    f64(offset).isFinite && f64(offset + 8).isFinite
  }

  func point(_ offset: Int) -> Point { Point(x: f64(offset), y: f64(offset + 8)) }

  func rect(_ offset: Int) -> Rect {
    Rect(x: f64(offset), y: f64(offset + 8), width: f64(offset + 16), height: f64(offset + 24))
  }

  /// The text in a zero-padded field; bytes that are no UTF-8 become replacement characters.
  ///
  /// A replacement is longer than what it replaces, so the text may be cut to fit the field again:
  /// what was decoded can be encoded.
  func text(_ offset: Int, _ size: Int) -> String {
    let field = bytes[offset..<offset + size]
    let text = String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    guard text.utf8.count > size else { return text }
    var cut = String.UnicodeScalarView()
    var length = 0
    for scalar in text.unicodeScalars {
      length += UTF8.width(scalar)
      if length > size { break }
      cut.append(scalar)
    }
    return String(cut)
  }
}

/// A list inside a message: where it starts, how many elements, how far apart.
struct WireList {
  var offset: Int
  var count: Int
  var stride: Int

  /// Checks that a list lies behind the fixed part and within the message.
  init(
    _ type: WireType, offset: UInt32, count: UInt16, stride: UInt16, fixed: Int, element: Int,
    limit: Int, length: Int
  ) throws(WireError) {
    self.offset = Int(offset)
    self.count = Int(count)
    self.stride = Int(stride)
    guard self.count <= limit else { throw .badList(type) }
    guard self.count > 0 else { return }
    guard self.offset >= fixed, self.stride >= element,
      self.offset + self.count * self.stride <= length
    else { throw .badList(type) }
  }

  func element(_ index: Int) -> Int { offset + index * stride }
}
