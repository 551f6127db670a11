import TestSupport
import Testing
import TouchModel

@testable import TouchWire

/// A table of fields in docs/wire.md, with the number of bytes that the text above it states.
struct FieldTable: Sendable {
  var title: String
  var size: Int
  /// Where the first field stands: behind the header, or at the start of an element.
  var start: Int
  var fields: [(offset: Int, type: Substring)] = []

  static let all = load()

  private static func load() -> [FieldTable] {
    guard let text = try? Repository.text("docs/wire.md") else { return [] }
    var tables: [FieldTable] = []
    var next = FieldTable(title: "header", size: 16, start: 0)
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "| offset | type | field | |" {
        isInside = true
      } else if isInside, !line.hasPrefix("|") {
        tables.append(next)
        next.fields = []
        isInside = false
      } else if isInside {
        let cells = line.split(separator: "|").map { $0.drop { $0 == " " }.prefix { $0 != " " } }
        guard cells.count > 1, let offset = Int(cells[0]) else { continue }
        next.fields.append((offset, cells[1]))
      } else if let match = line.wholeMatch(of: /### (.+) \(type \d+, [^,]+, (\d+) bytes.*\)/) {
        next = FieldTable(title: String(match.1), size: Int(match.2) ?? 0, start: 16)
      } else if let match = line.wholeMatch(of: /An? (.+), (\d+) bytes.*:/) {
        next = FieldTable(title: String(match.1), size: Int(match.2) ?? 0, start: 0)
      }
    }
    return tables
  }

  /// How many bytes a field of a type takes.
  static func width(_ type: Substring) -> Int? {
    if let match = type.wholeMatch(of: /text\[(\d+)\]/) { return Int(match.1) }
    let widths = ["u8": 1, "u16": 2, "u32": 4, "i32": 4, "f32": 4, "u64": 8, "f64": 8]
    return widths[String(type)]
  }
}

@Suite struct `Tables of the wire document` {
  @Test func `fields follow each other without gap or overlap up to the size stated`() {
    for table in FieldTable.all {
      var end = table.start
      for field in table.fields {
        #expect(field.offset == end, "\(table.title), offset \(field.offset)")
        end += FieldTable.width(field.type) ?? .min / 2
      }
      #expect(end == table.size, "\(table.title)")
    }
  }

  @Test func `sizes are those of the code`() {
    let sizes = FieldTable.all.map { "\($0.title) \($0.size)" }
    #expect(
      sizes == [
        "header \(WireFormat.headerSize)", "hello \(Hello.size)", "welcome \(Welcome.size)",
        "display \(DisplayList.elementSize)", "refusal \(Refusal.size)",
        "set scenes \(SceneLayout.size)", "scene \(SceneLayout.sceneSize)",
        "rectangle \(SceneLayout.rectSize)", "scenes applied \(ScenesApplied.size)",
        "activation \(ActivationNotice.size)",
        "frame \(FrameLayout.size)", "contact \(FrameLayout.contactSize)",
        "acknowledge \(Acknowledgement.size)", "sample \(FrameLayout.historySize)",
        "subscribe \(SubscribeLayout.size)", "report \(ReportMessage.size)",
        "contact of a report \(ReportMessage.contactSize)", "handled \(Handled.size)",
        "client notice \(ClientNotice.size)", "panel notice \(PanelNotice.size)",
        "stuck notice \(StuckNotice.size)", "status request \(StatusRequestLayout.size)",
        "status line \(StatusLine.size)",
        "displays changed \(DisplayList.size)", "rotate display \(RotateDisplay.size)",
        "display rotated \(DisplayRotated.size)",
        "capture panel \(CapturePanel.size)", "panel captured \(PanelCaptured.size)",
        "raw frame \(RawFrame.size)", "contact of a raw frame \(RawFrame.contactSize)",
        "capture ended \(CaptureEnded.size)",
        "read configuration \(ReadConfigurationLayout.size)",
        "configuration read \(ConfigurationRead.size)",
      ])
  }

  @Test func `each type has a section that says its number and its way`() throws {
    let text = try Repository.text("docs/wire.md")
    let sections = text.matches(of: /### .+ \(type (\d+), (to|from) the daemon/).map {
      "\($0.1) \($0.2)"
    }
    let types = WireType.allCases.map { "\($0.rawValue) \($0.rawValue < 64 ? "to" : "from")" }
    #expect(sections.sorted() == types.sorted())
  }

  @Test func `reasons are those of the code`() throws {
    let text = try Repository.text("docs/wire.md")
    let rows = text.matches(of: /\n\| (\d+) \| ([a-z-]+) \| [^|]+ \|/).map { "\($0.1) \($0.2)" }
    let reasons = DropReason.allCases.filter { $0 != .unknown }.map { "\($0.rawValue) \($0.name)" }
    #expect(rows.filter { reasons.contains($0) } == reasons)
  }

  @Test func `filters are those of the code that drop contacts`() throws {
    let text = try Repository.text("docs/wire.md")
    let rows = text.matches(of: /\n\| (\d+) \| ([a-z-]+) \| [^|]+ \|/).map { "\($0.1) \($0.2)" }
    let filters = FilterKind.allCases.filter { $0.rawValue <= 8 }.map {
      "\($0.rawValue) \($0.name)"
    }
    #expect(rows.filter { filters.contains($0) } == filters)
  }
}
