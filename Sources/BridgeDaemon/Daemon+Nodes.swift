import EvdevSource
import LinuxIO
import TouchFrames
import TouchModel
import TouchSettings

/// Turns udev's changes into calls of the daemon.
final class NodeChangeHandler: DescriptorHandler {
  private let watcher: InputNodeWatcher
  private let changed: (InputNodeChange) -> Void

  init(_ watcher: InputNodeWatcher, changed: @escaping (InputNodeChange) -> Void) {
    self.watcher = watcher
    self.changed = changed
  }

  func descriptorReady(_ readiness: Readiness) {
    while let change = watcher.next() { changed(change) }
  }
}

// Which nodes are panels: found through udev, or named by path.
extension Daemon {
  /// Opens the panels that are there and waits for others; none at all is a normal state.
  func startDiscovery() {
    if watcher == nil { listenToUdev() }
    if explicitDevices.isEmpty {
      lookForPanels()
    } else {
      for path in explicitDevices { consider(Self.explicitNode(path), isExplicit: true) }
    }
  }

  /// The nodes that are used by path; those of the command line come before the configuration's.
  var explicitDevices: [String] {
    options.devices.isEmpty
      ? configuration.settings.daemon.explicitDevices.map(\.value) : options.devices
  }

  /// Why a panel that is read would not be found any more; nil if it would.
  func reasonToLeave(_ panel: Panel) -> String? {
    guard let node = panel.likeness?.node else { return nil }
    guard explicitDevices.isEmpty else {
      return explicitDevices.contains(node.node) ? nil : "left alone: other nodes are named by path"
    }
    return node.verdict(inSeat: options.seat ?? configuration.seat)?.reason
  }

  private func listenToUdev() {
    do throws(SystemError) {
      let watcher = try InputNodeWatcher()
      let handler = NodeChangeHandler(watcher) { [unowned self] in nodeChanged($0) }
      _ = try loop.watch(watcher.descriptor, handler: handler)
      self.watcher = watcher
      watcherHandler = handler
    } catch {
      log.write(
        explicitDevices.isEmpty ? .warning : .debug,
        "no word of panels that come and go, going on without them",
        [("reason", "\(error)"), ("hint", "name the nodes with --device")])
    }
  }

  private static func explicitNode(_ path: String) -> InputNode {
    InputNode(node: path, sysPath: "", properties: [:])
  }

  /// Opens the panels that are there and not open yet.
  func lookForPanels() {
    for entry in nodes.waiting where entry.isExplicit { consider(entry.node, isExplicit: true) }
    // Who names nodes means these alone; udev is listened to for the outputs then.
    guard explicitDevices.isEmpty else { return }
    for node in watcher?.nodes() ?? [] { consider(node) }
  }

  /// Takes note of a node that came, changed or went, and of outputs that changed.
  func nodeChanged(_ change: InputNodeChange) {
    if case .outputs = change { return outputsChanged() }
    // Who names nodes means these alone; the watch is from before.
    guard explicitDevices.isEmpty else { return }
    switch change {
    case .added(let node): consider(node)
    case .removed(let node):
      refusedPanels[node.node] = nil
      idlePanels[node.node] = nil
      // By its place in /sys: another device may have the node's name by now.
      if let entry = nodes[node.node], entry.node.sysPath == node.sysPath {
        nodes.remove(node.node)
        manager.notify(statusLine)
      }
      // Reading usually notices first; whoever is second finds nothing to do.
      guard let panel = panels.first(where: { $0.likeness?.node.sysPath == node.sysPath }) else {
        return
      }
      panel.cancelAll(at: MonotonicClock.now())
      takeOut(panel, because: "unplugged")
      // What was a copy of it may be all there is now.
      lookForPanels()
    case .outputs: break
    }
  }

  private func consider(_ node: InputNode, isExplicit: Bool = false) {
    guard !panels.contains(where: { $0.node == node.node }) else { return }
    if !isExplicit, let verdict = node.verdict(inSeat: options.seat ?? configuration.seat) {
      leave(node, because: verdict)
      return
    }
    guard panels.count < DaemonLimits.panels else {
      wait(for: node, isExplicit, because: "\(DaemonLimits.panels) panels are in use, the most")
      return
    }
    do throws(DeviceError) {
      try open(EvdevDevice(node: node.node), as: node, isExplicit)
    } catch {
      if case .gone = error, !isExplicit { return nodes.remove(node.node) }
      wait(for: node, isExplicit, because: "\(error)")
    }
  }

  private func open(_ device: EvdevDevice, as node: InputNode, _ isExplicit: Bool) {
    let likeness = PanelLikeness(node: node, description: device.description)
    let isMarked = isExplicit || node.isMarked("ID_INPUT_TOUCHSCREEN")
    var verdict = device.description.verdict(isMarked: isMarked)
    if !isExplicit, let original = panels.first(where: { $0.isOriginal(of: likeness) }) {
      verdict = .twin(of: original.node)
    }
    guard verdict == .used else { return leave(node, because: verdict) }
    let identity = PanelIdentity(node, device.description)
    guard let setup = setUp(identity, node: node.node) else { return nodes.remove(node.node) }
    do throws(FrameError) {
      let panel = try prepare(device, node: device.node, identity, setup)
      panel.likeness = likeness
      if let problem = panel.settleGrab() {
        idlePanels[node.node] = identity
        return wait(for: node, isExplicit, because: problem)
      }
      removeCopies(of: likeness)
      nodes.setUsed(node, isExplicit: isExplicit)
      take(panel, from: device)
    } catch {
      leave(node, because: .unsupported("\(error)"))
    }
  }

  /// Takes out the panels that a program made of one that is now read itself.
  private func removeCopies(of original: PanelLikeness) {
    for panel in panels where panel.likeness.map({ $0.isCopy(of: original) }) ?? false {
      panel.cancelAll(at: MonotonicClock.now())
      takeOut(panel, because: PanelVerdict.twin(of: original.node.node).reason)
      nodes.remove(panel.node)
    }
  }

  private func leave(_ node: InputNode, because verdict: PanelVerdict) {
    nodes.remove(node.node)
    // What cannot be used although it is a touchscreen is worth a word; a keyboard is not.
    let level: LogLevel =
      switch verdict {
      case .unsupported, .twin, .notOpened: .warning
      default: .debug
      }
    log.write(level, "leaving a node alone", [("node", node.node), ("why", verdict.reason)])
  }

  // MARK: Waiting

  func wait(for entry: NodeTable.Entry, because problem: String) {
    wait(for: entry.node, entry.isExplicit, because: problem)
  }

  private func wait(for node: InputNode, _ isExplicit: Bool, because problem: String) {
    let now = MonotonicClock.now()
    if nodes.setWaiting(node, isExplicit: isExplicit, because: problem, at: now) {
      log.write(
        .warning, "cannot use a panel, trying again", [("node", node.node), ("why", problem)])
      manager.notify(statusLine)
    }
    setDeadline()
  }

  /// Tries the nodes again whose time has come.
  func retryNodes(_ now: UInt64) {
    for entry in nodes.due(by: now) {
      if entry.isExplicit {
        consider(entry.node, isExplicit: true)
      } else if let node = watcher?.node(sysPath: entry.node.sysPath) {
        consider(node)
      } else {
        // Unplugged, and udev's word of it is yet to come or was lost.
        nodes.remove(entry.node.node)
        manager.notify(statusLine)
      }
    }
  }
}

extension Panel {
  fileprivate func isOriginal(of copy: PanelLikeness) -> Bool {
    likeness.map { copy.isCopy(of: $0) } ?? false
  }
}
