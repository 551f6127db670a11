import TestSupport
import Testing
import TouchModel

@testable import TouchCalibration

/// A panel of 0...1000 on both axes, 100 by 50 mm.
let surface = PanelSurface(
  x: AxisRange(minimum: 0, maximum: 1000), y: AxisRange(minimum: 0, maximum: 1000),
  size: SurfaceSize(width: 100, height: 50))

/// A finger on a panel, by its raw position.
func finger(_ id: UInt64, _ phase: ContactPhase, _ x: Int32 = 0, _ y: Int32 = 0) -> Contact {
  Contact(
    id: id, slot: Int32(id % 10), phase: phase, position: Point(x: 0, y: 0), rawX: x, rawY: y)
}

/// A frame at a time in milliseconds.
func frame(_ milliseconds: UInt64, _ contacts: Contact...) -> TouchFrame {
  TouchFrame(timeNanoseconds: milliseconds * 1_000_000, contacts: contacts)
}

@Suite struct `A touch that is held` {
  private func outcomes(_ frames: TouchFrame...) -> [HeldTouches.Outcome] {
    var touches = HeldTouches(surface)
    return frames.compactMap { touches.take($0) }
  }

  @Test func `is at the median of its positions`() {
    #expect(
      outcomes(
        frame(0, finger(1, .down, 500, 300)), frame(20, finger(1, .motion, 504, 310)),
        frame(40, finger(1, .motion, 501, 299)), frame(50, finger(1, .still, 501, 299)),
        frame(100, finger(1, .up, 501, 299))) == [.held(Point(x: 501, y: 299.5))])
  }

  @Test func `is too short before a tenth of a second`() {
    #expect(
      outcomes(frame(0, finger(1, .down)), frame(99, finger(1, .up))) == [.short])
    #expect(
      outcomes(frame(0, finger(1, .down)), frame(100, finger(1, .up))) == [
        .held(Point(x: 0, y: 0))
      ])
    // A clock that steps back makes no long touch.
    #expect(outcomes(frame(100, finger(1, .down)), frame(0, finger(1, .up))) == [.short])
  }

  @Test func `may tremble, and no more`() {
    func moving(_ x: Int32, _ y: Int32) -> [HeldTouches.Outcome] {
      outcomes(
        frame(0, finger(1, .down, 100, 100)), frame(10, finger(1, .motion, x, y)),
        frame(200, finger(1, .up, x, y)))
    }
    #expect(moving(130, 70) == [.held(Point(x: 115, y: 85))])
    #expect(moving(131, 100) == [.moved])
    #expect(moving(100, 69) == [.moved])
  }

  @Test func `is the first finger's, whatever the second one does`() {
    #expect(
      outcomes(
        frame(0, finger(1, .down, 100, 100)),
        frame(10, finger(1, .still, 100, 100), finger(2, .down, 900, 900)),
        frame(150, finger(1, .up, 100, 100), finger(2, .motion, 800, 900)),
        frame(400, finger(2, .up, 800, 900)),
        frame(500, finger(3, .down, 7, 8)), frame(700, finger(3, .up, 7, 8))) == [
          .held(Point(x: 100, y: 100)), .held(Point(x: 7, y: 8)),
        ])
  }

  @Test func `is none if it hovers, is a palm, is cancelled or got lost`() {
    var palm = finger(1, .down)
    palm.tool = .palm
    #expect(
      outcomes(frame(0, finger(1, .hover)), frame(50, palm), frame(200, finger(1, .up))) == [])
    #expect(
      outcomes(frame(0, finger(1, .down)), frame(200, finger(1, .cancel))) == [.cancelled])
    #expect(
      outcomes(frame(0, finger(1, .down)), frame(200, finger(2, .down)), frame(400, finger(2, .up)))
        == [.cancelled, .held(Point(x: 0, y: 0))])
  }
}

@Suite struct `A guided calibration` {
  /// What a run answers when each place is touched as a panel with this right matrix sends it.
  private func play(
    _ run: inout CalibrationRun, _ matrix: PanelTransform, shift: Point = Point(x: 0, y: 0)
  ) -> [CalibrationRun.Step] {
    var steps: [CalibrationRun.Step] = []
    for _ in 0..<run.target.count {
      steps.append(run.take(.held(raw(of: run.target.place, matrix, shift))))
    }
    return steps
  }

  private func raw(
    of place: Point, _ matrix: PanelTransform, _ shift: Point = Point(x: 0, y: 0)
  ) -> Point {
    let measured = matrix.inverse.apply(place)
    return Point(x: measured.x * 1000 + shift.x, y: measured.y * 1000 + shift.y)
  }

