/// Remembers the taps of the last moments, so that the next touch knows which tap it is.
@MainActor
struct TapChain {
  private struct Tap {
    weak var view: UIView?
    weak var window: UIWindow?
    var start: CGPoint
    var endTime: UInt64
    var count: Int
  }

  private var taps: [Tap] = []

  /// The number of the tap that a new touch would be: 1, or one more than the nearest tap before.
  ///
  /// - Parameter touch: has its view and window.
  mutating func count(for touch: UITouch, by limits: TouchConfiguration) -> Int {
    let limit = limits.tapInterval.wholeNanoseconds
    taps.removeAll { touch.time > $0.endTime && touch.time - $0.endTime > limit }
    var best: Int?
    for index in taps.indices {
      let tap = taps[index]
      let distance = tap.start.distance(to: touch.beganPlace)
      guard tap.view === touch.view, tap.window === touch.window, distance <= limits.tapDistance
      else { continue }
      if let known = best, taps[known].start.distance(to: touch.beganPlace) <= distance { continue }
      best = index
    }
    // A tap is continued once: of two fingers that tap twice each goes on from its own.
    return best.map { taps.remove(at: $0).count + 1 } ?? 1
  }

  /// Remembers a touch that was lifted, if it was a tap.
  mutating func add(_ touch: UITouch) {
    guard touch.phase == .ended, touch.tapCount > 0, touch.view != nil else { return }
    taps.append(
      Tap(
        view: touch.view, window: touch.window, start: touch.beganPlace, endTime: touch.time,
        count: touch.tapCount))
  }

  mutating func removeAll() { taps.removeAll(keepingCapacity: true) }
}
