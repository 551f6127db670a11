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

  /// Letters and digits as they are, all else a dash; short enough for a file's name.
  public static func word(of text: String) -> String {
    let kept = text.unicodeScalars.prefix(160).map { scalar -> Character in
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      return isPlain || "._:".unicodeScalars.contains(scalar) ? Character(scalar) : "-"
    }
    return kept.isEmpty ? "panel" : String(kept)
  }

  /// A pattern that a text matches, without what would not come back from a file.
  private static func pattern(of text: String) -> String {
    var scalars = Array(text.unicodeScalars).map { scalar -> Unicode.Scalar in
      // What a terminal obeys is not shown to one either.
      let isControl =
        scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value)
        || scalar.properties.isBidiControl
      return isControl ? "?" : scalar
    }
    // Blanks at the ends are left out of a value, and a backslash at the end takes the next line in.
    // A mark that joins the character before it would join the = and make it another.
    if let first = scalars.first, first == " " || "=\(first)".count == 1 { scalars[0] = "?" }
    if let last = scalars.last, last == " " || last == "\\" { scalars[scalars.count - 1] = "?" }
    return String(String.UnicodeScalarView(scalars))
  }
}
