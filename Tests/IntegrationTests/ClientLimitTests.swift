import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchWire

@Suite(.withPrograms) struct `What a client may do` {
  @Test func `roles are those that the socket grants`() throws {
    let daemon = try DaemonProcess()
    let cases: [(String, WireRoles, String)] = [
      (daemon.appSocket, .app, "welcome as app"),
      (daemon.appSocket, [.app, .observer, .admin, .injector], "welcome as app"),
      (
        daemon.appSocket, .observer,
        "refusal 3: none of the roles asked for is granted here. Observers use admin.sock, as root "
          + "or as the daemon's own user."
      ),
      (daemon.adminSocket, [.app, .observer, .interceptor], "welcome as app and observer"),
    ]
    for (path, roles, answer) in cases {
      let client = try WireClient(path)
      client.hello(roles)
      #expect(try client.next() == answer)
      if answer.hasPrefix("refusal") { #expect(try client.next() == "closed") }
    }
    #expect(try daemon.stop() == 0)
  }

  /// What a client must not send, and what it is told.
  struct Breach: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var isFirst = false
    var say: @Sendable (WireClient) -> Void
  }

  static let hint = " docs/wire.md says what is allowed."
  static let breaches = [
    Breach(testDescription: "refusal 5: the first message must be a hello", isFirst: true) {
      $0.setScenes([])
    },
    Breach(
      testDescription:
        "refusal 1: this daemon speaks version 1, the client 2 to 9. Update the older one.",
      isFirst: true
    ) { client in
      client.send {
        $0.hello(Hello(minimumVersion: 2, maximumVersion: 9, name: "new"), serial: $1)
      }
    },
    Breach(
      testDescription:
        "refusal 2: message of 3 bytes where at least 16 are required." + hint, isFirst: true
    ) { $0.send(bytes: [1, 2, 3]) },
    Breach(testDescription: "refusal 5: a second hello on one connection") { $0.hello() },
    Breach(testDescription: "refusal 5: frame 7 was not sent, or acknowledged before") {
      $0.acknowledge(7)
    },
    Breach(testDescription: "refusal 3: only an observer sees routed frames") { client in
      client.send { $0.subscribe(serial: $1) }
    },
    Breach(
      testDescription:
        "refusal 2: message starts with 0x0 instead of TBW1." + hint
    ) { $0.send(bytes: Array(repeating: 0, count: 65_536)) },
    // Longer than the daemon's buffer: it never sees the whole.
    Breach(testDescription: "refusal 2: a message of more than 65536 bytes." + hint) {
      $0.send(bytes: Array(repeating: 0, count: 65_537))
    },
    // An empty packet is the end.
    Breach(testDescription: "closed") { $0.send(bytes: []) },
  ]

  @Test func `a client that breaks a rule is told why and ended; the others go on`() throws {
    let daemon = try DaemonProcess()
    let other = try WireClient.welcomed(daemon.appSocket)
    for breach in Self.breaches {
      let client =
        breach.isFirst
        ? try WireClient(daemon.appSocket) : try WireClient.welcomed(daemon.appSocket)
      breach.say(client)
      // What comes behind the mistake must not cost the client its answer.
      client.setScenes([])
      #expect(try client.next() == breach.testDescription)
      if breach.testDescription != "closed" { #expect(try client.next() == "closed") }
      other.setScenes([.everywhere])
      #expect(try other.next() == "scenes applied")
    }
    #expect(try daemon.stop() == 0)
  }

  @Test func `a connection without a hello is ended after five seconds`() throws {
    let daemon = try DaemonProcess()
    let began = ContinuousClock.now
    let silent = try WireClient(daemon.appSocket)
    #expect(try silent.next() == "refusal 5: no hello came within 5 seconds")
    #expect(ContinuousClock.now - began >= .seconds(5))
    #expect(try silent.next() == "closed")
    _ = try WireClient.welcomed(daemon.appSocket)
    #expect(try daemon.stop() == 0)
  }

  @Test func `960 clients have a place, the next one is told, and a place that is left is taken`()
    throws
  {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 4096))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let daemon = try DaemonProcess()
    var clients: [WireClient] = []
    for _ in 0..<960 { clients.append(try WireClient.welcomed(daemon.appSocket)) }
    let late = try WireClient(daemon.appSocket)
    late.hello()
    #expect(
      try late.next() == "refusal 4: 960 clients are connected, which is the limit. Try later.")
    #expect(try late.next() == "closed")
    clients.removeLast()
    // The daemon may look at its listening socket before it sees who went.
    let deadline = Deadline()
    var answer = ""
    while answer != "welcome as app" {
      let client = try WireClient(daemon.appSocket)
      client.hello()
      answer = try client.next(by: deadline)
      try #require(answer == "welcome as app" || answer.hasPrefix("refusal 4"))
    }
    clients[0].setScenes([.everywhere])
    #expect(try clients[0].next() == "scenes applied")
    #expect(try daemon.stop() == 0)
  }

  @Test func `2,000 clients that come and go leave no descriptor behind`() throws {
    let daemon = try DaemonProcess()
    let steady = try WireClient.welcomed(daemon.appSocket)
    let before = try daemon.descriptorCount
    for number in 0..<2_000 {
      let client = try WireClient(daemon.appSocket)
      switch number % 4 {
      case 0: break  // Gone before the hello.
      case 1: client.send(bytes: [UInt8](repeating: 7, count: 20))
      case 2: client.hello()
      default:
        client.hello()
        #expect(try client.next() == "welcome as app")
        client.setScenes([.everywhere])
      }
    }
    let deadline = Deadline()
    while try daemon.descriptorCount > before {
      steady.setScenes([])
      #expect(try steady.next(by: deadline) == "scenes applied")
    }
    #expect(try daemon.descriptorCount == before)
    #expect(try daemon.stop() == 0)
  }
}
