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

  /// - Parameter outputs: those that are connected from the start, each a name and a mode.
  init(_ text: String, outputs: [(String, String)] = [], display: Display? = nil) throws {
    folder = try TemporaryFolder()
    for (output, mode) in outputs { try Self.plug(output, mode, in: folder) }
    try folder.write(text, to: "touch.conf")
    var options = DaemonOptions()
    options.findsPanels = false
    options.configuration = .path("\(folder.path)/touch.conf")
    options.sysfs = "\(folder.path)/drm"
    options.display = display
    rig = try DaemonRig(options)
    device = try FakePanel()
    try rig.daemon.add(device, node: "/a/node")
  }

  deinit {
    for panel in rig.daemon.panels { rig.daemon.panelIsGone(panel, because: "the test is over") }
  }

  /// Plugs an output in, with a mode such as `800x480`, or out; nobody is told.
  func plug(_ output: String, _ mode: String?) throws {
    try Self.plug(output, mode, in: folder)
  }

  private static func plug(_ output: String, _ mode: String?, in folder: TemporaryFolder) throws {
    try folder.write(
      mode == nil ? "disconnected\n" : "connected\n", to: "drm/card0-\(output)/status")
    try folder.write(mode.map { "\($0)\n" } ?? "", to: "drm/card0-\(output)/modes")
  }

  /// Says what the kernel shows of an output's power.
  func power(_ output: String, dpms: String, enabled: String = "enabled") throws {
    try folder.write("\(dpms)\n", to: "drm/card0-\(output)/dpms")
    try folder.write("\(enabled)\n", to: "drm/card0-\(output)/enabled")
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
