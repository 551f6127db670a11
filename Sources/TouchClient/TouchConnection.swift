// Where this module sits: ... routing -> socket -> *app*. One connection to the daemon.

import Glibc
import LinuxIO
import TouchModel
import TouchWire

/// What a connection tells its owner; all calls come from within `dispatchPending`.
public protocol TouchConnectionDelegate: AnyObject {
  /// The daemon has answered: these displays are there.
  ///
  /// Scenes set before are set again right after the call, unless others are set within it.
  func connection(_ connection: TouchConnection, didOpenWith displays: [Display])
  /// The displays have changed: one was turned, or came or went. Scenes stay as they are, but for
  /// those on a display that went; whoever wants others sets them.
  func connection(_ connection: TouchConnection, displaysDidChange displays: [Display])
  /// Contacts changed. The frame is valid during the call only.
  func connection(_ connection: TouchConnection, didReceive frame: borrowing FrameBuffer)
  /// The scenes set last are in force, or the reason why they are not.
  func connection(_ connection: TouchConnection, didApplyScenes fault: ScenesFault?)
  /// The daemon is gone or has refused; what was down has been cancelled by frames before.
  func connection(_ connection: TouchConnection, didCloseBecause reason: String)
  /// The app has come to the front of a display, or was covered there.
  ///
  /// Told only when it changes, and not while the daemon is gone; an app is active at first.
  func connection(
    _ connection: TouchConnection, didBecome activation: Activation, on display: UInt32)
}

extension TouchConnectionDelegate {
  /// Does nothing.
  public func connection(
    _ connection: TouchConnection, didBecome activation: Activation, on display: UInt32
  ) {}

  /// Does nothing.
  public func connection(_ connection: TouchConnection, displaysDidChange displays: [Display]) {}
}

/// Why the daemon did not take a set of scenes.
public enum ScenesFault: Error, Equatable, Sendable {
  /// A scene lies on a display that the daemon does not have.
  case unknownDisplay
  /// Two scenes have the same number.
  case duplicateScene
}

/// A connection to the daemon that stands up again by itself.
///
/// Wait for `descriptor` to become readable, then call `dispatchPending`; that is all an app's
/// loop has to do. When the daemon goes, the connection cancels what was down, tries again with
/// growing pauses and sets its scenes anew. It runs on one thread.
///
/// A contact whose down is older than the daemon's stale limit when it is read is dropped whole:
/// no tap fires long after the finger.
///
/// - Ownership: owns its socket; the delegate is not retained.
public final class TouchConnection {
  /// The environment variable that names another socket.
  public static let socketVariable = "TOUCHBRIDGE_SOCKET"
  /// Where the daemon listens for apps.
  public static let standardSocket = "/run/touchbridge/app.sock"

  /// Whom to tell.
  public weak var delegate: (any TouchConnectionDelegate)?
  /// Whether the daemon has answered and has not gone since.
  public var isOpen: Bool { stage == .open }
  /// The displays of the daemon, empty while there is none.
  public private(set) var displays: [Display] = []
  /// Whether `dispatchPending` itself acknowledges what it handed to the delegate; true at first.
  ///
  /// Who only queues frames there sets it to false and calls `acknowledge` once they are handled.
  public var acknowledgesAutomatically = true

  private enum Stage {
    case waiting
    case greeting
    case open
    case ended
  }

  private let name: String
  private let connect: () throws(SystemError) -> PacketSocket
  private let now: () -> UInt64
  private let poller: Poller
  private let timer: DeadlineTimer
  private let writer = PacketWriter()
  private let packet: UnsafeMutableRawBufferPointer

  private var stage = Stage.waiting
  private var isDispatching = false
  private var socket: PacketSocket?
  private var pause = TouchConnection.firstPause
  /// When the next attempt to connect is due; it has a meaning while there is no socket.
  private(set) var attemptAt: UInt64 = 0
  private var lastReason: String?

