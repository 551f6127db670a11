import Testing
import TouchKit
import TouchModel
import TouchTestSupport

@MainActor @Suite struct `Delivery at the pace of frames` {
  private let spy = Spy()
  private let view: LogView
  private let told = Log()

  /// Of each delivery: its phases, and the time and place of each sample.
  init() {
    view = spy.view("V", CGRect(x: 0, y: 0, width: 400, height: 400))
    spy.application.configuration.frameInterval = .nanoseconds(16_666_667)
    spy.log.lines = []
    let told = told
    spy.application.onSend = { event in
      for touch in event.touches(for: event.allTouches?.first?.window ?? UIWindow(frame: .zero))
        ?? []
      {
        let samples = (event.coalescedTouches(for: touch) ?? []).map { sample in
          "\(sample.timestampNanoseconds / 1000):\(sample.location(in: nil).x)"
        }
        told.add("\(touch.phase) " + samples.joined(separator: " "))
      }
    }
  }

  private var samplesOfMoves: [Int] {
    told.take().filter { $0.hasPrefix("moved") }.map { $0.split(separator: " ").count - 1 }
  }

  /// A drag to the right of so many samples, 240 a second.
  private func drag(_ samples: Int) -> TouchScript {
    touch.down(at: at(10, 10)).move(
      to: at(10 + Double(samples), 10), over: .nanoseconds(4_166_667 * samples), samples: samples)
  }

  @Test func `CO-4, K-24: at 240 samples and 60 frames a second each delivery has four`() {
    // The fingers land just before a frame begins.
    drag(24).wait(.milliseconds(17)).play(into: spy.application)
    #expect(samplesOfMoves == [4, 4, 4, 4, 4, 4])
  }

  @Test func `without an interval nothing waits`() {
    spy.application.configuration.frameInterval = nil
    drag(24).play(into: spy.application)
    #expect(samplesOfMoves == Array(repeating: 1, count: 24))
    #expect(spy.application.nextDeadlineNanoseconds == nil)
  }

  private func move(_ microseconds: UInt64, _ contacts: Contact...) {
    spy.application.enqueue(
      TouchFrame(timeNanoseconds: microseconds * 1000, contacts: contacts))
    spy.application.handleEventQueue()
  }

  @Test func `CO-3: what begins or ends is not held, and takes the moves before it along`() {
    spy.application.configuration.frameInterval = .milliseconds(10)
    move(1000, contact(1, .down, 10))
    move(2000, contact(1, .motion, 20))
    #expect(told.take() == ["began 1000:10.0"])
    #expect(spy.application.nextDeadlineNanoseconds == 10_000_000)
    move(3000, contact(1, .motion, 30))
    move(4000, contact(1, .up, 30))
    #expect(told.take() == ["moved 2000:20.0 3000:30.0", "ended 4000:30.0"])
    spy.application.fireTimers(upTo: 30_000_000)
    #expect(told.take() == [] && spy.application.nextDeadlineNanoseconds == nil)
  }

  @Test func `a gesture that is due does not overtake a move that waits`() {
    spy.application.configuration.frameInterval = .milliseconds(100)
    let press = UILongPressGestureRecognizer(target: spy.log, action: Log.acted)
    press.name = "L"
    view.addGestureRecognizer(press)
    move(1000, contact(1, .down, 10))
    // Too far for a press, measured a moment before it is due.
    move(500_000, contact(1, .motion, 100))
    spy.application.fireTimers(upTo: 501_000_000)
    #expect(spy.log.take().filter { $0.hasPrefix("L") } == [])
    #expect(told.take() == ["began 1000:10.0", "moved 500000:100.0"])
  }

  @Test func `cancelling delivers what waits first`() {
    move(1000, contact(1, .down, 10))
    move(2000, contact(1, .motion, 20))
    spy.application.cancelAllTouches()
    #expect(
      spy.log.take().filter { $0.hasPrefix("V") } == ["V.began{1}", "V.moved{1}", "V.cancelled{1}"])
  }

  // MARK: Resampling

  private func resample(every interval: Duration) {
    spy.application.configuration.frameInterval = interval
    spy.application.configuration.resamplesMoves = true
  }

  @Test func `CO-10: a frame shows the place of 5 ms before its end, between two samples`() {
    resample(every: .milliseconds(10))
    move(1000, contact(1, .down, 0))
    move(3000, contact(1, .motion, 20))
    move(7000, contact(1, .motion, 60))
    spy.application.fireTimers(upTo: 10_000_000)
    #expect(told.take() == ["began 1000:0.0", "moved 3000:20.0 5000:40.0"])
    // What lies behind it comes with the next frame; the last samples are 4 ms apart, so at most 2
    // ms are added.
    spy.application.fireTimers(upTo: 20_000_000)
    #expect(told.take() == ["moved 7000:60.0 9000:80.0"])
    // The finger rests: the place is the one that was measured.
    spy.application.fireTimers(upTo: 30_000_000)
    #expect(told.take() == ["moved 9000:60.0"])
    spy.application.fireTimers(upTo: 40_000_000)
    #expect(told.take() == [] && spy.application.nextDeadlineNanoseconds == nil)
    move(41_000, contact(1, .up, 61))
    #expect(told.take() == ["ended 41000:61.0"])
  }

  /// The way that a frame of 50 ms shows past two samples so far apart, in ms; a point is one.
  nonisolated static let reaches: [(apart: UInt64, reach: Double)] = [
    (1, 0), (2, 1), (4, 2), (16, 8), (20, 8), (21, 0),
  ]

  @Test(arguments: reaches)
  func `CO-10: it reaches 8 ms ahead at most, and only past samples 2 to 20 ms apart`(
    _ row: (apart: UInt64, reach: Double)
  ) {
    resample(every: .milliseconds(50))
    move(1000, contact(1, .down, 0))
    move(1000 + row.apart * 1000, contact(1, .motion, Double(row.apart)))
    spy.application.fireTimers(upTo: 50_000_000)
    let samples = told.take().last?.split(separator: " ").dropFirst().map(String.init) ?? []
    let end = Double(row.apart) + row.reach
    #expect(samples.last == "\(1000 + UInt64(end * 1000)):\(end)")
    #expect(samples.count == (row.reach > 0 ? 2 : 1))
  }

  @Test func `CO-10: what begins or ends stays where it was measured`() {
    resample(every: .milliseconds(10))
    move(1000, contact(1, .down, 0))
    move(3000, contact(1, .motion, 20))
    move(5000, contact(1, .motion, 40))
    spy.application.fireTimers(upTo: 20_000_000)
    #expect(told.take().last == "moved 3000:20.0 5000:40.0 6000:50.0")
    move(21_000, contact(1, .up, 44))
    #expect(told.take() == ["ended 21000:44.0"])
    #expect(view.window != nil && spy.application.nextDeadlineNanoseconds == 30_000_000)
    spy.application.fireTimers(upTo: 30_000_000)
    #expect(told.take() == [] && spy.application.nextDeadlineNanoseconds == nil)
  }
}
