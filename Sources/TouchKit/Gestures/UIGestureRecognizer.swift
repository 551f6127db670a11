/// An object that watches the touches in a view and its subviews for one kind of gesture.
///
/// A subclass overrides the touch methods, sets `state` in them, and forgets what it has gathered
/// in `reset()`. It is not in the responder chain.
///
/// - Ownership: kept by its view; keeps neither its targets nor its delegate.
@MainActor
open class UIGestureRecognizer {
  // MARK: Settings

  /// The view whose tree is watched.
  public internal(set) final weak var view: UIView?
  /// Who decides what the recogniser leaves open.
  open weak var delegate: (any UIGestureRecognizerDelegate)?
  /// Whether touches are looked at; setting false cancels a gesture that is under way.
  open var isEnabled = true {
    didSet { if !isEnabled, oldValue { abandon() } }
  }
  /// Whether views lose the touches of a recognised gesture, by `touchesCancelled`.
  open var cancelsTouchesInView = true
  /// Whether views hear of the touches only after this has failed.
  open var delaysTouchesBegan = false
  /// Whether views hear of the end of the touches only after this has failed.
  open var delaysTouchesEnded = true
  /// The kinds of touch that are looked at; all unless set.
  open var allowedTouchTypes = Set(UITouch.TouchType.allCases)
  /// Whether one gesture takes touches of one kind only.
  open var requiresExclusiveTouchType = true
  /// A text for debugging.
  open var name: String?

  // MARK: What the runtime keeps

  /// The touches that are looked at and have not left the event, in order of landing.
  var tracked: [UITouch] = []
  /// All touches since the last reset, also those that have left the event.
  var attempt: [UITouch] = []
  var actual = State.possible
  /// How many handlers, questions and actions of it are under way.
  var callCount = 0
  /// The state of which it is being found out whether the recogniser may take it on.
  var deciding: State?
  /// The state that the action being run reports.
  var reported: State?
  /// The state that waits for other recognisers to fail.
  var pending: State?
  var requirements: [UIGestureRecognizer] = []
  /// The requirements that hold for the present attempt only.
  var passingRequirements: [UIGestureRecognizer] = []
  /// The recognisers with which requirements were settled in the present attempt.
  var askedPartners: [UIGestureRecognizer] = []
  /// When `deadlineReached` is to be called.
  private(set) var deadline: UInt64?
  /// Whether an event at the very time of the deadline is still in time.
  private(set) var isDeadlineInclusive = false
  /// The sequence of touches in which this failed last, of its window.
  var failedSequence: UInt64?
  /// How deep the view lay in its tree when the attempt began: inner recognisers come first.
  var order = 0
  var askedEvent: UInt64?
  var isEventWelcome = true
  weak var joined: GestureEnvironment?
  var targets: [(target: ActionTarget, action: AnySelector)] = []

  /// Creates a recogniser without a target.
  public init() {}

  /// Creates a recogniser that calls a named method.
  public convenience init<Target: AnyObject>(target: Target?, action: Selector<Target>) {
    self.init()
    addTarget(target, action: action)
  }

  /// Creates a recogniser that calls a method without arguments.
  public convenience init<Target: AnyObject>(
    target: Target?, action: @escaping @MainActor @Sendable (Target) -> @MainActor () -> Void,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.init()
    addTarget(target, action: action, file: file, line: line, column: column)
  }

  /// Creates a recogniser that calls a method that takes the recogniser.
  public convenience init<Target: AnyObject, Sender: UIGestureRecognizer>(
    target: Target?,
    action: @escaping @MainActor @Sendable (Target) -> @MainActor (Sender) -> Void,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.init()
    addTarget(target, action: action, file: file, line: line, column: column)
  }

  // MARK: State

  /// How far the gesture has come; set by subclasses only.
  ///
  /// Setting it asks at once whether the gesture may begin; the action follows when all
  /// recognisers have seen the event. Steps that do not exist are ignored and counted.
  open var state: State {
    get { reported ?? actual }
    set { request(newValue) }
  }

  // MARK: For subclasses

  /// Looks at touches that landed.
  open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {}
  /// Looks at touches that moved.
  open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {}
  /// Looks at touches that were lifted.
  open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {}
  /// Looks at touches that were taken away.
  open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {}
  /// Forgets the last attempt; called once after each that ended, failed or was cancelled.
  open func reset() {}

