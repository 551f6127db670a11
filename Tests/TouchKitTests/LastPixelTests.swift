import Testing
import TouchFrames
import TouchKit
import TouchModel

@MainActor
@Suite struct `The last unit of each axis` {
  nonisolated static let transforms: [PanelTransform] = TouchModel.Rotation.allCases.flatMap {
    rotation in
    [PanelTransform.mounted(rotation), PanelTransform.invertX.then(.mounted(rotation))]
  }

  private func points(_ display: Display, _ transform: PanelTransform) throws -> [CGPoint] {
    let axes = [
      EvdevCode.absMTSlot: AxisRange(minimum: 0, maximum: 4),
      EvdevCode.absMTTrackingID: AxisRange(minimum: 0, maximum: 65_535),
      EvdevCode.absMTPositionX: AxisRange(minimum: 0, maximum: 4095),
      EvdevCode.absMTPositionY: AxisRange(minimum: 3, maximum: 997),
    ]
    var assembler = try FrameAssembler(
      description: DeviceDescription(name: "panel", axes: axes), device: 1, display: 0,
      ids: ContactIDSequence(), source: .recording, isInjected: false,
      mapping: DisplayMapping(display: display, transform: transform))
    var points: [CGPoint] = []
    for (number, raw) in [(0, 3), (4095, 3), (0, 997), (4095, 997)].enumerated() {
      let events: [(UInt16, UInt16, Int)] = [
        (EvdevCode.abs, EvdevCode.absMTTrackingID, number),
        (EvdevCode.abs, EvdevCode.absMTPositionX, raw.0),
        (EvdevCode.abs, EvdevCode.absMTPositionY, raw.1),
        (EvdevCode.syn, EvdevCode.synReport, 0),
        (EvdevCode.abs, EvdevCode.absMTTrackingID, -1),
        (EvdevCode.syn, EvdevCode.synReport, 0),
      ]
      for (type, code, value) in events {
        let event = EvdevEvent(
          seconds: 0, microseconds: 0, type: type, code: code, value: Int32(value))
        guard assembler.consume(event), assembler.frame[0].phase == .down else { continue }
        let position = assembler.frame[0].position
        points.append(CGPoint(x: position.x, y: position.y))
      }
    }
    return points
  }

  @Test(arguments: transforms, [1, 1.5, 3])
  func `hits a view that fills the screen, in all eight orientations`(
    _ transform: PanelTransform, _ scale: Double
  ) throws {
    let display = Display(id: 0, name: "d", width: 853, height: 480.5, scale: scale)
    let stage = Stage(width: display.width, height: display.height)
    let view = stage.view("all", 0, 0, display.width, display.height)
    // Two pixels wide and high, at the right bottom: views round where they lie.
    let corner = 2 / scale
    let last = stage.view(
      "last", display.width - corner, display.height - corner, corner, corner, in: view)
    let points = try points(display, transform)
    #expect(points.count == 4)
    let hit = points.map { stage.window.hitTest($0, with: nil) }
    #expect(hit.count { $0 === view } == 3)
    #expect(hit.count { $0 === last } == 1)
  }
}
