import Testing
import TouchModel

@testable import BridgeDaemon

@Suite struct `Who is in front` {
  private static let all = Scene(id: 1, frame: Rect(x: 0, y: 0, width: 1280, height: 800))
  private static let corner = Scene(id: 1, frame: Rect(x: 0, y: 0, width: 10, height: 10))

  private func set(_ scenes: Scene..., of client: FakeClient) {
    client.send { $0.setScenes(scenes, serial: $1) }
  }

  @Test func `is told to those that it changes for, and before the answer to their own scenes`()
    throws
  {
    let rig = try DaemonRig()
    let (first, second, third) = (try rig.client(), try rig.client(), try rig.client())
    set(Self.all, of: first)
    set(Self.all, of: second)
    #expect(try first.lines() == ["welcome 1", "scenes 2 applied", "inactive on 0"])
    #expect(try second.lines() == ["welcome 1", "scenes 2 applied"])
    // The third one's turn came when it first set scenes; these lie in a corner.
    set(Self.corner, of: third)
    set(Self.all, of: second)
    #expect(try second.lines() == ["scenes 3 applied"])
    set(of: second)
    #expect(try first.lines() == ["active on 0"])
    #expect(try second.lines() == ["scenes 4 applied"])
    set(Self.all, of: third)
    #expect(try first.lines() == ["inactive on 0"])
    #expect(try third.lines() == ["welcome 1", "scenes 2 applied", "scenes 3 applied"])
    set(Self.all, of: second)
    #expect(try second.lines() == ["inactive on 0", "scenes 5 applied"])
    rig.daemon.end(third.session, because: nil)
    #expect(try second.lines() == ["active on 0"])
    #expect(try first.lines() == [])
  }

  @Test func `takes the contacts of those that are covered, and of no others`() throws {
    let rig = try DaemonRig()
    let (below, beside) = (try rig.client(), try rig.client())
    let (above, observer) = (try rig.client(), try rig.client(.observer))
    let left = Scene(id: 1, frame: Rect(x: 0, y: 0, width: 640, height: 800))
    set(left, of: below)
    set(Scene(id: 1, frame: Rect(x: 640, y: 0, width: 640, height: 800)), of: beside)
    rig.route(at: 1, contact(1, .down, 10, 10), contact(2, .down, 700, 10))
    for client in [below, beside, above, observer] { _ = try client.lines() }
    set(left, of: above)
    #expect(try below.lines() == ["inactive on 0", "frame of 1: 1 cancel"])
    rig.route(at: 2, contact(1, .motion, 20, 10), contact(2, .motion, 710, 10))
    rig.route(at: 3, contact(1, .up, 20, 10), contact(2, .up, 710, 10))
    #expect(try below.lines() == [])
    #expect(
      try beside.lines() == ["frame of 1: 2 motion", "frame of 1: 2 up"])
    #expect(try above.lines() == ["scenes 2 applied"])
    let gone = "to 0 because not-in-front"
    let going = "to \(beside.session.id) because none"
    #expect(
      try observer.lines() == [
        "report of 1, 0 lost: 1 cancel to \(below.session.id) because none",
        "report of 1, 0 lost: 1 motion \(gone); 2 motion \(going)",
        "report of 1, 0 lost: 1 up \(gone); 2 up \(going)",
      ])
    try below.finish()
    try beside.finish()
  }

  @Test func `is no news while the daemon stops, and never for those without scenes`() throws {
    let rig = try DaemonRig()
    let (first, second, observer) = (try rig.client(), try rig.client(), try rig.client(.observer))
    set(Self.all, of: first)
    set(Self.all, of: second)
    _ = try first.lines()
    rig.daemon.isStopping = true
    rig.daemon.end(second.session, because: nil)
    #expect(try first.lines() == [])
    #expect(try observer.lines().filter { $0.hasSuffix("on 0") } == [])
  }
}
