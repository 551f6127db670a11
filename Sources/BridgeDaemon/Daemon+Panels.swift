import EvdevSource
import LinuxIO
import TouchFilters
import TouchFrames
import TouchModel
import TouchRecording
import TouchSettings
import TouchWire

// Panels come and go.
extension Daemon {
  /// Takes a panel in that is no node of udev's: a test's, or one that was handed over.
  ///
  /// - Parameters:
  ///   - node: what tools call it by.
  ///   - properties: udev's properties of it.
  /// - Errors: `FrameError` for a device that gives no frames.
  public func add(
    _ source: any DeviceSource, node: String, properties: [String: String] = [:]
  ) throws(FrameError) {
    let identity = PanelIdentity(description: source.description, properties: properties)
    guard let setup = setUp(identity, node: node) else { return }
    let panel = try prepare(source, node: node, identity, setup)
    take(panel, from: source)
  }

  /// Makes a panel of a device and takes over the state in which the device is.
  func prepare(
    _ source: any DeviceSource, node: String, _ identity: PanelIdentity, _ setup: PanelUse
  ) throws(FrameError) -> Panel {
    let panel = try makePanel(identity, setup, node: node, source: source, kind: .device)
    panel.adoptInitialState()
    return panel
  }

  /// Begins to read a panel.
  func take(_ panel: Panel, from source: any DeviceSource) {
    // The loop refuses a descriptor only for want of memory; the panel is then left alone.
    panel.watch = try? loop.watch(source.descriptor, handler: panel)
    guard panel.watch != nil else { return }
    add(panel)
  }

  /// Decides how a panel is used; if it is not, the log says why.
  func setUp(_ identity: PanelIdentity, node: String) -> PanelUse? {
    refusedPanels[node] = nil
    idlePanels[node] = identity
    switch configuration.plan(for: identity) {
    case .used(let setup):
      idlePanels[node] = nil
      return setup
    case .ignored(let reason):
      log.write(.debug, "leaving a node alone", [("node", node), ("why", reason)])
    case .refused(let reason):
      refusedPanels[node] = reason
      log.write(.warning, "skipping a panel", [("node", node), ("why", reason)])
      manager.notify(statusLine)
    }
    return nil
  }

  /// Makes a panel, with a number of its own unless it takes the place of another.
  ///
  /// - Parameter capture: who gets what it sends, as the device says it; nil for the apps.
  func makePanel(
    _ identity: PanelIdentity, _ setup: PanelUse, node: String, source: (any DeviceSource)?,
    kind: FrameAssembler.Source, id: UInt32? = nil, capture: PanelCapture? = nil
  ) throws(FrameError) -> Panel {
    let id = id ?? nextDevice
    let description = setup.described(identity.description)
    var options = setup.frameOptions(for: kind)
    // Who measures wants to see what lies outside.
    if capture != nil { options.outOfRange = .count }
    let assembler = try FrameAssembler(
      description: description, device: id, display: setup.display.id, ids: ids, source: kind,
      isInjected: kind == .recording, mapping: capture == nil ? setup.mapping : .normalised,
      options: options)
    let beyond = self.setup(setup, identity.properties)
    let panel = Panel(
      id: id, name: description.name, node: node, source: source, assembler: assembler,
      touchProtocol: description.touchProtocol,
      filters: plan(setup.axes(of: description), setup.mapping, beyond), stuck: beyond.stuck,
      wantsGrab: setup.settings.isGrabbed?.value ?? false, capture: capture, owner: self)
    panel.identity = identity
    panel.setup = setup
    panel.described = description
    // Also one that was plugged in again by the sleep, or is used in another way since.
    if let wokeAt, MonotonicClock.now() < wokeAt &+ BreakCheck.duration {
      panel.checkForBreaks(since: wokeAt)
    }
    watchScreen(of: panel, setup)
    if id == nextDevice { nextDevice += 1 }
    return panel
  }

