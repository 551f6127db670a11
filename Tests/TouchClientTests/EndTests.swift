import LinuxIO
import Testing
import TouchModel

@testable import TouchClient

@Suite struct `A connection that its owner ends` {
  @Test func `cancels what is down, and is the daemon's no longer`() throws {
    let rig = try ClientRig.opened()
    rig.daemon.frame(at: rig.time, [contact(1, .down)])
    _ = rig.dispatch()
    rig.connection.invalidate()
    #expect(rig.take() == [told(rig.time, contact(1, .cancel))])
    #expect(!rig.connection.isOpen && rig.daemon.isLeft)
    rig.connection.invalidate()
    rig.wait(milliseconds: 10_000)
    #expect(rig.dispatch() == [])
    #expect(rig.attempts == 1)
    try rig.finish()
  }

  @Test func `while it tries to connect tries no more`() {
    let rig = ClientRig()
    rig.refusal = Errno(111)
    _ = rig.dispatch()
    rig.connection.invalidate()
    rig.wait(milliseconds: 10_000)
    #expect(rig.dispatch() == [])
    #expect(rig.attempts == 1)
  }

  @Test func `within a frame's call reads no more, and cancels after it`() throws {
    let rig = try ClientRig.opened()
    rig.daemon.frame(at: rig.time, [contact(1, .down)])
    rig.daemon.frame(at: rig.time, [contact(1, .up)])
    rig.whenTold = { [unowned rig] _ in rig.connection.invalidate() }
    #expect(
      rig.dispatch() == [
        told(rig.time, contact(1, .down)), told(rig.time, contact(1, .cancel)),
      ])
    try rig.finish()
  }

  @Test func `within the cancels of a loss is not told of the loss`() throws {
    let rig = try ClientRig.opened()
    rig.daemon.frame(at: rig.time, [contact(1, .down)])
    _ = rig.dispatch()
    rig.whenTold = { [unowned rig] _ in rig.connection.invalidate() }
    rig.daemons = []
    #expect(rig.dispatch() == [told(rig.time, contact(1, .cancel))])
    #expect(rig.dispatch() == [])
    #expect(rig.attempts == 1)
    try rig.finish()
  }

  @Test func `within its opening sends no scenes`() throws {
    let rig = ClientRig()
    rig.connection.setScenes([
      Scene(id: 1, display: 0, frame: Rect(x: 0, y: 0, width: 10, height: 10))
    ])
    _ = rig.dispatch()
    rig.daemon.welcome()
    rig.whenTold = { [unowned rig] _ in rig.connection.invalidate() }
    #expect(rig.dispatch() == [.opened([.fallback])])
    #expect(!rig.connection.isOpen && rig.daemon.isLeft)
  }
}
