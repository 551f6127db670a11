import LinuxIO
import TouchModel
import TouchRouting
import TouchSettings
import TouchWire

// What is configured, and what happens when that changes.
extension Daemon {
  /// Says what was read and what is wrong with it; the rest works.
  func tellConfiguration() {
    for file in configuration.files { log.write(.debug, "read", [("file", file)]) }
    for fault in configuration.faults { log.write(.warning, "skipping", Self.keys(of: fault)) }
    for remark in configuration.remarks { log.write(.warning, remark) }
  }

  private static func keys(of fault: SettingsFault) -> [(String, String)] {
    var keys: [(String, String)] = []
    if let section = fault.section { keys.append(("section", "\(section)")) }
    return keys + [("why", "\(fault)")]
  }

  /// What is wrong with the configuration, and which panels are not used for it; a sentence each.
  var configProblems: [String] {
    let faults = configuration.faults.map { "\($0)" }
    let panels = refusedPanels.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return faults + panels
  }

  /// Names what does not work, for the service manager's status; empty if all does.
  var statusProblems: String {
    let faults = configuration.faults
    let panel = refusedPanels.min { $0.key < $1.key }
    // Only the first is put into words, for this is asked for whenever a client comes or goes.
    guard let first = faults.first.map({ "\($0)" }) ?? panel.map({ "\($0.key): \($0.value)" })
    else {
      return ""
    }
    let count = faults.count + refusedPanels.count
    return "; skipped: \(first)" + (count > 1 ? " (and \(count - 1) more)" : "")
  }

  /// The sections of the files that are for no panel there is, used or not.
  var unusedSections: [PanelSection] {
    let identities = panels.compactMap(\.identity) + idlePanels.values
    return configuration.settings.unusedSections(among: identities).filter { $0.fault == nil }
  }

  /// Names the sections of the files that are for no panel there is.
  func tellUnusedSections() {
    for section in unusedSections where section.name.kind == "Panel" {
      log.write(
        .notice, "no panel matches a section",
        [("section", "\(section.name)"), ("where", "\(section.origin)")])
    }
  }

  // MARK: Reloading

  /// Reads the configuration again, as an administrator asks.
  func reload(for session: Session, _ serial: UInt32) {
    guard session.roles.contains(.admin) else {
      session.refuse(
        Refusal(.notPermitted, "only an administrator has the configuration read again"))
      return
    }
    let fault = reload().first
    guard session.watch >= 0 else { return }  // Gone meanwhile.
    let answer = ConfigurationRead(
      requestSerial: serial, result: fault == nil ? .taken : .refused,
      text: fault.map { "\($0)" } ?? "")
    session.send { $0.configurationRead(answer, serial: $1) }
  }

  /// Reads the configuration again; with anything wrong in it the old one stays.
  ///
  /// - Returns: what is wrong with it.
  @discardableResult
  func reload() -> [SettingsFault] {
    let new = Configuration(
      options.configuration, display: options.display, sysfs: options.sysfs)
    if new.faults.isEmpty {
      take(new)
    } else {
      for fault in new.faults {
        log.write(.warning, "wrong in the new configuration", Self.keys(of: fault))
      }
      log.write(.warning, "the old configuration stays")
    }
    if options.findsPanels, options.replayFile == nil { startDiscovery() }
    // Only now are the panels known that were left alone so far.
    if new.faults.isEmpty { tellUnusedSections() }
    manager.notify(statusLine)
    return new.faults
  }

  private func take(_ new: Configuration) {
    let old = configuration
    configuration = new
    configuration.displays = Self.continued(new.displays, from: old.displays)
    tellConfiguration()
    var changes = 0
    for (name, before, after) in changedValues(from: old) {
      log.write(.notice, "setting changed", [("key", name), ("from", before), ("to", after)])
      changes += 1
    }
    limits.value = ClientLimits(options, configuration.settings.daemon)
    refusedPanels = [:]
    idlePanels = [:]
    for node in explicitDevices.isEmpty ? watcher?.nodes() ?? [] : [] {
      guard let panel = panels.first(where: { $0.node == node.node }) else { continue }
      // A udev rule may have been changed as well.
      panel.identity?.properties = node.properties
    }
    changes += useDisplays(insteadOf: old)
    log.write(.notice, "configuration read", [("changes", "\(changes)")])
  }

