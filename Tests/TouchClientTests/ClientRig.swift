import LinuxIO
import Testing
import TouchModel
import TouchWire

@testable import TouchClient

/// What an app is told, in order.
enum Told: Equatable {
  case opened([Display])
  case frame(TouchFrame)
  case scenes(ScenesFault?)
  case closed(String)
  case became(Activation, on: UInt32)
}

/// A connection, the daemon's ends of its sockets, and a clock that the test turns.
final class ClientRig: TouchConnectionDelegate {
  /// The time, in nanoseconds.
  var time: UInt64 = 10_000_000_000
  /// Why connecting fails; nil if it does not.
  var refusal: Errno?
  /// What is done to the client's end of a socket before the client gets it.
  var prepare: (PacketSocket) -> Void = { _ in }
  /// The daemon's ends, one a connection.
  var daemons: [ScriptedDaemon] = []
  var attempts = 0
  /// Everything since the test last took it.
  private var told: [Told] = []
  /// What the test does when the app is told something.
  var whenTold: (Told) -> Void = { _ in }
  private var checker = TouchStreamChecker()

  private(set) lazy var connection: TouchConnection = makeConnection()

  private func makeConnection() -> TouchConnection {
    do {
      let connection = try TouchConnection(
        name: "test", clock: { [unowned self] in time },
        connect: { [unowned self] () throws(SystemError) in try connect() })
      connection.delegate = self
      return connection
    } catch {
      fatalError("no connection for the test: \(error)")
    }
  }

  private func connect() throws(SystemError) -> PacketSocket {
    attempts += 1
    if let refusal { throw SystemError("connect to /a/socket", refusal) }
    let (client, daemon) = try PacketSocket.pair()
    daemons.append(ScriptedDaemon(daemon))
    prepare(client)
    return client
  }

  /// The daemon's end of the present connection.
  var daemon: ScriptedDaemon { daemons[daemons.count - 1] }

  /// Connects, and is welcomed.
  static func opened(staleLimit: UInt64 = 1_000_000_000) throws -> ClientRig {
    let rig = ClientRig()
    rig.connection.dispatchPending()
    rig.daemon.welcome(staleLimit: staleLimit)
    rig.connection.dispatchPending()
    #expect(rig.take() == [.opened([.fallback])])
    #expect(try rig.daemon.messages() == [.hello(Hello(name: "test"))])
    return rig
  }

  /// What the app has been told since the last call.
  func take() -> [Told] {
    defer { told = [] }
    return told
  }

  /// Lets the connection work, and hands out what the app was told.
  func dispatch() -> [Told] {
    connection.dispatchPending()
    return take()
  }

  /// Lets so much time pass.
  func wait(milliseconds: UInt64) { time += milliseconds * 1_000_000 }

  /// How long it is to the next attempt to connect.
  var pauseMilliseconds: UInt64 { (connection.attemptAt - time) / 1_000_000 }

  /// Ends the daemon's end, and the stream: nothing may be left down.
  func finish() throws {
    daemons = []
    connection.dispatchPending()
    try checker.finish()
  }

  // MARK: TouchConnectionDelegate

  private func note(_ event: Told) {
    told.append(event)
    whenTold(event)
  }

  func connection(_ connection: TouchConnection, didOpenWith displays: [Display]) {
    note(.opened(displays))
  }

  func connection(_ connection: TouchConnection, didReceive frame: borrowing FrameBuffer) {
    let frame = frame.frame()
    #expect(throws: Never.self) { try checker.accept(frame) }
    note(.frame(frame))
  }

  func connection(_ connection: TouchConnection, didApplyScenes fault: ScenesFault?) {
    note(.scenes(fault))
  }

  func connection(
    _ connection: TouchConnection, didBecome activation: Activation, on display: UInt32
  ) { note(.became(activation, on: display)) }

  func connection(_ connection: TouchConnection, didCloseBecause reason: String) {
    // Another daemon may count contacts from 1 again, so each connection is a stream of its own.
    #expect(throws: Never.self) { try checker.finish() }
    checker = TouchStreamChecker()
    note(.closed(reason))
  }
}
