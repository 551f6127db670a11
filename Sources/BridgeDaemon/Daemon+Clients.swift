import Glibc
import LinuxIO
import TouchModel
import TouchRouting
import TouchWire

// Clients come, speak and go.
extension Daemon {
  func openSockets() throws(DaemonError) {
    let handedOver = manager.takeSockets()
    let directory = options.runtimeDirectory
    do throws(SystemError) {
      if handedOver.isEmpty { try makeDirectory(directory, mode: 0o755) }
    } catch {
      throw .socket(path: directory, "\(error)")
    }
    // Any user may run an app; tools see everybody's touches.
    for (name, mode) in [("app", UInt32(0o666)), ("admin", UInt32(0o600))] {
      let path = "\(directory)/\(name).sock"
      do throws(SystemError) {
        let socket =
          if let descriptor = handedOver[name] {
            PacketListener(owning: OwnedDescriptor(owning: descriptor))
          } else {
            try PacketListener(path: path, mode: mode)
          }
        try listen(socket, isAdmin: name == "admin")
      } catch {
        throw .socket(path: path, "\(error)")
      }
    }
  }

  private func listen(_ socket: PacketListener, isAdmin: Bool) throws(SystemError) {
    let listener = Listener(
      socket, loop: loop,
      accepted: { [unowned self] in accept($0, isAdmin: isAdmin) },
      failed: { [unowned self] error in
        log.write(
          .warning, "taking no connections until one ends or a second has passed",
          [("reason", "\(error)")])
        checkClients(by: MonotonicClock.now() + 1_000_000_000)
      })
    try listener.start()
    listeners.append(listener)
  }

  /// Tells whether one user's clients would keep others out.
  private func isCrowd(_ uid: UInt32) -> Bool {
    guard uid != 0, uid != getuid() else { return false }
    return sessions.all.count { $0.peer.uid == uid } >= DaemonLimits.clientsOfUser
  }

  private func turnAway(_ socket: PacketSocket, _ reason: String) {
    let refusal = Refusal(.limit, "\(reason), which is the limit. Try later.")
    _ = socket.send(writer.refusal(refusal, serial: 1))
    socket.stopReceiving()
  }

  private func accept(_ socket: PacketSocket, isAdmin: Bool) {
    guard let peer = try? socket.peer() else { return }  // Already gone again.
    guard !isCrowd(peer.uid) else {
      return turnAway(
        socket, "\(DaemonLimits.clientsOfUser) clients of user \(peer.uid) are connected")
    }
    guard let id = sessions.reserve(isAdmin: isAdmin) else {
      return turnAway(socket, "\(DaemonLimits.clients) clients are connected")
    }
    let now = MonotonicClock.now()
    let session = Session(
      id: id, socket: socket, peer: peer, isAdmin: isAdmin, now: now, loop: loop, writer: writer,
      buffer: receiveBuffer, owner: self)
    socket.setSendBuffer(
      isAdmin ? DaemonLimits.observerSendBuffer : DaemonLimits.sendBuffer)
    guard let watch = try? loop.watch(socket.descriptor, handler: session) else { return }
    session.watch = watch
    sessions.insert(session)
    checkClients(by: now + DaemonLimits.handshakeNanoseconds)
  }

  /// Lets a session go: its contacts reach nobody until they are lifted.
  func end(_ session: Session, because reason: String?) {
    guard session.watch >= 0 else { return }
    loop.stopWatching(session.watch)
    session.watch = -1
    session.socket.stopReceiving()
    sessions.remove(session)
    observers.value.removeAll { $0 === session }
    router.value.remove(client: session.id)
    releasePanels(of: session)
    updateActivation()
    if session.isOpen {
      let level = reason == nil ? LogLevel.notice : .warning
      var keys = [("client", session.name), ("pid", "\(session.peer.pid)")]
      if let reason { keys.append(("why", reason)) }
      if reason == nil { log.write(level, "client went", keys) } else { warn("client went", keys) }
      tellObservers { writer, serial in
        writer.clientNotice(session.notice(isGone: true), serial: serial)
      }
      manager.notify(statusLine)
    } else if let reason {
      warn(
        "a connection ended before it was one",
        [("pid", "\(session.peer.pid)"), ("why", reason)])
    }
    for listener in listeners { try? listener.start() }  // A descriptor is free again.
    stopIfDone()
    resumeReplay()
  }

