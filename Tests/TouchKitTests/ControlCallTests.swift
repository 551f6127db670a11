import Testing
import TouchKit
import TouchModel

/// A button that logs what it is asked and told, and does what a test says at a call.
private final class EagerButton: UIButton {
  let log: Log
  var onBegin: () -> Void = {}
  var onContinue: () -> Bool = { true }
  var onEnd: () -> Void = {}
  var onCancel: () -> Void = {}
  var onHighlight: (Bool) -> Void = { _ in }
  var onPoint: () -> Void = {}

  init(_ log: Log) {
    self.log = log
    super.init(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
    for (event, name) in controlEventNames {
      addAction(UIAction { _ in log.add(name) }, for: event)
    }
  }

  override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
    log.add("begin \(touch.contactID)")
    onBegin()
    return true
  }

  override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool { onContinue() }

  override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
    log.add("end \(touch?.contactID ?? 0)")
    onEnd()
  }

  override func cancelTracking(with event: UIEvent?) {
    log.add("cancel")
    onCancel()
  }

  override var isHighlighted: Bool { didSet { onHighlight(isHighlighted) } }

  override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
    onPoint()
    return super.point(inside: point, with: event)
  }
}

private let controlEventNames: [(UIControl.Event, String)] = [
  (.touchDown, "down"), (.touchDownRepeat, "repeat"), (.touchDragInside, "inside"),
  (.touchDragOutside, "outside"), (.touchDragEnter, "enter"), (.touchDragExit, "exit"),
  (.touchUpInside, "up"), (.touchUpOutside, "up outside"), (.touchCancel, "touch cancel"),
  (.primaryActionTriggered, "primary"),
]

/// A button and fingers on it.
@MainActor
private final class Desk {
  let stage = Stage()
  let button: EagerButton
  private var time: UInt64 = 1_000_000_000

  init() {
    button = EagerButton(stage.log)
    stage.window.addSubview(button)
  }

  /// Hands a frame in which fingers do the same, and does what a turn of the loop does.
  func play(_ phase: ContactPhase, _ ids: UInt64..., at x: Double = 10) {
    time += 1_000_000_000
    let contacts = ids.map { id in
      Contact(id: id, slot: Int32(id), phase: phase, position: Point(x: x, y: 10))
    }
    stage.application.enqueue(TouchFrame(timeNanoseconds: time, contacts: contacts))
    stage.application.handleEventQueue()
    stage.application.settle()
  }

  /// Does something at the first event of a kind.
  func once(at event: UIControl.Event, _ body: @escaping () -> Void) {
    let log = stage.log
    var body: (() -> Void)? = body
    button.addAction(
      UIAction { _ in
        guard let first = body else { return }
        body = nil
        first()
        log.add("goes on")
      }, for: event)
  }

  /// What was logged; the button must be at rest.
  func take(isAtRest: Bool = true) -> [String] {
    if isAtRest { #expect(!button.isTracking && !button.isHighlighted && !button.isTouchInside) }
    return stage.log.take()
  }

  /// Taps once more, which must work as if nothing had been.
  func checkTap(_ id: UInt64 = 9) {
    play(.down, id)
    #expect(button.isTracking && button.isHighlighted && button.isTouchInside)
    play(.up, id)
    #expect(take() == ["begin \(id)", "down", "end \(id)", "up", "primary"])
  }
}

@MainActor @Suite struct `Controls and what is done in their calls` {
  // MARK: beginTracking

  @Test func `CT-18: removed by beginTracking, a control follows nothing`() {
    let desk = Desk()
    desk.button.onBegin = { desk.button.removeFromSuperview() }
    desk.play(.down, 1)
    #expect(desk.take() == ["begin 1", "cancel"])
    desk.play(.up, 1)
    #expect(desk.take() == [])
    desk.button.onBegin = {}
    desk.stage.window.addSubview(desk.button)
    desk.checkTap()
  }

  @Test func `CT-5: a finger that is lifted within beginTracking is not followed`() {
    let desk = Desk()
    desk.button.onBegin = { desk.play(.up, 1) }
    desk.play(.down, 1)
    #expect(desk.take() == ["begin 1", "end 1"])
    desk.button.onBegin = {}
    desk.checkTap()
  }

  @Test func `CT-14: a finger that is taken away within beginTracking is not followed`() {
    let desk = Desk()
    desk.button.onBegin = { desk.play(.cancel, 1) }
    desk.play(.down, 1)
    #expect(desk.take() == ["begin 1", "cancel"])
    desk.button.onBegin = {}
    desk.checkTap()
  }

  @Test func `CT-3, CT-17: disabled by beginTracking, a control follows nothing`() {
    let desk = Desk()
    desk.button.onBegin = { desk.button.isEnabled = false }
    desk.play(.down, 1)
    #expect(desk.take() == ["begin 1", "cancel"])
    desk.play(.up, 1)
    #expect(desk.take() == [])
    desk.button.onBegin = {}
    desk.button.isEnabled = true
    desk.checkTap()
  }

