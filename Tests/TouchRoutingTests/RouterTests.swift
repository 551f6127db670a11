import Testing
import TouchModel
import TouchRouting

/// A router with what a test asks of it, in values.
final class RouterBench {
  var router = Router(displays: [.fallback])
  private var out = DeliveryBuffer(capacity: 2_048)
  private var frame = FrameBuffer(capacity: 256)

  /// A decision in short: which contact, what, to whom or why not, and where.
  struct Line: Equatable, CustomStringConvertible {
    var id: UInt64
    var phase: ContactPhase
    var client: UInt32
    var scene: UInt32
    var reason: DropReason
    var x: Double
    var y: Double

    var description: String { "\(id) \(phase) -> \(client).\(scene) \(reason) at \(x),\(y)" }
  }

  func frame(_ contacts: Contact..., device: UInt32 = 1) -> [Line] {
    frame.removeAll()
    frame.device = device
    for contact in contacts { _ = frame.append(contact) }
    router.route(&frame, into: &out)
    return lines
  }

  func set(_ scenes: [Scene], of client: UInt32) -> [Line] {
    do throws(SceneFault) {
      try router.setScenes(scenes, of: client, into: &out)
    } catch {
      Issue.record("the router refuses the scenes: \(error)")
    }
    return lines
  }

  func fault(_ scenes: [Scene], of client: UInt32) -> SceneFault? {
    do throws(SceneFault) {
      try router.setScenes(scenes, of: client, into: &out)
      return nil
    } catch {
      return error
    }
  }

  func setUnresponsive(_ client: UInt32) -> [Line] {
    router.setUnresponsive(client, into: &out)
    return lines
  }

  var liveContacts: Int { router.liveContacts }

  /// Whether the last decisions keep positions from observers.
  var areSensitive: [Bool] { out.decisions.map(\.isSensitive) }

  private var lines: [Line] {
    out.decisions.map {
      Line(
        id: $0.contact.id, phase: $0.contact.phase, client: $0.client,
        scene: $0.client == 0 ? 0 : $0.contact.scene, reason: $0.reason,
        x: $0.contact.position.x, y: $0.contact.position.y)
    }
  }
}

func contact(
  _ id: UInt64, _ phase: ContactPhase, _ x: Double, _ y: Double, slot: Int32 = 0
) -> Contact {
  Contact(id: id, slot: slot, phase: phase, position: Point(x: x, y: y))
}

func scene(
  _ id: UInt32, _ x: Double, _ y: Double, _ width: Double, _ height: Double, level: Int32 = 0,
  flags: SceneFlags = [], region: [Rect] = []
) -> Scene {
  Scene(
    id: id, frame: Rect(x: x, y: y, width: width, height: height), region: region, level: level,
    flags: flags)
}

private func line(
  _ id: UInt64, _ phase: ContactPhase, to client: UInt32, scene: UInt32 = 0,
  because reason: DropReason = .none, _ x: Double, _ y: Double
) -> RouterBench.Line {
  .init(id: id, phase: phase, client: client, scene: scene, reason: reason, x: x, y: y)
}

@Suite struct `Displays whose screen is off` {
  @Test func `give new contacts to nobody, and take none away`() {
    let bench = RouterBench()
    let keypad = Scene(
      id: 1, frame: Rect(x: 0, y: 0, width: 1280, height: 800), flags: .sensitive)
    _ = bench.set([keypad], of: 3)
    func words(_ id: UInt64, _ phase: ContactPhase) -> [String] {
      bench.frame(Contact(id: id, slot: 0, phase: phase, position: Point(x: 5, y: 6)))
        .map { "\($0)" }
    }
    bench.router.setDark(true, display: 1)
    #expect(words(1, .down) == ["1 down -> 3.1 none at 5.0,6.0"], "another display is")
    bench.router.setDark(true, display: 0)
    #expect(words(1, .motion) == ["1 motion -> 3.1 none at 5.0,6.0"])
    #expect(words(2, .down) == ["2 down -> 0.0 displayOff at 5.0,6.0"])
    bench.router.setDark(false, display: 0)
    #expect(words(2, .up) == ["2 up -> 0.0 displayOff at 5.0,6.0"])
    #expect(words(3, .down) == ["3 down -> 3.1 none at 5.0,6.0"])
  }
}

