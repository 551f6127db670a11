import FoundationEssentials
import Glibc
import TestSupport
import Testing
import TouchModel
import UHIDDevice

extension SystemTests {
  /// Reports of panels through the kernel's own HID drivers.
  @Suite struct `A panel made through uhid` {
    static let recordings = Machine.environment("TOUCHBRIDGE_RECORDINGS")

    @Test func `the kernel's driver makes frames of its reports`() throws {
      let daemon = try DaemonObserver()
      let reports = [
        HIDRecording.report(.init(1, 100, 200)),
        HIDRecording.report(.init(1, 110, 200), .init(2, 4095, 2559)),
        HIDRecording.report(.init(1, 110, 200, isDown: false), .init(2, 4090, 2559)),
        HIDRecording.report(.init(2, 4090, 2559, isDown: false)),
      ]
      let comparison = try play(.fiveFingerPanel(reports: reports), to: daemon)
      let panel = try #require(comparison.panels.first)
      #expect(comparison.panels.count == 1)
      #expect(panel.daemon == panel.plain)
      #expect(
        panel.daemon.map(\.contacts) == [
          [SeenContact(slot: 0, phase: .down, x: 100, y: 200)],
          [
            SeenContact(slot: 0, phase: .motion, x: 110, y: 200),
            SeenContact(slot: 1, phase: .down, x: 4095, y: 2559),
          ],
          [
            SeenContact(slot: 0, phase: .up, x: 110, y: 200),
            SeenContact(slot: 1, phase: .motion, x: 4090, y: 2559),
          ],
          [SeenContact(slot: 1, phase: .up, x: 4090, y: 2559)],
        ])
      #expect(panel.fault == nil)
    }

    @Test(
      .enabled(
        if: recordings != nil,
        "SKIPPED: no recordings; set TOUCHBRIDGE_RECORDINGS to a folder that has hid/"))
    func `recorded reports give the daemon the contacts that a plain reader sees`() throws {
      let folder = try #require(Self.recordings) + "/hid"
      let files = try names(in: folder, ending: ".hid")
      try #require(!files.isEmpty)
      // A plain reader smooths nothing, so the jitter that udev knows of is to stay in.
      let settings = try TemporaryFolder()
      try settings.write("[Panel any]\nMatchName=*\nHysteresis=0\n", to: "plain.conf")
      let daemon = try DaemonObserver(["--config", "\(settings.path)/plain.conf"])
      for file in files {
        let recording = try HIDRecording(text: text(of: folder + "/" + file))
        let comparison = try play(recording, to: daemon)
        // What is no touchscreen for udev is none for the daemon either.
        #expect(comparison.panels.isEmpty == Self.noTouchscreens.contains(file), "\(file)")
        for panel in comparison.panels {
          let (seen, expected) = (fingerprint(panel.daemon), fingerprint(panel.plain))
          let downs = panel.plain.joinedPhases(.down)
          print(
            "uhid: \(file) \(panel.node): \(panel.plain.count) frames, \(downs) contacts, \(seen)")
          let first = zip(panel.daemon, panel.plain).first { $0 != $1 }
          #expect(seen == expected, "\(file) \(panel.node): \(String(describing: first))")
          #expect(!panel.hasLostEvents && panel.fault == nil, "\(file): \(panel.fault ?? "lost")")
        }
      }
      #expect(daemon.lost == 0)
    }

    /// Single-touch panels that udev calls a mouse, since they have its buttons.
    private static let noTouchscreens: Set<String> = ["posiflex-0d3a-a000.hid"]