  // What the daemon is told.
  private var lastSerial: UInt32 = 0
  private var scenes: [Scene] = []
  private var sceneSerial: UInt32?
  private var scenesWait = false
  private var areScenesApplied = false
  /// Whether the delegate was handed a frame that `acknowledge` has not been called for.
  private var owesHandling = false
  private var acknowledgements = AcknowledgementState()
  private var waitsForRoom = false

  // Where the app is in front: as the daemon said on this connection, and as the app was told.
  private var activations: [UInt32: Activation] = [:]
  private var toldActivations: [UInt32: Activation] = [:]

  // What the app is told.
  private var staleLimit: UInt64 = 0
  private var contacts = LiveContacts()
  private var frame = FrameBuffer(capacity: WireFormat.maximumContacts)

  // From a blink to what a person waits for without wondering.
  private static let firstPause: UInt64 = 50_000_000
  private static let longestPause: UInt64 = 2_000_000_000
  private static let socketToken: UInt64 = 1
  private static let timerToken: UInt64 = 2
  // Far more than the daemon sends ahead; the app's loop has other things to do as well.
  private static let messagesPerTurn = 64

  /// Prepares a connection to the daemon of this machine; the first attempt is due at once.
  ///
  /// - Parameters:
  ///   - name: the app's name, for people; a claim.
  ///   - path: the daemon's socket; nil for `TOUCHBRIDGE_SOCKET`, else the standard one.
  /// - Errors: `SystemError` if the process has no descriptors left.
  public convenience init(name: String, path: String? = nil) throws(SystemError) {
    let path = path ?? environment(Self.socketVariable) ?? Self.standardSocket
    try self.init(name: name) { () throws(SystemError) in try PacketSocket.connect(to: path) }
  }

  /// Prepares a connection over sockets and a clock of the caller's, for tests.
  public init(
    name: String, clock now: @escaping () -> UInt64 = MonotonicClock.now,
    connect: @escaping () throws(SystemError) -> PacketSocket
  ) throws(SystemError) {
    self.name = name
    self.connect = connect
    self.now = now
    poller = try Poller(capacity: 2)
    timer = try DeadlineTimer()
    packet = .allocate(byteCount: WireFormat.maximumLength, alignment: 8)
    try poller.add(timer.descriptor, token: Self.timerToken)
    timer.set(1)
  }

  deinit {
    if let socket { poller.remove(socket.descriptor) }
    packet.deallocate()
  }

  /// The descriptor to wait for; readable when `dispatchPending` has work. It never changes.
  public var descriptor: Int32 { poller.descriptor }

  /// Ends the connection for good: what is down is cancelled, by frames to the delegate, which hears
  /// nothing more after them. The daemon is not tried again.
  ///
  /// Called from within one of the delegate's methods, the cancels come when `dispatchPending` ends.
  public func invalidate() {
    guard stage != .ended else { return }
    leave()
    stage = .ended
    timer.consume()
    timer.set(nil)
    if !isDispatching { sayFarewell() }
  }

  private func sayFarewell() {
    cancelLiveContacts()
    delegate = nil
  }

  // MARK: Scenes

  /// Sets the scenes, all at once; they are set anew whenever the daemon comes back.
  ///
  /// - Errors: more scenes or rectangles than the wire carries, or one that is not finite or of
  ///   negative size, is a mistake of the caller's.
  public func setScenes(_ scenes: [Scene]) {
    self.scenes = scenes
    if stage == .open { sendScenes() }
  }

  private func sendScenes() {
    let serial = nextSerial()
    guard let message = writer.setScenes(scenes, serial: serial) else {
      preconditionFailure(
        "at most \(WireFormat.maximumScenes) scenes and \(WireFormat.maximumRects) rectangles, "
          + "all finite and none of negative size")
    }
    sceneSerial = serial
    scenesWait = !send(message)
  }

  // MARK: Working

