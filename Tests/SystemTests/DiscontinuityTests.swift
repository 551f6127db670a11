import CUInput
import Glibc
import TestSupport
import Testing
import TouchModel
import UInputPanel

extension SystemTests {
  /// What cuts a panel's stream: the invariant holds, and the next contact is exact again.
  @Suite struct `A stream that is cut` {
    @Test func `by unplugging with fingers down, again and again`() throws {
      let daemon = try DaemonObserver()
      var random = SplitMix(seed: environmentSeed("hotplug"))
      // 20 in CI; `script/test --system --long` sets the rounds.
      let count = environmentNumber("TOUCHBRIDGE_ROUNDS") == nil ? 20 : 200
      for number in 1...count {
        let (panel, node, device) = try daemon.plug()
        let fingers = Int32(1 + random.next() % 10)
        try panel.touch(Self.fingers(fingers))
        try daemon.wait(for: "\(fingers) fingers of panel \(number)") {
          daemon.live(on: device).count == Int(fingers)
        }
        panel.unplug()
        try daemon.wait(for: "panel \(number) to go") { daemon.panels[node] == nil }
        let frames = daemon.frames[device] ?? []
        #expect(frames.count == 2, "\(number)")
        #expect(
          frames.last?.contacts == (0..<fingers).map { Self.contact($0, .cancel) }, "\(number)")
        #expect(daemon.faultAtEnd(of: device) == nil, "\(number)")
      }
      #expect(daemon.frames.count == count, "a number of its own for each")
    }

    @Test func `by a replug under another number`() throws {
      let daemon = try DaemonObserver()
      let (first, node, _) = try daemon.plug()
      first.unplug()
      try daemon.wait(for: "the panel to go") { daemon.panels[node] == nil }
      // It takes the number that is free now.
      let (other, otherNode) = try pluggedIn(.tenFingerPanel(named: "In its place"))
      defer { other.unplug() }
      _ = otherNode
      let (again, nodeAgain, device) = try daemon.plug()
      defer { again.unplug() }
      #expect(nodeAgain != node)
      try expectExactTouch(of: again, device, daemon)
    }

    @Test func `by another program that has grabbed the device`() throws {
      let (panel, node) = try pluggedIn()
      defer { panel.unplug() }
      try node.grab(true)
      let settings = try TemporaryFolder()
      try settings.write("[Panel any]\nMatchName=*\nGrab=yes\n", to: "touch.conf")
      let daemon = try DaemonObserver(["--config", "\(settings.path)/touch.conf"])
      // It says so when it has looked at the node.
      _ = try daemon.errors.next(containing: "another program has grabbed it (EVIOCGRAB)")
      #expect(daemon.panels.isEmpty)
      try node.grab(false)
      try daemon.wait(for: "the panel") { daemon.panels.count == 1 }
      let device = try #require(daemon.panels.values.first)
      try expectExactTouch(of: panel, device, daemon)
    }