  /// Puts panels and clients on the displays there are now.
  ///
  /// - Returns: how many panels are used otherwise, and one more if the displays are others.
  private func useDisplays(insteadOf old: Configuration) -> Int {
    let changes = applyPlans()
    guard old.displays.map(\.display) != displays else { return changes }
    displaysDidChange()
    return changes + 1
  }

  /// Looks at the outputs again, as one was plugged in or out; the files stay as they were read.
  func outputsChanged() {
    guard options.display == nil else { return }
    let old = configuration
    guard configuration.lookAtOutputs(DisplayProbe.connected(sysfs: options.sysfs)) else { return }
    configuration.displays = Self.continued(configuration.displays, from: old.displays)
    for remark in configuration.remarks where !old.remarks.contains(remark) {
      log.write(.warning, remark)
    }
    guard configuration.displays != old.displays else { return }
    let words = displays.map { "\($0.name) \($0.width)x\($0.height)" }
    log.write(
      .notice, "outputs changed", [("displays", words.joined(separator: ", "))])
    refusedPanels = [:]
    idlePanels = [:]
    _ = useDisplays(insteadOf: old)
    if options.findsPanels, options.replayFile == nil { startDiscovery() }
    manager.notify(statusLine)
  }

  /// Keeps the number of a display that was there before, and the turn that an administrator gave
  /// it, unless the files say something new of it.
  static func continued(_ new: [PlacedDisplay], from old: [PlacedDisplay]) -> [PlacedDisplay] {
    var next = (old.map(\.native.id).max() ?? 0) &+ 1
    return new.map { display in
      var display = display
      guard let before = old.first(where: { $0.native.name == display.native.name }) else {
        display.native.id = next
        next &+= 1
        return display
      }
      display.native.id = before.native.id
      if before.settings.rotation?.value == display.settings.rotation?.value {
        display.rotation = before.rotation
      }
      return display
    }
  }

  private func changedValues(from old: Configuration) -> [(String, String, String)] {
    var changes: [(String, String, String)] = []
    func compare(_ name: String, _ before: [ShownSetting], _ after: [ShownSetting]) {
      for key in Self.names(before + after) {
        let (was, now) = (Self.value(of: key, in: before), Self.value(of: key, in: after))
        if was != now { changes.append(("\(name) \(key)", was, now)) }
      }
    }
    compare(
      "[Daemon]", old.settings.daemon.shown(), configuration.settings.daemon.shown())
    let displays = old.displays + configuration.displays
    for name in Self.unique(displays.map(\.native.name)) {
      let before = old.displays.first { $0.native.name == name }
      let after = configuration.displays.first { $0.native.name == name }
      compare(
        "[Display \(name)]", before?.settings.shown() ?? [], after?.settings.shown() ?? [])
    }
    return changes
  }

  private static func names(_ settings: [ShownSetting]) -> [String] { unique(settings.map(\.name)) }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private static func value(of key: String, in settings: [ShownSetting]) -> String {
    settings.filter { $0.name == key }.map(\.value).joined(separator: ", ")
  }

  // MARK: Panels

  /// Puts each panel to the use that the configuration has for it now.
  ///
  /// - Returns: how many are used otherwise than before; their contacts have been cancelled.
  @discardableResult
  func applyPlans() -> Int {
    var changed = 0
    for panel in panels {
      guard let identity = panel.identity, let old = panel.setup else { continue }
      if let reason = reasonToLeave(panel) {
        leave(panel, because: reason)
        changed += 1
        continue
      }
      switch configuration.plan(for: identity) {
      case .used(let setup):
        guard !setup.hasSameEffect(as: old) else {
          panel.setup = setup
          continue
        }
        logChange(of: panel, from: old, to: setup)
        rebuild(panel, identity, setup)
      case .ignored(let reason):
        idlePanels[panel.node] = identity
        leave(panel, because: reason)
      case .refused(let reason):
        idlePanels[panel.node] = identity
        refusedPanels[panel.node] = reason
        leave(panel, because: reason)
      }
      changed += 1
    }
    return changed
  }

  /// Lets a panel go that is not to be tried again before the configuration changes.
  private func leave(_ panel: Panel, because reason: String) {
    panel.cancelAll(at: MonotonicClock.now())
    nodes.remove(panel.node)
    takeOut(panel, because: reason)
  }

