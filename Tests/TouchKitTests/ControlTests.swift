import Testing
import TouchKit
import TouchTestSupport

/// A control that logs its tracking, and answers as told.
private final class ProbeControl: UIControl {
  var log: Log?
  var begins = true
  var continues: (UITouch) -> Bool = { _ in true }

  override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
    log?.add("begin")
    return begins
  }

  override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
    log?.add("continue")
    return continues(touch)
  }

  override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
    log?.add("end \(touch == nil)")
  }

  override func cancelTracking(with event: UIEvent?) { log?.add("cancel \(event == nil)") }
}

private let eventNames: [(UIControl.Event, String)] = [
  (.touchDown, "touchDown"), (.touchDownRepeat, "touchDownRepeat"),
  (.touchDragInside, "touchDragInside"), (.touchDragOutside, "touchDragOutside"),
  (.touchDragEnter, "touchDragEnter"), (.touchDragExit, "touchDragExit"),
  (.touchUpInside, "touchUpInside"), (.touchUpOutside, "touchUpOutside"),
  (.touchCancel, "touchCancel"), (.primaryActionTriggered, "primaryActionTriggered"),
]

extension UIControl {
  /// Logs each event by its name.
  fileprivate func logEvents(_ log: Log) {
    for (event, name) in eventNames {
      addAction(UIAction(identifier: .init(name)) { _ in log.add("C!\(name)") }, for: event)
    }
  }
}

@MainActor
private func control<C: UIControl>(_ stage: Stage, _ control: C, in parent: UIView? = nil) -> C {
  control.frame = CGRect(x: 100, y: 100, width: 100, height: 40)
  control.logEvents(stage.log)
  (parent ?? stage.window).addSubview(control)
  return control
}

@MainActor @Suite struct `Control tracking` {
  let inside = CGPoint(x: 150, y: 120)

