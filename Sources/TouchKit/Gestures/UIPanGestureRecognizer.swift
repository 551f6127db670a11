/// Recognises fingers that are dragged; continuous.
///
/// `translation` is the way of the fingers' middle; it never jumps when fingers come or go.
@MainActor
open class UIPanGestureRecognizer: UIGestureRecognizer {
  /// How many fingers it takes to begin and to go on.
  open var minimumNumberOfTouches = 1
  /// With how many fingers it begins at most; more are ignored once it has begun.
  open var maximumNumberOfTouches = Int.max

  private struct Finger {
    let touch: UITouch
    var place: CGPoint
  }

  private struct Sample {
    var way = CGVector.zero
    var time: UInt64 = 0
  }

  private var fingers: [Finger] = []
  /// Whether enough fingers are down for the movement to count.
  private var isMeasuring = false
  /// The way since the fingers were enough, or as the app has set it.
  private var shift = CGVector.zero
  /// The last three measurements, the newest last, each with the whole way up to then.
  private var samples = (Sample(), Sample(), Sample())
  private var sampleCount = 0

  // MARK: Values

  /// The way since the gesture began, as a view sees it; setting it goes on from there.
  ///
  /// - Units: points. The first 10, which made it a drag, don't count.
  open func translation(in view: UIView?) -> CGPoint {
    let moved = vector(actual == .possible ? counted(shift) : shift, in: view)
    return CGPoint(x: moved.dx, y: moved.dy)
  }

  /// Makes the way so far count as another one; the velocity stays.
  open func setTranslation(_ translation: CGPoint, in view: UIView?) {
    shift = vector(CGVector(dx: translation.x, dy: translation.y), from: view)
  }

  /// How fast the fingers' middle moved, over the last two intervals between events.
  ///
  /// - Units: points a second, as a view sees them. At the end it is that of the last movement.
  open func velocity(in view: UIView?) -> CGPoint {
    guard sampleCount >= 2 else { return .zero }
    let first = sampleCount == 2 ? samples.1 : samples.0
    guard samples.2.time > first.time else { return .zero }
    let seconds = Double(samples.2.time - first.time) / 1e9
    let speed = vector((samples.2.way - first.way) * (1 / seconds), in: view)
    return CGPoint(x: speed.dx, y: speed.dy)
  }

  /// The part of a way that counts: without what made it a drag.
  private func counted(_ way: CGVector) -> CGVector {
    let length = way.length
    guard length > limits.panHysteresis else { return .zero }
    return way * ((length - limits.panHysteresis) / length)
  }

  // MARK: Touches

  /// Looks at touches that landed.
  open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
    for touch in inOrder(touches) {
      if isRunning, fingers.count >= maximumNumberOfTouches {
        ignore(touch, for: event)
      } else {
        fingers.append(Finger(touch: touch, place: touch.location(in: nil)))
      }
    }
    if !isRunning { measureFromHere(event.time) }
  }

  /// Follows the fingers, and begins when they have gone far enough.
  open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
    let way = follow(touches)
    guard isMeasuring else { return }
    add(way, at: event.time)
    if isRunning {
      state = .changed
    } else {
      switch judge(shift) {
      case .waits: break
      case .begins: state = .began
      case .fails: state = .failed
      }
    }
  }

  /// Ends when too few fingers are left; fails if it has not begun.
  open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
    let way = follow(touches)
    if isMeasuring { shift = shift + way }
    fingers.removeAll { touches.contains($0.touch) }
    if isRunning {
      if fingers.count < minimumNumberOfTouches { state = .ended }
    } else if fingers.isEmpty {
      state = .failed
    } else {
      measureFromHere(event.time)
    }
  }

  /// Cancels the gesture; the translation keeps its value.
  open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
    state = .cancelled
  }

  /// The way of the fingers' middle since it was asked last.
  private func follow(_ touches: Set<UITouch>) -> CGVector {
    var sum = CGVector.zero
    for index in fingers.indices where touches.contains(fingers[index].touch) {
      let place = fingers[index].touch.location(in: nil)
      sum = sum + CGVector(from: fingers[index].place, to: place)
      fingers[index].place = place
    }
    return fingers.isEmpty ? .zero : sum * (1 / CGFloat(fingers.count))
  }

  private func measureFromHere(_ time: UInt64) {
    let isEnough = (minimumNumberOfTouches...max(minimumNumberOfTouches, maximumNumberOfTouches))
      .contains(fingers.count)
    if isEnough, !isMeasuring {
      shift = .zero
      samples.2 = Sample(way: .zero, time: time)
      sampleCount = 1
    }
    isMeasuring = isEnough
  }

  private func add(_ way: CGVector, at time: UInt64) {
    shift = shift + way
    let last = samples.2
    samples = (samples.1, last, Sample(way: last.way + way, time: time))
    sampleCount = min(3, sampleCount + 1)
  }

  // MARK: Deciding

  /// What a way means for a gesture that has not begun.
  enum Judgement {
    /// It is too short.
    case waits
    /// It makes the gesture.
    case begins
    /// It is another gesture.
    case fails
  }

  func judge(_ way: CGVector) -> Judgement {
    way.length >= limits.panHysteresis ? .begins : .waits
  }

  final override func willRecognize() { shift = counted(shift) }

  override func forgetAttempt() {
    fingers.removeAll(keepingCapacity: true)
    isMeasuring = false
    shift = .zero
    sampleCount = 0
  }
}
