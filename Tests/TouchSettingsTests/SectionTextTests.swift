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
    #expect(
      settings.resolve(panel("another", path: "pci-\(name)")).sections.isEmpty || name == "*?")
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

  @Test func `has a name that a file may have`() {
    #expect(SectionText.word(of: "../../etc/passwd") == "..-..-etc-passwd")
    #expect(SectionText.word(of: "") == "panel")
    #expect(SectionText.word(of: "Küche") == "K-che")
    #expect(SectionText.word(of: String(repeating: "x", count: 300)).count == 160)
  }
}
