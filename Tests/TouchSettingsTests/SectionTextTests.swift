import TestSupport
import Testing
import TouchModel

@testable import TouchSettings

@Suite struct `A section that a program writes` {
  private func panel(_ name: String, path: String = "", phys: String = "") -> PanelIdentity {
    var description = DeviceDescription(name: name)
    description.physicalLocation = phys
    return PanelIdentity(path: path, description: description)
  }

  /// The section with a calibration, as a file would be read.
  private func read(_ panel: PanelIdentity) -> (text: String, settings: Settings) {
    var section = SectionText(panel: panel, purpose: "calibration")
    section.add("Calibration", "0.5 0 0 0 0.5 0")
    let text = section.text
    return (text, Settings(files: [SettingsText(Array(text.utf8), file: "a.conf")]))
  }

  @Test func `says where a panel is plugged in, and its name`() {
    #expect(
      read(panel("ILITEK-TP", path: "pci-0000:00:14.0-usb-0:3:1.0", phys: "usb-1")).text == """
        [Panel calibration-pci-0000:00:14.0-usb-0:3:1.0-ILITEK-TP]
        MatchPath=pci-0000:00:14.0-usb-0:3:1.0
        MatchName=ILITEK-TP
        Calibration=0.5 0 0 0 0.5 0

        """)
    #expect(
      read(panel("a b", phys: "usb-1/input0")).text == """
        [Panel calibration-usb-1-input0-a-b]
        MatchPhys=usb-1/input0
        MatchName=a b
        Calibration=0.5 0 0 0 0.5 0

        """)
    #expect(SectionText(panel: panel(""), purpose: "x").text == "[Panel x-panel]\n")
  }

  static let names = [
    "plain", " blanks ", "back\\", "[brackets]", "# comment", "a=b", "*?", "line\nbreak", "tab\t",
    "\u{1b}[2J", "Küche 👆", "\u{fffd}", " ", "\\", "; x", "cr\r", "\u{202e}turned", "\u{85}next",
    "\u{338}joined",
  ]

  @Test(arguments: names)
  func `is for just that panel, whatever its name is`(_ name: String) {
    let identity = panel(name, path: "pci-\(name)", phys: "")
    let (text, settings) = read(identity)
    #expect(settings.faults == [], "\(text)")
    #expect(
      settings.resolve(identity).settings.calibration?.value
        == PanelTransform(0.5, 0, 0, 0, 0.5, 0), "\(text)")
    #expect(settings.resolve(panel("another", path: "pci-\(name)")).sections == [])
    #expect(settings.resolve(panel(name, path: "elsewhere")).sections == [])
  }

  @Test func `is for its panel with any name at all`() {
    let seed = environmentSeed("SectionTextTests")
    var dice = SplitMix(seed: seed)
    for _ in 0..<max(1, randomRounds) {
      let scalars = (0..<Int.random(in: 0...90, using: &dice)).compactMap { _ in
        Unicode.Scalar(
          Bool.random(using: &dice)
            ? UInt32.random(in: 1...127, using: &dice)
            : UInt32.random(in: 1...0x10ffff, using: &dice))
      }
      let identity = panel(String(String.UnicodeScalarView(scalars)), path: "pci-1")
      let (text, settings) = read(identity)
      #expect(settings.faults == [], "seed \(seed): \(text)")
      #expect(settings.resolve(identity).settings.calibration != nil, "seed \(seed): \(text)")
    }
  }

  @Test func `knows the file that is its own`() {
    var section = SectionText(panel: panel("a", path: "p"), purpose: "x")
    func owns(_ text: String) -> Bool { section.owns(Array(text.utf8)) }
    #expect(owns(section.text))
    #expect(owns(""))
    #expect(owns("# a comment\n[Panel x-p-a]\nMatchPath=p\nMatchName=a\nCalibration=1 0 0 0 1 0\n"))
    // Names that become the same word are still others.
    #expect(!owns("[Panel x-p-a]\nMatchPath=p\nMatchName=A\n"))
    #expect(!owns("[Panel x-p-a]\n"))
    #expect(!owns("[Panel y]\nMatchPath=p\nMatchName=a\n"))
    #expect(!owns(section.text + "[Daemon]\n"))
    section.add("Calibration", "1 0 0 0 1 0")
    #expect(owns(section.text))
  }

  @Test func `is not for another panel because of a star in a name`() {
    let section = SectionText(panel: panel("x*"), purpose: "x")
    #expect(section.text == "[Panel x-x-]\nMatchName=x?\n")
    #expect(section.isFor(panel("x*")))
    #expect(!section.isFor(panel("xOther")))
    // Nothing else tells these apart.
    #expect(section.isFor(panel("xy")))
  }

  private static let head = "[Panel x-a]\nMatchName=a\n"
  /// What a file holds, and what it holds with the calibration.
  static let files: [(before: String, after: String?)] = [
    ("", "\(head)Calibration=1 0 0 0 1 0\n"),
    ("# mine\n", "# mine\n\(head)Calibration=1 0 0 0 1 0\n"),
    ("\(head)Calibration=2 0 0 0 2 0\n", "\(head)Calibration=1 0 0 0 1 0\n"),
    (
      "# mine\n\n\(head)Calibration=2 0 0 \\\n# within\n 0 2 0\nRangeX=1 2\n; end\n",
      "# mine\n\n\(head)Calibration=1 0 0 0 1 0\n# within\nRangeX=1 2\n; end\n"
    ),
    (
      "\(head)Calibration=\nCalibration=2 0 0 0 2 0\nSize=1x1mm",
      "\(head)Calibration=1 0 0 0 1 0\nSize=1x1mm\n"
    ),
    ("\u{feff}\(head)# last\r\n", "\(head)Calibration=1 0 0 0 1 0\n# last\r\n"),
    // The end of the file goes on in nothing; a line behind it would become part of it.
    ("\(head)RangeX=1 2 \\\n", nil),
  ]

  @Test(arguments: files)
  func `changes its own keys in a file alone`(_ file: (before: String, after: String?)) {
    var section = SectionText(panel: panel("a"), purpose: "x")
    section.add("Calibration", "1 0 0 0 1 0")
    let bytes = section.put(into: Array(file.before.utf8))
    #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == file.after)
    guard let bytes else { return }
    // A second time changes nothing but the comment.
    #expect(section.put(into: bytes) == bytes)
    let stamp = SectionText.Stamp(start: "# Written by ", rest: "me.")
    #expect(section.put(into: bytes, stamp: stamp) == Array("# Written by me.\n".utf8) + bytes)
    let other = SectionText.Stamp(start: "# Written by ", rest: "you.")
    #expect(
      section.put(into: Array("# Written by me.\n".utf8) + bytes, stamp: other)
        == Array("# Written by you.\n".utf8) + bytes)
  }

  @Test func `has a name that a file may have`() {
    #expect(SectionText.word(of: "../../etc/passwd") == "..-..-etc-passwd")
    #expect(SectionText.word(of: "") == "panel")
    // Other scripts would all be dashes.
    #expect(SectionText.word(of: "Küche") == "K-che-34b78e81")
    #expect(SectionText.word(of: "面板一") != SectionText.word(of: "面板二"))
    #expect(SectionText.word(of: String(repeating: "面", count: 300)).count == 160)
    #expect(SectionText.word(of: String(repeating: "x", count: 300)).count == 160)
  }
}
