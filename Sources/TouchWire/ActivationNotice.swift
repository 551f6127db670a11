public import TouchModel

/// Whether the client that it is sent to is in front on a display.
public struct ActivationNotice: Equatable, Sendable {
  /// The display.
  public var display: UInt32
  /// How the client stands there from now on.
  public var activation: Activation

  static let size = 24

  /// Creates a notice.
  public init(display: UInt32, activation: Activation) {
    self.display = display
    self.activation = activation
  }

  init(_ packet: UnsafeRawBufferPointer) throws(WireError) {
    try require(packet, Self.size)
    let fields = Fields(packet)
    display = fields.u32(16)
    guard let activation = Activation(rawValue: fields.u32(20)) else {
      throw .badValue(.activation, field: "the state")
    }
    self.activation = activation
  }
}

extension PacketWriter {
  /// Writes whether a client is in front.
  public func activation(_ notice: ActivationNotice, serial: UInt32) -> UnsafeRawBufferPointer {
    begin(.activation, length: ActivationNotice.size, optional: true)
    put(notice.display, 16)
    put(notice.activation.rawValue, 20)
    return finish(serial: serial)
  }
}
