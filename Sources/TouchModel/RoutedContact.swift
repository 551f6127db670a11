/// When a frame passed each stage, in `CLOCK_MONOTONIC` nanoseconds; 0 for a stage not reached.
public struct StageTimes: Sendable, Equatable {
  /// The kernel stamped the frame's `SYN_REPORT`.
  public var kernel: UInt64
  /// The daemon had read it from the node.
  public var read: UInt64
  /// The router had decided who gets it.
  public var routed: UInt64
  /// It was handed to the socket.
  public var sent: UInt64

  /// Creates a time line.
  @inlinable
  public init(kernel: UInt64, read: UInt64 = 0, routed: UInt64 = 0, sent: UInt64 = 0) {
    self.kernel = kernel
    self.read = read
    self.routed = routed
    self.sent = sent
  }
}

/// Who gets a contact, or why nobody does.
public struct ContactRoute: Sendable, Equatable {
  /// The panel it is on.
  public var device: UInt32
  /// The client that gets it; 0 if nobody does.
  public var client: UInt32
  /// The display it is on.
  public var display: UInt32
  /// Why nobody gets it; `none` if a client does.
  public var reason: DropReason
  /// Whether its scene keeps positions from observers.
  public var isSensitive: Bool
  /// What to add to the contact's position to get points of the display; zero if nobody gets it.
  public var sceneOrigin: Point

  /// Creates a route.
  @inlinable
  public init(
    device: UInt32, client: UInt32, display: UInt32, reason: DropReason = .none,
    isSensitive: Bool = false, sceneOrigin: Point = Point(x: 0, y: 0)
  ) {
    self.device = device
    self.client = client
    self.display = display
    self.reason = reason
    self.isSensitive = isSensitive
    self.sceneOrigin = sceneOrigin
  }
}

/// A contact of one frame and what the router decided for it.
public struct RoutedContact: Sendable, Equatable {
  /// The contact; in points of the scene if it goes to a client, else in points of the display.
  public var contact: Contact
  /// Who gets it.
  public var route: ContactRoute

  /// The panel it is on.
  @inlinable public var device: UInt32 { route.device }
  /// The display it is on.
  @inlinable public var display: UInt32 { route.display }
  /// The client that gets it; 0 if nobody does.
  @inlinable public var client: UInt32 { route.client }
  /// Why nobody gets it; `none` if a client does.
  @inlinable public var reason: DropReason { route.reason }
  /// Whether its scene keeps positions from observers.
  @inlinable public var isSensitive: Bool { route.isSensitive }
  /// What to add to the contact's position to get points of the display.
  @inlinable public var sceneOrigin: Point { route.sceneOrigin }

  /// Creates a decision.
  @inlinable
  public init(contact: Contact, route: ContactRoute) {
    self.contact = contact
    self.route = route
  }

  /// Creates a decision from a route's parts.
  @inlinable
  public init(
    contact: Contact, device: UInt32, display: UInt32, client: UInt32,
    reason: DropReason = .none,
    isSensitive: Bool = false, sceneOrigin: Point = Point(x: 0, y: 0)
  ) {
    self.contact = contact
    route = ContactRoute(
      device: device, client: client, display: display, reason: reason, isSensitive: isSensitive,
      sceneOrigin: sceneOrigin)
  }
}

/// A position of a contact between two deliveries.
public struct HistorySample: Sendable, Equatable {
  /// The kernel's time, in nanoseconds.
  public var timeNanoseconds: UInt64
  /// The place, in points of the scene.
  public var position: Point
  /// The pressure, 0...1.
  public var pressure: Float
  /// The longer diameter, in points.
  public var major: Float

  /// Creates a sample.
  @inlinable
  public init(timeNanoseconds: UInt64, position: Point, pressure: Float = 0, major: Float = 0) {
    self.timeNanoseconds = timeNanoseconds
    self.position = position
    self.pressure = pressure
    self.major = major
  }
}
