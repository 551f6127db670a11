import Testing
import TouchFrames
import TouchModel

/// A panel behind a transform, touched at raw values.
final class TransformedPanel {
  /// 42...1981 by 0...1023: neither begins at 0 nor is it square.
  static let description = DeviceDescription(
    name: "panel",
    axes: [
      EvdevCode.absMTSlot: AxisRange(minimum: 0, maximum: 4),
      EvdevCode.absMTTrackingID: AxisRange(minimum: 0, maximum: 65_535),
      EvdevCode.absMTPositionX: AxisRange(minimum: 42, maximum: 1981),
      EvdevCode.absMTPositionY: AxisRange(minimum: 0, maximum: 1023),
      EvdevCode.absMTTouchMajor: AxisRange(minimum: 0, maximum: 255),
      EvdevCode.absMTOrientation: AxisRange(minimum: -2, maximum: 2),
    ])

  static let corners: [(Int32, Int32)] = [(42, 0), (1981, 0), (42, 1023), (1981, 1023)]

  private var assembler: FrameAssembler

  init(_ display: Display, _ transform: PanelTransform) throws {
    assembler = try FrameAssembler(
      description: Self.description, device: 1, display: 0, ids: ContactIDSequence(),
      source: .recording, isInjected: false,
      mapping: DisplayMapping(display: display, transform: transform))
  }

  /// The contact of a touch.
  func touch(
    _ x: Int32, _ y: Int32, major: Int32 = 0, orientation: Int32 = 0
  ) -> Contact? {
    let values: [(UInt16, Int32)] = [
      (EvdevCode.absMTTrackingID, 1), (EvdevCode.absMTPositionX, x),
      (EvdevCode.absMTPositionY, y), (EvdevCode.absMTTouchMajor, major),
      (EvdevCode.absMTOrientation, orientation),
    ]
    for (code, value) in values { _ = send(EvdevCode.abs, code, value) }
    _ = send(EvdevCode.syn, EvdevCode.synReport, 0)
    let contact = assembler.frame.count == 1 ? assembler.frame[0] : nil
    _ = send(EvdevCode.abs, EvdevCode.absMTTrackingID, -1)
    _ = send(EvdevCode.syn, EvdevCode.synReport, 0)
    return contact
  }

  func touch(at raw: (Int32, Int32)) -> Point? { touch(raw.0, raw.1)?.position }

  private func send(_ type: UInt16, _ code: UInt16, _ value: Int32) -> Bool {
    assembler.consume(
      EvdevEvent(seconds: 0, microseconds: 0, type: type, code: code, value: value))
  }
}

