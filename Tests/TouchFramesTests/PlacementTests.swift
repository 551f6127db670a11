import Testing
import TouchFrames
import TouchModel

@Suite struct `The placement of raw positions` {
  private let x = AxisRange(minimum: -100, maximum: 923)
  private let y = AxisRange(minimum: 7, maximum: 606)

  /// Where a frame assembler with a mapping puts a contact.
  private func assembled(_ rawX: Int32, _ rawY: Int32, _ mapping: DisplayMapping) throws -> Point {
    let axes = [
      EvdevCode.absMTSlot: AxisRange(minimum: 0, maximum: 0), EvdevCode.absMTPositionX: x,
      EvdevCode.absMTPositionY: y,
    ]
    var assembler = try FrameAssembler(
      description: DeviceDescription(name: "panel", axes: axes), device: 1, display: 0,
      ids: ContactIDSequence(), source: .device, isInjected: false, mapping: mapping)
    let events = [
      (EvdevCode.abs, EvdevCode.absMTTrackingID, Int32(1)),
      (EvdevCode.abs, EvdevCode.absMTPositionX, rawX),
      (EvdevCode.abs, EvdevCode.absMTPositionY, rawY), (EvdevCode.syn, EvdevCode.synReport, 0),
    ]
    for (type, code, value) in events {
      let event = EvdevEvent(seconds: 0, microseconds: 0, type: type, code: code, value: value)
      _ = assembler.consume(event)
    }
    return assembler.frame[0].position
  }

  static let mappings: [DisplayMapping] = [
    .normalised, DisplayMapping(display: .fallback),
    DisplayMapping(display: Display(id: 1, name: "d", width: 333, height: 777, scale: 1.5)),
  ]

  @Test(arguments: mappings)
  func `is that of the frames, within the panel and beyond it`(_ mapping: DisplayMapping) throws {
    let placement = mapping.placement(x: x, y: y)
    for rawX in [Int32.min, -101, -100, 0, 411, 923, 924, .max] {
      for rawY in [Int32.min, 6, 7, 100, 606, 607, .max] {
        let point = try assembled(rawX, rawY, mapping)
        #expect(placement.point(SIMD2(Double(rawX), Double(rawY))) == point, "\(rawX), \(rawY)")
      }
    }
  }

  @Test func `knows places between two units`() {
    let placement = DisplayMapping.normalised.placement(
      x: AxisRange(minimum: 0, maximum: 10), y: AxisRange(minimum: 0, maximum: 0))
    #expect(placement.point(SIMD2(2.5, 3)) == Point(x: 0.25, y: 0))
  }
}
