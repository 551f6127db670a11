import LinuxIO
import Testing
import TouchModel
import TouchWire

@testable import TouchClient

@Suite struct `A connection comes about` {
  static let scene = Scene(id: 3, frame: Rect(x: 0, y: 0, width: 10, height: 20))
  static let gone = "the daemon has gone; trying again until it is back"

  @Test func `with a hello, and stands once the daemon has answered`() throws {
    let rig = ClientRig()
    #expect(rig.dispatch().isEmpty)
    #expect(try rig.daemon.messages() == [.hello(Hello(name: "test"))])
    #expect(!rig.connection.isOpen)
    let displays = [Display.fallback, Display(id: 1, name: "b", width: 10, height: 20, scale: 2)]
    rig.daemon.welcome(displays: displays)
    #expect(rig.dispatch() == [.opened(displays)])
    #expect(rig.connection.isOpen)
    #expect(rig.connection.displays == displays)
    try rig.finish()
    #expect(rig.connection.displays.isEmpty)
  }

  @Test func `scenes set before are set once it stands, and again after each return`() throws {
    let rig = ClientRig()
    rig.connection.setScenes([Self.scene])
    for _ in 0..<3 {
      rig.wait(milliseconds: 50)
      _ = rig.dispatch()
      #expect(try rig.daemon.messages() == [.hello(Hello(name: "test"))])
      rig.daemon.welcome()
      #expect(rig.dispatch() == [.opened([.fallback])])
      let set = try #require(try rig.daemon.next())
      #expect(set.message == .setScenes([Self.scene]))
      // Serials begin anew on each connection: 1 was the hello.
      #expect(set.serial == 2)
      #expect(try rig.daemon.next() == nil)
      rig.daemon.apply(2)
      #expect(rig.dispatch() == [.scenes(nil)])
      rig.daemons = []
      #expect(rig.dispatch() == [.closed(Self.gone)])
    }
  }

  @Test func `scenes set on opening take the place of those set before`() throws {
    let rig = ClientRig()
    rig.connection.setScenes([Self.scene])
    var other = Self.scene
    other.frame.width = 99
    rig.whenTold = { [unowned rig] told in
      if case .opened = told { rig.connection.setScenes([other]) }
    }
    _ = rig.dispatch()
    rig.daemon.welcome()
    _ = rig.dispatch()
    #expect(try rig.daemon.messages() == [.hello(Hello(name: "test")), .setScenes([other])])
  }

  @Test func `the answer to scenes that were replaced is not told`() throws {
    let rig = try ClientRig.opened()
    rig.connection.setScenes([Self.scene])
    rig.connection.setScenes([])
    #expect(try rig.daemon.messages() == [.setScenes([Self.scene]), .setScenes([])])
    rig.daemon.apply(2, .duplicateScene)
    rig.daemon.apply(3, .unknownDisplay)
    #expect(rig.dispatch() == [.scenes(.unknownDisplay)])
    rig.connection.setScenes([Self.scene])
    rig.daemon.apply(4, .duplicateScene)
    #expect(rig.dispatch() == [.scenes(.duplicateScene)])
  }

  @Test func `pauses between attempts grow to two seconds, and an outage is told once`() {
    let rig = ClientRig()
    rig.refusal = Errno(2)
    let reason =
      "cannot connect to /a/socket: No such file or directory (ENOENT). Is touchbridged running?"
    #expect(rig.dispatch() == [.closed(reason)])
    for pause: UInt64 in [50, 100, 200, 400, 800, 1600, 2000, 2000] {
      #expect(rig.pauseMilliseconds == pause)
      rig.wait(milliseconds: pause - 1)
      let attempts = rig.attempts
      #expect(rig.dispatch().isEmpty)
      #expect(rig.attempts == attempts)
      rig.wait(milliseconds: 1)
      #expect(rig.dispatch().isEmpty)
      #expect(rig.attempts == attempts + 1)
    }
    // Another reason is news.
    rig.refusal = Errno(13)
    rig.wait(milliseconds: 2000)
    #expect(
      rig.dispatch() == [
        .closed(
          "cannot connect to /a/socket: Permission denied (EACCES). Is touchbridged running?")
      ])
    // A connection that stood makes the next outage short again.
    rig.refusal = nil
    rig.wait(milliseconds: 2000)
    _ = rig.dispatch()
    rig.daemon.welcome()
    #expect(rig.dispatch() == [.opened([.fallback])])
    rig.daemons = []
    #expect(rig.dispatch() == [.closed(Self.gone)])
    #expect(rig.pauseMilliseconds == 50)
  }

  @Test func `a refusal is told once, though each attempt meets it`() {
    let rig = ClientRig()
    var told: [Told] = []
    for pause: UInt64 in [50, 100, 200] {
      _ = rig.dispatch()
      rig.daemon.refuse("too many clients")
      // The daemon goes with the hello unread, which the kernel reports before the refusal.
      rig.daemons = []
      told += rig.dispatch()
      #expect(rig.pauseMilliseconds == pause)
      rig.wait(milliseconds: pause)
    }
    #expect(told == [.closed("the daemon refuses: too many clients")])
  }

  /// What a daemon must not say, and what the app is told of it.
  struct Breach: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var say: @Sendable (ScriptedDaemon) -> Void
  }

  static let beforeWelcome = [
    Breach(testDescription: "the daemon sent something before its welcome") {
      $0.frame(at: 1, [contact(1, .down)])
    },
    Breach(testDescription: "the daemon speaks version 2, which was not offered") {
      $0.welcome(version: 2)
    },
    Breach(testDescription: "the daemon sent a message of 3 bytes where at least 16 are required") {
      $0.send([1, 2, 3])
    },
  ]
  static let afterWelcome = [
    Breach(testDescription: "the daemon sent a second welcome") { $0.welcome() },
    Breach(testDescription: "the daemon sent a message of type hello came from the wrong side") {
      $0.greet()
    },
    Breach(
      testDescription: "the daemon sent a message of unknown type 999 that is not marked optional"
    ) { $0.send([0x54, 0x42, 0x57, 0x31, 0xe7, 3, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0]) },
  ]

  @Test(arguments: beforeWelcome)
  func `a daemon that breaks the rules at once is left`(_ breach: Breach) {
    let rig = ClientRig()
    _ = rig.dispatch()
    breach.say(rig.daemon)
    #expect(rig.dispatch() == [.closed(breach.testDescription)])
    #expect(rig.pauseMilliseconds == 50)
  }

  @Test(arguments: afterWelcome)
  func `a daemon that breaks the rules later is left, and its contacts are cancelled`(
    _ breach: Breach
  ) throws {
    let rig = try ClientRig.opened()
    rig.daemon.frame(at: rig.time, [contact(1, .down)])
    _ = rig.dispatch()
    breach.say(rig.daemon)
    #expect(
      rig.dispatch() == [
        .frame(
          TouchFrame(timeNanoseconds: rig.time, device: 1, contacts: [contact(1, .cancel)])),
        .closed(breach.testDescription),
      ])
    rig.wait(milliseconds: 50)
    _ = rig.dispatch()
    #expect(try rig.daemon.messages() == [.hello(Hello(name: "test"))])
    try rig.finish()
  }

  @Test func `a message of unknown kind that is optional is passed over`() throws {
    let rig = try ClientRig.opened()
    rig.daemon.send([0x54, 0x42, 0x57, 0x31, 0xe7, 3, 1, 0, 16, 0, 0, 0, 1, 0, 0, 0])
    #expect(rig.dispatch().isEmpty)
    #expect(rig.connection.isOpen)
  }
}
