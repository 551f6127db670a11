import TouchModel
import TouchWire

/// A client's part in a routed frame.
struct RoutedTo {
  var client: UInt32
  var name: String
  var pid: Int32
  /// The serial of the frame that carried it; 0 if it waits in the daemon.
  var serial: UInt32
  var readTime: UInt64?
  var doneTime: UInt64?
  /// Contacts that it dropped as too old, in this frame or one that was not told of yet.
  var staleContacts: UInt32 = 0
}

/// A routed frame, complete enough to be shown.
struct RoutedReport {
  var times: StageTimes
  var device: UInt32
  var deviceName: String
  var display: UInt32
  /// Frames that the monitor missed before this one.
  var lost: UInt64
  var contacts: [ObservedContact]
  var clients: [RoutedTo]

  /// The client's part that a contact went to.
  func client(of contact: ObservedContact) -> RoutedTo? {
    clients.first { $0.client == contact.client }
  }

  /// Notes that a client has handled all frames up to one.
  mutating func note(_ handled: Handled) {
    let last = handled.acknowledgement.frameSerial
    for place in clients.indices {
      let client = clients[place]
      guard client.client == handled.client, client.serial != 0, client.readTime == nil,
        Int32(bitPattern: last &- client.serial) >= 0
      else { continue }
      clients[place].readTime = handled.acknowledgement.readTime
      clients[place].doneTime = handled.acknowledgement.doneTime
    }
  }

  /// Adds contacts that a client dropped, if it has a part in a frame not older than the dropped.
  ///
  /// - Returns: whether it has.
  mutating func addStale(_ handled: Handled) -> Bool {
    let last = handled.acknowledgement.frameSerial
    let place = clients.firstIndex { client in
      client.client == handled.client && client.serial != 0
        && Int32(bitPattern: client.serial &- last) >= 0
    }
    guard let place else { return false }
    clients[place].staleContacts &+= handled.acknowledgement.staleContacts
    return true
  }
}

/// Puts reports and acknowledgements together, and keeps the daemon's order.
final class MonitorLines {
  private enum Entry {
    case report(RoutedReport)
    case client(ClientNotice)
    case panel(PanelNotice)
    case stuck(StuckNotice, panelName: String)
  }

  private struct Waiting {
    var entry: Entry
    /// When it is shown even if it is not complete; 0 for at once.
    var deadline: UInt64

    /// The report in it, if it is one.
    var report: RoutedReport? {
      get {
        guard case .report(let report) = entry else { return nil }
        return report
      }
      set {
        if let newValue { entry = .report(newValue) }
      }
    }

    var isComplete: Bool {
      report?.clients.allSatisfy { $0.doneTime != nil || $0.serial == 0 } ?? true
    }
  }

  // A client that takes longer is shown without its stages; its line must not hold up the others.
  private static let patience: UInt64 = 200_000_000

  private let printer: any ReportPrinter
  private let limit: Int?
  private var printed = 0
  private var waiting: [Waiting] = []
  private var clients: [UInt32: ClientNotice] = [:]
  private var panels: [UInt32: PanelNotice] = [:]
  /// Contacts that a client dropped in frames which waited in the daemon, or were shown before: its
  /// next frame tells them.
  private var staleContacts: [UInt32: UInt32] = [:]

  init(printer: any ReportPrinter, limit: Int?) {
    self.printer = printer
    self.limit = limit
  }

  /// When `release` has something to do; nil for not before the next message.
  var deadline: UInt64? { waiting.first?.deadline }

  /// Whether as many frames have been shown as were asked for.
  var isFull: Bool { limit.map { printed >= $0 } ?? false }

  func take(_ notice: ClientNotice) {
    clients[notice.client] = notice.isGone ? nil : notice
    waiting.append(Waiting(entry: .client(notice), deadline: 0))
    guard notice.isGone else { return }
    staleContacts[notice.client] = nil
    settle(notice.client)
  }

  func take(_ notice: PanelNotice) {
    panels[notice.device] = notice.isGone ? nil : notice
    waiting.append(Waiting(entry: .panel(notice), deadline: 0))
  }

  func take(_ notice: StuckNotice) {
    let name = panels[notice.device]?.name ?? ""
    waiting.append(Waiting(entry: .stuck(notice, panelName: name), deadline: 0))
  }

  func take(_ message: ReportMessage, at now: UInt64) {
    var report = RoutedReport(
      times: message.times, device: message.device,
      deviceName: panels[message.device]?.name ?? "", display: message.display,
      lost: message.lost, contacts: [], clients: [])
    for index in 0..<message.contactCount {
      let contact = message.contact(index)
      report.contacts.append(contact)
      guard contact.client != 0, report.client(of: contact) == nil else { continue }
      let client = clients[contact.client]
      report.clients.append(
        RoutedTo(
          client: contact.client, name: client?.name ?? "", pid: client?.pid ?? 0,
          serial: contact.frameSerial,
          staleContacts: staleContacts.removeValue(forKey: contact.client) ?? 0))
    }
    waiting.append(Waiting(entry: .report(report), deadline: now &+ Self.patience))
  }

  /// Notes an acknowledgement: it covers all frames of the client up to its serial.
  func take(_ handled: Handled) {
    for index in waiting.indices { waiting[index].report?.note(handled) }
    let stale = handled.acknowledgement.staleContacts
    guard stale > 0 else { return }
    for index in waiting.indices where waiting[index].report?.addStale(handled) == true { return }
    staleContacts[handled.client, default: 0] &+= stale
  }

  /// Stops waiting for a client that is gone.
  private func settle(_ client: UInt32) {
    for index in waiting.indices {
      let clients = waiting[index].report?.clients ?? []
      if clients.contains(where: { $0.client == client }) { waiting[index].deadline = 0 }
    }
  }

  /// Shows what is complete or has waited long enough, first come first.
  func release(_ now: UInt64) {
    while let first = waiting.first, !isFull {
      guard first.isComplete || first.deadline <= now else { return }
      show(first.entry)
      waiting.removeFirst()
    }
  }

  /// Shows all that is left.
  func releaseAll() {
    for line in waiting where !isFull { show(line.entry) }
    waiting = []
  }

  private func show(_ entry: Entry) {
    switch entry {
    case .report(let report):
      printer.print(report)
      // One without contacts tells of what was missed, and is no frame.
      if !report.contacts.isEmpty { printed += 1 }
    case .client(let notice): printer.print(notice)
    case .panel(let notice): printer.print(notice)
    case .stuck(let notice, let name): printer.print(notice, panelName: name)
    }
  }
}
