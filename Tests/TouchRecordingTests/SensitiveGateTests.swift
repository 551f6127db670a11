import Testing
import TouchModel
import TouchRecording

@Suite struct `What a recording keeps of sensitive scenes` {
  private static let slot = EvdevCode.absMTSlot
  private static let id = EvdevCode.absMTTrackingID
  private static let x = EvdevCode.absMTPositionX

  /// A frame at a time in microseconds; each event a code of EV_ABS and a value.
  private func frame(_ time: Int, _ events: [(UInt16, Int32)]) -> [EvdevEvent] {
    (events.map { (EvdevCode.abs, $0.0, $0.1) } + [(EvdevCode.syn, EvdevCode.synReport, Int32(0))])
      .map {
        EvdevEvent(seconds: 0, microseconds: time, type: $0.0, code: $0.1, value: $0.2)
      }
  }

  private static let two: [(UInt16, Int32)] = [
    (slot, 0), (id, 5), (x, 100), (slot, 1), (id, 6), (x, 200), (EvdevCode.absX, 100),
  ]

  @Test func `the places of a sensitive contact go, those of others stay`() {
    var gate = SensitiveGate(hasSlots: true)
    gate.take(frame(1, Self.two), isWatched: true, at: 0)
    #expect(gate.release(at: 1) == [])
    gate.report(1_000, shown: [0])
    let kept = frame(
      1, [(Self.slot, 0), (Self.id, 5), (Self.x, 100), (Self.slot, 1), (Self.id, 6)])
    #expect(gate.release(at: 1) == kept)
    #expect(gate.maskedFrames == 1)
    #expect(gate.deadline == nil)
  }

  @Test func `the slot that was chosen frames ago still counts`() {
    var gate = SensitiveGate(hasSlots: true)
    gate.take(frame(1, Self.two), isWatched: false, at: 0)
    #expect(gate.release(at: 0) == frame(1, Self.two))
    gate.take(frame(2, [(Self.x, 210)]), isWatched: true, at: 0)
    gate.report(2_000, shown: [0])
    #expect(gate.release(at: 0) == frame(2, []))
  }

  @Test func `the daemon may be faster, and may tell of one frame in parts`() {
    var gate = SensitiveGate(hasSlots: true)
    gate.report(1_000, shown: [0])
    gate.report(1_000, shown: [1])
    gate.take(frame(1, Self.two), isWatched: true, at: 0)
    #expect(gate.release(at: 0) == frame(1, Self.two))
  }

  @Test func `a frame that the daemon passes over loses its places, in order`() {
    var gate = SensitiveGate(hasSlots: true)
    gate.take(
      frame(1, [(Self.id, 4), (Self.x, 1)]) + frame(2, [(Self.x, 2)]), isWatched: true, at: 0)
    gate.report(2_000, shown: [0])
    #expect(gate.release(at: 0) == frame(1, [(Self.id, 4)]) + frame(2, [(Self.x, 2)]))
  }

  @Test
  func `a contact that a filter holds is hidden beside one that is shown, and so is the pointer`() {
    var gate = SensitiveGate(hasSlots: true)
    gate.take(frame(1, Self.two), isWatched: true, at: 0)
    gate.report(1_000, shown: [1])
    #expect(
      gate.release(at: 0)
        == frame(1, [(Self.slot, 0), (Self.id, 5), (Self.slot, 1), (Self.id, 6), (Self.x, 200)]))
    // The held one does not move, but the pointer may follow it.
    gate.take(frame(2, [(Self.x, 210), (EvdevCode.absX, 100)]), isWatched: true, at: 0)
    gate.report(2_000, shown: [1])
    #expect(gate.release(at: 0) == frame(2, [(Self.x, 210)]))
  }

  @Test func `without the daemon's word the places go once patience ends`() {
    var gate = SensitiveGate(hasSlots: true)
    gate.take(frame(1, Self.two), isWatched: true, at: 5)
    #expect(gate.deadline == 5 + SensitiveGate.patience)
    #expect(gate.release(at: 4 + SensitiveGate.patience) == [])
    let ids = frame(1, Self.two.filter { $0.0 == Self.slot || $0.0 == Self.id })
    #expect(gate.release(at: 5 + SensitiveGate.patience) == ids)
  }

  @Test func `a device without slots loses all places of the frame`() {
    var gate = SensitiveGate(hasSlots: false)
    let places = [(EvdevCode.absX, Int32(3)), (EvdevCode.absY, 4)]
    gate.take(frame(1, places), isWatched: true, at: 0)
    gate.take(frame(2, places), isWatched: true, at: 0)
    gate.report(1_000, shown: [])
    gate.report(2_000, shown: [0])
    #expect(gate.release(at: 0) == frame(1, []) + frame(2, places))
  }

  @Test func `at the end nothing is lost but places`() {
    var gate = SensitiveGate(hasSlots: true)
    gate.take(frame(1, Self.two), isWatched: true, at: 0)
    gate.take(frame(2, Self.two).dropLast(), isWatched: true, at: 0)
    let ids = Self.two.filter { $0.0 == Self.slot || $0.0 == Self.id }
    #expect(gate.releaseAll() == frame(1, ids) + frame(2, ids).dropLast())
    #expect(gate.releaseAll() == [])
  }
}
