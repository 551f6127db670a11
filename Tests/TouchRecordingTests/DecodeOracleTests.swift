import Glibc
import TestSupport
import Testing

/// The second reading of the decode rules (`Tests/RecordingOracle`), run against touchctl.
enum DecodeOracle {
  /// The folder of recordings of real devices, which are not part of this package.
  static var recordings: String? {
    let place =
      Shell.environment("TOUCHBRIDGE_RECORDINGS") ?? Shell.package + "/../shared/recordings"
    return access(place + "/evemu", R_OK) == 0 ? place : nil
  }

  /// Whether python3 and the built touchctl are at hand.
  static var canRun: Bool {
    access(Shell.touchctl, X_OK) == 0 && Shell.run("python3 --version").code == 0
  }

  static func compare(_ folder: String) -> (code: Int32, output: String) {
    Shell.run(command("compare", Shell.touchctl, folder))
  }

  static func countTouches(_ recordings: String) -> (code: Int32, output: String) {
    Shell.run(command("touches", Shell.touchctl, recordings))
  }

  static func compareRandom(count: Int, seed: UInt32) -> (code: Int32, output: String) {
    Shell.run(command("random", Shell.touchctl, String(count), String(seed)))
  }

  private static func command(_ arguments: String...) -> String {
    let script = Shell.package + "/Tests/RecordingOracle/decode.py"
    return (["python3", script] + arguments).map(Shell.quoted).joined(separator: " ")
  }
}

@Suite(
  .serialized,
  .enabled(if: DecodeOracle.canRun, "SKIPPED: needs python3 and touchctl beside the test bundle"))
struct `touchctl decode against a second reading of its rules` {
  @Test(
    .enabled(
      if: DecodeOracle.recordings != nil,
      "SKIPPED: no folder of recordings; set TOUCHBRIDGE_RECORDINGS to one that has evemu/"),
    arguments: ["evemu", "quoted", "derived", "desc"])
  func `both agree on every line of recordings of real devices`(_ folder: String) throws {
    let place = try #require(DecodeOracle.recordings) + "/" + folder
    guard access(place, R_OK) == 0 else {
      print("SKIPPED: the recordings have no folder \(folder)")
      try Test.cancel("SKIPPED: the recordings have no folder \(folder)")
    }
    let result = DecodeOracle.compare(place)
    print("\(folder): \(result.output)")
    #expect(result.code == 0, "\(result.output)")
  }

  @Test(
    .enabled(
      if: DecodeOracle.recordings.map { access($0 + "/README.md", R_OK) == 0 } ?? false,
      "SKIPPED: no recordings with a README.md that lists them; set TOUCHBRIDGE_RECORDINGS"))
  func `each recording has as many contacts as its list says, and all of them end`() throws {
    let result = DecodeOracle.countTouches(try #require(DecodeOracle.recordings))
    print("touches: \(result.output)")
    #expect(result.code == 0, "\(result.output)")
  }

  @Test func `both agree on made-up devices that keep no order`() {
    let seed = UInt32(truncatingIfNeeded: environmentSeed("DecodeOracleTests"))
    let result = DecodeOracle.compareRandom(count: max(1, randomRounds / 10), seed: seed)
    print("made up: \(result.output)")
    #expect(result.code == 0, "\(result.output)")
  }
}
