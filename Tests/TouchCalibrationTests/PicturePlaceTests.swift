import Testing
import TouchModel

@testable import TouchCalibration

@Suite struct `A place on the glass, as somebody sees it` {
  private static let wide = Display(id: 0, name: "wide", width: 1281, height: 801)
  private static let high = Display(id: 0, name: "high", width: 801, height: 1281)

  /// Where a tenth from the left and two tenths from the top of the glass lie in a turned picture.
  static let turns: [(Rotation, Point, Point)] = [
    (.none, Point(x: 0.1, y: 0.2), Point(x: 128, y: 160)),
    (.quarter, Point(x: 0.2, y: 0.9), Point(x: 160, y: 1152)),
    (.half, Point(x: 0.9, y: 0.8), Point(x: 1152, y: 640)),
    (.threeQuarters, Point(x: 0.8, y: 0.1), Point(x: 640, y: 128)),
  ]

  private func isNear(_ first: Point, _ second: Point) -> Bool {
    abs(first.x - second.x) < 1e-9 && abs(first.y - second.y) < 1e-9
  }

  @Test(arguments: turns)
  func `turns with the picture`(_ rotation: Rotation, _ part: Point, _ point: Point) throws {
    let size = try #require(SurfaceSize(width: 160, height: 100))
    let place = PicturePlace(
      Point(x: 0.1, y: 0.2), on: rotation.swapsAxes ? Self.high : Self.wide,
      through: .picture(rotation), size: size)
    #expect(isNear(place.part, part))
    #expect(isNear(place.point, point))
    #expect(place.size == (rotation.swapsAxes ? size.turned : size))
    // From the same two edges of the glass, whatever these are in the picture.
    let side = try #require(place.fromSide)
    let end = try #require(place.fromEnd)
    let lengths = [side.millimetres, end.millimetres].map { ($0 * 1e6).rounded() / 1e6 }
    #expect(lengths == (rotation.swapsAxes ? [20, 16] : [16, 20]))
    #expect(side.isLeft == (part.x < 0.5))
    #expect(end.isTop == (part.y < 0.5))
  }

  @Test func `is a part of what the panel covers, and a point of the whole display`() {
    let right = PanelTransform.into(Rect(x: 0.5, y: 0, width: 0.5, height: 1))
    let place = PicturePlace(Point(x: 0.1, y: 0.2), on: Self.wide, through: right, size: nil)
    #expect(isNear(place.part, Point(x: 0.1, y: 0.2)))
    #expect(isNear(place.point, Point(x: 704, y: 160)))
    #expect(place.fromSide == nil)
    #expect(place.fromEnd == nil)
  }

  @Test func `has the size of a glass that lies as its display does`() throws {
    let upright = try #require(SurfaceSize(width: 100, height: 160))
    let square = try #require(SurfaceSize(width: 100, height: 105))
    func lying(
      _ size: SurfaceSize, _ mounting: PanelTransform = .identity, on display: Display = Self.wide,
      _ transform: PanelTransform = .identity
    ) -> SurfaceSize { size.lying(mounting, on: display, through: transform) }
    // A high panel on a wide display can only lie on its side, also where nobody has said so.
    #expect(lying(upright) == upright.turned)
    #expect(lying(upright, .swap) == upright.turned)
    #expect(lying(upright.turned) == upright.turned)
    // The picture is turned, the glass is not.
    #expect(lying(upright, on: Self.high, .picture(.quarter)) == upright.turned)
    #expect(lying(upright, on: Self.high) == upright)
    // Half of a wide display is high.
    let half = PanelTransform.into(Rect(x: 0, y: 0, width: 0.5, height: 1))
    #expect(lying(upright, on: Self.wide, half) == upright)
    // What is nearly square says nothing of how it lies.
    #expect(lying(square) == square)
    #expect(lying(square, .mounted(.quarter)) == square.turned)
  }
}
