/// A picture area that panels and scenes are laid out on.
public struct Display: Sendable, Equatable {
  /// The number that frames and scenes name it by.
  public var id: UInt32
  /// The name for people and configuration.
  public var name: String
  /// The width, in points; above 0.
  public var width: Double
  /// The height, in points; above 0.
  public var height: Double
  /// Pixels per point; above 0.
  public var scale: Double

  /// Creates a display.
  public init(id: UInt32, name: String, width: Double, height: Double, scale: Double = 1) {
    self.id = id
    self.name = name
    self.width = width
    self.height = height
    self.scale = scale
  }

  /// The display of a system that has no configuration and shows none of its own.
  public static let fallback = Display(id: 0, name: "default", width: 1280, height: 800)
}

/// What a scene asks of the router beyond its place.
public struct SceneFlags: OptionSet, Sendable, Hashable {
  /// The value on the wire.
  public let rawValue: UInt32
  /// Creates flags from their wire value.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The scene takes no contacts; they go to what lies below.
  public static let notTouchable = SceneFlags(rawValue: 1 << 0)
  /// Positions in this scene are nobody else's business: observers and logs get none.
  public static let sensitive = SceneFlags(rawValue: 1 << 1)
}

/// Whether a client is in front on a display.
public enum Activation: UInt32, Sendable, CaseIterable {
  /// Contacts can reach it.
  case active = 0
  /// Others' scenes lie over all of its own.
  case inactive = 1
  /// It has been put away, and is not to be seen.
  case background = 2
}

/// An area of a display for which one client wants the contacts.
public struct Scene: Sendable, Equatable {
  /// The client's own number for it.
  public var id: UInt32
  /// The display it lies on.
  public var display: UInt32
  /// Where it lies, in points of the display; its left top corner is the origin of what is sent.
  public var frame: Rect
  /// The parts of `frame` that take contacts, in points of the display; empty means all of it.
  public var region: [Rect]
  /// The order among scenes: higher lies above lower, of equals the newest client's lies above.
  public var level: Int32
  /// What else it asks for.
  public var flags: SceneFlags

  /// Creates a scene.
  public init(
    id: UInt32, display: UInt32 = 0, frame: Rect, region: [Rect] = [], level: Int32 = 0,
    flags: SceneFlags = []
  ) {
    self.id = id
    self.display = display
    self.frame = frame
    self.region = region
    self.level = level
    self.flags = flags
  }

  /// Tells whether a contact that lands on the point belongs to this scene.
  public func contains(_ point: Point) -> Bool {
    guard frame.contains(point), !flags.contains(.notTouchable) else { return false }
    return region.isEmpty || region.contains { $0.contains(point) }
  }
}
