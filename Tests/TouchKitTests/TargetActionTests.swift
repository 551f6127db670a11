import Testing
import TouchKit

@MainActor
private final class Target {
  let log: Log
  var onFirst: () -> Void = {}

  init(_ log: Log) { self.log = log }

  func first() {
    log.add("first")
    onFirst()
  }
  func second(_ sender: UIControl) { log.add("second \(sender.tag)") }
  func third(_ sender: UIControl, _ event: UIEvent?) { log.add("third \(event == nil)") }
}

extension TouchKit.Selector where Target == TouchKitTests.Target {
  fileprivate static var first: Self { .init("first", TouchKitTests.Target.first) }
  fileprivate static var third: Self { .init("third", TouchKitTests.Target.third) }
}

@MainActor @Suite struct `Target and action` {
  let log = Log()
  let control = UIControl(frame: .zero)

  @Test func `AC-1, AC-2, AC-8, AC-18: in order of registration, not kept, disabled or not`() {
    let target = Target(log)
    control.tag = 3
    control.isEnabled = false
    control.addTarget(target, action: Target.second, for: .valueChanged)
    control.addTarget(target, action: .first, for: [.valueChanged, .touchDown])
    control.addTarget(target, action: .third, for: .valueChanged)
    do { control.addTarget(Target(log), action: .first, for: .valueChanged) }
    control.sendActions(for: .valueChanged)
    #expect(log.take() == ["second 3", "first", "third true"])
    control.sendActions(for: .touchDown)
    #expect(log.take() == ["first"])
  }

  @Test func `AC-3: the same pair fires once for an event`() {
    let target = Target(log)
    control.addTarget(target, action: .first, for: .touchDown)
    control.addTarget(target, action: .first, for: [.touchDown, .touchUpInside])
    for _ in 0..<2 { control.addTarget(target, action: Target.second, for: .touchDown) }
    control.sendActions(for: .touchDown)
    #expect(log.take() == ["first", "second 0"])
    control.sendActions(for: .touchUpInside)
    #expect(log.take() == ["first"])
  }

  @Test func `AC-4: removal is by event; nil stands for any`() {
    let target = Target(log)
    let other = Target(log)
    func fill() {
      control.removeTarget(nil, action: nil, for: .allEvents)
      control.addTarget(target, action: .first, for: [.touchDown, .touchUpInside])
      control.addTarget(target, action: .third, for: .touchDown)
      control.addTarget(other, action: .first, for: .touchDown)
    }
    fill()
    control.removeTarget(target, action: .first, for: .touchDown)
    control.sendActions(for: .touchDown)
    control.sendActions(for: .touchUpInside)
    #expect(log.take() == ["third true", "first", "first"])
    fill()
    control.removeTarget(target, action: nil, for: .touchDown)
    control.sendActions(for: .touchDown)
    #expect(log.take() == ["first"])
    fill()
    control.removeTarget(nil, action: TouchKit.Selector<Target>.first.erased, for: .touchDown)
    control.sendActions(for: .touchDown)
    #expect(log.take() == ["third true"])
    control.removeTarget(nil, action: nil, for: .allEvents)
    #expect(control.allControlEvents == [])
  }

  @Test func `AC-5: without a target the responder chain is asked`() {
    final class Holder: UIViewController {
      var log: Log?
      func press() { log?.add("pressed") }
    }
    let stage = Stage()
    let holder = Holder()
    holder.log = log
    stage.window.rootViewController = holder
    holder.view.addSubview(control)
    control.addTarget(nil, action: Holder.press, for: .touchDown)
    control.addTarget(nil as Holder?, action: Selector("press", Holder.press), for: .touchDown)
    control.sendActions(for: .touchDown)
    #expect(log.take() == ["pressed", "pressed"])
  }

  @Test func `AC-6, AC-7: sendAction sees each call and may stop it`() {
    final class Strict: UIControl {
      var log: Log?
      override func sendAction(_ action: AnySelector, to target: AnyObject?, for event: UIEvent?) {
        log?.add("send \(action.name)")
        if action.name != "third" { super.sendAction(action, to: target, for: event) }
      }
    }
    let strict = Strict(frame: .zero)
    strict.log = log
    let target = Target(log)
    strict.addTarget(target, action: .third, for: .touchDown)
    strict.addTarget(target, action: .first, for: .touchDown)
    strict.sendActions(for: .touchDown)
    #expect(log.take() == ["send third", "send first", "first"])
  }

  @Test func `AC-9: what a control tells about its targets`() {
    let target = Target(log)
    control.addTarget(target, action: .first, for: [.touchDown, .valueChanged])
    control.addTarget(target, action: .third, for: .touchDown)
    #expect(control.allTargets.count == 1 && control.allTargets.first === target)
    #expect(control.allControlEvents == [.touchDown, .valueChanged])
    #expect(control.actions(forTarget: target, forControlEvent: .touchDown) == ["first", "third"])
    #expect(control.actions(forTarget: target, forControlEvent: .touchCancel) == nil)
  }

  private func action(_ name: String, _ identifier: String? = nil) -> UIAction {
    UIAction(title: name, identifier: identifier.map { .init($0) }) { [log] in
      log.add("\(name) \($0.sender is UIControl)")
    }
  }

  @Test func `AC-10, AC-12, AC-14: an action takes the place of one with its identifier`() {
    let target = Target(log)
    control.addAction(action("old", "x"), for: [.touchDown, .touchUpInside])
    control.addTarget(target, action: .first, for: .touchDown)
    control.addAction(action("other"), for: .touchDown)
    control.addAction(action("new", "x"), for: [.touchDown, .valueChanged])
    control.sendActions(for: .touchDown)
    #expect(log.take() == ["new true", "first", "other true"])
    control.sendActions(for: .touchUpInside)
    control.sendActions(for: .valueChanged)
    #expect(log.take() == ["old true", "new true"])
  }

  @Test func `AC-11, AC-13: actions are removed, and run by hand`() {
    let one = action("one")
    control.addAction(one, for: .touchDown)
    control.addAction(action("two", "two"), for: [.touchDown, .touchUpInside])
    control.removeAction(one, for: .touchDown)
    control.removeAction(identifiedBy: .init("two"), for: .touchDown)
    control.sendActions(for: [.touchDown, .touchUpInside])
    #expect(log.take() == ["two true"])
    control.sendAction(one)
    #expect(log.take() == ["one true"])
  }

  @Test func `AC-15: a handler that removes itself skips nobody`() {
    let target = Target(log)
    target.onFirst = { [control] in control.removeTarget(nil, action: nil, for: .allEvents) }
    control.addTarget(target, action: .first, for: .touchDown)
    control.addTarget(target, action: .third, for: .touchDown)
    control.sendActions(for: .touchDown)
    control.sendActions(for: .touchDown)
    #expect(log.take() == ["first", "third true"])
  }

  @Test func `AC-16, AC-17: the primary action`() {
    let button = UIButton(frame: .zero, primaryAction: action("primary"))
    button.performPrimaryAction()
    #expect(log.take() == ["primary true"])
  }
}
