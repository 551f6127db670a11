import LinuxIO
import TouchModel

// Who is in front: by default the newest client, and all that it leaves room for.
extension Daemon {
  /// Tells the clients that were covered, or no longer are; to be called when scenes change.
  ///
  /// Who is newly covered has its contacts cancelled. That comes of another client's scenes alone,
  /// so never while decisions are being handed out.
  func updateActivation() {
    guard !isStopping else { return }
    let covered = displays.map { (display: $0.id, clients: router.value.coveredClients(of: $0.id)) }
    var fallen = covered.map { (display: $0.display, clients: Set<UInt32>()) }
    sessions.visitAll { session in
      guard session.isOpen, session.hasScenes else { return }
      var inactive: [UInt32] = []
      for (index, (display, clients)) in covered.enumerated() where clients.contains(session.id) {
        inactive.append(display)
        if !session.inactive.contains(display) { fallen[index].clients.insert(session.id) }
      }
      session.tellActivation(inactiveOn: inactive)
    }
    guard router.value.liveContacts > 0 else { return }
    for (display, clients) in fallen where !clients.isEmpty {
      router.value.withdraw(from: clients, on: display, into: &deliveries.value)
      let now = MonotonicClock.now()
      dispatch(StageTimes(kernel: now, read: now, routed: now))
    }
  }
}
