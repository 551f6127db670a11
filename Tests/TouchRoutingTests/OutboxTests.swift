import Testing
import TouchModel
import TouchRouting

/// An outbox with a client at its other end that reads and acknowledges when the test says so.
final class OutboxBench {
  var outbox: Outbox
  var checker = TouchStreamChecker()
  private var out = DeliveryBuffer(capacity: 512)
  private var serial: UInt32 = 0
  private var time: UInt64 = 0
  /// What has gone out, a line a frame.
  var sent: [String] = []

  init(history: Int = 16) { outbox = Outbox(history: history) }

  /// Offers a frame; what may go at once goes. Nil if there is nothing for the client.
  func offer(_ contacts: [Contact], device: UInt32 = 1) throws -> Outbox.Offer? {
    time += 1
    load(contacts, device)
    guard let part = out.part(client: 5, device: device) else { return nil }
    let offer = outbox.offer(out, part: part, times: StageTimes(kernel: time))
    if offer == .sendNow {
      serial += 1
      try note(contacts, [], device)
      outbox.noteSent(out, part: part, serial: serial, time: time)
    }
    return offer
  }

  /// Offers a frame that finds no room in the socket.
  func offerWithoutRoom(_ contacts: [Contact]) -> Outbox.Offer? {
    time += 1
    load(contacts, 1)
    guard let part = out.part(client: 5, device: 1) else { return nil }
    return outbox.postpone(out, part: part, times: StageTimes(kernel: time))
  }

  func acknowledge(upTo serial: UInt32) -> Bool { outbox.acknowledge(upTo: serial) }
  func overflow() -> Outbox.Offer { outbox.overflow(StageTimes(kernel: 99)) }
  var waitingFrames: Int { outbox.waitingFrames }
  var unacknowledged: Int { outbox.unacknowledged }
  var oldestFlight: UInt64? { outbox.oldestFlight }

  private func load(_ contacts: [Contact], _ device: UInt32) {
    out.removeAll()
    for contact in contacts {
      _ = out.append(RoutedContact(contact: contact, device: device, display: 0, client: 5))
    }
  }

  /// The client acknowledges all it was sent; what waits goes out as far as it may.
  func acknowledgeAll() throws {
    let isKnown = outbox.acknowledge(upTo: serial)
    #expect(isKnown)
    try flush()
  }

  func flush() throws {
    while outbox.canSend {
      let front = outbox.front
      let contacts = (0..<front.contactCount).map { outbox.frontContact($0) }
      let samples = (0..<front.contactCount * front.historyCount).map { outbox.frontSample($0) }
      serial += 1
      try note(contacts, samples, front.device)
      outbox.noteFrontSent(serial: serial, time: time)
    }
  }

  private func note(
    _ contacts: [Contact], _ samples: [HistorySample], _ device: UInt32
  ) throws {
    try checker.accept(contacts, device: device)
    var line = contacts.map { "\($0.id) \($0.phase) \(Int($0.position.x))" }.joined(separator: ", ")
    if !samples.isEmpty {
      let steps = samples.map { "\(Int($0.position.x))@\($0.timeNanoseconds)" }
      line += " after " + steps.joined(separator: " ")
    }
    sent.append(line)
  }
}

@Suite struct `What waits for a client` {
  private func at(_ x: Double, _ phase: ContactPhase = .motion, id: UInt64 = 1) -> Contact {
    contact(id, phase, x, 0, slot: Int32(id))
  }

