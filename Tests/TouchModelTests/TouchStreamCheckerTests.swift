import Testing
import TouchModel

@Suite struct `Touch stream laws` {
  static func contact(
    _ id: UInt64, _ phase: ContactPhase, slot: Int32 = 0, x: Double = 1
  ) -> Contact {
    Contact(id: id, slot: slot, phase: phase, position: Point(x: x, y: 2))
  }

  static func fault(_ frames: [[Contact]], finish: Bool = true) -> TouchStreamFault? {
    var checker = TouchStreamChecker()
    do throws(TouchStreamFault) {
      for contacts in frames { try checker.accept(contacts, device: 0) }
      if finish { try checker.finish() }
      return nil
    } catch {
      return error
    }
  }

  @Test func `a contact that goes down, moves, rests and lifts is lawful`() {
    let frames = [ContactPhase.down, .motion, .still, .up].map { [Self.contact(1, $0)] }
    #expect(Self.fault(frames) == nil)
  }

  @Test func `a slot may be reused in the frame that ends its contact`() {
    let reuse = [Self.contact(1, .cancel), Self.contact(2, .down)]
    #expect(Self.fault([[Self.contact(1, .down)], reuse, [Self.contact(2, .up)]]) == nil)
  }

  @Test func `law 1: an id goes down once`() {
    let twice = [[Self.contact(7, .down)], [Self.contact(7, .down)]]
    #expect(Self.fault(twice) == .downOfKnownContact(id: 7))
    let again = [[Self.contact(7, .down)], [Self.contact(7, .up)], [Self.contact(7, .down)]]
    #expect(Self.fault(again) == .downOfKnownContact(id: 7))
  }

  @Test(arguments: [ContactPhase.motion, .still])
  func `law 2: only a live contact moves or rests`(_ phase: ContactPhase) {
    #expect(Self.fault([[Self.contact(3, phase)]]) == .moveOfUnknownContact(id: 3))
  }

  @Test(arguments: [ContactPhase.up, .cancel])
  func `law 3: a contact ends once`(_ phase: ContactPhase) {
    let frames = [[Self.contact(4, .down)], [Self.contact(4, .up)], [Self.contact(4, phase)]]
    #expect(Self.fault(frames) == .endOfUnknownContact(id: 4))
  }

  @Test func `law 8: what hovers has not gone down yet`() {
    let hover = Self.contact(6, .hover)
    #expect(
      Self.fault([[hover], [hover], [Self.contact(6, .down)], [Self.contact(6, .up)]]) == nil)
    #expect(Self.fault([[Self.contact(6, .down)], [hover]]) == .hoverOfKnownContact(id: 6))
    let after = [[Self.contact(6, .down)], [Self.contact(6, .up)], [hover]]
    #expect(Self.fault(after) == .hoverOfKnownContact(id: 6))
    #expect(
      TouchStreamFault.hoverOfKnownContact(id: 6).description
        == "contact 6 hovers after it went down")
  }

  @Test func `law 4: a frame names a contact once`() {
    let frame = [Self.contact(5, .down), Self.contact(5, .motion, slot: 1)]
    #expect(Self.fault([frame]) == .contactTwiceInFrame(id: 5))
  }

  @Test func `law 5: two live contacts never share a slot`() {
    let frame = [Self.contact(1, .down, slot: 3), Self.contact(2, .down, slot: 3)]
    #expect(Self.fault([frame]) == .slotTaken(id: 2, slot: 3))
  }

  @Test(arguments: [Double.nan, .infinity])
  func `law 6: a position is a number`(_ x: Double) {
    #expect(Self.fault([[Self.contact(6, .down, x: x)]]) == .positionNotFinite(id: 6))
  }

  @Test func `law 7: nothing is down when the stream ends`() {
    #expect(Self.fault([[Self.contact(9, .down)]]) == .liveAtEnd(id: 9))
  }
}
