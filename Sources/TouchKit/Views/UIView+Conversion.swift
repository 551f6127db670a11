extension UIView {
  // MARK: One step

  /// Where a point of this view lies in its superview.
  func toSuperview(_ point: CGPoint) -> CGPoint {
    let (bounds, center) = (bounds, center)
    let x = point.x - (bounds.origin.x + bounds.size.width * anchorPoint.x)
    let y = point.y - (bounds.origin.y + bounds.size.height * anchorPoint.y)
    guard isTransformed else { return CGPoint(x: center.x + x, y: center.y + y) }
    let t = transform
    return CGPoint(
      x: center.x + t.a * x + t.c * y + t.tx, y: center.y + t.b * x + t.d * y + t.ty)
  }

  /// Where a point of the superview lies in this view.
  func fromSuperview(_ point: CGPoint) -> CGPoint {
    let (bounds, center) = (bounds, center)
    var local = CGPoint(x: point.x - center.x, y: point.y - center.y)
    if isTransformed { local = local.applying(transform.inverted()) }
    return CGPoint(
      x: local.x + bounds.origin.x + bounds.size.width * anchorPoint.x,
      y: local.y + bounds.origin.y + bounds.size.height * anchorPoint.y)
  }

  // MARK: Whole ways

  var root: UIView {
    var view = self
    while let superview = view.superview { view = superview }
    return view
  }

  var depth: Int {
    var count = 0
    var view = self
    while let superview = view.superview {
      view = superview
      count += 1
    }
    return count
  }

  private func up(_ point: CGPoint, to ancestor: UIView?) -> CGPoint {
    var point = point
    var view = self
    while view !== ancestor {
      point = view.toSuperview(point)
      guard let superview = view.superview else { break }
      view = superview
    }
    return point
  }

  private func down(_ point: CGPoint, from ancestor: UIView?) -> CGPoint {
    if self === ancestor { return point }
    guard let superview else { return fromSuperview(point) }
    return fromSuperview(superview.down(point, from: ancestor))
  }

  private func commonAncestor(with other: UIView) -> UIView? {
    var one: UIView? = self
    var two: UIView? = other
    var difference = depth - other.depth
    while difference > 0 {
      one = one?.superview
      difference -= 1
    }
    while difference < 0 {
      two = two?.superview
      difference += 1
    }
    while one !== two {
      one = one?.superview
      two = two?.superview
    }
    return one
  }

  // Without a common ancestor the way goes through the coordinates that both roots lie in: the
  // screen, where both are windows.
  private func way(_ point: CGPoint, to other: UIView) -> CGPoint {
    let ancestor = commonAncestor(with: other)
    return other.down(up(point, to: ancestor), from: ancestor)
  }

  /// The base that nil stands for: the window's coordinates, and the screen's for a window itself.
  private func base(_ point: CGPoint) -> CGPoint { up(point, to: asWindow == nil ? root : nil) }

  private func fromBase(_ point: CGPoint) -> CGPoint {
    down(point, from: asWindow == nil ? root : nil)
  }

  // MARK: Public

  /// Where a point of this view lies in another; nil is the window, and for a window the screen.
  public final func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
    guard let view else { return base(point) }
    return way(point, to: view)
  }

  /// Where a point of another view lies in this one; nil is the window, and for a window the screen.
  public final func convert(_ point: CGPoint, from view: UIView?) -> CGPoint {
    guard let view else { return fromBase(point) }
    return view.way(point, to: self)
  }

  /// The rectangle, in another view, around a rectangle of this one.
  public final func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
    rect.boundingBox { convert($0, to: view) }
  }

  /// The rectangle, in this view, around a rectangle of another one.
  public final func convert(_ rect: CGRect, from view: UIView?) -> CGRect {
    rect.boundingBox { convert($0, from: view) }
  }

}
