/// How a presented controller treats the views behind it.
public enum UIModalPresentationStyle: Int, Sendable {
  /// As `fullScreen`: there are no sheets without drawing.
  case automatic = -2
  /// The views behind leave the window; their touches are cancelled.
  case fullScreen = 0
  /// The views behind stay in the window, and get what the presented views let pass.
  case overFullScreen = 5
}

/// Where a view was before a presentation covered it.
struct CoveredPlace {
  weak var superview: UIView?
  var index: Int
}

extension UIViewController {
  var outermost: UIViewController {
    var controller = self
    while let parent = controller.parent { controller = parent }
    return controller
  }

  /// Whether the controller's view has a place: presented, with a parent, or as a window's root.
  private var isInUse: Bool { presenter != nil || parent != nil || rootWindow != nil }

  /// Presents a controller.
  ///
  /// - Returns: false, and nothing has happened, if it cannot be.
  func put(_ controller: UIViewController) -> Bool {
    guard presented == nil, !controller.isInUse, controller !== self,
      let window = viewIfLoaded?.window
    else { return false }
    presented = controller
    controller.presenter = self
    controller.isBeingPresented = true
    let covers = controller.modalPresentationStyle != .overFullScreen
    // As in UIKit: the one behind will disappear, the other appears, the one behind is gone.
    if covers { willAppear(false) }
    controller.view.frame = window.bounds
    window.addSubview(controller.view)
    controller.isBeingPresented = false
    // The hooks may have taken it away again, before its view was in the window.
    guard presented === controller else {
      if !controller.isInUse { controller.viewIfLoaded?.removeFromSuperview() }
      viewIfLoaded?.settleControllers()
      return true
    }
    if covers, let superview = viewIfLoaded?.superview {
      let index = superview.subviews.firstIndex { $0 === viewIfLoaded } ?? 0
      covered = CoveredPlace(superview: superview, index: index)
      viewIfLoaded?.removeFromSuperview()
    }
    return true
  }

  /// Ends the presentation over this controller, with all that lies over it.
  func takeAway() {
    guard let controller = presented else { return }
    controller.dropAll()
    controller.isBeingDismissed = true
    controller.willAppear(false)
    presented = nil
    uncover()
    controller.presenter = nil
    controller.viewIfLoaded?.removeFromSuperview()
    controller.isBeingDismissed = false
  }

  /// Takes away all that lies over a controller that goes away itself: it need not come back.
  private func dropAll() {
    guard let controller = presented else { return }
    controller.dropAll()
    presented = nil
    covered = nil
    controller.isBeingDismissed = true
    controller.presenter = nil
    controller.viewIfLoaded?.removeFromSuperview()
    controller.isBeingDismissed = false
  }

  private func uncover() {
    guard let place = covered else { return }
    covered = nil
    // The app may have put either of the two elsewhere meanwhile.
    guard let view = viewIfLoaded, view.superview == nil, let superview = place.superview,
      !superview.isDescendant(of: view)
    else { return }
    superview.insertSubview(view, at: place.index)
  }

  /// Leaves a window, if this is its root.
  func leaveRoot(of window: UIWindow) {
    guard rootWindow === window else { return }
    dropAll()
    // What it presented may have put it back as it went.
    guard window.rootViewController !== self else { return }
    rootWindow = nil
    viewIfLoaded?.removeFromSuperview()
  }
}
