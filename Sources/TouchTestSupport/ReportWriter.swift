import TouchModel

/// A panel of multi-touch protocol A: each report names all fingers that are down.
struct ReportWriter: EventWriter {
  private struct Finger {
    var number: Int
    var id: Int32
    var place: (x: Int32, y: Int32)
  }

  private var log: EventLog
  private var fingers: [Finger] = []
  private var nextID: Int32 = 0
  private var isPressed = false

  init(_ panel: PanelModel, display: Display) { log = EventLog(panel, display: display) }

  var events: [EvdevEvent] { log.events }

  mutating func write(_ changes: [TouchScript.Change], at time: UInt64) {
    log.time = time
    for change in changes {
      switch change.kind {
      case .down:
        fingers.append(Finger(number: change.finger, id: nextID, place: place(change)))
        nextID = (nextID + 1) % (log.has(.repeatsIDs) ? 3 : 256)
      case .move:
        guard let index = fingers.firstIndex(where: { $0.number == change.finger }) else {
          continue
        }
        fingers[index].place = place(change)
      case .up, .cancel: fingers.removeAll { $0.number == change.finger }
      }
    }
    putFingers()
    if isPressed == fingers.isEmpty {
      isPressed.toggle()
      putKey()
    }
    log.put(EvdevCode.syn, EvdevCode.synReport, 0)
  }

  mutating func drop(at time: UInt64) {
    log.time = time
    log.putDropped()
  }

  mutating func unplug(at time: UInt64) {
    log.time = time
    if log.has(.endsUnfinished) { putFingers() }
  }

  private func place(_ change: TouchScript.Change) -> (x: Int32, y: Int32) {
    let point = change.place ?? .zero
    let (x, y) = log.units(
      (point.x, point.y), on: (EvdevCode.absMTPositionX, EvdevCode.absMTPositionY))
    return (x, y)
  }

  private mutating func putFingers() {
    for finger in fingers {
      if log.panel.description.axes[EvdevCode.absMTTrackingID] != nil {
        log.put(EvdevCode.abs, EvdevCode.absMTTrackingID, finger.id)
      }
      log.put(EvdevCode.abs, EvdevCode.absMTPositionX, finger.place.x)
      log.put(EvdevCode.abs, EvdevCode.absMTPositionY, finger.place.y)
      log.put(EvdevCode.syn, EvdevCode.synMTReport, 0)
    }
    // Without a finger the report still ends a contact, one that is not there.
    if fingers.isEmpty { log.put(EvdevCode.syn, EvdevCode.synMTReport, 0) }
  }

  private mutating func putKey() {
    guard log.panel.description.sends(EvdevCode.key, EvdevCode.btnTouch) else { return }
    log.put(EvdevCode.key, EvdevCode.btnTouch, isPressed ? 1 : 0)
  }
}
