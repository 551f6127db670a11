import Testing
import TouchModel
import TouchWire

@testable import TouchClient

@Suite struct `Frames reach the app` {
  @Test func `in order, merged steps first and with their own times`() throws {
    let rig = try ClientRig.opened()
    let time = rig.time
    rig.daemon.frame(at: time, [contact(1, .down, 5, 5), contact(2, .down, 90, 90)])
    rig.daemon.frame(
      at: time + 30, [contact(1, .motion, 8, 8), contact(2, .still, 90, 90)],
      history: [10, 20].map { step in
        [
          HistorySample(
            timeNanoseconds: time + step, position: Point(x: 5 + Double(step) / 10, y: 5),
            pressure: 0.5, major: 3),
          HistorySample(timeNanoseconds: time + step, position: Point(x: 90, y: 90)),
        ]
      })
    rig.daemon.frame(at: time + 40, [contact(1, .up, 8, 8), contact(2, .still, 90, 90)])
    rig.daemon.frame(at: time + 50, [contact(2, .up, 90, 90)])
    func step(_ x: Double) -> Contact {
      var step = contact(1, .motion, x, 5)
      step.pressure = 0.5
      step.major = 3
      return step
    }
    #expect(
      rig.dispatch() == [
        told(time, contact(1, .down, 5, 5), contact(2, .down, 90, 90)),
        told(time + 10, step(6), contact(2, .motion, 90, 90)),
        told(time + 20, step(7), contact(2, .motion, 90, 90)),
        told(time + 30, contact(1, .motion, 8, 8), contact(2, .still, 90, 90)),
        told(time + 40, contact(1, .up, 8, 8), contact(2, .still, 90, 90)),
        told(time + 50, contact(2, .up, 90, 90)),
      ])
    try rig.finish()
  }

  @Test func `what comes of an unknown contact is ignored, and acknowledged all the same`() throws {
    let rig = try ClientRig.opened()
    let time = rig.time
    rig.daemon.frame(at: time, [contact(1, .motion), contact(2, .up), contact(3, .cancel)])
    #expect(rig.dispatch().isEmpty)
    rig.daemon.frame(at: time, [contact(4, .down), contact(1, .still)])
    #expect(rig.dispatch() == [told(time, contact(4, .down))])
    #expect(
      try rig.daemon.messages() == [
        .acknowledge(Acknowledgement(frameSerial: 2, readTime: time, doneTime: time)),
        .acknowledge(Acknowledgement(frameSerial: 3, readTime: time, doneTime: time)),
      ])
    try rig.finish()
  }

  @Test func `are acknowledged once a turn, with when they were read and handled`() throws {
    let rig = try ClientRig.opened()
    let time = rig.time
    rig.daemon.frame(at: time, [contact(1, .down)])
    rig.daemon.frame(at: time, [contact(1, .motion)])
    let last = rig.daemon.frame(at: time, [contact(1, .up)])
    // The app takes a while for each frame.
    rig.whenTold = { [unowned rig] _ in rig.time += 7 }
    _ = rig.dispatch()
    #expect(
      try rig.daemon.messages() == [
        .acknowledge(
          Acknowledgement(frameSerial: last, readTime: time + 14, doneTime: time + 21))
      ])
    // Nothing new, nothing to say.
    _ = rig.dispatch()
    #expect(try rig.daemon.messages().isEmpty)
    try rig.finish()
  }

  @Test func `are acknowledged when the app says so, if it wants that`() throws {
    let rig = try ClientRig.opened()
    let time = rig.time
    rig.connection.acknowledgesAutomatically = false
    let first = rig.daemon.frame(at: time, [contact(1, .down)])
    _ = rig.dispatch()
    #expect(try rig.daemon.messages().isEmpty)
    rig.time += 3
    rig.connection.acknowledge()
    rig.connection.acknowledge()
    #expect(
      try rig.daemon.messages() == [
        .acknowledge(
          Acknowledgement(frameSerial: first, readTime: time, doneTime: time + 3))
      ])
    try rig.finish()
  }

  @Test func `that hold nothing for the app are acknowledged without it`() throws {
    let rig = try ClientRig.opened()
    let time = rig.time
    rig.connection.acknowledgesAutomatically = false
    // Stale as a whole, and then the rest of what was dropped.
    rig.daemon.frame(at: time - 2_000_000_000, [contact(1, .down)])
    let last = rig.daemon.frame(at: time, [contact(1, .up)])
    #expect(rig.dispatch().isEmpty)
    #expect(
      try rig.daemon.messages() == [
        .acknowledge(
          Acknowledgement(frameSerial: last, staleContacts: 1, readTime: time, doneTime: time))
      ])
    // With a frame that the app was handed the others wait for its word.
    rig.daemon.frame(at: time, [contact(2, .down)])
    rig.daemon.frame(at: time - 2_000_000_000, [contact(3, .down, slot: 3)])
    _ = rig.dispatch()
    #expect(try rig.daemon.messages().isEmpty)
    rig.connection.acknowledge()
    #expect(try rig.daemon.messages().count == 1)
    rig.daemon.frame(at: time, [contact(2, .up)])
    _ = rig.dispatch()
    try rig.finish()
  }

  @Test func `a contact that went down too long ago is dropped whole and counted once`() throws {
    let rig = try ClientRig.opened()
    let time = rig.time
    rig.daemon.frame(at: time, [contact(1, .down)])
    _ = rig.dispatch()
    rig.daemon.drain()
    rig.daemon.frame(at: time + 1, [contact(1, .still), contact(2, .down), contact(3, .down)])
    rig.daemon.frame(
      at: time + 2, [contact(1, .motion), contact(2, .motion), contact(3, .up)],
      history: [
        [1, 2, 3].map {
          HistorySample(timeNanoseconds: time + 1, position: Point(x: Double($0), y: 0))
        }
      ])
    rig.daemon.frame(at: time + 3, [contact(1, .motion), contact(2, .up)])
    // The limit itself is not too old.
    rig.time = time + 1_000_000_002
    let now = rig.time
    #expect(
      rig.dispatch() == [
        told(time + 1, contact(1, .still)),
        told(time + 1, contact(1, .motion, 1)),
        told(time + 2, contact(1, .motion)),
        told(time + 3, contact(1, .motion)),
      ])
    #expect(
      try rig.daemon.messages() == [
        .acknowledge(
          Acknowledgement(frameSerial: 5, staleContacts: 2, readTime: now, doneTime: now))
      ])
    rig.daemon.frame(at: time + 2, [contact(1, .still), contact(4, .down)])
    #expect(
      rig.dispatch() == [told(time + 2, contact(1, .still), contact(4, .down))])
    #expect(
      try rig.daemon.messages() == [
        .acknowledge(Acknowledgement(frameSerial: 6, readTime: now, doneTime: now))
      ])
    try rig.finish()
  }

  @Test func `nothing is too old where the daemon has no limit, or the clock is behind`() throws {
    let rig = try ClientRig.opened(staleLimit: 0)
    rig.time = 10_000_000_000
    rig.daemon.frame(at: 1, [contact(1, .down)])
    #expect(rig.dispatch() == [told(1, contact(1, .down))])
    try rig.finish()
    let second = try ClientRig.opened(staleLimit: 1)
    second.daemon.frame(at: second.time + 5, [contact(1, .down)])
    #expect(second.dispatch() == [told(second.time + 5, contact(1, .down))])
    try second.finish()
  }

  @Test func `when the daemon goes, what is down is cancelled once, a frame a panel`() throws {
    let rig = try ClientRig.opened()
    let time = rig.time
    rig.daemon.frame(at: time, device: 1, [contact(1, .down, 1), contact(2, .down, 2)])
    rig.daemon.frame(at: time, device: 2, [contact(3, .down, 3)])
    rig.daemon.frame(at: time, device: 1, [contact(1, .motion, 9), contact(2, .up, 2)])
    _ = rig.dispatch()
    rig.daemons = []
    rig.time += 5
    #expect(
      rig.dispatch() == [
        told(time + 5, device: 1, contact(1, .cancel, 9)),
        told(time + 5, device: 2, contact(3, .cancel, 3)),
        .closed(`A connection comes about`.gone),
      ])
    rig.wait(milliseconds: 50)
    _ = rig.dispatch()
    rig.daemon.welcome()
    #expect(rig.dispatch() == [.opened([.fallback])])
    // What the daemon still says of the old contacts is of no interest.
    rig.daemon.frame(at: time, [contact(1, .motion), contact(4, .down)])
    #expect(rig.dispatch() == [told(time, contact(4, .down))])
    // If it is another daemon, it counts from 1 again.
    rig.daemon.frame(at: time, [contact(4, .up), contact(1, .down)])
    #expect(rig.dispatch() == [told(time, contact(4, .up), contact(1, .down))])
    try rig.finish()
  }

  /// Frames that break a law of touch streams, after contact 1 went down in slot 1.
  static let unlawful: [(contacts: [Contact], reason: String)] = [
    ([contact(1, .down)], "contact 1 goes down a second time"),
    ([contact(1, .motion), contact(1, .up)], "contact 1 stands twice in one frame"),
    ([contact(2, .down), contact(2, .up)], "contact 2 stands twice in one frame"),
    (
      [contact(2, .down, slot: 1), contact(1, .up)], "contact 2 goes down in slot 1, which is taken"
    ),
    (
      [contact(2, .down, slot: 5), contact(3, .down, slot: 5)],
      "contact 3 goes down in slot 5, which is taken"
    ),
  ]

  @Test(arguments: unlawful)
  func `an unlawful frame is as if it had never come, and ends the connection`(
    _ contacts: [Contact], _ reason: String
  ) throws {
    let rig = try ClientRig.opened()
    let time = rig.time
    rig.daemon.frame(at: time, [contact(1, .down)])
    _ = rig.dispatch()
    rig.daemon.frame(at: time, contacts)
    #expect(
      rig.dispatch() == [
        told(time, contact(1, .cancel)),
        .closed("the daemon sent an unlawful frame: \(reason)"),
      ])
    try rig.finish()
  }

  @Test func `a slot that is reused within a frame is lawful`() throws {
    let rig = try ClientRig.opened()
    rig.daemon.frame(at: rig.time, [contact(1, .down)])
    _ = rig.dispatch()
    rig.daemon.frame(at: rig.time, [contact(1, .up), contact(2, .down, slot: 1)])
    #expect(rig.dispatch() == [told(rig.time, contact(1, .up), contact(2, .down, slot: 1))])
    // Another panel has slots of its own.
    rig.daemon.frame(at: rig.time, device: 2, [contact(3, .down, slot: 1)])
    #expect(rig.dispatch() == [told(rig.time, device: 2, contact(3, .down, slot: 1))])
    try rig.finish()
  }

  @Test func `a daemon that lets 257 contacts be down at once is left`() throws {
    let rig = try ClientRig.opened()
    for first: UInt64 in [1, 129] {
      rig.daemon.frame(at: rig.time, (first..<first + 128).map { contact($0, .down) })
    }
    #expect(rig.dispatch().count == 2)
    rig.daemon.frame(at: rig.time, [contact(257, .down)])
    let told = rig.dispatch()
    #expect(
      told.last
        == .closed(
          "the daemon sent an unlawful frame: more than 256 contacts are down at once"))
    #expect(told.count == 3)
    try rig.finish()
  }

  @Test func `a call from within the app's own handler does nothing`() throws {
    let rig = try ClientRig.opened()
    rig.daemon.frame(at: rig.time, [contact(1, .down)])
    rig.daemon.frame(at: rig.time, [contact(1, .up)])
    rig.whenTold = { [unowned rig] _ in rig.connection.dispatchPending() }
    #expect(
      rig.dispatch() == [
        told(rig.time, contact(1, .down)), told(rig.time, contact(1, .up)),
      ])
    try rig.finish()
  }

  @Test func `64 messages at most are read in one turn`() throws {
    let rig = try ClientRig.opened()
    for id: UInt64 in 1...50 {
      rig.daemon.frame(at: rig.time, [contact(id, .down)])
      rig.daemon.frame(at: rig.time, [contact(id, .up)])
    }
    #expect(rig.dispatch().count == 64)
    #expect(rig.dispatch().count == 36)
    try rig.finish()
  }
}
