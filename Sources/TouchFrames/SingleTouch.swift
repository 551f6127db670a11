import TouchModel

/// What a device of a single contact has said, beyond the values that stand in its slot.
final class SingleTouch {
  let position: PositionAxes
  /// What says that it touches: a button, or the pressure alone.
  var sign: TouchSign
  let hasPressure: Bool
  /// Whether the device says that it touches.
  var isTouching = false
  /// Whether a position has come.
  var hasPosition = false
  var distance: Int32 = 0
  // A bit for each kind of pen that is near or touches.
  private var pens: UInt16 = 0
  // A tablet with a button on its pen is one also if it never names the tool.
  private let isAlwaysPen: Bool
  private var lastID: Int32 = -1

  init(_ description: DeviceDescription, position: PositionAxes) {
    self.position = position
    hasPressure = description.axes[EvdevCode.absPressure] != nil
    func has(_ key: UInt16) -> Bool { description.sends(EvdevCode.key, key) }
    if has(EvdevCode.btnTouch) {
      sign = .key(EvdevCode.btnTouch)
    } else if hasPressure {
      sign = .pressure
    } else {
      sign = has(EvdevCode.btnLeft) ? .key(EvdevCode.btnLeft) : .nothing
    }
    isAlwaysPen = has(EvdevCode.btnStylus) && !has(EvdevCode.btnToolPen)
  }

  /// Whether a pen is near or touches.
  var isPenNear: Bool { pens != 0 }

  /// The tool, as a slot has it.
  var tool: Int32 { isPenNear || isAlwaysPen ? EvdevCode.toolPen : EvdevCode.toolFinger }

  /// Takes a kind of pen that came near or went.
  func takePen(_ code: UInt16, isNear: Bool) {
    let bit = UInt16(1) << (code - EvdevCode.btnToolPen)
    pens = isNear ? pens | bit : pens & ~bit
  }

  /// An id for the slot table, which counts the touches.
  func nextID() -> Int32 {
    lastID = (lastID &+ 1) & .max
    return lastID
  }

  /// Forgets that it touches: what was lost in a gap nobody knows.
  func forget() {
    isTouching = false
    distance = 0
    pens = 0
  }

  /// Takes over the state at opening; the id of one that touches becomes one of the table's.
  func adopt(_ state: inout SlotState) {
    forget()
    take(&state, id: nextID())
  }

  /// Takes over the state after a gap; one that touches still keeps its id.
  func resynchronise(_ state: inout SlotState, held: Int32) {
    forget()
    take(&state, id: held >= 0 ? held : nextID())
  }

  private func take(_ state: inout SlotState, id: Int32) {
    isTouching = state.trackingID >= 0
    state.trackingID = isTouching ? id : -1
    state.distance = 0
    if state.tool == EvdevCode.toolFinger { state.tool = tool }
    hasPosition = true
  }
}
