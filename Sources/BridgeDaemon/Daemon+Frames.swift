import LinuxIO
import TouchModel
import TouchRouting
import TouchWire

// The frame path: nothing here allocates or waits.
extension Daemon {
  func panelHasFrame(_ panel: Panel, readAt time: UInt64) {
    if let screen = panel.darkScreen.value { look(at: screen, for: panel.assembler.value.frame) }
    router.value.route(&panel.assembler.value.frame, into: &deliveries.value)
    let times = StageTimes(
      kernel: panel.assembler.value.frame.timeNanoseconds, read: time,
      routed: MonotonicClock.now())
    dispatch(times)
  }

  func panelHasExtraFrame(_ panel: Panel, _ frame: ExtraFrame, readAt time: UInt64) {
    guard let stages = panel.stages else { return }
    let kernel: UInt64
    switch frame {
    case .released:
      if let screen = panel.darkScreen.value {
        look(at: screen, for: stages.filters.value.released)
      }
      router.value.route(&stages.filters.value.released, into: &deliveries.value)
      kernel = stages.filters.value.released.timeNanoseconds
    case .stuck:
      if let screen = panel.darkScreen.value { look(at: screen, for: stages.watch.value.cancels) }
      router.value.route(&stages.watch.value.cancels, into: &deliveries.value)
      kernel = stages.watch.value.cancels.timeNanoseconds
    }
    dispatch(StageTimes(kernel: kernel, read: time, routed: MonotonicClock.now()))
  }

  /// Hands what was decided to the clients it is for, then tells the observers.
  func dispatch(_ times: StageTimes) {
    if deliveries.value.partCount == 1 {
      // By far most frames are for one client.
      let part = deliveries.value.part(0)
      let sent = deliver(part, times)
      if !observers.value.isEmpty {
        report(deliveries.value, device: part.device, times, sent: sent)
      }
    } else {
      dispatchParts(times)
    }
    while !overflowed.value.isEmpty { giveUp(on: overflowed.value.removeLast(), times) }
  }

  private func dispatchParts(_ times: StageTimes) {
    // A frame is of one panel; cancels of a client's scenes may be of several.
    for first in 0..<deliveries.value.partCount where isFirstOfPanel(first) {
      let device = deliveries.value.part(first).device
      var firstSent: UInt64 = 0
      for index in first..<deliveries.value.partCount {
        let part = deliveries.value.part(index)
        guard part.device == device else { continue }
        let sent = deliver(part, times)
        if firstSent == 0 { firstSent = sent }
      }
      if !observers.value.isEmpty {
        report(deliveries.value, device: device, times, sent: firstSent)
      }
    }
  }

  /// Tells whether no earlier part is of the same panel.
  private func isFirstOfPanel(_ index: Int) -> Bool {
    guard index > 0 else { return true }
    let device = deliveries.value.part(index).device
    for earlier in 0..<index where deliveries.value.part(earlier).device == device { return false }
    return true
  }

  /// - Returns: when the client's part was handed to its socket; 0 if it was not.
  private func deliver(_ part: DeliveryPart, _ times: StageTimes) -> UInt64 {
    guard part.client != 0 else { return 0 }
    var sent: UInt64 = 0
    // Sending ends no session: what is wrong with a socket shows when it is read.
    sessions.with(part.client) { session in sent = deliver(part, to: session, times) }
    return sent
  }

  @inline(__always)
  private func deliver(
    _ part: DeliveryPart, to session: Session, _ times: StageTimes
  ) -> UInt64 {
    session.dispatchedSerial = 0
    session.dispatchedAt = 0
    // Its backlog overflowed at another panel's part: cancels for all its contacts wait already.
    guard !session.isUnresponsive else { return 0 }
    let wasIdle = session.outbox.value.unacknowledged == 0
    guard session.deliver(deliveries.value, part: part, times: times) else {
      session.isUnresponsive = true
      overflowed.value.append(session)
      return 0
    }
    if wasIdle { checkClients(by: times.routed &+ limits.value.hung) }
    return session.dispatchedAt
  }

  /// Takes all contacts from a client that does not keep up; cancels already wait for it.
  func giveUp(on session: Session, _ times: StageTimes) {
    session.isUnresponsive = true
    router.value.setUnresponsive(session.id, into: &cancellations)
    session.dispatchedSerial = 0
    session.flush()
    log.write(
      .warning, "client does not acknowledge, cancelling its contacts",
      [("client", session.name), ("pid", "\(session.peer.pid)")])
    guard !observers.value.isEmpty else { return }
    for index in 0..<cancellations.count {
      let device = cancellations[index].device
      let isFirst = !(0..<index).contains { cancellations[$0].device == device }
      if isFirst { report(cancellations, device: device, times, sent: 0) }
    }
  }

