import TestSupport

/// A target as `Package.swift` declares it.
struct ManifestTarget: Equatable {
  var name: String
  var dependencies: [String]
  /// Its folder, where that is not the one of its name.
  var path: String?
}

/// What the text of `Package.swift` says.
enum PackageManifest {
  /// All targets, in order.
  static func targets() throws -> [ManifestTarget] {
    let text = try Repository.text("Package.swift")
    let pattern = /\.(?:target|executableTarget|testTarget|systemLibrary)\(/
    return text.matches(of: pattern).compactMap { match in
      let body = call(text[match.range.upperBound...])
      guard let name = body.firstMatch(of: /name:\s*"([^"]+)"/) else { return nil }
      let list = body.firstMatch(of: /dependencies:\s*\[([^\]]*)\]/)
      let dependencies = list.map { $0.1.matches(of: /"([^"]+)"/).map { String($0.1) } }
      let path = body.firstMatch(of: /path:\s*"([^"]+)"/).map { String($0.1) }
      return ManifestTarget(name: String(name.1), dependencies: dependencies ?? [], path: path)
    }
  }

  /// Those that lie in `Sources`.
  static func sources() throws -> [ManifestTarget] {
    let folders = Set(try Repository.folders(in: "Sources"))
    return try targets().filter { $0.path == nil && folders.contains($0.name) }
  }

  /// The arguments of a call, up to the parenthesis that ends it.
  private static func call(_ text: Substring) -> Substring {
    var depth = 1
    let end = text.firstIndex { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return depth == 0
    }
    return text[..<(end ?? text.endIndex)]
  }
}

/// The targets' dependencies, with what follows from them.
struct TargetGraph {
  private let dependencies: [String: [String]]

  init(_ targets: [ManifestTarget]) {
    dependencies = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0.dependencies) })
  }

  /// All that a target depends on, at any distance.
  func closure(of name: String) -> Set<String> {
    var found: Set<String> = []
    var open = dependencies[name] ?? []
    while let next = open.popLast() {
      if found.insert(next).inserted { open += dependencies[next] ?? [] }
    }
    return found
  }
}
