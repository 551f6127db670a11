import Glibc

/// The bytes of a file.
enum FileContents {
  /// A failure to read a file.
  struct Failure: Error, CustomStringConvertible {
    let path: String
    let code: Int32

    var description: String {
      "cannot read \(path): \(errorText(code)). Check the path and that you may read the file."
    }
  }

  // A panel of ten fingers at 1000 Hz fills this in some twenty minutes, as evemu text.
  private static let limit = 1 << 30

  /// Reads a file as a whole; `-` is standard input.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(path: path, code: errno) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var code: Int32 = 0
    while code == 0 {
      let before = bytes.count
      guard before <= limit else { throw Failure(path: path, code: EFBIG) }
      code = readMore(descriptor, into: &bytes)
      if code == 0, bytes.count == before { return bytes }
    }
    throw Failure(path: path, code: code)
  }

  private static func readMore(_ descriptor: Int32, into bytes: inout [UInt8]) -> Int32 {
    let step = 256 * 1024
    var code: Int32 = 0
    let part = [UInt8](unsafeUninitializedCapacity: step) { buffer, count in
      var result = Glibc.read(descriptor, buffer.baseAddress, step)
      while result < 0, errno == EINTR {
        result = Glibc.read(descriptor, buffer.baseAddress, step)
      }
      if result < 0 { code = errno }
      count = max(0, result)
    }
    bytes.append(contentsOf: part)
    return code
  }
}
