import TouchModel

/// How exactly a panel tells where it is touched: from lines drawn along a ruler, and resting fingers.
public struct AccuracyMeasurement: Sendable {
  /// How far positions lie from where they should be.
  public struct Deviation: Sendable, Equatable {
    /// Of how many positions.
    public var count = 0
    /// The greatest.
    public var most = 0.0
    private var sum = 0.0

    /// The mean; 0 of none.
    public var mean: Double { count > 0 ? sum / Double(count) : 0 }

    mutating func take(_ value: Double) {
      count += 1
      sum += value
      most = max(most, value)
    }

  }

  /// What resting fingers did.
  public struct Jitter: Sendable, Equatable {
    /// How many rested.
    public var count = 0
    /// The root of the mean squared distance from the finger's own middle.
    public var rms: Double { samples > 0 ? (squares / Double(samples)).squareRoot() : 0 }
    /// The greatest distance between two corners of the area that one covered.
    public var most = 0.0
    private var squares = 0.0
    private var samples = 0

    mutating func take(_ points: [Point], extent: Double) {
      let middle = Spread(points).middle
      count += 1
      most = max(most, extent)
      samples += points.count
      for point in points {
        let (x, y) = (point.x - middle.x, point.y - middle.y)
        squares += x * x + y * y
      }
    }
  }

  /// Whether lengths are millimetres; else they are parts of an axis.
  public var isInMillimetres: Bool { surface.size != nil }
  /// How many lines were drawn.
  public private(set) var lines = 0
  /// Distances from the straight lines, away from the edges.
  public private(set) var linearity = Deviation()
  /// The same near the edges, where the lines are those of the rest.
  public private(set) var edges = Deviation()
  /// What resting fingers did.
  public private(set) var jitter = Jitter()
  /// Touches that were neither long enough for a line nor still.
  public private(set) var ignored = 0
  /// How often the panel reports.
  public private(set) var timing = ReportTiming()

  // In millimetres, and in parts of an axis.
  private struct Limits {
    var line: Double
    var rest: Double
    var edge: Double
  }

  private static let millimetres = Limits(line: 20, rest: 2, edge: 5)
  private static let parts = Limits(line: 0.15, rest: 0.015, edge: 0.04)
  private static let leastRest: UInt64 = 500_000_000
  private static let leastSamples = 10
  // Minutes of one finger; what comes after does not count.
  private static let mostSamples = 1 << 15

  private struct Stroke {
    var began: UInt64
    var points: [Point]
  }

  private let surface: PanelSurface
  private let limits: Limits
  private var strokes: [UInt64: Stroke] = [:]

  /// Begins a measurement.
  ///
  /// - Parameter surface: the axes that positions are taken by, and the size where it is known.
  public init(_ surface: PanelSurface) {
    self.surface = surface
    limits = surface.size == nil ? Self.parts : Self.millimetres
  }

  /// A length of the results, with its unit.
  public func length(_ value: Double) -> SurfaceLength { SurfaceLength(value, on: surface.size) }

  /// Takes a frame, whose contacts have the raw positions.
  public mutating func take(_ frame: TouchFrame) {
    timing.take(frame)
    for contact in frame.contacts {
      switch contact.phase {
      case .down:
        strokes[contact.id] = Stroke(began: frame.timeNanoseconds, points: [place(contact)])
      case .motion, .still: add(contact)
      case .up: finish(contact.id, at: frame.timeNanoseconds)
      case .cancel: strokes[contact.id] = nil
      case .hover: break
      }
    }
    // A frame has all that is down: what is missing ended in one that was lost.
    guard strokes.count > frame.contacts.count else { return }
    let known = Set(frame.contacts.map(\.id))
    strokes = strokes.filter { known.contains($0.key) }
  }

  private mutating func add(_ contact: Contact) {
    guard let count = strokes[contact.id]?.points.count, count < Self.mostSamples else { return }
    let place = place(contact)
    strokes[contact.id]?.points.append(place)
  }

  private func place(_ contact: Contact) -> Point {
    let part = surface.normalise(Point(x: Double(contact.rawX), y: Double(contact.rawY)))
    return Point(x: part.x * surface.scale.x, y: part.y * surface.scale.y)
  }

  private mutating func finish(_ id: UInt64, at time: UInt64) {
    guard let stroke = strokes.removeValue(forKey: id) else { return }
    let (xs, ys) = (stroke.points.map(\.x), stroke.points.map(\.y))
    let width = (xs.max() ?? 0) - (xs.min() ?? 0)
    let height = (ys.max() ?? 0) - (ys.min() ?? 0)
    let extent = (width * width + height * height).squareRoot()
    if extent <= limits.rest, time >= stroke.began, time - stroke.began >= Self.leastRest {
      jitter.take(stroke.points, extent: extent)
    } else if extent >= limits.line, stroke.points.count >= Self.leastSamples {
      takeLine(stroke.points)
    } else {
      ignored += 1
    }
  }

  /// Compares a stroke with the line that its part away from the edges comes nearest to.
  private mutating func takeLine(_ points: [Point]) {
    lines += 1
    let inner = points.filter { !isNearEdge($0) }
    // A line that lies along an edge has no other part.
    let fitted = Spread(inner.count >= Self.leastSamples ? inner : points)
    let direction = fitted.direction
    for point in points {
      let (x, y) = (point.x - fitted.middle.x, point.y - fitted.middle.y)
      let distance = abs(x * direction.y - y * direction.x)
      if isNearEdge(point) { edges.take(distance) } else { linearity.take(distance) }
    }
  }

  private func isNearEdge(_ point: Point) -> Bool {
    min(point.x, point.y, surface.scale.x - point.x, surface.scale.y - point.y) < limits.edge
  }
}
