/// Reads a recording of either format, in pieces that may be cut anywhere.
///
/// A file that is none is found out early, however long it is: at the first line that is wrong, or one
/// that does not end.
struct RecordingReader {
  /// The longest line in bytes: some hundred times what either program writes.
  static let lineLimit = 1 << 16
  /// The most devices: far more than a machine has panels, and each takes more room than its lines.
  static let deviceLimit = 256

  // Nil before the first line that is neither empty nor a comment.
  private var isLibinput: Bool?
  private var evemu = EvemuReader()
  private var libinput = LibinputReader()
  // How many lines have been read.
  private var line = 0
  // The beginning of the next one, whose end has not come.
  private var rest: [UInt8] = []
  // The line of YAML's mark of a new document, before it is known whether this is YAML.
  private var separatorLine: Int?
  private static let separator = "---"

  /// Takes a piece.
  ///
  /// - Errors: the first line that is wrong; no bytes make it trap.
  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) throws(RecordingError) {
    var start = 0
    if !rest.isEmpty {
      let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
      try keep(bytes[..<(end ?? bytes.count)])
      guard let end else { return }
      try readRest()
      start = end + 1
    }
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      guard end - start <= Self.lineLimit else { throw tooLong }
      try readLine(bytes, from: start, to: end)
      start = end + 1
    }
    try keep(bytes[start...])
  }

  /// Ends the file.
  ///
  /// - Errors: a last line that is wrong, or a file that describes no device.
  mutating func finish() throws(RecordingError) -> Recording {
    if !rest.isEmpty { try readRest() }
    if isLibinput == nil { try decide(isLibinput: false) }
    if isLibinput == true {
      try libinput.finish(line)
      return Recording(devices: libinput.devices)
    }
    try evemu.finish(line)
    return Recording(devices: evemu.devices)
  }

  private var tooLong: RecordingError { RecordingError(line: line + 1, .lineTooLong) }

  private mutating func keep(_ part: Slice<UnsafeBufferPointer<UInt8>>) throws(RecordingError) {
    guard part.count <= Self.lineLimit - rest.count else { throw tooLong }
    rest.append(contentsOf: part)
  }

  private mutating func readRest() throws(RecordingError) {
    let whole = rest
    rest = []
    try whole.withUnsafeBufferPointer { (bytes) throws(RecordingError) in
      try readLine(bytes, from: 0, to: bytes.count)
    }
  }

  private mutating func readLine(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
  ) throws(RecordingError) {
    line += 1
    if isLibinput == nil { try look(at: bytes[start..<end]) }
    switch isLibinput {
    case true: try libinput.readLine(bytes, from: start, to: end, line: line)
    case false: try evemu.readLine(bytes, from: start, to: end, line: line)
    // Empty, or a comment.
    default: break
    }
  }

  /// Finds out by a line which format it is, if the line tells.
  private mutating func look(at text: Slice<UnsafeBufferPointer<UInt8>>) throws(RecordingError) {
    if LibinputReader.isBeginning(text) { return try decide(isLibinput: true) }
    if text.allSatisfy(LineFields.isSpace) || text.first == UInt8(ascii: "#") { return }
    guard text.elementsEqual(Self.separator.utf8) else { return try decide(isLibinput: false) }
    separatorLine = separatorLine ?? line
  }

  private mutating func decide(isLibinput: Bool) throws(RecordingError) {
    self.isLibinput = isLibinput
    if !isLibinput, let separatorLine { throw RecordingError(line: separatorLine, .unknownLine) }
  }
}