  /// What a panel is to have beyond its frames, by options, configuration and udev.
  private func setup(_ use: PanelUse, _ properties: [String: String]) -> PanelSetup {
    var setup = PanelSetup(
      filters: options.filters, stuck: use.stuck(options.stuck), properties: properties)
    use.apply(to: &setup.filters)
    setup.size = (use.settings.size?.value).map { SIMD2($0.width, $0.height) }
    // What was held must still be fresh when a client reads it.
    let stale = limits.value.stale
    if stale > 0 { setup.oldestDown = min(setup.oldestDown, stale / 2) }
    return setup
  }

  private func plan(
    _ axes: [UInt16: AxisRange], _ mapping: DisplayMapping, _ setup: PanelSetup
  ) -> FilterPlan {
    let (x, y) = PanelGeometry.position(axes)
    let geometry = PanelGeometry(
      axes: axes, placement: mapping.placement(x: x, y: y), areaScale: mapping.areaScale,
      size: setup.size)
    return FilterPlan(
      setup.filters, for: geometry, properties: setup.properties, oldestDown: setup.oldestDown)
  }

  /// Says which filters that were set cannot work on a panel.
  func tellFilterProblems(_ panel: Panel) {
    for problem in panel.filterProblems {
      log.write(
        .warning, "a filter cannot work", [("node", panel.node), ("why", "\(problem)")])
    }
  }

  private func add(_ panel: Panel) {
    panels.append(panel)
    let size = panel.described?.millimetres.map { "\($0.width)x\($0.height)mm" }
    log.write(
      .notice, "panel came",
      [
        ("node", panel.node), ("name", panel.name),
        ("size", size ?? "unknown, settings in mm need Size="),
      ])
    tellFilterProblems(panel)
    tellObservers { writer, serial in
      writer.panelNotice(panel.notice(isGone: false), serial: serial)
    }
    manager.notify(statusLine)
  }
}

extension Panel {
  func notice(isGone: Bool) -> PanelNotice {
    PanelNotice(device: id, isGone: isGone, name: name, node: node)
  }
}

extension Daemon: PanelOwner {
  func panelIsGone(_ panel: Panel, because reason: String) {
    takeOut(panel, because: reason)
    if let entry = nodes[panel.node] { wait(for: entry, because: reason) }
  }

  /// Takes a panel out whose contacts have been cancelled.
  func takeOut(_ panel: Panel, because reason: String) {
    guard let index = panels.firstIndex(where: { $0 === panel }) else { return }
    panels.remove(at: index)
    replayPanels = replayPanels.map { $0 === panel ? nil : $0 }
    if let watch = panel.watch { loop.stopWatching(watch) }
    panel.watch = nil
    endCapture(of: panel, because: .gone)
    let keys = [("node", panel.node), ("name", panel.name), ("why", reason)]
    log.write(.notice, "panel went", keys)
    tellObservers { writer, serial in
      writer.panelNotice(panel.notice(isGone: true), serial: serial)
    }
    manager.notify(statusLine)
    panelDeadlineChanged()
    if panels.isEmpty, options.endsWithoutPanels { stop() }
  }
}

// What panels do without an event.
extension Daemon {
  func panelDeadlineChanged() {
    var earliest = UInt64.max
    for panel in panels { earliest = min(earliest, panel.nextDeadline) }
    guard earliest != nextPanelDeadline else { return }
    nextPanelDeadline = earliest
    setDeadline()
  }

  /// Lets the stages of panels do what is due.
  func runStages(_ now: UInt64) {
    for panel in panels { panel.deadlineReached(now) }
    panelDeadlineChanged()
  }

  func panelHasStuckContacts(_ panel: Panel) {
    guard let stages = panel.stages else { return }
    for stuck in stages.watch.value.newlyStuck {
      log.write(
        .warning,
        stuck.isReleased
          ? "a contact is stuck, ignoring it until it is lifted" : "a contact is stuck",
        [
          ("node", panel.node), ("contact", "\(stuck.contact.id)"),
          ("slot", "\(stuck.contact.slot)"),
        ])
      let notice = StuckNotice(
        device: panel.id, slot: stuck.contact.slot, contact: stuck.contact.id,
        downTime: stuck.downAt, isReleased: stuck.isReleased)
      for observer in observers.value {
        _ = observer.tell { $0.stuckNotice(notice, serial: $1) }
      }
    }
  }
}

