import TouchFrames
import TouchModel
import TouchRecording

/// What is odd about a recorded device, though its frames could be made.
struct RecordingRemarks {
  /// The remarks, a sentence or two each.
  private(set) var texts: [String] = []

  init(
    _ device: RecordedDevice, counters: FrameCounters, slots: Int,
    protocol kind: TouchProtocol
  ) {
    remarkOnKind(of: device.description)
    remarkOnAxes(of: device.description, kind)
    remarkOnSlots(counters, slots)
    remarkOnContacts(counters)
    if device.unfinishedEvents > 0 {
      texts.append(
        "the last \(device.unfinishedEvents) events are ignored: no SYN_REPORT ends their frame.")
    }
  }

  private mutating func remarkOnSlots(_ counters: FrameCounters, _ slots: Int) {
    if counters.slotsBeyondDeclared > 0 {
      texts.append("events name slots past the \(slots) declared; they are tracked all the same.")
    }
    if counters.slotsBeyondLimit > 0 {
      texts.append(
        "\(counters.slotsBeyondLimit) events name slots outside 0...\(FrameAssembler.slotLimit - 1);"
          + " what is sent for those is ignored.")
    }
  }

  private mutating func remarkOnContacts(_ counters: FrameCounters) {
    if counters.lostTaps > 0 {
      texts.append(
        "\(counters.lostTaps) contacts came and went within one frame and are not listed.")
    }
    if counters.downsWithoutPosition > 0 {
      texts.append(
        "\(counters.downsWithoutPosition) contacts began before any position had come, so they are "
          + "at 0, 0. Does the panel send its position on other axes?")
    }
    // A finger that taps twice on the very same spot is rare, but it is there.
    if counters.downsInPlace > 1 {
      texts.append(
        "\(counters.downsInPlace) contacts began just where the one before in their slot was last, "
          + "as those do that come without a position. Are they ghosts?")
    }
    if counters.emptyContacts > 0 {
      texts.append(
        "\(counters.emptyContacts) contacts of reports have neither an id nor a position; "
          + "they are ignored.")
    }
    if counters.contactsBeyondLimit > 0 {
      texts.append("\(counters.contactsBeyondLimit) contacts are more than are tracked; ignored.")
    }
    if counters.liftsByKey > 0 {
      texts.append(
        "BTN_TOUCH 0 alone lifted the contacts \(counters.liftsByKey) times: the driver sends no "
          + "tracking id -1.")
    }
  }

  private mutating func remarkOnKind(of device: DeviceDescription) {
    switch RecordedKind(device) {
    case .touchscreen: break
    case .touchpad:
      texts.append("\"\(device.name)\" is a touch pad; the daemon would leave it alone.")
    case .pen:
      texts.append("\"\(device.name)\" is a pen; the daemon would leave it alone.")
    case .mouse:
      texts.append("\"\(device.name)\" passes for a mouse; the daemon would leave it alone.")
    }
  }

  private mutating func remarkOnAxes(of device: DeviceDescription, _ kind: TouchProtocol) {
    let position: PositionAxes = kind == .singleTouch ? .singleTouch : .multiTouch
    let axes = [("x", position.x), ("y", position.y)]
    for (name, code) in axes {
      guard let range = device.axes[code], range.maximum <= range.minimum else { continue }
      texts.append(
        "the \(name) axis has no extent (\(range.minimum)...\(range.maximum)), so \(name) is 0.")
    }
    if case .slots = kind, device.axes[EvdevCode.absMTTrackingID] == nil,
      !device.sends(EvdevCode.abs, EvdevCode.absMTTrackingID)
    {
      texts.append("slots are declared, but no ABS_MT_TRACKING_ID: the description is faulty.")
    }
  }
}

/// What a device is, by the rule of udev's `input_id`.
private enum RecordedKind {
  case touchscreen
  case touchpad
  case pen
  case mouse

  init(_ device: DeviceDescription) {
    func has(_ key: UInt16) -> Bool { device.sends(EvdevCode.key, key) }
    let isDirect = device.properties.contains(EvdevCode.propDirect)
    if has(EvdevCode.btnToolPen) || has(EvdevCode.btnStylus) {
      self = .pen
    } else if has(EvdevCode.btnToolFinger), !isDirect {
      self = .touchpad
    } else if has(EvdevCode.btnLeft), !has(EvdevCode.btnTouch), !isDirect {
      self = .mouse
    } else {
      self = .touchscreen
    }
  }
}
