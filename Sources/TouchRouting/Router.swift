// Where this module sits: device -> frames -> *routing* -> socket -> app.
// Who gets which contact: captured at down, cancelled on change. Pure; time comes in.

import TouchModel

/// Why a set of scenes was not taken.
public enum SceneFault: Error, Equatable, Sendable {
  /// A scene lies on a display that does not exist.
  case unknownDisplay(UInt32)
  /// Two scenes of the client have the same number.
  case duplicateScene(UInt32)
}

/// Decides which client gets a contact, and keeps to it until the contact ends.
///
/// A contact belongs to the topmost scene under the point where it went down: highest level
/// first, of equals the client that came last, of one client's scenes the one it named last.
/// A contact stays with its scene wherever it moves (implicit grab, per contact).
///
/// Every method that decides writes its decisions into the buffer it is given, which it empties
/// first. The buffer must hold `Router.maximumDecisions`.
///
/// - Ownership: owns its tables; not copyable.
public struct Router: ~Copyable {
  /// The most decisions of one call.
  public static let maximumDecisions = GrabTable.maximumContacts

  /// The most contacts that one client has of one panel: half of what a frame on the wire holds,
  /// for all of them may end in the frame that brings as many new ones.
  public static let maximumContactsOfPanel = 64

  struct PlacedScene {
    var scene: Scene
    var client: UInt32
    /// Rises with each client that comes; of equal levels the higher one lies above.
    var order: UInt64
    /// The place in the client's own list; later lies above.
    var position: Int
  }

  private var displays: Set<UInt32>
  /// Topmost first.
  private(set) var scenes: [PlacedScene] = []
  private var orders: [UInt32: UInt64] = [:]
  private var nextOrder: UInt64 = 1
  private var unresponsive: Set<UInt32> = []
  /// Displays on which no contact begins for anybody.
  private var dark: Set<UInt32> = []
  private var grabs = GrabTable()

  /// Creates a router for the displays with these numbers.
  public init(displays: [Display]) {
    self.displays = Set(displays.map(\.id))
  }

  /// How many contacts are live, delivered or not.
  public var liveContacts: Int { grabs.count }

  // MARK: Frames

  /// Decides for each contact of a frame, whose positions are points of the display.
  ///
  /// The frame's contacts go over into the buffer; what the frame then holds means nothing.
  public mutating func route(_ frame: inout FrameBuffer, into out: inout DeliveryBuffer) {
    let count = out.takeContacts(of: &frame)
    var contact = out.contacts.room
    var route = out.routes
    let end = contact + count
    while contact != end {
      let phase = contact.pointee.phase
      if phase == .motion || phase == .still, let grab = grabs.find(contact.pointee.id) {
        Self.decide(contact, grab, route)
        out.countPart(client: grab.pointee.route.client, device: grab.pointee.route.device, route)
      } else {
        change(contact, route, device: frame.device, display: frame.display)
        out.countPart(client: route.pointee.client, device: route.pointee.device, route)
        out.lastPart.pointee.noteChange(phase)
      }
      contact += 1
      route += 1
    }
  }

  /// Decides for a contact that comes, goes or hovers, or that nobody knows.
  private mutating func change(
    _ contact: UnsafeMutablePointer<Contact>, _ route: UnsafeMutablePointer<ContactRoute>,
    device: UInt32, display: UInt32
  ) {
    let id = contact.pointee.id
    if contact.pointee.phase == .down {
      var grab = begin(contact.pointee, device: device, display: display)
      Self.decide(contact, &grab, route)
    } else if contact.pointee.phase == .hover {
      // What does not touch belongs to nobody: it is shown to observers and takes no scene.
      let below = topmost(at: contact.pointee.position, display: display)
      route.initialize(
        to: ContactRoute(
          device: device, client: 0, display: display, reason: .hovering,
          isSensitive: below.map { scenes[$0].scene.flags.contains(.sensitive) } ?? false))
    } else if let grab = grabs.find(id) {
      Self.decide(contact, grab, route)
      if contact.pointee.phase.isEnd { grabs.remove(id) }
    } else {
      route.initialize(
        to: ContactRoute(device: device, client: 0, display: display, reason: .tooManyContacts))
    }
  }

  private mutating func begin(_ contact: Contact, device: UInt32, display: UInt32) -> Grab {
    let route = ContactRoute(device: device, client: 0, display: display)
    var grab = Grab(id: contact.id, route: route, last: contact)
    if let index = topmost(at: contact.position, display: display) {
      let scene = scenes[index].scene
      grab.route.client = scenes[index].client
      grab.scene = scene.id
      grab.route.isSensitive = scene.flags.contains(.sensitive)
      grab.route.sceneOrigin = Point(x: scene.frame.x, y: scene.frame.y)
      if unresponsive.contains(grab.route.client) {
        grab.withhold(because: .clientUnresponsive)
      } else if !hasRoom(for: grab.route.client, device: device) {
        grab.withhold(because: .tooManyContacts)
      }
    } else {
      grab.withhold(because: .noScene)
    }
    if !dark.isEmpty, dark.contains(display) { grab.withhold(because: .displayOff) }
    if grabs.find(contact.id) != nil || !grabs.insert(grab) {
      // Nobody has heard of it, so nobody misses its end either.
      grab.withhold(because: .tooManyContacts)
    }
    return grab
  }

