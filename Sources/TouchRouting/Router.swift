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

  private struct PlacedScene {
    var scene: Scene
    var client: UInt32
    /// Rises with each client that comes; of equal levels the higher one lies above.
    var order: UInt64
    /// The place in the client's own list; later lies above.
    var position: Int
  }

  private var displays: Set<UInt32>
  /// Topmost first.
  private var scenes: [PlacedScene] = []
  private var orders: [UInt32: UInt64] = [:]
  private var nextOrder: UInt64 = 1
  private var unresponsive: Set<UInt32> = []
  private var grabs = GrabTable()

  /// Creates a router for the displays with these numbers.
  public init(displays: [Display]) {
    self.displays = Set(displays.map(\.id))
  }

  /// How many contacts are live, delivered or not.
  public var liveContacts: Int { grabs.count }

  // MARK: Frames

  /// Decides for each contact of a frame, whose positions are points of the display.
  public mutating func route(_ frame: borrowing FrameBuffer, into out: inout DeliveryBuffer) {
    out.removeAll()
    for index in 0..<frame.count {
      let contact = frame[index]
      if contact.phase == .down {
        begin(contact, device: frame.device, display: frame.display, into: &out)
      } else {
        carryOn(contact, device: frame.device, display: frame.display, into: &out)
      }
    }
  }

  private mutating func begin(
    _ contact: Contact, device: UInt32, display: UInt32, into out: inout DeliveryBuffer
  ) {
    var grab = Grab(id: contact.id, device: device, display: display, last: contact)
    if let index = topmost(at: contact.position, display: display) {
      grab.client = scenes[index].client
      grab.scene = scenes[index].scene.id
      grab.isSensitive = scenes[index].scene.flags.contains(.sensitive)
      grab.origin = Point(x: scenes[index].scene.frame.x, y: scenes[index].scene.frame.y)
      if unresponsive.contains(grab.client) { grab.reason = .clientUnresponsive }
    } else {
      grab.reason = .noScene
    }
    if grabs.find(contact.id) != nil || !grabs.insert(grab) {
      // Nobody has heard of it, so nobody misses its end either.
      grab.client = 0
      grab.reason = .tooManyContacts
    }
    decide(contact, grab, into: &out)
  }

  private mutating func carryOn(
    _ contact: Contact, device: UInt32, display: UInt32, into out: inout DeliveryBuffer
  ) {
    guard let grab = grabs.find(contact.id) else {
      let unknown = Grab(
        id: contact.id, reason: .tooManyContacts, device: device, display: display, last: contact)
      decide(contact, unknown, into: &out)
      return
    }
    grab.pointee.last = contact
    decide(contact, grab.pointee, into: &out)
    if contact.phase.isEnd { grabs.remove(contact.id) }
  }

  private func decide(_ contact: Contact, _ grab: Grab, into out: inout DeliveryBuffer) {
    var decision = RoutedContact(
      contact: contact, device: grab.device, display: grab.display, client: 0,
      reason: grab.reason, isSensitive: grab.isSensitive)
    decision.contact.scene = grab.scene
    if grab.reason == .none {
      decision.client = grab.client
      decision.sceneOrigin = grab.origin
      decision.contact.position.x -= grab.origin.x
      decision.contact.position.y -= grab.origin.y
    }
    _ = out.append(decision)
  }

  private func topmost(at point: Point, display: UInt32) -> Int? {
    scenes.firstIndex { $0.scene.display == display && $0.scene.contains(point) }
  }

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
      grab.client == client && !seen.contains(grab.scene)
    }
    grabs.visitAll { grab in
      guard grab.pointee.client == client,
        let scene = new.first(where: { $0.id == grab.pointee.scene })
      else { return }
      grab.pointee.origin = Point(x: scene.frame.x, y: scene.frame.y)
    }
  }

  /// Takes a client and its scenes out; its live contacts reach nobody until they are lifted.
  public mutating func remove(client: UInt32) {
    scenes.removeAll { $0.client == client }
    orders[client] = nil
    unresponsive.remove(client)
    grabs.visitAll { grab in
      guard grab.pointee.client == client, grab.pointee.reason == .none else { return }
      grab.pointee.reason = .clientGone
    }
  }

  /// Cancels all contacts of a client and gives it no new ones until it is responsive again.
  public mutating func setUnresponsive(_ client: UInt32, into out: inout DeliveryBuffer) {
    out.removeAll()
    unresponsive.insert(client)
    cancel(.clientUnresponsive, into: &out) { $0.client == client }
  }

  /// Lets a client have new contacts again.
  public mutating func setResponsive(_ client: UInt32) { unresponsive.remove(client) }

  private mutating func cancel(
    _ reason: DropReason, into out: inout DeliveryBuffer, where matches: (Grab) -> Bool
  ) {
    grabs.visitAll { grab in
      guard grab.pointee.reason == .none, matches(grab.pointee) else { return }
      var contact = grab.pointee.last
      contact.phase = .cancel
      decide(contact, grab.pointee, into: &out)
      grab.pointee.reason = reason
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
