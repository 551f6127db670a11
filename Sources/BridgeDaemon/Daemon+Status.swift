import Glibc
import LinuxIO
import TouchFilters
import TouchFrames
import TouchModel
import TouchWire

// How things stand, for `touchctl status`: a list of lines, each a JSON object.
extension Daemon {
  /// What the changelog calls the state of this daemon.
  static let version = "unreleased"

  /// Answers with the lines from one on, as many as a socket takes at once.
  func tellStatus(to session: Session, from first: UInt32, _ request: UInt32) {
    guard session.roles.contains(.observer) || session.roles.contains(.admin) else {
      session.refuse(
        Refusal(.notPermitted, "only an observer or an administrator sees how things stand"))
      return
    }
    let clients = sessions.all.filter(\.isOpen)
    let waiting = nodes.waiting
    let firstClient = 1 + panels.count + waiting.count
    let total = firstClient + clients.count
    let start = min(Int(first), total)
    let end = min(start + WireFormat.maximumStatusLines, total)
    for index in start..<max(end, start + 1) {
      let text: String
      switch index {
      case total...: text = ""
      case 0: text = daemonStatus(clients: clients.count)
      case ...panels.count: text = status(of: panels[index - 1])
      case ..<firstClient: text = status(of: waiting[index - 1 - panels.count])
      default: text = status(of: clients[index - firstClient])
      }
      let isLast = index + 1 >= end
      let line = StatusLine(
        requestSerial: request, index: UInt32(index), isLastOfAnswer: isLast,
        hasMore: isLast && end < total, text: text)
      session.send { $0.statusLine(line, serial: $1) }
      guard session.watch >= 0 else { return }  // It does not read its answers.
    }
  }

  private func daemonStatus(clients: Int) -> String {
    var object = JSONObject()
    object.add("object", "daemon")
    object.add("version", Self.version)
    object.add("wire_version", WireFormat.version)
    object.add("pid", getpid())
    object.add("uptime_ms", (MonotonicClock.now() - startedAt) / 1_000_000)
    object.add("panels", panels.count)
    object.add("clients", clients)
    object.add("configuration", json: options.configuration.name.map(JSONText.quoted) ?? "null")
    object.add("config_problems", json: JSONText.list(toldProblems))
    return object.finished
  }

  /// The problems of the configuration as JSON texts; those that find no room are counted.
  private var toldProblems: [String] {
    var told: [String] = []
    var room = DaemonLimits.statusProblems
    for problem in configProblems {
      let text = JSONText.quoted(problem)
      room -= text.utf8.count
      guard room >= 0 else {
        return told + [JSONText.quoted("and \(configProblems.count - told.count) more")]
      }
      told.append(text)
    }
    return told
  }

  private func status(of panel: Panel) -> String {
    let number = panel.assembler.value.frame.display
    let display = displays.first { $0.id == number }
    return panel.status(display: display?.name ?? "", at: MonotonicClock.now())
  }

  /// A panel that cannot be used at present.
  private func status(of entry: NodeTable.Entry) -> String {
    var object = JSONObject()
    object.add("object", "panel")
    object.add("device", json: "null")
    object.add("node", entry.node.node)
    object.add("state", "waiting")
    object.add("reason", entry.problem ?? "")
    return object.finished
  }

  private func status(of session: Session) -> String {
    var object = JSONObject()
    object.add("object", "client")
    object.add("client", session.id)
    object.add("name", session.name)
    object.add("pid", session.peer.pid)
    object.add("uid", session.peer.uid)
    object.add("scenes", router.value.sceneCount(of: session.id))
    object.add("waiting_frames", session.outbox.value.waitingFrames)
    object.add("unacknowledged_frames", session.outbox.value.unacknowledged)
    object.add("unresponsive", session.isUnresponsive)
    object.add("observer", session.isObserver)
    return object.finished
  }
}

extension Panel {
  /// The panel's line.
  fileprivate func status(display: String, at now: UInt64) -> String {
    var object = JSONObject()
    object.add("object", "panel")
    object.add("device", id)
    object.add("node", node)
    object.add("name", name)
    object.add("state", source == nil ? "replay" : "open")
    object.add("path", identity?.path ?? "")
    object.add("phys", identity?.description.physicalLocation ?? "")
    object.add("display", display)
    object.add(
      "panel_matrix",
      json: setup.map { JSONText.list($0.calibration.numbers.map(JSONText.number)) } ?? "null")
    object.add("size_mm", json: millimetres ?? "null")
    object.add("captured_by", json: capture.map { "\($0.session.id)" } ?? "null")
    object.add("frame_rate_hz", json: rate.value.hertz.map { "\($0)" } ?? "null")
    object.add("protocol", json: touchProtocol.map { JSONText.quoted($0.name) } ?? "null")
    object.add("contacts_down", assembler.value.liveContacts)
    object.add("frames", json: assembler.value.counters.json)
    object.add("dry_run", stages?.filters.value.plan.settings.isDryRun ?? false)
    object.add("contacts_held", stages?.filters.value.heldContacts ?? 0)
    object.add("filters", json: JSONText.list(stages?.filters.value.status.map(\.json) ?? []))
    object.add(
      "filter_problems", json: JSONText.list(filterProblems.map { JSONText.quoted("\($0)") }))
    object.add("stuck", json: stuckStatus(now))
    object.add("retouches", stages?.filters.value.retouches ?? 0)
    object.add("broken_after_sleep", brokenContacts)
    return object.finished
  }

  private var millimetres: String? {
    guard let identity, let size = setup?.millimetres(of: identity.description) else { return nil }
    // Hundredths: nobody measures a panel better.
    return JSONText.list(
      [size.width, size.height].map { JSONText.number(($0 * 100).rounded() / 100) })
  }

  private func stuckStatus(_ now: UInt64) -> String {
    let settings = stages?.watch.value.settings ?? StuckSettings()
    var object = JSONObject()
    object.add("limit_ms", settings.limit / 1_000_000)
    object.add("releases", settings.releases)
    object.add("found", stages?.watch.value.count ?? 0)
    let stuck = (stages?.watch.value.stuck ?? []).prefix(DaemonLimits.statusStuckContacts)
    let contacts = stuck.map { stuck in
      var entry = JSONObject()
      entry.add("id", stuck.contact.id)
      entry.add("slot", stuck.contact.slot)
      entry.add("down_ms", (now > stuck.downAt ? now - stuck.downAt : 0) / 1_000_000)
      entry.add("released", stuck.isReleased)
      return entry.finished
    }
    object.add("contacts", json: JSONText.list(contacts))
    return object.finished
  }
}

extension FrameCounters {
  fileprivate var json: String {
    var object = JSONObject()
    object.add("frames", frames)
    object.add("dropped_reports", droppedReports)
    object.add("slots_beyond_declared", slotsBeyondDeclared)
    object.add("slots_beyond_limit", slotsBeyondLimit)
    object.add("out_of_range", outOfRange)
    object.add("double_ids", doubleIDs)
    object.add("replaced_ids", replacedIDs)
    object.add("down_at_open", contactsDownAtOpen)
    object.add("palms", palms)
    object.add("lost_taps", lostTaps)
    return object.finished
  }
}

extension FilterStatus {
  fileprivate var json: String {
    var named = JSONObject()
    for setting in settings { named.add(setting.name, setting.value) }
    var object = JSONObject()
    object.add("filter", filter.name)
    object.add("settings", json: named.finished)
    object.add("contacts", counters.contacts)
    object.add("passed", counters.passed)
    object.add("held", counters.held)
    object.add("dropped", counters.dropped)
    object.add("changed", counters.changed)
    return object.finished
  }
}
