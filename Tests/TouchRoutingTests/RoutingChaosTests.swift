import TestSupport
import Testing
import TouchModel
import TouchRouting

/// Router and outboxes together, with clients that come, go, stall and read, at random.
struct Chaos: ~Copyable {
  enum Step: CaseIterable {
    case frame, frame2, frame3, setScenes, clientGoes, clientComes, read, stall, hang, unplug
  }

  private final class Client {
    var bench: Outbox
    var checker = TouchStreamChecker()
    var serial: UInt32 = 0
    var isReading = true
    init() { bench = Outbox(history: 16) }
  }

  private var random: SplitMix
  private var router = Router(displays: [.fallback])
  private var out = DeliveryBuffer(capacity: 2_048)
  private var spare = DeliveryBuffer(capacity: 2_048)
  private var frame = FrameBuffer(capacity: 64)
  private var clients: [UInt32: Client] = [:]
  private var nextClient: UInt32 = 1
  private var nextContact: UInt64 = 1
  private var panels: [UInt32: [Contact]] = [1: [], 2: []]
  private var time: UInt64 = 0

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func run(steps: Int) throws {
    for _ in 0..<steps { try step() }
    // In the end all panels go and all clients read: nobody may be left with a finger down.
    for device in [UInt32(1), 2] { try unplug(device) }
    for client in clients.values {
      client.isReading = true
      try read(client)
      try client.checker.finish()
    }
    let live = router.liveContacts
    #expect(live == 0)
  }

  private mutating func step() throws {
    time += 1
    switch Step.allCases.randomElement(using: &random) {
    case .frame, .frame2, .frame3: try touch(UInt32.random(in: 1...2, using: &random))
    case .setScenes: try setScenes()
    case .clientGoes:
      guard let id = clients.keys.sorted().randomElement(using: &random) else { return }
      clients[id] = nil
      router.remove(client: id)
    case .clientComes:
      guard clients.count < 4 else { return }
      clients[nextClient] = Client()
      nextClient += 1
    case .read:
      for id in clients.keys.sorted() {
        guard let client = clients[id], client.isReading else { continue }
        let wasUnread = client.bench.unacknowledged > 0
        try read(client)
        if wasUnread { router.setResponsive(id) }
      }
    case .stall: pick()?.isReading.toggle()
    case .hang:
      guard let id = clients.keys.sorted().randomElement(using: &random),
        let client = clients[id], client.bench.unacknowledged > 0
      else { return }
      client.bench.overflow(StageTimes(kernel: time))
      try giveUp(id, client)
    case .unplug: try unplug(UInt32.random(in: 1...2, using: &random))
    case nil: return
    }
  }

  private mutating func pick() -> Client? {
    clients.keys.sorted().randomElement(using: &random).flatMap { clients[$0] }
  }

  /// The next frame of a panel: fingers land, move and lift.
  private mutating func touch(_ device: UInt32) throws {
    var next: [Contact] = []
    var entries: [Contact] = []
    for var contact in panels[device] ?? [] {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: contact.phase = .up
      case 1: contact.phase = .still
      default:
        contact.phase = .motion
        contact.position = place()
      }
      entries.append(contact)
      if contact.phase != .up { next.append(contact) }
    }
    let free = (Int32(0)..<5).first { slot in !next.contains { $0.slot == slot } }
    if let free, Bool.random(using: &random) {
      let down = Contact(id: nextContact, slot: free, phase: .down, position: place())
      nextContact += 1
      entries.append(down)
      next.append(down)
    }
    panels[device] = next
    if !entries.isEmpty { try route(entries, device) }
  }

  private mutating func unplug(_ device: UInt32) throws {
    let entries = (panels[device] ?? []).map { contact in
      var contact = contact
      contact.phase = .cancel
      return contact
    }
    panels[device] = []
    if !entries.isEmpty { try route(entries, device) }
  }

  private mutating func place() -> Point {
    Point(
      x: Double.random(in: 0..<1280, using: &random), y: Double.random(in: 0..<800, using: &random))
  }

  private mutating func setScenes() throws {
    guard let id = clients.keys.sorted().randomElement(using: &random) else { return }
    var scenes: [Scene] = []
    for number in 0..<UInt32.random(in: 0...3, using: &random) {
      let corner = place()
      let level = Int32.random(in: 0...2, using: &random)
      scenes.append(scene(number, corner.x - 400, corner.y - 300, 800, 600, level: level))
    }
    try router.setScenes(scenes, of: id, into: &out)
    try dispatch()
  }

  private mutating func route(_ entries: [Contact], _ device: UInt32) throws {
    frame.removeAll()
    frame.device = device
    for entry in entries { _ = frame.append(entry) }
    router.route(&frame, into: &out)
    let decided = out.count
    #expect(decided == entries.count)
    try dispatch()
  }

  private mutating func dispatch() throws {
    for id in clients.keys.sorted() {
      guard let client = clients[id] else { continue }
      for device in [UInt32(1), 2] {
        let times = StageTimes(kernel: time)
        guard let part = out.part(client: id, device: device) else { continue }
        switch client.bench.offer(out, part: part, times: times) {
        case .sendNow:
          let contacts = out.decisions.filter { $0.client == id && $0.device == device }
          try client.checker.accept(contacts.map(\.contact), device: device)
          client.serial += 1
          client.bench.noteSent(out, part: part, serial: client.serial, time: time)
        case .overflowed: try giveUp(id, client)
        case .waits: break
        }
      }
    }
  }

  private mutating func giveUp(_ id: UInt32, _ client: Client) throws {
    router.setUnresponsive(id, into: &spare)
    try flush(client)
  }

  private func read(_ client: Client) throws {
    while client.bench.unacknowledged > 0 || client.bench.waitingFrames > 0 {
      if client.bench.unacknowledged > 0 {
        let isKnown = client.bench.acknowledge(upTo: client.serial)
        #expect(isKnown)
      }
      try flush(client)
    }
  }

  private func flush(_ client: Client) throws {
    while client.bench.canSend {
      let front = client.bench.front
      let contacts = (0..<front.contactCount).map { client.bench.frontContact($0) }
      try client.checker.accept(contacts, device: front.device)
      client.serial += 1
      client.bench.noteFrontSent(serial: client.serial, time: time)
    }
  }
}

@Suite struct `Routing under chaos` {
  @Test func `whatever happens, each contact that a client saw begin ends once`() throws {
    let first = environmentSeed("RoutingChaosTests")
    for round in 0..<UInt64(randomRounds) {
      let seed = first &+ round
      var chaos = Chaos(seed: seed)
      do {
        try chaos.run(steps: 200)
      } catch {
        Issue.record("seed \(seed): \(error)")
        return
      }
    }
  }
}
