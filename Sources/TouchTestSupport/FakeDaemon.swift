private import Glibc
import LinuxIO
public import TouchModel
import TouchRouting
import TouchWire

/// A daemon within the test's own process, for the tests of apps: no panel, no service, no thread.
///
///     let daemon = try FakeDaemon()
///     let connection = try TouchConnection(name: "app", path: daemon.path)
///     connection.setScenes([Scene(id: 1, frame: Rect(x: 0, y: 0, width: 1280, height: 800))])
///     daemon.serve { connection.dispatchPending() }
///     daemon.play(touch.tap(at: CGPoint(x: 10, y: 20)))
///     daemon.serve { connection.dispatchPending() }
///
/// It speaks the real wire and decides with the real router who gets a contact; it has no outbox, so
/// a client must read what it is sent. Frames carry the time at which they are sent, so that none is
/// stale, unless `staleLimit` and a script of the past ask for it.
///
/// - Ownership: owns its sockets and their folder, which go with it.
public final class FakeDaemon {
  private final class Client {
    let socket: PacketSocket
    let id: UInt32
    var name = ""
    var serial: UInt32 = 0
    var unacknowledged: [UInt32] = []
    var coveredOn: Set<UInt32> = []

    init(_ socket: PacketSocket, id: UInt32) {
      self.socket = socket
      self.id = id
    }

    func nextSerial() -> UInt32 {
      serial += 1
      return serial
    }
  }

  /// Where clients connect.
  public let path: String
  /// The displays that clients are told of.
  public private(set) var displays: [Display]
  /// The age at which clients drop a contact, in nanoseconds; 0 for never.
  public var staleLimit: UInt64

  private let folder: String
  private var listener: PacketListener?
  private var clients: [Client] = []
  private var nextClient: UInt32 = 1
  private var nextContact: UInt64 = 1
  private var nextDevice: UInt32 = 1
  private var router: Router
  private var deliveries = DeliveryBuffer(capacity: Router.maximumDecisions)
  private let writer = PacketWriter()
  private var checkers: [UInt32: TouchStreamChecker] = [:]

  /// The names of the clients that are connected, in the order in which they came.
  public var clientNames: [String] { clients.map(\.name) }

  /// How many frames the clients have been sent and have not acknowledged.
  public var unacknowledgedFrames: Int { clients.reduce(0) { $0 + $1.unacknowledged.count } }

