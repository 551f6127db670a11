import TestSupport
import Testing
import TouchModel
import TouchWire

@testable import BridgeDaemon

/// A daemon, its clients and two panels, at random: whoever connects is told lawful streams.
private final class SessionChaos {
  enum Step: CaseIterable {
    case touch, touchMore, touchOther, come, go, setScenes, read, acknowledge, nonsense, hang
  }

  private let rig: DaemonRig
  private var random: SplitMix
  private var clients: [FakeClient] = []
  private var panels: [UInt32: [Contact]] = [1: [], 2: []]
  private var nextContact: UInt64 = 1
  private var time: UInt64 = 1
  private let spare = PacketWriter()

  init(seed: UInt64) throws {
    rig = try DaemonRig()
    random = SplitMix(seed: seed)
  }

  func run(steps: Int) throws {
    for _ in 0..<steps { try step() }
    // In the end all fingers go, and all clients read and acknowledge: nothing is left down.
    for device in [UInt32(1), 2] { lift(device) }
    for client in clients where !client.isOver { try settle(client) }
    for client in clients where !client.isOver { try client.finish() }
    let live = rig.daemon.router.value.liveContacts
    #expect(live == 0)
  }

  private func step() throws {
    time += 1
    switch Step.allCases.randomElement(using: &random) {
    case .touch, .touchMore: touch(1)
    case .touchOther: touch(2)
    case .come:
      guard rig.daemon.sessions.count < 5 else { return }
      let isObserver = Int.random(in: 0..<4, using: &random) == 0
      clients.append(try rig.client(isObserver ? [.app, .observer] : .app))
    case .go:
      guard Int.random(in: 0..<20, using: &random) == 0, let client = one() else { return }
      rig.daemon.end(client.session, because: nil)
    case .setScenes: one().map { setScenes($0) }
    case .read: _ = try one()?.lines()
    case .acknowledge:
      // Every other client is a lazy one, so that backlogs overflow.
      guard let client = one(),
        client.session.id % 2 == 0 || Int.random(in: 0..<200, using: &random) == 0
      else { return }
      try acknowledge(client)
    case .nonsense: one().map { nonsense($0) }
    case .hang:
      guard Int.random(in: 0..<50, using: &random) == 0, let client = one(),
        client.session.outbox.value.unacknowledged > 0, !client.session.isUnresponsive
      else { return }
      let times = StageTimes(kernel: time)
      client.session.outbox.value.overflow(times)
      rig.daemon.giveUp(on: client.session, times)
    case nil: return
    }
    clients.removeAll { $0.isOver }
  }

  private func one() -> FakeClient? { clients.randomElement(using: &random) }

  private func setScenes(_ client: FakeClient) {
    var scenes: [Scene] = []
    for id in 0..<UInt32.random(in: 0...3, using: &random) {
      let x = Double.random(in: -200..<1000, using: &random)
      // Sometimes on a display that is not there, which changes nothing.
      let display: UInt32 = Int.random(in: 0..<10, using: &random) == 0 ? 9 : 0
      scenes.append(
        Scene(id: id, display: display, frame: Rect(x: x, y: 0, width: 700, height: 800)))
    }
    client.send { $0.setScenes(scenes, serial: $1) }
  }

  /// Reads all, and acknowledges the last frame if it was not acknowledged yet.
  private func acknowledge(_ client: FakeClient) throws {
    _ = try client.lines()
    if client.session.outbox.value.unacknowledged > 0 { client.acknowledge() }
  }

  private func settle(_ client: FakeClient) throws {
    while client.session.outbox.value.unacknowledged > 0
      || client.session.outbox.value.waitingFrames > 0
    {
      try acknowledge(client)
    }
    _ = try client.lines()
  }

  /// A lawful message at the wrong time, or bytes: the end of that client.
  private func nonsense(_ client: FakeClient) {
    guard Int.random(in: 0..<50, using: &random) == 0 else { return }
    client.send { writer, serial in
      guard Bool.random(using: &random) else {
        return writer.hello(Hello(name: ""), serial: serial)
      }
      return UnsafeRawBufferPointer(rebasing: writer.subscribe(serial: serial)[..<20])
    }
  }

  /// The next frame of a panel: fingers land, move and lift.
  private func touch(_ device: UInt32) {
    var next: [Contact] = []
    var entries: [Contact] = []
    for var contact in panels[device] ?? [] {
      let isLifted = Int.random(in: 0..<4, using: &random) == 0
      contact.phase = isLifted ? .up : .motion
      contact.position.x = Double.random(in: 0..<1280, using: &random)
      entries.append(contact)
      if !isLifted { next.append(contact) }
    }
    let free = (Int32(0)..<4).first { slot in !next.contains { $0.slot == slot } }
    if let free, Bool.random(using: &random) {
      let place = Point(x: Double.random(in: 0..<1280, using: &random), y: 400)
      let down = Contact(id: nextContact, slot: free, phase: .down, position: place)
      nextContact += 1
      entries.append(down)
      next.append(down)
    }
    panels[device] = next
    rig.route(device: device, at: time, entries)
  }

  private func lift(_ device: UInt32) {
    let entries = (panels[device] ?? []).map { contact in
      var contact = contact
      contact.phase = .up
      return contact
    }
    panels[device] = []
    rig.route(device: device, at: time, entries)
  }
}

@Suite struct `Sessions under chaos` {
  /// How many runs: `TOUCHBRIDGE_ROUNDS`, or few enough for the unit tier.
  static let rounds = environmentNumber("TOUCHBRIDGE_ROUNDS") ?? 60

  @Test func `whatever happens, each contact that a client was sent ends once`() throws {
    let first = environmentSeed("sessions under chaos")
    for round in 0..<UInt64(Self.rounds) {
      let seed = first &+ round
      do {
        try SessionChaos(seed: seed).run(steps: 1000)
      } catch {
        Issue.record("seed \(seed): \(error)")
        return
      }
    }
  }
}
