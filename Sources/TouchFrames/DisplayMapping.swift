import TouchModel

/// Takes a panel's normalised positions to points of the display it belongs to.
///
/// The normalised position n is closed, 0...1, and a display is half open: point = n * (size -
/// 1 / scale), so that the last unit of an axis lands on the last pixel.
public struct DisplayMapping: Sendable, Equatable {
  private let spanX: Double
  private let spanY: Double
  private let areaScale: Float

  /// Prepares for a display.
  public init(display: Display) {
    spanX = max(0, display.width - 1 / display.scale)
    spanY = max(0, display.height - 1 / display.scale)
    areaScale = Float(display.width)
  }

  /// Maps all contacts of a frame in place; areas, which are fractions of the x axis, too.
  public func apply(to frame: inout FrameBuffer) {
    for index in 0..<frame.count {
      var contact = frame[index]
      contact.position.x = min(1, max(0, contact.position.x)) * spanX
      contact.position.y = min(1, max(0, contact.position.y)) * spanY
      contact.major *= areaScale
      contact.minor *= areaScale
      frame[index] = contact
    }
  }
}
