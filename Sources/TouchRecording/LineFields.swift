/// The fields of one line of a text file, taken one after the other.
///
/// Fields are parted by spaces and tabs; `#` begins a comment. No byte makes it trap.
struct LineFields: ~Copyable {
  let line: Int
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position: Int
  private let end: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, line: Int) {
    self.bytes = bytes
    self.line = line
    position = start
    self.end = end
  }

  /// Whether nothing but a comment is left.
  mutating func isAtEnd() -> Bool {
    while position < end, Self.isSpace(bytes[position]) { position += 1 }
    return position == end || bytes[position] == UInt8(ascii: "#")
  }

  /// Fails if there is more on the line.
  mutating func finish() throws(RecordingError) {
    if !isAtEnd() { throw RecordingError(line: line, .tooManyFields) }
  }

  /// A field of hexadecimal digits; the limit is at most 16 bits.
  mutating func hex(
    _ field: StaticString, limit: UInt64 = 0xffff
  ) throws(RecordingError) -> UInt16 {
    try begin(field)
    let value = try digits(field, radix: 16, limit: limit)
    try end(field)
    return UInt16(truncatingIfNeeded: value)
  }

  /// A field of decimal digits, with a sign or without.
  mutating func decimal(_ field: StaticString) throws(RecordingError) -> Int32 {
    try begin(field)
    let isNegative = bytes[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let size = try digits(field, radix: 10, limit: isNegative ? 1 << 31 : 1 << 31 - 1)
    try end(field)
    return Int32(truncatingIfNeeded: isNegative ? -Int64(size) : Int64(size))
  }

  /// A time stamp, seconds and microseconds parted by a point.
  ///
  /// As in evemu the part behind the point is a whole number of microseconds.
  mutating func time() throws(RecordingError) -> (seconds: Int, microseconds: Int) {
    try begin("time")
    let seconds = try digits("time", radix: 10, limit: Self.secondsLimit)
    guard position < end, bytes[position] == UInt8(ascii: ".") else { throw bad("time") }
    position += 1
    let microseconds = try digits("time", radix: 10, limit: 999_999)
    try end("time")
    return (Int(seconds), Int(microseconds))
  }

  /// What fits into 64 bits as nanoseconds: some 580 years.
  private static var secondsLimit: UInt64 { UInt64.max / 1_000_000_000 - 1 }

  private mutating func begin(_ field: StaticString) throws(RecordingError) {
    if isAtEnd() { throw RecordingError(line: line, .missingField(field: "\(field)")) }
  }

  private mutating func end(_ field: StaticString) throws(RecordingError) {
    guard position < end else { return }
    let byte = bytes[position]
    guard Self.isSpace(byte) || byte == UInt8(ascii: "#") else { throw bad(field) }
  }

  private func bad(_ field: StaticString) -> RecordingError {
    RecordingError(line: line, .badNumber(field: "\(field)"))
  }

  private mutating func digits(
    _ field: StaticString, radix: UInt64, limit: UInt64
  ) throws(RecordingError) -> UInt64 {
    let start = position
    var value: UInt64 = 0
    var isTooLarge = false
    while position < end, let digit = Self.digit(bytes[position]), digit < radix {
      // The limit is far below 64 bits over 16, so this cannot overflow before it is noticed.
      if !isTooLarge { value = value * radix + digit }
      isTooLarge = isTooLarge || value > limit
      position += 1
    }
    if position == start { throw bad(field) }
    if isTooLarge { throw RecordingError(line: line, .numberOutOfRange(field: "\(field)")) }
    return value
  }

  @inline(__always)
  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte &- UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte &- UInt8(ascii: "a") &+ 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte &- UInt8(ascii: "A") &+ 10)
    default: nil
    }
  }

  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }
}
