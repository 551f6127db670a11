import TouchModel

/// Builds one message at a time in storage that is allocated once.
///
/// - Ownership: what a method returns lies in the writer's storage and is valid until the next
///   message is begun or the writer goes.
public final class PacketWriter {
  private let storage: UnsafeMutableRawBufferPointer
  private var length = 0
  /// Where the merged samples of the frame being written start.
  var frameSamples = 0

  /// Allocates room for the longest message.
  public init() {
    storage = .allocate(byteCount: WireFormat.maximumLength, alignment: 16)
  }

  deinit { storage.deallocate() }

  func begin(_ type: WireType, length: Int, optional: Bool = false) {
    precondition(length <= storage.count, "a message longer than the writer's own limits allow")
    self.length = length
    storage.baseAddress?.initializeMemory(as: UInt8.self, repeating: 0, count: length)
    put(WireFormat.magic, 0)
    put(type.rawValue, 4)
    put(optional ? WireFormat.optionalFlag : 0, 6)
    put(UInt32(length), 8)
  }

  /// Numbers the message and hands it out.
  func finish(serial: UInt32) -> UnsafeRawBufferPointer {
    put(serial, 12)
    return UnsafeRawBufferPointer(rebasing: storage[..<length])
  }

  @inline(__always)
  func put<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value, _ offset: Int) {
    precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= length, "field out of place")
    storage.storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self)
  }

  @inline(__always) func put(_ value: Double, _ offset: Int) { put(value.bitPattern, offset) }
  @inline(__always) func put(_ value: Float, _ offset: Int) { put(value.bitPattern, offset) }

  func put(_ rect: Rect, _ offset: Int) {
    put(rect.x, offset)
    put(rect.y, offset + 8)
    put(rect.width, offset + 16)
    put(rect.height, offset + 24)
  }

  /// Writes text into a zero-padded field, up to a zero in it; what does not fit is cut at a
  /// character's start.
  func put(_ text: String, _ offset: Int, size: Int) {
    var at = offset
    for scalar in text.unicodeScalars {
      let bytes = UTF8.encode(scalar)
      guard scalar.value != 0, let bytes, at + bytes.count <= offset + size else { return }
      for byte in bytes {
        put(byte, at)
        at += 1
      }
    }
  }
}
