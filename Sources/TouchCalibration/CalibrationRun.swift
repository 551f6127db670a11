import TouchModel

/// A guided calibration: asks for one place after another and says what came of it.
///
/// Each place is one on the glass, 0...1 on both axes, as it is when nothing is turned. Places at a
/// tenth from the edges make the matrix, one more checks it.
public struct CalibrationRun: Sendable {
  /// A place that is asked for.
  public struct Target: Sendable, Equatable {
    /// Its number, from 1.
    public var number: Int
    /// How many there are.
    public var count: Int
    /// Whether it checks the matrix instead of making it.
    public var isCheck: Bool
    /// Where it is.
    public var place: Point
  }

  /// Why a place is asked for again.
  public enum Repetition: String, Sendable {
    /// The touch was too short.
    case short
    /// The touch moved.
    case moved
    /// The touch was taken away.
    case cancelled
    /// It cannot have been this place, or an earlier one was another.
    case implausible
  }

  /// What came of a touch.
  public enum Step: Sendable, Equatable {
    /// It counts; the next place is asked for.
    case taken(CalibrationPair)
    /// It does not count; the same place is asked for again.
    case again(Repetition)
    /// It does not fit to those before, time and again: the first place is asked for.
    case startsOver
    /// All is done.
    case finished(CalibrationResult)
    /// No calibration comes of it.
    case failed(CalibrationFault)
  }

  /// How many places may make the matrix.
  public static let pointCounts = [3, 4, 5, 9]
  /// How far a check may miss where the size is not known, in parts of an axis.
  public static let usualPart = 0.03
  /// How far a check may miss, in millimetres: a fingertip's error.
  public static let usualMillimetres = 5.0

  // As weston has it: nobody misses by a tenth of the panel.
  private static let mostError = 0.1
  private static let mostImplausible = 3
  private static let mostRestarts = 2
  private static let inset = 0.1
  // Off the middle, where an error of scale shows as well.
  private static let check = Point(x: 0.35, y: 0.65)

  private let surface: PanelSurface
  private let mounting: PanelTransform
  private let limit: Double?
  private let places: [Point]
  private var pairs: [CalibrationPair] = []
  private var implausible = 0
  private var restarts = 0

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - surface: the panel's axes and size.
  ///   - mounting: what comes before the calibration.
  ///   - points: one of `pointCounts`; another counts as 4.
  ///   - limit: how far the check may miss, in the unit of the surface; nil for the usual.
  public init(
    _ surface: PanelSurface, mounting: PanelTransform = .identity, points: Int = 4,
    limit: Double? = nil
  ) {
    self.surface = surface
    self.mounting = mounting
    self.limit = limit
    places = Self.places(points) + [Self.check]
  }

  private static func places(_ count: Int) -> [Point] {
    let (near, far) = (inset, 1 - inset)
    let corners = [
      Point(x: near, y: near), Point(x: far, y: near), Point(x: far, y: far),
      Point(x: near, y: far),
    ]
    let sides = [
      Point(x: 0.5, y: near), Point(x: far, y: 0.5), Point(x: 0.5, y: far), Point(x: near, y: 0.5),
    ]
    let middle = [Point(x: 0.5, y: 0.5)]
    switch count {
    case 3: return [corners[0], corners[1], Point(x: 0.5, y: far)]
    case 5: return corners + middle
    case 9: return corners + sides + middle
    default: return corners
    }
  }

  /// The place that is asked for now; the last one again when all is done.
  public var target: Target {
    let index = min(pairs.count, places.count - 1)
    return Target(
      number: index + 1, count: places.count, isCheck: index == places.count - 1,
      place: places[index])
  }

  /// Takes what came of a touch.
  public mutating func take(_ outcome: HeldTouches.Outcome) -> Step {
    switch outcome {
    case .short: return .again(.short)
    case .moved: return .again(.moved)
    case .cancelled: return .again(.cancelled)
    case .held(let raw):
      let pair = CalibrationPair(target: target.place, measured: surface.normalise(raw))
      return target.isCheck ? finish(pair) : take(pair)
    }
  }

  private mutating func take(_ pair: CalibrationPair) -> Step {
    guard isPlausible(pair) else {
      implausible += 1
      guard implausible >= Self.mostImplausible else { return .again(.implausible) }
      implausible = 0
      pairs = []
      restarts += 1
      return restarts < Self.mostRestarts ? .startsOver : .failed(.contradictory)
    }
    implausible = 0
    pairs.append(pair)
    return .taken(pair)
  }

  /// Whether a touch may be of its place, as far as the ones before say.
  private func isPlausible(_ pair: CalibrationPair) -> Bool {
    // However a panel is mounted, two places are about as far from each other as they are asked for.
    for earlier in pairs {
      let asked = Self.distance(earlier.target, pair.target)
      let got = Self.distance(earlier.measured, pair.measured)
      guard got >= asked / 2, got <= asked * 2 else { return false }
    }
    guard pairs.count >= 3, let fit = try? CalibrationFit(pairs, mounting: mounting) else {
      // Without a matrix there is nothing to compare with; the end tells why there is none.
      return true
    }
    return fit.residual(of: pair).length(on: nil).value <= Self.mostError
  }

  private static func distance(_ first: Point, _ second: Point) -> Double {
    let (x, y) = (first.x - second.x, first.y - second.y)
    return (x * x + y * y).squareRoot()
  }

  private func finish(_ check: CalibrationPair) -> Step {
    do throws(CalibrationFault) {
      let inside = 0.0...1.0
      for pair in pairs + [check]
      where !inside.contains(pair.measured.x) || !inside.contains(pair.measured.y) {
        throw .outsideRange
      }
      let result = CalibrationResult(
        fit: try CalibrationFit(pairs, mounting: mounting), check: check, panel: surface.size)
      let missed = result.checkError
      let allowed =
        limit ?? (surface.size == nil ? Self.usualPart : Self.usualMillimetres)
      guard missed.value <= allowed else {
        throw .checkMissed(missed, limit: SurfaceLength(allowed, on: surface.size))
      }
      return .finished(result)
    } catch {
      return .failed(error)
    }
  }
}

/// A calibration that passed its check.
public struct CalibrationResult: Sendable, Equatable {
  /// The matrix, and how well it meets the points it was made from.
  public var fit: CalibrationFit
  /// How far the check point was missed.
  public var checkError: SurfaceLength
  /// The size of the glass as the calibration gives it; nil where nobody knows.
  public var size: SurfaceSize?

  init(fit: CalibrationFit, check: CalibrationPair, panel: SurfaceSize?) {
    self.fit = fit
    let size = panel?.through(fit.transform)
    self.size = size
    checkError = fit.residual(of: check).length(on: size)
  }

  /// How far each point was missed.
  public var errors: [SurfaceLength] { fit.residuals.map { $0.length(on: size) } }
}
