import LinuxIO
import TestSupport
import Testing
import TouchModel
import UInputPanel

extension SystemTests {
  /// `touchctl calibrate` on a panel of the kernel's, with udev and the daemon as they are installed.
  @Suite struct `Calibrating` {
    /// A panel of 0...4000 on both axes: all targets lie on whole units.
    private static let description: DeviceDescription = {
      var description = DeviceDescription.tenFingerPanel(named: "Sideways panel")
      let range = AxisRange(minimum: 0, maximum: 4000, resolution: 25)
      for axis in [
        EvdevCode.absX, EvdevCode.absY, EvdevCode.absMTPositionX, EvdevCode.absMTPositionY,
      ] {
        description.axes[axis] = range
      }
      return description
    }()

    /// What a panel sends that is mounted on its side: its x runs down, its y from right to left.
    private func raw(_ x: Double, _ y: Double) -> RawPoint {
      RawPoint(x: Int32((y * 4000).rounded()), y: Int32(((1 - x) * 4000).rounded()))
    }

    private func daemon(_ config: TemporaryFolder) throws -> DaemonObserver {
      try DaemonObserver(["--config", config.path])
    }

    /// Touches a panel at parts of its display's width and height and tells where that landed.
    private func land(
      _ place: (Double, Double), _ panel: UInputPanel, _ node: String, _ daemon: DaemonObserver
    ) throws -> Point? {
      try daemon.wait(for: "the daemon to use \(node)") { daemon.panels[node] != nil }
      let device = try #require(daemon.panels[node])
      let count = daemon.frames[device]?.count ?? 0
      try panel.touch([0: raw(place.0, place.1)])
      try panel.lift()
      try daemon.wait(for: "the touch") { daemon.frames[device]?.count ?? 0 == count + 2 }
      return daemon.lastPlaces[device]
    }

    @Test func `a panel on its side is right after it, at once and after a restart`() throws {
      let config = try TemporaryFolder()
      try config.write("[Display default]\nSize=1281x801\n", to: "touchbridge.conf")
      let watch = try UdevWatch()
      let panel = try UInputPanel(Self.description)
      defer { panel.unplug() }
      let node = try #require(try watch.event("add", of: panel.systemName).node)
      let first = try daemon(config)
      // At first it is wrong: three quarters to the right and half way down.
      #expect(try land((0.75, 0.5), panel, node, first) == Point(x: 640, y: 200))
      let calibrate = try ChildProcess([
        "touchctl", "calibrate", "Sideways panel", "--socket", first.adminSocket,
      ])
      for (x, y) in [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9), (0.35, 0.65)] {
        #expect(try calibrate.output.next()?.contains("hold for a moment") == true)
        try panel.touch([0: raw(x, y)])
        // The finger is held; until it is lifted nothing is asked for.
        #expect(throws: TimedOut.self) {
          try calibrate.output.next(by: Deadline(.milliseconds(150)))
        }
        try panel.lift()
      }
      #expect(try calibrate.end() == 0, "\(calibrate.errors.all)")
      #expect(calibrate.output.all.contains("matrix: 0 -1 1 1 0 0"))
      #expect(calibrate.output.all.contains("the check is met within 0.00 mm"))
      #expect(try land((0.75, 0.5), panel, node, first) == Point(x: 960, y: 400))
      #expect(first.fault == nil)
      let second = try daemon(config)
      #expect(try land((0.75, 0.5), panel, node, second) == Point(x: 960, y: 400))
      #expect(try land((0, 0), panel, node, second) == Point(x: 0, y: 0))
      #expect(try land((1, 1), panel, node, second) == Point(x: 1280, y: 800))
    }

    @Test func `a capture that is killed gives the panel back at once`() throws {
      let daemon = try DaemonObserver(["--display", "1280x800"])
      let (panel, _, device) = try daemon.plug()
      defer { panel.unplug() }
      try panel.touch([0: RawPoint(x: 400, y: 800)])
      try daemon.wait(for: "the finger") { daemon.frames[device]?.count == 1 }
      let measure = try ChildProcess([
        "touchctl", "measure", "\(device)", "--socket", daemon.adminSocket,
      ])
      _ = try measure.errors.next(containing: "slide slowly")
      // What was down is cancelled, and what comes meanwhile is nobody's.
      try daemon.wait(for: "the cancel") { daemon.frames[device]?.count == 2 }
      #expect(daemon.frames[device]?.last?.contacts.map(\.phase) == [.cancel])
      try panel.touch([0: RawPoint(x: 404, y: 800)])
      measure.kill(9)
      _ = try daemon.errors.next(containing: "panel is given back")
      try panel.touch([0: RawPoint(x: 408, y: 800)])
      try panel.lift()
      try panel.touch([0: RawPoint(x: 412, y: 800)])
      try panel.lift()
      try daemon.wait(for: "the next finger") { daemon.frames[device]?.count == 4 }
      #expect(
        daemon.frames[device]?.suffix(2).flatMap { $0.contacts.map { "\($0.phase) \($0.x)" } }
          == ["down 412", "up 412"])
      #expect(daemon.faultAtEnd(of: device) == nil)
    }
  }
}
