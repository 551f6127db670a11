/// A JSON value that was read; for tools that show what a daemon tells them.
public indirect enum JSONValue: Equatable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, as it was written: large ones keep all their digits.
  case number(String)
  /// A text.
  case text(String)
  /// A list.
  case list([JSONValue])
  /// An object; its keys stand in their order, and may repeat.
  case object([(key: String, value: JSONValue)])

  /// Reads one value with nothing but white space around it.
  ///
  /// - Returns: nil for what is no JSON, or is nested more than 32 deep.
  public init?(parsing text: String) {
    var reader = JSONReader(text)
    guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
    self = value
  }

  /// The value of an object's first key of this name; nil if there is none.
  public subscript(_ key: String) -> JSONValue? {
    guard case .object(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// The elements of a list; none for anything else.
  public var elements: [JSONValue] {
    guard case .list(let values) = self else { return [] }
    return values
  }

  /// The keys and values of an object; none for anything else.
  public var entries: [(key: String, value: JSONValue)] {
    guard case .object(let entries) = self else { return [] }
    return entries
  }

  /// The value as people read it: texts without quotes.
  public var plain: String {
    switch self {
    case .null: "-"
    case .bool(let value): value ? "yes" : "no"
    case .number(let digits): digits
    case .text(let text): text
    case .list(let values): values.map(\.plain).joined(separator: ", ")
    case .object(let entries):
      entries.map { "\($0.key) \($0.value.plain)" }.joined(separator: ", ")
    }
  }

  /// Compares values; objects are equal if their keys stand in the same order.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.text(let left), .text(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.object(let left), .object(let right)):
      left.elementsEqual(right) { $0.key == $1.key && $0.value == $1.value }
    default: false
    }
  }
}

/// Reads JSON from its bytes.
private struct JSONReader {
  // Deeper than anything we write; it bounds the stack that somebody else's text can take.
  private static let maximumDepth = 32

  private let bytes: [UInt8]
  private var next = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return next == bytes.count
    }
  }

  private var peek: UInt8? { next < bytes.count ? bytes[next] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d {
      next += 1
    }
  }

  private mutating func take(_ character: UInt8) -> Bool {
    skipSpace()
    guard peek == character else { return false }
    next += 1
    return true
  }

  private mutating func take(word: StaticString) -> Bool {
    let end = next + word.utf8CodeUnitCount
    let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard end <= bytes.count, bytes[next..<end].elementsEqual(expected) else { return false }
    next = end
    return true
  }

  mutating func value(depth: Int) -> JSONValue? {
    guard depth <= Self.maximumDepth else { return nil }
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return object(depth)
    case UInt8(ascii: "["): return list(depth)
    case UInt8(ascii: "\""): return text().map { .text($0) }
    case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
    case UInt8(ascii: "t"): return take(word: "true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return take(word: "false") ? .bool(false) : nil
    default: return number()
    }
  }

  private mutating func object(_ depth: Int) -> JSONValue? {
    next += 1
    var entries: [(key: String, value: JSONValue)] = []
    if take(UInt8(ascii: "}")) { return .object([]) }
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\""), let key = text(), take(UInt8(ascii: ":")),
        let value = value(depth: depth + 1)
      else { return nil }
      entries.append((key, value))
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? .object(entries) : nil
  }

  private mutating func list(_ depth: Int) -> JSONValue? {
    next += 1
    var values: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return .list([]) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) ? .list(values) : nil
  }

  private mutating func number() -> JSONValue? {
    let start = next
    let allowed = Set("+-.0123456789eE".utf8)
    while let byte = peek, allowed.contains(byte) { next += 1 }
    let digits = String(decoding: bytes[start..<next], as: UTF8.self)
    guard let value = Double(digits), value.isFinite else { return nil }
    return .number(digits)
  }

  private mutating func text() -> String? {
    next += 1
    var units: [UInt8] = []
    while let byte = peek {
      next += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: units, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escaped(), let encoded = UTF8.encode(scalar) else { return nil }
        units += Array(encoded)
      case 0..<0x20: return nil
      default: units.append(byte)
      }
    }
    return nil
  }

  private mutating func escaped() -> Unicode.Scalar? {
    guard let byte = peek else { return nil }
    next += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "u"):
      guard let unit = hexadecimal() else { return nil }
      guard (0xd800..<0xdc00).contains(unit) else { return Unicode.Scalar(unit) }
      // The second half of a pair.
      guard take(word: "\\u"), let low = hexadecimal(), (0xdc00..<0xe000).contains(low) else {
        return nil
      }
      return Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
    default: return nil
    }
  }

  private mutating func hexadecimal() -> UInt32? {
    guard next + 4 <= bytes.count else { return nil }
    let digits = bytes[next..<next + 4]
    next += 4
    // A sign would be taken as well.
    guard digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
      return nil
    }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
