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
