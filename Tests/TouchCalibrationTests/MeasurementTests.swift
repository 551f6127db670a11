import TestSupport
import Testing
import TouchModel

@testable import TouchCalibration

@Suite struct `Ranges that a panel really sends` {
  private func measurement(_ contacts: Contact...) -> RangeMeasurement {
    var measurement = RangeMeasurement(
      PanelSurface(
        x: AxisRange(minimum: 0, maximum: 4095), y: AxisRange(minimum: 0, maximum: 1000)))
    for (index, contact) in contacts.enumerated() {
      measurement.take(frame(UInt64(10 * index), contact))
    }
    return measurement
  }

  @Test func `are those of all contacts, and of nothing that hovers`() {
    let seen = measurement(
      finger(1, .down, 100, 0), finger(1, .motion, 4000, 500), finger(1, .up, 4000, 500),
      finger(2, .hover, -50, 2000), finger(3, .down, 70, 996))
    #expect(seen.x.observed == 70...4000)
    #expect(seen.y.observed == 0...996)
    #expect(seen.x.setting == "70 4000")
    #expect(seen.x.coverage == 3930.0 / 4095)
    // Within a hundredth of what is declared.
    #expect(seen.y.isAsDeclared)
    #expect(seen.y.setting == nil)
    #expect(seen.frames == 5)
    #expect(seen.contacts == 2)
  }

  @Test func `may lie outside of what is declared`() {
    let seen = measurement(finger(1, .down, -3616, 0), finger(1, .motion, 8191, 1010))
    #expect(seen.x.setting == "-3616 8191")
    #expect(seen.y.setting == nil)
    #expect(seen.x.coverage > 2.8)
  }

  @Test func `are said from half of what is declared on, as less may be a finger that rests`() {
    // An extent of 4095 and of 1000.
    let half = measurement(finger(1, .down, 1000, 200), finger(1, .motion, 3048, 700))
    #expect(half.x.setting == "1000 3048")
    #expect(half.y.setting == "200 700")
    #expect(half.y.coverage == 0.5)
    let less = measurement(finger(1, .down, 1000, 200), finger(1, .motion, 3047, 699))
    #expect(less.x.setting == nil)
    #expect(less.y.setting == nil)
    #expect(!less.x.isCovered && !less.y.isCovered && !less.x.isAsDeclared)
  }

  @Test func `are counted without the frames that were lost, and the time over them`() {
    var seen = measurement(finger(1, .down), finger(1, .motion, 1, 0), finger(1, .motion, 2, 0))
    seen.take(frame(120, finger(1, .motion, 3, 0)), lost: 9)
    seen.take(frame(130, finger(1, .motion, 4, 0)))
    #expect(seen.frames == 5)
    #expect(seen.lost == 9)
    #expect(seen.timing.longestGap == 10_000_000)
    #expect(seen.timing.hertz == 100)
    seen.take(frame(140, finger(1, .motion, 4, 0)), lost: .max)
    #expect(seen.lost == .max)
  }

  @Test func `are none before there was a touch, or one of a single place`() {
    #expect(measurement().x.setting == nil)
    #expect(measurement().x.coverage == 0)
    #expect(!measurement().x.isAsDeclared)
    #expect(measurement(finger(1, .down, 5, 5)).x.setting == nil)
  }

  @Test func `are told where nothing is declared`() {
    var measurement = RangeMeasurement(
      PanelSurface(x: AxisRange(minimum: 0, maximum: 0), y: AxisRange(minimum: 7, maximum: 3)))
    measurement.take(frame(0, finger(1, .down, .min, .max)))
    measurement.take(frame(1, finger(1, .motion, .max, .min)))
    #expect(measurement.x.setting == "-2147483648 2147483647")
    #expect(measurement.y.setting == "-2147483648 2147483647")
    #expect(measurement.x.coverage == 0)
  }
}

@Suite struct `The timing of reports` {
  private func timing(_ frames: TouchFrame...) -> ReportTiming {
    var timing = ReportTiming()
    for frame in frames { timing.take(frame) }
    return timing
  }

  @Test func `is the median of the intervals while something is down`() {
    let timing = timing(
      frame(0, finger(1, .down)), frame(8, finger(1, .motion)), frame(16, finger(1, .motion)),
      frame(46, finger(1, .motion)), frame(54, finger(1, .up)),
      // A pause without a finger is none.
      frame(1054, finger(2, .down)), frame(1054, finger(2, .motion)),
      frame(1062, finger(2, .up)))
    #expect(timing.hertz == 125)
    #expect(timing.longestGap == 30_000_000)
  }

  @Test func `is not known before there was an interval, or a clock that goes on`() {
    #expect(timing(frame(0, finger(1, .down))).hertz == nil)
    #expect(timing(frame(9, finger(1, .down)), frame(0, finger(1, .motion))).hertz == nil)
    #expect(timing(frame(0, finger(1, .hover)), frame(9, finger(1, .hover))).hertz == nil)
    #expect(timing(frame(0, finger(1, .down)), frame(9, finger(1, .motion))).longestGap == nil)
  }
}

@Suite struct `The accuracy of a panel` {
  /// What is measured when these places, in raw units of a tenth of a millimetre in x and a twentieth in
  /// y, are drawn at 100 Hz.
  private func measured(
    _ places: [(Int32, Int32)], on surface: PanelSurface = surface, slow: UInt64 = 10
  ) -> AccuracyMeasurement {
    var measurement = AccuracyMeasurement(surface)
    for (index, place) in places.enumerated() {
      measurement.take(
        frame(
          slow * UInt64(index), finger(1, index == 0 ? .down : .motion, place.0, place.1)))
    }
    let last = places.last ?? (0, 0)
    measurement.take(frame(slow * UInt64(places.count), finger(1, .up, last.0, last.1)))
    return measurement
  }

