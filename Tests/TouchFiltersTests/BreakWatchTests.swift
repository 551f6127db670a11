import Testing
import TouchFilters
import TouchModel

@Suite struct `Contacts that break off` {
  private final class Rig {
    private var watch = BreakWatch(reach: 10)
    private var frame = FrameBuffer(capacity: 8)
    var count: UInt64 { watch.count }

    /// A frame at a time in milliseconds; each contact a phase and a place.
    func feed(at time: Int, _ contacts: (ContactPhase, Double, Double)...) -> Bool {
      frame.removeAll()
      frame.timeNanoseconds = UInt64(time) * 1_000_000
      for (index, (phase, x, y)) in contacts.enumerated() {
        _ = frame.append(
          Contact(
            id: UInt64(index), slot: Int32(index), phase: phase, position: Point(x: x, y: y)))
      }
      return watch.apply(frame)
    }
  }

  @Test func `end, and begin at the same place within 50 ms`() {
    let rig = Rig()
    #expect(!rig.feed(at: 0, (.down, 100, 100)))
    #expect(!rig.feed(at: 10, (.motion, 120, 100)))
    #expect(!rig.feed(at: 20, (.up, 120, 100)))
    #expect(rig.feed(at: 69, (.down, 120, 110)))
    #expect(!rig.feed(at: 80, (.up, 120, 110)))
    #expect(!rig.feed(at: 130, (.down, 120, 110)), "50 ms later: a quick finger")
    #expect(!rig.feed(at: 140, (.up, 120, 110)))
    #expect(!rig.feed(at: 150, (.down, 131, 110)), "too far away")
    #expect(rig.count == 1)
  }

  @Test func `may do so within one frame, in any slots`() {
    let rig = Rig()
    #expect(rig.feed(at: 0, (.down, 5, 5), (.up, 5, 6)))
    #expect(!rig.feed(at: 10, (.still, 5, 5), (.hover, 5, 6)))
    #expect(rig.count == 1)
  }

  @Test func `are not those that the daemon cancels`() {
    let rig = Rig()
    #expect(!rig.feed(at: 0, (.cancel, 5, 5)))
    #expect(!rig.feed(at: 1, (.down, 5, 5)))
    #expect(rig.count == 0)
  }
}
