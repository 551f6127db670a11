import TouchModel

/// Whether a node is a panel for us, and if not, why.
public enum PanelVerdict: Equatable, Sendable {
  /// It is a touchscreen that is read.
  case used
  /// udev has it as something else; the word is udev's.
  case otherDevice(String)
  /// `LIBINPUT_IGNORE_DEVICE` is set.
  case ignored
  /// It belongs to another seat than the daemon's.
  case otherSeat(String)
  /// A program made it out of another panel, which is read itself.
  case twin(of: String)
  /// It has no position axes.
  case noTouchPosition
  /// Its driver is at fault in a way that leaves no useful frames; the sentence is the frame
  /// assembler's.
  case unsupported(String)
  /// It could not be opened; the sentence is the error's.
  case notOpened(String)

  /// The verdict in words that say what to do, where something can be done.
  public var reason: String {
    switch self {
    case .used: "used"
    case .otherDevice(let kind): "not a touchscreen: udev has it as \(kind)"
    case .ignored: "left alone: LIBINPUT_IGNORE_DEVICE is set by a udev rule"
    case .otherSeat(let seat): "left alone: it belongs to \(seat)"
    case .twin(let node):
      "left alone: a program's copy of the panel at \(node), which is read itself. To read the copy "
        + "instead, set LIBINPUT_IGNORE_DEVICE=1 for the panel in a udev rule."
    case .noTouchPosition: "reports no touch position"
    case .unsupported(let sentence), .notOpened(let sentence): sentence
    }
  }
}

extension InputNode {
  /// What udev's properties alone say; nil where the device itself must be asked.
  ///
  /// A touchscreen is what udev marks as one and as nothing else that moves a pointer.
  ///
  /// - Parameter seat: the daemon's seat.
  public func verdict(inSeat seat: String = "seat0") -> PanelVerdict? {
    if let ignore = properties["LIBINPUT_IGNORE_DEVICE"], ignore != "0" { return .ignored }
    let elsewhere: PanelVerdict? = self.seat == seat ? nil : .otherSeat(self.seat)
    if isMarked("ID_INPUT_TOUCHSCREEN") { return elsewhere }
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
    return elsewhere
  }
}

/// A touchscreen as far as its likeness to another matters.
public struct PanelLikeness: Equatable, Sendable {
  /// The node as udev knows it.
  public var node: InputNode
  /// The kernel's name of the device.
  public var name: String
  /// The vendor's and the product's number.
  public var ids: [UInt16]

  /// Takes from a node and its description what matters.
  public init(node: InputNode, description: DeviceDescription) {
    self.node = node
    name = description.name
    ids = [description.vendor, description.product]
  }

  /// Tells whether this is what a program (a vendor's driver, a calibration tool) made of a panel.
  ///
  /// One is virtual and the other is not, and they share ids, or the name of the panel is part of
  /// the virtual one's.
  public func isCopy(of panel: PanelLikeness) -> Bool {
    guard node.isVirtual, !panel.node.isVirtual else { return false }
    let shareIDs = ids == panel.ids && ids != [0, 0]
    return shareIDs || !panel.name.isEmpty && name.contains(panel.name)
  }
}

extension DeviceDescription {
  /// What the device's own capabilities say; for nodes that udev does not rule out.
  ///
  /// - Parameter isMarked: whether udev calls it a touchscreen; without that word only a
  ///   device that is touched directly counts.
  public func verdict(isMarked: Bool) -> PanelVerdict {
    guard let touchProtocol else { return .noTouchPosition }
    if !isMarked, touchProtocol == .singleTouch, isPen { return .otherDevice("a pen") }
    if !isMarked && !properties.contains(EvdevCode.propDirect) {
      return .otherDevice("nothing, and it is not touched directly")
    }
    return .used
  }

  /// Whether its keys are those of a pen, as udev has it.
  private var isPen: Bool {
    sends(EvdevCode.key, EvdevCode.btnToolPen) || sends(EvdevCode.key, EvdevCode.btnStylus)
  }
}