  @Test func `CT-5: a subclass that runs the queue before the control hears of the touch`() {
    final class Late: UIButton {
      var before: () -> Void = {}
      override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        before()
        super.touchesBegan(touches, with: event)
      }
    }
    let desk = Desk()
    let late = Late(frame: CGRect(x: 200, y: 0, width: 100, height: 100))
    late.before = { desk.play(.up, 1, at: 250) }
    desk.stage.window.addSubview(late)
    desk.play(.down, 1, at: 250)
    #expect(!late.isTracking && !late.isHighlighted && desk.take() == [])
  }

  // MARK: touchDown

  @Test func `CT-16, CT-18: removed at touchDown, with a second finger in the same frame`() {
    let desk = Desk()
    desk.button.isMultipleTouchEnabled = true
    desk.once(at: .touchDown) { desk.button.removeFromSuperview() }
    desk.play(.down, 1, 2)
    #expect(desk.take() == ["begin 1", "down", "cancel", "touch cancel", "goes on"])
    desk.play(.up, 1, 2)
    #expect(desk.take() == [])
    desk.stage.window.addSubview(desk.button)
    desk.checkTap()
  }

  @Test func `CT-16, CT-17: disabled at touchDown, with a second finger in the same frame`() {
    let desk = Desk()
    desk.button.isMultipleTouchEnabled = true
    desk.once(at: .touchDown) { desk.button.isEnabled = false }
    desk.play(.down, 1, 2)
    #expect(desk.take() == ["begin 1", "down", "cancel", "touch cancel", "goes on"])
    desk.play(.up, 1, 2)
    #expect(desk.take() == [])
    desk.button.isEnabled = true
    desk.checkTap()
  }

  @Test func `CT-16, PL-20: two fingers of one frame are lifted within touchDown`() {
    let desk = Desk()
    desk.button.isMultipleTouchEnabled = true
    desk.once(at: .touchDown) { desk.play(.up, 1, 2) }
    desk.play(.down, 1, 2)
    #expect(desk.take() == ["begin 1", "down", "end 1", "up", "primary", "goes on"])
    desk.checkTap()
  }