@Suite struct `Routing contacts to scenes` {
  @Test func `a contact goes to the scene under it, in the scene's points`() {
    let bench = RouterBench()
    #expect(bench.set([scene(1, 100, 50, 200, 100)], of: 7).isEmpty)
    #expect(bench.frame(contact(1, .down, 110, 60)) == [line(1, .down, to: 7, scene: 1, 10, 10)])
    #expect(bench.frame(contact(1, .up, 110, 60)) == [line(1, .up, to: 7, scene: 1, 10, 10)])
    #expect(bench.liveContacts == 0)
  }

  @Test func `the left and top edge belong to a scene, the right and bottom edge do not`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 100, 50, 200, 100)], of: 7)
    #expect(bench.frame(contact(1, .down, 100, 50)).map(\.client) == [7])
    #expect(bench.frame(contact(2, .down, 300, 60)).map(\.reason) == [.noScene])
    #expect(bench.frame(contact(3, .down, 110, 150)).map(\.reason) == [.noScene])
  }

  @Test func `a contact that lands on no scene reaches nobody for its whole life`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 7)
    let nobody = DropReason.noScene
    #expect(
      bench.frame(contact(1, .down, 500, 500)) == [line(1, .down, to: 0, because: nobody, 500, 500)]
    )
    #expect(
      bench.frame(contact(1, .motion, 50, 50)) == [line(1, .motion, to: 0, because: nobody, 50, 50)]
    )
    #expect(bench.frame(contact(1, .up, 50, 50)) == [line(1, .up, to: 0, because: nobody, 50, 50)])
  }

  @Test func `the higher level lies above, whoever came first`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100, level: 5)], of: 7)
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 8)
    #expect(bench.frame(contact(1, .down, 5, 5)).map(\.client) == [7])
  }

  @Test func `of equal levels the client that came last lies above`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 8)
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 7)
    #expect(bench.frame(contact(1, .down, 5, 5)).map(\.client) == [7])
  }

  @Test func `a client that sets its scenes again keeps its place`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 8)
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 7)
    _ = bench.set([scene(1, 0, 0, 50, 50)], of: 8)
    #expect(bench.frame(contact(1, .down, 5, 5)).map(\.client) == [7])
  }

  @Test func `of one client's scenes the later one lies above, also after others changed`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100), scene(2, 0, 0, 100, 100)], of: 7)
    for other in UInt32(8)...10 { _ = bench.set([scene(1, 900, 0, 10, 10)], of: other) }
    #expect(bench.frame(contact(1, .down, 5, 5)).map(\.scene) == [2])
  }

  @Test func `a scene that is not touchable lets contacts through`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 7)
    _ = bench.set([scene(1, 0, 0, 100, 100, level: 9, flags: .notTouchable)], of: 8)
    #expect(bench.frame(contact(1, .down, 5, 5)).map(\.client) == [7])
  }

  @Test func `a scene with a region takes contacts there only`() {
    let bench = RouterBench()
    let parts = [
      Rect(x: 0, y: 0, width: 10, height: 10), Rect(x: 50, y: 50, width: 10, height: 10),
    ]
    _ = bench.set([scene(1, 0, 0, 100, 100, region: parts)], of: 7)
    #expect(bench.frame(contact(1, .down, 5, 5)).map(\.client) == [7])
    #expect(bench.frame(contact(2, .down, 55, 55, slot: 1)).map(\.client) == [7])
    #expect(bench.frame(contact(3, .down, 30, 30, slot: 2)).map(\.reason) == [.noScene])
  }

  @Test func `contacts of one frame go to the clients they landed on`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 7)
    _ = bench.set([scene(4, 100, 0, 100, 100)], of: 8)
    let both = bench.frame(contact(1, .down, 5, 5), contact(2, .down, 105, 5, slot: 1))
    #expect(
      both == [line(1, .down, to: 7, scene: 1, 5, 5), line(2, .down, to: 8, scene: 4, 5, 5)])
    // Each stays where it began, whatever it crosses.
    let crossed = bench.frame(contact(1, .motion, 105, 5), contact(2, .motion, 5, 5, slot: 1))
    #expect(
      crossed == [
        line(1, .motion, to: 7, scene: 1, 105, 5), line(2, .motion, to: 8, scene: 4, -95, 5),
      ])
  }

  @Test func `a contact stays with its scene when it crosses another of the same client`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100), scene(2, 100, 0, 100, 100)], of: 7)
    _ = bench.frame(contact(1, .down, 5, 5))
    #expect(
      bench.frame(contact(1, .motion, 150, 5)) == [line(1, .motion, to: 7, scene: 1, 150, 5)])
  }

  @Test func `a new scene above does not take a contact away from the one below`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 7)
    _ = bench.frame(contact(1, .down, 5, 5))
    #expect(bench.set([scene(1, 0, 0, 100, 100, level: 9)], of: 8).isEmpty)
    #expect(bench.frame(contact(1, .motion, 6, 6)).map(\.client) == [7])
  }

  @Test func `a scene that moves keeps its contact, in its new points`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 7)
    _ = bench.frame(contact(1, .down, 5, 5))
    #expect(bench.set([scene(1, 50, 0, 100, 100)], of: 7).isEmpty)
    #expect(
      bench.frame(contact(1, .motion, 60, 5)) == [line(1, .motion, to: 7, scene: 1, 10, 5)])
  }

  @Test func `a scene that goes cancels its contacts, once, and they reach nobody after`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100), scene(2, 100, 0, 100, 100)], of: 7)
    _ = bench.frame(contact(1, .down, 5, 5), contact(2, .down, 105, 5, slot: 1))
    let cancels = bench.set([scene(2, 100, 0, 100, 100)], of: 7)
    #expect(cancels == [line(1, .cancel, to: 7, scene: 1, 5, 5)])
    let after = bench.frame(contact(1, .motion, 6, 5), contact(2, .motion, 106, 5, slot: 1))
    #expect(
      after == [
        line(1, .motion, to: 0, because: .sceneGone, 6, 5),
        line(2, .motion, to: 7, scene: 2, 6, 5),
      ])
    #expect(bench.set([scene(1, 0, 0, 100, 100)], of: 7).map(\.id) == [2])
  }

  @Test func `a client that goes leaves its contacts to nobody, and the next tap to the one below`()
  {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 7)
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 8)
    _ = bench.frame(contact(1, .down, 5, 5))
    bench.router.remove(client: 8)
    #expect(
      bench.frame(contact(1, .up, 5, 5)) == [line(1, .up, to: 0, because: .clientGone, 5, 5)])
    #expect(bench.frame(contact(2, .down, 5, 5)).map(\.client) == [7])
  }

  @Test func `a client that does not keep up is cancelled and gets nothing new until it does`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 7)
    _ = bench.frame(contact(1, .down, 5, 5))
    #expect(bench.setUnresponsive(7) == [line(1, .cancel, to: 7, scene: 1, 5, 5)])
    #expect(bench.setUnresponsive(7).isEmpty)
    #expect(
      bench.frame(contact(2, .down, 9, 9, slot: 1)).map(\.reason) == [.clientUnresponsive])
    bench.router.setResponsive(7)
    // What it missed the beginning of stays away; what is new comes.
    #expect(
      bench.frame(contact(2, .motion, 9, 8, slot: 1)).map(\.reason) == [.clientUnresponsive])
    #expect(bench.frame(contact(3, .down, 9, 9, slot: 2)).map(\.client) == [7])
  }

  @Test func `scenes that cannot be are refused as a whole and the former ones stay`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 7)
    var elsewhere = scene(2, 0, 0, 10, 10)
    elsewhere.display = 3
    #expect(bench.fault([elsewhere], of: 7) == .unknownDisplay(3))
    let twice = [scene(2, 0, 0, 10, 10), scene(2, 20, 0, 10, 10)]
    #expect(bench.fault(twice, of: 7) == .duplicateScene(2))
    #expect(bench.frame(contact(1, .down, 50, 50)).map(\.scene) == [1])
  }

  @Test func `a scene of another display takes nothing`() {
    let bench = RouterBench()
    bench.router = Router(displays: [.fallback, Display(id: 1, name: "b", width: 10, height: 10)])
    var other = scene(1, 0, 0, 100, 100)
    other.display = 1
    _ = bench.set([other], of: 7)
    #expect(bench.frame(contact(1, .down, 5, 5)).map(\.reason) == [.noScene])
  }

  @Test func `a client gets 64 contacts of a panel, and more once one of them has ended`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 7)
    for id in UInt64(1)...64 {
      #expect(bench.frame(contact(id, .down, 5, 5, slot: Int32(id))).map(\.client) == [7])
    }
    #expect(bench.frame(contact(65, .down, 5, 5)).map(\.reason) == [.tooManyContacts])
    #expect(bench.frame(contact(65, .up, 5, 5)).map(\.reason) == [.tooManyContacts])
    #expect(bench.frame(contact(66, .down, 5, 5), device: 2).map(\.client) == [7])
    _ = bench.frame(contact(1, .up, 5, 5, slot: 1))
    #expect(bench.frame(contact(67, .down, 5, 5)).map(\.client) == [7])
  }

  @Test func `a scene that becomes sensitive hides the contacts it has`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 7)
    _ = bench.frame(contact(1, .down, 5, 5))
    #expect(bench.areSensitive == [false])
    _ = bench.set([scene(1, 0, 0, 100, 100, flags: .sensitive)], of: 7)
    _ = bench.frame(contact(1, .motion, 6, 5))
    #expect(bench.areSensitive == [true])
  }

  @Test func `what hovers belongs to nobody, and is hidden over a sensitive scene`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100, flags: .sensitive), scene(2, 100, 0, 100, 100)], of: 7)
    let lines = bench.frame(contact(1, .hover, 10, 10), contact(2, .hover, 110, 10, slot: 1))
    #expect(
      lines.map(\.description) == [
        "1 hover -> 0.0 hovering at 10.0,10.0", "2 hover -> 0.0 hovering at 110.0,10.0",
      ])
    #expect(bench.areSensitive == [true, false])
    #expect(bench.liveContacts == 0)
    // The same contact goes to the scene once it touches.
    #expect(
      bench.frame(contact(2, .down, 110, 10)).map(\.description)
        == ["2 down -> 7.2 none at 10.0,10.0"])
  }

  @Test func `contacts past the limit reach nobody, and the limit frees again`() {
    let bench = RouterBench()
    _ = bench.set([scene(1, 0, 0, 100, 100)], of: 7)
    for id in UInt64(1)...512 {
      let device = UInt32(id / 64)
      _ = bench.frame(contact(id, .down, 5, 5, slot: Int32(id)), device: device)
    }
    #expect(bench.frame(contact(513, .down, 5, 5), device: 99).map(\.reason) == [.tooManyContacts])
    #expect(bench.frame(contact(513, .up, 5, 5)).map(\.reason) == [.tooManyContacts])
    for id in UInt64(1)...512 { _ = bench.frame(contact(id, .up, 5, 5, slot: Int32(id))) }
    #expect(bench.liveContacts == 0)
    #expect(bench.frame(contact(514, .down, 5, 5)).map(\.client) == [7])
  }
}
