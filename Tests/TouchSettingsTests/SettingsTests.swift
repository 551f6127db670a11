import Testing
import TouchModel

@testable import TouchSettings

/// Settings of a few files, `1.conf` and so on, the first of least priority.
func settings(quirks: String? = nil, _ files: String...) -> Settings {
  let texts = files.enumerated().map { SettingsText(Array($1.utf8), file: "\($0 + 1).conf") }
  return Settings(
    quirks: quirks.map { [SettingsText(Array($0.utf8), file: "quirks.conf")] } ?? [], files: texts)
}

/// A touch panel to be recognised.
func panel(
  _ name: String = "Acme Panel", at path: String = "pci-0000:00:14.0-usb-0:1:1.0",
  ids: (UInt16, UInt16, UInt16) = (3, 0x0eef, 1), _ properties: [String: String] = [:]
) -> PanelIdentity {
  var description = DeviceDescription(name: name, bus: ids.0, vendor: ids.1, product: ids.2)
  description.physicalLocation = "usb-0000:00:14.0-1/input0"
  description.axes[0x00] = AxisRange(minimum: 0, maximum: 4095)
  return PanelIdentity(path: path, description: description, properties: properties)
}

@Suite struct `Settings of files` {
  /// What holds for a panel beyond the defaults.
  private func shown(_ settings: Settings, _ panel: PanelIdentity = panel()) -> [String] {
    settings.resolve(panel).settings.shown().filter { $0.origin != .byDefault }
      .map { "\($0.name)=\($0.value) (\($0.origin))" }
  }

  @Test func `without files are the defaults`() {
    let none = Settings(files: [])
    #expect(none == Settings())
    #expect(shown(none) == [])
    #expect(none.faults == [])
    #expect(none.resolve(panel()).settings.calibrationTransform == .identity)
  }

