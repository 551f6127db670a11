/// One key of a kind of section: how it is written, what it does without it, where it is kept.
struct SettingKey<Section: Sendable>: Sendable {
  /// The key's name.
  var name: String
  /// How its values look, in words that follow "takes".
  var form: String
  /// What holds where nobody sets it.
  var byDefault: String
  /// What it is for; a sentence.
  var summary: String
  /// Whether it may stand several times.
  var isList = false
  /// Reads a value into a section.
  var take: @Sendable (inout Section, String, SettingOrigin) throws(ValueFault) -> Void
  /// Moves what one section has over another one's.
  var copy: @Sendable (Section, inout Section) -> Void
  /// Forgets the value.
  var clear: @Sendable (inout Section) -> Void
  /// The texts and origins of what is set.
  var shown: @Sendable (Section) -> [(text: String, origin: SettingOrigin)]

  /// A key with one value.
  static func one<Value>(
    _ name: String, _ path: any WritableKeyPath<Section, Sourced<Value>?> & Sendable,
    takes form: String, without byDefault: String, _ summary: String,
    read: @escaping @Sendable (String) throws(ValueFault) -> Value
  ) -> SettingKey {
    SettingKey(
      name: name, form: form, byDefault: byDefault, summary: summary,
      take: { (section, text, origin) throws(ValueFault) in
        section[keyPath: path] = Sourced(try read(text), text: text, origin: origin)
      },
      copy: { from, to in
        if let value = from[keyPath: path] { to[keyPath: path] = value }
      },
      clear: { $0[keyPath: path] = nil },
      shown: { section in section[keyPath: path].map { [($0.text, $0.origin)] } ?? [] })
  }

  /// A key that adds a value each time it stands there.
  static func many<Value>(
    _ name: String, _ path: any WritableKeyPath<Section, [Sourced<Value>]> & Sendable,
    takes form: String, without byDefault: String, _ summary: String,
    read: @escaping @Sendable (String) throws(ValueFault) -> Value
  ) -> SettingKey {
    SettingKey(
      name: name, form: form, byDefault: byDefault, summary: summary, isList: true,
      take: { (section, text, origin) throws(ValueFault) in
        let value = Sourced(try read(text), text: text, origin: origin)
        section[keyPath: path].append(value)
      },
      copy: { from, to in to[keyPath: path] += from[keyPath: path] },
      clear: { $0[keyPath: path] = [] },
      shown: { section in section[keyPath: path].map { ($0.text, $0.origin) } })
  }
}

/// What tools and documents tell of a key.
public struct SettingHelp: Sendable, Equatable {
  /// The kind of section it stands in.
  public var section: String
  /// The key.
  public var name: String
  /// How its values look.
  public var form: String
  /// What holds where nobody sets it.
  public var byDefault: String
  /// What it is for.
  public var summary: String
}

/// A key with its effective value, for tools.
public struct ShownSetting: Sendable, Equatable {
  /// The key.
  public var name: String
  /// The value as it was written, or what holds without one.
  public var value: String
  /// Where it comes from.
  public var origin: SettingOrigin

  /// Creates a setting.
  public init(name: String, value: String, origin: SettingOrigin) {
    self.name = name
    self.value = value
    self.origin = origin
  }
}

/// What all sections can do with their keys.
protocol KeyedSection: Sendable {
  static var keys: [SettingKey<Self>] { get }
}

extension KeyedSection {
  /// All keys with their values, those nobody set with their defaults.
  func shownSettings() -> [ShownSetting] {
    Self.keys.flatMap { key in
      let values = key.shown(self)
      if values.isEmpty {
        return [ShownSetting(name: key.name, value: key.byDefault, origin: .byDefault)]
      }
      return values.map { ShownSetting(name: key.name, value: $0.text, origin: $0.origin) }
    }
  }
}

/// Finds the word that was meant.
enum Spelling {
  /// The nearest of some words, if it is near enough to be a slip.
  static func nearest(to word: String, among words: [String]) -> String? {
    let limit = max(1, min(3, (word.count + 1) / 2))
    let distances = words.map { ($0, distance(word.lowercased(), $0.lowercased())) }
    return distances.filter { $0.1 <= limit }.min { $0.1 < $1.1 }?.0
  }

  /// How many characters are to be put in, taken out or replaced.
  private static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.unicodeScalars.prefix(64)), Array(right.unicodeScalars))
    var row = Array(0...right.count)
    for (place, scalar) in left.enumerated() {
      var diagonal = row[0]
      row[0] = place + 1
      for (column, other) in right.enumerated() {
        let cost = diagonal + (scalar == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(cost, min(row[column], diagonal) + 1)
      }
    }
    return row[right.count]
  }
}
