/// The sections and entries of one file, as they stand there.
///
/// The format is systemd's: `[Kind Name]`, `Key=value`, comments after `#` or `;` at the start of a
/// line, and a backslash at the end of a line that goes on in the next one. A byte-order mark and
/// carriage returns before a line's end are left out.
public struct SettingsText: Sendable, Equatable {
  /// One `Key=value`.
  public struct Entry: Sendable, Equatable {
    /// The key.
    public var key: String
    /// The value, without blanks around it; empty to reset the key.
    public var value: String
    /// The line it begins in.
    public var line: Int
  }

  /// A section with its entries.
  public struct Section: Sendable, Equatable {
    /// Its name.
    public var name: SectionName
    /// The line of its header.
    public var line: Int
    /// What stands in it, in order.
    public var entries: [Entry] = []
  }

  /// The file's name, for messages.
  public var file: String
  /// Its sections, in order; each name once.
  public private(set) var sections: [Section] = []
  /// What could not be read.
  public private(set) var faults: [SettingsFault] = []

  /// The longest line, with those that continue it; in bytes.
  public static let longestLine = 4096
  /// The longest file: far more than all panels of a machine take.
  public static let longestFile = 1 << 20

  // The section that entries go to; nil in one that cannot be used.
  private var current: Int?
  private var hasSection = false
  // The line of each section's header, while they are read.
  private var headers: [SectionName: Int] = [:]

  /// Reads the bytes of a file; whatever they are, this returns.
  public init(_ bytes: [UInt8], file: String) {
    self.file = file
    guard bytes.count <= Self.longestFile else {
      fault(0, "the file is longer than \(Self.longestFile) bytes, so it is not read")
      return
    }
    var text = LogicalLines(bytes)
    while let line = text.next() { take(line) }
    headers = [:]
  }

  private mutating func take(_ line: LogicalLines.Line) {
    guard line.bytes.count <= Self.longestLine else {
      fault(line.number, "the line is longer than \(Self.longestLine) bytes; shorten it")
      return
    }
    guard !line.bytes.contains(0) else {
      fault(line.number, "the line holds a zero byte; is this a text file?")
      return
    }
    guard let text = String(validating: line.bytes, as: UTF8.self) else {
      fault(line.number, "the line is not UTF-8; save the file in that encoding")
      return
    }
    if text.hasPrefix("[") { takeHeader(text, line.number) } else { takeEntry(text, line.number) }
  }

  private mutating func takeHeader(_ text: String, _ line: Int) {
    hasSection = true
    current = nil
    guard text.hasSuffix("]") else {
      fault(line, "the section's header has no ] at its end")
      return
    }
    let inside = trimmed(text.dropFirst().dropLast())
    let kind = inside.prefix { !isBlank($0) }
    let name = SectionName(kind: String(kind), name: trimmed(inside[kind.endIndex...]))
    guard !kind.isEmpty, !inside.contains(where: { "[]".contains($0) }) else {
      fault(line, "a section's header is [Kind] or [Kind NAME], without further brackets")
      return
    }
    if let first = headers[name] {
      fault(line, "\(name) stands in line \(first) already; put all its keys there", in: name)
      return
    }
    headers[name] = line
    current = sections.count
    sections.append(Section(name: name, line: line))
  }

  private mutating func takeEntry(_ text: String, _ line: Int) {
    let name = current.map { sections[$0].name }
    guard let equals = text.firstIndex(of: "=") else {
      fault(line, "this is neither [Section] nor Key=value", in: name)
      return
    }
    guard hasSection else {
      fault(line, "the key stands before the first section; put [Daemon] or another one above it")
      return
    }
    guard let current else { return }  // Its header has been told.
    let key = trimmed(text[..<equals])
    guard !key.isEmpty else {
      fault(line, "there is no key before the =", in: name)
      return
    }
    sections[current].entries.append(
      Entry(key: key, value: trimmed(text[text.index(after: equals)...]), line: line))
  }

  private mutating func fault(_ line: Int, _ message: String, in section: SectionName? = nil) {
    faults.append(SettingsFault(file: file, line: line, message: message, section: section))
  }
}

/// A blank within a line.
func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

/// A text without the blanks around it.
func trimmed(_ text: some StringProtocol) -> String {
  var rest = Substring(text)
  while let last = rest.last, isBlank(last) { rest.removeLast() }
  return String(rest.drop(while: isBlank))
}

/// The lines of a file: comments left out, continued ones joined.
private struct LogicalLines {
  struct Line {
    var number: Int
    /// Without blanks around.
    var bytes: ArraySlice<UInt8>
  }

  private let bytes: [UInt8]
  private var position: Int
  private var number = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
  }

  mutating func next() -> Line? {
    var joined: Line?
    while position < bytes.count {
      let line = physicalLine()
      guard let first = line.bytes.first else {
        if let joined { return joined }
        continue
      }
      // A comment between lines that belong together is left out as well, as systemd does.
      if first == UInt8(ascii: "#") || first == UInt8(ascii: ";") { continue }
      let isContinued = line.bytes.last == UInt8(ascii: "\\")
      let part = isContinued ? trimmed(line.bytes.dropLast()) : line.bytes
      if joined == nil {
        joined = Line(number: line.number, bytes: part)
      } else {
        // In place: a file of nothing but continued lines would else take hours.
        joined?.bytes.append(0x20)
        joined?.bytes.append(contentsOf: part)
      }
      if !isContinued { return joined }
    }
    return joined
  }

  private mutating func physicalLine() -> Line {
    number += 1
    let end = bytes[position...].firstIndex(of: 0x0a) ?? bytes.count
    defer { position = end + 1 }
    return Line(number: number, bytes: trimmed(bytes[position..<end]))
  }

  private func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line.drop { $0 == 0x20 || $0 == 0x09 }
    while let last = line.last, [0x20, 0x09, 0x0d].contains(last) { line.removeLast() }
    return line
  }
}
