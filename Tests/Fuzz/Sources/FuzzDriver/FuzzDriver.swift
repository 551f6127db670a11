@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ one: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Hands the program over to libFuzzer, which calls the function with inputs of its own.
public func fuzz(_ one: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32) {
  var count = CommandLine.argc
  var arguments = CommandLine.unsafeArgv
  _ = runDriver(&count, &arguments, one)
}

/// Calls with an input as it is, and with a copy whose header says what it is: the magic number and the
/// length stand in the first twelve bytes, and blind changes hardly ever get both right, so that
/// without this hardly anything behind the header is reached.
///
/// The copy has room for not a byte more, so that the address sanitizer sees a read past its end.
public func withPackets(
  _ bytes: UnsafePointer<UInt8>?, _ count: Int, magic: UInt32,
  _ body: (UnsafeRawBufferPointer) -> Void
) {
  body(UnsafeRawBufferPointer(start: bytes, count: count))
  guard let bytes, count >= 12 else { return }
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
  defer { copy.deallocate() }
  copy.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: count))
  copy.storeBytes(of: magic.littleEndian, toByteOffset: 0, as: UInt32.self)
  copy.storeBytes(
    of: UInt32(truncatingIfNeeded: count).littleEndian, toByteOffset: 8, as: UInt32.self)
  body(UnsafeRawBufferPointer(copy))
}
