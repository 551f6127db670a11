import TouchModel

// A single contact by ABS_X, ABS_Y and what says that it touches, in slot 0.
extension FrameAssembler {
  mutating func take(_ event: EvdevEvent, _ single: SingleTouch) {
    if event.type == EvdevCode.abs {
      takeAxis(event, single)
    } else if event.type == EvdevCode.key {
      takeKey(event, single)
    }
  }

  private mutating func takeAxis(_ event: EvdevEvent, _ single: SingleTouch) {
    switch event.code {
    case single.position.x:
      current[EvdevCode.absMTPositionX] = event.value
      single.hasPosition = true
    case single.position.y:
      current[EvdevCode.absMTPositionY] = event.value
      single.hasPosition = true
    case EvdevCode.absPressure:
      current[EvdevCode.absMTPressure] = event.value
      if single.sign == .pressure { setTouching(event.value > 0, single) }
    case EvdevCode.absDistance: single.distance = event.value
    default: break
    }
  }

  private mutating func takeKey(_ event: EvdevEvent, _ single: SingleTouch) {
    // The key that a driver sends without having declared it.
    if event.code == EvdevCode.btnTouch { single.sign = .key(EvdevCode.btnTouch) }
    if single.sign == .key(event.code) {
      setTouching(event.value != 0, single)
    } else if (EvdevCode.btnToolPen...EvdevCode.btnToolAirbrush).contains(event.code) {
      single.takePen(event.code, isNear: event.value != 0)
      current[EvdevCode.absMTToolType] = single.tool
    }
  }

  /// Begins or ends the contact; what hovered is the one that goes down.
  private mutating func setTouching(_ isTouching: Bool, _ single: SingleTouch) {
    guard isTouching != single.isTouching else { return }
    single.isTouching = isTouching
    guard isTouching else { return takeTrackingID(-1) }
    current[EvdevCode.absMTDistance] = 0
    current[EvdevCode.absMTToolType] = single.tool
    if current[EvdevCode.absMTTrackingID] < 0 { takeTrackingID(single.nextID()) }
    if !single.hasPosition { counters.downsWithoutPosition &+= 1 }
  }

  /// Says in the slot what hovers, if that is asked for, before a frame is made of it.
  mutating func settle(_ single: SingleTouch) {
    guard options.reportsHover, !single.isTouching else { return }
    let isHeld = current[EvdevCode.absMTTrackingID] >= 0
    guard single.distance > 0 || single.isPenNear else {
      if isHeld { takeTrackingID(-1) }
      return
    }
    current[EvdevCode.absMTDistance] = max(1, single.distance)
    if !isHeld { takeTrackingID(single.nextID()) }
  }
}
