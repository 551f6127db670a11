import Testing
import TouchKit
import TouchModel
import TouchTestSupport

/// A view that logs which touches each call has, and does something once at a call.
final class NumberedView: UIView {
  let name: String
  let log: Log
  var onPhase: [UITouch.Phase: () -> Void] = [:]
  var onHitTest: (() -> Void)?

  init(_ name: String, _ log: Log, _ frame: CGRect) {
    self.name = name
    self.log = log
    super.init(frame: frame)
    isMultipleTouchEnabled = true
  }

  override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
    let body = onHitTest
    onHitTest = nil
    body?()
    return super.hitTest(point, with: event)
  }

  private func note(_ phase: UITouch.Phase, _ touches: Set<UITouch>) {
    let numbers = touches.map { $0.contactID }.sorted().map(String.init).joined(separator: ",")
    let phases = Set(touches.map(\.phase))
    log.add("\(name).\(phase) \(numbers)\(phases == [phase] ? "" : " as \(phases)")")
    if let body = onPhase.removeValue(forKey: phase) {
      body()
      log.add("\(name).\(phase) returns")
    }
  }

  override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
    note(.began, touches)
  }
  override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
    note(.moved, touches)
  }
  override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
    note(.ended, touches)
  }
  override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
    note(.cancelled, touches)
  }
}

/// Two windows side by side, two views in each, and fingers on all of them.
@MainActor
final class Table {
  let log = Log()
  let application = SpyApplication()
  let windows: [SpyWindow]
  let views: [NumberedView]
  private var milliseconds: UInt64 = 0

  init() {
    windows = (0..<2).map { [application] index in
      SpyWindow(
        frame: CGRect(x: Double(index) * 200, y: 0, width: 200, height: 100),
        application: application)
    }
    views = (0..<4).map { [log] index in
      let x = Double(index % 2) * 100
      return NumberedView("V\(index + 1)", log, CGRect(x: x, y: 0, width: 100, height: 100))
    }
    for (index, view) in views.enumerated() { windows[index / 2].addSubview(view) }
    for window in windows { window.isHidden = false }
  }

  /// Takes a frame in: contact n moves by so much from the left edge of view n.
  func frame(_ phase: ContactPhase, _ ids: UInt64..., by x: Double = 10) {
    milliseconds += 10
    let contacts = ids.map { contact($0, phase, Double(($0 - 1) % 4) * 100 + x) }
    application.enqueue(
      TouchFrame(timeNanoseconds: milliseconds * 1_000_000, contacts: contacts))
  }

  func run() { application.handleEventQueue() }

  func add(_ name: String, to view: UIView) -> LogRecognizer {
    let recognizer = LogRecognizer(log)
    recognizer.name = name
    recognizer.addTarget(log, action: Log.acted)
    view.addGestureRecognizer(recognizer)
    return recognizer
  }

  /// Does something and runs the queue, the first time that a recogniser asks whether it may begin.
  func asks(_ recognizer: UIGestureRecognizer, _ body: (() -> Void)?) -> LogDelegate {
    let delegate = LogDelegate(recognizer.name ?? "", log)
    delegate.logs = false
    var body = body
    delegate.onBegin = { [unowned self] in
      if let first = body {
        body = nil
        first()
        run()
      }
      log.add("asked")
    }
    recognizer.delegate = delegate
    return delegate
  }

  /// Runs the queue once more, which must bring nothing, and hands out what was logged.
  func lines() -> [String] {
    let lines = log.take()
    run()
    application.settle()
    #expect(log.take() == [])
    #expect(application.diagnostics == TouchDiagnostics())
    return lines
  }
}

/// Does something for a recogniser's action.
@MainActor
final class Runner {
  let body: (UIGestureRecognizer) -> Void
  init(_ body: @escaping (UIGestureRecognizer) -> Void) { self.body = body }
  func act(_ recognizer: UIGestureRecognizer) { body(recognizer) }
}
