import TouchModel

/// The ranges that a panel really sends, against those that it declares.
public struct RangeMeasurement: Sendable {
  /// One axis.
  public struct Axis: Sendable, Equatable {
    /// What the device declares.
    public var declared: AxisRange
    /// The least and the greatest value seen; nil before there was one.
    public var observed: ClosedRange<Int32>?

    /// Creates an axis of which nothing was seen.
    public init(declared: AxisRange) { self.declared = declared }

    mutating func take(_ value: Int32) {
      guard let seen = observed else {
        observed = value...value
        return
      }
      observed = min(seen.lowerBound, value)...max(seen.upperBound, value)
    }

    private var extent: Double { Double(declared.maximum) - Double(declared.minimum) }

    /// The part of the declared extent that was seen; 0 where nothing is declared.
    public var coverage: Double {
      guard let observed, extent > 0 else { return 0 }
      return (Double(observed.upperBound) - Double(observed.lowerBound)) / extent
    }

    /// Whether both ends were seen within a hundredth of the declared extent.
    public var isAsDeclared: Bool {
      guard let observed, extent > 0 else { return false }
      let limit = extent * RangeMeasurement.tolerance
      return abs(Double(observed.lowerBound) - Double(declared.minimum)) <= limit
        && abs(Double(observed.upperBound) - Double(declared.maximum)) <= limit
    }

    /// Whether enough was seen to say a range from it: half of what is declared, if anything is.
    public var isCovered: Bool { extent <= 0 || coverage >= RangeMeasurement.leastCoverage }

    /// What the configuration is to say, such as `12 4081`; nil where nothing is to be said, or where
    /// too little was seen.
    public var setting: String? {
      guard let observed, observed.lowerBound < observed.upperBound, isCovered, !isAsDeclared
      else { return nil }
      return "\(observed.lowerBound) \(observed.upperBound)"
    }
  }

  static let tolerance = 0.01

  /// The least part of a declared extent from which a range is said.
  ///
  /// A finger that rests, or one stroke across, covers less than half; slides along all edges cover less
  /// only on a panel that declares twice what it sends, and whoever knows that can write the numbers.
  public static let leastCoverage = 0.5

  /// The x axis.
  public private(set) var x: Axis
  /// The y axis.
  public private(set) var y: Axis
  /// How many frames were seen.
  public private(set) var frames = 0
  /// How many contacts began.
  public private(set) var contacts = 0
  /// How many frames are missing, as far as is known.
  public private(set) var lost: UInt64 = 0
  /// How often the panel reports.
  public private(set) var timing = ReportTiming()

  /// Begins a measurement.
  ///
  /// - Parameter declared: the axes as the device declares them.
  public init(_ declared: PanelSurface) {
    x = Axis(declared: declared.x)
    y = Axis(declared: declared.y)
  }

  /// Takes a frame, whose contacts have the raw positions; palms count, what hovers does not.
  ///
  /// - Parameter lost: how many frames are missing before it.
  public mutating func take(_ frame: TouchFrame, lost: UInt64 = 0) {
    frames += 1
    if lost > 0 {
      let (sum, isTooMany) = self.lost.addingReportingOverflow(lost)
      self.lost = isTooMany ? .max : sum
      timing.interrupt()
    }
    timing.take(frame)
    for contact in frame.contacts where contact.phase != .hover {
      if contact.phase == .down { contacts += 1 }
      x.take(contact.rawX)
      y.take(contact.rawY)
    }
  }
}
