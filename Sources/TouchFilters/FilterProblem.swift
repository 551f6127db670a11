import TouchModel

/// Why a filter that was set is off; the others work.
public enum FilterProblem: Error, Sendable, Equatable {
  /// The filter's distances are in millimetres, and nobody says how large the panel is.
  case noSize(FilterKind)
  /// The panel does not report what the filter looks at.
  case notReported(FilterKind, what: String)
  /// A setting is outside its range.
  case outOfRange(FilterKind, setting: String, range: String)
}

extension FilterProblem: CustomStringConvertible {
  /// What is wrong and what to do next.
  public var description: String {
    switch self {
    case .noSize(let kind):
      "filter \(kind.name) is off: it works in millimetres, but the panel states no resolution. "
        + "Set the panel's size."
    case .notReported(let kind, let what):
      "filter \(kind.name) is off: the panel reports no \(what). Take the setting out."
    case .outOfRange(let kind, let setting, let range):
      "filter \(kind.name) is off: its \(setting) must be \(range). Correct the setting."
    }
  }
}
