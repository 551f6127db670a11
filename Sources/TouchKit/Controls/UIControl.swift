/// A view that follows one finger and tells others what became of it.
///
///     down -> inside <-> outside -> up inside | up outside
///                (within 70 pt)  -> cancel
///
/// While it tracks a touch it keeps it: `next` does not hear of it.
@MainActor
open class UIControl: UIView {
  // MARK: State

  /// Whether the control reacts; one that does not passes touches on to `next`.
  open var isEnabled = true {
    didSet { if !isEnabled, oldValue { letAllGo() } }
  }
  /// Whether the control is chosen; touches never change it.
  open var isSelected = false
  /// Whether the control looks pressed.
  open var isHighlighted = false
  /// Whether a finger is being followed.
  public private(set) final var isTracking = false
  /// Whether the finger that is followed counts as inside.
  public private(set) final var isTouchInside = false

  /// All that applies at present.
  open var state: State {
    var state = State.normal
    if isHighlighted { state.insert(.highlighted) }
    if !isEnabled { state.insert(.disabled) }
    if isSelected { state.insert(.selected) }
    return state
  }

  /// The touch whose way makes the events.
  private var leading: UITouch?
  /// Further touches that `beginTracking` has accepted.
  private var following: [UITouch] = []
  /// The touches that landed here while the control was enabled; `next` does not hear of them.
  private var own: [UITouch] = []
  /// The end of the leading touch, from when it is known until it has been sent.
  private var ending: Ending?
  /// Whether the leading touch is followed but `touchDown` has not been sent yet.
  private var owesDown = false
  /// Whether the last that was told of the leading touch is that it is inside.
  private var isToldInside = false
  /// Counts what becomes of the leading touch: after a call it tells whether there was more.
  private var step: UInt64 = 0
  var actions = ControlActions()
  /// What is being sent of a touch.
  var sending: Sending?

  /// Creates a control at a place in its future superview.
  public override init(frame: CGRect) { super.init(frame: frame) }

  /// Creates a control that runs an action when it does what it is mainly for.
  public convenience init(frame: CGRect = .zero, primaryAction: UIAction?) {
    self.init(frame: frame)
    if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
  }

  // MARK: For subclasses

  /// Tells whether a touch that landed is followed; true unless overridden.
  ///
  /// After a yes comes one call of `endTracking` or `cancelTracking`, also if the touch is over, or
  /// the control disabled, by the time of the answer; then no event is sent.
  open func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool { true }
  /// Tells whether a touch that moved is still followed; true unless overridden.
  open func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool { true }
  /// Tells that a touch is no longer followed; nil if no touch was the cause.
  open func endTracking(_ touch: UITouch?, with event: UIEvent?) {}
  /// Tells that the touch was taken away; the event is nil if none was the cause.
  open func cancelTracking(with event: UIEvent?) {}

  /// Calls one method; an override sees, and may stop, each call.
  open func sendAction(_ action: AnySelector, to target: AnyObject?, for event: UIEvent?) {
    (window?.application ?? .shared).sendAction(action, to: target, from: self, for: event)
  }

  /// Runs one action; an override sees, and may stop, each run.
  open func sendAction(_ action: UIAction) { action.run(from: self) }

  /// Does what the control is mainly for.
  open func performPrimaryAction() { sendActions(for: .primaryActionTriggered) }

  /// Does what a lift inside means.
  func liftedInside(_ event: UIEvent?) { send(.touchUpInside, with: event) }

  // MARK: Touches

