import Testing
import TouchKit
import TouchModel
import TouchTestSupport

@MainActor @Suite struct `Touch scripts` {
  /// A frame as text: its time in milliseconds, then each contact.
  func text(_ script: TouchScript) -> [String] {
    script.frames.map { frame in
      let time = (frame.timeNanoseconds - 1_000_000_000) / 1_000_000
      let contacts = frame.contacts.map {
        "\($0.id)/\($0.slot) \($0.phase) \($0.position.x),\($0.position.y)"
      }
      return "\(time): " + contacts.joined(separator: "; ")
    }
  }

  @Test func `down and up take no time, moves and waits do`() {
    #expect(
      text(touch.down(1, at: at(0, 0)).wait(.milliseconds(40)).move(to: at(20, 10)).up()) == [
        "0: 1/0 down 0.0,0.0", "48: 1/0 motion 20.0,10.0", "48: 1/0 up 20.0,10.0",
      ])
  }

  @Test func `a move is a straight line of a frame each 8 ms and one at the end`() {
    #expect(
      text(touch.down(at: at(0, 0)).move(to: at(20, 40), over: .milliseconds(20))) == [
        "0: 1/0 down 0.0,0.0", "8: 1/0 motion 8.0,16.0", "16: 1/0 motion 16.0,32.0",
        "20: 1/0 motion 20.0,40.0",
      ])
    #expect(
      text(touch.down(at: at(0, 0)).move(to: at(30, 0), over: .milliseconds(30), samples: 3)) == [
        "0: 1/0 down 0.0,0.0", "10: 1/0 motion 10.0,0.0", "20: 1/0 motion 20.0,0.0",
        "30: 1/0 motion 30.0,0.0",
      ])
  }

  @Test func `fingers share frames, rest in those of others, and reuse slots`() {
    let script = touch.down((1, at: at(0, 0)), (2, at: at(9, 9))).move(1, to: at(1, 0)).up(1)
      .down(3, at: at(5, 5)).up(2, 3)
    #expect(
      text(script) == [
        "0: 1/0 down 0.0,0.0; 2/1 down 9.0,9.0", "8: 1/0 motion 1.0,0.0; 2/1 still 9.0,9.0",
        "8: 1/0 up 1.0,0.0; 2/1 still 9.0,9.0", "8: 3/0 down 5.0,5.0; 2/1 still 9.0,9.0",
        "8: 3/0 up 5.0,5.0; 2/1 up 9.0,9.0",
      ])
  }

  @Test func `what is done together is one frame; a reused slot shows its end first`() {
    #expect(
      text(touch.down(1, at: at(0, 0)).together { $0.up(1).down(2, at: at(5, 5)) }.cancel(2)) == [
        "0: 1/0 down 0.0,0.0", "0: 1/0 up 0.0,0.0; 2/0 down 5.0,5.0", "0: 2/0 cancel 5.0,5.0",
      ])
  }

  @Test func `every script is a lawful stream`() throws {
    let script = touch.tap(at: at(1, 1)).down((1, at: at(0, 0)), (2, at: at(9, 9)))
      .together { $0.up(1).down(3, at: at(5, 5)).move(2, to: at(8, 8)) }.up(2).cancel(3)
    var checker = TouchStreamChecker()
    for frame in script.frames { try checker.accept(frame) }
    try checker.finish()
  }

  @Test func `playing turns the clock and runs pieces of the test in their place`() {
    let clock = HandTurnedClock()
    let application = UIApplication(clock: clock.read)
    let window = UIWindow(
      frame: CGRect(x: 0, y: 0, width: 100, height: 100), application: application)
    window.isHidden = false
    let log = Log()
    let view = LogView("V", log, window.bounds)
    window.addSubview(view)
    touch.down(at: at(5, 5)).wait(.milliseconds(30)).then {
      log.add("at \(clock.nanoseconds / 1_000_000)")
    }.up().wait(.milliseconds(20)).play(into: window, clock: clock)
    #expect(log.take() == ["V.began{1}", "at 1030", "V.ended{1}"])
    #expect(clock.nanoseconds == 1_050_000_000)
    clock.advance(by: .milliseconds(50))
    var time: Double = 0
    view.onTouch = { time = $0.timestamp }
    touch.tap(at: at(5, 5)).play(into: window, clock: clock)
    #expect(time == 1.15)
    #expect(application.diagnostics == TouchDiagnostics())
  }

  @Test func `a cancel without a frame has the clock's time`() {
    let clock = HandTurnedClock()
    let application = UIApplication(clock: clock.read)
    let window = UIWindow(
      frame: CGRect(x: 0, y: 0, width: 100, height: 100), application: application)
    window.isHidden = false
    let view = LogView("V", Log(), window.bounds)
    window.addSubview(view)
    var time: Double = 0
    view.onTouch = { time = $0.timestamp }
    touch.down(at: at(5, 5)).play(into: window, clock: clock)
    clock.advance(by: .seconds(2))
    application.cancelAllTouches()
    #expect(time == 3)
  }
}
