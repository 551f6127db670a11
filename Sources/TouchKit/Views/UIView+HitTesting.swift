extension UIView {
  /// The smallest alpha, exclusive, with which a view takes touches.
  static var leastTouchableAlpha: CGFloat { 0.01 }

  /// Whether the view itself lets touches through to its test; ancestors are not looked at.
  var takesTouches: Bool {
    isUserInteractionEnabled && !isHidden && alpha > Self.leastTouchableAlpha
      && !isHeldByAnimation
  }

  /// The front-most view at a point, this one or one that it holds, as if asked from outside.
  func frontMostView(at point: CGPoint, with event: UIEvent?) -> UIView? {
    guard takesTouches, isInside(point, event) else { return nil }
    // The array is held while it is walked, so that an override may change the tree.
    let views = subviews
    var index = views.count
    while index > 0 {
      index -= 1
      let view = views[index]
      // An excluded view is not asked at all: an override of hitTest on it has no effect.
      guard view.takesTouches, !view.isTransformed || view.transform.isInvertible else { continue }
      if let hit = view.hit(at: view.fromSuperview(point), with: event) { return hit }
    }
    return self
  }

  /// Asks for the view at a point, and lets the event's probe see it.
  func hit(at point: CGPoint, with event: UIEvent?) -> UIView? {
    guard let probe = event?.probe else { return hitTest(point, with: event) }
    return probe.hitTest(self, point) { hitTest(point, with: event) }
  }

  private func isInside(_ point: CGPoint, _ event: UIEvent?) -> Bool {
    guard let probe = event?.probe else { return self.point(inside: point, with: event) }
    return probe.pointInside(self, point) { self.point(inside: point, with: event) }
  }
}