  /// An outbox whose client was sent a down and seven motions and has acknowledged nothing.
  private func busy(history: Int = 16) throws -> OutboxBench {
    let bench = OutboxBench(history: history)
    #expect(try bench.offer([at(0, .down)]) == .sendNow)
    for x in 1...7 { #expect(try bench.offer([at(Double(x))]) == .sendNow) }
    bench.sent = []
    return bench
  }

  @Test func `a client that keeps up gets each frame at once`() throws {
    let bench = OutboxBench()
    #expect(try bench.offer([at(0, .down)]) == .sendNow)
    #expect(bench.acknowledge(upTo: 1))
    #expect(try bench.offer([at(1, .up)]) == .sendNow)
    #expect(bench.sent == ["1 down 0", "1 up 1"])
    #expect(bench.waitingFrames == 0)
  }

  @Test func `a frame without contacts for the client is no frame for it`() throws {
    let bench = OutboxBench()
    #expect(try bench.offer([]) == nil)
    #expect(bench.sent.isEmpty)
  }

  @Test func `the ninth frame waits until one is acknowledged`() throws {
    let bench = try busy()
    #expect(try bench.offer([at(8)]) == .waits)
    #expect(bench.unacknowledged == 8)
    #expect(bench.acknowledge(upTo: 1))
    try bench.flush()
    #expect(bench.sent == ["1 motion 8"])
  }

  @Test func `motions that wait merge and leave their positions as history`() throws {
    let bench = try busy()
    for x in 8...11 { #expect(try bench.offer([at(Double(x))]) == .waits) }
    #expect(bench.waitingFrames == 1)
    try bench.acknowledgeAll()
    #expect(bench.sent == ["1 motion 11 after 8@9 9@10 10@11"])
  }

  @Test func `a client that wants no history gets the newest position alone`() throws {
    let bench = try busy(history: 0)
    for x in 8...11 { #expect(try bench.offer([at(Double(x))]) == .waits) }
    try bench.acknowledgeAll()
    #expect(bench.sent == ["1 motion 11"])
  }

  @Test func `history keeps the newest steps`() throws {
    let bench = try busy(history: 2)
    for x in 8...12 { #expect(try bench.offer([at(Double(x))]) == .waits) }
    try bench.acknowledgeAll()
    #expect(bench.sent == ["1 motion 12 after 10@11 11@12"])
  }

  @Test func `motions merge on when what waits was moved to make room for history`() throws {
    func all(_ x: Double, _ phase: ContactPhase = .motion, of count: UInt64) -> [Contact] {
      (1...count).map { at(x, phase, id: $0) }
    }
    let bench = OutboxBench()
    #expect(try bench.offer(all(0, .down, of: 70)) == .sendNow)
    for x in 1...7 { #expect(try bench.offer(all(Double(x), of: 70)) == .sendNow) }
    // A frame that merges with nothing, before one that does; then the first goes out.
    #expect(try bench.offer(all(7, .still, of: 70) + [at(0, .down, id: 71)]) == .waits)
    #expect(try bench.offer(all(8, of: 71)) == .waits)
    #expect(bench.acknowledge(upTo: 1))
    try bench.flush()
    for x in 9...30 { #expect(try bench.offer(all(Double(x), of: 71)) == .waits) }
    try bench.acknowledgeAll()
    #expect(bench.waitingFrames == 0)
    #expect(bench.sent.last?.hasPrefix("1 motion 30, 2 motion 30, ") == true)
  }

  @Test func `down and up are never merged and keep motions apart`() throws {
    let bench = try busy()
    for contacts in [
      [at(8)], [at(9)], [at(9, .still), at(50, .down, id: 2)],
      [at(10), at(50, .still, id: 2)], [at(11), at(51, id: 2)],
      [at(11, .still), at(51, .up, id: 2)], [at(12)], [at(13)], [at(13, .up)],
    ] { #expect(try bench.offer(contacts) == .waits) }
    try bench.acknowledgeAll()
    #expect(
      bench.sent == [
        "1 motion 9 after 8@9", "1 still 9, 2 down 50",
        "1 motion 11, 2 motion 51 after 10@12 50@12",
        "1 still 11, 2 up 51", "1 motion 13 after 12@15", "1 up 13",
      ])
    try bench.checker.finish()
  }

  @Test func `motions of different panels do not merge`() throws {
    let bench = try busy()
    #expect(try bench.offer([at(8)]) == .waits)
    #expect(try bench.offer([at(8)], device: 2) == .waits)
    #expect(bench.waitingFrames == 2)
  }

  @Test func `a frame that found no room in the socket waits like any other`() throws {
    let bench = OutboxBench()
    #expect(bench.offerWithoutRoom([at(0, .down)]) == .waits)
    #expect(try bench.offer([at(1)]) == .waits)
    try bench.flush()
    #expect(bench.sent == ["1 down 0", "1 motion 1"])
  }

  @Test func `on overflow what was sent is cancelled and what was not is never heard of`() throws {
    let bench = try busy()
    var offer: Outbox.Offer? = .waits
    var tap: UInt64 = 2
    while offer == .waits {
      offer = try bench.offer([at(7, .still), at(3, .down, id: tap)])
      if offer == .waits { offer = try bench.offer([at(7, .still), at(3, .up, id: tap)]) }
      tap += 1
    }
    #expect(offer == .overflowed)
    // 64 frames were waiting: 32 whole taps.
    #expect(tap == 35)
    try bench.acknowledgeAll()
    #expect(bench.sent == ["1 cancel 7"])
    try bench.checker.finish()
    #expect(bench.waitingFrames == 0)
  }

  @Test func `a contact whose end still waited is cancelled on overflow`() throws {
    let bench = try busy()
    #expect(try bench.offer([at(7, .up)]) == .waits)
    #expect(bench.overflow() == .overflowed)
    try bench.acknowledgeAll()
    #expect(bench.sent == ["1 cancel 7"])
    try bench.checker.finish()
  }

  @Test func `on overflow each panel's contacts are cancelled in a frame of their own`() throws {
    let bench = OutboxBench()
    _ = try bench.offer([at(1, .down)])
    _ = try bench.offer([at(2, .down, id: 2)], device: 2)
    _ = try bench.offer([at(3, .down, id: 3)])
    #expect(bench.overflow() == .overflowed)
    bench.sent = []
    try bench.flush()
    #expect(bench.sent == ["1 cancel 1, 3 cancel 3", "2 cancel 2"])
    try bench.checker.finish()
  }

  @Test func `only a frame that is on its way can be acknowledged`() throws {
    let bench = OutboxBench()
    _ = try bench.offer([at(0, .down)])
    #expect(!bench.acknowledge(upTo: 2))
    #expect(bench.acknowledge(upTo: 1))
    #expect(!bench.acknowledge(upTo: 1))
    #expect(bench.oldestFlight == nil)
  }
}
