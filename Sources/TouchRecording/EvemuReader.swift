import TouchModel

/// Reads the text that `evemu-record` and `evemu-describe` write.
///
/// A line says by its first letter what it holds: `N` the name, `I` the ids, `P` the properties,
/// `B` the codes, `A` an axis, `E` an event; `L` and `S` (lights and switches) are skipped, `#` is
/// a comment. Files of the first evemu lack the resolution of an axis. Another `N` line begins
/// another device.
struct EvemuReader {
  // More than the kernel's largest code set (KEY_CNT, 768), so that a file cannot grow sets at will.
  private static let bitLimit = 1024

  private(set) var devices: [RecordedDevice] = []
  private var description = DeviceDescription(name: "")
  private var events: [EvdevEvent] = []
  // Where the device at hand begins; nil before the first.
  private var firstLine: Int?
  // Bits so far: properties and the codes of a type are listed over several lines.
  private var propertyBits = 0
  private var codeBits: [UInt16: Int] = [:]

  /// Reads a line, without its end.
  ///
  /// - Errors: what is wrong with it; no bytes make it trap.
  mutating func readLine(
    _ bytes: UnsafeBufferPointer<UInt8>, from lineStart: Int, to end: Int, line: Int
  ) throws(RecordingError) {
    var start = lineStart
    while start < end, LineFields.isSpace(bytes[start]) { start += 1 }
    guard start < end, bytes[start] != UInt8(ascii: "#") else { return }
    guard start + 1 < end, bytes[start + 1] == UInt8(ascii: ":") else {
      throw RecordingError(line: line, .unknownLine)
    }
    var fields = LineFields(bytes, from: start + 2, to: end, line: line)
    switch bytes[start] {
    case UInt8(ascii: "E"): try readEvent(&fields)
    case UInt8(ascii: "N"):
      finishDevice()
      guard devices.count < RecordingReader.deviceLimit else {
        throw RecordingError(line: line, .tooManyDevices)
      }
      firstLine = line
      description.name = Self.name(bytes, from: start + 2, to: end)
    case UInt8(ascii: "I"): try readIDs(&fields)
    case UInt8(ascii: "P"): try readProperties(&fields)
    case UInt8(ascii: "B"): try readCodes(&fields)
    case UInt8(ascii: "A"): try readAxis(&fields)
    case UInt8(ascii: "L"), UInt8(ascii: "S"): break
    default: throw RecordingError(line: line, .unknownLine)
    }
  }

  /// Ends the file, whose last line has this number.
  mutating func finish(_ line: Int) throws(RecordingError) {
    finishDevice()
    if devices.isEmpty { throw RecordingError(line: max(1, line), .noDevice) }
  }

  private mutating func finishDevice() {
    if let firstLine {
      devices.append(RecordedDevice(description: description, events: events, line: firstLine))
    }
    description = DeviceDescription(name: "")
    events = []
    firstLine = nil
    propertyBits = 0
    codeBits = [:]
  }

  private mutating func readEvent(_ fields: inout LineFields) throws(RecordingError) {
    if firstLine == nil { throw RecordingError(line: fields.line, .eventBeforeDevice) }
    let time = try fields.time()
    let type = try fields.hex("type")
    let code = try fields.hex("code")
    let value = try fields.decimal("value")
    try fields.finish()
    events.append(
      EvdevEvent(
        seconds: time.seconds, microseconds: time.microseconds, type: type, code: code,
        value: value))
  }

  /// Makes sure that a line of a description has its place, also where the name is missing.
  private mutating func describe(_ line: Int) throws(RecordingError) {
    if !events.isEmpty { throw RecordingError(line: line, .descriptionAfterEvents) }
    if firstLine == nil { firstLine = line }
  }

  private mutating func readIDs(_ fields: inout LineFields) throws(RecordingError) {
    try describe(fields.line)
    description.bus = try fields.hex("bus")
    description.vendor = try fields.hex("vendor")
    description.product = try fields.hex("product")
    description.version = try fields.hex("version")
    try fields.finish()
  }

  private mutating func readProperties(_ fields: inout LineFields) throws(RecordingError) {
    try describe(fields.line)
    try Self.readBits(&fields, from: &propertyBits, into: &description.properties)
  }

  private mutating func readCodes(_ fields: inout LineFields) throws(RecordingError) {
    try describe(fields.line)
    let type = try fields.hex("type")
    var codes = description.codes[type] ?? []
    try Self.readBits(&fields, from: &codeBits[type, default: 0], into: &codes)
    // The set of the types is listed as type 0; evemu lists all types, most of them empty.
    if !codes.isEmpty { description.codes[type] = codes }
  }

  private static func readBits(
    _ fields: inout LineFields, from first: inout Int, into codes: inout Set<UInt16>
  ) throws(RecordingError) {
    while !fields.isAtEnd() {
      let byte = try fields.hex("byte", limit: 0xff)
      guard first < bitLimit else { throw RecordingError(line: fields.line, .tooManyBits) }
      for bit in 0..<8 where byte >> bit & 1 == 1 {
        codes.insert(UInt16(truncatingIfNeeded: first + bit))
      }
      first += 8
    }
  }

  private mutating func readAxis(_ fields: inout LineFields) throws(RecordingError) {
    try describe(fields.line)
    let code = try fields.hex("axis")
    var range = AxisRange(
      minimum: try fields.decimal("minimum"), maximum: try fields.decimal("maximum"))
    range.fuzz = try fields.decimal("fuzz")
    range.flat = try fields.decimal("flat")
    if !fields.isAtEnd() { range.resolution = try fields.decimal("resolution") }
    try fields.finish()
    description.axes[code] = range
  }

  /// The rest of a line without the spaces around it; a `#` belongs to the name.
  private static func name(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
  ) -> String {
    var start = start
    var end = end
    while start < end, LineFields.isSpace(bytes[start]) { start += 1 }
    while start < end, LineFields.isSpace(bytes[end - 1]) { end -= 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}
