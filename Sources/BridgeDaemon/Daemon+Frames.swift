import LinuxIO
import TouchModel
import TouchRouting
import TouchWire

// The frame path: nothing here allocates or waits.
extension Daemon {
  func panelHasFrame(_ panel: Panel, readAt time: UInt64) {
    panel.mapping.apply(to: &panel.assembler.frame)
    router.route(panel.assembler.frame, into: &deliveries)
    let times = StageTimes(
      kernel: panel.assembler.frame.timeNanoseconds, read: time, routed: MonotonicClock.now())
    dispatch(times)
  }

  /// Hands what was decided to the clients it is for, then tells the observers.
  func dispatch(_ times: StageTimes) {
    var previous: (client: UInt32, device: UInt32) = (0, 0)
    for index in 0..<deliveries.count {
      let decision = deliveries[index]
      guard decision.client != 0,
        decision.client != previous.client || decision.device != previous.device,
        isFirst(index, client: decision.client, device: decision.device)
      else { continue }
      previous = (decision.client, decision.device)
      deliver(to: decision.client, device: decision.device, times)
    }
    if !observers.isEmpty { report(times) }
  }

  /// Tells whether no earlier decision is for the same client and panel.
  private func isFirst(_ index: Int, client: UInt32, device: UInt32) -> Bool {
    for earlier in 0..<index
    where deliveries[earlier].client == client && deliveries[earlier].device == device {
      return false
    }
    return true
  }

  private func deliver(to client: UInt32, device: UInt32, _ times: StageTimes) {
    guard let session = sessions[client] else { return }
    session.dispatchedSerial = 0
    let wasIdle = session.outbox.oldestFlight == nil
    guard session.deliver(deliveries, device: device, times: times) else {
      giveUp(on: session)
      return
    }
    if wasIdle { checkClients(by: times.routed + options.hungLimit) }
  }

  /// Takes all contacts from a client that does not keep up; cancels already wait for it.
  func giveUp(on session: Session) {
    router.setUnresponsive(session.id, into: &cancellations)
    session.flush()
    guard !session.isUnresponsive else { return }
    session.isUnresponsive = true
    log.write(
      .warning, "client does not acknowledge, cancelling its contacts",
      [("client", session.name), ("pid", "\(session.peer.pid)")])
  }

  // MARK: Observers

  private func report(_ times: StageTimes) {
    var times = times
    times.sent = MonotonicClock.now()
    var start = 0
    while start < deliveries.count {
      // A panel of a thousand slots would not fit into one packet.
      let count = min(deliveries.count - start, WireFormat.maximumContacts)
      writeReport(start, count, times)
      send { writer, lost, serial in writer.finishReport(lost: lost, serial: serial) }
      start += count
    }
  }

  private func writeReport(_ start: Int, _ count: Int, _ times: StageTimes) {
    let first = deliveries[start]
    reportWriter.beginReport(
      times: times, device: first.device, display: first.display, contacts: count)
    for index in 0..<count {
      let decision = deliveries[start + index]
      var contact = decision.contact
      contact.position.x += decision.sceneOrigin.x
      contact.position.y += decision.sceneOrigin.y
      let session = decision.client == 0 ? nil : sessions[decision.client]
      reportWriter.put(
        observed: ObservedContact(
          contact: contact, client: decision.client,
          reason: decision.reason, isSensitive: decision.isSensitive,
          frameSerial: session?.dispatchedSerial ?? 0),
        at: index)
    }
  }

  private func send(_ finish: (PacketWriter, UInt64, UInt32) -> UnsafeRawBufferPointer) {
    for observer in observers {
      if observer.needsNotices { sendNotices(to: observer) }
      let packet = finish(reportWriter, observer.lostReports, observer.nextSerial())
      if case .done = observer.socket.send(packet) {
        observer.lostReports = 0
      } else {
        observer.lostReports &+= 1
      }
    }
  }

  /// Tells all observers something; one that has no room gets the whole picture later.
  func tellObservers(_ packet: (PacketWriter, UInt32) -> UnsafeRawBufferPointer) {
    for observer in observers where !observer.tell(packet) { observer.needsNotices = true }
  }

  /// Tells an observer which panels and clients there are.
  func sendNotices(to observer: Session) {
    observer.needsNotices = false
    for panel in panels {
      let notice = panel.notice(isGone: false)
      guard observer.tell({ $0.panelNotice(notice, serial: $1) }) else {
        observer.needsNotices = true
        return
      }
    }
    for session in sessions.all where session.isOpen {
      let notice = session.notice(isGone: false)
      guard observer.tell({ $0.clientNotice(notice, serial: $1) }) else {
        observer.needsNotices = true
        return
      }
    }
  }
}

extension Session {
  func notice(isGone: Bool) -> ClientNotice {
    ClientNotice(client: id, pid: peer.pid, uid: peer.uid, isGone: isGone, name: name)
  }
}
