import TouchModel

/// Reads the YAML that `libinput record` writes, version 1 of its format.
///
/// Of each device it takes name, ids, codes, axes, properties and evdev events; what libinput made of
/// the events, udev's properties, quirks and HID descriptors are skipped. The layout is that of the
/// tool (a list on the line of its key or over several lines, one event a line); YAML that another
/// program has laid out anew is refused with the line.
struct LibinputReader {
  /// Tells whether a line, the first that is neither empty nor a comment, gives such a file away; so
  /// does a `# libinput record` comment before it.
  ///
  /// The line is `version:` or, in excerpts, `ndevices:`, `libinput:` or `devices:`.
  static func isBeginning(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    starts.contains { line.starts(with: $0.utf8) }
  }

  private static let starts = [
    "# libinput record", "version:", "ndevices:", "libinput:", "devices:",
  ]

  /// Which part of a device the lines belong to.
  private enum Part { case none, evdev, codes, axes, events, evdevEvents }

  private(set) var devices: [RecordedDevice] = []
  private var part = Part.none
  // A list that goes on over the next lines, and what is to be done with it.
  private var list: (key: [UInt8], line: Int, numbers: ListReader)?

  /// Ends the file, whose last line has this number.
  func finish(_ line: Int) throws(RecordingError) {
    if let list { throw RecordingError(line: list.line, .unfinishedList) }
    if devices.isEmpty { throw RecordingError(line: max(1, line), .noDevice) }
  }

  /// Reads a line, without its end.
  ///
  /// - Errors: what is wrong with it; no bytes make it trap.
  mutating func readLine(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, line: Int
  ) throws(RecordingError) {
    let text = YAMLLine(bytes, from: start, to: end)
    guard !text.isEmpty else { return }
    if list != nil { return try readListLine(text, line) }
    if text.isItem {
      try readItem(text, line)
    } else {
      try readKey(text, line)
    }
  }

  private mutating func readItem(_ text: YAMLLine, _ line: Int) throws(RecordingError) {
    if text.startsWith("- node:") {
      guard devices.count < RecordingReader.deviceLimit else {
        throw RecordingError(line: line, .tooManyDevices)
      }
      devices.append(RecordedDevice(description: DeviceDescription(name: ""), line: line))
      part = .none
    } else if part == .events || part == .evdevEvents {
      if text.startsWith("- evdev:") {
        part = .evdevEvents
      } else if text.startsWith("- [") {
        if part == .evdevEvents { try readEvent(text, line) }
      } else {
        part = .events
      }
    }
  }

  private mutating func readKey(_ text: YAMLLine, _ line: Int) throws(RecordingError) {
    guard let last = devices.indices.last else { return }
    switch text.key {
    case "evdev": part = .evdev
    case "events": part = .events
    case "udev", "hid", "quirks", "libinput", "device": part = .none
    case "name" where part == .evdev:
      devices[last].description.name = text.quoted
    case "codes" where part != .none: part = .codes
    case "absinfo" where part != .none: part = .axes
    case "id" where part == .evdev, "properties" where part != .none && part != .events:
      try beginList(text, line)
    default:
      if part == .codes || part == .axes, text.startsWithDigit { try beginList(text, line) }
    }
  }

  // MARK: Lists

  private mutating func beginList(_ text: YAMLLine, _ line: Int) throws(RecordingError) {
    list = (Array(text.keyBytes), line, ListReader())
    try readListLine(text.afterKey, line)
  }

  private mutating func readListLine(_ text: YAMLLine, _ line: Int) throws(RecordingError) {
    guard var open = list else { return }
    try open.numbers.read(text, line)
    list = open
    guard open.numbers.isOver else { return }
    list = nil
    try take(open.numbers.numbers, of: open.key, open.line)
  }

  private mutating func take(
    _ numbers: [Int64], of key: [UInt8], _ line: Int
  ) throws(RecordingError) {
    guard let last = devices.indices.last else { return }
    let name = String(decoding: key, as: UTF8.self)
    switch name {
    case "id":
      let ids = try Self.codes(numbers, "ids", line)
      guard ids.count == 4 else { throw RecordingError(line: line, .missingField(field: "ids")) }
      devices[last].description.bus = ids[0]
      devices[last].description.vendor = ids[1]
      devices[last].description.product = ids[2]
      devices[last].description.version = ids[3]
    case "properties":
      devices[last].description.properties = Set(try Self.codes(numbers, "property", line))
    default:
      guard let code = UInt16(name) else {
        throw RecordingError(line: line, .badNumber(field: "code"))
      }
      if part == .codes {
        devices[last].description.codes[code] = Set(try Self.codes(numbers, "code", line))
      } else {
        devices[last].description.axes[code] = try Self.axis(numbers, line)
      }
    }
  }

  private static func codes(
    _ numbers: [Int64], _ field: String, _ line: Int
  ) throws(RecordingError) -> [UInt16] {
    var codes: [UInt16] = []
    for number in numbers {
      guard let code = UInt16(exactly: number) else {
        throw RecordingError(line: line, .numberOutOfRange(field: field))
      }
      codes.append(code)
    }
    return codes
  }

  private static func axis(_ numbers: [Int64], _ line: Int) throws(RecordingError) -> AxisRange {
    let values = numbers.compactMap { Int32(exactly: $0) }
    guard values.count == numbers.count else {
      throw RecordingError(line: line, .numberOutOfRange(field: "axis"))
    }
    guard values.count == 5 else { throw RecordingError(line: line, .missingField(field: "axis")) }
    return AxisRange(
      minimum: values[0], maximum: values[1], fuzz: values[2], flat: values[3],
      resolution: values[4])
  }

  // MARK: Events

  private mutating func readEvent(_ text: YAMLLine, _ line: Int) throws(RecordingError) {
    guard let last = devices.indices.last else { return }
    var reader = ListReader()
    try reader.read(text.afterDash, line)
    let numbers = reader.numbers
    guard reader.isOver else { throw RecordingError(line: line, .unfinishedList) }
    guard numbers.count == 5 else {
      throw RecordingError(line: line, .missingField(field: "event"))
    }
    guard numbers[0] >= 0, numbers[0] < 1 << 33, (0..<1_000_000).contains(numbers[1]) else {
      throw RecordingError(line: line, .numberOutOfRange(field: "time"))
    }
    guard let type = UInt16(exactly: numbers[2]), let code = UInt16(exactly: numbers[3]),
      let value = Int32(exactly: numbers[4])
    else { throw RecordingError(line: line, .numberOutOfRange(field: "event")) }
    devices[last].events.append(
      EvdevEvent(
        seconds: Int(numbers[0]), microseconds: Int(numbers[1]), type: type, code: code,
        value: value))
  }
}
