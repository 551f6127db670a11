import TouchModel

/// Whether a node is a panel for us, and if not, why.
public enum PanelVerdict: Equatable, Sendable {
  /// It is a touchscreen that is read.
  case used
  /// udev has it as something else; the word is udev's.
  case otherDevice(String)
  /// `LIBINPUT_IGNORE_DEVICE` is set.
  case ignored
  /// It has no position axes.
  case noTouchPosition
  /// Its protocol is not yet supported; the sentence is the frame assembler's.
  case unsupported(String)
  /// It could not be opened; the sentence is the error's.
  case notOpened(String)

  /// The verdict in words that say what to do, where something can be done.
  public var reason: String {
    switch self {
    case .used: "used"
    case .otherDevice(let kind): "not a touchscreen: udev has it as \(kind)"
    case .ignored: "left alone: LIBINPUT_IGNORE_DEVICE is set by a udev rule"
    case .noTouchPosition: "reports no touch position"
    case .unsupported(let sentence), .notOpened(let sentence): sentence
    }
  }
}

extension InputNode {
  /// What udev's properties alone say; nil where the device itself must be asked.
  ///
  /// A touchscreen is what udev marks as one and as nothing else that moves a pointer.
  public var verdictFromProperties: PanelVerdict? {
    if let ignore = properties["LIBINPUT_IGNORE_DEVICE"], ignore != "0" { return .ignored }
    if isMarked("ID_INPUT_TOUCHSCREEN") { return nil }
    let kinds = [
      ("ID_INPUT_TOUCHPAD", "a touchpad"), ("ID_INPUT_TABLET", "a tablet"),
      ("ID_INPUT_JOYSTICK", "a joystick"), ("ID_INPUT_MOUSE", "a mouse"),
      ("ID_INPUT_POINTINGSTICK", "a pointing stick"), ("ID_INPUT_KEYBOARD", "a keyboard"),
      ("ID_INPUT_KEY", "keys"), ("ID_INPUT_SWITCH", "a switch"),
      ("ID_INPUT_ACCELEROMETER", "an accelerometer"),
    ]
    if let kind = kinds.first(where: { isMarked($0.0) })?.1 { return .otherDevice(kind) }
    if properties["ID_INPUT"] != nil { return .otherDevice("no kind of its own") }
    // No word from udev at all, as in a container: the device's own axes decide.
    return nil
  }
}

extension DeviceDescription {
  /// What the device's own capabilities say; for nodes that udev does not rule out.
  ///
  /// - Parameter isMarked: whether udev calls it a touchscreen; without that word only a
  ///   device that is touched directly counts.
  public func verdict(isMarked: Bool) -> PanelVerdict {
    guard touchProtocol != nil else { return .noTouchPosition }
    if !isMarked && !properties.contains(EvdevCode.propDirect) {
      return .otherDevice("nothing, and it is not touched directly")
    }
    return .used
  }
}
