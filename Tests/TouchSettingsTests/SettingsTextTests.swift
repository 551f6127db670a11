import TestSupport
import Testing

@testable import TouchSettings

@Suite struct `The text of a configuration file` {
  static func read(_ text: String) -> SettingsText {
    SettingsText(Array(text.utf8), file: "a.conf")
  }

  /// Sections and entries as lines.
  static func words(_ text: SettingsText) -> [String] {
    text.sections.flatMap { section in
      ["\(section.line) \(section.name)"]
        + section.entries.map { "\($0.line) \($0.key)=\($0.value)" }
    }
  }

  static let sound: [(String, [String])] = [
    ("", []),
    ("[Daemon]\nSeat=seat1\n", ["1 [Daemon]", "2 Seat=seat1"]),
    ("\u{feff}[Daemon]\r\nSeat=seat1\r\n", ["1 [Daemon]", "2 Seat=seat1"]),
    ("# a\n; b\n\n  [ Panel   left one ]  \n\tA = b c  \n", ["4 [Panel left one]", "5 A=b c"]),
    ("[A]\nB=1 \\\n  2 \\\n3\nC=4", ["1 [A]", "2 B=1 2 3", "5 C=4"]),
    ("[A]\nB=1 \\\n# no end of it\n2\n", ["1 [A]", "2 B=1 2"]),
    ("[A]\nB=1 \\\n\nC=2", ["1 [A]", "2 B=1", "4 C=2"]),
    ("[A]\nB=1 \\", ["1 [A]", "2 B=1"]),
    ("[A]\nB=\nB==x=\n", ["1 [A]", "2 B=", "3 B==x="]),
    ("[A]\nB=a # no comment", ["1 [A]", "2 B=a # no comment"]),
    ("[Panel Küche]\nB=👆", ["1 [Panel Küche]", "2 B=👆"]),
  ]

  @Test(arguments: sound)
  func `is read as systemd reads it`(_ text: String, _ words: [String]) {
    let read = Self.read(text)
    #expect(Self.words(read) == words)
    #expect(read.faults == [])
  }

  static let wrong: [(String, [String])] = [
    (
      "A=1\n[B]\nC=2",
      [
        "a.conf:1: the key stands before the first section; put [Daemon] or another one above it"
      ]
    ),
    ("[A\nB=1", ["a.conf:1: the section's header has no ] at its end"]),
    ("[]", ["a.conf:1: a section's header is [Kind] or [Kind NAME], without further brackets"]),
    (
      "[A [b]]", ["a.conf:1: a section's header is [Kind] or [Kind NAME], without further brackets"]
    ),
    ("[A]\nnothing", ["a.conf:2: this is neither [Section] nor Key=value"]),
    ("[A]\n=1", ["a.conf:2: there is no key before the ="]),
    (
      "[A b]\nC=1\n[A b]\nD=2", ["a.conf:3: [A b] stands in line 1 already; put all its keys there"]
    ),
    ("[A]\nB=\0", ["a.conf:2: the line holds a zero byte; is this a text file?"]),
    (
      "[A]\nB=" + String(repeating: "x", count: 4095),
      [
        "a.conf:2: the line is longer than 4096 bytes; shorten it"
      ]
    ),
    (
      "[A]\nB=1 \\\n" + String(repeating: "x \\\n", count: 3000),
      [
        "a.conf:2: the line is longer than 4096 bytes; shorten it"
      ]
    ),
  ]

  @Test(arguments: wrong)
  func `is told where it is wrong`(_ text: String, _ faults: [String]) {
    #expect(Self.read(text).faults.map(\.description) == faults)
  }

  @Test func `that is not UTF-8 is told, and the other lines are read`() {
    let read = SettingsText(
      Array("[A]\nB=1\nC=".utf8) + [0xff, 0x0a] + Array("D=2".utf8), file: "f")
    #expect(Self.words(read) == ["1 [A]", "2 B=1", "4 D=2"])
    #expect(
      read.faults.map(\.description) == [
        "f:3: the line is not UTF-8; save the file in that encoding"
      ])
  }

  @Test func `that is too long is not read at all`() {
    let read = SettingsText(
      [UInt8](repeating: 0x0a, count: SettingsText.longestFile + 1), file: "f")
    #expect(read.sections == [])
    #expect(
      read.faults.map(\.description)
        == ["f: the file is longer than 1048576 bytes, so it is not read"])
  }
}

@Suite struct `Bytes that are no configuration` {
  private static let pieces = [
    "[Panel a]", "[Display b]", "[Daemon]", "[Ignore c]", "[", "]", "=", "\n", "\r\n", "\\\n", "#",
    ";", " ", "\t", "\0", "\u{feff}", "Rotate=90", "MatchIds=0003:0eef:*",
    "Calibration=1 0 0 0 1 0",
    "DeadZone=0 0 1 1 mm", "Size=1e308x1e308", "StaleLimit=1e300h", "MatchName=*", "Rotate=",
    "RangeX=-2147483648 2147483647", "Debounce=1ms 1mm", "MatchAxes=!ABS_X", "Size=1x1mm",
  ]

  static func noise(_ dice: inout SplitMix) -> [UInt8] {
    (0..<Int.random(in: 0..<60, using: &dice)).flatMap { _ -> [UInt8] in
      switch Int.random(in: 0..<8, using: &dice) {
      case 0: [UInt8.random(in: 0 ... .max, using: &dice)]
      case 1: [0x0a]
      default: Array((pieces.randomElement(using: &dice) ?? "").utf8) + [0x0a]
      }
    }
  }

  @Test func `never trap, and each fault names a line that is there`() throws {
    let seed = environmentSeed("RandomSettingsTests")
    print("random bytes as a configuration: TOUCHBRIDGE_SEED=\(seed)")
    var dice = SplitMix(seed: seed)
    var sound = 0
    for round in 0..<randomRounds {
      let texts = (0..<2).map { _ in Self.noise(&dice) }
      let files = texts.map { SettingsText($0, file: "f") }
      let settings = Settings(quirks: [files[0]], files: files)
      let lines = texts.map { $0.split(separator: 0x0a, omittingEmptySubsequences: false).count }
      for fault in settings.faults {
        try #require(
          (0...(lines.max() ?? 0)).contains(fault.line), "round \(round) of seed \(seed)")
        try #require(!fault.message.isEmpty)
      }
      let panel = PanelIdentity(description: .init(name: "a"))
      let resolution = settings.resolve(panel)
      // What is sound can be used.
      if resolution.fault == nil {
        sound += 1
        try #require(resolution.settings.calibrationTransform.fault == nil, "seed \(seed)")
      }
    }
    // Were nearly all refused, the test would have looked at the first lines only.
    #expect(sound > randomRounds / 20, "seed \(seed)")
  }
}
