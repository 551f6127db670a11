// A handler may run the queue, as a nested loop does. The event that it is part of is then finished
// first. So progress does not lie in local variables of the steps but here, where whoever comes
// next takes it up; the steps that are still on the stack find nothing left to do.

/// How far the present event has come in one window.
struct Delivery {
  /// The window; nil if views and recognisers have got all of the event.
  private(set) var window: UIWindow?
  /// The pass over the views that hands the event to them.
  private(set) var pass: UInt64 = 0

  private var order: [UIGestureRecognizer] = []
  private var index = 0
  private var phase = 0

  private static let phases: [UITouch.Phase] = [.began, .moved, .ended, .cancelled]

  mutating func open(in window: UIWindow, order: [UIGestureRecognizer], pass: UInt64) {
    self.window = window
    self.pass = pass
    self.order = order
    (index, phase) = (0, 0)
  }

  /// Whether a pass over the views still has something of the event to hand to them.
  func isOpen(_ pass: UInt64) -> Bool { window != nil && self.pass == pass }

  mutating func close() { window = nil }

  // MARK: Recognisers

  /// The recogniser that is next, or gets more of the event; nil after the last.
  var recognizer: UIGestureRecognizer? { index < order.count ? order[index] : nil }

  /// The phase whose touches it gets next; nil after the last.
  mutating func nextPhase() -> UITouch.Phase? {
    guard phase < Self.phases.count else { return nil }
    phase += 1
    return Self.phases[phase - 1]
  }

  mutating func nextRecognizer() {
    index += 1
    phase = 0
    // A list that is held twice would be copied by the next change.
    if index >= order.count { order = [] }
  }
}

/// What a touch really is, while a view sees it as of another moment.
@MainActor
struct Disguise {
  let touch: UITouch
  let phase: UITouch.Phase
  let time: UInt64
  let place: CGPoint
  let previousPlace: CGPoint

  func lift() {
    touch.phase = phase
    touch.time = time
    touch.place = place
    touch.previousPlace = previousPlace
  }
}

extension GestureEnvironment {
  /// Keeps what a touch is before it is made to look otherwise.
  func disguise(_ touch: UITouch) {
    disguises.append(
      Disguise(
        touch: touch, phase: touch.phase, time: touch.time, place: touch.place,
        previousPlace: touch.previousPlace))
  }

  /// Makes a touch what it is again, unless that has been done already.
  func reveal(_ touch: UITouch) {
    guard let index = disguises.lastIndex(where: { $0.touch === touch }) else { return }
    disguises.remove(at: index).lift()
  }

  /// Makes all touches what they are again, since an event is about to change them.
  func revealAll() { while let disguise = disguises.popLast() { disguise.lift() } }
}