@Suite struct `Transforms of a panel` {
  /// An orientation, and which corner of the display each corner of the panel reaches: left top,
  /// right top, left bottom, right bottom, as 0 and 1.
  struct Orientation: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var transform: PanelTransform
    var reaches: [(Double, Double)]
  }

  static let orientations = [
    Orientation(
      testDescription: "as it is", transform: .mounted(.none),
      reaches: [(0, 0), (1, 0), (0, 1), (1, 1)]),
    Orientation(
      testDescription: "90", transform: .mounted(.quarter),
      reaches: [(1, 0), (1, 1), (0, 0), (0, 1)]),
    Orientation(
      testDescription: "180", transform: .mounted(.half),
      reaches: [(1, 1), (0, 1), (1, 0), (0, 0)]),
    Orientation(
      testDescription: "270", transform: .mounted(.threeQuarters),
      reaches: [(0, 1), (0, 0), (1, 1), (1, 0)]),
    Orientation(
      testDescription: "x inverted", transform: .invertX,
      reaches: [(1, 0), (0, 0), (1, 1), (0, 1)]),
    Orientation(
      testDescription: "x inverted, 90", transform: .invertX.then(.mounted(.quarter)),
      reaches: [(1, 1), (1, 0), (0, 1), (0, 0)]),
    Orientation(
      testDescription: "x inverted, 180", transform: .invertX.then(.mounted(.half)),
      reaches: [(0, 1), (1, 1), (0, 0), (1, 0)]),
    Orientation(
      testDescription: "x inverted, 270", transform: .invertX.then(.mounted(.threeQuarters)),
      reaches: [(0, 0), (0, 1), (1, 0), (1, 1)]),
  ]

  static let displays = [
    Display(id: 0, name: "plain", width: 1280, height: 800),
    Display(id: 0, name: "upright", width: 480.5, height: 853.25, scale: 2),
    Display(id: 0, name: "one point", width: 1, height: 1),
  ]

  private static func last(_ display: Display) -> (Double, Double) {
    (display.width - 1 / display.scale, display.height - 1 / display.scale)
  }

  @Test(arguments: orientations, displays)
  func `reach the corners exactly`(_ orientation: Orientation, _ display: Display) throws {
    let panel = try TransformedPanel(display, orientation.transform)
    let (right, bottom) = Self.last(display)
    for (raw, place) in zip(TransformedPanel.corners, orientation.reaches) {
      let point = panel.touch(at: raw)
      #expect(point == Point(x: place.0 * right, y: place.1 * bottom))
      let bounds = Rect(x: 0, y: 0, width: display.width, height: display.height)
      #expect(bounds.contains(point ?? Point(x: -1, y: -1)))
    }
  }

  /// Calibrations, and where they put the panel's corners on a display 0...1, clamped.
  static let calibrations: [(PanelTransform, [(Double, Double)])] = [
    (PanelTransform(1.25, 0, -0.125, 0, 1.5, -0.25), [(0, 0), (1, 0), (0, 1), (1, 1)]),
    (
      PanelTransform(0.5, 0, 0.25, 0, 0.75, 0.125),
      [(0.25, 0.125), (0.75, 0.125), (0.25, 0.875), (0.75, 0.875)]
    ),
    (
      PanelTransform(0.75, 0.25, 0, -0.25, 1, 0.25),
      [(0, 0.25), (0.75, 0), (0.25, 1), (1, 1)]
    ),
  ]

  @Test(arguments: calibrations, displays)
  func `of a calibration are clamped once, at the end`(
    _ calibration: (PanelTransform, [(Double, Double)]), _ display: Display
  ) throws {
    let (right, bottom) = Self.last(display)
    let panel = try TransformedPanel(display, calibration.0)
    for (raw, place) in zip(TransformedPanel.corners, calibration.1) {
      #expect(panel.touch(at: raw) == Point(x: place.0 * right, y: place.1 * bottom))
    }
    // What one matrix puts outside the next may bring back: nothing is lost in between.
    let wide = PanelTransform(1.5, 0, -0.25, 0, 1.5, -0.25)
    let back = PanelTransform(1 / 1.5, 0, 0.25 / 1.5, 0, 1 / 1.5, 0.25 / 1.5)
    let both = try TransformedPanel(display, wide.then(back))
    let corner = try #require(both.touch(at: TransformedPanel.corners[0]))
    #expect(abs(corner.x) < 1e-9 && abs(corner.y) < 1e-9)
  }

  @Test(arguments: orientations, calibrations)
  func `of orientation and calibration are joined in this order`(
    _ orientation: Orientation, _ calibration: (PanelTransform, [(Double, Double)])
  ) throws {
    let display = Self.displays[0]
    let (right, bottom) = Self.last(display)
    let panel = try TransformedPanel(display, orientation.transform.then(calibration.0))
    for (raw, place) in zip(TransformedPanel.corners, orientation.reaches) {
      // The calibration's own list says where the corner that was reached goes.
      let index = Int(place.0) + 2 * Int(place.1)
      let target = calibration.1[index]
      #expect(panel.touch(at: raw) == Point(x: target.0 * right, y: target.1 * bottom))
    }
  }

  @Test func `undo each other where the panel and the picture are turned alike`() {
    for rotation in Rotation.allCases {
      let both = PanelTransform.mounted(rotation).then(.picture(rotation))
      #expect(both == .identity)
      #expect("\(both)" == "1 0 0 0 1 0")
    }
    #expect(PanelTransform.swap.then(.swap) == .identity)
  }

  @Test func `of the whole range are monotonous and inside, whichever way`() throws {
    let display = Self.displays[1]
    let bounds = Rect(x: 0, y: 0, width: display.width, height: display.height)
    for orientation in Self.orientations {
      let panel = try TransformedPanel(display, orientation.transform)
      for raw in stride(from: Int32(0), through: 1023, by: 1) {
        let point = try #require(panel.touch(at: (42 + raw, raw)))
        #expect(bounds.contains(point))
      }
      // Far outside is as the edge.
      #expect(panel.touch(at: (.min, .max)) == panel.touch(at: (42, 1023)))
      #expect(panel.touch(at: (.max, .min)) == panel.touch(at: (1981, 0)))
    }
  }

  @Test func `turn the contact's long side along, and keep its length`() throws {
    // The picture is turned: the display's size is that of the turned one.
    let plain = Display(id: 0, name: "d", width: 1280, height: 800)
    let turned = Display(id: 0, name: "d", width: 800, height: 1280)
    let quarter = Float.pi / 4
    let expected: [(Display, PanelTransform, Float, Float)] = [
      (plain, .identity, 128, quarter), (plain, .mounted(.half), 128, quarter),
      (plain, .invertX, 128, -quarter), (plain, .invertY, 128, -quarter),
      (turned, .picture(.quarter), 128, quarter + .pi / 2),
      (turned, .picture(.threeQuarters), 128, quarter + .pi / 2),
      (turned, .swap, 128, -quarter + .pi / 2),
      (plain, PanelTransform(0.5, 0, 0, 0, 0.5, 0), 64, quarter),
    ]
    for (display, transform, major, orientation) in expected {
      let panel = try TransformedPanel(display, transform)
      // A tenth of the x axis, an eighth of a turn.
      let contact = try #require(panel.touch(42, 0, major: 194, orientation: 1))
      #expect(abs(contact.major - major * 1.00051573) < 1e-3, "\(transform)")
      #expect(abs(contact.orientation - orientation) < 1e-6, "\(transform)")
    }
  }

  @Test(arguments: orientations, calibrations)
  func `are the same for stages that change positions`(
    _ orientation: Orientation, _ calibration: (PanelTransform, [(Double, Double)])
  ) throws {
    let display = Self.displays[1]
    let transform = orientation.transform.then(calibration.0)
    let axes = TransformedPanel.description.axes
    let placement = DisplayMapping(display: display, transform: transform).placement(
      x: try #require(axes[EvdevCode.absMTPositionX]),
      y: try #require(axes[EvdevCode.absMTPositionY]))
    let panel = try TransformedPanel(display, transform)
    for step in stride(from: Int32(-100), through: 2100, by: 50) {
      let point = try #require(panel.touch(at: (step, 1023 - step / 2)))
      let same = placement.point(SIMD2(Double(step), Double(1023 - step / 2)))
      #expect(abs(point.x - same.x) < 1e-9 && abs(point.y - same.y) < 1e-9)
    }
  }

  static let faults: [(PanelTransform, String?)] = [
    (.identity, nil), (.mounted(.quarter), nil), (PanelTransform(1.5, 0, -0.5, 0, 1, 0), nil),
    (PanelTransform(0.1, 0, 0, 0, 0.1, 0), nil),
    (
      PanelTransform(0.09, 0, 0, 0, 0.1, 0),
      "it squeezes the panel to less than a hundredth of its area"
    ),
    (
      PanelTransform(1, 1, 0, 1, 1, 0),
      "it squeezes the panel to less than a hundredth of its area"
    ),
    (PanelTransform(.nan, 0, 0, 0, 1, 0), "it holds what is no number"),
    (PanelTransform(1, 0, .infinity, 0, 1, 0), "it holds what is no number"),
    (
      PanelTransform(1, 0, 0.51, 0, 1, 0),
      "it puts a corner more than half a display outside; is the raw range right (RangeX=, RangeY=)?"
    ),
    // Only the far corner lies outside.
    (
      PanelTransform(1, 0.6, 0, 0.6, 1, 0),
      "it puts a corner more than half a display outside; is the raw range right (RangeX=, RangeY=)?"
    ),
    (
      PanelTransform(1e200, 0, 0, 0, 1e200, 0),
      "it puts a corner more than half a display outside; is the raw range right (RangeX=, RangeY=)?"
    ),
  ]

  @Test(arguments: faults)
  func `that cannot be meant are refused with the reason`(
    _ transform: PanelTransform, _ fault: String?
  ) {
    #expect(transform.fault == fault)
  }
}