  @Test func `CT-1, CT-2: flags and raw values`() {
    let control = UIControl(frame: .zero)
    #expect(control.isEnabled && !control.isSelected && !control.isHighlighted)
    #expect(control.state == .normal && !control.isTracking && !control.isTouchInside)
    control.isSelected = true
    control.isHighlighted = true
    control.isEnabled = false
    #expect(control.state.rawValue == 7)
    #expect(
      eventNames.map(\.0.rawValue) == [1, 2, 4, 8, 16, 32, 64, 128, 256, 8192])
    #expect(UIControl.Event.valueChanged.rawValue == 4096)
    #expect(UIControl.Event.allTouchEvents.rawValue == 0xFFF)
  }

  @Test func `CT-3, DS-9: a disabled control passes its touches on and blocks no recogniser`() {
    let stage = Stage()
    let parent = stage.view("P", 0, 0, 400, 400)
    let button = control(stage, UIButton(frame: .zero), in: parent)
    button.isEnabled = false
    stage.play(touch.down(at: inside).move(to: at(160, 120)).up())
    #expect(stage.log.take() == ["P.began{1}", "P.moved{1}", "P.ended{1}"])
    #expect(!button.isTracking && !button.isHighlighted)
  }

  @Test func `CT-4, BT-3, DS-13: a touch on a subview is not the control's`() {
    let stage = Stage()
    let button = control(stage, UIButton(frame: .zero))
    let cover = UIView(frame: button.bounds)
    button.addSubview(cover)
    stage.play(touch.tap(at: inside))
    #expect(stage.log.take() == [])
    cover.isUserInteractionEnabled = false
    stage.play(touch.tap(at: inside))
    #expect(stage.log.take() == ["C!touchDown", "C!touchUpInside", "C!primaryActionTriggered"])
  }

  @Test func `CT-5, CT-12, CT-20, CT-21: press and lift`() {
    let stage = Stage()
    let probe = control(stage, ProbeControl(frame: .zero))
    probe.log = stage.log
    var flags: [[Bool]] = []
    for event in [UIControl.Event.touchDown, .touchUpInside] {
      probe.addAction(
        UIAction { _ in
          flags.append([probe.isTracking, probe.isTouchInside, probe.isHighlighted])
        }, for: event)
    }
    stage.play(touch.tap(at: inside))
    #expect(stage.log.take() == ["begin", "C!touchDown", "end false", "C!touchUpInside"])
    #expect(flags == [[true, true, true], [false, false, false]])
    #expect(!probe.isSelected)
  }

  @Test func `CT-6: a refusal at the beginning means nothing happens`() {
    let stage = Stage()
    let probe = control(stage, ProbeControl(frame: .zero))
    probe.begins = false
    stage.play(touch.down(at: inside).move(to: at(151, 120)))
    #expect(!probe.isTracking && !probe.isHighlighted)
    stage.application.cancelAllTouches()
    #expect(stage.log.take() == [])
  }

  @Test func `CT-7: a second tap sends touchDownRepeat, too`() {
    let stage = Stage()
    _ = control(stage, UIControl(frame: .zero))
    stage.play(touch.tap(at: inside).tap(at: inside))
    #expect(
      stage.log.take() == [
        "C!touchDown", "C!touchUpInside", "C!touchDown", "C!touchDownRepeat", "C!touchUpInside",
      ])
  }

  @Test func `CT-8: a refusal to continue ends the tracking, silently`() {
    let stage = Stage()
    let probe = control(stage, ProbeControl(frame: .zero))
    probe.log = stage.log
    probe.continues = { $0.location(in: probe).x < 60 }
    stage.play(
      touch.down(at: inside).move(to: at(155, 120)).move(to: at(165, 120)).move(to: at(150, 120))
        .up())
    #expect(
      stage.log.take() == [
        "begin", "C!touchDown", "continue", "C!touchDragInside", "continue", "end false",
      ])
    #expect(!probe.isHighlighted && !probe.isTracking)
  }

  @Test func `CT-9, CT-10, CT-11, CT-15: out by more than 70 pt and back`() {
    let stage = Stage()
    let button = control(stage, UIButton(frame: .zero))
    var flags: [Bool] = []
    let note = { @MainActor @Sendable in flags.append(button.isHighlighted && button.isTouchInside)
    }
    stage.play(
      touch.down(at: inside).move(to: at(269, 120)).then(note).move(to: at(271, 120)).then(note)
        .move(to: at(300, 120)).move(to: at(200, 120)).then(note).move(to: at(190, 120)).up())
    #expect(flags == [true, false, true])
    #expect(
      stage.log.take() == [
        "C!touchDown", "C!touchDragInside", "C!touchDragExit", "C!touchDragOutside",
        "C!touchDragOutside", "C!touchDragEnter", "C!touchDragInside", "C!touchDragInside",
        "C!touchUpInside", "C!primaryActionTriggered",
      ])
  }

  @Test(arguments: [
    (269.0, 120.0, true), (270, 120, false), (271, 120, false), (30, 120, true), (29.9, 120, false),
    (150, 30, true), (150, 29, false), (150, 209, true), (150, 210, false),
  ])
  func `CT-13, DS-20: where a lift still counts as inside`(
    _ x: Double, _ y: Double, _ isInside: Bool
  ) {
    let stage = Stage()
    _ = control(stage, UIButton(frame: .zero))
    stage.play(touch.down(at: inside).move(to: at(x, y)).up())
    let sent = stage.log.take()
    #expect(sent.contains("C!touchUpInside") == isInside)
    #expect(sent.contains("C!touchUpOutside") == !isInside)
  }

  @Test func `CT-14: a touch that is taken away never ends`() {
    let stage = Stage()
    let probe = control(stage, ProbeControl(frame: .zero))
    probe.log = stage.log
    stage.play(touch.down(at: inside).cancel())
    #expect(stage.log.take() == ["begin", "C!touchDown", "cancel false", "C!touchCancel"])
    #expect(!probe.isTracking && !probe.isTouchInside && !probe.isHighlighted)
  }

  @Test func `CT-16: one finger is tracked; of several the first makes the events`() {
    let stage = Stage()
    let probe = control(stage, ProbeControl(frame: .zero))
    probe.log = stage.log
    let script = touch.down(1, at: inside).down(2, at: at(160, 120)).move(2, to: at(165, 120)).up(2)
      .up(1)
    stage.play(script)
    #expect(stage.log.take() == ["begin", "C!touchDown", "end false", "C!touchUpInside"])
    probe.isMultipleTouchEnabled = true
    stage.play(touch.wait(.seconds(1)))
    stage.play(script)
    #expect(
      stage.log.take() == [
        "begin", "C!touchDown", "begin", "continue", "end false", "end false", "C!touchUpInside",
      ])
  }

  @Test func `CT-17, CT-19: disabling while tracked cancels`() {
    let stage = Stage()
    let parent = stage.view("P", 0, 0, 400, 400)
    let probe = control(stage, ProbeControl(frame: .zero), in: parent)
    probe.log = stage.log
    stage.play(touch.down(at: inside).then { probe.isEnabled = false }.move(to: at(151, 120)).up())
    #expect(stage.log.take() == ["begin", "C!touchDown", "cancel true", "C!touchCancel"])
    #expect(!probe.isTracking && !probe.isHighlighted)
  }

  @Test func `CT-18: leaving the window cancels`() {
    let stage = Stage()
    let button = control(stage, UIButton(frame: .zero))
    stage.play(touch.down(at: inside).then { button.removeFromSuperview() }.up())
    #expect(stage.log.take() == ["C!touchDown", "C!touchCancel"])
  }

  @Test func `CT-22: a control keeps the touches it tracks`() {
    let stage = Stage()
    let parent = stage.view("P", 0, 0, 400, 400)
    _ = control(stage, UIControl(frame: .zero), in: parent)
    stage.play(touch.down(at: inside).move(to: at(151, 120)).up().down(at: inside).cancel())
    #expect(!stage.log.take().contains { $0.hasPrefix("P") })
  }

  @Test func `BT-1, BT-4: a button's events come from its touch methods`() {
    final class Loud: UIButton {
      var log: Log?
      override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        log?.add("touchesBegan")
        super.touchesBegan(touches, with: event)
      }
    }
    let stage = Stage()
    control(stage, Loud(frame: .zero)).log = stage.log
    stage.play(touch.tap(at: inside))
    #expect(
      stage.log.take() == [
        "touchesBegan", "C!touchDown", "C!touchUpInside", "C!primaryActionTriggered",
      ])
  }
}