  /// Logs what any client can bring about as often as it likes: ten lines a second, with a count.
  private func warn(_ text: String, _ keys: [(String, String)]) {
    guard let held = clientWarnings.pass(at: MonotonicClock.now()) else { return }
    log.write(.warning, text, held > 0 ? keys + [("unlogged", "\(held)")] : keys)
  }

  // MARK: Time limits

  /// Makes sure that clients are looked at by a time.
  func checkClients(by time: UInt64) {
    guard time < nextCheck else { return }
    nextCheck = time
    setDeadline()
  }

  /// Looks for clients that do not answer and connections that never said hello.
  func checkClients(_ now: UInt64) {
    nextCheck = .max
    for listener in listeners { try? listener.start() }
    sessions.visitAll { check($0, now) }
  }

  private func check(_ session: Session, _ now: UInt64) {
    if !session.isOpen {
      let limit = session.connectedAt + DaemonLimits.handshakeNanoseconds
      guard limit > now else {
        session.refuse(Refusal(.unexpected, "no hello came within 5 seconds"))
        return
      }
      checkClients(by: limit)
    } else if let oldest = session.outbox.value.oldestFlight, !session.isUnresponsive {
      let limit = max(oldest, session.answeredAt) + limits.value.hung
      guard limit > now else {
        let times = StageTimes(kernel: now, read: now, routed: now)
        session.outbox.value.overflow(times)
        giveUp(on: session, times)
        return
      }
      checkClients(by: limit)
    }
  }
}

extension Daemon: SessionOwner {
  func sessionIsOver(_ session: Session, because reason: String?) { end(session, because: reason) }

  func session(_ session: Session, received message: ClientMessage, serial: UInt32) {
    switch message {
    case .hello(let hello): open(session, hello)
    case _ where !session.isOpen:
      session.refuse(Refusal(.unexpected, "the first message must be a hello"))
    case .setScenes(let scenes): set(scenes, of: session, serial)
    case .acknowledge(let acknowledgement): self.session(session, handled: acknowledgement)
    case .subscribe: subscribe(session)
    case .statusRequest(let first): tellStatus(to: session, from: first, serial)
    case .rotateDisplay(let wish): rotateDisplay(wish, for: session, serial)
    case .capturePanel(let wish): capture(wish, for: session, serial)
    case .readConfiguration: reload(for: session, serial)
    }
  }

  private func open(_ session: Session, _ hello: Hello) {
    guard !session.isOpen else {
      session.refuse(Refusal(.unexpected, "a second hello on one connection"))
      return
    }
    guard hello.minimumVersion <= WireFormat.version, hello.maximumVersion >= WireFormat.version
    else {
      session.refuse(
        Refusal(
          .version,
          "this daemon speaks version \(WireFormat.version), the client "
            + "\(hello.minimumVersion) to \(hello.maximumVersion). Update the older one."))
      return
    }
    let roles = hello.roles.intersection(
      Self.grantable(to: session.peer.uid, isAdmin: session.isAdmin, ownUser: getuid()))
    guard !roles.isEmpty else {
      session.refuse(
        Refusal(
          .notPermitted,
          "none of the roles asked for is granted here. Observers use admin.sock, as root or as "
            + "the daemon's own user."))
      return
    }
    session.roles = roles
    session.name = hello.name
    session.isOpen = true
    let capabilities = hello.capabilities.intersection(.history)
    session.outbox.value = Outbox(
      history: capabilities.contains(.history) ? WireFormat.maximumHistory : 0)
    let welcome = Welcome(
      roles: roles, capabilities: capabilities, client: session.id,
      maximumUnacknowledged: UInt32(Outbox.maximumUnacknowledged),
      staleLimitNanoseconds: limits.value.stale, displays: displays)
    session.send { $0.welcome(welcome, serial: $1) }
    guard session.watch >= 0 else { return }  // Gone already.
    log.write(.notice, "client came", [("client", hello.name), ("pid", "\(session.peer.pid)")])
    tellObservers { writer, serial in
      writer.clientNotice(session.notice(isGone: false), serial: serial)
    }
    manager.notify(statusLine)
  }

