import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchWire

@testable import BridgeDaemon

/// A daemon with a panel of 0...1000 on both axes, and a configuration that a test writes.
final class ConfiguredBench {
  let folder: TemporaryFolder
  let rig: DaemonRig
  let device: FakePanel
  private var time = 0

  init(_ text: String) throws {
    folder = try TemporaryFolder()
    try folder.write(text, to: "touch.conf")
    var options = DaemonOptions()
    options.findsPanels = false
    options.configuration = .path("\(folder.path)/touch.conf")
    rig = try DaemonRig(options)
    device = try FakePanel()
    try rig.daemon.add(device, node: "/a/node")
  }

  deinit {
    for panel in rig.daemon.panels { rig.daemon.panelIsGone(panel, because: "the test is over") }
  }

  func reload(_ text: String) throws {
    try folder.write(text, to: "touch.conf")
    rig.daemon.reload()
  }

  /// A finger in slot 0 with this id; -1 lifts it.
  func touch(id: Int32, _ x: Int32 = 0, _ y: Int32 = 0) {
    time += 10_000
    device.slots = [
      EvdevCode.absMTTrackingID: [id, -1, -1, -1], EvdevCode.absMTPositionX: [x, 0, 0, 0],
      EvdevCode.absMTPositionY: [y, 0, 0, 0],
    ]
    let position: [(UInt16, UInt16, Int32)] =
      id < 0
      ? []
      : [
        (EvdevCode.abs, EvdevCode.absMTPositionX, x), (EvdevCode.abs, EvdevCode.absMTPositionY, y),
      ]
    device.write(
      at: time,
      [(EvdevCode.abs, EvdevCode.absMTTrackingID, id)] + position
        + [(EvdevCode.syn, EvdevCode.synReport, 0)])
    for panel in rig.daemon.panels { panel.descriptorReady(.readable) }
  }

  /// An app with a scene over any display.
  func app() throws -> FakeClient {
    let app = try rig.client()
    app.send {
      $0.setScenes(
        [Scene(id: 1, frame: Rect(x: 0, y: 0, width: 10_000, height: 10_000))], serial: $1)
    }
    #expect(try app.lines() == ["welcome 1", "scenes 2 applied"])
    return app
  }
}
