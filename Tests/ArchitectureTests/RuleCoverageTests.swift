import Glibc
import LinuxIO
import TestSupport
import Testing

@Suite struct `Coverage of UIKit's rules` {
  private static let page = "docs/uikit-coverage.md"
  private static let marker = "<!-- From here on script/coverage writes. -->\n"

  @Test func `each rule has a test named after it, or a reason`() throws {
    let coverage = try RuleCoverage()
    #expect(coverage.unreadable == [])
    #expect(Set(coverage.rules).count == coverage.rules.count)
    #expect(Set(coverage.rules.map(\.area)) == Set(RuleCoverage.areas.map(\.0)))
    let silent = coverage.rules.filter {
      !coverage.tested.contains($0) && coverage.deviations[$0] == nil
    }
    #expect(silent == [], "name a test after it, or say why not in \(RuleCoverage.folder)")
    let undecided = coverage.rules.filter { rule in
      guard let deviation = coverage.deviations[rule] else { return false }
      return deviation.isAbsent == coverage.tested.contains(rule)
    }
    #expect(undecided == [], "absent but tested, or different without a test that shows how")
  }

  @Test func `the page says what the lists and the tests say`() throws {
    let text = try Repository.text(Self.page)
    let parts = text.split(separator: Self.marker, maxSplits: 1, omittingEmptySubsequences: false)
    try #require(parts.count == 2)
    let page = try RuleCoverage().page
    if environment("TOUCHBRIDGE_WRITE_COVERAGE") == "1" {
      let file = open("\(Repository.root)/\(Self.page)", O_WRONLY | O_TRUNC)
      try #require(file >= 0)
      writeAll((parts[0] + Self.marker + page).utf8, to: file)
      close(file)
    } else {
      #expect(String(parts[1]) == page, "script/coverage writes it anew")
    }
  }

  @Test func `numbers in a test's name are found, also ranges`() {
    let found = RuleCoverage.rules(named: "TE-1, TE-22 to TE-24: some (PL-7), DS-x, AB-1 to CD-2")
    #expect(
      found.sorted().map(\.description) == ["PL-7", "TE-1", "TE-22", "TE-23", "TE-24"])
  }
}
