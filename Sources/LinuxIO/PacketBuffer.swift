/// Room for one packet, allocated once.
///
/// - Ownership: owns its storage, which goes with it.
public final class PacketBuffer {
  /// The room.
  public let bytes: UnsafeMutableRawBufferPointer

  /// Allocates room for packets of so many bytes.
  public init(byteCount: Int) {
    bytes = .allocate(byteCount: byteCount, alignment: 16)
  }

  deinit { bytes.deallocate() }
}
