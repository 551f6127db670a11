import FoundationEssentials
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchRecording
import UInputPanel

extension SystemTests {
  /// Devices that real ones were described as, made anew: what udev and `touchctl devices` say.
  @Suite struct `A described device` {
    static let recordings = Machine.environment("TOUCHBRIDGE_RECORDINGS")

    private struct Verdict: Decodable {
      var node: String
      var used: Bool
      var reason: String?
    }

    @Test(
      .enabled(
        if: recordings != nil,
        "SKIPPED: no recordings; set TOUCHBRIDGE_RECORDINGS to a folder that has desc/"))
    func `is used, or has a reason why it is not`() throws {
      let folder = try #require(Self.recordings) + "/desc"
      let files = try directoryNames(folder).filter { $0.hasSuffix(".evemu") }.sorted()
      try #require(!files.isEmpty)
      for file in files {
        let recording = try Recording(parsing: readFile("\(folder)/\(file)"))
        let description = try #require(recording.devices.first).description
        let watch = try UdevWatch()
        let panel = try UInputPanel(description)
        defer { panel.unplug() }
        let added = try watch.event("add", of: panel.systemName)
        let (code, output) = try ChildProcess.run("touchctl", "devices", "--json")
        #expect(code == 0)
        let verdicts = try output.split(separator: "\n").map {
          try JSONDecoder().decode(Verdict.self, from: Data($0.utf8))
        }
        let verdict = try #require(verdicts.first { $0.node == added.node })
        let kinds = added.properties.filter { $0.key.hasPrefix("ID_INPUT_") && $0.value == "1" }
        print("described: \(file): \(kinds.keys.sorted()): \(verdict.reason ?? "used")")
        #expect(verdict.used == (verdict.reason == nil), "\(file)")
      }
    }
  }
}