  /// Does what is due without waiting: connects, reads, tells the delegate.
  ///
  /// A call from within one of the delegate's methods does nothing: what is due is done after it.
  public func dispatchPending() {
    guard !isDispatching, stage != .ended else { return }
    isDispatching = true
    defer {
      isDispatching = false
      if stage == .ended { sayFarewell() }
    }
    for index in 0..<poller.wait(milliseconds: 0) {
      if poller.token(index) == Self.timerToken {
        timer.consume()
      } else {
        if poller.readiness(index).contains(.writable) { roomAgain() }
        receive()
      }
    }
    if stage == .waiting {
      if now() >= attemptAt { tryToConnect() } else { timer.set(attemptAt) }
    }
    // What held nothing for the app is handled by having come; nobody else would say so.
    if acknowledgesAutomatically || !owesHandling { acknowledge() }
  }

  private func tryToConnect() {
    do throws(SystemError) {
      let socket = try connect()
      try poller.add(socket.descriptor, token: Self.socketToken)
      self.socket = socket
      stage = .greeting
      lastSerial = 0
      send(writer.hello(Hello(name: name), serial: nextSerial()))
    } catch {
      // That nobody is there is no news once the app knows that the daemon has gone.
      let isAbsence = [ENOENT, ECONNREFUSED].contains(error.errno.rawValue)
      retryLater(
        because: "\(error). Is touchbridged running?", isNews: !isAbsence || lastReason == nil)
    }
  }

  private func retryLater(because reason: String, isNews: Bool = true) {
    attemptAt = now() + pause
    timer.set(attemptAt)
    pause = min(pause * 2, Self.longestPause)
    // One word an outage, not one an attempt.
    guard isNews, reason != lastReason else { return }
    lastReason = reason
    delegate?.connection(self, didCloseBecause: reason)
  }

  private func close(because reason: String) {
    guard socket != nil else { return }
    leave()
    cancelLiveContacts()
    contacts.beginAnew()
    // Told of the cancels the delegate may have ended the connection.
    if stage != .ended { retryLater(because: reason) }
  }

  /// Gives the socket up, and all that held for it.
  private func leave() {
    if let socket {
      poller.remove(socket.descriptor)
      socket.shutDown()
    }
    socket = nil
    stage = .waiting
    displays = []
    sceneSerial = nil
    scenesWait = false
    areScenesApplied = false
    activations = [:]
    acknowledgements = AcknowledgementState()
    waitsForRoom = false
  }

  private func cancelLiveContacts() {
    let time = now()
    // A cancel of a contact that is live breaks no law.
    while (try? contacts.takeCancels(into: &frame, at: time)) ?? false {
      delegate?.connection(self, didReceive: frame)
    }
  }

  // MARK: Receiving

  private func receive() {
    for _ in 0..<Self.messagesPerTurn {
      guard let socket else { return }
      switch socket.receive(into: packet) {
      case .done(let count):
        take(UnsafeRawBufferPointer(rebasing: packet[..<count]))
      case .wouldBlock: return
      case .closed: close(because: "the daemon has gone; trying again until it is back")
      case .failed(let errno): close(because: "cannot read from the daemon: \(errno)")
      }
    }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) {
    do throws(WireError) {
      guard let message = try ServerMessage.decode(bytes) else { return }
      switch message {
      case .refusal(let refusal): close(because: "the daemon refuses: \(refusal.text)")
      case .welcome(let welcome) where stage == .greeting: open(welcome)
      case .welcome: close(because: "the daemon sent a second welcome")
      case _ where stage != .open: close(because: "the daemon sent something before its welcome")
      case .scenesApplied(let applied): take(applied)
      case .frame(let message): take(message)
      case .displaysChanged(let displays):
        self.displays = displays
        delegate?.connection(self, displaysDidChange: displays)
      case .report, .handled, .clientNotice, .panelNotice, .statusLine, .stuckNotice,
        .displayRotated, .panelCaptured, .rawFrame, .captureEnded, .configurationRead:
        break
      case .activation(let notice):
        activations[notice.display] = notice.activation
        // Before the scenes are in force the daemon's word is not complete.
        if areScenesApplied { tellActivations() }
      }
    } catch {
      close(because: "the daemon sent a \(error)")
    }
  }

