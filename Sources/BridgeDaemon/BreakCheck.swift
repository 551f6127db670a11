import TouchFilters

/// A look for contacts that break off, for a while.
final class BreakCheck {
  /// How long after a sleep it is looked for.
  static let duration: UInt64 = 60_000_000_000
  /// How many make it worth a word: one may be chance.
  static let limit: UInt64 = 3

  let watch: Cell<BreakWatch>
  /// When it ends, in nanoseconds.
  let end: UInt64

  /// - Parameter reach: how near counts as the same place, in points.
  init(until end: UInt64, reach: Double) {
    self.end = end
    watch = Cell(BreakWatch(reach: reach))
  }
}

extension Panel {
  /// Looks for contacts that break off, from the moment at which the machine woke up.
  func checkForBreaks(since time: UInt64) {
    guard let display = setup?.display else { return }
    // A fiftieth of the display: some millimetres on any panel that hangs on a wall.
    breaks.value = BreakCheck(
      until: time &+ BreakCheck.duration, reach: max(display.width, display.height) / 50)
  }

  /// Looks at the frame that was just completed.
  func checkBreaks() {
    guard let check = breaks.value else { return }
    guard assembler.value.frame.timeNanoseconds <= check.end else {
      breaks.value = nil
      return
    }
    guard check.watch.value.apply(assembler.value.frame) else { return }
    brokenContacts &+= 1
    if check.watch.value.count == BreakCheck.limit { owner.panelBreaksOff(self) }
  }
}
