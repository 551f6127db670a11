import Testing
import TouchKit
import TouchModel
import TouchTestSupport

@MainActor @Suite struct `What a touch tells beside its place` {
  private let spy = Spy()
  private let view: LogView
  private let told = Told()

  /// What the view saw, in numbers.
  private final class Told {
    var rows: [[Double]] = []
  }

  init() { view = spy.view("V", CGRect(x: 0, y: 0, width: 100, height: 100)) }

  private func pressed(_ id: UInt64, _ phase: ContactPhase, _ x: Double, _ pressure: Float)
    -> Contact
  {
    var contact = contact(id, phase, x)
    contact.pressure = pressure
    return contact
  }

  @Test func `TE-20: force is in proportion to the pressure, 0 if the panel has none`() {
    view.onTouch = { [told] in told.rows.append([$0.force, $0.maximumPossibleForce]) }
    spy.frame(1, contact(1, .down, 10))
    spy.frame(2, contact(1, .up, 10))
    spy.frame(3, pressed(2, .down, 10, 0.25))
    spy.frame(4, pressed(2, .motion, 20, 0.75))
    spy.frame(5, pressed(2, .up, 20, 0.75))
    var pen = pressed(3, .down, 10, 0.5)
    pen.tool = .pen
    spy.frame(6, pen)
    spy.application.handleEventQueue()
    let most = 20.0 / 3
    #expect(
      told.rows == [
        [0, 0], [0, 0], [0.25 * most, most], [0.75 * most, most], [0.75 * most, most],
        [0.5 * (25.0 / 6), 25.0 / 6],
      ])
  }

  @Test func `DV-20, TE-20: pressing harder is a move only for those who ask for it`() {
    view.onTouch = { [told] in told.rows.append([$0.force]) }
    spy.frame(1, pressed(1, .down, 10, 0.25))
    spy.frame(2, pressed(1, .motion, 10, 0.5))
    spy.application.handleEventQueue()
    #expect(spy.log.take() == ["send began", "V.began{1}"])
    spy.application.configuration.reportsForceChanges = true
    spy.frame(3, pressed(1, .motion, 10, 0.75))
    spy.frame(4, pressed(1, .motion, 10, 0.75))
    spy.application.handleEventQueue()
    #expect(spy.log.take() == ["send moved", "V.moved{1}"])
    #expect(told.rows == [[0.25 * (20.0 / 3)], [0.75 * (20.0 / 3)]])
  }

  @Test func `TE-21, TE-29, TE-30: what no panel measures is upright, final and without buttons`() {
    var touches: [UITouch] = []
    view.onTouch = { touches.append($0) }
    var buttons: [UIEvent.ButtonMask] = []
    spy.application.onSend = { buttons.append($0.buttonMask) }
    touch.down(at: at(10, 10)).play(into: spy.application)
    #expect(touches.map(\.altitudeAngle) == [Double.pi / 2])
    #expect(touches.map { $0.azimuthAngle(in: view) } == [0])
    #expect(touches.map { $0.azimuthUnitVector(in: view) } == [CGVector(dx: 1, dy: 0)])
    #expect(touches.map(\.estimationUpdateIndex) == [nil])
    #expect(buttons == [[]])
    #expect(UIEvent.ButtonMask.primary.rawValue == 1 && UIEvent.ButtonMask.secondary.rawValue == 2)
  }

  @Test func `TE-19: a guessed radius may be off by all of it, a measured one is exact`() {
    view.onTouch = { [told] in told.rows.append([$0.majorRadius, $0.majorRadiusTolerance]) }
    spy.frame(1, contact(1, .down, 10))
    var wide = contact(1, .motion, 20)
    wide.major = 12
    spy.frame(2, wide)
    spy.application.handleEventQueue()
    #expect(told.rows == [[5, 5], [6, 0]])
  }
}
