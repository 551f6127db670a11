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
    // Even within the same window the view leaves it for a moment: its touches are cancelled.
    view.leave(for: self)
    guard view.superview == nil else { return }  // a handler has put it elsewhere meanwhile
    let window = window
    if let window { view.willMoveTree(to: window) }
    subviews.insert(view, at: index(subviews))
    view.superview = self
    didAddSubview(view)
    view.didMoveToSuperview()
    if window != nil { view.didMoveTree() }
  }

  func leave(for newSuperview: UIView?) {
    let window = window
    guard let old = superview else {
      if newSuperview != nil { willMove(toSuperview: newSuperview) }
      return
    }
    if let window {
      window.application?.gestures.viewWillLeave(self, window)
      if window.firstResponder?.isInside(self) == true { window.dropFirstResponder() }
    }
    // The handlers that the cancelling called may have moved the view already.
    guard superview === old, let index = old.subviews.firstIndex(where: { $0 === self }) else {
      return
    }
    willMove(toSuperview: newSuperview)
    if window != nil { willMoveTree(to: nil) }
    old.willRemoveSubview(self)
    old.subviews.remove(at: index)
    superview = nil
    if newSuperview == nil { didMoveToSuperview() }
    if window != nil { didMoveTree() }
  }

  private func willMoveTree(to window: UIWindow?) {
    willMove(toWindow: window)
    for view in subviews { view.willMoveTree(to: window) }
  }

  private func didMoveTree() {
    didMoveToWindow()
    for view in subviews { view.didMoveTree() }
  }
}

extension UIResponder {
  /// Whether the responder is a view in the tree below a view, or the controller of one.
  fileprivate func isInside(_ tree: UIView) -> Bool {
    if let view = self as? UIView { return view.isDescendant(of: tree) }
    return (self as? UIViewController)?.viewIfLoaded?.isDescendant(of: tree) == true
  }
}
