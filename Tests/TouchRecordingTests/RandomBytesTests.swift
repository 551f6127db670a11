import Glibc
import TestSupport
import Testing
import TouchRecording

@Suite struct `Bytes that are no recording` {
  static func reading(_ bytes: [UInt8]) -> RecordingError? {
    do throws(RecordingError) {
      _ = try Recording(parsing: bytes)
      return nil
    } catch {
      return error
    }
  }

  /// A few bytes of the alphabet that steers the reader, with strangers among them.
  static func noise(_ dice: inout SplitMix) -> [UInt8] {
    let alphabet = Array("NIPBAELS:# \t\r\n.-0123456789abcdef".utf8)
    return (0..<Int.random(in: 0..<200, using: &dice)).map { _ in
      Int.random(in: 0..<10, using: &dice) == 0
        ? UInt8.random(in: 0 ... .max, using: &dice) : alphabet.randomElement(using: &dice) ?? 0
    }
  }

  @Test func `they are refused with a line, and never trap`() throws {
    let seed = environmentSeed("RandomBytesTests")
    print("random bytes as a recording: TOUCHBRIDGE_SEED=\(seed)")
    var dice = SplitMix(seed: seed)
    let small = Array(`Reading evemu files`.small.utf8)
    for round in 0..<randomRounds {
      var bytes = small
      let place = Int.random(in: 0..<bytes.count, using: &dice)
      switch round % 3 {
      case 0: bytes = Self.noise(&dice)
      case 1: bytes[place] = UInt8.random(in: 0 ... .max, using: &dice)
      default: bytes.insert(contentsOf: Self.noise(&dice), at: place)
      }
      guard let error = Self.reading(bytes) else { continue }
      let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).count
      try #require((1...lines).contains(error.line), "round \(round) of seed \(seed)")
    }
  }

  @Test func `a file cut off anywhere is read or refused`() {
    let small = Array(`Reading evemu files`.small.utf8)
    for end in small.indices { _ = Self.reading(Array(small[..<end])) }
  }
}
