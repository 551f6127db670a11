import LinuxIO
import Testing
import TouchModel
import TouchWire

@testable import BridgeDaemon

@Suite struct `A session` {
  static let everywhere = Scene(id: 1, frame: Rect(x: 0, y: 0, width: 1280, height: 800))

  private func set(_ scenes: [Scene], _ client: FakeClient) {
    client.send { $0.setScenes(scenes, serial: $1) }
  }

  @Test func `is welcomed, sets scenes, gets frames and acknowledges`() throws {
    let rig = try DaemonRig()
    let client = try rig.client()
    set([Self.everywhere], client)
    rig.route(at: 1, contact(1, .down))
    #expect(try client.lines() == ["welcome 1", "scenes 2 applied", "frame of 1: 1 down"])
    client.acknowledge()
    #expect(client.session.outbox.value.unacknowledged == 0)
    rig.route(at: 2, contact(1, .up))
    #expect(try client.lines() == ["frame of 1: 1 up"])
    try client.finish()
  }

  /// What a client must not say, after its hello, and what it is told.
  struct Breach: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var roles = WireRoles.app
    var say: @Sendable (FakeClient) -> Void
  }

  static let breaches = [
    Breach(testDescription: "refusal 5: a second hello on one connection") { client in
      client.send { $0.hello(Hello(name: ""), serial: $1) }
    },
    Breach(testDescription: "refusal 3: only an observer sees routed frames") { client in
      client.send { $0.subscribe(serial: $1) }
    },
    Breach(testDescription: "refusal 3: only an app has scenes", roles: .observer) { client in
      client.send { $0.setScenes([], serial: $1) }
    },
    Breach(testDescription: "refusal 5: frame 99 was not sent, or acknowledged before") { client in
      client.acknowledge(99)
    },
    Breach(
      testDescription:
        "refusal 2: message of type welcome came from the wrong side. docs/wire.md says what is "
        + "allowed."
    ) { client in
      let welcome = Welcome(
        roles: [], capabilities: [], client: 1, maximumUnacknowledged: 8,
        staleLimitNanoseconds: 0, displays: [])
      client.send { $0.welcome(welcome, serial: $1) }
    },
  ]

  @Test(arguments: breaches)
  func `that breaks the rules is told why and ended, and no other`(_ breach: Breach) throws {
    let rig = try DaemonRig()
    let other = try rig.client()
    let client = try rig.client(breach.roles)
    _ = try client.lines()
    breach.say(client)
    // What was sent behind it goes unread; the refusal has to arrive all the same.
    #expect(try client.lines() == [breach.testDescription])
    #expect(client.isOver)
    #expect(rig.daemon.sessions.count == 1)
    #expect(rig.daemon.sessions[other.session.id] != nil)
  }

  @Test func `that sent more behind its mistake still reads why it ended`() throws {
    let rig = try DaemonRig()
    let client = try rig.client()
    _ = try client.lines()
    for _ in 0..<5 { client.post { $0.setScenes([Self.everywhere], serial: $1) } }
    client.post { $0.hello(Hello(name: ""), serial: $1) }
    for _ in 0..<50 { client.post { $0.setScenes([], serial: $1) } }
    client.session.descriptorReady(.readable)
    #expect(
      try client.lines() == [
        "scenes 2 applied", "scenes 3 applied", "scenes 4 applied", "scenes 5 applied",
        "scenes 6 applied", "refusal 5: a second hello on one connection",
      ])
    #expect(client.isOver)
  }

  @Test func `has 16 of its messages read at a turn`() throws {
    let rig = try DaemonRig()
    let client = try rig.client()
    _ = try client.lines()
    for _ in 0..<20 { client.post { $0.setScenes([], serial: $1) } }
    client.session.descriptorReady(.readable)
    #expect(try client.lines().count == 16)
    client.session.descriptorReady(.readable)
    #expect(try client.lines().count == 4)
  }

  @Test func `that acknowledges nothing gets eight frames, then merged ones`() throws {
    let rig = try DaemonRig()
    let client = try rig.client()
    set([Self.everywhere], client)
    rig.route(at: 1, contact(1, .down))
    for time in UInt64(2)...30 { rig.route(at: time, contact(1, .motion, Double(time))) }
    let down = ["welcome 1", "scenes 2 applied", "frame of 1: 1 down"]
    let motion = "frame of 1: 1 motion"
    #expect(try client.lines() == down + Array(repeating: motion, count: 7))
    client.acknowledge()
    #expect(try client.lines() == [motion])
    rig.route(at: 31, contact(1, .up))
    #expect(try client.lines() == ["frame of 1: 1 up"])
    try client.finish()
  }

  @Test func `that watches learns what it missed as soon as it makes room`() throws {
    let rig = try DaemonRig()
    let observer = try rig.client(.observer, name: "monitor")
    _ = try observer.lines()
    observer.session.socket.setSendBuffer(1)
    var id: UInt64 = 0
    func tap() {
      id += 1
      rig.route(at: id, contact(id, .down))
      rig.route(at: id, contact(id, .up))
    }
    while observer.session.lostReports == 0 { tap() }
    for _ in 0..<5 { tap() }
    let lost = observer.session.lostReports
    #expect(lost >= 11)
    let app = try rig.client(name: "app")
    #expect(try observer.lines().allSatisfy { $0.hasPrefix("report of 1, 0 lost: ") })
    observer.session.descriptorReady(.writable)
    #expect(
      try observer.lines() == [
        "report of 0, \(lost) lost: ", "client monitor is there", "client app is there",
      ])
    observer.session.descriptorReady(.writable)
    #expect(try observer.lines() == [])
    rig.route(at: id + 1, contact(id + 1, .down))
    #expect(
      try observer.lines() == ["report of 1, 0 lost: \(id + 1) down to 0 because no-scene"])
    withExtendedLifetime(app) {}
  }

  @Test func `whose backlog overflows gets one cancel a contact, on all panels`() throws {
    let rig = try DaemonRig()
    let client = try rig.client()
    let observer = try rig.client(.observer, name: "monitor")
    set([Self.everywhere], client)
    rig.route(device: 1, at: 1, contact(1, .down))
    rig.route(device: 2, at: 2, contact(2, .down))
    // Taps that nobody acknowledges: the first few go out, the others wait until the box is full.
    for id in UInt64(3)..<38 {
      rig.route(device: 3, at: id, contact(id, .down))
      rig.route(device: 3, at: id, contact(id, .up))
    }
    #expect(client.session.outbox.value.waitingFrames == 64)
    _ = try client.lines()
    _ = try observer.lines()
    // The scene goes: each panel's cancel would have to wait, and the first overflows.
    set([], client)
    #expect(client.session.isUnresponsive)
    #expect(try client.lines() == ["scenes 3 applied"])
    let id = client.session.id
    let reports = try observer.lines()
    #expect(
      reports.sorted() == [
        "report of 1, 0 lost: 1 cancel to \(id) because none",
        "report of 2, 0 lost: 2 cancel to \(id) because none",
      ])
    client.acknowledge()
    #expect(try client.lines().sorted() == ["frame of 1: 1 cancel", "frame of 2: 2 cancel"])
    try client.finish()
  }

  @Test func `that overflows within a frame is cancelled, and observers hear of it`() throws {
    let rig = try DaemonRig()
    let client = try rig.client()
    let observer = try rig.client(.observer, name: "monitor")
    set([Self.everywhere], client)
    rig.route(device: 1, at: 1, contact(1, .down))
    for id in UInt64(2)..<37 {
      rig.route(device: 3, at: id, contact(id, .down))
      rig.route(device: 3, at: id, contact(id, .up))
    }
    rig.route(device: 3, at: 40, contact(40, .down))
    _ = try observer.lines()
    let id = client.session.id
    rig.route(device: 3, at: 41, contact(40, .up))
    #expect(client.session.isUnresponsive)
    #expect(
      try observer.lines() == [
        "report of 3, 0 lost: 40 up to \(id) because none",
        "report of 1, 0 lost: 1 cancel to \(id) because none",
      ])
    rig.route(device: 1, at: 42, contact(1, .motion))
    rig.route(device: 3, at: 42, contact(41, .down))
    #expect(
      try observer.lines() == [
        "report of 1, 0 lost: 1 motion to 0 because client-unresponsive",
        "report of 3, 0 lost: 41 down to 0 because client-unresponsive",
      ])
    _ = try client.lines()
    client.acknowledge()
    #expect(!client.session.isUnresponsive)
    // Of contact 5 the down had gone out, its up was in the backlog.
    #expect(try client.lines() == ["frame of 1: 1 cancel", "frame of 3: 5 cancel"])
    rig.route(device: 1, at: 43, contact(50, .down))
    #expect(try client.lines() == ["frame of 1: 50 down"])
  }

  @Test func `of an observer that does not read loses reports, and hears how many`() throws {
    let rig = try DaemonRig()
    let observer = try rig.client(.observer, name: "monitor")
    _ = try observer.lines()
    // Far more than a socket holds.
    for time in UInt64(1)...3_000 { rig.route(at: time, contact(1, .motion)) }
    let first = try observer.lines()
    #expect(first.allSatisfy { $0.hasPrefix("report of 1, 0 lost") })
    #expect(first.count < 3_000)
    rig.route(at: 4_000, contact(1, .up))
    let lost = 3_000 - first.count
    #expect(
      try observer.lines() == [
        "report of 1, \(lost) lost: 1 up to 0 because too-many-contacts"
      ])
  }
}