  // MARK: Observers

  /// Tells the observers what was decided for the contacts of one panel.
  ///
  /// - Parameter sent: when the first client was sent its part; 0 if nothing went out.
  private func report(
    _ decided: borrowing DeliveryBuffer, device: UInt32, _ times: StageTimes, sent: UInt64
  ) {
    var times = times
    // Not the time now: a client on another core may have read its part by now.
    times.sent = sent == 0 ? MonotonicClock.now() : sent
    var left = 0
    for decision in decided.decisions where decision.device == device { left += 1 }
    var place = 0
    for decision in decided.decisions where decision.device == device {
      if place == 0 {
        // A panel of a thousand slots would not fit into one packet.
        reportWriter.beginReport(
          times: times, device: device, display: decision.display,
          contacts: min(left, WireFormat.maximumContacts))
      }
      put(decision, at: place)
      place += 1
      left -= 1
      guard place == WireFormat.maximumContacts || left == 0 else { continue }
      send { writer, lost, serial in writer.finishReport(lost: lost, serial: serial) }
      place = 0
    }
  }

  private func put(_ decision: RoutedContact, at place: Int) {
    var contact = decision.contact
    contact.position.x += decision.sceneOrigin.x
    contact.position.y += decision.sceneOrigin.y
    let session = decision.client == 0 ? nil : sessions[decision.client]
    reportWriter.put(
      observed: ObservedContact(
        contact: contact, client: decision.client, reason: decision.reason,
        isSensitive: decision.isSensitive, frameSerial: session?.dispatchedSerial ?? 0),
      at: place)
  }

  /// Tells the observers which contacts a panel's filters kept from everybody.
  func panelHasDropped(_ panel: Panel, readAt time: UInt64) {
    guard !observers.value.isEmpty, let stages = panel.stages else { return }
    let frame = (
      time: panel.assembler.value.frame.timeNanoseconds,
      display: panel.assembler.value.frame.display
    )
    let times = StageTimes(
      kernel: frame.time, read: time, routed: MonotonicClock.now(), sent: MonotonicClock.now())
    let dropped = stages.filters.value.dropped
    reportWriter.beginReport(
      times: times, device: panel.id, display: frame.display,
      contacts: min(dropped.count, WireFormat.maximumContacts))
    for (place, drop) in dropped.prefix(WireFormat.maximumContacts).enumerated() {
      // It belongs to no scene; but what lies under it may be a keypad.
      let isSensitive = router.value.isSensitive(at: drop.contact.position, of: frame.display)
      reportWriter.put(
        observed: ObservedContact(
          contact: drop.contact, client: 0, reason: .filtered, isSensitive: isSensitive,
          frameSerial: 0, filter: drop.filter),
        at: place)
    }
    send { writer, lost, serial in writer.finishReport(lost: lost, serial: serial) }
  }

  private func send(_ finish: (PacketWriter, UInt64, UInt32) -> UnsafeRawBufferPointer) {
    for observer in observers.value {
      if observer.needsNotices { sendNotices(to: observer) }
      if !send(to: observer, finish) { observer.lostReports &+= 1 }
    }
  }

  /// - Returns: whether the report went.
  private func send(
    to observer: Session, _ finish: (PacketWriter, UInt64, UInt32) -> UnsafeRawBufferPointer
  ) -> Bool {
    let packet = finish(reportWriter, observer.lostReports, observer.nextSerial())
    guard case .done = observer.socket.send(packet) else {
      observer.waitForRoom()
      return false
    }
    observer.lostReports = 0
    return true
  }

  /// Tells an observer what it missed; it may be long before there is something else to tell it.
  func sessionHasRoom(_ observer: Session) {
    if observer.lostReports > 0 {
      let now = MonotonicClock.now()
      reportWriter.beginReport(
        times: StageTimes(kernel: now, read: now, routed: now, sent: now), device: 0, display: 0,
        contacts: 0)
      _ = send(to: observer) { $0.finishReport(lost: $1, serial: $2) }
    }
    if observer.lostReports == 0, observer.needsNotices { sendNotices(to: observer) }
  }

  /// Tells all observers something; one that has no room gets the whole picture later.
  func tellObservers(_ packet: (PacketWriter, UInt32) -> UnsafeRawBufferPointer) {
    for observer in observers.value where !observer.tell(packet) { observer.needsNotices = true }
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