  private func logChange(of panel: Panel, from old: PanelUse, to new: PanelUse) {
    var keys = [("node", panel.node)]
    for key in Self.names(old.settings.shown() + new.settings.shown()) {
      let before = Self.value(of: key, in: old.settings.shown())
      let after = Self.value(of: key, in: new.settings.shown())
      if before != after { keys.append((key, after)) }
    }
    if old.display != new.display { keys.append(("display", new.display.name)) }
    if old.transform != new.transform { keys.append(("transform", "\(new.transform)")) }
    log.write(.notice, "panel is used in another way, its contacts are cancelled", keys)
  }

  /// Cancels what is down on a panel and makes its frames anew, in another way or for somebody else.
  ///
  /// - Parameters:
  ///   - capture: who has the panel alone from here on.
  ///   - reason: what who had it alone so far is told.
  func rebuild(
    _ panel: Panel, _ identity: PanelIdentity, _ setup: PanelUse,
    for capture: PanelCapture? = nil, because reason: CaptureEnded.Reason = .changed
  ) {
    panel.cancelAll(at: MonotonicClock.now())
    guard
      let new = try? makePanel(
        identity, setup, node: panel.node, source: panel.source,
        kind: panel.source == nil ? .recording : .device, id: panel.id, capture: capture)
    else { return leave(panel, because: "it gives no frames with its new settings") }
    new.likeness = panel.likeness
    new.brokenContacts = panel.brokenContacts
    new.assembler.value.continueTimes(of: panel.assembler.value)
    new.rate.value = panel.rate.value
    if let watch = panel.watch { loop.stopWatching(watch) }
    panel.watch = nil
    if let source = panel.source {
      // What is down now counts once it is lifted.
      new.adoptInitialState()
      new.takeGrab(from: panel)
      new.watch = try? loop.watch(source.descriptor, handler: new)
      guard new.watch != nil else { return leave(panel, because: "it cannot be watched") }
    }
    panels = panels.map { $0 === panel ? new : $0 }
    replayPanels = replayPanels.map { $0 === panel ? new : $0 }
    if capture == nil { tellFilterProblems(new) }
    panelDeadlineChanged()
    endCapture(of: panel, because: reason)
  }

  // MARK: Displays

  /// Tells router and clients of the displays there are now.
  private func displaysDidChange() {
    router.value.setDisplays(displays, into: &deliveries.value)
    let now = MonotonicClock.now()
    dispatch(StageTimes(kernel: now, read: now, routed: now))
    sessions.visitAll { session in
      if session.isOpen { tellDisplays(session) }
    }
  }

  /// Tells a client which displays there are; one without room for it now hears of it later.
  func tellDisplays(_ session: Session) {
    let displays = displays
    session.needsDisplays = !session.tell { $0.displaysChanged(displays, serial: $1) }
  }

  /// Turns a display, as an administrator asks.
  func rotateDisplay(_ wish: RotateDisplay, for session: Session, _ serial: UInt32) {
    guard session.roles.contains(.admin) else {
      session.refuse(Refusal(.notPermitted, "only an administrator turns displays"))
      return
    }
    let place = configuration.displays.firstIndex { $0.native.name == wish.display }
    if let place, configuration.displays[place].rotation != wish.rotation {
      configuration.displays[place].rotation = wish.rotation
      log.write(
        .notice, "display is turned",
        [
          ("display", wish.display), ("degrees", "\(wish.rotation.degrees)"),
          ("client", session.name), ("pid", "\(session.peer.pid)"),
        ])
      applyPlans()
      displaysDidChange()
    }
    guard session.watch >= 0 else { return }  // Gone meanwhile.
    let answer = DisplayRotated(
      requestSerial: serial, result: place == nil ? .unknownDisplay : .rotated)
    session.send { $0.displayRotated(answer, serial: $1) }
  }
}

extension PanelUse {
  /// Whether the panel works the same; the same words may stand in other lines.
  func hasSameEffect(as other: PanelUse) -> Bool {
    func words(_ setup: PanelUse) -> [[String]] {
      // Which display it is says the display itself.
      setup.settings.shown().filter { $0.name != "Display" }.map { [$0.name, $0.value] }
    }
    return display == other.display && transform == other.transform
      && wakeOutput == other.wakeOutput && words(self) == words(other)
  }
}
