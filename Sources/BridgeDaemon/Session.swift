import Glibc
import LinuxIO
import TouchModel
import TouchRouting
import TouchWire

/// What a session calls when its client says something.
protocol SessionOwner: AnyObject {
  func session(_ session: Session, received message: ClientMessage, serial: UInt32)
  /// An acknowledgement, the message of the frame path.
  func session(_ session: Session, handled acknowledgement: Acknowledgement)
  /// An observer that had no room has some again.
  func sessionHasRoom(_ session: Session)
  /// The client went, or sent what it may not; the reason is nil for an orderly end.
  func sessionIsOver(_ session: Session, because reason: String?)
}

/// One connection: who is there, what it was sent and what waits for it.
final class Session: DescriptorHandler {
  /// The client's number; its low bits are the place in the daemon's table.
  let id: UInt32
  let socket: PacketSocket
  let peer: PeerCredentials
  /// Whether it came through the socket for tools.
  let isAdmin: Bool
  let connectedAt: UInt64
  var watch = -1

  /// Set by the hello.
  var roles: WireRoles = []
  var name = ""
  var isOpen = false
  var hasScenes = false
  var isUnresponsive = false
  /// Whether it is still to be told which displays there are now.
  var needsDisplays = false
  /// When it last acknowledged frames while others were still on their way.
  var answeredAt: UInt64 = 0

  // What is for an app.
  let outbox = Cell(Outbox(history: 0))
  /// The serial of the frame that this dispatch sent; 0 if none.
  var dispatchedSerial: UInt32 = 0
  /// When this dispatch sent that frame.
  var dispatchedAt: UInt64 = 0
  /// The displays on which the client is covered: as it was told, and as it is.
  private var toldInactive: [UInt32] = []
  private(set) var inactive: [UInt32] = []
  #if DEBUG
    private var checker = TouchStreamChecker()
  #endif

  // What is for an observer.
  var isObserver = false
  var lostReports: UInt64 = 0
  var needsNotices = false

  // Unguarded, for the owner holds its sessions and the loop that calls them, and goes after both.
  private unowned(unsafe) let owner: any SessionOwner
  private let loop: EventLoop
  private let writer: PacketWriter
  private let buffer: PacketBuffer
  private var lastSerial: UInt32 = 0
  private var waitsForRoom = false

  init(
    id: UInt32, socket: PacketSocket, peer: PeerCredentials, isAdmin: Bool, now: UInt64,
    loop: EventLoop, writer: PacketWriter, buffer: PacketBuffer, owner: any SessionOwner
  ) {
    self.id = id
    self.socket = socket
    self.peer = peer
    self.isAdmin = isAdmin
    connectedAt = now
    self.loop = loop
    self.writer = writer
    self.buffer = buffer
    self.owner = owner
  }

  func nextSerial() -> UInt32 {
    lastSerial = lastSerial == .max ? 1 : lastSerial &+ 1
    return lastSerial
  }

  // MARK: Receiving

  func descriptorReady(_ readiness: Readiness) {
    if readiness.contains(.writable) { roomAgain() }
    for _ in 0..<DaemonLimits.messagesPerTurn {
      guard watch >= 0 else { return }
      switch socket.receive(into: buffer.bytes) {
      case .done(let count):
        let packet = UnsafeRawBufferPointer(start: buffer.bytes.baseAddress, count: count)
        if let acknowledgement = Acknowledgement(ifLawful: packet), isOpen {
          owner.session(self, handled: acknowledgement)
          // With all frames acknowledged there is most likely no more, and to ask would cost a system
          // call a frame. If there is more, the loop calls again.
          if outbox.value.unacknowledged == 0 { return }
          continue
        }
        receive(packet)
      case .wouldBlock: return
      case .closed:
        owner.sessionIsOver(self, because: nil)
        return
      case .failed(Errno(EMSGSIZE)):
        let limit = WireFormat.maximumLength
        refuse(
          Refusal(
            .malformed, "a message of more than \(limit) bytes. docs/wire.md says what is allowed.")
        )
        return
      case .failed(let errno):
        owner.sessionIsOver(self, because: "\(errno)")
        return
      }
    }
  }

  private func receive(_ packet: UnsafeRawBufferPointer) {
    do throws(WireError) {
      guard let (message, serial) = try ClientMessage.decode(packet) else { return }
      owner.session(self, received: message, serial: serial)
    } catch {
      refuse(Refusal(.malformed, "\(error). docs/wire.md says what is allowed."))
    }
  }

  /// Tells the client why, as far as there is room, and ends the session.
  func refuse(_ refusal: Refusal) {
    _ = socket.send(writer.refusal(refusal, serial: nextSerial()))
    owner.sessionIsOver(self, because: refusal.text)
  }

  // MARK: Sending

  /// Sends a message of which there is one; a client without room for it has asked too much.
  func send(_ build: (PacketWriter, UInt32) -> UnsafeRawBufferPointer) {
    switch socket.send(build(writer, nextSerial())) {
    case .done: return
    case .wouldBlock:
      owner.sessionIsOver(self, because: "does not read the answers to its own messages")
    case .closed: owner.sessionIsOver(self, because: nil)
    case .failed(let errno): owner.sessionIsOver(self, because: "\(errno)")
    }
  }