  @Test func `of later files win key by key, and an empty value resets`() {
    let all = settings(
      "[Panel a]\nRotate=90\nInvertX=yes\nDeadZone=0 0 1 1mm\nGrab=yes",
      "[Panel a]\nRotate=180\nDeadZone=2 2 1 1 mm\nGrab=")
    #expect(all.faults == [])
    #expect(
      shown(all) == [
        "InvertX=yes (1.conf:3)", "Rotate=180 (2.conf:2)", "DeadZone=0 0 1 1mm (1.conf:4)",
        "DeadZone=2 2 1 1 mm (2.conf:3)",
      ])
    let reset = settings("[Panel a]\nDeadZone=0 0 1 1mm\nDeadZone=\nDeadZone=5 5 1 1mm")
    #expect(shown(reset) == ["DeadZone=5 5 1 1mm (1.conf:4)"])
  }

  @Test func `of known devices give way to udev, and that to files`() {
    let quirk = "[Panel q]\nMatchName=Acme*\nCalibration=-1 0 1 0 1 0\nGrab=yes\nRotate=90"
    let turned = panel("Acme Panel", ["LIBINPUT_CALIBRATION_MATRIX": "1 0 0 0 -1 1"])
    #expect(
      shown(settings(quirks: quirk), panel()) == [
        "Grab=yes (quirk quirks.conf:4)", "Rotate=90 (quirk quirks.conf:5)",
        "Calibration=-1 0 1 0 1 0 (quirk quirks.conf:3)",
      ])
    #expect(
      shown(settings(quirks: quirk), turned).last
        == "Calibration=1 0 0 0 -1 1 (udev LIBINPUT_CALIBRATION_MATRIX)")
    let own = settings(quirks: quirk, "[Panel all]\nCalibration=1 0 0 0 1 0\nRotate=")
    #expect(
      shown(own, turned) == [
        "Grab=yes (quirk quirks.conf:4)", "Calibration=1 0 0 0 1 0 (1.conf:2)",
      ])
    let plain = settings(quirks: quirk, "[Panel all]\nCalibration=\nRotate=")
    #expect(shown(plain, turned) == ["Grab=yes (quirk quirks.conf:4)"])
  }

  @Test func `of all sections that match apply in the order of the files`() {
    let all = settings(
      "[Panel all]\nRotate=90\n[Panel usb]\nMatchIds=0003:*:*\nRotate=180\n"
        + "[Panel i2c]\nMatchIds=0018:*:*\nRotate=270")
    #expect(shown(all) == ["Rotate=180 (1.conf:5)"])
    #expect(all.resolve(panel()).sections.map(\.description) == ["[Panel all]", "[Panel usb]"])
    #expect(all.unusedSections(among: [panel()]).map(\.name.name) == ["i2c"])
  }

  static let matches: [(String, Bool)] = [
    ("MatchPath=pci-*-usb-0:1:1.0", true), ("MatchPath=pci-*-usb-0:2:1.0", false),
    ("MatchPath=pci-0000:00:14.0-usb-0:?:1.0", true), ("MatchPath=pci", false),
    ("MatchName=Acme Panel", true), ("MatchName=acme panel", false), ("MatchName=*", true),
    ("MatchName=*e*a*e*", true), ("MatchName=*e*a*x*", false), ("MatchName=Acme Pane", false),
    ("MatchIds=0003:0eef:0001", true), ("MatchIds=3:eef:1", true), ("MatchIds=*:*:0002", false),
    ("MatchPhys=usb-*-1/input0", true), ("MatchPhys=usb-*-2/input0", false),
    ("MatchAxes=ABS_X", true), ("MatchAxes=ABS_X:0:4095 !ABS_Y", true),
    ("MatchAxes=ABS_X:0:2047", false), ("MatchAxes=!ABS_X", false), ("MatchAxes=ABS_Y", false),
    ("MatchName=Acme*\nMatchIds=0003:0eef:0001\nMatchPath=*-usb-0:1:1.0", true),
    ("MatchName=Acme*\nMatchIds=0003:0eef:0001\nMatchPath=*-usb-0:2:1.0", false),
  ]

  @Test(arguments: matches)
  func `match a panel by all conditions together`(_ keys: String, _ matches: Bool) {
    let one = settings("[Panel a]\n\(keys)\nGrab=yes")
    #expect(one.faults == [])
    #expect(one.resolve(panel()).settings.isGrabbed?.value == (matches ? true : nil))
  }

  @Test func `match no panel at all where one condition is wrong beside a good one`() {
    for broken in ["MatchIds=3:eef", "MatchIdz=*:*:*"] {
      let one = settings("[Panel a]\nMatchName=Acme*\n\(broken)\nGrab=yes")
      #expect(one.faults.count == 1)
      let resolution = one.resolve(panel())
      #expect(resolution.sections == [])
      #expect(resolution.fault == nil)
      #expect(resolution.settings.isGrabbed == nil)
    }
  }

  @Test func `of a file of nothing but sections are read to the end, and the first ones kept`() {
    let sections = (0..<24_000).map { "[Panel \($0)]\nRotate=90\nRotate=\nRotate=180\n" }
    let many = settings(sections.joined())
    #expect(many.panels.map(\.name.name) == (0..<Settings.maximumSections).map(String.init))
    #expect(many.faults.count == 24_000 - Settings.maximumSections)
    #expect(
      many.faults.last?.description == "1.conf:95997: there are more than 256 sections")
    let keys = settings("[Panel a]\n" + String(repeating: "Rotate=90\n", count: 50_000))
    #expect(keys.faults.count == 49_999)
    #expect(
      keys.faults.last?.description
        == "1.conf:50001: Rotate= stands in line 50000 already; keep one")
    let twins = settings(String(repeating: "[Display d]\n", count: 50_000))
    #expect(twins.faults.count == 49_999)
    #expect(
      twins.faults.last?.description
        == "1.conf:50000: [Display d] stands in line 1 already; put all its keys there")
  }

  static let mistakes: [(String, String)] = [
    ("[Panel a]\nRotat=90", "2: [Panel a] has no key Rotat; did you mean Rotate?"),
    ("[Panel a]\nSwapXY=yes", "2: [Panel a] has no key SwapXY; did you mean SwapAxes?"),
    ("[Panel a]\nColour=red", "2: [Panel a] has no key Colour; touchbridge.conf(5) lists them"),
    ("[Panel a]\nrotate=90", "2: [Panel a] has no key rotate; did you mean Rotate?"),
    ("[Panl a]\nRotate=90", "1: there is no section [Panl]; did you mean [Panel]?"),
    ("[Screen]\nA=1", "1: there is no section [Screen]; there are Daemon, Display, Panel, Ignore"),
    ("[Panel]\nRotate=90", "1: [Panel NAME] takes a name, any that you like"),
    ("[Daemon x]\nSeat=a", "1: [Daemon] takes no name"),
    ("[Display]\nScale=1", "1: [Display NAME] takes a name of 1 to 31 bytes"),
    ("[Panel a]\nRotate=45", "2: Rotate= takes 0, 90, 180 or 270 degrees, not '45'"),
    ("[Panel a]\nRotate=90\nRotate=180", "3: Rotate= stands in line 2 already; keep one"),
    ("[Panel a]\nInvertX=maybe", "2: InvertX= takes yes or no, not 'maybe'"),
    (
      "[Panel a]\nHysteresis=1", "2: Hysteresis= takes a length such as 1mm, or 0 for none, not '1'"
    ),
    (
      "[Panel a]\nHysteresis=-1mm",
      "2: Hysteresis= takes a length such as 1mm, or 0 for none, not '-1mm'"
    ),
    (
      "[Panel a]\nMinimumDuration=20",
      "2: MinimumDuration= takes a time such as 20ms, or 0 for none, not '20'"
    ),
    ("[Panel a]\nRangeX=5 5", "2: RangeX= takes the least and the greatest raw value, not '5 5'"),
    (
      "[Panel a]\nRangeX=0 99999999999",
      "2: RangeX= takes the least and the greatest raw value, not '0 99999999999'"
    ),
    (
      "[Panel a]\nCalibration=1 0 0 0 1",
      "2: Calibration= takes six numbers, a b c d e f, not '1 0 0 0 1'"
    ),
    (
      "[Panel a]\nCalibration=1 0 0 0 nan 0",
      "2: Calibration= takes six numbers, a b c d e f, not '1 0 0 0 nan 0'"
    ),
    (
      "[Panel a]\nCalibration=1 1 0 1 1 0",
      "2: Calibration= cannot be 1 1 0 1 1 0: it squeezes the panel to less than a hundredth of its "
        + "area"
    ),
    (
      "[Panel a]\nCalibration=16 0 0 0 16 0",
      "2: Calibration= cannot be 16 0 0 0 16 0: it puts a corner more than half a display outside; "
        + "is the raw range right (RangeX=, RangeY=)?"
    ),
    (
      "[Panel a]\nSize=10x10mm\nResolution=4",
      "2: Size= and Resolution= say the same thing twice; keep one"
    ),
    (
      "[Panel a]\nDisplay=lfet\n[Display left]\nSize=1x1",
      "2: there is no display lfet; did you mean left?"
    ),
    (
      "[Display a]\nOutput=DSI-1\n[Display b]\nOutput=DSI-1",
      "4: [Display a] has the output DSI-1 already"
    ),
    // One that says nothing of an output has its own name for one.
    (
      "[Display a]\nOutput=DSI-1\n[Display DSI-1]\nSize=1x1",
      "3: [Display a] has the output DSI-1 already"
    ),
    (
      "[Display DSI-1]\nSize=1x1\n[Display b]\nOutput=DSI-1",
      "4: [Display DSI-1] has the output DSI-1 already"
    ),
    ("[Display a]\nSize=0x1", "2: Size= takes a size such as 1280x800, not '0x1'"),
    (
      "[Ignore a]\nGrab=yes",
      "2: [Ignore NAME] takes MatchPath, MatchName, MatchIds, MatchPhys, MatchAxes only, not Grab"
    ),
    ("[Ignore a]", "1: it would leave all panels alone; add MatchName= or the like"),
    ("[Daemon]\nHungLimit=0", "2: HungLimit= takes a time from 1ms such as 5s, not '0'"),
    (
      "[Daemon]\nStaleLimit=25h",
      "2: StaleLimit= takes a time such as 1s, or 0 for never, not '25h'"
    ),
    (
      "[Daemon]\nExplicitDevices=event3",
      "2: ExplicitDevices= takes the path of an input node, not 'event3'"
    ),
    (
      "[Panel a]\nPositionAxes=ABS_Z ABS_Q",
      "2: PositionAxes= takes two axes such as ABS_Z ABS_RX, not 'ABS_Z ABS_Q'"
    ),
    (
      "[Panel a]\nRectangle=0.5 0 0.6 1",
      "2: Rectangle= takes x, y, width and height as parts of the display between 0 and 1, 0.1 or "
        + "more wide and high, not '0.5 0 0.6 1'"
    ),
  ]

  @Test(arguments: mistakes)
  func `that are wrong are told with line and remedy`(_ text: String, _ message: String) {
    #expect(settings(text).faults.map(\.description) == ["1.conf:\(message)"])
  }

  @Test func `of a section with a mistake keep its panels from being used, and no others`() {
    let one = settings(
      "[Panel bad]\nMatchName=Acme*\nRotate=45\n[Panel good]\nMatchName=Other\nRotate=90")
    #expect(
      one.resolve(panel()).fault
        == "its section [Panel bad] is wrong: 1.conf:3: Rotate= takes 0, 90, 180 or 270 degrees, not "
        + "'45'")
    let other = one.resolve(panel("Other"))
    #expect(other.fault == nil)
    #expect(other.settings.rotation?.value == .quarter)
  }

  static let blind = [
    "[Panel a]\nMatchIds=what\nRotate=90", "[Panel a]\nMatchPaht=x\nRotate=90",
    "[Panel a]\nRotate=45", "[Panel a]\nMatchName", "[Panel a]\nGrab=yes\n[Panel a]\nMatchName=x",
  ]

  @Test(arguments: blind)
  func `of a section whose conditions are not known are skipped`(_ text: String) {
    let one = settings(text)
    #expect(!one.faults.isEmpty)
    let resolution = one.resolve(panel())
    #expect(resolution.fault == nil)
    #expect(resolution.sections == [])
  }

  @Test func `of the daemon are as without files where one is wrong`() {
    let one = settings("[Daemon]\nStaleLimit=2s\nHungLimit=x")
    #expect(one.daemon == DaemonSettings())
    #expect(one.faults.count == 1)
    #expect(settings("[Daemon]\nStaleLimit=1min 30s").daemon.staleLimit?.value == .seconds(90))
  }

  @Test func `of udev that are wrong keep the panel from being used`() {
    let odd = settings("").resolve(panel("a", ["LIBINPUT_CALIBRATION_MATRIX": "0 0 0 0 0 0"]))
    #expect(
      odd.fault
        == "udev's LIBINPUT_CALIBRATION_MATRIX cannot be 0 0 0 0 0 0: it squeezes the panel to less "
        + "than a hundredth of its area")
    let words = settings("").resolve(panel("a", ["LIBINPUT_CALIBRATION_MATRIX": "one"]))
    #expect(words.fault == "udev's LIBINPUT_CALIBRATION_MATRIX takes six numbers, not 'one'")
  }

  @Test func `have units in their types`() throws {
    let all = settings(
      """
      [Panel a]
      Hysteresis=0.5 mm
      MinimumDuration=20ms
      Debounce=30ms 5mm
      ContactRate=5 10mm
      EdgeHold=1mm 3mm 500ms
      PressureDrop=65%
      StuckContactLimit=5min
      Size=154x86mm
      RangeX=42 1981
      OutOfRange=count
      """)
    #expect(all.faults == [])
    let values = all.resolve(panel()).settings
    #expect(values.hysteresis?.value == 0.5)
    #expect(values.minimumDuration?.value == .milliseconds(20))
    #expect(values.debounce?.value == Bounce(time: .milliseconds(30), distance: 5))
    #expect(values.contactRate?.value == BeginRate(perSecond: 5, distance: 10))
    #expect(
      values.edgeHold?.value == EdgeMargin(distance: 1, travel: 3, limit: .milliseconds(500)))
    #expect(values.pressureDrop?.value == 0.65)
    #expect(values.stuckContactLimit?.value == .seconds(300))
    #expect(values.size?.value == Extent(width: 154, height: 86))
    #expect(values.rangeX?.value == 42...1981)
    #expect(values.outOfRange?.value == .count)
  }
}

