import TouchModel

/// A panel of a single contact: the finger that came first, until it is lifted.
struct SingleTouchWriter: EventWriter {
  private var log: EventLog
  private var finger: Int?
  private var values: [UInt16: Int32] = [:]

  init(_ panel: PanelModel, display: Display) { log = EventLog(panel, display: display) }

  var events: [EvdevEvent] { log.events }

  mutating func write(_ changes: [TouchScript.Change], at time: UInt64) {
    log.time = time
    let before = log.events.count
    for change in changes {
      switch change.kind {
      case .down where finger == nil:
        finger = change.finger
        place(change)
        press(true)
      case .move where finger == change.finger: place(change)
      case .up where finger == change.finger, .cancel where finger == change.finger:
        finger = nil
        if log.has(.jumpsAtRelease) { set(EvdevCode.absX, 0) }
        press(false)
      case .down, .move, .up, .cancel: break
      }
    }
    // The kernel passes no report on that is about nothing.
    if log.events.count > before { log.put(EvdevCode.syn, EvdevCode.synReport, 0) }
  }

  mutating func drop(at time: UInt64) {
    log.time = time
    log.putDropped()
    values = [:]
  }

  mutating func unplug(at time: UInt64) {
    log.time = time
    if log.has(.endsUnfinished), finger != nil { set(EvdevCode.absX, 0) }
  }

  private mutating func place(_ change: TouchScript.Change) {
    guard let point = change.place else { return }
    let (x, y) = log.units((point.x, point.y), on: (EvdevCode.absX, EvdevCode.absY))
    set(EvdevCode.absX, x)
    set(EvdevCode.absY, y)
  }

  private mutating func press(_ isDown: Bool) {
    let device = log.panel.description
    if device.axes[EvdevCode.absPressure] != nil { set(EvdevCode.absPressure, isDown ? 100 : 0) }
    let keys = [EvdevCode.btnTouch, EvdevCode.btnLeft]
    guard let key = keys.first(where: { device.sends(EvdevCode.key, $0) }) else { return }
    log.put(EvdevCode.key, key, isDown ? 1 : 0)
  }

  private mutating func set(_ axis: UInt16, _ value: Int32) {
    guard values[axis] != value || log.has(.repeatsValues) else { return }
    values[axis] = value
    log.put(EvdevCode.abs, axis, value)
  }
}
