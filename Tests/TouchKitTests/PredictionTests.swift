import Testing
import TouchKit
import TouchModel
import TouchTestSupport

@MainActor @Suite struct `Predicted touches` {
  /// What an event tells of its only touch, at each delivery.
  private static func told(
    _ script: TouchScript, _ tell: @escaping (UIEvent, UITouch) -> [String]?
  ) -> [[String]?] {
    let spy = Spy()
    _ = spy.view("V", CGRect(x: 0, y: 0, width: 400, height: 400))
    var lines: [[String]?] = []
    spy.application.onSend = { event in
      for touch in event.allTouches ?? [] { lines.append(tell(event, touch)) }
    }
    script.play(into: spy.application)
    return lines
  }

  @Test func `CO-6, CO-7: two steps on the line, each as long as the last; none at rest or ends`() {
    let script = touch.down(at: at(10, 10)).move(to: at(20, 14)).move(to: at(26, 10)).up()
    let lines = Self.told(script) { event, touch in
      event.predictedTouches(for: touch)?.map { next in
        let place = next.location(in: nil)
        let (dt, old) = (next.timestamp - touch.timestamp, next.previousLocation(in: nil))
        return "\(next.phase) \(old.x),\(old.y) to \(place.x),\(place.y) in \(Int(dt * 1000 + 0.5))"
      }
    }
    #expect(
      lines == [
        [], ["moved 20.0,14.0 to 30.0,18.0 in 8", "moved 30.0,18.0 to 40.0,22.0 in 16"],
        ["moved 26.0,10.0 to 32.0,6.0 in 8", "moved 32.0,6.0 to 38.0,2.0 in 16"], [],
      ])
  }

  @Test func `CO-6: a finger at rest has none, and a touch of no event no answer`() {
    let spy = Spy()
    _ = spy.view("V", CGRect(x: 0, y: 0, width: 400, height: 400))
    var answers: [[Int?]] = []
    var first: UITouch?
    spy.application.onSend = { event in
      let known = event.allTouches ?? []
      first = first ?? known.first
      answers.append([first.flatMap { event.predictedTouches(for: $0)?.count }])
    }
    touch.down(1, at: at(10, 10)).move(1, to: at(20, 10)).down(2, at: at(50, 50)).up(1).up(2)
      .play(into: spy.application)
    #expect(answers == [[0], [2], [0], [0], [nil]])
  }

  @Test func `CO-5, CO-8: a touch that began has one sample, and each delivery its own`() {
    let script = touch.down(at: at(10, 10)).move(to: at(20, 10)).up()
    let lines = Self.told(script) { event, touch in
      event.coalescedTouches(for: touch)?.map { sample in
        let place = sample.location(in: nil)
        return "\(sample.phase) \(place.x) \(sample.timestamp == touch.timestamp)"
      }
    }
    #expect(lines == [["began 10.0 true"], ["moved 20.0 true"], ["ended 20.0 true"]])
  }

  @Test func `CO-9: samples and predictions change nothing of the touch`() {
    let spy = Spy()
    let view = spy.view("V", CGRect(x: 0, y: 0, width: 30, height: 400))
    let tap = UITapGestureRecognizer(target: spy.log, action: Log.acted)
    view.addGestureRecognizer(tap)
    var told: [String] = []
    spy.application.onSend = { event in
      for touch in event.allTouches ?? [] {
        // 40 points a step: the next places are too far for a tap, and on no view of ours.
        let others =
          (event.coalescedTouches(for: touch) ?? []) + (event.predictedTouches(for: touch) ?? [])
        told.append("\(touch.tapCount) \(touch.gestureRecognizers?.count ?? 0) \(others.count)")
        for other in others {
          #expect(other !== touch && other.view === view && other.tapCount == touch.tapCount)
        }
      }
    }
    touch.down(at: at(10, 10)).move(to: at(10, 50)).up().play(into: spy.application)
    #expect(told == ["1 0 1", "1 1 3", "1 1 1"])
    #expect(spy.log.take().filter { $0.hasSuffix("→ended") }.count == 1)
  }
}
