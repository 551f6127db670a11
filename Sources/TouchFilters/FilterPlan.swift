import TouchModel

/// The filters that a panel really gets: its settings checked against what it reports.
///
/// Every problem turns off the one filter that it is about.
public struct FilterPlan: Sendable, Equatable {
  /// The most dead rectangles: looked at one by one for each new contact.
  public static let maximumRectangles = 16
  /// The most contacts a second that a rate can be set to: more than ten fingers tap.
  public static let maximumRate = 64
  /// The most positions that a median is of: more would lag by a tenth of a second.
  public static let maximumWindow = 9
  /// The age of a down that was held, when it is handed on: an older one is dated as so old.
  ///
  /// - Units: nanoseconds. Half of the age at which clients drop a contact as stale.
  public static let oldestDown: UInt64 = 500_000_000

  /// The settings; of a filter that is off because of a problem they mean nothing.
  public let settings: FilterSettings
  /// Why filters that were set are off.
  public let problems: [FilterProblem]
  /// The filters that work, in the order in which a contact meets them.
  public let filters: [FilterKind]

  let geometry: PanelGeometry
  let margin: HysteresisMargin
  let oldestDown: UInt64
  /// From which diameter on a contact is a palm, in points.
  let palmPoints: Float
  // A bit for each filter that works.
  private let working: UInt16

  /// Checks settings.
  ///
  /// - Parameters:
  ///   - properties: udev's properties of the panel, for its fuzz.
  ///   - oldestDown: how old a down may be that was held; below the client's stale limit.
  public init(
    _ settings: FilterSettings, for geometry: PanelGeometry, properties: [String: String] = [:],
    oldestDown: UInt64 = FilterPlan.oldestDown
  ) {
    self.settings = settings
    self.geometry = geometry
    self.oldestDown = oldestDown
    var check = SettingsCheck(settings, geometry)
    let margin = HysteresisMargin.of(
      geometry, setting: settings.hysteresis, xFuzz: properties["LIBINPUT_FUZZ_35"],
      yFuzz: properties["LIBINPUT_FUZZ_36"])
    check.run(margin: margin)
    self.margin = margin ?? .none
    problems = check.problems
    filters = FilterKind.allCases.filter { check.working.contains($0) }
    working = filters.reduce(0) { $0 | Self.bit($1) }
    palmPoints = settings.palmSize.map { geometry.diameter(millimetres: $0.diameter) } ?? .infinity
  }

  /// Whether nothing is filtered.
  public var isEmpty: Bool { working == 0 }

  @inline(__always)
  static func bit(_ kind: FilterKind) -> UInt16 { 1 << UInt16(kind.rawValue) }

  /// Tells whether a filter works.
  @inline(__always)
  func has(_ kind: FilterKind) -> Bool { working & Self.bit(kind) != 0 }

  /// Whether positions may be changed.
  var smooths: Bool {
    let kinds: [FilterKind] = [.pressureDrop, .median, .lowPass, .hysteresis]
    return kinds.contains { has($0) }
  }

  /// Whether contacts may be held.
  var holds: Bool {
    let kinds: [FilterKind] = [.ghost, .edgeHold, .minimumDuration]
    return kinds.contains { has($0) }
      || (has(.palmSize) && settings.palmSize.map { $0.settledFrames > 0 } ?? false)
  }

  /// A distance on the panel, in millimetres; 0 for a panel without a known size.
  @inline(__always)
  func millimetres(_ raw: SIMD2<Double>) -> SIMD2<Double> {
    geometry.unitsPerMillimetre.map { raw / $0 } ?? SIMD2(0, 0)
  }

  /// Where on the panel a raw position is, in millimetres from the smallest values.
  @inline(__always)
  func place(_ raw: SIMD2<Double>) -> SIMD2<Double> { millimetres(raw - smallest) }

  var smallest: SIMD2<Double> {
    SIMD2(Double(geometry.x.minimum), Double(geometry.y.minimum))
  }

  var largest: SIMD2<Double> {
    SIMD2(Double(geometry.x.maximum), Double(geometry.y.maximum))
  }
}

/// Goes through settings filter by filter.
private struct SettingsCheck {
  private let settings: FilterSettings
  private let geometry: PanelGeometry
  var problems: [FilterProblem] = []
  var working: Set<FilterKind> = []

  private static let distance = "a number of millimetres from 0"
  private static let someDistance = "a number of millimetres above 0"
  private static let duration = "above 0"

