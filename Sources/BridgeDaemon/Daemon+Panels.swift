import EvdevSource
import LinuxIO
import TouchFilters
import TouchFrames
import TouchModel
import TouchRecording
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
    let panel = try prepare(source, node: node, properties: properties)
    take(panel, from: source)
  }

  /// Makes a panel of a device and takes over the state in which the device is.
  func prepare(
    _ source: any DeviceSource, node: String, properties: [String: String] = [:]
  ) throws(FrameError) -> Panel {
    let panel = try makePanel(
      source.description, node: node, source: source, kind: .device, properties: properties)
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

  private func makePanel(
    _ description: DeviceDescription, node: String, source: (any DeviceSource)?,
    kind: FrameAssembler.Source, properties: [String: String] = [:]
  ) throws(FrameError) -> Panel {
    let display = displays[0]
    let mapping = DisplayMapping(display: display)
    let assembler = try FrameAssembler(
      description: description, device: nextDevice, display: display.id, ids: ids, source: kind,
      isInjected: kind == .recording, mapping: mapping)
    let setup = setup(properties)
    let panel = Panel(
      id: nextDevice, name: description.name, node: node, source: source,
      assembler: assembler, touchProtocol: description.touchProtocol,
      filters: plan(description.axes, mapping, setup), stuck: setup.stuck, owner: self)
    nextDevice += 1
    return panel
  }

  /// What a panel is to have, by what udev says of it.
  private func setup(_ properties: [String: String]) -> PanelSetup {
    var setup = PanelSetup(
      filters: options.filters, stuck: options.stuck, properties: properties)
    // What was held must still be fresh when a client reads it.
    if options.staleLimit > 0 { setup.oldestDown = min(setup.oldestDown, options.staleLimit / 2) }
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

  private func add(_ panel: Panel) {
    panels.append(panel)
    log.write(.notice, "panel came", [("node", panel.node), ("name", panel.name)])
    for problem in panel.filterProblems {
      log.write(
        .warning, "a filter cannot work", [("node", panel.node), ("why", "\(problem)")])
    }
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
    if let watch = panel.watch { loop.stopWatching(watch) }
    panel.watch = nil
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
    for panel in panels { earliest = min(earliest, panel.stages?.nextDeadline ?? .max) }
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
      recording = try Recording(parsing: readFile(file))
    } catch {
      throw .replay(file: file, "\(error)")
    }
    for device in recording.devices {
      do throws(FrameError) {
        let panel = try makePanel(device.description, node: file, source: nil, kind: .recording)
        add(panel)
        replayPanels.append(panel)
      } catch {
        throw .replay(file: file, "\(error)")
      }
    }
    replay = Replay(recording, speed: options.replaySpeed)
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
        replayPanels[timed.device].take(
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
    for panel in replayPanels {
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
