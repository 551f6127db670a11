import FoundationEssentials
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchRecording

/// Devices as real ones were described, given to `touchctl devices` through umockdev.
///
/// The properties are those that udev gives these devices; the system tests make the same devices
/// anew in a machine with a real udev.
@Suite(.withPrograms, .withMockDevices) struct `Devices that were described elsewhere` {
  private static let folder: String? = {
    let folder =
      (environment("TOUCHBRIDGE_RECORDINGS") ?? Repository.root + "/../shared/recordings") + "/desc"
    return (try? directoryNames(folder)) == nil ? nil : folder
  }()

  private struct Verdict: Decodable, Equatable {
    var node: String
    var used: Bool
    var reason: String?
  }

  @Test(
    .enabled(
      if: folder != nil,
      "SKIPPED: no recordings; set TOUCHBRIDGE_RECORDINGS to a folder that has desc/"))
  func `are used, or have a reason why they are not`() throws {
    let folder = try #require(Self.folder)
    let files = try directoryNames(folder).filter { $0.hasSuffix(".evemu") }
    #expect(files == DescribedDevice.all.map { $0.file + ".evemu" })
    let bench = try MockBench()
    for (index, device) in DescribedDevice.all.enumerated() {
      let recording = try Recording(parsing: readFile("\(folder)/\(device.file).evemu"))
      let description = try #require(recording.devices.first).description
      try bench.add(
        index, description, properties: ["ID_INPUT=1", "\(device.kind)=1"] + device.settings)
    }
    let process = try ChildProcess(
      ["\(Repository.programs)/touchctl", "devices", "--json"], environment: bench.environment)
    #expect(try process.end() == 0)
    let verdicts = try process.output.all.map {
      try JSONDecoder().decode(Verdict.self, from: Data($0.utf8))
    }
    let expected = DescribedDevice.all.enumerated().map { index, device in
      Verdict(
        node: "/dev/input/event\(index)", used: device.reason == nil, reason: device.reason)
    }
    #expect(verdicts == expected)
  }
}
