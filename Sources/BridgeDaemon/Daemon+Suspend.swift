import LinuxIO

/// Turns the clock's changes into a closure's call.
final class ClockChangeHandler: DescriptorHandler {
  private let reader: ClockChangeReader
  private let changed: () -> Void

  init(_ reader: ClockChangeReader, changed: @escaping () -> Void) {
    self.reader = reader
    self.changed = changed
  }

  func descriptorReady(_ readiness: Readiness) {
    reader.consume()
    changed()
  }
}

// Suspend: nobody knows what happened to the fingers meanwhile.
extension Daemon {
  /// Wakes up with the machine.
  func watchForSuspend() {
    do throws(SystemError) {
      let reader = try ClockChangeReader()
      let handler = ClockChangeHandler(reader) { [unowned self] in
        look(monotonic: MonotonicClock.now(), sinceBoot: MonotonicClock.sinceBoot())
      }
      _ = try loop.watch(reader.descriptor, handler: handler)
    } catch {
      log.write(
        .warning, "cannot tell when the machine sleeps, going on without", [("reason", "\(error)")])
    }
  }

  /// Cancels what was down if the machine has slept, and looks for panels that came or went.
  ///
  /// Fingers that are still there are ignored until they are lifted.
  func look(monotonic: UInt64, sinceBoot: UInt64) {
    guard let slept = suspendWatch.sleptFor(monotonic: monotonic, sinceBoot: sinceBoot) else {
      return
    }
    log.write(
      .notice, "the machine has slept, cancelling what was down",
      [("milliseconds", "\(slept / 1_000_000)")])
    wokeAt = monotonic
    for panel in panels {
      panel.cancelAll(at: monotonic)
      panel.checkForBreaks(since: monotonic)
    }
    lookForPanels()
  }

  func panelBreaksOff(_ panel: Panel) {
    log.write(
      .warning,
      "contacts break off since the machine has slept, going on; the panel's controller may have to be "
        + "reset",
      [("node", panel.node), ("name", panel.name)])
  }
}
