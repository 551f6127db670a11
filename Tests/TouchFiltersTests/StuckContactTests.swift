import Testing
import TouchFilters
import TouchModel

/// A watch, the frames that come out of it and what it found.
private final class WatchRig {
  private var watch: StuckContactWatch
  private var frame = FrameBuffer(capacity: 16)
  private var checker = TouchStreamChecker()
  private(set) var lines: [String] = []
  private(set) var found: [String] = []

  init(seconds: UInt64, releases: Bool = false) {
    watch = StuckContactWatch(
      StuckSettings(limit: seconds * 1_000_000_000, releases: releases), frameCapacity: 16)
  }

  var deadline: UInt64? { watch.nextDeadline.map { $0 / 1_000_000_000 } }
  var count: UInt64 { watch.count }
  var stuck: [String] { watch.stuck.map(Self.words) }

  func feed(_ contacts: (UInt64, Int32, ContactPhase)..., at seconds: UInt64) {
    frame.removeAll()
    frame.timeNanoseconds = seconds * 1_000_000_000
    for (id, slot, phase) in contacts {
      _ = frame.append(Contact(id: id, slot: slot, phase: phase, position: Point(x: 1, y: 2)))
    }
    watch.apply(&frame)
    if frame.count > 0 { take(frame.frame()) }
  }

  func wake(at seconds: UInt64) {
    let hasFrame = watch.deadlineReached(seconds * 1_000_000_000)
    found += watch.newlyStuck.map(Self.words)
    if hasFrame { take(watch.cancels.frame()) }
  }

  private func take(_ frame: TouchFrame) {
    #expect(throws: Never.self) { try checker.accept(frame) }
    let contacts = frame.contacts.map { "\($0.id) \($0.phase)" }.joined(separator: "; ")
    lines.append("\(frame.timeNanoseconds / 1_000_000_000): \(contacts)")
  }

  private static func words(_ stuck: StuckContact) -> String {
    "\(stuck.contact.id) since \(stuck.downAt / 1_000_000_000)"
      + (stuck.isReleased ? ", released" : "")
  }

  func finish() throws { try checker.finish() }
}

@Suite struct `The watch for stuck contacts` {
  @Test func `a contact that is down for too long is found once`() throws {
    let rig = WatchRig(seconds: 60)
    #expect(rig.deadline == nil)
    rig.feed((1, 0, .down), at: 10)
    rig.feed((1, 0, .still), (2, 1, .down), at: 20)
    #expect(rig.deadline == 70)
    rig.wake(at: 69)
    #expect(rig.found == [])
    rig.wake(at: 70)
    #expect(rig.found == ["1 since 10"])
    #expect(rig.deadline == 80)
    rig.feed((1, 0, .motion), (2, 1, .up), at: 75)
    #expect(rig.deadline == nil)
    rig.wake(at: 1_000)
    #expect(rig.found == ["1 since 10"])
    #expect(rig.stuck == ["1 since 10"])
    rig.feed((1, 0, .up), at: 1_001)
    #expect(rig.stuck == [])
    #expect(rig.count == 1)
    #expect(
      rig.lines == [
        "10: 1 down", "20: 1 still; 2 down", "75: 1 motion; 2 up", "1001: 1 up",
      ])
    try rig.finish()
  }

  @Test func `a cancel is never earlier than the frame before it`() throws {
    let rig = WatchRig(seconds: 60, releases: true)
    rig.feed((1, 0, .down), at: 0)
    // A panel's clock may run ahead of the one that the deadline is kept by.
    rig.feed((1, 0, .motion), at: 70)
    rig.wake(at: 65)
    #expect(rig.lines == ["0: 1 down", "70: 1 motion", "70: 1 cancel"])
    try rig.finish()
  }

  @Test func `one that is released is cancelled, then ignored until it is lifted`() throws {
    let rig = WatchRig(seconds: 60, releases: true)
    rig.feed((1, 0, .down), at: 0)
    rig.feed((1, 0, .still), (2, 1, .down), at: 30)
    rig.wake(at: 60)
    #expect(rig.found == ["1 since 0, released"])
    #expect(rig.stuck == ["1 since 0, released"])
    rig.feed((1, 0, .motion), (2, 1, .motion), at: 61)
    rig.feed((1, 0, .motion), (2, 1, .up), at: 62)
    rig.feed((1, 0, .motion), at: 63)
    rig.feed((1, 0, .up), (3, 0, .down), at: 64)
    rig.feed((3, 0, .cancel), at: 65)
    #expect(
      rig.lines == [
        "0: 1 down", "30: 1 still; 2 down", "60: 1 cancel; 2 still", "61: 2 motion", "62: 2 up",
        "64: 3 down", "65: 3 cancel",
      ])
    #expect(rig.count == 1)
    #expect(rig.deadline == nil)
    try rig.finish()
  }

  @Test func `without a limit nothing is watched`() throws {
    let rig = WatchRig(seconds: 0, releases: true)
    rig.feed((1, 0, .down), at: 10)
    #expect(rig.deadline == nil)
    rig.wake(at: .max / 1_000_000_000)
    #expect(rig.found == [])
    rig.feed((1, 0, .up), at: 20)
    #expect(rig.lines == ["10: 1 down", "20: 1 up"])
    try rig.finish()
  }
}