@MainActor @Suite struct `Controls against ancestors' recognisers` {
  let inside = CGPoint(x: 150, y: 120)

  @Test func `CB-1, CB-2, CB-7: a button refuses single taps of all ancestors`() {
    let stage = Stage()
    let parent = stage.view("P", 0, 0, 400, 400)
    _ = control(stage, UIButton(frame: .zero), in: parent)
    stage.add(UITapGestureRecognizer(), "parent", to: parent)
    stage.add(UITapGestureRecognizer(), "window", to: stage.window)
    stage.play(touch.tap(at: inside))
    #expect(stage.log.take() == ["C!touchDown", "C!touchUpInside", "C!primaryActionTriggered"])
    stage.play(touch.tap(at: at(10, 10)))
    #expect(stage.log.take().contains("parent→ended"))
  }

  @Test func `CB-5: it lets double taps, two fingers and presses pass`() {
    let button = UIButton(frame: .zero)
    let parent = UIView()
    let tap = UITapGestureRecognizer()
    let press = UILongPressGestureRecognizer()
    for recognizer in [tap, press] { parent.addGestureRecognizer(recognizer) }
    #expect(!button.gestureRecognizerShouldBegin(tap))
    #expect(button.gestureRecognizerShouldBegin(press))
    tap.numberOfTapsRequired = 2
    #expect(button.gestureRecognizerShouldBegin(tap))
    tap.numberOfTapsRequired = 1
    tap.numberOfTouchesRequired = 2
    #expect(button.gestureRecognizerShouldBegin(tap))
  }

