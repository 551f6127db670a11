import TouchModel

/// The text of a section that a program writes into a file of its own.
public struct SectionText: Sendable {
  /// The section's name, also fit for a file's.
  public let name: SectionName
  private var lines: [(key: String, value: String)] = []

  /// Begins a section for a display.
  public init(display: String) { name = SectionName(kind: "Display", name: display) }

  /// Begins a section for one panel: what it is recognised by stands in it already.
  ///
  /// A panel is known by where it is plugged in and by its name; where nobody says where that is, by the
  /// name alone.
  public init(panel: PanelIdentity, purpose: String) {
    let description = panel.description
    let place = panel.path.isEmpty ? description.physicalLocation : panel.path
    let word = Self.word(
      of: [place, description.name].filter { !$0.isEmpty }.joined(separator: "-"))
    name = SectionName(kind: "Panel", name: "\(purpose)-\(word)")
    if !panel.path.isEmpty {
      add("MatchPath", Self.pattern(of: panel.path))
    } else if !description.physicalLocation.isEmpty {
      add("MatchPhys", Self.pattern(of: description.physicalLocation))
    }
    if !description.name.isEmpty { add("MatchName", Self.pattern(of: description.name)) }
  }

  /// Adds a key with its value.
  public mutating func add(_ key: String, _ value: String) { lines.append((key, value)) }

  /// The section as a file has it.
  public var text: String {
    "[\(name.kind) \(name.name)]\n" + lines.map { "\($0.key)=\($0.value)\n" }.joined()
  }

  /// Whether a file is this section's own: it holds one of its name, for the same panels, or nothing.
  public func owns(_ bytes: [UInt8]) -> Bool {
    let file = SettingsText(bytes, file: "")
    let own = SettingsText(Array(text.utf8), file: "")
    func conditions(_ section: SettingsText.Section) -> [[String]] {
      section.entries.filter { $0.key.hasPrefix("Match") }.map { [$0.key, $0.value] }
    }
    return file.sections.map(\.name) == own.sections.map(\.name)
      && file.sections.map(conditions) == own.sections.map(conditions) || file.sections.isEmpty
  }

  /// Whether it is for a panel.
  public func isFor(_ panel: PanelIdentity) -> Bool {
    let settings = Settings(files: [SettingsText(Array(text.utf8), file: "")])
    return settings.resolve(panel).sections.contains(name)
  }

  /// A file of its own with its keys in it; all else that stands there stays.
  ///
  /// - Parameters:
  ///   - bytes: the file as it is, one that `owns` knows; empty for none.
  ///   - stamp: a comment that takes the place of the one that began alike; nil to leave that.
  /// - Returns: nil where the lines cannot be told apart from what stays.
  public func put(into bytes: [UInt8], stamp: Stamp? = nil) -> [UInt8]? {
    let own = lines.filter { !$0.key.hasPrefix("Match") }
    var file = FileLines(bytes)
    let parsed = SettingsText(file.bytes, file: "")
    if let section = parsed.sections.first(where: { $0.name == name }) {
      file.put(own.map { ($0.key, "\($0.key)=\($0.value)") }, in: section)
    } else {
      file.append(text)
    }
    if let stamp { file.stamp(stamp) }
    let after = SettingsText(file.bytes, file: "")
    func others(_ text: SettingsText) -> [[String]] {
      text.sections.flatMap(\.entries).filter { entry in !own.contains { $0.key == entry.key } }
        .map { [$0.key, $0.value] }
    }
    let wanted = SettingsText(Array(text.utf8), file: "")
    let isRight =
      own.allSatisfy { key, value in
        after.sections.flatMap(\.entries).filter { $0.key == key }.map(\.value) == [value]
      } && others(after) == others(parsed.sections.isEmpty ? wanted : parsed)
    return isRight ? file.bytes : nil
  }

  /// A comment that says who wrote a file.
  public struct Stamp: Sendable {
    /// How all of them begin.
    public var start: String
    /// What follows.
    public var rest: String

    /// Creates a comment.
    public init(start: String, rest: String) {
      self.start = start
      self.rest = rest
    }
  }

  /// Letters and digits as they are, all else a dash; short enough for a file's name.
  ///
  /// Scripts without such letters would all become the same dashes: a number that goes with the text is
  /// put behind those.
  public static func word(of text: String) -> String {
    let (longest, tail) = (160, 9)
    let isPlainScript = text.unicodeScalars.allSatisfy(\.isASCII)
    let scalars = text.unicodeScalars.prefix(isPlainScript ? longest : longest - tail)
    var word = String(
      scalars.map { scalar -> Character in
        let isPlain =
          scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        return isPlain || "._:".unicodeScalars.contains(scalar) ? Character(scalar) : "-"
      })
    if !isPlainScript {
      let number = String(hash(of: text), radix: 16)
      word += "-" + String(repeating: "0", count: 8 - number.count) + number
    }
    return word.isEmpty ? "panel" : word
  }

  /// The same on all machines, for names of files.
  ///
  /// - Source: FNV-1a with 32 bits.
  private static func hash(of text: String) -> UInt32 {
    text.utf8.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }

  /// A pattern that a text matches, without what would not come back from a file.
  private static func pattern(of text: String) -> String {
    var scalars = Array(text.unicodeScalars).map { scalar -> Unicode.Scalar in
      // What a terminal obeys is not shown to one either.
      let isControl =
        scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value)
        || scalar.properties.isBidiControl
      // A star would stand for other names as well.
      return isControl || scalar == "*" ? "?" : scalar
    }
    // Blanks at the ends are left out of a value, and a backslash at the end takes the next line in.
    // A mark that joins the character before it would join the = and make it another.
    if let first = scalars.first, first == " " || "=\(first)".count == 1 { scalars[0] = "?" }
    if let last = scalars.last, last == " " || last == "\\" { scalars[scalars.count - 1] = "?" }
    return String(String.UnicodeScalarView(scalars))
  }
}