  init(_ settings: FilterSettings, _ geometry: PanelGeometry) {
    self.settings = settings
    self.geometry = geometry
  }

  /// - Parameter margin: nil if it cannot be worked out.
  mutating func run(margin: HysteresisMargin?) {
    checkContacts()
    checkHolds()
    checkPositions(margin)
  }

  private mutating func checkContacts() {
    if !settings.deadRectangles.isEmpty {
      let areLawful = settings.deadRectangles.allSatisfy {
        $0.x.isFinite && $0.y.isFinite && $0.width > 0 && $0.height > 0
          && $0.width.isFinite && $0.height.isFinite
      }
      let limit = FilterPlan.maximumRectangles
      take(
        .deadRectangle, needsSize: true,
        ("rectangles", "at most \(limit)", settings.deadRectangles.count <= limit),
        ("rectangles", "finite and not empty", areLawful))
    }
    if let rule = settings.liftDebounce {
      take(
        .liftDebounce, needsSize: true, ("duration", Self.duration, rule.duration > 0),
        ("distance", Self.distance, Self.isDistance(rule.distance)))
    }
    if let rule = settings.contactRate {
      let range = 1...FilterPlan.maximumRate
      take(
        .contactRate, needsSize: true,
        ("number", "1 to \(range.upperBound) a second", range.contains(rule.perSecond)),
        ("distance", Self.distance, Self.isDistance(rule.distance)))
    }
    if let number = settings.maximumContacts {
      take(.maximumContacts, ("number", "1 or more", number > 0))
    }
  }

  private mutating func checkHolds() {
    if let rule = settings.palmSize {
      take(
        .palmSize, needsSize: true, needs: ("contact size", geometry.areaUnit > 0),
        ("diameter", Self.someDistance, rule.diameter > 0 && rule.diameter.isFinite),
        ("number of frames", "0 to 100", (0...100).contains(rule.settledFrames)),
        ("limit", Self.duration, rule.settleLimit > 0))
    }
    if let corner = settings.ghostCorner {
      take(
        .ghost, needsSize: corner > 0, ("distance", Self.distance, Self.isDistance(corner)))
    }
    if let rule = settings.edgeHold {
      take(
        .edgeHold, needsSize: true, ("distance", Self.someDistance, rule.distance > 0),
        ("distance", Self.distance, Self.isDistance(rule.distance)),
        ("travel", Self.distance, Self.isDistance(rule.travel)),
        ("limit", Self.duration, rule.limit != 0))
    }
    if let duration = settings.minimumDuration {
      take(.minimumDuration, ("duration", Self.duration, duration > 0))
    }
  }

  private mutating func checkPositions(_ margin: HysteresisMargin?) {
    if let fraction = settings.pressureDrop {
      take(
        .pressureDrop, needs: ("pressure", geometry.hasPressure),
        ("fraction", "between 0 and 1", fraction > 0 && fraction < 1))
    }
    if let window = settings.medianWindow {
      let range = 3...FilterPlan.maximumWindow
      take(
        .median,
        (
          "window", "an odd number from 3 to \(range.upperBound)",
          range.contains(window) && window % 2 == 1
        ))
    }
    if let constant = settings.lowPass {
      take(.lowPass, ("time constant", Self.duration, constant > 0))
    }
    switch settings.hysteresis {
    case .off: break
    case .fromFuzz: if let margin, !margin.isNone { working.insert(.hysteresis) }
    case .millimetres(let distance):
      take(
        .hysteresis, needsSize: true,
        ("margin", Self.someDistance, distance > 0 && distance.isFinite))
    }
  }

  /// Lets a filter work unless something is in the way; the first that is becomes the problem.
  private mutating func take(
    _ kind: FilterKind, needsSize: Bool = false, needs: (what: String, isThere: Bool)? = nil,
    _ rules: (setting: String, range: String, holds: Bool)...
  ) {
    if let broken = rules.first(where: { !$0.holds }) {
      problems.append(.outOfRange(kind, setting: broken.setting, range: broken.range))
    } else if let needs, !needs.isThere {
      problems.append(.notReported(kind, what: needs.what))
    } else if needsSize, geometry.unitsPerMillimetre == nil {
      problems.append(.noSize(kind))
    } else {
      working.insert(kind)
    }
  }

  private static func isDistance(_ value: Double) -> Bool { value >= 0 && value.isFinite }
}
