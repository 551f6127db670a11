import TouchKit
import TouchTestSupport

/// What a test looks at: an application of its own, a full-size window, and a log of what happens.
@MainActor
final class Stage {
  let log = Log()
  let application: UIApplication
  let window: UIWindow

  init(
    width: Double = 400, height: Double = 800,
    window make: ((CGRect, UIApplication) -> UIWindow)? = nil
  ) {
    application = UIApplication()
    let frame = CGRect(x: 0, y: 0, width: width, height: height)
    window = make?(frame, application) ?? UIWindow(frame: frame, application: application)
    window.makeKeyAndVisible()
  }

  /// Adds a view whose touches are logged.
  @discardableResult
  func view(
    _ name: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
    in parent: UIView? = nil
  ) -> LogView {
    let view = LogView(name, log, CGRect(x: x, y: y, width: width, height: height))
    (parent ?? window).addSubview(view)
    return view
  }

  /// Adds a recogniser whose actions are logged.
  @discardableResult
  func add<G: UIGestureRecognizer>(
    _ recognizer: G, _ name: String, to view: UIView, _ set: (G) -> Void = { _ in }
  ) -> G {
    recognizer.name = name
    recognizer.addTarget(log, action: Log.acted)
    set(recognizer)
    view.addGestureRecognizer(recognizer)
    return recognizer
  }

  func play(_ script: TouchScript) { script.play(into: window) }

  private var kept: [AnyObject] = []

  /// Keeps a delegate, which its recogniser does not.
  func keep(_ object: AnyObject) { kept.append(object) }

  /// Gives a recogniser a delegate that answers as told.
  @discardableResult
  func delegate(
    _ recognizer: UIGestureRecognizer, logs: Bool = false, _ set: (LogDelegate) -> Void = { _ in }
  ) -> LogDelegate {
    let delegate = LogDelegate(recognizer.name ?? "?", log)
    delegate.logs = logs
    set(delegate)
    recognizer.delegate = delegate
    keep(delegate)
    return delegate
  }
}

/// A stage with one view and recognisers that do what a test says.
@MainActor
final class Ring {
  let stage = Stage()
  let view: LogView

  init() { view = stage.view("V", 0, 0, 300, 300) }

  func add(_ name: String, to other: UIView? = nil) -> LogRecognizer {
    stage.add(LogRecognizer(stage.log), name, to: other ?? view)
  }

  /// The actions, without touches and resets.
  func actions() -> [String] { stage.log.take().filter { $0.contains("→") } }
}

@MainActor
final class Log {
  var lines: [String] = []

  func add(_ line: String) { lines.append(line) }

  func acted(_ recognizer: UIGestureRecognizer) {
    add("\(recognizer.name ?? "?")→\(recognizer.state)")
  }

  func sent(_ control: UIControl, _ event: UIEvent?) { add("\(control.tag)!") }

  /// What was logged since the last call.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

final class LogView: UIView {
  let name: String
  let log: Log
  var forwards = false
  var onBegan: () -> Void = {}
  /// Called with each touch of each call.
  var onTouch: (UITouch) -> Void = { _ in }
  var shouldBegin: (UIGestureRecognizer) -> Bool = { _ in true }

  init(_ name: String, _ log: Log, _ frame: CGRect) {
    self.name = name
    self.log = log
    super.init(frame: frame)
  }

  override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
    log.add("\(name).began{\(touches.count)}")
    onBegan()
    each(touches)
    if forwards { super.touchesBegan(touches, with: event) }
  }

  override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
    log.add("\(name).moved{\(touches.count)}")
    each(touches)
    if forwards { super.touchesMoved(touches, with: event) }
  }

  override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
    log.add("\(name).ended{\(touches.count)}")
    each(touches)
    if forwards { super.touchesEnded(touches, with: event) }
  }

  override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
    log.add("\(name).cancelled{\(touches.count)}")
    each(touches)
    if forwards { super.touchesCancelled(touches, with: event) }
  }

  private func each(_ touches: Set<UITouch>) { for touch in touches { onTouch(touch) } }

  override func gestureRecognizerShouldBegin(_ recognizer: UIGestureRecognizer) -> Bool {
    shouldBegin(recognizer)
  }
}

/// A recogniser that logs its touches and does what a test tells it to.
final class LogRecognizer: UIGestureRecognizer {
  let log: Log
  var onBegan: (LogRecognizer, Set<UITouch>, UIEvent) -> Void = { _, _, _ in }
  var onMoved: (LogRecognizer) -> Void = { _ in }
  var onEnded: (LogRecognizer) -> Void = { _ in }
  var onReset: () -> Void = {}
  var prevents: (UIGestureRecognizer) -> Bool = { _ in true }
  var prevented: (UIGestureRecognizer) -> Bool = { _ in true }
  var requires: (UIGestureRecognizer) -> Bool = { _ in false }

  init(_ log: Log) {
    self.log = log
    super.init()
  }

  private func note(_ what: String, _ touches: Set<UITouch>) {
    log.add("\(name ?? "?").\(what){\(touches.count)}")
  }

  override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
    note("tBegan", touches)
    onBegan(self, touches, event)
  }

  override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
    note("tMoved", touches)
    onMoved(self)
  }

  override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
    note("tEnded", touches)
    onEnded(self)
  }

  override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
    note("tCancelled", touches)
    state = state == .possible ? .failed : .cancelled
  }

  override func reset() {
    log.add("\(name ?? "?").reset")
    onReset()
  }

  override func canPrevent(_ other: UIGestureRecognizer) -> Bool { prevents(other) }
  override func canBePrevented(by other: UIGestureRecognizer) -> Bool { prevented(other) }
  override func shouldRequireFailure(of other: UIGestureRecognizer) -> Bool { requires(other) }
}

/// A delegate that answers as a test tells it to, and logs what it was asked.
final class LogDelegate: UIGestureRecognizerDelegate {
  let name: String
  let log: Log
  var begins = true
  var onBegin: () -> Void = {}
  var receives: (UITouch) -> Bool = { _ in true }
  var receivesEvent = true
  var together = false
  var requires: (UIGestureRecognizer) -> Bool = { _ in false }
  var required: (UIGestureRecognizer) -> Bool = { _ in false }
  var logs = true

  init(_ name: String, _ log: Log) {
    self.name = name
    self.log = log
  }

  private func note(_ what: String) { if logs { log.add("\(name)?\(what)") } }

  func gestureRecognizerShouldBegin(_ recognizer: UIGestureRecognizer) -> Bool {
    note("begin")
    onBegin()
    return begins
  }

  func gestureRecognizer(_ one: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
    note("touch")
    return receives(touch)
  }

  func gestureRecognizer(_ one: UIGestureRecognizer, shouldReceive event: UIEvent) -> Bool {
    note("event")
    return receivesEvent
  }

  func gestureRecognizer(
    _ one: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
  ) -> Bool {
    note("with \(other.name ?? "?")")
    return together
  }

  func gestureRecognizer(
    _ one: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
  ) -> Bool { requires(other) }

  func gestureRecognizer(
    _ one: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
  ) -> Bool { required(other) }
}

func at(_ x: Double, _ y: Double) -> CGPoint { CGPoint(x: x, y: y) }
