extension UIView {
  // MARK: Asking

  /// Tells whether the view is this one or holds it, however deep.
  public final func isDescendant(of view: UIView) -> Bool {
    var candidate: UIView? = self
    while let present = candidate {
      if present === view { return true }
      candidate = present.superview
    }
    return false
  }

  /// The first view with a tag: this one or one below it.
  public final func viewWithTag(_ tag: Int) -> UIView? {
    if self.tag == tag { return self }
    for view in subviews {
      if let found = view.viewWithTag(tag) { return found }
    }
    return nil
  }

  // MARK: First responder

  /// Ends being first responder, of this view or of one below it.
  ///
  /// - Parameter force: whether one that refuses is not asked again but made to.
  /// - Returns: whether there was a first responder and it is none any more; it may have come back
  ///   as it heard of its end.
  @discardableResult
  public final func endEditing(_ force: Bool) -> Bool {
    guard let window, let responder = window.firstResponder, responder.isInside(self) else {
      return false
    }
    if !responder.resignFirstResponder(), force, window.firstResponder === responder {
      window.dropFirstResponder()
    }
    return window.firstResponder !== responder
  }

  // MARK: Changing

  /// Puts a view at a place in the order, 0 being the back-most.
  public final func insertSubview(_ view: UIView, at index: Int) {
    place(view) { min(max(0, index), $0.count) }
  }

  /// Puts a view in front of another one; in front of all if that is no subview.
  public final func insertSubview(_ view: UIView, aboveSubview siblingSubview: UIView) {
    place(view) { order in
      order.firstIndex { $0 === siblingSubview }.map { $0 + 1 } ?? order.count
    }
  }

  /// Puts a view behind another one; in front of all if that is no subview.
  public final func insertSubview(_ view: UIView, belowSubview siblingSubview: UIView) {
    place(view) { order in order.firstIndex { $0 === siblingSubview } ?? order.count }
  }

  /// Swaps the places of two subviews; an index out of range is ignored.
  public final func exchangeSubview(at index1: Int, withSubviewAt index2: Int) {
    guard subviews.indices.contains(index1), subviews.indices.contains(index2) else { return }
    subviews.swapAt(index1, index2)
  }

  /// Moves a subview to the front; touches on it go on.
  public final func bringSubviewToFront(_ view: UIView) {
    guard let index = subviews.firstIndex(where: { $0 === view }) else { return }
    subviews.append(subviews.remove(at: index))
  }

  /// Moves a subview to the back; touches on it go on.
  public final func sendSubviewToBack(_ view: UIView) {
    guard let index = subviews.firstIndex(where: { $0 === view }) else { return }
    subviews.insert(subviews.remove(at: index), at: 0)
  }

  func place(_ view: UIView, at index: ([UIView]) -> Int) {
    precondition(!isDescendant(of: view), "a view cannot be put into itself or its own subview")
    precondition(view.asWindow == nil, "a window is the root of its tree and has no superview")
    view.placements &+= 1
    let placement = view.placements
    // Even within the same window the view leaves it for a moment: its touches are cancelled.
    view.leave(for: self)
    guard mayStillTake(view, placement) else { return }
    let window = window
    if let window {
      view.willMoveTree(to: window)
      guard mayStillTake(view, placement) else { return view.settleControllers() }
    }
    subviews.insert(view, at: index(subviews))
    view.superview = self
    didAddSubview(view)
    guard view.isStill(in: self, placement) else { return }
    view.didMoveToSuperview()
    if window != nil, view.isStill(in: self, placement) { view.didMoveTree() }
  }

  /// Whether the hooks that were called meanwhile have left the view where it can be added.
  private func mayStillTake(_ view: UIView, _ placement: UInt64) -> Bool {
    view.superview == nil && view.placements == placement && !isDescendant(of: view)
  }

  /// Whether the hooks have left the view where it was put, without putting it there again.
  private func isStill(in superview: UIView, _ placement: UInt64) -> Bool {
    self.superview === superview && placements == placement
  }

  // Each hook may change the tree: what was found before it is looked at anew after it.
  func leave(for newSuperview: UIView?) {
    guard let old = superview else {
      if newSuperview != nil { willMove(toSuperview: newSuperview) }
      return
    }
    let placement = placements
    if let window { giveUp(in: window, placement) }
    guard isStill(in: old, placement) else { return }
    willMove(toSuperview: newSuperview)
    guard isStill(in: old, placement) else { return }
    let window = window
    if window != nil {
      willMoveTree(to: nil)
      guard isStill(in: old, placement) else { return settleControllers() }
    }
    old.willRemoveSubview(self)
    guard isStill(in: old, placement),
      let index = old.subviews.firstIndex(where: { $0 === self })
    else { return settleControllers() }
    old.subviews.remove(at: index)
    superview = nil
    if let window { giveUpWhatIsLeft(in: window) }
    guard superview == nil else { return settleControllers() }
    if newSuperview == nil { didMoveToSuperview() }
    if window != nil, superview == nil { didMoveTree() }
  }

  /// Lets touches, gestures and the first responder go, before the view goes.
  private func giveUp(in window: UIWindow, _ placement: UInt64) {
    window.application?.gestures.viewWillLeave(self, window)
    guard let old = superview, placements == placement, let responder = window.firstResponder,
      responder.isInside(self)
    else { return }
    responder.resignFirstResponder()
    guard isStill(in: old, placement), window.firstResponder === responder else { return }
    window.dropFirstResponder()
  }

  /// The same for what hooks have brought about since; from outside the window nothing comes back.
  private func giveUpWhatIsLeft(in window: UIWindow) {
    window.application?.gestures.viewWillLeave(self, window)
    // Who lost a touch may have put the view into the window again, or elsewhere.
    guard let responder = window.firstResponder, responder.responderWindow !== window else {
      return
    }
    window.dropFirstResponder()
  }

  private func willMoveTree(to window: UIWindow?) {
    controller?.willAppear(window?.isHidden == false)
    willMove(toWindow: window)
    for view in subviews { view.willMoveTree(to: window) }
  }

  private func didMoveTree() {
    didMoveToWindow()
    for view in subviews { view.didMoveTree() }
    controller?.didAppear(window?.isHidden == false)
  }
}

extension UIView {
  /// Tells the controllers of a tree that it is in sight, or out of it.
  func tellControllers(isInSight: Bool) {
    controller?.willAppear(isInSight)
    for view in subviews { view.tellControllers(isInSight: isInSight) }
    controller?.didAppear(isInSight)
  }

  /// Tells the controllers of a tree what became of a move that a hook has changed.
  func settleControllers() { tellControllers(isInSight: window?.isHidden == false) }
}

extension UIResponder {
  /// Whether the responder is a view in the tree below a view, or the controller of one.
  fileprivate func isInside(_ tree: UIView) -> Bool {
    if let view = self as? UIView { return view.isDescendant(of: tree) }
    return (self as? UIViewController)?.viewIfLoaded?.isDescendant(of: tree) == true
  }
}
