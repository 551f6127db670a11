/// Recognises one finger that is dragged in from an edge of the screen; continuous.
@MainActor
open class UIScreenEdgePanGestureRecognizer: UIPanGestureRecognizer {
  /// The edges that it may come from; none unless set.
  open var edges: UIRectEdge = []

  /// The set edges at which the finger landed.
  private var start: UIRectEdge = []

  /// Fails unless one finger lands at one of the edges.
  open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
    if actual == .possible {
      if tracked.count == 1, let touch = tracked.first { start = edges(at: touch) }
      if tracked.count > 1 || start.isEmpty {
        state = .failed
        return
      }
    }
    super.touchesBegan(touches, with: event)
  }

  private func edges(at touch: UITouch) -> UIRectEdge {
    guard let bounds = touch.window?.bounds else { return [] }
    let place = touch.location(in: nil)
    let width = limits.edgeWidth
    var near: UIRectEdge = []
    if place.x <= bounds.minX + width { near.insert(.left) }
    if place.x >= bounds.maxX - width { near.insert(.right) }
    if place.y <= bounds.minY + width { near.insert(.top) }
    if place.y >= bounds.maxY - width { near.insert(.bottom) }
    return near.intersection(edges)
  }

  // Inwards at least as far as sideways begins it; sideways first makes it another gesture.
  final override func judge(_ way: CGVector) -> Judgement {
    let least = limits.panHysteresis
    var isLost = true
    for (edge, inwards) in [
      (UIRectEdge.left, way.dx), (.right, -way.dx), (.top, way.dy), (.bottom, -way.dy),
    ] where start.contains(edge) {
      let isHorizontal = edge == .left || edge == .right
      let sideways = abs(isHorizontal ? way.dy : way.dx)
      if inwards >= least, inwards >= sideways { return .begins }
      if sideways < least || sideways <= inwards { isLost = false }
    }
    return isLost ? .fails : .waits
  }

  final override func forgetAttempt() {
    start = []
    super.forgetAttempt()
  }
}
