/// The measures by which touches become taps, drags and the like; UIKit's unless changed.
///
/// - Units: points and durations. K-1 and so on are the numbers of the rules that the tests name.
/// - Range: a negative duration counts as none, one of more than 584 years as endless.
public struct TouchConfiguration: Sendable, Equatable {
  /// K-1: how far a tap's finger may move from its start.
  public var tapMovement: CGFloat = 45
  /// K-2: how long one tap may last.
  public var tapDuration: Duration = .milliseconds(750)
  /// K-3: how long after a lift the next tap of a series may begin.
  public var tapInterval: Duration = .milliseconds(350)
  /// K-4: how long after the first finger of a tap the last one may land.
  public var tapFingerSpread: Duration = .milliseconds(300)
  /// K-5: how far from the first tap of a series the next may be.
  public var tapDistance: CGFloat = 45
  /// K-8: how far a pan's fingers move before it begins.
  public var panHysteresis: CGFloat = 10
  /// K-9: how long a swipe may last.
  public var swipeDuration: Duration = .milliseconds(500)
  /// K-10: how far a swipe goes at least, for one that takes no time.
  public var swipeDistanceWhenFast: CGFloat = 50
  /// K-10: how far a swipe goes at least, for one that takes the longest time.
  public var swipeDistanceWhenSlow: CGFloat = 20
  /// K-11: how far a swipe may stray sideways, for one that takes no time.
  public var swipeStrayWhenFast: CGFloat = 50
  /// K-11: how far a swipe may stray sideways, for one that takes the longest time.
  public var swipeStrayWhenSlow: CGFloat = 10
  /// How far a swipe's fingers may go against its direction.
  public var swipeBacktrack: CGFloat = 10
  /// K-12: how much the fingers' distance changes before a pinch begins.
  public var pinchHysteresis: CGFloat = 8
  /// K-13: how much the fingers turn before a rotation begins, in radians.
  public var rotationHysteresis: CGFloat = 0.05
  /// Below this distance two fingers count as this far apart, and their angle as unknown.
  public var leastFingerDistance: CGFloat = 1
  /// K-14: how near to the screen's edge an edge pan starts.
  public var edgeWidth: CGFloat = 13
  /// K-15: how far outside a control a finger still counts as inside while tracked.
  public var controlMargin: CGFloat = 70
  /// K-27: the radius of a contact that the panel does not measure.
  public var defaultRadius: CGFloat = 5
  /// K-23: how many contacts there may be at once; one more cancels all, until all are lifted.
  public var contactLimit = ContactLimit.none
  /// Whether a contact that only presses harder or softer counts as moved.
  ///
  /// False, for on most panels the pressure is that of a guess and never stands still.
  public var reportsForceChanges = false
  /// K-24: how long moves are gathered before they are delivered, on a grid of such intervals.
  ///
  /// Nil delivers at once. What begins or ends is never held, and takes the moves before it along.
  public var frameInterval: Duration?
  /// Whether moves that were gathered are delivered as of 5 ms before the end of the interval.
  ///
  /// The place is between two measurements, or past the last one: by at most 8 ms, by at most half
  /// of what lies between the last two, and only if these are 2 to 20 ms apart.
  public var resamplesMoves = false

  /// Creates UIKit's measures.
  public init() {}
}

/// How many contacts a device of Apple's kind follows at once.
public struct ContactLimit: Sendable, Equatable {
  /// The most contacts; nil for as many as come.
  public let most: Int?

  /// Creates a limit.
  public init(most: Int?) { self.most = most }

  /// As many as come.
  public static let none = ContactLimit(most: nil)
  /// A phone's: a sixth finger cancels all.
  public static let phone = ContactLimit(most: 5)
  /// A tablet's: a twelfth finger cancels all.
  public static let tablet = ContactLimit(most: 11)
}
