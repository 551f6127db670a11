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
      let files = try directoryNames(folder).filter { $0.hasSuffix(".evemu") }
      #expect(files == DescribedDevice.all.map { $0.file + ".evemu" })
      for device in DescribedDevice.all {
        let recording = try Recording(parsing: readFile("\(folder)/\(device.file).evemu"))
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
        let kinds = added.properties.filter {
          $0.key.hasPrefix("ID_INPUT_") && $0.value == "1" && !$0.key.hasSuffix("_MM")
        }
        #expect(kinds.keys.sorted() == [device.kind], "\(device.file)")
        // No rule of udev's sets anything for these names.
        let reason = device.settings.isEmpty ? device.reason : nil
        #expect(verdict.reason == reason, "\(device.file)")
        #expect(verdict.used == (reason == nil), "\(device.file)")
      }
    }
  }
}