    @Test(
      .enabled(
        if: recordings != nil,
        "SKIPPED: no recordings; set TOUCHBRIDGE_RECORDINGS to a folder that has hid-descriptors/"))
    func `each report descriptor that the kernel takes becomes a node with a verdict`() throws {
      let folder = try #require(Self.recordings) + "/hid-descriptors"
      let files = try names(in: folder, ending: ".rdesc.txt")
      try #require(!files.isEmpty)
      for file in files {
        let recording = try HIDRecording(descriptorText: text(of: folder + "/" + file), name: file)
        let plugged = try PluggedHID(recording)
        defer { plugged.device.unplug() }
        guard plugged.isTaken else {
          print("uhid: \(file): the kernel refuses it")
          continue
        }
        let nodes = try plugged.nodes().map(\.node)
        let verdicts = try devices().filter { nodes.contains($0.node) }
        #expect(verdicts.map(\.node) == nodes, "\(file)")
        for verdict in verdicts {
          print("uhid: \(file) \(verdict.node): \(verdict.reason ?? "used")")
          #expect(verdict.used == (verdict.reason == nil), "\(file)")
        }
      }
    }

    // MARK: Playing

    private struct Comparison {
      var panels: [Panel] = []

      struct Panel {
        var node: String
        var daemon: [SeenFrame]
        var plain: [SeenFrame]
        var hasLostEvents: Bool
        var fault: String?
      }
    }

    /// Sends all reports of a device and keeps what the daemon and a plain reader make of them.
    private func play(_ recording: HIDRecording, to daemon: DaemonObserver) throws -> Comparison {
      let plugged = try PluggedHID(recording)
      defer { plugged.device.unplug() }
      try #require(plugged.isTaken, "\(recording.name): the kernel refuses it")
      let nodes = try plugged.nodes().filter { $0.isTouchscreen }.map(\.node)
      try daemon.wait(for: "the daemon to use \(nodes) of \(recording.name)") {
        nodes.allSatisfy { daemon.panels[$0] != nil }
      }
      var readers = try nodes.map { (node: $0, reader: PlainReader(try EventNode($0))) }
      let devices = nodes.compactMap { daemon.panels[$0] }
      for (number, report) in recording.reports.enumerated() {
        try plugged.device.send(report)
        // The kernel keeps few frames for a reader, so both keep up with what is sent.
        guard number % 4 == 3 || number == recording.reports.count - 1 else { continue }
        for index in readers.indices {
          readers[index].reader.read()
          let count = readers[index].reader.frames.count
          try daemon.wait(for: "frame \(count) of \(recording.name)") {
            daemon.frames[devices[index], default: []].count >= count
          }
        }
      }
      plugged.device.unplug()
      try daemon.wait(for: "the daemon to see \(nodes) go") {
        nodes.allSatisfy { daemon.panels[$0] == nil }
      }
      var comparison = Comparison()
      for (index, entry) in readers.enumerated() {
        let count = entry.reader.frames.count
        let seen = daemon.frames[devices[index], default: []]
        // What follows is the cancel of what was down as the device went.
        comparison.panels.append(
          Comparison.Panel(
            node: entry.node, daemon: Array(seen.prefix(count)), plain: entry.reader.frames,
            hasLostEvents: entry.reader.hasLostEvents, fault: daemon.faultAtEnd(of: devices[index]))
        )
      }
      return comparison
    }

    // MARK: touchctl devices

    private struct Verdict: Decodable {
      var node: String
      var used: Bool
      var reason: String?
    }

    private func devices() throws -> [Verdict] {
      let (code, output) = try ChildProcess.run("touchctl", "devices", "--json")
      try #require(code == 0)
      return try output.split(separator: "\n").map {
        try JSONDecoder().decode(Verdict.self, from: Data($0.utf8))
      }
    }

    private func names(in folder: String, ending: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(ending) }.sorted()
    }

    private func text(of path: String) throws -> String {
      let data = try #require(FileManager.default.contents(atPath: path))
      return String(decoding: data, as: UTF8.self)
    }
  }
}

extension [SeenFrame] {
  fileprivate func joinedPhases(_ phase: ContactPhase) -> Int {
    lazy.flatMap(\.contacts).filter { $0.phase == phase }.count
  }
}
