/// The filters of a panel, in the order in which a contact meets them.
///
/// The first eight decide on contacts, the last four on positions. The raw values are on the wire.
public enum FilterKind: UInt8, Sendable, CaseIterable {
  /// Drops contacts that begin in an area which is known to be broken or out of reach.
  case deadRectangle = 1
  /// Drops a contact that begins where one was lifted just before.
  case liftDebounce = 2
  /// Drops contacts that begin too often in one area.
  case contactRate = 3
  /// Drops the newest contacts beyond a number.
  case maximumContacts = 4
  /// Takes a contact that is or grows too large for a palm.
  case palmSize = 5
  /// Drops contacts that begin in an extreme corner and never move.
  case ghost = 6
  /// Holds a contact that begins at an edge until it moves.
  case edgeHold = 7
  /// Drops contacts that live for too short a time.
  case minimumDuration = 8
  /// Keeps the position while the pressure drops.
  case pressureDrop = 9
  /// Takes the median of the last positions.
  case median = 10
  /// Follows the position with a time constant.
  case lowPass = 11
  /// Keeps the position while it changes by less than a margin.
  case hysteresis = 12

  /// The name as tools print it.
  public var name: String {
    switch self {
    case .deadRectangle: "dead-rectangle"
    case .liftDebounce: "lift-debounce"
    case .contactRate: "contact-rate"
    case .maximumContacts: "max-contacts"
    case .palmSize: "palm-size"
    case .ghost: "ghost"
    case .edgeHold: "edge-hold"
    case .minimumDuration: "min-duration"
    case .pressureDrop: "pressure-drop"
    case .median: "median"
    case .lowPass: "low-pass"
    case .hysteresis: "hysteresis"
    }
  }
}
