extension HIDRecording {
  /// A five-finger panel of our own, 4096 by 2560 units, with a few touches.
  ///
  /// Each contact is six bytes: tip switch, contact id, x and y (little-endian); then the number of
  /// contacts in the report (HID usage tables, digitizer page 0x0d).
  public static func fiveFingerPanel(reports: [[UInt8]] = []) -> HIDRecording {
    HIDRecording(
      name: "Touchbridge Five Finger Panel", bus: 3, vendor: 0x1209, product: 0x7b5f,
      descriptor: panelDescriptor, reports: reports)
  }

  /// A finger in a report of `fiveFingerPanel`.
  public struct Finger: Sendable {
    var id: UInt8
    var x: UInt16
    var y: UInt16
    var isDown: Bool

    /// A finger on the panel, or one that is just lifted.
    public init(_ id: UInt8, _ x: UInt16, _ y: UInt16, isDown: Bool = true) {
      (self.id, self.x, self.y, self.isDown) = (id, x, y, isDown)
    }
  }

  /// The report that shows these fingers, at most five.
  public static func report(_ fingers: Finger...) -> [UInt8] {
    var bytes: [UInt8] = [reportNumber]
    for place in 0..<fingerCount {
      let finger = place < fingers.count ? fingers[place] : Finger(0, 0, 0, isDown: false)
      bytes += [finger.isDown ? 1 : 0, finger.id]
      for value in [finger.x, finger.y] { bytes += [UInt8(value & 0xff), UInt8(value >> 8)] }
    }
    return bytes + [UInt8(min(fingers.count, fingerCount))]
  }

  private static let fingerCount = 5
  private static let reportNumber: UInt8 = 1

  private static let panelDescriptor: [UInt8] = {
    let finger: [UInt8] = [
      0x05, 0x0d, 0x09, 0x22, 0xa1, 0x02,  // digitizers, a finger
      0x09, 0x42, 0x15, 0, 0x25, 1, 0x75, 1, 0x95, 1, 0x81, 0x02,  // tip switch: one bit
      0x95, 7, 0x81, 0x03,  // seven bits of padding
      0x09, 0x51, 0x25, 0x7f, 0x75, 8, 0x95, 1, 0x81, 0x02,  // contact id: a byte
      0x05, 0x01, 0x75, 16, 0x55, 0x0e, 0x65, 0x11,  // generic desktop, in hundredths of a cm
      0x09, 0x30, 0x26, 0xff, 0x0f, 0x35, 0, 0x46, 0x80, 0x0c, 0x81, 0x02,  // x: 0...4095, 32 cm
      0x09, 0x31, 0x26, 0xff, 0x09, 0x46, 0xd0, 0x07, 0x81, 0x02,  // y: 0...2559, 20 cm
      0xc0,
    ]
    var bytes: [UInt8] = [0x05, 0x0d, 0x09, 0x04, 0xa1, 0x01, 0x85, reportNumber]  // touch screen
    for _ in 0..<fingerCount { bytes += finger }
    bytes += [0x05, 0x0d, 0x45, 0, 0x65, 0, 0x55, 0]
    bytes += [0x09, 0x54, 0x25, 0x7f, 0x75, 8, 0x95, 1, 0x81, 0x02]  // contact count
    // The most contacts, as a feature.
    bytes += [0x85, 2, 0x09, 0x55, 0x25, UInt8(fingerCount), 0x75, 8, 0x95, 1, 0xb1, 0x02]
    return bytes + [0xc0]
  }()
}