  /// Starts to listen in a folder of its own below `/tmp`.
  ///
  /// - Errors: a sentence if the system has no room for a folder or a socket.
  public init(
    displays: [Display] = [.fallback], staleLimit: UInt64 = 0
  ) throws(FakeDaemonError) {
    var template = Array("/tmp/touchbridge-fake.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw FakeDaemonError(description: "cannot make a folder in /tmp: \(Errno.current)")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = folder + "/app.sock"
    self.displays = displays
    self.staleLimit = staleLimit
    router = Router(displays: displays)
    try listen()
  }

  deinit {
    listener = nil
    rmdir(folder)
  }

  private func listen() throws(FakeDaemonError) {
    do throws(SystemError) {
      listener = try PacketListener(path: path, mode: 0o600)
    } catch {
      throw FakeDaemonError(description: "\(error)")
    }
  }

  // MARK: Coming and going

  /// Goes, as a daemon that is killed: connections end without a word.
  public func goAway() {
    for client in clients { router.remove(client: client.id) }
    clients = []
    listener = nil
  }

  /// Comes back at the same place.
  ///
  /// - Errors: a sentence if the socket cannot be made.
  public func comeBack() throws(FakeDaemonError) { try listen() }

  /// Replaces the displays, as a daemon does whose display is turned, and tells the clients.
  public func change(displays: [Display]) {
    self.displays = displays
    router.setDisplays(displays, into: &deliveries)
    deliver(at: MonotonicClock.now())
    for client in clients {
      send(writer.displaysChanged(displays, serial: client.nextSerial()), to: client)
    }
  }

  // MARK: Serving

  /// Answers clients and lets them work in turn, until nobody has anything left to say.
  ///
  /// - Parameter work: what the test's clients do when their descriptors are readable, such as
  ///   `dispatchPending`; it must not wait.
  public func serve(_ work: () -> Void) {
    // Each round is an answer to an answer; handshake, scenes and frames take three.
    for _ in 0..<16 {
      work()
      guard answer() else { return }
    }
  }

  /// Takes what clients have said.
  ///
  /// - Returns: whether there was anything.
  @discardableResult
  public func answer() -> Bool {
    var hasWorked = false
    while let listener, let socket = try? listener.accept() {
      clients.append(Client(socket, id: nextClient))
      nextClient += 1
      hasWorked = true
    }
    for client in clients where read(client) { hasWorked = true }
    return hasWorked
  }

  private func read(_ client: Client) -> Bool {
    var hasRead = false
    withUnsafeTemporaryAllocation(byteCount: WireFormat.maximumLength, alignment: 8) { buffer in
      while true {
        switch client.socket.receive(into: buffer) {
        case .done(let count):
          hasRead = true
          take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), from: client)
        case .wouldBlock: return
        case .closed, .failed:
          forget(client)
          return
        }
      }
    }
    return hasRead
  }

  private func forget(_ client: Client) {
    router.remove(client: client.id)
    clients.removeAll { $0 === client }
    tellActivation()
  }

  /// Tells the clients that others have covered, or no longer do.
  private func tellActivation() {
    for display in displays {
      let covered = router.coveredClients(of: display.id)
      for client in clients {
        let isCovered = covered.contains(client.id)
        guard isCovered != client.coveredOn.contains(display.id) else { continue }
        if isCovered {
          client.coveredOn.insert(display.id)
          router.withdraw(from: [client.id], on: display.id, into: &deliveries)
          deliver(at: MonotonicClock.now())
        } else {
          client.coveredOn.remove(display.id)
        }
        let notice = ActivationNotice(
          display: display.id, activation: isCovered ? .inactive : .active)
        send(writer.activation(notice, serial: client.nextSerial()), to: client)
      }
    }
  }

  private func take(_ packet: UnsafeRawBufferPointer, from client: Client) {
    // What no daemon would understand ends the connection, as there.
    guard let decoded = try? ClientMessage.decode(packet) else { return forget(client) }
    switch decoded.message {
    case .hello(let hello):
      client.name = hello.name
      let welcome = Welcome(
        roles: .app, capabilities: [], client: client.id, maximumUnacknowledged: 8,
        staleLimitNanoseconds: staleLimit, displays: displays)
      send(writer.welcome(welcome, serial: client.nextSerial()), to: client)
    case .setScenes(let scenes): set(scenes, of: client, serial: decoded.serial)
    case .acknowledge(let word):
      let last = word.frameSerial
      client.unacknowledged.removeAll { $0 <= last }
    case .subscribe, .statusRequest, .rotateDisplay, .capturePanel, .readConfiguration:
      forget(client)
    }
  }

  private func set(_ scenes: [Scene], of client: Client, serial: UInt32) {
    var result = ScenesApplied.Result.applied
    do throws(SceneFault) {
      try router.setScenes(scenes, of: client.id, into: &deliveries)
      deliver(at: MonotonicClock.now())
      tellActivation()
    } catch {
      switch error {
      case .unknownDisplay: result = .unknownDisplay
      case .duplicateScene: result = .duplicateScene
      }
    }
    let applied = ScenesApplied(scenesSerial: serial, result: result)
    send(writer.scenesApplied(applied, serial: client.nextSerial()), to: client)
  }

  // MARK: Fingers

  /// Plays a script on a panel of its own; each frame goes to the clients that it belongs to.
  ///
  /// Times are those of the script from now on; nothing waits.
  public func play(_ script: TouchScript) {
    var panel = ScriptedPanel(nextID: nextContact, device: nextDevice)
    nextDevice += 1
    let start = MonotonicClock.now()
    for entry in script.steps {
      let time = start + entry.at.nanoseconds
      switch entry.step {
      case .frame(let changes): route(panel.frame(changes, at: time))
      case .unplug:
        if let frame = panel.cancelAll(at: time) { route(frame) }
      case .drop, .call: break
      }
    }
    nextContact = panel.nextID
  }

  private func route(_ frame: TouchFrame) {
    var buffer = FrameBuffer(capacity: frame.contacts.count)
    guard buffer.load(frame) else { return }
    router.route(&buffer, into: &deliveries)
    deliver(at: frame.timeNanoseconds)
  }

  private func deliver(at time: UInt64) {
    for client in clients {
      var devices: [UInt32] = []
      for decision in deliveries.decisions
      where decision.client == client.id && !devices.contains(decision.device) {
        devices.append(decision.device)
      }
      for device in devices { deliver(to: client, device: device, at: time) }
    }
  }

  private func deliver(to client: Client, device: UInt32, at time: UInt64) {
    let decisions = deliveries.decisions.filter {
      $0.client == client.id && $0.device == device
    }
    let frame = TouchFrame(
      timeNanoseconds: time, device: device, display: decisions.first?.display ?? 0,
      contacts: decisions.map(\.contact))
    do throws(TouchStreamFault) {
      try checkers[client.id, default: TouchStreamChecker()].accept(frame)
    } catch {
      preconditionFailure("the script breaks a law of touch streams: \(error)")
    }
    let serial = client.nextSerial()
    let body = writer.beginFrame(
      times: StageTimes(kernel: time, read: time, routed: time), device: device,
      display: frame.display, contacts: decisions.count)
    for (index, decision) in decisions.enumerated() {
      body.put(contact: decision.contact, at: index)
    }
    send(body.finish(sent: time, serial: serial), to: client)
    client.unacknowledged.append(serial)
  }

  private func send(_ packet: UnsafeRawBufferPointer, to client: Client) {
    let result = client.socket.send(packet)
    precondition(
      result != .wouldBlock, "client \(client.name) reads nothing; call serve between scripts")
  }
}

/// Why a fake daemon cannot be had.
public struct FakeDaemonError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What failed.
  public let description: String
}