  /// Stops looking at a touch; its view gets it whatever becomes of the gesture.
  open func ignore(_ touch: UITouch, for event: UIEvent) {
    tracked.removeAll { $0 === touch }
    attempt.removeAll { $0 === touch }
  }

  /// Tells whether recognising this makes the other one fail; true unless overridden.
  open func canPrevent(_ preventedGestureRecognizer: UIGestureRecognizer) -> Bool { true }
  /// Tells whether the other one's recognition makes this one fail; true unless overridden.
  open func canBePrevented(by preventingGestureRecognizer: UIGestureRecognizer) -> Bool { true }
  /// Tells whether this waits until the other one has failed; false unless overridden.
  open func shouldRequireFailure(of otherGestureRecognizer: UIGestureRecognizer) -> Bool { false }
  /// Tells whether the other one waits until this has failed; false unless overridden.
  open func shouldBeRequiredToFail(by otherGestureRecognizer: UIGestureRecognizer) -> Bool {
    false
  }
  /// Tells whether an event with new touches is looked at; true unless overridden.
  open func shouldReceive(_ event: UIEvent) -> Bool { true }

  // MARK: Places

  /// How many touches are looked at; those that end in the present event still count.
  open var numberOfTouches: Int { tracked.count }

  /// The middle of the touches in a view's coordinates; nil is the window.
  open func location(in view: UIView?) -> CGPoint {
    var places = Places()
    for touch in tracked.isEmpty ? attempt : tracked { places.add(touch.location(in: view)) }
    return places.middle
  }

  /// One touch's place in a view's coordinates; the touches count in order of landing.
  open func location(ofTouch touchIndex: Int, in view: UIView?) -> CGPoint {
    precondition(tracked.indices.contains(touchIndex), "a touch index is below numberOfTouches")
    return tracked[touchIndex].location(in: view)
  }

  // MARK: Requirements

  /// Makes this wait until the other one has failed; if the other is recognised, this fails.
  ///
  /// A requirement that closes a circle is dropped and counted.
  public final func require(toFail otherGestureRecognizer: UIGestureRecognizer) {
    guard otherGestureRecognizer !== self, !requirements.contains(otherGestureRecognizer) else {
      return
    }
    guard !otherGestureRecognizer.waits(for: self) else {
      environment.diagnostics.droppedRequirements += 1
      return
    }
    requirements.append(otherGestureRecognizer)
  }

  /// Whether this cannot be decided before another one, be it by a row of others.
  func waits(for other: UIGestureRecognizer) -> Bool {
    requirements.contains { $0 === other || $0.waits(for: other) }
      || passingRequirements.contains { $0 === other || $0.waits(for: other) }
  }

  // MARK: For the built-in ones

  /// Whether the recogniser still hopes for touches although it has none.
  var awaitsTouches: Bool { false }
  /// How many taps this one is about; of taps that are ready together more go first.
  var tapRank: Int { 0 }
  /// Does what is to be done before the state leaves possible.
  func willRecognize() {}
  /// Does what is due at the deadline.
  func deadlineReached() {}
  /// Forgets what the class has gathered, also where no reset is called.
  func forgetAttempt() {}

  /// Asks for `deadlineReached` at a time; the largest there is stands for never.
  func setDeadline(_ time: UInt64, inclusive: Bool) {
    deadline = time == .max ? nil : time
    isDeadlineInclusive = inclusive
  }

  func clearDeadline() { deadline = nil }

  var limits: TouchConfiguration { environment.configuration }
}

extension UIGestureRecognizer: Hashable {
  /// Tells whether both are the same object.
  public nonisolated static func == (
    left: UIGestureRecognizer, right: UIGestureRecognizer
  ) -> Bool { left === right }

  /// Feeds the object's identity.
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Sums up places, for their middle.
struct Places {
  private var sum = CGPoint.zero
  private var count = 0

  mutating func add(_ place: CGPoint) {
    sum.x += place.x
    sum.y += place.y
    count += 1
  }

  var middle: CGPoint {
    count == 0 ? .zero : CGPoint(x: sum.x / CGFloat(count), y: sum.y / CGFloat(count))
  }
}
