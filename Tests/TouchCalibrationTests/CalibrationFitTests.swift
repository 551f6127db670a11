import TestSupport
import Testing
import TouchModel

@testable import TouchCalibration

/// The four corners at a tenth from the edges.
let corners = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)].map { Point(x: $0.0, y: $0.1) }

extension PanelTransform {
  /// The eight ways in which a panel can lie.
  static let orientations = Rotation.allCases.flatMap { rotation in
    [PanelTransform.mounted(rotation), PanelTransform.swap.then(.mounted(rotation))]
  }

  /// The transform that undoes this one.
  var inverse: PanelTransform {
    let area = determinant
    return PanelTransform(
      e / area, -b / area, (b * f - e * c) / area, -d / area, a / area, (d * c - a * f) / area)
  }

  /// How far the numbers of two transforms lie apart at most.
  func difference(_ other: PanelTransform) -> Double {
    zip(numbers, other.numbers).map { abs($0 - $1) }.max() ?? 0
  }
}

/// What a panel sends whose right matrix is this one.
func pairs(_ transform: PanelTransform, at targets: [Point] = corners) -> [CalibrationPair] {
  targets.map { CalibrationPair(target: $0, measured: transform.inverse.apply($0)) }
}

@Suite struct `The matrix that fits` {
  @Test(arguments: PanelTransform.orientations)
  func `is exact for a panel that lies in any way`(_ orientation: PanelTransform) throws {
    let fit = try CalibrationFit(pairs(orientation))
    #expect(fit.calibration == orientation)
    #expect(fit.residuals.map { $0.length(on: nil).value < 1e-9 } == [true, true, true, true])
    // With the mounting said already nothing is left to be done.
    let rest = try CalibrationFit(pairs(orientation), mounting: orientation)
    #expect(rest.calibration == .identity)
    #expect(rest.transform == orientation)
  }

  @Test func `has the numbers that were worked out by hand`() throws {
    // The panel sends 0.2...0.8 where its edges are, x turned around, and y lies 0.05 too low.
    let right = PanelTransform(-1.66666667, 0, 1.33333333, 0, 1, -0.05)
    let measured = [(0.74, 0.15), (0.26, 0.15), (0.26, 0.95), (0.74, 0.95)]
    let fit = try CalibrationFit(
      zip(corners, measured).map {
        CalibrationPair(target: $0, measured: Point(x: $1.0, y: $1.1))
      })
    #expect(fit.calibration == right)
    #expect("\(fit.calibration)" == "-1.66666667 0 1.33333333 0 1 -0.05")
  }

  @Test func `is found again whatever it was, and in front of any mounting`() throws {
    let seed = environmentSeed("CalibrationFitTests")
    var dice = SplitMix(seed: seed)
    for round in 0..<max(1, randomRounds) {
      let mounting = PanelTransform.orientations.randomElement(using: &dice) ?? .identity
      let orientation = PanelTransform.orientations.randomElement(using: &dice) ?? .identity
      let small = { (dice: inout SplitMix) in Double.random(in: -0.2...0.2, using: &dice) }
      let calibration = orientation.then(
        PanelTransform(
          1 + small(&dice), small(&dice), small(&dice), small(&dice), 1 + small(&dice),
          small(&dice)))
      guard mounting.then(calibration).fault == nil, calibration.fault == nil else { continue }
      var targets = corners
      for _ in 0..<Int.random(in: 0...5, using: &dice) {
        targets.append(
          Point(x: .random(in: 0...1, using: &dice), y: .random(in: 0...1, using: &dice)))
      }
      targets.shuffle(using: &dice)
      let fit = try CalibrationFit(
        pairs(mounting.then(calibration), at: targets), mounting: mounting)
      #expect(fit.calibration.difference(calibration) < 1e-7, "seed \(seed), round \(round)")
    }
  }

