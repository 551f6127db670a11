import EvdevSource
import TestSupport
import Testing
import TouchModel
import TouchSettings

@testable import BridgeDaemon

@Suite struct `The files of a configuration` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ files: [String: String]) throws -> Configuration {
    for (name, text) in files { try folder.write(text, to: name) }
    return Configuration(.path(folder.path), sysfs: "\(folder.path)/drm")
  }

  /// Paths without the test's own folder.
  private func words(_ faults: [SettingsFault]) -> [String] {
    faults.map { "\($0)".replacing(folder.path, with: "DIR") }
  }

  @Test func `of a folder are read in the order of their names, after the main one`() throws {
    let configuration = try read([
      "touchbridge.conf": "[Daemon]\nStaleLimit=1ms\nSeat=a",
      "conf.d/20-b.conf": "[Daemon]\nSeat=c",
      "conf.d/10-a.conf": "[Daemon]\nSeat=b\nStaleLimit=2ms", "conf.d/readme": "[Nonsense]",
      "quirks.conf": "[Panel q]\nMatchName=x\nRotate=90",
    ])
    #expect(configuration.faults == [])
    #expect(
      configuration.files.map { $0.replacing(folder.path, with: "DIR") } == [
        "DIR/quirks.conf", "DIR/touchbridge.conf", "DIR/conf.d/10-a.conf", "DIR/conf.d/20-b.conf",
      ])
    let daemon = configuration.settings.daemon
    #expect(daemon.seat?.value == "c")
    #expect(daemon.staleLimit?.value == .milliseconds(2))
  }

  @Test func `of a folder without any are told`() throws {
    let configuration = try read(["other": ""])
    #expect(
      words(configuration.faults)
        == ["DIR: the folder holds no touchbridge.conf and no conf.d/*.conf"])
    #expect(configuration.isUseless)
  }

  @Test func `that are not there are told`() {
    let configuration = Configuration(.path("\(folder.path)/none.conf"))
    #expect(
      words(configuration.faults) == [
        "DIR/none.conf: cannot open \(folder.path)/none.conf: No such file or directory (ENOENT)"
          .replacing(folder.path, with: "DIR")
      ])
    #expect(configuration.isUseless)
  }

  @Test func `may be none at all`() {
    let configuration = Configuration(.none, sysfs: "\(folder.path)/drm")
    #expect(configuration.faults == [])
    #expect(configuration.files == [])
    #expect(configuration.displays.map(\.display) == [.fallback])
    #expect(!configuration.isUseless)
  }

  private static let outputs = [
    "drm/card0-HDMI-A-1/status": "connected\n", "drm/card0-HDMI-A-1/modes": "1920x1080\n",
    "drm/card0-HDMI-A-2/status": "disconnected\n", "drm/card0-HDMI-A-2/modes": "640x480\n",
    "drm/card1-DSI-1/status": "connected\n", "drm/card1-DSI-1/modes": "800x480\n",
    "drm/card1-HDMI-A-1/status": "connected\n", "drm/card1-HDMI-A-1/modes": "1024x600\n",
  ]

  private func displays(_ text: String) throws -> (displays: [String], remarks: [String]) {
    let files = Self.outputs.merging(["touchbridge.conf": text]) { $1 }
    let configuration = try read(files)
    let words = configuration.displays.map {
      "\($0.display.id) \($0.display.name) \($0.display.width)x\($0.display.height) "
        + "at \($0.display.scale) on \($0.output)"
    }
    return (words, configuration.remarks)
  }

  @Test func `without displays leave the first output, with a word on the others`() throws {
    let result = try displays("")
    #expect(result.displays == ["0 default 1920.0x1080.0 at 1.0 on HDMI-A-1"])
    #expect(
      result.remarks == [
        "several outputs are connected, HDMI-A-1, DSI-1, card1-HDMI-A-1; using HDMI-A-1. "
          + "[Display NAME] sections or Displays=connected make use of all"
      ])
  }

  @Test func `may ask for a display on each output`() throws {
    let result = try displays("[Daemon]\nDisplays=connected")
    #expect(
      result.displays == [
        "0 HDMI-A-1 1920.0x1080.0 at 1.0 on HDMI-A-1", "1 DSI-1 800.0x480.0 at 1.0 on DSI-1",
        "2 card1-HDMI-A-1 1024.0x600.0 at 1.0 on card1-HDMI-A-1",
      ])
    #expect(result.remarks == [])
  }

  @Test func `name displays, with the mode of their outputs or a size of their own`() throws {
    let result = try displays(
      "[Display left]\nOutput=HDMI-A-1\nScale=2\nRotate=90\n[Display DSI-1]\n"
        + "[Display right]\nSize=640x400\n[Display dark]\nOutput=HDMI-A-2")
    #expect(
      result.displays == [
        "0 left 540.0x960.0 at 2.0 on HDMI-A-1", "1 DSI-1 800.0x480.0 at 1.0 on DSI-1",
        "2 right 640.0x400.0 at 1.0 on right", "3 dark 1280.0x800.0 at 1.0 on HDMI-A-2",
      ])
    #expect(
      result.remarks == [
        "output HDMI-A-2 of [Display dark] is not connected, using 1280x800. Size= sets another size"
      ])
  }

  @Test func `with a wrong display leave the others, and are useless without any`() throws {
    let some = try read(["touchbridge.conf": "[Display a]\nScale=0\n[Display b]\nSize=10x20"])
    #expect(some.displays.map(\.display.name) == ["b"])
    #expect(!some.isUseless)
    let none = try read(["touchbridge.conf": "[Display a]\nScale=0"])
    #expect(none.displays == [])
    #expect(none.isUseless)
  }

  @Test func `decide how a panel is used`() throws {
    let configuration = try read([
      "touchbridge.conf": """
      [Daemon]
      Seat=seat7
      [Display wall]
      Size=1000x500
      Rotate=90
      [Panel p]
      MatchName=good
      Rotate=90
      Rectangle=0.5 0 0.5 1
      RangeX=10 110
      Size=50x40mm
      [Ignore i]
      MatchName=twin
      """
    ])
    var device = DeviceDescription(name: "good")
    device.axes[EvdevCode.absMTPositionX] = AxisRange(minimum: 0, maximum: 400)
    device.axes[EvdevCode.absMTPositionY] = AxisRange(minimum: 0, maximum: 400)
    guard case .used(let setup) = configuration.plan(for: PanelIdentity(description: device)) else {
      Issue.record("not used")
      return
    }
    #expect(setup.display == Display(id: 0, name: "wall", width: 500, height: 1000))
    #expect(setup.calibration == .mounted(.quarter))
    // The right half of the glass, which is the upper half of the turned picture turned again.
    #expect(setup.displayTransform == PanelTransform(0, 1, 0, -0.5, 0, 0.5))
    #expect(setup.transform == PanelTransform(1, 0, 0, 0, 0.5, 0))
    let described = setup.described(device)
    #expect(
      described.axes[EvdevCode.absMTPositionX]
        == AxisRange(minimum: 10, maximum: 110, resolution: 2))
    #expect(
      described.axes[EvdevCode.absMTPositionY]
        == AxisRange(minimum: 0, maximum: 400, resolution: 10))
    #expect(
      configuration.plan(for: PanelIdentity(description: DeviceDescription(name: "twin")))
        == .ignored("left alone: Ignore=yes at \(folder.path)/touchbridge.conf:12"))
    #expect(configuration.seat == "seat7")
  }
}
