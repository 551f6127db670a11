import TouchModel

/// A reason why no frames can be made of a device's events.
public enum FrameError: Error, Equatable, Sendable {
  /// The device has no position axes at all.
  case noTouchPosition(device: String)
  /// The device lacks an axis that was named as one of its position axes.
  case noSuchAxis(device: String, axis: UInt16)
  /// A device with slots was to be read by other axes than those of its slots.
  case otherAxesInSlots(device: String)
  /// The range of a position axis holds a single value or none.
  case noExtent(device: String, axis: String)
  /// The device has slots and no way to say who is in them.
  case noTrackingID(device: String)
}

extension FrameError: CustomStringConvertible {
  /// The reason as a sentence, and what to do.
  public var description: String {
    switch self {
    case .noTouchPosition(let device):
      "\"\(device)\" has no touch position axes (ABS_MT_POSITION_X and _Y, or ABS_X and ABS_Y), "
        + "so it gives no frames. Choose a device that reports where it is touched."
    case .noSuchAxis(let device, let axis):
      "\"\(device)\" has no axis \(axis), which was named as one of its position axes. "
        + "Name two axes that it has, or give this one a range."
    case .otherAxesInSlots(let device):
      "\"\(device)\" has slots, whose position axes are always ABS_MT_POSITION_X and _Y. "
        + "Leave its position axes as they are."
    case .noExtent(let device, let axis):
      "the \(axis) axis of \"\(device)\" has no extent, so no place on it can be told. "
        + "Set Range\(axis.uppercased())=MINIMUM MAXIMUM in a [Panel] section of touchbridge.conf."
    case .noTrackingID(let device):
      "\"\(device)\" has slots but no ABS_MT_TRACKING_ID, so its touches cannot be told. "
        + "The driver is at fault: it must declare the axis."
    }
  }
}
