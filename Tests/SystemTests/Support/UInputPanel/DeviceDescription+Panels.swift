public import TouchModel

extension DeviceDescription {
  /// A touch screen with slots whose raw units are quarter points of a 1280 by 800 display.
  ///
  /// The daemon maps `n = (raw - min) / (max - min)` to `n * (size - 1)` points at scale 1. With
  /// ranges of 4 * 1279 and 4 * 799 the point is `raw / 4`, for every raw value.
  ///
  /// - Source: the shape of a 10-inch panel by hid-multitouch, 24 units a millimetre.
  public static func tenFingerPanel(named name: String = "Touchbridge ten-finger panel") -> Self {
    let x = AxisRange(minimum: 0, maximum: 4 * 1279, resolution: 24)
    let y = AxisRange(minimum: 0, maximum: 4 * 799, resolution: 24)
    return DeviceDescription(
      name: name, bus: 0x03, vendor: 0x1209, product: 0x0001, version: 1,
      properties: [EvdevCode.propDirect],
      codes: [
        EvdevCode.syn: [EvdevCode.synReport],
        EvdevCode.key: [EvdevCode.btnTouch],
        EvdevCode.abs: [
          EvdevCode.absX, EvdevCode.absY, EvdevCode.absMTSlot, EvdevCode.absMTPositionX,
          EvdevCode.absMTPositionY, EvdevCode.absMTTrackingID,
        ],
      ],
      axes: [
        EvdevCode.absX: x, EvdevCode.absY: y,
        EvdevCode.absMTSlot: AxisRange(minimum: 0, maximum: 9),
        EvdevCode.absMTPositionX: x, EvdevCode.absMTPositionY: y,
        EvdevCode.absMTTrackingID: AxisRange(minimum: 0, maximum: 65535),
      ])
  }
}
