/// One line of a YAML file of plain layout, without its comment and the spaces around it.
struct YAMLLine {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let start: Int
  private let end: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, from first: Int, to last: Int) {
    self.bytes = bytes
    var start = first
    while start < last, LineFields.isSpace(bytes[start]) { start += 1 }
    var end = Self.comment(bytes, from: start, to: last)
    while end > start, LineFields.isSpace(bytes[end - 1]) { end -= 1 }
    self.start = start
    self.end = end
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, trimmed start: Int, _ end: Int) {
    self.bytes = bytes
    var start = start
    while start < end, LineFields.isSpace(bytes[start]) { start += 1 }
    self.start = start
    self.end = end
  }

  /// Where a comment begins: at a `#` outside quotes, at the start or behind a space.
  private static func comment(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
  ) -> Int {
    var isQuoted = false
    var index = start
    while index < end {
      switch bytes[index] {
      case UInt8(ascii: "\\") where isQuoted: index += 1
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "#")
      where !isQuoted && (index == start || LineFields.isSpace(bytes[index - 1])):
        return index
      default: break
      }
      index += 1
    }
    return end
  }

  /// Whether there is nothing on the line.
  var isEmpty: Bool { start == end }
  /// What is on the line.
  var contents: Slice<UnsafeBufferPointer<UInt8>> { bytes[start..<end] }
  /// Whether the line is an item of a list.
  var isItem: Bool { startsWith("- ") || end - start == 1 && bytes[start] == UInt8(ascii: "-") }
  /// Whether the line begins with a digit.
  var startsWithDigit: Bool {
    start < end && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[start])
  }

  func startsWith(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { contents.starts(with: $0) }
  }

  /// What stands before the first colon; empty without one.
  var keyBytes: Slice<UnsafeBufferPointer<UInt8>> {
    let colon = contents.firstIndex(of: UInt8(ascii: ":")) ?? start
    return bytes[start..<colon]
  }

  /// The same as text.
  var key: String { String(decoding: keyBytes, as: UTF8.self) }

  /// What stands behind the first colon.
  var afterKey: YAMLLine {
    let colon = contents.firstIndex(of: UInt8(ascii: ":"))
    return YAMLLine(bytes, trimmed: colon.map { $0 + 1 } ?? end, end)
  }

  /// What stands behind the dash of an item.
  var afterDash: YAMLLine { YAMLLine(bytes, trimmed: min(start + 1, end), end) }

  /// The value behind the key, without its quotes and with its escapes undone.
  var quoted: String {
    let value = afterKey
    guard value.start < value.end, value.bytes[value.start] == UInt8(ascii: "\"") else {
      return String(decoding: value.contents, as: UTF8.self)
    }
    var text: [UInt8] = []
    var index = value.start + 1
    while index < value.end, value.bytes[index] != UInt8(ascii: "\"") {
      if value.bytes[index] == UInt8(ascii: "\\"), index + 1 < value.end { index += 1 }
      text.append(value.bytes[index])
      index += 1
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Reads a list of whole numbers in brackets, which may go on over several lines.
struct ListReader {
  // More than the kernel has codes, so that a file cannot grow a list at will.
  private static let limit = 2048

  private(set) var numbers: [Int64] = []
  private var hasBegun = false
  /// Whether the closing bracket has been seen.
  private(set) var isOver = false

  /// Takes what one line has of it.
  mutating func read(_ line: YAMLLine, _ number: Int) throws(RecordingError) {
    let bytes = line.contents
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if !hasBegun {
        guard byte == UInt8(ascii: "[") else { throw bad(number) }
        hasBegun = true
        index += 1
      } else if isOver {
        throw RecordingError(line: number, .tooManyFields)
      } else if byte == UInt8(ascii: "]") {
        isOver = true
        index += 1
      } else if byte == UInt8(ascii: ",") || LineFields.isSpace(byte) {
        index += 1
      } else {
        try readNumber(bytes, &index, number)
      }
    }
    // The value may stand on the lines below, but then in another layout than the tool's.
    if !hasBegun { throw RecordingError(line: number, .unfinishedList) }
  }

  private mutating func readNumber(
    _ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ index: inout Int, _ line: Int
  ) throws(RecordingError) {
    guard numbers.count < Self.limit else { throw RecordingError(line: line, .tooManyBits) }
    let isNegative = bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    let first = index
    var value: Int64 = 0
    while index < bytes.endIndex, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
      value = value * 10 + Int64(bytes[index] - UInt8(ascii: "0"))
      guard value < 1 << 40 else {
        throw RecordingError(line: line, .numberOutOfRange(field: "list"))
      }
      index += 1
    }
    guard index > first else { throw bad(line) }
    numbers.append(isNegative ? -value : value)
  }

  private func bad(_ line: Int) -> RecordingError {
    RecordingError(line: line, .badNumber(field: "list"))
  }
}
