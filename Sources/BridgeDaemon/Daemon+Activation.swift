import TouchModel

// Who is in front: by default the newest client, and all that it leaves room for.
extension Daemon {
  /// Tells the clients that were covered, or no longer are; to be called when scenes change.
  func updateActivation() {
    guard !isStopping else { return }
    let covered = displays.map { (display: $0.id, clients: router.value.coveredClients(of: $0.id)) }
    sessions.visitAll { session in
      guard session.isOpen, session.hasScenes else { return }
      session.tellActivation(
        inactiveOn: covered.filter { $0.clients.contains(session.id) }.map(\.display))
    }
  }
}
