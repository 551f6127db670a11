import Glibc
import TouchKit

/// Shows the way of a touch through a tree that is made to go wrong, with four switches.
///
/// Each touch prints its hit test, its entry into the app and its responders. The buttons in the
/// lower row hide the overlap, make it transparent, keep touches off it, and clip the middle.
@main
final class TouchProbe: UIApplicationDelegate {
  private let window = UIWindow(frame: UIScreen.main.bounds)

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    application.probe = .named {
      print($0)
      fflush(nil)  // Whoever reads along wants the line now.
    }
    window.rootViewController = ProbeController()
    window.makeKeyAndVisible()
    return true
  }
}

extension EventProbe {
  /// A probe that calls the views of this program by their names.
  static func named(_ write: @escaping @MainActor (String) -> Void) -> EventProbe {
    let probe = EventProbe(write: write)
    probe.name = { ($0 as? NamedView)?.name ?? "\(type(of: $0))" }
    return probe
  }
}

/// A view with a name. It handles no touch itself, so that each goes up the whole chain.
final class NamedView: UIView {
  let name: String

  init(_ name: String, _ frame: CGRect, in parent: UIView? = nil) {
    self.name = name
    super.init(frame: frame)
    parent?.addSubview(self)
  }
}

/// What a switch does; the raw value is the tag of its button.
enum Switch: Int, CaseIterable {
  case hidden = 1
  case alpha
  case interaction
  case clips
}

/// Root holds Middle, which holds Inner; Overlap was added last and lies in front.
///
///     Root 800 x 500
///     +-------------------------------------+
///     |  Middle                             |
///     |  +---------------+                  |
///     |  |        Inner  |                  |
///     |  |        +------+--------+         |   Inner reaches out of Middle
///     |  |     +--+------+---+    |         |
///     |  |     |  +------+---+----+         |
///     |  +-----+---------+   |              |
///     |        |   Overlap   |              |
///     |        +-------------+              |
///     +-------------------------------------+
final class ProbeController: UIViewController {
  let root = NamedView("Root", CGRect(x: 40, y: 40, width: 800, height: 500))
  let middle = NamedView("Middle", CGRect(x: 100, y: 100, width: 300, height: 200))
  let inner = NamedView("Inner", CGRect(x: 200, y: 50, width: 250, height: 80))
  let overlap = NamedView("Overlap", CGRect(x: 250, y: 200, width: 200, height: 200))
  private(set) var buttons: [UIButton] = []

  override func loadView() { view = NamedView("Screen", .zero) }

  override func viewDidLoad() {
    view.addSubview(root)
    root.addSubview(middle)
    middle.addSubview(inner)
    root.addSubview(overlap)
    for choice in Switch.allCases {
      let x = 40 + 200 * Double(choice.rawValue - 1)
      let button = UIButton(frame: CGRect(x: x, y: 600, width: 160, height: 80))
      button.tag = choice.rawValue
      button.addTarget(self, action: ProbeController.flip, for: .touchUpInside)
      view.addSubview(button)
      buttons.append(button)
    }
  }

  func flip(_ button: UIButton) {
    button.isSelected.toggle()
    let isOn = button.isSelected
    switch Switch(rawValue: button.tag) {
    case .hidden: overlap.isHidden = isOn
    case .alpha: overlap.alpha = isOn ? 0.005 : 1
    case .interaction: overlap.isUserInteractionEnabled = !isOn
    case .clips: middle.clipsToBounds = isOn
    case nil: break
    }
  }
}