  /// Begins to follow a touch that landed on the control itself.
  open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
    let mine = touches.filter { isEnabled && $0.view === self }
    let new = mine.filter { $0.viewProgress == .begun && !own.contains($0) }
    own.append(contentsOf: new.sorted { $0.contactID < $1.contactID })
    for touch in inOrder(new) { begin(touch, event) }
    passOn(touches.subtracting(mine)) { super.touchesBegan($0, with: event) }
  }

  /// Follows the touch.
  open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
    if touches.count == 1, let touch = touches.first, own.contains(touch) {
      return move(touch, event)
    }
    let mine = inOrder(touches)
    for touch in mine { move(touch, event) }
    passOn(touches.subtracting(mine)) { super.touchesMoved($0, with: event) }
  }

  /// Ends following the touch, inside or outside.
  open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
    let mine = inOrder(touches)
    own.removeAll { mine.contains($0) }
    for touch in mine { end(touch, event) }
    passOn(touches.subtracting(mine)) { super.touchesEnded($0, with: event) }
  }

  /// Gives up the touch.
  open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
    let mine = inOrder(touches)
    own.removeAll { mine.contains($0) }
    following.removeAll { mine.contains($0) }
    if let leading, mine.contains(leading) { cancel(event) }
    passOn(touches.subtracting(mine)) { super.touchesCancelled($0, with: event) }
  }

  private func passOn(_ touches: Set<UITouch>, to next: (Set<UITouch>) -> Void) {
    if !touches.isEmpty { next(touches) }
  }

  private func inOrder(_ touches: Set<UITouch>) -> [UITouch] {
    own.filter { touches.contains($0) }
  }

  // MARK: Tracking

  // Whatever is called here may run the queue, remove or disable the control. So what has been told
  // and what has not lies in the control: whoever comes next tells the rest first, and the steps that
  // are still on the stack find nothing left to do.

  /// An end of the leading touch that is under way.
  private struct Ending {
    let touch: UITouch
    let event: UIEvent?
    var result: Event
  }

  /// Whether a touch may be followed: it is still there, and so is its control.
  private func isThere(_ touch: UITouch) -> Bool { isEnabled && own.contains(touch) }

  /// Whether a touch leads, and its end is not under way.
  private func isLeading(_ touch: UITouch) -> Bool { leading === touch && ending == nil }

  private func begin(_ touch: UITouch, _ event: UIEvent?) {
    finish()
    guard isThere(touch), beginTracking(touch, with: event) else { return }
    guard isThere(touch) else { return disown(touch, event) }
    guard leading == nil else { return following.append(touch) }
    leading = touch
    isTracking = true
    isTouchInside = true
    isToldInside = true
    owesDown = true
    isHighlighted = true
    guard isLeading(touch) else { return }
    tellDown(event)
  }

  /// Takes back what `beginTracking` has agreed to too late.
  private func disown(_ touch: UITouch, _ event: UIEvent?) {
    if touch.phase == .ended {
      endTracking(touch, with: event)
    } else {
      cancelTracking(with: nil)
    }
  }

  private func tellDown(_ event: UIEvent?) {
    guard owesDown, let touch = leading else { return }
    owesDown = false
    send(.touchDown, with: event)
    if touch.tapCount > 1, isLeading(touch) { send(.touchDownRepeat, with: event) }
  }

  private func move(_ touch: UITouch, _ event: UIEvent?) {
    guard isLeading(touch) || following.contains(touch) else { return }
    guard continueTracking(touch, with: event) else { return leave(touch, event) }
    guard isLeading(touch) else { return }
    tellDown(event)
    guard isLeading(touch) else { return }
    step &+= 1
    let present = step
    let isInside = isInside(touch, event)
    guard step == present else { return }
    if isTouchInside != isInside {
      isTouchInside = isInside
      isHighlighted = isInside
    }
    if step == present, isToldInside != isInside {
      isToldInside = isInside
      send(isInside ? .touchDragEnter : .touchDragExit, with: event)
    }
    if step == present { send(isInside ? .touchDragInside : .touchDragOutside, with: event) }
  }

  /// Stops following a touch that goes on.
  private func leave(_ touch: UITouch, _ event: UIEvent?) {
    if isLeading(touch) {
      clear()
    } else if following.contains(touch) {
      following.removeAll { $0 === touch }
    } else {
      return
    }
    endTracking(touch, with: event)
  }

  private func end(_ touch: UITouch, _ event: UIEvent?) {
    guard isLeading(touch) else {
      guard following.contains(touch) else { return }
      following.removeAll { $0 === touch }
      return endTracking(touch, with: event)
    }
    tellDown(event)
    guard isLeading(touch) else { return }
    close(touch, as: isTouchInside ? .touchUpInside : .touchUpOutside, event)
    let isInside = isInside(touch, event)
    ending?.result = isInside ? .touchUpInside : .touchUpOutside
    endTracking(touch, with: event)
    finish()
  }

  /// Cancels what leads; an end that is under way stays what it is.
  private func cancel(_ event: UIEvent?) {
    guard let touch = leading, ending == nil else { return }
    tellDown(event)
    guard isLeading(touch) else { return }
    close(touch, as: .touchCancel, event)
    cancelTracking(with: event)
    finish()
  }

  /// Follows no touch any more, since the control was disabled.
  private func letAllGo() {
    let hadFollowing = !following.isEmpty
    following = []
    if leading != nil, ending == nil {
      cancel(nil)
    } else if hadFollowing {
      cancelTracking(with: nil)
    }
  }

  private func close(_ touch: UITouch, as result: Event, _ event: UIEvent?) {
    step &+= 1
    ending = Ending(touch: touch, event: event, result: result)
  }

  /// Tells of the end that is under way.
  private func finish() {
    guard let touch = ending?.touch else { return }
    if leading === touch { clear() }
    // Setting the highlight may have told of the end already.
    guard let ending, ending.touch === touch else { return }
    self.ending = nil
    if ending.result == .touchUpInside {
      liftedInside(ending.event)
    } else {
      send(ending.result, with: ending.event)
    }
  }

  private func clear() {
    step &+= 1
    leading = nil
    owesDown = false
    isTracking = false
    isTouchInside = false
    isHighlighted = false
  }

  /// Whether a tracked touch counts as inside: the control's own test, or near its bounds.
  private func isInside(_ touch: UITouch, _ event: UIEvent?) -> Bool {
    let place = touch.location(in: self)
    let margin = (window?.application ?? .shared).configuration.controlMargin
    return bounds.insetBy(dx: -margin, dy: -margin).contains(place)
      || self.point(inside: place, with: event)
  }
}
