// Where this module sits: device -> frames -> *filters* -> routing -> socket -> app.
// What a panel reports but nobody meant is kept from the apps here. Pure; time comes in.

import TouchModel

/// What is filtered on one panel; everything is off unless it is set.
///
/// Distances are in millimetres on the panel, from the corner where its own axes are smallest,
/// whichever way the picture is turned. Durations are in nanoseconds.
public struct FilterSettings: Sendable, Equatable {
  /// Whether filters only count what they would have done.
  public var isDryRun = false
  /// Areas where no contact begins, in millimetres; at most `FilterPlan.maximumRectangles`.
  public var deadRectangles: [Rect] = []
  /// When a contact counts as the bounce of one that was just lifted; nil for never.
  public var liftDebounce: LiftDebounce?
  /// How many contacts may begin in one area; nil for any number.
  public var contactRate: ContactRate?
  /// How many contacts may be down at once; nil for any number.
  public var maximumContacts: Int?
  /// When a contact counts as a palm for its size; nil for never.
  public var palmSize: PalmSize?
  /// How near to a corner, on both axes, a contact that never moves counts as a ghost.
  ///
  /// - Units: millimetres; 0 for the very last unit of both axes; nil for nowhere.
  public var ghostCorner: Double?
  /// What is held at the edges; nil for nothing.
  public var edgeHold: EdgeHold?
  /// How long a contact must live to be delivered, in nanoseconds; nil for any time.
  public var minimumDuration: UInt64?
  /// The fraction of the recent pressure below which a sample is no move; nil for none.
  ///
  /// - Range: 0 to 1, both open.
  public var pressureDrop: Double?
  /// How many positions the median is of; nil for none.
  ///
  /// - Range: odd numbers, 3 to `FilterPlan.maximumWindow`.
  public var medianWindow: Int?
  /// The time in which the low-pass catches up with 63 % of a jump, in nanoseconds; nil for none.
  public var lowPass: UInt64?
  /// How much a resting contact may jitter.
  public var hysteresis = Hysteresis.fromFuzz

  /// Settings that filter nothing but what udev says of a panel's fuzz.
  public init() {}

  /// Settings that filter nothing at all.
  public static var off: FilterSettings {
    var settings = FilterSettings()
    settings.hysteresis = .off
    return settings
  }
}

/// When a new contact counts as the bounce of one that was just lifted.
public struct LiftDebounce: Sendable, Equatable {
  /// How soon after the lift, in nanoseconds.
  public var duration: UInt64
  /// How near to it, in millimetres.
  public var distance: Double

  /// Creates a rule.
  public init(duration: UInt64, distance: Double) {
    self.duration = duration
    self.distance = distance
  }
}

/// How many contacts may begin in one area.
public struct ContactRate: Sendable, Equatable {
  /// How many in any second; 1 to `FilterPlan.maximumRate`.
  public var perSecond: Int
  /// How near to each other, in millimetres.
  public var distance: Double

  /// Creates a rule.
  public init(perSecond: Int, distance: Double) {
    self.perSecond = perSecond
    self.distance = distance
  }
}

/// When a contact counts as a palm for its size.
public struct PalmSize: Sendable, Equatable {
  /// The longer diameter from which on it is one, in millimetres.
  public var diameter: Double
  /// How many frames in a row a contact must not grow in before it is delivered; 0 to not wait.
  public var settledFrames: Int
  /// How long it waits for them at most, in nanoseconds.
  public var settleLimit: UInt64

  /// Creates a rule.
  public init(diameter: Double, settledFrames: Int = 0, settleLimit: UInt64 = 100_000_000) {
    self.diameter = diameter
    self.settledFrames = settledFrames
    self.settleLimit = settleLimit
  }
}

/// What is held at the edges of a panel.
public struct EdgeHold: Sendable, Equatable {
  /// How near to an edge a contact that begins is held, in millimetres.
  public var distance: Double
  /// How far it must move to be let go, in millimetres.
  public var travel: Double
  /// When it is let go all the same, in nanoseconds after it began; nil for never.
  public var limit: UInt64?
  /// Whether one that ends while it is held is delivered, late, or dropped.
  public var deliversEnded: Bool

  /// Creates a rule.
  public init(distance: Double, travel: Double, limit: UInt64?, deliversEnded: Bool = false) {
    self.distance = distance
    self.travel = travel
    self.limit = limit
    self.deliversEnded = deliversEnded
  }
}

/// How much a resting contact may jitter.
public enum Hysteresis: Sendable, Equatable {
  /// As much as it does.
  case off
  /// Half of the fuzz that udev says the panel has, unless the kernel filters that itself.
  case fromFuzz
  /// So far, in millimetres.
  case millimetres(Double)
}
