import TouchModel

/// A panel's side of its protocol.
protocol EventWriter {
  /// What the panel has sent.
  var events: [EvdevEvent] { get }
  /// Sends what fingers do in one frame.
  mutating func write(_ changes: [TouchScript.Change], at time: UInt64)
  /// Loses a frame.
  mutating func drop(at time: UInt64)
  /// Goes away.
  mutating func unplug(at time: UInt64)
}

/// Events in the making, in a panel's own units.
struct EventLog {
  private(set) var events: [EvdevEvent] = []
  let panel: PanelModel
  let display: Display
  var time: UInt64 = 0

  init(_ panel: PanelModel, display: Display) {
    self.panel = panel
    self.display = display
  }

  /// A place on the display in the panel's units, on the axes that carry the position.
  func units(_ point: (x: Double, y: Double), on axes: (x: UInt16, y: UInt16)) -> (Int32, Int32) {
    (units(axes.x, point.x, display.width), units(axes.y, point.y, display.height))
  }

  private func units(_ axis: UInt16, _ place: Double, _ size: Double) -> Int32 {
    guard let range = panel.description.axes[axis] else { return 0 }
    let span = Double(range.maximum) - Double(range.minimum)
    let part = place / (size - 1 / display.scale)
    return Int32(clamping: Int64((Double(range.minimum) + part * span).rounded()))
  }

  mutating func put(_ type: UInt16, _ code: UInt16, _ value: Int32) {
    events.append(
      EvdevEvent(
        seconds: Int(time / 1_000_000_000), microseconds: Int(time % 1_000_000_000 / 1_000),
        type: type, code: code, value: value))
  }

  mutating func putDropped() {
    put(EvdevCode.syn, EvdevCode.synDropped, 0)
    put(EvdevCode.syn, EvdevCode.synReport, 0)
  }

  func has(_ habit: PanelModel.Habit) -> Bool { panel.habits.contains(habit) }
}
