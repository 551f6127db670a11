import TouchModel

/// The first message to the daemon: who calls, what is spoken, what is wanted.
public struct Hello: Equatable, Sendable {
  /// The lowest version spoken.
  public var minimumVersion: UInt16
  /// The highest version spoken.
  public var maximumVersion: UInt16
  /// The roles asked for.
  public var roles: WireRoles
  /// What the client can do.
  public var capabilities: WireCapabilities
  /// The client's name: a claim, for people.
  ///
  /// - Range: at most `WireFormat.maximumName` bytes of UTF-8; the rest is cut.
  public var name: String

  static let size = 104

  /// Creates a greeting; the versions are those of this library.
  public init(
    minimumVersion: UInt16 = WireFormat.version, maximumVersion: UInt16 = WireFormat.version,
    roles: WireRoles = .app, capabilities: WireCapabilities = .history, name: String
  ) {
    self.minimumVersion = minimumVersion
    self.maximumVersion = maximumVersion
    self.roles = roles
    self.capabilities = capabilities
    self.name = name
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    minimumVersion = fields.u16(16)
    maximumVersion = fields.u16(18)
    roles = WireRoles(rawValue: fields.u32(20))
    capabilities = WireCapabilities(rawValue: fields.u64(24))
    name = fields.text(40, WireFormat.maximumName)
    guard minimumVersion <= maximumVersion else {
      throw .badValue(.hello, field: "the version range")
    }
  }
}

/// The daemon's answer to a hello it accepts.
public struct Welcome: Equatable, Sendable {
  /// The version both sides speak from here on.
  public var version: UInt16
  /// The roles that are granted, of those asked for.
  public var roles: WireRoles
  /// What both sides can do.
  public var capabilities: WireCapabilities
  /// The daemon's number for this client; not used again while it runs.
  public var client: UInt32
  /// How many frames the daemon sends before it waits for an acknowledgement.
  public var maximumUnacknowledged: UInt32
  /// The age at which a contact's down is too old to be acted on, in nanoseconds; 0 for never.
  public var staleLimitNanoseconds: UInt64
  /// The displays that scenes may lie on.
  public var displays: [Display]

  static let size = 56

  /// Creates an answer.
  public init(
    version: UInt16 = WireFormat.version, roles: WireRoles, capabilities: WireCapabilities,
    client: UInt32, maximumUnacknowledged: UInt32, staleLimitNanoseconds: UInt64,
    displays: [Display]
  ) {
    self.version = version
    self.roles = roles
    self.capabilities = capabilities
    self.client = client
    self.maximumUnacknowledged = maximumUnacknowledged
    self.staleLimitNanoseconds = staleLimitNanoseconds
    self.displays = displays
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    version = fields.u16(16)
    roles = WireRoles(rawValue: fields.u32(20))
    capabilities = WireCapabilities(rawValue: fields.u64(24))
    client = fields.u32(32)
    maximumUnacknowledged = fields.u32(36)
    staleLimitNanoseconds = fields.u64(40)
    displays = try DisplayList.decode(packet, .welcome, at: 48, fixed: Self.size)
  }
}

/// The daemon's last word to a peer before it closes the connection.
public struct Refusal: Equatable, Sendable, Error {
  /// Why the connection ends.
  ///
  /// No enumeration: a refusal comes before the capabilities are known, so a later daemon may use
  /// a code that this library does not know, and the text still has to arrive.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: UInt16
    /// Wraps a number of the wire.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// No version is spoken by both.
    public static let version = Code(rawValue: 1)
    /// The peer sent bytes that are no lawful message.
    public static let malformed = Code(rawValue: 2)
    /// The role is not granted: none of those asked for, or the one that a message needs.
    public static let notPermitted = Code(rawValue: 3)
    /// A limit is reached, such as the number of clients.
    public static let limit = Code(rawValue: 4)
    /// The message was lawful but not at this time.
    public static let unexpected = Code(rawValue: 5)
  }

  /// Why.
  public var code: Code
  /// What happened and what to do next, for people; at most 200 bytes.
  public var text: String

  static let size = 224
  static let textSize = 200

  /// Creates a refusal.
  public init(_ code: Code, _ text: String) {
    self.code = code
    self.text = text
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    code = Code(rawValue: fields.u16(16))
    text = fields.text(24, Self.textSize)
  }
}

/// Checks that a packet holds at least the fixed part of its kind.
func require(_ packet: UnsafeRawBufferPointer, _ size: Int) throws(WireError) {
  guard packet.count >= size else { throw .tooShort(length: packet.count, required: size) }
}

extension PacketWriter {
  /// Writes a hello.
  public func hello(_ hello: Hello, serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.hello, length: Hello.size)
    put(hello.minimumVersion, 16)
    put(hello.maximumVersion, 18)
    put(hello.roles.rawValue, 20)
    put(hello.capabilities.rawValue, 24)
    put(hello.name, 40, size: WireFormat.maximumName)
    return finish(serial: serial)
  }

  /// Writes a welcome; displays beyond the limit are left out.
  public func welcome(_ welcome: Welcome, serial: UInt32) -> UnsafeRawBufferPointer {
    let displays = welcome.displays.prefix(DisplayList.maximum)
    begin(.welcome, length: Welcome.size + displays.count * DisplayList.elementSize)
    put(welcome.version, 16)
    put(welcome.roles.rawValue, 20)
    put(welcome.capabilities.rawValue, 24)
    put(welcome.client, 32)
    put(welcome.maximumUnacknowledged, 36)
    put(welcome.staleLimitNanoseconds, 40)
    put(displays, listAt: 48, elementsAt: Welcome.size)
    return finish(serial: serial)
  }

  /// Writes a refusal.
  public func refusal(_ refusal: Refusal, serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.refusal, length: Refusal.size)
    put(refusal.code.rawValue, 16)
    put(refusal.text, 24, size: Refusal.textSize)
    return finish(serial: serial)
  }
}
