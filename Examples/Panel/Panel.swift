import Glibc
import TouchKit

/// A panel's app: a button, something to drag and pinch, and a list of what happened.
///
/// --json prints gestures as JSON lines and nothing else, --touches the touches too.
@main
final class Panel: UIApplicationDelegate {
  private let window = UIWindow(frame: UIScreen.main.bounds)

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    window.rootViewController = PanelController(journal: Journal())
    window.makeKeyAndVisible()
    return true
  }
}

/// What the app shows: a view for everything, with a button and a card on it.
final class PanelController: UIViewController {
  let journal: Journal
  let button = UIButton(frame: CGRect(x: 560, y: 40, width: 160, height: 80))
  let card = UIView(frame: CGRect(x: 400, y: 220, width: 480, height: 360))
  private var start = CGPoint.zero
  private var size = CGAffineTransform.identity

  init(journal: Journal) {
    self.journal = journal
    super.init()
  }

  override func viewDidLoad() {
    let doubleTap = add(UITapGestureRecognizer(), "doubleTap", to: view)
    doubleTap.numberOfTapsRequired = 2
    add(UITapGestureRecognizer(), "tap", to: view).require(toFail: doubleTap)
    add(UILongPressGestureRecognizer(), "longPress", to: view)
    add(UIPanGestureRecognizer(), "pan", to: card).addTarget(self, action: PanelController.drag)
    add(UIPinchGestureRecognizer(), "pinch", to: card)
      .addTarget(self, action: PanelController.pinch)
    button.addTarget(self, action: PanelController.press, for: .touchUpInside)
    card.isMultipleTouchEnabled = true
    view.isMultipleTouchEnabled = true
    view.addSubview(card)
    view.addSubview(button)
  }

  @discardableResult
  private func add<Recognizer: UIGestureRecognizer>(
    _ recognizer: Recognizer, _ name: String, to view: UIView
  ) -> Recognizer {
    recognizer.name = name
    recognizer.addTarget(self, action: PanelController.record)
    view.addGestureRecognizer(recognizer)
    return recognizer
  }

  func record(_ recognizer: UIGestureRecognizer) { journal.add(recognizer) }
  func press(_ sender: UIButton) { journal.add("the button was pressed") }

  func drag(_ pan: UIPanGestureRecognizer) {
    if pan.state == .began { start = card.center }
    let way = pan.translation(in: view)
    card.center = CGPoint(x: start.x + way.x, y: start.y + way.y)
  }

  func pinch(_ pinch: UIPinchGestureRecognizer) {
    if pinch.state == .began { size = card.transform }
    card.transform = size.scaledBy(x: pinch.scale, y: pinch.scale)
  }

  override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
    journal.add("began", touches)
  }
  override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
    journal.add("moved", touches)
  }
  override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
    journal.add("ended", touches)
  }
  override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
    journal.add("cancelled", touches)
  }
}

/// The list of what happened, which is printed as it grows.
@MainActor
final class Journal {
  private(set) var lines: [String] = []
  var isPrinting = true
  private let isJSON = CommandLine.arguments.contains("--json")
  private let showsTouches = CommandLine.arguments.contains("--touches")

  func add(_ recognizer: UIGestureRecognizer) {
    let line = GestureLine(recognizer, at: UIApplication.shared.eventTimeNanoseconds)
    let (x, y) = rounded(recognizer.location(in: nil))
    add("\(recognizer.name ?? "") \(recognizer.state.word) at \(x),\(y)", line)
  }

  func add(_ phase: String, _ touches: Set<UITouch>) {
    guard showsTouches else { return }
    for (x, y) in touches.map({ rounded($0.location(in: nil)) }).sorted(by: <) {
      add("touch \(phase) at \(x),\(y)", "{\"touch\":\"\(phase)\",\"x\":\(x),\"y\":\(y)}")
    }
  }

  private func rounded(_ place: CGPoint) -> (CGFloat, CGFloat) {
    ((place.x * 1_000).rounded() / 1_000, (place.y * 1_000).rounded() / 1_000)
  }

  func add(_ text: String, _ json: (any CustomStringConvertible)? = nil) {
    lines.append(text)
    if lines.count > 1_000 { lines.removeFirst() }
    guard isPrinting else { return }
    if let json, isJSON { print(json) } else if !isJSON { print(text) }
    fflush(nil)  // Whoever reads along wants the line now.
  }
}