@Suite struct `The display of a panel` {
  private static func displays(_ names: String...) -> [PlacedDisplay] {
    names.enumerated().map { number, name in
      PlacedDisplay(
        native: Display(id: UInt32(number), name: name, width: 800, height: 480),
        output: "DSI-\(number + 1)")
    }
  }

  private func binding(
    _ text: String, _ displays: [PlacedDisplay], _ panel: PanelIdentity = panel()
  ) -> DisplayBinding {
    settings(text).resolve(panel).binding(of: panel, to: displays)
  }

  @Test func `is the only one where nobody says more`() {
    #expect(binding("", Self.displays("default")) == .bound(0, because: .byDefault))
  }

  @Test func `is the one that the configuration names, or whose output it names`() {
    let two = Self.displays("left", "right")
    let origin = SettingOrigin.file("1.conf", line: 2)
    #expect(binding("[Panel a]\nDisplay=right", two) == .bound(1, because: origin))
    #expect(binding("[Panel a]\nDisplay=DSI-1", two) == .bound(0, because: origin))
    #expect(
      binding("[Panel a]\nDisplay=middle", two)
        == .refused("Display=middle at 1.conf:2 names none of the displays left, right"))
  }

  @Test func `is the one whose output udev names`() {
    let two = Self.displays("left", "right")
    let panel = panel("a", ["WL_OUTPUT": "DSI-2"])
    #expect(binding("", two, panel) == .bound(1, because: .property("WL_OUTPUT")))
    #expect(
      binding("[Panel a]\nDisplay=left", two, panel)
        == .bound(0, because: .file("1.conf", line: 2)))
  }

  @Test func `is told apart by physical path where two panels are the same`() {
    let two = Self.displays("left", "right")
    let text =
      "[Panel l]\nMatchPath=*usb-0:1:1.0\nDisplay=left\n"
      + "[Panel r]\nMatchPath=*usb-0:2:1.0\nDisplay=right"
    #expect(
      binding(text, two, panel(at: "pci-usb-0:1:1.0"))
        == .bound(0, because: .file("1.conf", line: 3)))
    #expect(
      binding(text, two, panel(at: "pci-usb-0:2:1.0"))
        == .bound(1, because: .file("1.conf", line: 6)))
  }

  @Test func `is never guessed`() {
    #expect(
      binding("", Self.displays("left", "right"))
        == .refused(
          "it is not said which of the displays left, right it lies on. Write into "
            + "/etc/touchbridge/touchbridge.conf: [Panel left] "
            + "MatchPath=pci-0000:00:14.0-usb-0:1:1.0 Display=left, each on a line, and reload"))
    #expect(
      binding("", [])
        == .refused("there is no display; mend the [Display NAME] sections"))
  }

  @Test func `may be named by udev in words that nobody knows where there is only one`() {
    #expect(
      binding("", Self.displays("default"), panel("a", ["WL_OUTPUT": "XX-9"]))
        == .bound(0, because: .byDefault))
  }
}
