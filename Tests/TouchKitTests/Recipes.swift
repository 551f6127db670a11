// The code of docs/recipes.md, word for word; a test compares them.

import TouchKit

final class OverflowView: UIView {
  weak var overflowing: UIView?

  override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
    if super.point(inside: point, with: event) { return true }
    guard let child = overflowing, child.superview === self else { return false }
    return child.hitTest(convert(point, to: child), with: event) != nil
  }
}

final class RoomyButton: UIButton {
  var touchMargin: CGFloat = 10

  override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
    bounds.insetBy(dx: -touchMargin, dy: -touchMargin).contains(point)
  }
}

@MainActor
func makePassThrough(_ overlay: UIView) {
  overlay.isUserInteractionEnabled = false
}

class BlankPassingView: UIView {
  override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
    let hit = super.hitTest(point, with: event)
    return hit === self ? nil : hit
  }
}

final class BlankPassingWindow: UIWindow {
  override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
    let hit = super.hitTest(point, with: event)
    return hit === self || hit === rootViewController?.viewIfLoaded ? nil : hit
  }
}

extension UIView {
  /// The control that the view is, or lies in.
  var enclosingControl: UIControl? {
    var candidate: UIView? = self
    while let view = candidate {
      if let control = view as? UIControl { return control }
      candidate = view.superview
    }
    return nil
  }
}

final class BackgroundTap: UIGestureRecognizerDelegate {
  func gestureRecognizer(
    _ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch
  ) -> Bool {
    touch.view?.enclosingControl == nil
  }
}

class RowController: UIViewController {
  var opened: [Int] = []

  func openRow(_ sender: UIButton) { opened.append(sender.tag) }
}

final class RowCell: UIView {
  let button = UIButton(frame: CGRect(x: 10, y: 10, width: 80, height: 40))

  override init(frame: CGRect) {
    super.init(frame: frame)
    button.addTarget(nil, action: RowController.openRow, for: .touchUpInside)
    addSubview(button)
  }
}

class TapKeepingControl: UIControl {
  override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
    guard gestureRecognizer.view !== self, let tap = gestureRecognizer as? UITapGestureRecognizer
    else { return super.gestureRecognizerShouldBegin(gestureRecognizer) }
    return tap.numberOfTapsRequired > 1 || tap.numberOfTouchesRequired > 1
  }
}
