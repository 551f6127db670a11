import TestSupport

/// An import in a source file.
struct SourceImport: Hashable, CustomStringConvertible {
  var file: String
  var module: String
  var description: String { "\(file) imports \(module)" }

  /// All imports in a folder below `Sources`.
  static func all(of target: String) throws -> [SourceImport] {
    try Repository.files(below: "Sources/\(target)", ending: ".swift").flatMap { file in
      modules(in: try Repository.text(file)).map { SourceImport(file: file, module: $0) }
    }
  }

  /// The modules that a source text imports: each spelling of an import counts.
  static func modules(in text: String) -> [String] {
    let pattern =
      /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func)\s+)?(\w+)/
    return text.split(separator: "\n").compactMap { line in
      line.firstMatch(of: pattern).map { String($0.1) }
    }
  }
}
