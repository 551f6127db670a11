import TouchModel

/// What one filter did, or in a dry run would have done, counted since it was made.
public struct FilterCounters: Sendable, Equatable {
  /// Contacts that came to it.
  public var contacts: UInt64 = 0
  /// Contacts that it let pass, at once or after it had held them.
  public var passed: UInt64 = 0
  /// Contacts that it held back for a time.
  public var held: UInt64 = 0
  /// Contacts that it kept from everybody, or took away.
  public var dropped: UInt64 = 0
  /// Positions that it changed.
  public var changed: UInt64 = 0

  /// Creates counters at zero.
  public init() {}
}

/// A contact that a filter kept from everybody, or took away, as it was when that was decided.
public struct DroppedContact: Sendable, Equatable {
  /// The contact, in points; its phase is that of the frame it was decided in.
  public var contact: Contact
  /// The filter.
  public var filter: FilterKind

  /// Creates an entry.
  public init(contact: Contact, filter: FilterKind) {
    self.contact = contact
    self.filter = filter
  }
}

/// A filter of a panel with its settings and counters; for tools.
public struct FilterStatus: Sendable, Equatable {
  /// The filter.
  public var filter: FilterKind
  /// Its settings by name; each name says its unit.
  public var settings: [(name: String, value: Double)]
  /// What it did.
  public var counters: FilterCounters

  /// Creates a status.
  public init(
    filter: FilterKind, settings: [(name: String, value: Double)], counters: FilterCounters
  ) {
    self.filter = filter
    self.settings = settings
    self.counters = counters
  }

  /// Compares all of both.
  public static func == (left: FilterStatus, right: FilterStatus) -> Bool {
    left.filter == right.filter && left.counters == right.counters
      && left.settings.elementsEqual(right.settings) { $0.name == $1.name && $0.value == $1.value }
  }
}

extension FilterPlan {
  /// The settings of a filter by name, with their units; for tools.
  public func named(_ kind: FilterKind) -> [(name: String, value: Double)] {
    let milliseconds = { (nanoseconds: UInt64) in Double(nanoseconds) / 1_000_000 }
    switch kind {
    case .deadRectangle: return [("rectangles", Double(settings.deadRectangles.count))]
    case .liftDebounce:
      guard let rule = settings.liftDebounce else { return [] }
      return [("ms", milliseconds(rule.duration)), ("mm", rule.distance)]
    case .contactRate:
      guard let rule = settings.contactRate else { return [] }
      return [("per_s", Double(rule.perSecond)), ("mm", rule.distance)]
    case .maximumContacts: return [("contacts", Double(settings.maximumContacts ?? 0))]
    case .palmSize:
      guard let rule = settings.palmSize else { return [] }
      return [
        ("mm", rule.diameter), ("settled_frames", Double(rule.settledFrames)),
        ("limit_ms", milliseconds(rule.settleLimit)),
      ]
    case .ghost: return [("mm", settings.ghostCorner ?? 0)]
    case .edgeHold:
      guard let rule = settings.edgeHold else { return [] }
      return [
        ("mm", rule.distance), ("travel_mm", rule.travel),
        ("limit_ms", milliseconds(rule.limit ?? 0)), ("delivers", rule.deliversEnded ? 1 : 0),
      ]
    case .minimumDuration: return [("ms", milliseconds(settings.minimumDuration ?? 0))]
    case .pressureDrop: return [("fraction", settings.pressureDrop ?? 0)]
    case .median: return [("window", Double(settings.medianWindow ?? 0))]
    case .lowPass: return [("ms", milliseconds(settings.lowPass ?? 0))]
    case .hysteresis: return [("x_units", margin.x), ("y_units", margin.y)]
    }
  }
}