  @Test func `AC-2, PL-20: who is called after one that runs the queue hears all in order, too`() {
    let desk = Desk()
    let log = desk.stage.log
    desk.once(at: .touchDown) { desk.play(.up, 1) }
    for event in [UIControl.Event.touchDown, .touchUpInside] {
      desk.button.addAction(
        UIAction { _ in log.add(event == .touchDown ? "last down" : "last up") }, for: event)
    }
    desk.play(.down, 1)
    #expect(
      desk.take() == [
        "begin 1", "down", "end 1", "last down", "up", "last up", "primary", "goes on",
      ])
  }

  @Test func `AC-6: actions that a handler sends are called before it goes on`() {
    let desk = Desk()
    let log = desk.stage.log
    desk.button.addAction(UIAction { _ in log.add("value") }, for: .valueChanged)
    desk.once(at: .touchDown) { desk.button.sendActions(for: .valueChanged) }
    desk.button.addAction(UIAction { _ in log.add("last") }, for: .touchDown)
    desk.play(.down, 1)
    #expect(desk.take(isAtRest: false) == ["begin 1", "down", "value", "goes on", "last"])
  }

  @Test func `CT-17: disabling lets followers go, too`() {
    let desk = Desk()
    desk.button.isMultipleTouchEnabled = true
    desk.play(.down, 1)
    desk.play(.down, 2)
    desk.play(.up, 1)
    #expect(
      desk.take() == ["begin 1", "down", "begin 2", "end 1", "up", "primary"])
    desk.button.isEnabled = false
    #expect(desk.take() == ["cancel"])
    desk.play(.motion, 2, at: 20)
    desk.play(.up, 2)
    #expect(desk.take() == [])
  }

  // MARK: endTracking and cancelTracking

  @Test func `CT-12, CT-17: disabled by endTracking, a lift stays a lift`() {
    let desk = Desk()
    desk.button.onEnd = { desk.button.isEnabled = false }
    desk.play(.down, 1)
    desk.play(.up, 1)
    #expect(desk.take() == ["begin 1", "down", "end 1", "up", "primary"])
  }

  @Test func `CT-14, CT-17: disabled by cancelTracking, a touch is cancelled once`() {
    let desk = Desk()
    desk.button.onCancel = { desk.button.isEnabled = false }
    desk.play(.down, 1)
    desk.play(.cancel, 1)
    #expect(desk.take() == ["begin 1", "down", "cancel", "touch cancel"])
  }

  @Test func `CT-12, PL-20: a tap within endTracking comes after the end of the first`() {
    let desk = Desk()
    desk.button.onEnd = {
      desk.button.onEnd = {}
      desk.play(.down, 2)
      desk.play(.up, 2)
      desk.stage.log.add("goes on")
    }
    desk.play(.down, 1)
    desk.play(.up, 1)
    #expect(
      desk.take() == [
        "begin 1", "down", "end 1", "up", "primary",
        "begin 2", "down", "end 2", "up", "primary", "goes on",
      ])
  }

  @Test func `CT-12, PL-20: a finger that lands within endTracking leads from then on`() {
    let desk = Desk()
    desk.button.onEnd = {
      desk.button.onEnd = {}
      desk.play(.down, 2)
    }
    desk.play(.down, 1)
    desk.play(.up, 1)
    #expect(desk.button.isTracking && desk.button.isHighlighted && desk.button.isTouchInside)
    #expect(
      desk.take(isAtRest: false) == [
        "begin 1", "down", "end 1", "up", "primary", "begin 2", "down",
      ])
    desk.play(.up, 2)
    #expect(desk.take() == ["end 2", "up", "primary"])
  }

  @Test func `CT-14, PL-20: a finger that lands within cancelTracking leads from then on`() {
    let desk = Desk()
    desk.button.onCancel = { desk.play(.down, 2) }
    desk.play(.down, 1)
    desk.play(.cancel, 1)
    #expect(desk.button.isTracking && desk.button.isHighlighted)
    #expect(
      desk.take(isAtRest: false) == [
        "begin 1", "down", "cancel", "touch cancel", "begin 2", "down",
      ])
    desk.play(.up, 2)
    #expect(desk.take() == ["end 2", "up", "primary"])
  }

  @Test func `CT-12: a finger that lands while it is looked where the first was lifted`() {
    let desk = Desk()
    desk.play(.down, 1)
    desk.play(.motion, 1, at: 500)
    #expect(desk.take(isAtRest: false) == ["begin 1", "down", "exit", "outside"])
    desk.button.onPoint = {
      desk.button.onPoint = {}
      desk.play(.down, 2)
    }
    desk.play(.up, 1, at: 501)
    #expect(desk.button.isTracking)
    #expect(desk.take(isAtRest: false) == ["up outside", "begin 2", "down", "end 1"])
    desk.play(.up, 2)
    #expect(desk.take() == ["end 2", "up", "primary"])
  }

  // MARK: continueTracking and dragging

  @Test func `CT-8: lifted within continueTracking, a touch has one end`() {
    let desk = Desk()
    desk.button.onContinue = {
      desk.play(.up, 1)
      return false
    }
    desk.play(.down, 1)
    desk.play(.motion, 1, at: 20)
    #expect(desk.take() == ["begin 1", "down", "end 1", "up", "primary"])
  }

  @Test func `CT-11, PL-20: a finger that comes back within touchDragExit is inside`() {
    let desk = Desk()
    desk.once(at: .touchDragExit) { desk.play(.motion, 1, at: 20) }
    desk.play(.down, 1)
    desk.play(.motion, 1, at: 500)
    #expect(desk.button.isTouchInside && desk.button.isHighlighted)
    #expect(
      desk.take(isAtRest: false) == ["begin 1", "down", "exit", "enter", "inside", "goes on"])
    desk.play(.up, 1)
    #expect(desk.take() == ["end 1", "up", "primary"])
  }

  @Test func `CT-11: a finger that comes back before its exit was told has not been out`() {
    let desk = Desk()
    desk.play(.down, 1)
    desk.button.onHighlight = { isOn in
      desk.button.onHighlight = { _ in }
      if !isOn { desk.play(.motion, 1, at: 20) }
    }
    desk.play(.motion, 1, at: 500)
    #expect(desk.button.isTouchInside && desk.button.isHighlighted)
    #expect(desk.take(isAtRest: false) == ["begin 1", "down", "inside"])
    desk.play(.up, 1)
    #expect(desk.take() == ["end 1", "up", "primary"])
  }

  @Test func `CT-11: a finger that is lifted while it is looked where it has moved`() {
    let desk = Desk()
    desk.play(.down, 1)
    desk.button.onPoint = {
      desk.button.onPoint = {}
      desk.play(.up, 1, at: 500)
    }
    desk.play(.motion, 1, at: 500)
    #expect(desk.take() == ["begin 1", "down", "end 1", "up outside"])
  }

  // MARK: The highlight

  @Test func `CT-20: a finger that is lifted while the highlight comes on has tapped`() {
    let desk = Desk()
    desk.button.onHighlight = { if $0 { desk.play(.up, 1) } }
    desk.play(.down, 1)
    #expect(desk.take() == ["begin 1", "down", "end 1", "up", "primary"])
  }

  @Test func `CT-20: disabled while the highlight comes on`() {
    let desk = Desk()
    desk.button.onHighlight = { if $0 { desk.button.isEnabled = false } }
    desk.play(.down, 1)
    #expect(desk.take() == ["begin 1", "down", "cancel", "touch cancel"])
  }

  @Test func `CT-20: a finger that lands while the highlight goes off`() {
    let desk = Desk()
    desk.play(.down, 1)
    desk.button.onHighlight = { isOn in
      desk.button.onHighlight = { _ in }
      if !isOn { desk.play(.down, 2) }
    }
    desk.play(.up, 1)
    #expect(desk.button.isTracking && desk.button.isHighlighted)
    #expect(
      desk.take(isAtRest: false) == [
        "begin 1", "down", "end 1", "up", "primary", "begin 2", "down",
      ])
    desk.play(.up, 2)
    #expect(desk.take() == ["end 2", "up", "primary"])
  }
}
