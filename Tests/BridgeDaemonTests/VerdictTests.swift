import EvdevSource
import Testing
import TouchModel

/// Which device is a panel where udev says nothing, as in a container, or where it has marked it.
@Suite struct `A device's verdict` {
  static func device(
    _ axes: [UInt16], keys: Set<UInt16> = [EvdevCode.btnTouch], isDirect: Bool = true
  ) -> DeviceDescription {
    let range = AxisRange(minimum: 0, maximum: 9)
    return DeviceDescription(
      name: "device", properties: isDirect ? [EvdevCode.propDirect] : [],
      codes: [EvdevCode.key: keys],
      axes: Dictionary(uniqueKeysWithValues: axes.map { ($0, range) }))
  }

  static let single = [EvdevCode.absX, EvdevCode.absY]
  static let reports = [EvdevCode.absMTPositionX, EvdevCode.absMTPositionY]
  static let slots = reports + [EvdevCode.absMTSlot, EvdevCode.absMTTrackingID]

  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var device: DeviceDescription
    var isMarked = false
    var verdict: PanelVerdict
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "slots", device: device(slots), verdict: .used),
    Row(name: "protocol A", device: device(reports), verdict: .used),
    Row(name: "a single contact", device: device(single), verdict: .used),
    Row(
      name: "A17: not touched directly, but marked by udev",
      device: device(single, isDirect: false), isMarked: true, verdict: .used),
    Row(
      name: "not touched directly", device: device(single, isDirect: false),
      verdict: .otherDevice("nothing, and it is not touched directly")),
    Row(
      name: "F5: a pen on a display", device: device(single, keys: [EvdevCode.btnToolPen]),
      verdict: .otherDevice("a pen")),
    Row(
      name: "F5: a pen that names no tool",
      device: device(single, keys: [EvdevCode.btnTouch, EvdevCode.btnStylus]),
      verdict: .otherDevice("a pen")),
    Row(
      name: "pen and fingers in one node", device: device(slots, keys: [EvdevCode.btnToolPen]),
      verdict: .used),
    Row(
      name: "A14: sizes and no positions",
      device: device([EvdevCode.absMTTouchMajor, EvdevCode.absMTTouchMinor]), isMarked: true,
      verdict: .noTouchPosition),
  ]

  @Test(arguments: rows)
  func `follows from its axes, its keys and what udev says`(_ row: Row) {
    #expect(row.device.verdict(isMarked: row.isMarked) == row.verdict)
  }
}
