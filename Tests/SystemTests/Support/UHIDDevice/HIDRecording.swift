/// A HID device and what it sent: the text form of `hid-recorder`.
///
/// Lines `R:` length and the report descriptor in hex, `N:` name, `I:` bus, vendor and product in
/// hex, `E:` seconds, length and one report's bytes in hex; `#` begins a comment.
public struct HIDRecording: Equatable, Sendable {
  /// What the device calls itself.
  public var name: String
  /// The bus, `BUS_USB` and so on.
  public var bus: UInt16
  /// The vendor's number.
  public var vendor: UInt32
  /// The product's number.
  public var product: UInt32
  /// The report descriptor.
  public var descriptor: [UInt8]
  /// The input reports, in order.
  public var reports: [[UInt8]]

  /// Creates a device with its reports.
  public init(
    name: String, bus: UInt16, vendor: UInt32, product: UInt32, descriptor: [UInt8],
    reports: [[UInt8]] = []
  ) {
    self.name = name
    self.bus = bus
    self.vendor = vendor
    self.product = product
    self.descriptor = descriptor
    self.reports = reports
  }

  /// Reads a recording's text.
  ///
  /// - Errors: `HIDTextError` with the line's number.
  public init(text: String) throws(HIDTextError) {
    self.init(name: "", bus: 0, vendor: 0, product: 0, descriptor: [])
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let kind = words.first else { continue }
      let number = index + 1
      switch kind {
      case "R:": descriptor = try Self.bytes(words.dropFirst(), line: number)
      case "N:": name = words.dropFirst().joined(separator: " ")
      case "I:": try takeIdentifiers(words.dropFirst(), line: number)
      case "E:": reports.append(try Self.bytes(words.dropFirst(2), line: number))
      // Comments, and the lines of text that some of them run over.
      default: break
      }
    }
    guard !descriptor.isEmpty else { throw HIDTextError(line: 0, "no report descriptor (R: line)") }
  }

  /// Reads a report descriptor alone: hex bytes, and comments that name bus, vendor and product.
  public init(descriptorText text: String, name: String) throws(HIDTextError) {
    self.init(name: name, bus: 3, vendor: 0, product: 0, descriptor: [])
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let words = line.split(whereSeparator: \.isWhitespace)
      if words.first == "#" {
        if words.count == 7, words[1] == "bus", words[3] == "vendor", words[5] == "product" {
          try takeIdentifiers([words[2], words[4], words[6]], line: index + 1)
        }
      } else {
        descriptor += try Self.hex(words[...], line: index + 1)
      }
    }
    guard !descriptor.isEmpty else { throw HIDTextError(line: 0, "no bytes") }
  }

  private mutating func takeIdentifiers(
    _ words: ArraySlice<Substring>, line: Int
  ) throws(HIDTextError) {
    let numbers = words.compactMap { UInt16($0, radix: 16) }
    guard numbers.count == 3 else { throw HIDTextError(line: line, "three hex numbers expected") }
    (bus, vendor, product) = (numbers[0], UInt32(numbers[1]), UInt32(numbers[2]))
  }

  /// Takes a count and as many bytes.
  private static func bytes(
    _ words: ArraySlice<Substring>, line: Int
  ) throws(HIDTextError) -> [UInt8] {
    let bytes = try hex(words.dropFirst(), line: line)
    guard let count = words.first.flatMap({ Int($0) }), count == bytes.count else {
      throw HIDTextError(line: line, "the count does not fit the \(bytes.count) bytes")
    }
    return bytes
  }

  private static func hex(
    _ words: ArraySlice<Substring>, line: Int
  ) throws(HIDTextError) -> [UInt8] {
    var bytes: [UInt8] = []
    for word in words {
      guard let byte = UInt8(word, radix: 16) else {
        throw HIDTextError(line: line, "\"\(word)\" is no byte in hex")
      }
      bytes.append(byte)
    }
    return bytes
  }
}

/// Text that is no recording of a HID device.
public struct HIDTextError: Error, Equatable, CustomStringConvertible {
  /// The line, from 1; 0 if none is to blame.
  public var line: Int
  /// What is wrong with it.
  public var reason: String

  init(line: Int, _ reason: String) {
    self.line = line
    self.reason = reason
  }

  /// The line and the reason.
  public var description: String { "line \(line): \(reason)" }
}
