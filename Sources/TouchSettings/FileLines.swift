/// The lines of a file as they stand there, comments and all, for a change of some of them.
struct FileLines {
  private var lines: [[UInt8]]

  /// Takes a file apart; a byte-order mark is left out.
  init(_ bytes: [UInt8]) {
    let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
    lines = text.split(separator: 0x0a, omittingEmptySubsequences: false).map(Array.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
  }

  /// The file.
  var bytes: [UInt8] { lines.flatMap { $0 + [0x0a] } }

  /// Adds text at the end.
  mutating func append(_ text: String) {
    lines += Array(text.utf8).split(separator: 0x0a).map(Array.init)
  }

  /// Puts lines in the place of those of the same keys, or at the end of a section.
  ///
  /// - Parameter section: as it was read from these very lines.
  mutating func put(_ own: [(key: String, line: String)], in section: SettingsText.Section) {
    var gone: Set<Int> = []
    var added: [Int: [String]] = [:]
    let end = extent(from: section.entries.last?.line ?? section.line).last ?? lines.count - 1
    for (key, line) in own {
      let old = section.entries.filter { $0.key == key }.map { extent(from: $0.line) }
      gone.formUnion(old.joined())
      added[old.first?.first ?? end, default: []].append(line)
    }
    lines = lines.enumerated().flatMap { index, line in
      (gone.contains(index) ? [] : [line]) + (added[index] ?? []).map { Array($0.utf8) }
    }
  }

  /// Where the parts of a line are, those that continue it included, comments between them not.
  private func extent(from number: Int) -> [Int] {
    var parts: [Int] = []
    for index in lines.indices.dropFirst(number - 1) {
      let text = lines[index].filter { ![0x20, 0x09, 0x0d].contains($0) }
      let isComment = text.first == UInt8(ascii: "#") || text.first == UInt8(ascii: ";")
      if isComment { continue }
      parts.append(index)
      if text.last != UInt8(ascii: "\\") { break }
    }
    return parts
  }

  /// Puts a comment in the place of the first that begins alike, or at the top.
  mutating func stamp(_ stamp: SectionText.Stamp) {
    let line = Array((stamp.start + stamp.rest).utf8)
    if let old = lines.firstIndex(where: { $0.starts(with: Array(stamp.start.utf8)) }) {
      lines[old] = line
    } else {
      lines.insert(line, at: 0)
    }
  }
}