  @Test(arguments: PanelTransform.orientations)
  func `finds out how a panel lies`(_ orientation: PanelTransform) throws {
    var run = CalibrationRun(surface)
    let steps = play(&run, orientation)
    #expect(steps.count == 5)
    #expect(
      steps.dropLast().allSatisfy { if case .taken = $0 { true } else { false } })
    guard case .finished(let result) = steps.last else {
      Issue.record("it did not finish: \(steps)")
      return
    }
    #expect(result.fit.calibration.difference(orientation) < 1e-8)
    #expect(result.checkError.value < 1e-6)
    #expect(result.errors.count == 4)
    #expect(
      result.size == SurfaceSize(width: 100, height: 50)?.through(orientation))
  }

  @Test(arguments: CalibrationRun.pointCounts)
  func `asks for as many places as were wanted, each another, and a check`(_ count: Int) {
    var run = CalibrationRun(surface, points: count)
    var places: [Point] = []
    for number in 1...count + 1 {
      #expect(run.target.number == number)
      #expect(run.target.count == count + 1)
      #expect(run.target.isCheck == (number == count + 1))
      #expect(!places.contains(run.target.place))
      places.append(run.target.place)
      _ = run.take(.held(raw(of: run.target.place, .invertX)))
    }
  }

  @Test func `asks again for what does not count`() {
    var run = CalibrationRun(surface)
    let first = run.target
    #expect(run.take(.short) == .again(.short))
    #expect(run.take(.moved) == .again(.moved))
    #expect(run.take(.cancelled) == .again(.cancelled))
    #expect(run.target == first)
    #expect(first.place == Point(x: 0.1, y: 0.1))
  }

  @Test func `asks again for a touch that cannot be of its place, and starts over after three`() {
    var run = CalibrationRun(surface)
    let first = raw(of: run.target.place, .identity)
    #expect(
      run.take(.held(first))
        == .taken(CalibrationPair(target: Point(x: 0.1, y: 0.1), measured: Point(x: 0.1, y: 0.1))))
    // The same spot again, and one that is much too near.
    #expect(run.take(.held(first)) == .again(.implausible))
    #expect(run.take(.held(Point(x: 400, y: 100))) == .again(.implausible))
    #expect(run.target.number == 2)
    #expect(run.take(.held(first)) == .startsOver)
    #expect(run.target.number == 1)
    guard case .finished = play(&run, .identity).last else {
      Issue.record("it did not finish")
      return
    }
  }

  @Test func `gives a panel up that sends a part of its range only`() {
    var run = CalibrationRun(surface)
    var steps: [CalibrationRun.Step] = []
    for _ in 0..<8 {
      let place = raw(of: run.target.place, .identity)
      steps.append(run.take(.held(Point(x: place.x / 8, y: place.y / 8))))
    }
    let again = CalibrationRun.Step.again(.implausible)
    #expect(Array(steps[1...3]) == [again, again, .startsOver])
    #expect(Array(steps[5...7]) == [again, again, .failed(.contradictory)])
  }

  @Test func `asks again for a fourth touch that the first three tell to be another place`() {
    var run = CalibrationRun(surface)
    for _ in 0..<3 { _ = run.take(.held(raw(of: run.target.place, .identity))) }
    #expect(run.take(.held(Point(x: 230, y: 900))) == .again(.implausible))
    #expect(
      run.take(.held(Point(x: 150, y: 900)))
        == .taken(
          CalibrationPair(target: Point(x: 0.1, y: 0.9), measured: Point(x: 0.15, y: 0.9))))
  }

  @Test func `fails if the check is missed by more than the limit`() throws {
    func last(_ limit: Double?, _ miss: Double) -> CalibrationRun.Step? {
      var run = CalibrationRun(surface, limit: limit)
      for _ in 0..<4 { _ = run.take(.held(raw(of: run.target.place, .identity))) }
      return run.take(.held(raw(of: run.target.place, .identity, Point(x: miss, y: 0))))
    }
    // A unit is a tenth of a millimetre.
    guard case .finished(let result) = last(nil, 49) else {
      Issue.record("4.9 mm are allowed")
      return
    }
    #expect("\(result.checkError)" == "4.90 mm")
    guard case .failed(.checkMissed(let missed, let limit)) = last(nil, 51) else {
      Issue.record("5.1 mm are too many")
      return
    }
    #expect("\(missed) \(limit)" == "5.10 mm 5.00 mm")
    guard case .failed = last(1, 11) else {
      Issue.record("1.1 mm are more than 1")
      return
    }
  }

  @Test func `tells errors in parts of an axis where the size is not known`() {
    var plain = surface
    plain.size = nil
    var run = CalibrationRun(plain)
    for _ in 0..<4 { _ = run.take(.held(raw(of: run.target.place, .identity))) }
    let step = run.take(.held(raw(of: run.target.place, .identity, Point(x: 31, y: 0))))
    guard case .failed(.checkMissed(let missed, let limit)) = step else {
      Issue.record("3.1 % are too many")
      return
    }
    #expect("\(missed), \(limit)" == "3.10 % of an axis, 3.00 % of an axis")
  }

  @Test func `refuses a panel that sends more than it declares`() {
    // Twice the range would be found out by the distances; a shift is not.
    for shift in [Point(x: 200, y: 0), Point(x: 0, y: 200), Point(x: 0, y: -200)] {
      var run = CalibrationRun(surface)
      let steps = play(&run, .identity, shift: shift)
      #expect(steps.last == .failed(.outsideRange), "\(shift)")
    }
  }

  @Test func `takes any outcomes without an end that it should not have`() {
    let seed = environmentSeed("CalibrationRunTests")
    var dice = SplitMix(seed: seed)
    for _ in 0..<max(1, randomRounds / 4) {
      var run = CalibrationRun(
        surface, points: CalibrationRun.pointCounts.randomElement(using: &dice) ?? 4)
      for _ in 0..<30 {
        let step = run.take(
          .held(
            Point(
              x: .random(in: -2e9...2e9, using: &dice), y: .random(in: -2e9...2e9, using: &dice))))
        if case .finished(let result) = step { #expect(result.fit.transform.fault == nil) }
        #expect((1...run.target.count).contains(run.target.number))
      }
    }
  }
}
