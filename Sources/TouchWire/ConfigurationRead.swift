import TouchModel

/// What became of a wish that the daemon reads its configuration again.
public struct ConfigurationRead: Equatable, Sendable {
  /// Which configuration is in force.
  public enum Result: UInt32, Sendable, CaseIterable {
    /// What the files say now.
    case taken = 0
    /// The one from before, since something is wrong with the new one.
    case refused = 1
  }

  /// The serial of the message that asked for it.
  public var requestSerial: UInt32
  /// Whether it was done.
  public var result: Result
  /// The first thing that is wrong, with file and line; empty if nothing is.
  ///
  /// - Range: at most 200 bytes of UTF-8; the rest is cut.
  public var text: String

  static let size = 224
  static let textSize = 200

  /// Creates an answer.
  public init(requestSerial: UInt32, result: Result, text: String = "") {
    self.requestSerial = requestSerial
    self.result = result
    self.text = text
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    requestSerial = fields.u32(16)
    guard let result = Result(rawValue: fields.u32(20)) else {
      throw .badValue(.configurationRead, field: "the result")
    }
    self.result = result
    text = fields.text(24, Self.textSize)
  }
}

enum ReadConfigurationLayout {
  static let size = 24
}

extension PacketWriter {
  /// Writes a wish that the daemon reads its configuration again.
  public func readConfiguration(serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.readConfiguration, length: ReadConfigurationLayout.size, optional: true)
    return finish(serial: serial)
  }

  /// Writes what became of it.
  public func configurationRead(
    _ answer: ConfigurationRead, serial: UInt32
  ) -> UnsafeRawBufferPointer {
    begin(.configurationRead, length: ConfigurationRead.size, optional: true)
    put(answer.requestSerial, 16)
    put(answer.result.rawValue, 20)
    put(answer.text, 24, size: ConfigurationRead.textSize)
    return finish(serial: serial)
  }
}
