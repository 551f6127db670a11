import TouchModel

/// A place on a panel's glass as somebody who looks at its picture finds it.
public struct PicturePlace: Sendable, Equatable {
  /// The part of the panel's width and height, from the left and the top edge of what it covers, in the
  /// picture as it is turned.
  public var part: Point
  /// The size of what it covers, as it is turned; nil where nobody knows.
  public var size: SurfaceSize?
  /// The same place in points of the display.
  public var point: Point

  /// Works a place out.
  ///
  /// - Parameters:
  ///   - place: 0...1 on the glass.
  ///   - display: the display that the panel lies on.
  ///   - transform: from the glass to the picture.
  ///   - size: the size of the glass, upright as the calibration has it.
  public init(
    _ place: Point, on display: Display, through transform: PanelTransform, size: SurfaceSize?
  ) {
    let turned = transform.b.magnitude > transform.a.magnitude
    let (x, y) = turned ? (place.y, place.x) : (place.x, place.y)
    let (right, down) = turned ? (transform.b, transform.d) : (transform.a, transform.e)
    part = Point(x: right < 0 ? 1 - x : x, y: down < 0 ? 1 - y : y)
    self.size = size?.through(transform)
    let normalised = transform.apply(place)
    point = Point(
      x: normalised.x * max(0, display.width - 1 / display.scale),
      y: normalised.y * max(0, display.height - 1 / display.scale))
  }

  /// How far it is from the nearer vertical edge, and whether that is the left one.
  public var fromSide: (millimetres: Double, isLeft: Bool)? {
    size.map { ($0.width * min(part.x, 1 - part.x), part.x <= 0.5) }
  }

  /// How far it is from the nearer horizontal edge, and whether that is the top one.
  public var fromEnd: (millimetres: Double, isTop: Bool)? {
    size.map { ($0.height * min(part.y, 1 - part.y), part.y <= 0.5) }
  }
}

extension SurfaceSize {
  /// The size of a panel's glass as its display has it, before any calibration says how it lies.
  ///
  /// A panel whose longer side is the display's shorter one can only lie on its side; where one of them
  /// is nearly square the mounting decides.
  ///
  /// - Parameters:
  ///   - mounting: what is said of how the panel lies.
  ///   - display: the display as it is turned.
  ///   - transform: from the glass to the picture.
  public func lying(
    _ mounting: PanelTransform, on display: Display, through transform: PanelTransform
  ) -> SurfaceSize {
    let said = through(mounting)
    func length(_ x: Double, _ y: Double) -> Double {
      (x * x * display.width * display.width + y * y * display.height * display.height)
        .squareRoot()
    }
    let glass = (width: length(transform.a, transform.d), height: length(transform.b, transform.e))
    let square = 1.1
    guard max(glass.width, glass.height) > square * min(glass.width, glass.height),
      max(width, height) > square * min(width, height)
    else { return said }
    return (glass.width > glass.height) == (said.width > said.height) ? said : said.turned
  }
}