  @Test func `is perfect for a line that is straight, whichever way it runs`() {
    let lines: [[(Int32, Int32)]] = [
      (0..<40).map { (100 + 20 * $0, 300) }, (0..<40).map { (500, 200 + 15 * $0) },
      (0..<40).map { (100 + 20 * $0, 200 + 15 * $0) },
      (0..<40).map { (900 - 20 * $0, 200 + 15 * $0) },
    ]
    for line in lines {
      let result = measured(line)
      #expect(result.lines == 1)
      #expect(result.linearity.count == 40)
      #expect(result.linearity.most < 1e-9)
      #expect(result.edges.count == 0)
      #expect(result.ignored == 0)
      #expect(result.timing.hertz == 100)
    }
  }

  @Test func `is how far the positions are from the line, in millimetres`() {
    // Every other position is 4 units of y, 0.2 mm, up or down; the line lies in between.
    let result = measured((0..<40).map { (100 + 20 * $0, 300 + ($0 % 2 == 0 ? 4 : -4)) })
    #expect("\(result.length(result.linearity.mean))" == "0.20 mm")
    #expect(abs(result.linearity.most - 0.2) < 0.02)
    #expect(result.isInMillimetres)
  }

  @Test func `is told apart near the edges, where lines bend`() {
    // Straight up to 5 mm before the right edge, and then 1 mm down.
    let result = measured(
      (0..<40).map { (100 + 20 * $0, 500) } + (0..<5).map { (960 + 10 * $0, 520) })
    #expect(result.linearity.count == 40)
    #expect(result.linearity.most < 1e-9)
    #expect(result.edges.count == 5)
    #expect(
      "\(result.length(result.edges.mean)), \(result.length(result.edges.most))"
        == "1.00 mm, 1.00 mm")
  }

  @Test func `is an edge's alone for a line along an edge`() {
    let result = measured((0..<40).map { (100 + 20 * $0, $0 % 2 == 0 ? 40 : 44) })
    #expect(result.linearity.count == 0)
    #expect(result.edges.count == 40)
    #expect(abs(result.edges.mean - 0.1) < 0.01)
  }

  @Test func `has the jitter of a finger that rests`() {
    // A square of 0.2 mm: its corners are 0.1414 mm from its middle.
    let result = measured(
      (0..<60).map { [(500, 500), (502, 500), (502, 504), (500, 504)][$0 % 4] })
    #expect(result.jitter.count == 1)
    #expect(
      "\(result.length(result.jitter.rms)), \(result.length(result.jitter.most))"
        == "0.14 mm, 0.28 mm")
    #expect(result.lines == 0)
  }

  @Test func `is told in parts of an axis where the size is not known`() {
    var plain = surface
    plain.size = nil
    let result = measured(
      (0..<40).map { (100 + 20 * $0, 300 + ($0 % 2 == 0 ? 10 : -10)) }, on: plain)
    #expect(!result.isInMillimetres)
    #expect("\(result.length(result.linearity.mean))" == "1.00 % of an axis")
  }

  @Test func `says nothing of touches that are neither a line nor still`() {
    #expect(measured([(500, 500), (560, 500)]).ignored == 1)
    // Still, but too short.
    #expect(measured([(500, 500), (500, 501)]).ignored == 1)
    // Long, but of too few positions.
    #expect(measured((0..<9).map { (100 + 90 * $0, 500) }).ignored == 1)
    var measurement = AccuracyMeasurement(surface)
    measurement.take(frame(0, finger(1, .down)))
    measurement.take(frame(900, finger(1, .cancel)))
    // One whose end was lost.
    measurement.take(frame(1000, finger(2, .down)))
    measurement.take(frame(2000, finger(3, .down)))
    measurement.take(frame(2900, finger(3, .up)))
    #expect(measurement.jitter.count == 1)
    #expect(measurement.ignored == 0)
    // Nothing is known any more of what was missing, should it come again.
    measurement.take(frame(3000, finger(2, .up)))
    #expect(measurement.jitter.count == 1)
    #expect(measurement.ignored == 0)
  }

  @Test func `takes anything that a panel sends`() {
    let seed = environmentSeed("MeasurementTests")
    var dice = SplitMix(seed: seed)
    let odd = PanelSurface(
      x: AxisRange(minimum: .min, maximum: .max), y: AxisRange(minimum: 5, maximum: 5),
      size: SurfaceSize(width: 1e300, height: 1e-300))
    var (accuracy, range, touches) = (
      AccuracyMeasurement(odd), RangeMeasurement(odd), HeldTouches(odd)
    )
    for _ in 0..<max(1, randomRounds) * 10 {
      let contacts = (0..<Int.random(in: 0...4, using: &dice)).map { _ in
        finger(
          .random(in: 1...6, using: &dice),
          ContactPhase.allCases.randomElement(using: &dice) ?? .up,
          .random(in: .min ... .max, using: &dice), .random(in: .min ... .max, using: &dice))
      }
      let next = TouchFrame(
        timeNanoseconds: .random(in: 0...UInt64.max, using: &dice), contacts: contacts)
      accuracy.take(next)
      range.take(next)
      _ = touches.take(next)
    }
    #expect(range.frames == max(1, randomRounds) * 10)
    #expect(accuracy.timing.hertz ?? 1 > 0)
  }
}
