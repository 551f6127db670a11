import TouchModel
import TouchWire

/// A form in which routed frames are shown.
protocol ReportPrinter {
  func print(_ report: RoutedReport)
  func print(_ notice: ClientNotice)
  func print(_ notice: PanelNotice)
  func print(_ notice: StuckNotice, panelName: String)
}

/// Routed frames as JSON, an object a frame and nothing else: other programs rely on it.
struct JSONReports: ReportPrinter {
  private let output: OutputBuffer

  init(_ output: OutputBuffer) { self.output = output }

  func print(_ notice: ClientNotice) {}
  func print(_ notice: PanelNotice) {}
  func print(_ notice: StuckNotice, panelName: String) {}

  func print(_ report: RoutedReport) {
    let times = report.times
    output.write("{\"time_us\":\(times.kernel / 1_000),\"device\":\(report.device)")
    output.write(",\"device_name\":\(JSONText.quoted(report.deviceName))")
    output.write(",\"display\":\(report.display),\"lost\":\(report.lost)")
    output.write(",\"stages_ns\":{\"kernel\":\(times.kernel),\"read\":\(times.read)")
    output.write(",\"routed\":\(times.routed),\"sent\":\(times.sent)},\"clients\":[")
    for (index, client) in report.clients.enumerated() {
      output.write(index > 0 ? ",{" : "{")
      output.write("\"client\":\(client.client),\"name\":\(JSONText.quoted(client.name))")
      output.write(",\"pid\":\(client.pid),\"queued\":\(client.serial == 0)")
      output.write(",\"client_read_ns\":\(client.readTime.map { "\($0)" } ?? "null")")
      output.write(",\"client_done_ns\":\(client.doneTime.map { "\($0)" } ?? "null")")
      output.write(",\"stale\":\(client.staleContacts)}")
    }
    output.write("],\"contacts\":[")
    for (index, contact) in report.contacts.enumerated() {
      if index > 0 { output.write(",") }
      print(contact)
    }
    output.write("]}\n")
  }

  private func print(_ observed: ObservedContact) {
    let contact = observed.contact
    output.write("{\"id\":\(contact.id),\"slot\":\(contact.slot)")
    output.write(",\"phase\":\"\(contact.phase.word)\",\"tool\":\"\(contact.tool.word)\"")
    output.write(",\"injected\":\(contact.isInjected)")
    if observed.isSensitive {
      output.write(",\"sensitive\":true,\"x\":null,\"y\":null,\"raw_x\":null,\"raw_y\":null")
    } else {
      output.write(",\"sensitive\":false,\"x\":\(contact.position.x),\"y\":\(contact.position.y)")
      output.write(",\"raw_x\":\(contact.rawX),\"raw_y\":\(contact.rawY)")
    }
    if observed.client == 0 {
      output.write(",\"client\":null,\"scene\":null")
    } else {
      output.write(",\"client\":\(observed.client),\"scene\":\(contact.scene)")
    }
    let reason = observed.reason == .none ? "null" : "\"\(observed.reason.name)\""
    let filter = observed.filter.map { "\"\($0.name)\"" } ?? "null"
    output.write(",\"reason\":\(reason),\"filter\":\(filter)}")
  }
}

/// Routed frames as text for people, a contact a line.
struct TextReports: ReportPrinter {
  private let output: OutputBuffer

  init(_ output: OutputBuffer) { self.output = output }

  func print(_ notice: ClientNotice) {
    let verb = notice.isGone ? "went" : "came"
    let name = Console.printable(notice.name)
    output.write("-- client \(name) (pid \(notice.pid), uid \(notice.uid)) \(verb)\n")
  }

  func print(_ notice: PanelNotice) {
    let verb = notice.isGone ? "went" : "came"
    output.write(
      "-- panel \(Console.printable(notice.name)) (\(Console.printable(notice.node))) \(verb)\n")
  }

  func print(_ notice: StuckNotice, panelName: String) {
    let end = notice.isReleased ? ", and is ignored until it is lifted" : ""
    output.write(
      "-- contact \(notice.contact) slot \(notice.slot) of \(Console.printable(panelName)) is stuck"
        + "\(end)\n")
  }

  func print(_ report: RoutedReport) {
    if report.lost > 0 { output.write("-- \(report.lost) frames were missed\n") }
    let micros = report.times.kernel / 1_000
    let fraction = String(micros % 1_000_000 + 1_000_000).dropFirst()
    output.write("\(micros / 1_000_000).\(fraction)  \(Console.printable(report.deviceName))")
    let start = report.times.kernel
    output.write("  read +\(delay(start, report.times.read))")
    output.write("  routed +\(delay(start, report.times.routed))")
    output.write("  sent +\(delay(start, report.times.sent))")
    for client in report.clients {
      let name = Console.printable(client.name)
      if let done = client.doneTime { output.write("  \(name) done +\(delay(start, done))") }
      let stale = client.staleContacts
      if stale > 0 { output.write("  \(name) dropped \(stale) as stale") }
    }
    output.write("\n")
    for contact in report.contacts { print(contact, of: report) }
  }

  private func print(_ observed: ObservedContact, of report: RoutedReport) {
    let contact = observed.contact
    let place =
      observed.isSensitive
      ? "(hidden)" : "\(tenths(contact.position.x)),\(tenths(contact.position.y))"
    output.write("    contact \(contact.id) slot \(contact.slot) \(contact.phase.word) \(place)")
    if let client = report.client(of: observed) {
      let name = Console.printable(client.name)
      output.write(" -> \(name) scene \(contact.scene)\(client.serial == 0 ? " (waits)" : "")\n")
    } else {
      let filter = observed.filter.map { " by \($0.name)" } ?? ""
      output.write(" -> nobody: \(observed.reason.name)\(filter)\n")
    }
  }

  /// The time between two stages in microseconds.
  private func delay(_ from: UInt64, _ to: UInt64) -> String {
    to >= from ? "\((to - from) / 1_000) us" : "? us"
  }

  private func tenths(_ value: Double) -> String {
    // A panel's points stay below 65,536, a scene's within the same range.
    let scaled = (max(-1e9, min(1e9, value)) * 10).rounded()
    let whole = Int(scaled)
    return "\(whole < 0 ? "-" : "")\(abs(whole) / 10).\(abs(whole) % 10)"
  }
}
