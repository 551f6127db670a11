import TouchModel

/// A reason why no frames can be made of a device's events.
public enum FrameError: Error, Equatable, Sendable {
  /// The device has no position axes at all.
  case noTouchPosition(device: String)
  /// The device tells contacts apart in a way that is not built yet.
  case notYetSupported(device: String, TouchProtocol)
}

extension FrameError: CustomStringConvertible {
  /// The reason as a sentence.
  public var description: String {
    switch self {
    case .noTouchPosition(let device):
      "\"\(device)\" has no touch position axes (ABS_MT_POSITION_X and _Y, or ABS_X and ABS_Y), "
        + "so it gives no frames. Choose a device that reports where it is touched."
    case .notYetSupported(let device, let kind):
      "\"\(device)\" \(Self.habit(of: kind)), which is not yet supported. "
        + "Devices with slots (ABS_MT_SLOT, multi-touch protocol B) are."
    }
  }

  private static func habit(of kind: TouchProtocol) -> String {
    switch kind {
    case .slots: "tells contacts apart by slots"
    case .reports: "tells contacts apart by SYN_MT_REPORT (multi-touch protocol A)"
    case .singleTouch: "reports a single contact by ABS_X and ABS_Y"
    }
  }
}