  @Test func `CB-6: a recogniser on the button itself cancels it`() {
    let stage = Stage()
    let button = control(stage, UIButton(frame: .zero))
    stage.add(UITapGestureRecognizer(), "T", to: button)
    stage.play(touch.tap(at: inside))
    #expect(stage.log.take() == ["C!touchDown", "T→ended", "C!touchCancel"])
  }

  @Test func `CB-8: a plain control refuses nothing`() {
    let stage = Stage()
    let parent = stage.view("P", 0, 0, 400, 400)
    _ = control(stage, UIControl(frame: .zero), in: parent)
    stage.add(UITapGestureRecognizer(), "T", to: parent)
    stage.play(touch.tap(at: inside))
    #expect(stage.log.take() == ["C!touchDown", "T→ended", "C!touchCancel"])
  }

  @Test func `CB-9, CB-14: a control may refuse for itself, for this sequence`() {
    final class Keeping: UIControl {
      var keeps = true
      override func gestureRecognizerShouldBegin(_ recognizer: UIGestureRecognizer) -> Bool {
        !keeps
      }
    }
    let stage = Stage()
    let keeping = control(stage, Keeping(frame: .zero))
    stage.add(UITapGestureRecognizer(), "T", to: stage.window)
    stage.play(touch.tap(at: inside).wait(.seconds(1)))
    #expect(stage.log.take() == ["C!touchDown", "C!touchUpInside"])
    keeping.keeps = false
    stage.play(touch.tap(at: inside))
    #expect(stage.log.take() == ["C!touchDown", "T→ended", "C!touchCancel"])
  }

  @Test func `CB-10: a tap that cancels nothing goes with the button`() {
    let stage = Stage()
    _ = control(stage, UIButton(frame: .zero))
    stage.add(UITapGestureRecognizer(), "T", to: stage.window) { $0.cancelsTouchesInView = false }
    stage.play(touch.tap(at: inside))
    #expect(
      stage.log.take() == ["C!touchDown", "T→ended", "C!touchUpInside", "C!primaryActionTriggered"])
  }

  @Test func `CB-11: a background tap may keep away from controls`() {
    let stage = Stage()
    _ = control(stage, UIControl(frame: .zero))
    let tap = stage.add(UITapGestureRecognizer(), "T", to: stage.window)
    stage.delegate(tap) {
      $0.receives = { touch in
        var view = touch.view
        while let present = view, !(present is UIControl) { view = present.superview }
        return view == nil
      }
    }
    stage.play(touch.tap(at: inside).wait(.seconds(1)).tap(at: at(5, 5)))
    #expect(stage.log.take() == ["C!touchDown", "C!touchUpInside", "T→ended"])
  }

  @Test func `CB-12: a disabled button refuses nothing`() {
    let stage = Stage()
    control(stage, UIButton(frame: .zero)).isEnabled = false
    stage.add(UITapGestureRecognizer(), "T", to: stage.window)
    stage.play(touch.tap(at: inside))
    #expect(stage.log.take() == ["T→ended"])
  }

  @Test func `CB-13: a pan that starts on a button cancels it`() {
    let stage = Stage()
    _ = control(stage, UIButton(frame: .zero))
    stage.add(UIPanGestureRecognizer(), "P", to: stage.window)
    stage.play(touch.down(at: inside).move(to: at(155, 120)).move(to: at(160, 120)).up())
    #expect(
      stage.log.take() == [
        "C!touchDown", "C!touchDragInside", "P→began", "C!touchCancel", "P→ended",
      ])
  }
}