  private func open(_ welcome: Welcome) {
    guard welcome.version == WireFormat.version else {
      close(because: "the daemon speaks version \(welcome.version), which was not offered")
      return
    }
    stage = .open
    pause = Self.firstPause
    lastReason = nil
    displays = welcome.displays
    staleLimit = welcome.staleLimitNanoseconds
    delegate?.connection(self, didOpenWith: displays)
    if sceneSerial == nil, !scenes.isEmpty { sendScenes() }
  }

  private func take(_ applied: ScenesApplied) {
    // An answer to scenes that have been replaced since says nothing of the present ones.
    guard applied.scenesSerial == sceneSerial else { return }
    let fault: ScenesFault? =
      switch applied.result {
      case .applied: nil
      case .unknownDisplay: .unknownDisplay
      case .duplicateScene: .duplicateScene
      }
    if fault == nil { areScenesApplied = true }
    delegate?.connection(self, didApplyScenes: fault)
    if areScenesApplied { tellActivations() }
  }

  /// Tells the app where it stands, as far as that is news.
  private func tellActivations() {
    for display in Set(activations.keys).union(toldActivations.keys).sorted() {
      let activation = activations[display] ?? .active
      guard activation != toldActivations[display] ?? .active else { continue }
      toldActivations[display] = activation
      delegate?.connection(self, didBecome: activation, on: display)
    }
  }

  private func take(_ message: FrameMessage) {
    let time = now()
    let kernel = message.times.kernel
    let isStale = staleLimit > 0 && time > kernel && time - kernel > staleLimit
    do throws(FrameFault) {
      try contacts.check(message, isStale: isStale)
      for step in 0..<message.historyCount
      where try contacts.take(message, step: step, into: &frame) {
        owesHandling = true
        delegate?.connection(self, didReceive: frame)
      }
      let stale = try contacts.take(message, isStale: isStale, into: &frame)
      acknowledgements.received(message.serial, at: time, stale: stale)
      if frame.count > 0 {
        owesHandling = true
        delegate?.connection(self, didReceive: frame)
      }
    } catch {
      close(because: "the daemon sent an unlawful frame: \(error)")
    }
  }

  // MARK: Sending

  /// Tells the daemon that everything received so far has been handled; cheap if it knows.
  public func acknowledge() {
    owesHandling = false
    guard acknowledgements.hasUnhandled else { return }
    acknowledgements.handled(at: now())
    sendAcknowledgement()
  }

  private func sendAcknowledgement() {
    guard let acknowledgement = acknowledgements.waiting, !waitsForRoom, stage == .open else {
      return
    }
    if send(writer.acknowledge(acknowledgement, serial: nextSerial())) {
      acknowledgements.sent()
    }
  }

  private func nextSerial() -> UInt32 {
    lastSerial = lastSerial == .max ? 1 : lastSerial + 1
    return lastSerial
  }

  @discardableResult
  private func send(_ message: UnsafeRawBufferPointer) -> Bool {
    guard let socket else { return false }
    switch socket.send(message) {
    case .done: return true
    case .wouldBlock:
      // Only a stopped daemon lets it come to this; what matters is said once there is room.
      waitsForRoom = true
      try? poller.modify(
        socket.descriptor, token: Self.socketToken, for: [.readable, .writable])
      return false
    case .closed, .failed:
      // What the daemon said last, a refusal perhaps, is still to be read; reading finds the end.
      return false
    }
  }

  private func roomAgain() {
    guard let socket, waitsForRoom else { return }
    waitsForRoom = false
    try? poller.modify(socket.descriptor, token: Self.socketToken, for: .readable)
    if stage == .greeting {
      send(writer.hello(Hello(name: name), serial: nextSerial()))
      return
    }
    if scenesWait { sendScenes() }
    sendAcknowledgement()
  }
}
