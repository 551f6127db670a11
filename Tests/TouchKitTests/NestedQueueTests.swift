import Testing
import TouchKit
import TouchModel
import TouchTestSupport

/// A view that logs which touches each call has, and does something once at a call.
private final class NumberedView: UIView {
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
private final class Table {
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

@MainActor @Suite struct `The queue run by a handler` {
  @Test(arguments: [UITouch.Phase.began, .moved, .ended])
  func `PL-20: all views of the present event hear of it before any hears of the next`(
    _ phase: UITouch.Phase
  ) {
    let table = Table()
    table.views[3].onPhase[phase] = { table.run() }
    table.frame(.down, 1, 2, 3, 4)
    if phase != .began { table.run() }
    table.frame(.motion, 1, 2, 3, 4, by: 20)
    if phase == .ended { table.run() }
    table.frame(.up, 1, 2, 3, 4, by: 20)
    table.run()
    let began = ["V3.began 3", "V4.began 4", "V1.began 1", "V2.began 2"]
    let moved = ["V3.moved 3", "V4.moved 4", "V1.moved 1", "V2.moved 2"]
    let ended = ["V3.ended 3", "V4.ended 4", "V1.ended 1", "V2.ended 2"]
    var expected = began + moved + ended
    // It returns after all that was queued has been delivered.
    let first = expected.firstIndex(of: "V4.\(phase) 4").map { $0 + 1 } ?? 0
    expected.insert("V4.\(phase) returns", at: phase == .ended ? first + 2 : expected.count)
    #expect(table.lines() == expected)
  }

  @Test func `PL-20, DV-6: the phases that a view's other fingers have in the event come once`() {
    let table = Table()
    table.frame(.down, 1)
    table.run()
    table.views[0].onPhase[.began] = {
      table.frame(.motion, 1, 5, by: 40)
      table.run()
    }
    table.application.enqueue(
      TouchFrame(
        timeNanoseconds: 15_000_000, contacts: [contact(1, .motion, 30), contact(5, .down, 10)]))
    table.run()
    #expect(
      table.lines() == [
        "V1.began 1", "V1.began 5", "V1.moved 1", "V1.moved 1,5", "V1.began returns",
      ])
  }

  @Test func `PL-20: without a later event the present one is finished all the same`() {
    let table = Table()
    table.views[2].onPhase[.began] = { table.application.settle() }
    table.frame(.down, 1, 3)
    table.run()
    #expect(table.lines() == ["V3.began 3", "V1.began 1", "V3.began returns"])
  }

  @Test func `PL-20: a run within a run within a handler`() {
    let table = Table()
    table.views[2].onPhase[.began] = {
      table.frame(.motion, 1, 2, 3, 4, by: 20)
      table.run()
    }
    table.views[0].onPhase[.began] = {
      table.frame(.up, 1, 2, 3, 4, by: 20)
      table.run()
    }
    table.frame(.down, 1, 2, 3, 4)
    table.run()
    #expect(
      table.lines() == [
        "V3.began 3", "V4.began 4", "V1.began 1", "V2.began 2",
        "V3.moved 3", "V4.moved 4", "V1.moved 1", "V2.moved 2",
        "V3.ended 3", "V4.ended 4", "V1.ended 1", "V2.ended 2",
        "V1.began returns", "V3.began returns",
      ])
  }

  @Test func `PL-20: a button that is pressed and let go meanwhile acts once`() {
    let table = Table()
    let button = UIButton(frame: table.views[0].frame)
    button.tag = 7
    button.addTarget(table.log, action: Log.sent, for: .touchUpInside)
    table.windows[0].addSubview(button)
    table.views[2].onPhase[.began] = {
      table.frame(.up, 1, 3)
      table.run()
    }
    table.frame(.down, 1, 3)
    table.run()
    #expect(table.lines() == ["V3.began 3", "V3.ended 3", "7!", "V3.began returns"])
    #expect(!button.isTracking && !button.isHighlighted)
  }

  // MARK: Recognisers