  @Test func `has the least sum of squares that any matrix has`() throws {
    let seed = environmentSeed("CalibrationFitTests noise")
    var dice = SplitMix(seed: seed)
    func sum(_ transform: PanelTransform, _ pairs: [CalibrationPair]) -> Double {
      pairs.reduce(0) { sum, pair in
        let place = transform.apply(pair.measured)
        let (x, y) = (place.x - pair.target.x, place.y - pair.target.y)
        return sum + x * x + y * y
      }
    }
    for round in 0..<max(1, randomRounds / 4) {
      let noisy = pairs(PanelTransform.orientations.randomElement(using: &dice) ?? .identity).map {
        CalibrationPair(
          target: $0.target,
          measured: Point(
            x: $0.measured.x + .random(in: -0.03...0.03, using: &dice),
            y: $0.measured.y + .random(in: -0.03...0.03, using: &dice)))
      }
      let fit = try CalibrationFit(noisy)
      let least = sum(fit.calibration, noisy)
      // A residual of noise stays below noise.
      #expect(fit.residuals.allSatisfy { $0.length(on: nil).value < 0.05 }, "seed \(seed)")
      for place in 0..<6 {
        for step in [-1e-4, 1e-4] {
          var numbers = fit.calibration.numbers
          numbers[place] += step
          let other = PanelTransform(
            numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
          #expect(sum(other, noisy) > least, "seed \(seed), round \(round)")
        }
      }
    }
  }

  @Test func `tells errors in millimetres of the glass, whichever way the panel lies`() throws {
    let size = try #require(SurfaceSize(width: 100, height: 200))
    let residual = CalibrationResidual(
      target: Point(x: 0.5, y: 0.5), result: Point(x: 0.53, y: 0.52))
    #expect("\(residual.length(on: size))" == "5.00 mm")
    #expect(residual.length(on: size.through(.swap)) == .millimetres(6.324555320336764))
    #expect("\(residual.length(on: nil))" == "3.61 % of an axis")
    #expect("\(SurfaceLength.millimetres(-0.125))" == "-0.13 mm")
    #expect("\(SurfaceLength.parts(.infinity))" == "1000000000000.00 % of an axis")
    #expect(SurfaceSize(width: 0, height: 1) == nil)
    #expect(SurfaceSize(width: 1, height: .nan) == nil)
  }

  static let degenerate: [([CalibrationPair], CalibrationFault)] = [
    ([], .tooFewPairs(0)),
    (pairs(.identity, at: Array(corners.prefix(2))), .tooFewPairs(2)),
    (
      pairs(.identity, at: [0.1, 0.5, 0.9].map { Point(x: $0, y: $0) }), .targetsOnALine
    ),
    (pairs(.identity, at: Array(repeating: corners[0], count: 5)), .targetsOnALine),
    (
      corners.map { CalibrationPair(target: $0, measured: Point(x: $0.x, y: 0.5)) },
      .positionsOnALine
    ),
    (
      corners.map { CalibrationPair(target: $0, measured: Point(x: $0.x, y: $0.x)) },
      .positionsOnALine
    ),
    (
      corners.map { CalibrationPair(target: $0, measured: Point(x: $0.x, y: .nan)) },
      .outsideRange
    ),
    (
      // Squeezed into a quarter of each axis: its corners would lie more than half outside.
      corners.map { CalibrationPair(target: $0, measured: Point(x: $0.x / 4, y: $0.y / 4)) },
      .refused(
        "it puts a corner more than half a display outside; is the raw range right "
          + "(RangeX=, RangeY=)?")
    ),
    (
      // What is asked for lies in a small part, so the panel would reach that alone.
      corners.map { corner in
        CalibrationPair(
          target: Point(x: 0.5 + corner.x * 0.13, y: 0.5 + corner.y * 0.13),
          measured: Point(x: corner.x * 1.4, y: corner.y * 1.4))
      },
      .refused("it squeezes the panel to less than a hundredth of its area")
    ),
  ]

  @Test(arguments: degenerate)
  func `is refused where the points determine none`(
    _ pairs: [CalibrationPair], _ fault: CalibrationFault
  ) {
    let error = #expect(throws: CalibrationFault.self) { try CalibrationFit(pairs) }
    #expect(error == fault)
  }

  @Test func `is refused in words that say what to do`() {
    let faults: [CalibrationFault] = [
      .tooFewPairs(2), .targetsOnALine, .positionsOnALine, .contradictory, .outsideRange,
      .refused("reason"),
      .checkMissed(.millimetres(6.5), limit: .millimetres(5)),
    ]
    #expect(
      faults.map(\.description) == [
        "2 points are too few for a calibration; three are needed",
        "the targets lie on one line, so nothing is known of what lies beside it",
        "the panel sent positions on one line or in one spot; does it tell both axes? "
          + "`touchctl measure` shows what it sends",
        "the touches are not as far from each other as the marks are; does the panel send the range "
          + "that it declares? `touchctl measure` shows it",
        "the panel sends positions outside of its range; set RangeX= and RangeY= first, as "
          + "`touchctl measure` prints them",
        "the matrix cannot be used: reason",
        "the check point was missed by 6.50 mm, more than 5.00 mm. Was each mark touched in its "
          + "turn? Touch more exactly, with the tip of a pen that the panel takes, or allow more with --limit",
      ])
  }
}