    @Test func `by a revocation of the daemon's own descriptor`() throws {
      let daemon = try DaemonObserver()
      let (panel, node, device) = try daemon.plug()
      defer { panel.unplug() }
      try panel.touch(Self.fingers(2))
      try daemon.wait(for: "two fingers") { daemon.live(on: device).count == 2 }
      let descriptor = try #require(daemon.descriptor(of: node))
      try #require(tu_revoke(daemon.processIdentifier, descriptor) == 0, "errno \(errno)")
      try daemon.wait(for: "the panel to be opened anew") {
        daemon.panels[node].map { $0 != device } ?? false
      }
      let again = try #require(daemon.panels[node])
      #expect(
        daemon.frames[device]?.last?.contacts
          == [Self.contact(0, .cancel), Self.contact(1, .cancel)])
      #expect(daemon.faultAtEnd(of: device) == nil)
      // What was down at the opening is ignored until it is lifted.
      try panel.touch([0: RawPoint(x: 8, y: 8), 1: RawPoint(x: 12, y: 12)])
      try panel.lift()
      try expectExactTouch(of: panel, again, daemon)
      #expect(daemon.frames[again]?.count == 3, "nothing of the fingers that were down")
    }

    @Test func `by a daemon that is stopped while fingers come and go`() throws {
      let daemon = try DaemonObserver()
      let (panel, _, device) = try daemon.plug()
      defer { panel.unplug() }
      try panel.touch(Self.fingers(3))
      try daemon.wait(for: "three fingers") { daemon.live(on: device).count == 3 }
      daemon.signal(SIGSTOP)
      // Slot 0 stays, 1 is lifted and touched anew, 2 is lifted, 3 comes; far more than is kept.
      try panel.touch([0: Self.point(0), 2: Self.point(2)])
      for step in 1...2000 {
        try panel.touch([0: Self.point(0, moved: Int32(step)), 1: Self.point(1), 3: Self.point(3)])
      }
      daemon.signal(SIGCONT)
      try daemon.wait(for: "the state after the gap") {
        daemon.live(on: device) == [
          0: Self.point(0, moved: 2000), 1: Self.point(1), 3: Self.point(3),
        ]
      }
      let contacts = (daemon.frames[device] ?? []).dropFirst().flatMap(\.contacts)
      #expect(contacts.filter { $0.slot == 0 }.allSatisfy { $0.phase == .motion })
      #expect(contacts.filter { $0.slot == 1 }.map(\.phase).prefix(2) == [.cancel, .down])
      #expect(contacts.filter { $0.slot == 2 }.map(\.phase) == [.cancel])
      #expect(contacts.filter { $0.slot == 3 }.map(\.phase).first == .down)
      #expect(contacts.allSatisfy { $0.phase != .up }, "nobody saw a finger being lifted")
      try panel.lift()
      try daemon.wait(for: "all fingers to lift") { daemon.live(on: device).isEmpty }
      #expect(daemon.faultAtEnd(of: device) == nil)
    }

    @Test func `by events written faster than anybody reads`() throws {
      let daemon = try DaemonObserver()
      let (panel, _, device) = try daemon.plug()
      defer { panel.unplug() }
      var state = PanelState()
      var written = 0
      // Until the kernel has thrown some away, which the first round nearly always does.
      repeat {
        var events: [EvdevEvent] = []
        var fingers: [Int32: RawPoint] = [:]
        for step in 0..<100 {
          let shown = (Int32(0)..<10).filter { (step / 10 + Int($0)) % 3 != 0 }
          fingers = Dictionary(
            uniqueKeysWithValues: shown.map { ($0, Self.point($0, moved: Int32(step % 50))) })
          events += state.frame(fingers)
        }
        // In one call, during which a patient reader does not get to read.
        try daemon.setPatient(true)
        try panel.write(events)
        try daemon.setPatient(false)
        try daemon.wait(for: "the fingers of the last frame") {
          daemon.live(on: device) == fingers
        }
        try panel.write(state.frame([:]))
        try daemon.wait(for: "all fingers to lift") { daemon.live(on: device).isEmpty }
        written += 101
      } while daemon.frames[device]?.count == written && written < 20_000
      #expect(try #require(daemon.frames[device]).count < written, "nothing was lost")
      #expect(daemon.lost == 0)
      try panel.write(state.frame([7: Self.point(7)]) + state.frame([:]))
      try daemon.wait(for: "the last finger alone") {
        daemon.frames[device]?.suffix(2).map(\.contacts)
          == [[Self.contact(7, .down)], [Self.contact(7, .up)]]
      }
      #expect(daemon.faultAtEnd(of: device) == nil)
    }

    @Test func `not by a clock that somebody sets`() throws {
      let daemon = try DaemonObserver()
      let (panel, _, device) = try daemon.plug()
      defer { panel.unplug() }
      try panel.touch([0: RawPoint(x: 400, y: 300)])
      try daemon.wait(for: "a finger") { daemon.live(on: device).count == 1 }
      // It wakes the daemon as the end of a suspend does.
      for step in [3600, -3600] {
        #expect(try ChildProcess.run("date", "-s", "\(step) seconds").code == 0)
      }
      try panel.lift()
      try daemon.wait(for: "the finger to lift") { daemon.live(on: device).isEmpty }
      #expect(daemon.frames[device]?.map { $0.contacts.map(\.phase) } == [[.down], [.up]])
    }

    // MARK: Shorthand

    /// A finger goes down, moves and lifts, and nothing else is seen.
    private func expectExactTouch(
      of panel: UInputPanel, _ device: UInt32, _ daemon: DaemonObserver
    ) throws {
      let before = daemon.frames[device]?.count ?? 0
      try panel.touch([0: RawPoint(x: 400, y: 300)])
      try panel.touch([0: RawPoint(x: 440, y: 300)])
      try panel.lift()
      try daemon.wait(for: "a touch") { (daemon.frames[device]?.count ?? 0) >= before + 3 }
      #expect(
        daemon.frames[device]?.dropFirst(before).map(\.contacts) == [
          [SeenContact(slot: 0, phase: .down, x: 400, y: 300)],
          [SeenContact(slot: 0, phase: .motion, x: 440, y: 300)],
          [SeenContact(slot: 0, phase: .up, x: 440, y: 300)],
        ])
      #expect(daemon.faultAtEnd(of: device) == nil)
    }

    private static func point(_ slot: Int32, moved: Int32 = 0) -> RawPoint {
      RawPoint(x: 100 + 300 * slot + moved, y: 200 + 100 * slot)
    }

    private static func fingers(_ count: Int32) -> [Int32: RawPoint] {
      Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, point($0)) })
    }

    private static func contact(_ slot: Int32, _ phase: ContactPhase) -> SeenContact {
      let place = point(slot)
      return SeenContact(slot: slot, phase: phase, x: place.x, y: place.y)
    }
  }
}