  /// Turns a contact of the display into one of its scene and writes down who gets it.
  @inline(__always)
  private static func decide(
    _ contact: UnsafeMutablePointer<Contact>, _ grab: UnsafeMutablePointer<Grab>,
    _ route: UnsafeMutablePointer<ContactRoute>
  ) {
    let position = contact.pointee.position
    let origin = grab.pointee.route.sceneOrigin
    grab.pointee.last.position = position
    contact.pointee.position = Point(x: position.x - origin.x, y: position.y - origin.y)
    contact.pointee.scene = grab.pointee.scene
    // As a whole: field by field takes twice the instructions.
    withUnsafeMutablePointer(to: &grab.pointee.route) {
      UnsafeMutableRawPointer(route).copyMemory(
        from: $0, byteCount: MemoryLayout<ContactRoute>.size)
    }
  }

  /// Tells whether a client may get one more contact of a panel.
  private func hasRoom(for client: UInt32, device: UInt32) -> Bool {
    var held = 0
    grabs.visitAll { grab in
      if grab.pointee.route.client == client && grab.pointee.route.device == device { held += 1 }
    }
    return held < Self.maximumContactsOfPanel
  }

  private func topmost(at point: Point, display: UInt32) -> Int? {
    scenes.firstIndex { $0.scene.display == display && $0.scene.contains(point) }
  }

  /// Tells whether the topmost scene at a point keeps positions from observers.
  public func isSensitive(at point: Point, of display: UInt32) -> Bool {
    guard let index = topmost(at: point, display: display) else { return false }
    return scenes[index].scene.flags.contains(.sensitive)
  }

  /// How many scenes a client has.
  public func sceneCount(of client: UInt32) -> Int { scenes.count { $0.client == client } }

  // MARK: Changes that cancel

  /// Replaces all scenes of a client at once.
  ///
  /// Contacts of scenes that are gone are cancelled; those of scenes that stay go on, wherever
  /// the scene now lies.
  ///
  /// - Errors: `SceneFault`; the former scenes stay in force.
  public mutating func setScenes(
    _ new: [Scene], of client: UInt32, into out: inout DeliveryBuffer
  ) throws(SceneFault) {
    out.removeAll()
    var seen: Set<UInt32> = []
    for scene in new {
      guard displays.contains(scene.display) else { throw .unknownDisplay(scene.display) }
      guard seen.insert(scene.id).inserted else { throw .duplicateScene(scene.id) }
    }
    let order = orders[client] ?? nextOrder
    if orders[client] == nil {
      orders[client] = order
      nextOrder += 1
    }
    scenes.removeAll { $0.client == client }
    for (position, scene) in new.enumerated() {
      scenes.append(
        PlacedScene(scene: scene, client: client, order: order, position: position))
    }
    sortScenes()
    cancel(.sceneGone, into: &out) { grab in
      grab.route.client == client && !seen.contains(grab.scene)
    }
    grabs.visitAll { grab in
      guard grab.pointee.route.client == client,
        let scene = new.first(where: { $0.id == grab.pointee.scene })
      else { return }
      grab.pointee.route.sceneOrigin = Point(x: scene.frame.x, y: scene.frame.y)
      grab.pointee.route.isSensitive = scene.flags.contains(.sensitive)
    }
  }

  /// Replaces the displays that scenes may lie on.
  ///
  /// Scenes and contacts of displays that are gone go with them; those of others stay as they are.
  public mutating func setDisplays(_ new: [Display], into out: inout DeliveryBuffer) {
    out.removeAll()
    let known = Set(new.map(\.id))
    displays = known
    scenes.removeAll { !known.contains($0.scene.display) }
    cancel(.sceneGone, into: &out) { !known.contains($0.route.display) }
  }

  /// Says whether the screen of a display is off, so that new contacts on it reach nobody.
  ///
  /// Contacts that are live go on as they began.
  public mutating func setDark(_ isDark: Bool, display: UInt32) {
    if isDark { dark.insert(display) } else if !dark.isEmpty { dark.remove(display) }
  }

  /// Takes a client and its scenes out; its live contacts reach nobody until they are lifted.
  public mutating func remove(client: UInt32) {
    scenes.removeAll { $0.client == client }
    orders[client] = nil
    unresponsive.remove(client)
    grabs.visitAll { grab in
      if grab.pointee.route.client == client { grab.pointee.withhold(because: .clientGone) }
    }
  }

  /// Cancels the contacts that clients have on a display where they are no longer in front.
  public mutating func withdraw(
    from clients: Set<UInt32>, on display: UInt32, into out: inout DeliveryBuffer
  ) {
    out.removeAll()
    cancel(.notInFront, into: &out) {
      $0.route.display == display && clients.contains($0.route.client)
    }
  }

  /// Cancels all contacts of a client and gives it no new ones until it is responsive again.
  public mutating func setUnresponsive(_ client: UInt32, into out: inout DeliveryBuffer) {
    out.removeAll()
    unresponsive.insert(client)
    cancel(.clientUnresponsive, into: &out) { $0.route.client == client }
  }

  /// Lets a client have new contacts again.
  public mutating func setResponsive(_ client: UInt32) { unresponsive.remove(client) }

  private mutating func cancel(
    _ reason: DropReason, into out: inout DeliveryBuffer, where matches: (Grab) -> Bool
  ) {
    grabs.visitAll { grab in
      guard grab.pointee.route.reason == .none, matches(grab.pointee) else { return }
      var contact = grab.pointee.last
      var route = grab.pointee.route
      contact.phase = .cancel
      Self.decide(&contact, grab, &route)
      _ = out.append(RoutedContact(contact: contact, route: route))
      grab.pointee.withhold(because: reason)
    }
  }

  private mutating func sortScenes() {
    scenes.sort { left, right in
      if left.scene.level != right.scene.level { return left.scene.level > right.scene.level }
      if left.order != right.order { return left.order > right.order }
      return left.position > right.position
    }
  }
}
