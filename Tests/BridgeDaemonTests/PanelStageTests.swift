import Testing
import TouchFilters
import TouchModel

@testable import BridgeDaemon

@Suite struct `A panel with filters` {
  private func axis(_ code: UInt16, _ value: Int32) -> (UInt16, UInt16, Int32) {
    (EvdevCode.abs, code, value)
  }

  private let report: (UInt16, UInt16, Int32) = (EvdevCode.syn, EvdevCode.synReport, 0)

  private func down(_ slot: Int32, id: Int32, _ x: Int32) -> [(UInt16, UInt16, Int32)] {
    [
      axis(EvdevCode.absMTSlot, slot), axis(EvdevCode.absMTTrackingID, id),
      axis(EvdevCode.absMTPositionX, x), axis(EvdevCode.absMTPositionY, x), report,
    ]
  }

  private func up(_ slot: Int32) -> [(UInt16, UInt16, Int32)] {
    [axis(EvdevCode.absMTSlot, slot), axis(EvdevCode.absMTTrackingID, -1), report]
  }

  private func words(_ frames: [TouchFrame]) -> [String] {
    frames.map { frame in
      "\(frame.timeNanoseconds / 1_000): "
        + frame.contacts.map { "\($0.id) \($0.phase)" }.joined(separator: "; ")
    }
  }

  private func rig(_ device: FakePanel, _ change: (inout PanelSetup) -> Void) -> PanelRig {
    var setup = PanelSetup()
    change(&setup)
    return PanelRig(device, setup)
  }

  @Test func `without any there is no stage`() throws {
    let rig = rig(try FakePanel()) { _ in }
    #expect(rig.panel.stages == nil)
  }

  @Test func `holds a contact, says until when, and hands it on then`() throws {
    let device = try FakePanel()
    let rig = rig(device) { $0.filters.minimumDuration = 20_000 }
    device.write(at: 5, down(0, id: 1, 100))
    #expect(words(rig.read()) == [])
    #expect(rig.events == ["deadline 25"])
    #expect(words(rig.wake(at: 24)) == [])
    #expect(words(rig.wake(at: 25)) == ["5: 1 down"])
    device.write(at: 30, up(0))
    #expect(words(rig.read()) == ["30: 1 up"])
    #expect(rig.events == ["deadline 25"])
    try rig.finish()
  }

  @Test func `tells what it dropped, and hands on no empty frame`() throws {
    let device = try FakePanel()
    let rig = rig(device) { $0.filters.minimumDuration = 20_000 }
    device.write(at: 5, down(0, id: 1, 100))
    device.write(at: 10, up(0))
    #expect(words(rig.read()) == [])
    #expect(rig.events == ["deadline 25", "1 dropped by min-duration", "no deadline"])
    try rig.finish()
  }

  @Test func `hands on a late down before the frame that lets it go`() throws {
    let device = try FakePanel()
    let rig = rig(device) { $0.filters.minimumDuration = 20_000 }
    device.write(at: 5, down(0, id: 1, 100))
    device.write(at: 40, down(1, id: 2, 200))
    #expect(words(rig.read()) == ["5: 1 down", "40: 1 still"])
    #expect(rig.events == ["deadline 25", "deadline 60"])
    device.whenEmpty = .gone
    #expect(rig.read().map { $0.contacts.map { "\($0.id) \($0.phase)" } } == [["1 cancel"]])
    try rig.finish()
  }

  @Test func `finds a stuck contact once, and cancels it where that is asked for`() throws {
    let device = try FakePanel()
    let rig = rig(device) { $0.stuck = StuckSettings(limit: 1_000_000, releases: true) }
    device.write(at: 5, down(0, id: 1, 100))
    #expect(words(rig.read()) == ["5: 1 down"])
    #expect(rig.events == ["deadline 1005"])
    #expect(words(rig.wake(at: 1_005)) == ["1005: 1 cancel"])
    #expect(rig.events == ["deadline 1005", "1 stuck"])
    device.write(at: 1_100, [axis(EvdevCode.absMTPositionX, 120), report])
    device.write(at: 1_200, up(0))
    device.write(at: 1_300, down(0, id: 2, 100))
    #expect(words(rig.read()) == ["1300: 2 down"])
    device.whenEmpty = .gone
    #expect(rig.read().count == 1)
    try rig.finish()
  }

  @Test func `filters by the size that the caller gives where the device says none`() throws {
    let device = try FakePanel()
    let rig = rig(device) {
      $0.filters.deadRectangles = [Rect(x: 0, y: 0, width: 10, height: 10)]
      $0.size = SIMD2(100, 100)
    }
    device.write(at: 5, down(0, id: 1, 99))
    device.write(at: 10, down(1, id: 2, 100))
    #expect(words(rig.read()) == ["10: 2 down"])
    #expect(rig.events == ["1 dropped by dead-rectangle"])
    #expect(rig.panel.filterProblems == [])
  }

  @Test func `that cannot work goes on without it and knows why`() throws {
    let rig = rig(try FakePanel()) { $0.filters.ghostCorner = 1 }
    #expect(rig.panel.stages == nil)
    #expect(rig.panel.filterProblems == [.noSize(.ghost)])
  }
}
