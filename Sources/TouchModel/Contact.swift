/// What happened to a contact in one frame.
///
/// The words are the kernel's and Wayland's; TouchKit turns them into UIKit's.
public enum ContactPhase: UInt8, Sendable, CaseIterable {
  /// The contact is new in this frame.
  case down = 0
  /// The contact was there and changed its position.
  case motion = 1
  /// The contact was there and kept its position.
  case still = 2
  /// The contact was lifted.
  case up = 3
  /// The contact was taken away: it must have no effect.
  case cancel = 4
  /// What is near the panel does not touch it; observers alone are told.
  ///
  /// It stands in a frame only where `FrameOptions.reportsHover` asks for it, without a begin and
  /// without an end. The id is the one that the contact has if it goes down next.
  case hover = 5

  /// Whether the contact is over with this frame.
  @inlinable public var isEnd: Bool { self == .up || self == .cancel }
}

/// What touches the panel.
///
/// - Source: `ABS_MT_TOOL_TYPE`.
public enum ContactTool: UInt8, Sendable, CaseIterable {
  /// A finger, also where the device does not say.
  case finger = 0
  /// A stylus.
  case pen = 1
  /// A palm; never delivered to an app.
  case palm = 2
}

/// One finger, pen or palm on a panel, as it stands in one frame.
///
/// The fields stand in the order of the wire, so that a compiler may move several at once.
public struct Contact: Sendable, Equatable {
  /// The contact's name: never used again for another contact while the daemon runs.
  ///
  /// - Range: 1 and up; unique over all panels.
  public var id: UInt64
  /// The client's own number of the scene that it belongs to; 0 before it is routed.
  public var scene: UInt32
  /// The slot that holds the contact; reused after the contact has ended.
  public var slot: Int32
  /// What happened in this frame.
  public var phase: ContactPhase
  /// What touches.
  public var tool: ContactTool
  /// Whether the contact comes from a recording or an injector instead of a panel.
  public var isInjected: Bool
  /// The place of the contact.
  ///
  /// - Units: normalised 0...1 out of a frame assembler without a mapping, points of the display
  ///   out of one with a mapping, points of the scene when sent to a client.
  public var position: Point
  /// The longer diameter of the contact area, in points after mapping; 0 where unknown.
  public var major: Float
  /// The shorter diameter of the contact area, in points after mapping; 0 where unknown.
  public var minor: Float
  /// The pressure, 0...1 of the device's range; 0 where unknown.
  public var pressure: Float
  /// The angle of the longer diameter, in radians clockwise from the y axis; 0 where unknown.
  public var orientation: Float
  /// The device's own x value.
  public var rawX: Int32
  /// The device's own y value.
  public var rawY: Int32

  /// Creates a contact; what a device does not report stays zero.
  @inlinable
  public init(
    id: UInt64, slot: Int32, scene: UInt32 = 0, phase: ContactPhase, tool: ContactTool = .finger,
    isInjected: Bool = false, position: Point, rawX: Int32 = 0, rawY: Int32 = 0,
    major: Float = 0, minor: Float = 0, pressure: Float = 0, orientation: Float = 0
  ) {
    self.id = id
    self.slot = slot
    self.scene = scene
    self.phase = phase
    self.tool = tool
    self.isInjected = isInjected
    self.position = position
    self.rawX = rawX
    self.rawY = rawY
    self.major = major
    self.minor = minor
    self.pressure = pressure
    self.orientation = orientation
  }
}
