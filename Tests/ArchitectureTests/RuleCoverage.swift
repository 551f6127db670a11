import TestSupport

/// What the tests' names and the list of deviations say about each rule of UIKit's behaviour.
struct RuleCoverage {
  /// A rule by its number, such as TE-7.
  struct Rule: Hashable, Comparable, CustomStringConvertible {
    var area: String
    var number: Int

    var description: String { "\(area)-\(number)" }

    init(area: String, number: Int) {
      self.area = area
      self.number = number
    }

    init?(_ text: some StringProtocol) {
      let parts = text.split(separator: "-")
      guard parts.count == 2, parts[0].count == 2, let number = Int(parts[1]) else { return nil }
      self.init(area: String(parts[0]), number: number)
    }

    static func < (left: Rule, right: Rule) -> Bool {
      (left.area, left.number) < (right.area, right.number)
    }
  }

  /// What is not as the rule has it.
  struct Deviation {
    var isAbsent: Bool
    var reason: String
  }

  /// What each area's letters stand for, in the order of the page.
  static let areas = [
    ("PL", "event pipeline"), ("TE", "touch and event objects"), ("NC", "number of contacts"),
    ("WN", "windows, scenes, states"), ("CO", "coalescing and prediction"), ("HT", "hit test"),
    ("CV", "conversion"), ("RC", "responder chain"), ("DV", "delivery to views"),
  ]

  /// The folder of the two lists.
  static let folder = "Tests/TouchKitTests/Rules"

  private(set) var rules: [Rule] = []
  private(set) var deviations: [Rule: Deviation] = [:]
  private(set) var tested: Set<Rule> = []
  /// Lines of the lists that cannot be read.
  private(set) var unreadable: [String] = []

  init() throws {
    for line in try Self.lines("rules.txt") {
      if let rule = Rule(line.split(separator: " ")[0]) {
        rules.append(rule)
      } else {
        unreadable.append(line)
      }
    }
    for line in try Self.lines("deviations.txt") {
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard parts.count == 3, let rule = Rule(parts[0]), rules.contains(rule),
        ["differs", "absent"].contains(parts[1]), deviations[rule] == nil
      else {
        unreadable.append(line)
        continue
      }
      deviations[rule] = Deviation(isAbsent: parts[1] == "absent", reason: parts[2])
    }
    for path in try Repository.files(below: "Tests", ending: ".swift") {
      for name in try Repository.text(path).matches(of: /func `([^`\n]+)`/) {
        tested.formUnion(Self.rules(named: String(name.1)))
      }
    }
  }

  private static func lines(_ file: String) throws -> [String] {
    try Repository.text("\(folder)/\(file)").split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("#") }
  }

  /// The rules that a test's name speaks of: `TE-7`, or `TE-22 to TE-24` for all between.
  static func rules(named name: String) -> Set<Rule> {
    var found: Set<Rule> = []
    for match in name.matches(of: /\b([A-Z]{2}-\d+)(?: to ([A-Z]{2}-\d+))?/) {
      guard let first = Rule(match.1) else { continue }
      let last = match.2.flatMap { Rule($0) } ?? first
      guard first.area == last.area, first.number <= last.number else { continue }
      for number in first.number...last.number {
        found.insert(Rule(area: first.area, number: number))
      }
    }
    return found
  }

  // MARK: The page

  /// The part of docs/uikit-coverage.md that follows from the lists and the tests' names.
  var page: String {
    var text = """

      | | rules | built | different | absent |
      |---|---|---|---|---|

      """
    for (area, title) in Self.areas {
      let all = rules.filter { $0.area == area }
      let different = all.filter { deviations[$0]?.isAbsent == false }.count
      let absent = all.filter { deviations[$0]?.isAbsent == true }.count
      text += "| \(area), \(title) | \(all.count) | \(all.count - different - absent) "
      text += "| \(different) | \(absent) |\n"
    }
    text += list("Different", isAbsent: false) + list("Absent", isAbsent: true)
    return text
  }

  private func list(_ title: String, isAbsent: Bool) -> String {
    let lines = rules.compactMap { rule in
      deviations[rule].flatMap { $0.isAbsent == isAbsent ? "- \(rule): \($0.reason)\n" : nil }
    }
    return lines.isEmpty ? "" : "\n\(title):\n\n" + lines.joined()
  }
}