  @Test func `PL-20, DV-1: recognisers hear of the present event before the next, each once`() {
    let table = Table()
    let first = table.add("A", to: table.views[0])
    _ = table.add("B", to: table.views[0])
    first.onBegan = { _, _, _ in
      table.run()
      table.log.add("A.tBegan returns")
    }
    table.frame(.down, 1)
    table.frame(.up, 1)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "B.tBegan{1}", "V1.began 1", "A.tEnded{1}", "B.tEnded{1}",
        // A may still decide otherwise, and holds back ends until then.
        "A.tBegan returns", "V1.ended 1",
      ])
  }

  @Test func `PL-20, GS-14: what a handler decides after its run still counts`() {
    let table = Table()
    let recognizer = table.add("A", to: table.views[0])
    recognizer.onEnded = {
      table.frame(.down, 2)
      table.run()
      $0.state = .ended
    }
    table.frame(.down, 1)
    table.frame(.up, 1)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "A.tEnded{1}", "V2.began 2", "A→ended", "V1.cancelled 1",
        "A.reset",
      ])
  }

  @Test func `PL-20, GS-13, GS-14: the queue run by an action`() {
    let table = Table()
    let pan = table.add("A", to: table.views[0])
    pan.onMoved = { $0.state = $0.state == .possible ? .began : .changed }
    pan.onEnded = { $0.state = .ended }
    let runner = Runner { recognizer in
      guard recognizer.state == .began else { return }
      table.frame(.up, 1, 2)
      table.run()
      table.log.add("returns, \(recognizer.state)")
    }
    pan.addTarget(runner, action: Runner.act)
    table.frame(.down, 1, 2)
    table.run()
    table.frame(.motion, 1, 2, by: 30)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "V2.began 2", "A.tMoved{1}", "A→began", "V1.cancelled 1",
        "V2.moved 2", "A.tEnded{1}", "A→ended", "V2.ended 2", "returns, ended", "A.reset",
      ])
    #expect(pan.state == .possible)
  }

  @Test(arguments: [true, false])
  func `PL-20, GQ-4: a finger that is lifted while the app is asked whether to begin`(
    _ mayBegin: Bool
  ) {
    let table = Table()
    let pan = table.add("A", to: table.views[0])
    pan.onMoved = { $0.state = .began }
    let delegate = LogDelegate("A", table.log)
    delegate.logs = false
    delegate.begins = mayBegin
    delegate.onBegin = {
      table.frame(.up, 1)
      table.run()
      table.log.add("asked")
    }
    pan.delegate = delegate
    table.frame(.down, 1)
    table.run()
    table.frame(.motion, 1, by: 30)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "A.tMoved{1}", "V1.moved 1", "A.tEnded{1}", "asked",
        "V1.ended 1", "A.reset",
      ])
    #expect(pan.state == .possible)
  }

  @Test func `PL-20, DV-18: a view that loses a touch runs the queue; the gesture goes on`() {
    let table = Table()
    let pan = table.add("A", to: table.views[0])
    pan.onMoved = { $0.state = $0.state == .possible ? .began : .changed }
    pan.onEnded = { $0.state = .ended }
    table.views[0].onPhase[.cancelled] = {
      table.frame(.motion, 1, 2, by: 40)
      table.frame(.up, 1, 2, by: 40)
      table.run()
    }
    table.frame(.down, 1, 2)
    table.run()
    table.frame(.motion, 1, 2, by: 30)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "V2.began 2",
        "A.tMoved{1}", "A→began", "V1.cancelled 1", "V2.moved 2",
        "A.tMoved{1}", "A→changed", "V2.moved 2",
        "A.tEnded{1}", "A→ended", "V2.ended 2", "A.reset", "V1.cancelled returns",
      ])
  }

  @Test func `PL-20, GX-16: a view that is told late is told of the way before what comes next`() {
    let table = Table()
    let recognizer = table.add("A", to: table.views[0])
    recognizer.delaysTouchesBegan = true
    var fails = false
    recognizer.onMoved = { if fails { $0.state = .failed } }
    var places: [CGFloat] = []
    let view = table.views[0]
    var touch: UITouch?
    recognizer.onBegan = { _, touches, _ in touch = touches.first }
    view.onPhase[.began] = {
      places.append(touch?.location(in: nil).x ?? 0)
      table.frame(.motion, 1, by: 60)
      table.run()
      places.append(touch?.location(in: nil).x ?? 0)
    }
    view.onPhase[.moved] = { places.append(touch?.location(in: nil).x ?? 0) }
    table.frame(.down, 1)
    table.run()
    table.frame(.motion, 1, by: 30)
    table.run()
    fails = true
    table.frame(.motion, 1, by: 40)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "A.tMoved{1}", "A.tMoved{1}", "V1.began 1",
        "V1.moved 1", "V1.moved returns", "A.reset", "V1.moved 1", "V1.began returns",
      ])
    #expect(places == [10, 40, 60])
  }

  @Test func `PL-20, GD-7: while a recogniser may be about to begin it takes no new finger`() {
    let table = Table()
    let pan = table.add("A", to: table.views[0])
    pan.onMoved = { if $0.state == .possible { $0.state = .began } }
    pan.onEnded = { $0.state = .ended }
    let delegate = table.asks(pan) { table.frame(.down, 5) }
    table.frame(.down, 1)
    table.run()
    table.frame(.motion, 1, by: 30)
    table.run()
    table.frame(.up, 1, 5)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "A.tMoved{1}", "V1.moved 1", "V1.began 5", "asked",
        "A→began", "V1.cancelled 1", "A.tEnded{1}", "A→ended", "V1.ended 5", "A.reset",
      ])
    _ = delegate
  }

  @Test func `PL-20: a gesture that is over before it may begin fails`() {
    let table = Table()
    let pan = table.add("A", to: table.views[0])
    pan.onMoved = { if $0.state == .possible { $0.state = .began } }
    pan.onEnded = { $0.state = .ended }
    let delegate = table.asks(pan) { table.frame(.up, 1) }
    table.frame(.down, 1, 5)
    table.run()
    table.frame(.motion, 1, by: 30)
    table.run()
    table.frame(.up, 5)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{2}", "V1.began 1,5", "A.tMoved{1}", "V1.moved 1", "A.tEnded{1}", "V1.ended 1",
        "asked", "A.reset", "V1.ended 5",
      ])
    _ = delegate
  }

  @Test func `PL-20, GS-14: taps that are decided meanwhile are not decided again`() {
    let table = Table()
    var delegates: [LogDelegate] = []
    for name in ["T1", "T2"] {
      let tap = UITapGestureRecognizer()
      tap.name = name
      tap.addTarget(table.log, action: Log.acted)
      table.views[0].addGestureRecognizer(tap)
      delegates.append(table.asks(tap, name == "T1" ? { table.frame(.down, 5) } : nil))
    }
    let outer = table.add("A", to: table.windows[0])
    outer.onEnded = { $0.state = .ended }
    delegates.append(table.asks(outer, nil))
    for delegate in delegates { delegate.together = true }
    table.frame(.down, 1)
    table.frame(.up, 1)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "A.tEnded{1}", "asked", "T2→ended", "V1.cancelled 1",
        "V1.began 5", "asked", "asked", "T1→ended", "A→ended", "A.reset",
      ])
    #expect(delegates.count == 3)
  }

  @Test func `PL-20, GS-14: a reset that runs the queue comes once`() {
    let table = Table()
    let recognizer = table.add("A", to: table.views[0])
    recognizer.onBegan = { recognizer, _, _ in recognizer.state = .failed }
    recognizer.onReset = {
      table.frame(.up, 1)
      table.run()
      table.log.add("A.reset returns")
    }
    table.frame(.down, 1)
    table.run()
    recognizer.onReset = {}
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "A.reset", "V1.ended 1", "A.reset returns",
      ])
  }

  @Test func `PL-20, GS-13: a later target of an action still sees the state that it reports`() {
    let table = Table()
    let pan = LogRecognizer(table.log)
    pan.name = "A"
    table.views[0].addGestureRecognizer(pan)
    pan.onMoved = { $0.state = $0.state == .possible ? .began : .changed }
    let runner = Runner { recognizer in
      guard recognizer.state == .began else { return }
      table.frame(.motion, 1, by: 40)
      table.run()
    }
    pan.addTarget(runner, action: Runner.act)
    pan.addTarget(table.log, action: Log.acted)
    table.frame(.down, 1)
    table.run()
    table.frame(.motion, 1, by: 30)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "A.tMoved{1}", "V1.cancelled 1", "A.tMoved{1}", "A→changed",
        "A→began",
      ])
  }

  // MARK: Outside of an event

  @Test func `PL-20, DV-14: a view that is removed runs the queue; its finger goes on elsewhere`() {
    let table = Table()
    let recognizer = table.add("A", to: table.windows[0])
    table.views[0].onPhase[.cancelled] = {
      table.frame(.down, 3)
      table.run()
    }
    table.frame(.down, 1)
    table.run()
    table.views[0].removeFromSuperview()
    table.frame(.motion, 1, by: 30)
    table.frame(.up, 1, 3)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "V1.cancelled 1", "V3.began 3", "V1.cancelled returns",
        "A.tMoved{1}", "V3.ended 3", "A.tEnded{1}",
      ])
    #expect(recognizer.state == .possible && recognizer.numberOfTouches == 0)
  }

  @Test func `PL-20, DV-14: a view that is removed cancels all touches; each is cancelled once`() {
    let table = Table()
    _ = table.add("A", to: table.windows[0])
    table.views[0].onPhase[.cancelled] = { table.application.cancelAllTouches() }
    table.frame(.down, 1, 3)
    table.run()
    table.views[0].removeFromSuperview()
    table.frame(.up, 1, 3)
    table.run()
    #expect(
      table.lines() == [
        "V3.began 3", "A.tBegan{1}", "V1.began 1", "V1.cancelled 1", "V3.cancelled 3",
        "A.tCancelled{1}", "A.reset", "V1.cancelled returns",
      ])
  }

  @Test func `PL-20, WN-15: a window that is hidden runs the queue; its fingers are over`() {
    let table = Table()
    let recognizer = table.add("A", to: table.views[0])
    table.views[0].onPhase[.cancelled] = {
      table.frame(.up, 1)
      table.run()
    }
    table.frame(.down, 1)
    table.run()
    table.windows[0].isHidden = true
    #expect(
      table.log.take() == [
        "A.tBegan{1}", "V1.began 1", "V1.cancelled 1", "V1.cancelled returns",
      ])
    table.application.settle()
    #expect(table.lines() == ["A.reset"])
    #expect(recognizer.state == .possible && recognizer.numberOfTouches == 0)
  }

  @Test func `PL-20, WN-15: a finger that lands in a window that is shown again meanwhile stays`() {
    let table = Table()
    _ = table.add("A", to: table.views[0])
    table.views[0].onPhase[.cancelled] = {
      table.windows[0].isHidden = false
      table.frame(.down, 2)
      table.frame(.up, 1)
      table.run()
    }
    table.frame(.down, 1)
    table.run()
    table.windows[0].isHidden = true
    table.frame(.up, 2)
    table.run()
    #expect(
      table.lines() == [
        "A.tBegan{1}", "V1.began 1", "V1.cancelled 1", "V2.began 2", "V1.cancelled returns",
        "V2.ended 2", "A.reset",
      ])
  }

  @Test func `GD-7: a window that is hidden while a delegate is asked leaves nothing behind`() {
    let table = Table()
    let recognizer = table.add("A", to: table.views[0])
    let delegate = LogDelegate("A", table.log)
    delegate.logs = false
    delegate.receives = { _ in
      table.windows[0].isHidden = true
      return true
    }
    recognizer.delegate = delegate
    table.frame(.down, 1)
    table.frame(.up, 1)
    table.run()
    #expect(table.lines() == [])
    #expect(recognizer.numberOfTouches == 0)
  }

  // MARK: While it is found out who gets a touch

  @Test func `PL-20: nothing is delivered within a hit test; it comes after it, in order`() {
    let table = Table()
    table.views[0].onHitTest = {
      table.run()
      table.application.settle()
      table.application.fireTimers(upTo: 5_000_000_000)
      #expect(table.application.nextDeadlineNanoseconds == nil)
      table.log.add("tested")
    }
    let press = UILongPressGestureRecognizer()
    table.views[3].addGestureRecognizer(press)
    table.frame(.down, 4)
    table.run()
    #expect(table.application.nextDeadlineNanoseconds == 510_000_000)
    table.frame(.down, 1, 3)
    table.frame(.up, 1, 3, 4)
    table.run()
    #expect(
      table.lines() == [
        "V4.began 4", "tested", "V3.began 3", "V1.began 1", "V4.ended 4", "V3.ended 3",
        "V1.ended 1",
      ])
  }

  @Test func `HT-30: a hit test that sends the event by itself sends nothing`() {
    let table = Table()
    var event: UIEvent?
    table.application.onSend = { event = $0 }
    table.views[2].onHitTest = { if let event { table.windows[0].sendEvent(event) } }
    table.frame(.down, 1)
    table.run()
    table.application.enqueue(
      TouchFrame(
        timeNanoseconds: 40_000_000,
        contacts: [contact(3, .down, 210), contact(1, .motion, 30)]))
    table.run()
    #expect(table.lines() == ["V1.began 1", "V3.began 3", "V1.moved 1"])
  }

  @Test func `PL-20, GD-7: nothing is delivered while a delegate is asked for a touch`() {
    let table = Table()
    let recognizer = table.add("A", to: table.views[0])
    let delegate = LogDelegate("A", table.log)
    delegate.logs = false
    delegate.receives = { _ in
      table.run()
      table.log.add("asked")
      return true
    }
    recognizer.delegate = delegate
    table.frame(.down, 1, 3)
    table.frame(.up, 1, 3)
    table.run()
    #expect(
      table.lines() == [
        "V3.began 3", "asked", "A.tBegan{1}", "V1.began 1", "V3.ended 3", "A.tEnded{1}",
        "V1.ended 1",
      ])
  }

  // MARK: Overrides of sendEvent

  @Test func `PL-20: the queue run by an override of the application's sendEvent`() {
    let table = Table()
    var isFirst = true
    table.application.onSend = { _ in
      guard isFirst else { return }
      isFirst = false
      table.run()
    }
    for (index, window) in table.windows.enumerated() {
      window.log = table.log
      window.name = "W\(index + 1)"
    }
    table.frame(.down, 1, 3)
    table.frame(.motion, 1, 3, by: 30)
    table.run()
    #expect(
      table.lines() == [
        "W2.sendEvent", "V3.began 3", "W1.sendEvent", "V1.began 1",
        "W2.sendEvent", "V3.moved 3", "W1.sendEvent", "V1.moved 1",
      ])
  }

  @Test func `PL-20: the queue run by an override of a window's sendEvent`() {
    let table = Table()
    table.windows[1].onSend = {
      table.windows[1].onSend = {}
      table.run()
    }
    table.frame(.down, 1, 3)
    table.frame(.up, 1, 3)
    table.run()
    #expect(table.lines() == ["V3.began 3", "V1.began 1", "V3.ended 3", "V1.ended 1"])
  }

  @Test func `DV-1: a handler hands the event to another window; each view hears of it once`() {
    let table = Table()
    var event: UIEvent?
    table.application.onSend = { event = $0 }
    table.views[2].onPhase[.began] = {
      if let event { table.windows[0].sendEvent(event) }
    }
    table.frame(.down, 1, 2, 3, 4)
    table.run()
    #expect(
      table.lines() == [
        "V3.began 3", "V4.began 4", "V1.began 1", "V2.began 2", "V3.began returns",
      ])
  }

  // MARK: What is put off

  @Test func `PL-20: a cancel that is put off takes place in the next run`() {
    let table = Table()
    table.views[2].onPhase[.began] = {
      table.application.cancelAllTouches()
      table.log.add("requested")
      table.application.settle()
    }
    table.frame(.down, 1, 3)
    table.run()
    #expect(
      table.lines() == [
        "V3.began 3", "requested", "V1.began 1", "V3.cancelled 3", "V1.cancelled 1",
        "V3.began returns",
      ])
  }

  @Test func `PL-20, WN-12: so does a change of the app's state`() {
    let table = Table()
    table.views[2].onPhase[.began] = {
      table.application.transition(to: .inactive)
      table.log.add("\(table.application.applicationState)")
      table.application.settle()
      table.log.add("\(table.application.applicationState)")
    }
    table.frame(.down, 1, 3)
    table.run()
    #expect(
      table.lines() == [
        "V3.began 3", "active", "V1.began 1", "V3.cancelled 3", "V1.cancelled 1", "inactive",
        "V3.began returns",
      ])
  }

  @Test func `PL-20: a contact that ousts another while the first one's view runs the queue`() {
    let table = Table()
    table.views[0].onPhase[.cancelled] = {
      table.application.enqueue(
        TouchFrame(
          timeNanoseconds: 90_000_000,
          contacts: [contact(1, .up, 10), contact(5, .up, 10, slot: 1)]
        ))
      table.run()
    }
    table.frame(.down, 1)
    table.run()
    table.application.enqueue(
      TouchFrame(timeNanoseconds: 50_000_000, contacts: [contact(5, .down, 10, slot: 1)]))
    table.run()
    let lines = table.log.take()
    #expect(
      lines == [
        "V1.began 1", "V1.cancelled 1", "V1.began 5", "V1.ended 5", "V1.cancelled returns",
      ])
    #expect(table.application.diagnostics.unlawfulContacts == 1)
  }
}

/// Does something for a recogniser's action.
@MainActor
private final class Runner {
  let body: (UIGestureRecognizer) -> Void
  init(_ body: @escaping (UIGestureRecognizer) -> Void) { self.body = body }
  func act(_ recognizer: UIGestureRecognizer) { body(recognizer) }
}