  /// Sends an observer something that may get lost when it does not keep up.
  ///
  /// - Returns: whether it went.
  func tell(_ packet: (PacketWriter, UInt32) -> UnsafeRawBufferPointer) -> Bool {
    if case .done = socket.send(packet(writer, nextSerial())) { return true }
    // Gone or slow: a gone one is noticed by its watch.
    if isObserver { waitForRoom() }
    return false
  }

  /// Tells the client where it is in front, as far as that is news; it goes out, or waits.
  func tellActivation(inactiveOn displays: [UInt32]) {
    inactive = displays
    tellActivation()
  }

  private func tellActivation() {
    guard watch >= 0 else { return }
    for display in Set(inactive).symmetricDifference(toldInactive).sorted() {
      let isCovered = inactive.contains(display)
      let notice = ActivationNotice(
        display: display, activation: isCovered ? .inactive : .active)
      switch socket.send(writer.activation(notice, serial: nextSerial())) {
      case .done:
        toldInactive.removeAll { $0 == display }
        if isCovered { toldInactive.append(display) }
      case .wouldBlock: return waitForRoom()
      case .closed, .failed: return  // The watch reports it.
      }
    }
  }

  /// Takes the client's part of a panel's frame; it goes out, or waits.
  ///
  /// - Returns: false if the backlog overflowed and became cancels.
  func deliver(
    _ deliveries: borrowing DeliveryBuffer, part: DeliveryPart, times: StageTimes
  ) -> Bool {
    switch outbox.value.offer(deliveries, part: part, times: times) {
    case .waits: return true
    case .overflowed: return false
    case .sendNow: break
    }
    let serial = nextSerial()
    let now = MonotonicClock.now()
    switch socket.send(encode(deliveries, part, times, sent: now, serial: serial)) {
    case .done:
      outbox.value.noteSent(deliveries, part: part, serial: serial, time: now)
      dispatchedSerial = serial
      dispatchedAt = now
      #if DEBUG
        check(deliveries, part)
      #endif
      return true
    case .wouldBlock:
      waitForRoom()
      return outbox.value.postpone(deliveries, part: part, times: times) != .overflowed
    case .closed, .failed:
      // The watch reports it; until then nothing more can go out.
      return true
    }
  }

  private func encode(
    _ deliveries: borrowing DeliveryBuffer, _ part: DeliveryPart, _ times: StageTimes,
    sent: UInt64, serial: UInt32
  ) -> UnsafeRawBufferPointer {
    let frame = writer.beginFrame(
      times: times, device: part.device, display: part.display, contacts: part.count)
    var index = 0
    deliveries.visit(part) { contact in
      frame.put(contact: contact.pointee, at: index)
      index &+= 1
    }
    return frame.finish(sent: sent, serial: serial)
  }

  /// Sends what waits, as far as the client keeps up and there is room.
  func flush() {
    while outbox.value.canSend {
      let front = outbox.value.front
      let serial = nextSerial()
      let now = MonotonicClock.now()
      let frame = writer.beginFrame(
        times: front.times, device: front.device, display: front.display,
        contacts: front.contactCount, history: front.historyCount)
      for index in 0..<front.contactCount {
        frame.put(contact: outbox.value.frontContact(index), at: index)
      }
      for index in 0..<front.contactCount * front.historyCount {
        frame.put(sample: outbox.value.frontSample(index), at: index)
      }
      switch socket.send(frame.finish(sent: now, serial: serial)) {
      case .done:
        #if DEBUG
          check(front)
        #endif
        outbox.value.noteFrontSent(serial: serial, time: now)
      case .wouldBlock:
        waitForRoom()
        return
      case .closed, .failed: return
      }
    }
  }

  /// Has what is missing sent as soon as there is room for it.
  func waitForRoom() {
    guard !waitsForRoom, watch >= 0 else { return }
    waitsForRoom = true
    // Losing the error is right: the next acknowledgement flushes as well.
    try? loop.change(watch, for: [.readable, .writable])
  }

  private func roomAgain() {
    guard waitsForRoom, watch >= 0 else { return }
    waitsForRoom = false
    try? loop.change(watch, for: .readable)
    flush()
    if inactive != toldInactive { tellActivation() }
    if isObserver { owner.sessionHasRoom(self) }
  }

  #if DEBUG
    private func check(_ deliveries: borrowing DeliveryBuffer, _ part: DeliveryPart) {
      var contacts: [Contact] = []
      deliveries.visit(part) { contacts.append($0.pointee) }
      check(contacts, part.device)
    }

    private func check(_ front: Outbox.Waiting) {
      check((0..<front.contactCount).map { outbox.value.frontContact($0) }, front.device)
    }

    private func check(_ contacts: [Contact], _ device: UInt32) {
      do throws(TouchStreamFault) {
        try checker.accept(contacts, device: device)
      } catch {
        preconditionFailure("the stream to client \(id) breaks a law: \(error)")
      }
    }
  #endif
}
