/// Why a contact reached no app.
public enum DropReason: UInt8, Sendable, CaseIterable {
  /// It did reach one.
  case none = 0
  /// No scene lies under the point where it went down.
  case noScene = 1
  /// It was on the panel before the daemon looked; it counts once it is lifted and put down again.
  case downBeforeStart = 2
  /// The client it belonged to is gone.
  case clientGone = 3
  /// The scene it belonged to was taken away or no longer takes contacts.
  case sceneGone = 4
  /// The client has not acknowledged for so long that its backlog overflowed.
  case clientUnresponsive = 5
  /// It is a palm.
  case palm = 6
  /// More contacts are live than the router keeps track of.
  case tooManyContacts = 7
  /// The client dropped it: its down was older than the stale limit when it was read.
  case stale = 8
  /// It does not touch the panel, it hovers over it.
  case hovering = 9
  /// A filter of its panel took it for something that nobody meant.
  case filtered = 10
  /// The client it belonged to was covered by others.
  case notInFront = 11
  /// The screen was off, and the touch was to wake it and nothing else.
  case displayOff = 12
  /// A later version of the daemon gave a reason that this one has no word for.
  case unknown = 255

  /// The reason as tools print it.
  public var name: String {
    switch self {
    case .none: "none"
    case .noScene: "no-scene"
    case .downBeforeStart: "down-before-start"
    case .clientGone: "client-gone"
    case .sceneGone: "scene-gone"
    case .clientUnresponsive: "client-unresponsive"
    case .palm: "palm"
    case .tooManyContacts: "too-many-contacts"
    case .stale: "stale"
    case .hovering: "hovering"
    case .filtered: "filtered"
    case .notInFront: "not-in-front"
    case .displayOff: "display-off"
    case .unknown: "unknown"
    }
  }
}