// A recording in the place of panels.
extension Daemon {
  func openReplay(_ file: String) throws(DaemonError) {
    let recording: Recording
    do {
      let pieces = try PieceReader(file: file, limit: DaemonLimits.recording)
      recording = try Recording { try pieces.next() }
    } catch {
      throw .replay(file: file, "\(error)")
    }
    // A device that gives no frames is passed over as long as another gives some; its events stay in
    // their places among the others.
    var refusals: [DaemonError] = []
    for device in recording.devices {
      do throws(DaemonError) {
        replayPanels.append(try openReplayed(device.description, in: file))
      } catch {
        replayPanels.append(nil)
        refusals.append(error)
      }
    }
    if let first = refusals.first, refusals.count == recording.devices.count { throw first }
    for refusal in refusals {
      log.write(.warning, "passing a recorded device over", [("why", "\(refusal)")])
    }
    replay = Replay(recording, speed: options.replaySpeed)
  }

  private func openReplayed(
    _ description: DeviceDescription, in file: String
  ) throws(DaemonError) -> Panel {
    let identity = PanelIdentity(description: description)
    guard let setup = setUp(identity, node: file) else {
      throw .replay(file: file, refusedPanels[file] ?? "its panel is to be ignored")
    }
    do throws(FrameError) {
      let panel = try makePanel(identity, setup, node: file, source: nil, kind: .recording)
      add(panel)
      return panel
    } catch {
      throw .replay(file: file, "\(error)")
    }
  }

  /// Starts the replay once enough clients have scenes.
  func startReplayIfAwaited() {
    guard let replay, !replay.hasStarted else { return }
    let ready = sessions.all.filter(\.hasScenes).count
    guard ready >= options.replayClients else { return }
    replay.start(at: MonotonicClock.now())
    setDeadline()
    log.write(.notice, "replay starts", [("file", options.replayFile ?? "")])
    // A recording without events is over at once.
    if replay.isOver { feedReplay(MonotonicClock.now()) }
  }

  func feedReplay(_ now: UInt64) {
    guard let replay, replay.hasStarted else { return }
    var isHeld = isReplayHeld
    while !isHeld, let timed = replay.next(dueBy: now) {
      withUnsafePointer(to: timed.event) { event in
        replayPanels[timed.device]?.take(
          UnsafeBufferPointer(start: event, count: 1), readAt: MonotonicClock.now())
      }
      // Only a report makes a frame; to look through all clients at each event would take longer
      // than the frame itself.
      if timed.event.type == EvdevCode.syn { isHeld = isReplayHeld }
    }
    if replay.isOver { endReplay(now) }
  }

  /// Whether the next frame waits for the clients to handle the one before.
  ///
  /// A client that does not answer is not waited for: it is found out and taken for unresponsive.
  var isReplayHeld: Bool {
    options.replaysInStep
      && sessions.contains {
        !$0.isUnresponsive
          && ($0.outbox.value.unacknowledged > 0 || $0.outbox.value.waitingFrames > 0)
      }
  }

  /// Goes on with a replay that was held.
  func resumeReplay() {
    guard options.replaysInStep, let replay, !isReplayHeld else { return }
    let now = MonotonicClock.now()
    replay.makeUp(until: now)
    feedReplay(now)
    setDeadline()
  }

  private func endReplay(_ now: UInt64) {
    replay = nil
    log.write(.notice, "replay is over")
    for panel in replayPanels.compactMap(\.self) {
      panel.cancelAll(at: now)
      takeOut(panel, because: "the recording is over")
    }
    replayPanels = []
    if options.endsWithReplay { lingersUntil = now + DaemonLimits.lingerNanoseconds }
  }

  /// Ends the daemon after its replay, once nobody has anything left to handle.
  func stopIfDone() {
    guard let end = lingersUntil, end <= MonotonicClock.now() else { return }
    let isBusy = sessions.contains {
      $0.outbox.value.waitingFrames > 0 || $0.outbox.value.unacknowledged > 0
    }
    if !isBusy { stop() }
  }
}
