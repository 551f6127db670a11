import Testing
import TouchFilters
import TouchModel

/// What people have logged of panels that trouble them.
@Suite struct `Panels in the field` {
  // A straight line drawn on a resistive panel of 800 by 480: milliseconds, x, y, pressure of 511.
  // Twice the pressure falls for one sample, and the position jumps (libts/tslib #38).
  private static let line: [(Int, Int32, Int32, Float)] = [
    (0, 161, 181, 254), (16, 159, 187, 256), (32, 158, 194, 258), (49, 591, 297, 112),
    (65, 153, 214, 261), (81, 151, 216, 262), (97, 151, 220, 263), (113, 150, 223, 265),
    (130, 150, 228, 266), (146, 149, 233, 267), (162, 148, 238, 269), (178, 147, 243, 269),
    (195, 147, 248, 271), (211, 146, 254, 272), (227, 145, 259, 272), (243, 447, 351, 151),
    (259, 140, 277, 275), (276, 139, 281, 277),
  ]

  @Test func `a line on a resistive panel stays a line when the pressure drops`() throws {
    let rig = FilterRig(.panel(resolution: 0)) { $0.pressureDrop = 2.0 / 3 }
    for (index, (time, x, y, pressure)) in Self.line.enumerated() {
      if index == 0 {
        rig.down(x, y, pressure: pressure / 511, at: time)
      } else {
        rig.move(x, y, pressure: pressure / 511, at: time)
      }
    }
    rig.up(at: 300)
    let jumps = [3, 15]
    for (index, sample) in Self.line.enumerated() where index > 0 {
      let told = jumps.contains(index) ? Self.line[index - 1] : sample
      let hasMoved = told.1 != Self.line[index - 1].1 || told.2 != Self.line[index - 1].2
      let phase = hasMoved ? "motion" : "still"
      #expect(
        rig.lines[index] == "\(sample.0): 1 \(phase) \(half(told.1)),\(half(told.2))",
        "sample \(index)")
    }
    #expect(rig.lines.count == Self.line.count + 1)
    #expect(rig.counters(.pressureDrop).changed == 2)
    try rig.finish()
  }

  private func half(_ value: Int32) -> String {
    value % 2 == 0 ? "\(value / 2)" : "\(value / 2).5"
  }

  // Nobody touches the panel: contacts begin and end in its last unit (raspberrypi/linux #4749).
  @Test func `ghosts in the last unit of a panel without resolution reach nobody`() throws {
    let rig = FilterRig(.panel(resolution: 0)) { $0.ghostCorner = 0 }
    rig.tap(1000, 500, at: 30, for: 90)
    rig.tap(1000, 500, at: 150, for: 360)
    rig.down(1000, 500, at: 540)
    rig.cancel(at: 600)
    #expect(rig.lines == [])
    #expect(rig.drops == ["1 up by ghost", "2 up by ghost", "3 cancel by ghost"])
    #expect(rig.counters(.ghost).all == [3, 0, 3, 3, 0])
    try rig.finish()
  }
}
