import Testing
import TouchModel
import TouchWire

@testable import TouchClient

@Suite struct `Being in front` {
  private static let scene = Scene(id: 1, frame: Rect(x: 0, y: 0, width: 10, height: 10))

  /// A connection whose scene is in force.
  private func rig() throws -> ClientRig {
    let rig = try ClientRig.opened()
    rig.connection.setScenes([Self.scene])
    rig.daemon.apply(2)
    #expect(rig.dispatch() == [.scenes(nil)])
    return rig
  }

  @Test func `is told when it changes, for each display`() throws {
    let rig = try rig()
    rig.daemon.activation(.active)
    rig.daemon.activation(.inactive)
    rig.daemon.activation(.inactive)
    rig.daemon.activation(.background, on: 7)
    rig.daemon.activation(.active)
    #expect(
      rig.dispatch() == [
        .became(.inactive, on: 0), .became(.background, on: 7), .became(.active, on: 0),
      ])
    try rig.finish()
  }

  @Test func `is told only once the scenes are in force`() throws {
    let rig = try ClientRig.opened()
    rig.connection.setScenes([Self.scene])
    rig.daemon.activation(.inactive)
    #expect(rig.dispatch() == [])
    rig.daemon.apply(2)
    #expect(rig.dispatch() == [.scenes(nil), .became(.inactive, on: 0)])
    try rig.finish()
  }

  /// What the next daemon says before its answer to the scenes, and what is news of it.
  static let nextDaemons: [(says: Activation?, news: [Told])] = [
    (.inactive, []), (nil, [.became(.active, on: 0)]),
    (.background, [.became(.background, on: 0)]),
  ]

  @Test(arguments: nextDaemons)
  func `stays as it was while the daemon is gone, and is what the next one says`(
    _ next: (says: Activation?, news: [Told])
  ) throws {
    let rig = try rig()
    rig.daemon.activation(.inactive)
    #expect(rig.dispatch() == [.became(.inactive, on: 0)])
    rig.daemons = []
    #expect(rig.dispatch() == [.closed("the daemon has gone; trying again until it is back")])
    rig.wait(milliseconds: 100)
    #expect(rig.dispatch() == [])
    rig.daemon.welcome()
    #expect(rig.dispatch() == [.opened([.fallback])])
    next.says.map { rig.daemon.activation($0) }
    rig.daemon.apply(2)
    #expect(rig.dispatch() == [.scenes(nil)] + next.news)
    try rig.finish()
  }
}
