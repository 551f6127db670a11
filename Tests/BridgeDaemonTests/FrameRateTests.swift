import Testing

@testable import BridgeDaemon

@Suite struct `How often a panel reports` {
  private func rate(_ milliseconds: [UInt64]) -> Double? {
    var rate = FrameRate()
    for time in milliseconds { rate.note(time * 1_000_000) }
    return rate.hertz
  }

  @Test func `is the median of its last intervals`() {
    #expect(rate((1...9).map { 1000 + 8 * $0 }) == 125)
    // Three long ones among many change nothing.
    #expect(rate((1...20).map { 1000 + 8 * $0 + ($0 / 5) * 50 }) == 125)
    // It forgets what is long ago.
    let slow = (1...100).map { UInt64(1000 + 40 * $0) }
    #expect(rate(slow) == 25)
    #expect(rate(slow + (1...100).map { 5000 + 16 * $0 }) == 62.5)
  }

  @Test func `is not known before there are some, and pauses are none`() {
    #expect(rate([]) == nil)
    #expect(rate((1...8).map { 1000 + 8 * $0 }) == nil)
    #expect(rate((1...30).map { 1000 * $0 }) == nil)
    // Frames of one report have one time, and a clock that steps back says nothing.
    #expect(rate(Array(repeating: 1000, count: 30)) == nil)
    #expect(rate((1...30).map { 100_000 - 8 * $0 }) == nil)
  }
}
