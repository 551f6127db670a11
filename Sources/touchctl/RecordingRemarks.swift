import TouchFrames
import TouchModel
import TouchRecording

/// What is odd about a recorded device, though its frames could be made.
struct RecordingRemarks {
  /// The remarks, a sentence or two each.
  private(set) var texts: [String] = []

  init(_ device: RecordedDevice, counters: FrameCounters, slots: Int) {
    remarkOnKind(of: device.description)
    remarkOnAxes(of: device.description)
    if counters.slotsBeyondDeclared > 0 {
      texts.append("events name slots past the \(slots) declared; they are tracked all the same.")
    }
    if counters.slotsBeyondLimit > 0 {
      texts.append(
        "\(counters.slotsBeyondLimit) events name slots outside 0...\(FrameAssembler.slotLimit - 1);"
          + " what is sent for those is ignored.")
    }
    if counters.lostTaps > 0 {
      texts.append(
        "\(counters.lostTaps) contacts came and went within one frame and are not listed.")
    }
    if device.unfinishedEvents > 0 {
      texts.append(
        "the last \(device.unfinishedEvents) events are ignored: no SYN_REPORT ends their frame.")
    }
  }

  private mutating func remarkOnKind(of device: DeviceDescription) {
    switch RecordedKind(device) {
    case .touchscreen: break
    case .touchpad:
      texts.append("\"\(device.name)\" is a touch pad; the daemon would leave it alone.")
    case .pen:
      texts.append("\"\(device.name)\" is a pen; the daemon would leave it alone.")
    }
  }

  private mutating func remarkOnAxes(of device: DeviceDescription) {
    let axes = [("x", EvdevCode.absMTPositionX), ("y", EvdevCode.absMTPositionY)]
    for (name, code) in axes {
      guard let range = device.axes[code], range.maximum <= range.minimum else { continue }
      texts.append(
        "the \(name) axis has no extent (\(range.minimum)...\(range.maximum)), so \(name) is 0.")
    }
    if device.axes[EvdevCode.absMTTrackingID] == nil,
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

  private static let btnToolPen: UInt16 = 0x140
  private static let btnToolFinger: UInt16 = 0x145
  private static let btnStylus: UInt16 = 0x14b

  init(_ device: DeviceDescription) {
    let isDirect = device.properties.contains(EvdevCode.propDirect)
    if device.sends(EvdevCode.key, Self.btnToolPen) || device.sends(EvdevCode.key, Self.btnStylus) {
      self = .pen
    } else if device.sends(EvdevCode.key, Self.btnToolFinger), !isDirect {
      self = .touchpad
    } else {
      self = .touchscreen
    }
  }
}
