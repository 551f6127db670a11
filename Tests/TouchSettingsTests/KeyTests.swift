import TestSupport
import Testing
import TouchModel
import TouchRecording

@testable import TouchSettings

@Suite struct `The documents on configuration` {
  @Test func `list each key as the code has it`() throws {
    let page = try Repository.text("docs/configuration.md")
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
    let keys = Settings.help.map {
      "| `\($0.name)` | \($0.form) | \($0.byDefault) | \($0.summary) |"
    }
    #expect(rows == keys)
  }

  @Test func `have a manual page that names each key and nothing else`() throws {
    let page = try Repository.text("docs/man/touchbridge.conf.5")
    let named = page.matches(of: /\n\.BR? "?([A-Z][A-Za-z]+)=/).map { String($0.1) }
    #expect(named.sorted() == Settings.help.map(\.name).sorted())
  }

  @Test func `show examples that are right`() throws {
    let page = try Repository.text("docs/configuration.md")
    let examples = page.matches(of: /```ini\n([^`]*)```/).map { String($0.1) }
    #expect(!examples.isEmpty)
    for example in examples {
      let read = Settings(files: [SettingsText(Array(example.utf8), file: "example")])
      #expect(read.faults == [])
    }
  }
}

@Suite struct `The list of known devices` {
  private static let text = try? Repository.text("Sources/TouchSettings/quirks.conf")

  @Test func `is right, each entry with conditions and with something to say`() throws {
    let text = try #require(Self.text)
    let settings = Settings(
      quirks: [SettingsText(Array(text.utf8), file: "quirks.conf")], files: [])
    #expect(settings.faults == [])
    #expect(settings.panels.count == settings.quirkCount)
    #expect(!settings.panels.isEmpty)
    for section in settings.panels {
      #expect(!section.match.isEmpty, "\(section.name)")
      #expect(section.match.ids != nil && section.match.name != nil, "\(section.name)")
      #expect(section.settings != PanelSettings(), "\(section.name)")
    }
    // Each entry says in a comment where it comes from.
    let sources = text.split(separator: "\n").filter { $0.hasPrefix("# Source: ") }
    #expect(sources.count == settings.panels.count)
  }

  private static func egalax(_ axes: [UInt16: AxisRange]) -> PanelIdentity {
    PanelIdentity(
      description: DeviceDescription(
        name: "eGalax Inc. USB TouchController", bus: 3, vendor: 0x0eef, product: 1, axes: axes))
  }

  @Test func `knows the eGalax controller that reports on other axes, and leaves its kin alone`()
    throws
  {
    let text = try #require(Self.text)
    let settings = Settings(
      quirks: [SettingsText(Array(text.utf8), file: "quirks.conf")], files: [])
    // The ranges of the recorded device.
    let odd = Self.egalax([
      0: AxisRange(minimum: 42, maximum: 1981), 1: AxisRange(minimum: 42, maximum: 1981),
      2: AxisRange(minimum: 30, maximum: 4040), 3: AxisRange(minimum: 60, maximum: 4035),
    ])
    #expect(settings.resolve(odd).settings.positionAxes?.value == AxisPair(x: 2, y: 3))
    for range in [2047, 4095] as [Int32] {
      let plain = Self.egalax([
        0: AxisRange(minimum: 0, maximum: range), 1: AxisRange(minimum: 0, maximum: range),
      ])
      #expect(settings.resolve(plain).settings == PanelSettings())
    }
  }
}