  /// What the kernel's word on the peer and the socket used allow.
  static func grantable(to user: UInt32, isAdmin: Bool, ownUser: UInt32) -> WireRoles {
    guard isAdmin else { return .app }
    return user == 0 || user == ownUser ? [.app, .observer, .admin] : []
  }

  private func set(_ scenes: [Scene], of session: Session, _ serial: UInt32) {
    guard session.roles.contains(.app) else {
      session.refuse(Refusal(.notPermitted, "only an app has scenes"))
      return
    }
    var result = ScenesApplied.Result.applied
    do throws(SceneFault) {
      try router.value.setScenes(scenes, of: session.id, into: &deliveries.value)
      session.hasScenes = true
      let now = MonotonicClock.now()
      dispatch(StageTimes(kernel: now, read: now, routed: now))
      updateActivation()
    } catch {
      switch error {
      case .unknownDisplay: result = .unknownDisplay
      case .duplicateScene: result = .duplicateScene
      }
    }
    log.write(
      .debug, "client sets scenes",
      [
        ("client", session.name), ("pid", "\(session.peer.pid)"), ("scenes", "\(scenes.count)"),
        ("result", "\(result)"),
      ])
    let applied = ScenesApplied(scenesSerial: serial, result: result)
    session.send { $0.scenesApplied(applied, serial: $1) }
    startReplayIfAwaited()
  }

  func session(_ session: Session, handled acknowledgement: Acknowledgement) {
    guard session.outbox.value.acknowledge(upTo: acknowledgement.frameSerial) else {
      session.refuse(
        Refusal(
          .unexpected, "frame \(acknowledgement.frameSerial) was not sent, or acknowledged before"))
      return
    }
    if session.isUnresponsive { isResponsiveAgain(session) }
    if session.outbox.value.canSend { session.flush() }
    if session.needsDisplays { tellDisplays(session) }
    if session.outbox.value.oldestFlight != nil {
      // Slow is not hung: what is still on its way has its full time from here on.
      session.answeredAt = MonotonicClock.now()
      checkClients(by: session.answeredAt &+ limits.value.hung)
    }
    if !observers.value.isEmpty {
      let handled = Handled(client: session.id, acknowledgement: acknowledgement)
      for observer in observers.value { _ = observer.tell { $0.handled(handled, serial: $1) } }
    }
    if lingersUntil != nil { stopIfDone() }
    resumeReplay()
  }

  private func isResponsiveAgain(_ session: Session) {
    session.isUnresponsive = false
    router.value.setResponsive(session.id)
    log.write(
      .notice, "client acknowledges again",
      [("client", session.name), ("pid", "\(session.peer.pid)")])
  }

  private func subscribe(_ session: Session) {
    guard session.roles.contains(.observer) else {
      session.refuse(Refusal(.notPermitted, "only an observer sees routed frames"))
      return
    }
    guard !session.isObserver else { return }
    session.isObserver = true
    sendNotices(to: session)
    observers.value.append(session)
    // Whoever watches sees what is typed on a screen: that is never done in silence.
    log.write(
      .notice, "client watches all touches",
      [("client", session.name), ("pid", "\(session.peer.pid)"), ("uid", "\(session.peer.uid)")])
  }
}
