import TouchModel

/// Builds one message at a time in storage that is allocated once.
///
/// - Ownership: what a method returns lies in the writer's storage and is valid until the next
///   message is begun or the writer goes.
public final class PacketWriter {
  private let start: UnsafeMutableRawPointer
  private let storage: UnsafeMutableRawBufferPointer
  private var length = 0

  /// Allocates room for the longest message.
  public init() {
    start = .allocate(byteCount: WireFormat.maximumLength, alignment: 16)
    storage = UnsafeMutableRawBufferPointer(start: start, count: WireFormat.maximumLength)
  }

  deinit { start.deallocate() }

  func begin(_ type: WireType, length: Int, optional: Bool = false) {
    precondition(length <= storage.count, "a message longer than the writer's own limits allow")
    start.initializeMemory(as: UInt8.self, repeating: 0, count: length)
    beginUncleared(type, length: length, optional: optional)
  }

  /// Begins a message of which the caller will write each byte.
  ///
  /// - Returns: where it lies; its first `length` bytes may be written.
  @inline(__always)
  @discardableResult
  func beginUncleared(
    _ type: WireType, length: Int, optional: Bool = false
  ) -> UnsafeMutableRawPointer {
    precondition(
      length >= WireFormat.headerSize && length <= WireFormat.maximumLength,
      "a message longer than the writer's own limits allow")
    self.length = length
    start.storeBytes(of: WireFormat.magic.littleEndian, as: UInt32.self)
    let flags = UInt32(optional ? WireFormat.optionalFlag : 0) << 16
    let kind = UInt32(type.rawValue) | flags
    start.storeBytes(of: kind.littleEndian, toByteOffset: 4, as: UInt32.self)
    let size = UInt32(truncatingIfNeeded: length)
    start.storeBytes(of: size.littleEndian, toByteOffset: 8, as: UInt32.self)
    start.storeBytes(of: 0, toByteOffset: 12, as: UInt32.self)
    return start
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
