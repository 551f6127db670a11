import TouchModel

/// A place that was asked for, and where the panel said that it was touched.
public struct CalibrationPair: Sendable, Equatable {
  /// The place on the glass, 0...1 on both axes: what the calibration is to give.
  public var target: Point
  /// The normalised position that the panel sent, before any transform.
  public var measured: Point

  /// Creates a pair.
  public init(target: Point, measured: Point) {
    self.target = target
    self.measured = measured
  }
}

/// Why no calibration comes of what was touched.
public enum CalibrationFault: Error, Equatable, Sendable {
  /// Three are the fewest.
  case tooFewPairs(Int)
  /// The places that were asked for lie on a line or in one spot: they say nothing of the rest.
  case targetsOnALine
  /// The positions that the panel sent lie on a line or in one spot.
  case positionsOnALine
  /// The touches do not fit together, however often they are asked for.
  case contradictory
  /// A position is no number, or lies outside of the panel's range.
  case outsideRange
  /// The matrix is one that no configuration may have.
  case refused(String)
  /// The check point was missed by more than the limit.
  case checkMissed(SurfaceLength, limit: SurfaceLength)
}

extension CalibrationFault: CustomStringConvertible {
  /// What is wrong and what to do next.
  public var description: String {
    switch self {
    case .tooFewPairs(let count): "\(count) points are too few for a calibration; three are needed"
    case .targetsOnALine:
      "the targets lie on one line, so nothing is known of what lies beside it"
    case .positionsOnALine:
      "the panel sent positions on one line or in one spot; does it tell both axes? "
        + "`touchctl measure` shows what it sends"
    case .contradictory:
      "the touches are not as far from each other as the marks are; does the panel send the range that "
        + "it declares? `touchctl measure` shows it"
    case .outsideRange:
      "the panel sends positions outside of its range; set RangeX= and RangeY= first, as "
        + "`touchctl measure` prints them"
    case .refused(let reason): "the matrix cannot be used: \(reason)"
    case .checkMissed(let length, let limit):
      "the check point was missed by \(length), more than \(limit). Was each mark touched in its turn? "
        + "Touch more exactly, with the tip of a pen that the panel takes, or allow more with --limit"
    }
  }
}

/// How far a place is from where it should be.
public struct CalibrationResidual: Sendable, Equatable {
  /// The place that was asked for.
  public var target: Point
  /// Where the calibration takes what was touched there.
  public var result: Point

  /// The distance in millimetres on a surface of this size, in parts of the axes without one.
  public func length(on size: SurfaceSize?) -> SurfaceLength {
    let x = (result.x - target.x) * (size?.width ?? 1)
    let y = (result.y - target.y) * (size?.height ?? 1)
    return SurfaceLength((x * x + y * y).squareRoot(), on: size)
  }
}

/// The matrix that takes touched places to those that were asked for, with the least squared error.
public struct CalibrationFit: Sendable, Equatable {
  /// The six numbers of `Calibration`, rounded to eight decimals.
  ///
  /// - Source: libinput's order, on positions behind the mounting.
  public let calibration: PanelTransform
  /// What comes before the calibration: swap, inversion and mounting.
  public let mounting: PanelTransform
  /// How well each pair is met, in their order.
  public private(set) var residuals: [CalibrationResidual] = []

  /// From the panel's normalised positions to the glass.
  public var transform: PanelTransform { mounting.then(calibration) }

  // The least standard deviation across the line that points come nearest to. Points in the corners
  // have 0.3 and more; below, a millimetre of a finger's error turns the matrix by degrees.
  private static let leastSpread = 0.05

  /// Works the matrix out.
  ///
  /// - Errors: `CalibrationFault` for pairs that determine no matrix, or none that may be used.
  public init(
    _ pairs: [CalibrationPair], mounting: PanelTransform = .identity
  ) throws(CalibrationFault) {
    guard pairs.count >= 3 else { throw .tooFewPairs(pairs.count) }
    let targets = pairs.map(\.target)
    let places = pairs.map { mounting.apply($0.measured) }
    guard (targets + places).allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else {
      throw .outsideRange
    }
    guard Spread(targets).across >= Self.leastSpread else { throw .targetsOnALine }
    let spread = Spread(places)
    guard spread.across >= Self.leastSpread / 2 else { throw .positionsOnALine }
    let middle = Spread(targets).middle
    let x = spread.slopes(of: targets.map { $0.x - middle.x }, at: places)
    let y = spread.slopes(of: targets.map { $0.y - middle.y }, at: places)
    let shift = Point(
      x: middle.x - x.0 * spread.middle.x - x.1 * spread.middle.y,
      y: middle.y - y.0 * spread.middle.x - y.1 * spread.middle.y)
    let numbers = [x.0, x.1, shift.x, y.0, y.1, shift.y].map { ($0 * 1e8).rounded() / 1e8 }
    calibration = PanelTransform(
      numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
    self.mounting = mounting
    // It is both together that the daemon looks at, and the one alone that a file holds.
    if let fault = mounting.then(calibration).fault ?? calibration.fault { throw .refused(fault) }
    residuals = pairs.map { residual(of: $0) }
  }

  /// How well a pair is met; also one that the matrix was not made from.
  public func residual(of pair: CalibrationPair) -> CalibrationResidual {
    CalibrationResidual(target: pair.target, result: transform.apply(pair.measured))
  }
}

/// How points lie about their middle.
struct Spread {
  let middle: Point
  // Sums of squares and products about the middle.
  private let xx: Double
  private let xy: Double
  private let yy: Double
  private let count: Double

  init(_ points: [Point]) {
    let count = Double(max(1, points.count))
    let middle = Point(
      x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
    self.middle = middle
    self.count = count
    xx = points.reduce(0) { $0 + ($1.x - middle.x) * ($1.x - middle.x) }
    xy = points.reduce(0) { $0 + ($1.x - middle.x) * ($1.y - middle.y) }
    yy = points.reduce(0) { $0 + ($1.y - middle.y) * ($1.y - middle.y) }
  }

  private var halfDifference: Double {
    (((xx - yy) / 2) * ((xx - yy) / 2) + xy * xy).squareRoot()
  }

  /// The standard deviation across the line that the points come nearest to.
  var across: Double { (max(0, (xx + yy) / 2 - halfDifference) / count).squareRoot() }

  /// The direction of that line, of length 1; along x where there is none.
  var direction: Point {
    let most = (xx + yy) / 2 + halfDifference
    // Of the two forms of the same vector, the longer loses less to cancellation.
    let (first, second) = (Point(x: xy, y: most - xx), Point(x: most - yy, y: xy))
    let longer = Self.length(first) > Self.length(second) ? first : second
    let length = Self.length(longer)
    return length > 0 ? Point(x: longer.x / length, y: longer.y / length) : Point(x: 1, y: 0)
  }

  private static func length(_ vector: Point) -> Double {
    (vector.x * vector.x + vector.y * vector.y).squareRoot()
  }

  /// What x and y contribute to values, with the least squared error; the points must be spread.
  func slopes(of values: [Double], at points: [Point]) -> (Double, Double) {
    var (byX, byY) = (0.0, 0.0)
    for (value, point) in zip(values, points) {
      byX += value * (point.x - middle.x)
      byY += value * (point.y - middle.y)
    }
    let determinant = xx * yy - xy * xy
    return ((byX * yy - byY * xy) / determinant, (byY * xx - byX * xy) / determinant)
  }
}
