import Testing
import TouchKit
import TouchTestSupport

private final class Sheet: UIViewController {
  var log: Log?
  var canAct = true
  var refuses = false

  override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
    log?.add("controller.began on \((touches.first?.view as? LogView)?.name ?? "?")")
    super.touchesBegan(touches, with: event)
  }

  override var canBecomeFirstResponder: Bool { true }
  override var canResignFirstResponder: Bool { !refuses }
  override func canPerformAction(_ action: AnySelector, withSender sender: AnyObject?) -> Bool {
    canAct && super.canPerformAction(action, withSender: sender)
  }

  func plain() { log?.add("plain") }
  func sent(_ sender: UIButton) { log?.add("sent by \(sender.tag)") }
  func full(_ sender: UIButton, _ event: UIEvent?) { log?.add("full \(event == nil)") }
}

private final class Leaf: UIView {
  var redirect: UIResponder?
  override var next: UIResponder? { redirect ?? super.next }
}

private final class AppDelegate: UIResponder, UIApplicationDelegate {
  func plain() {}
}

private final class PlainDelegate: UIApplicationDelegate {}

@MainActor @Suite struct `Responder chain` {
  @Test func `RC-1, RC-2, RC-3, RC-4, RC-8, RC-9, RC-18: the whole chain`() {
    let stage = Stage()
    let controller = UIViewController()
    stage.window.rootViewController = controller
    let content = UIView(frame: stage.window.bounds)
    let button = UIButton(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
    controller.view.addSubview(content)
    content.addSubview(button)
    let child = UIViewController()
    controller.addChild(child)
    content.addSubview(child.view)
    #expect(UIResponder().next == nil)
    #expect(button.next === content)
    #expect(content.next === controller.view)
    #expect(controller.view.next === controller)
    #expect(controller.next === stage.window)
    #expect(stage.window.next === stage.application)
    #expect(child.view.next === child)
    #expect(child.next === content)
    #expect(stage.application.next == nil)
    let delegate = AppDelegate()
    stage.application.delegate = delegate
    #expect(stage.application.next === delegate)
    #expect(delegate.next == nil)
    let plain = PlainDelegate()
    stage.application.delegate = plain
    #expect(stage.application.next == nil)
  }

  @Test
  func `RC-10, RC-11, RC-12, RC-14, RC-28: forwarding keeps the hit view and stops without super`()
  {
    let stage = Stage()
    let controller = Sheet()
    controller.log = stage.log
    stage.window.rootViewController = controller
    let outer = stage.view("outer", 0, 0, 100, 100, in: controller.view)
    let silent = UIView(frame: outer.bounds)
    outer.addSubview(silent)
    let inner = stage.view("inner", 0, 0, 100, 100, in: silent)
    inner.forwards = true
    outer.forwards = true
    stage.play(touch.down(at: at(5, 5)))
    #expect(
      stage.log.take() == ["inner.began{1}", "outer.began{1}", "controller.began on inner"])
    outer.forwards = false
    stage.application.cancelAllTouches()
    _ = stage.log.take()
    stage.play(touch.down(at: at(5, 5)))
    #expect(stage.log.take() == ["inner.began{1}", "outer.began{1}"])
  }

  @Test func `RC-13, RC-15: an unhandled touch is dropped without error`() {
    let stage = Stage()
    stage.play(touch.tap(at: at(5, 5)))
    #expect(stage.log.take() == [])
    #expect(stage.application.diagnostics == TouchDiagnostics())
  }

  @Test func `RC-16: overriding next redirects touches and actions`() {
    let stage = Stage()
    let leaf = Leaf(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
    let far = stage.view("far", 100, 100, 10, 10)
    leaf.redirect = far
    stage.window.addSubview(leaf)
    stage.play(touch.tap(at: at(5, 5)))
    #expect(stage.log.take() == ["far.began{1}", "far.ended{1}"])
  }

  @Test func `RC-19, RC-20: only who may and is in a window becomes first responder`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 10, 10)
    #expect(!view.becomeFirstResponder() && !view.isFirstResponder)
    let controller = Sheet()
    #expect(!controller.becomeFirstResponder())
    stage.window.rootViewController = controller
    #expect(controller.becomeFirstResponder() && controller.isFirstResponder)
    let other = Sheet()
    controller.addChild(other)
    controller.view.addSubview(other.view)
    controller.refuses = true
    #expect(!other.becomeFirstResponder() && controller.isFirstResponder)
    controller.refuses = false
    #expect(other.becomeFirstResponder() && !controller.isFirstResponder)
    #expect(other.resignFirstResponder() && !other.isFirstResponder)
  }

  @Test func `RC-21: leaving the window resigns`() {
    let stage = Stage()
    let controller = Sheet()
    stage.window.rootViewController = controller
    controller.becomeFirstResponder()
    controller.view.removeFromSuperview()
    #expect(!controller.isFirstResponder)
    stage.window.addSubview(controller.view)
    #expect(!controller.isFirstResponder)
  }

  @Test func `RC-22, RC-23, RC-27: the target is the first that has the method and agrees`() {
    let stage = Stage()
    let controller = Sheet()
    stage.window.rootViewController = controller
    let button = UIButton(frame: .zero)
    controller.view.addSubview(button)
    let plain = Selector("plain", Sheet.plain).erased
    #expect(button.target(forAction: plain, withSender: nil) === controller)
    #expect(!button.canPerformAction(plain, withSender: nil))
    controller.canAct = false
    #expect(button.target(forAction: plain, withSender: nil) == nil)
  }

  @Test func `RC-24, RC-26: an action has none, one or two arguments`() {
    let stage = Stage()
    let controller = Sheet()
    controller.log = stage.log
    let button = UIButton(frame: .zero)
    button.tag = 7
    let application = stage.application
    let send = { (selector: TouchKit.Selector<Sheet>) in
      application.sendAction(selector, to: controller, from: button, for: nil)
    }
    #expect(send(Selector("plain", Sheet.plain)))
    #expect(send(Selector("sent", Sheet.sent)))
    #expect(send(Selector("full", Sheet.full)))
    #expect(stage.log.take() == ["plain", "sent by 7", "full true"])
    let other = Selector("plain", AppDelegate.plain).erased
    #expect(!application.sendAction(other, to: controller, from: button, for: nil))
    let wrongSender = Selector("sent", Sheet.sent)
    #expect(!application.sendAction(wrongSender, to: controller, from: controller, for: nil))
    #expect(application.diagnostics.refusedActions == 1)
    #expect(stage.log.take() == [])
  }

  @Test func `RC-25: without a target the search starts at the first responder, else the sender`() {
    let stage = Stage()
    let controller = Sheet()
    controller.log = stage.log
    stage.window.rootViewController = controller
    let button = UIButton(frame: .zero)
    let application = stage.application
    let plain = Selector("plain", Sheet.plain)
    #expect(!application.sendAction(plain, to: nil, from: button, for: nil))
    controller.view.addSubview(button)
    #expect(application.sendAction(plain, to: nil, from: button, for: nil))
    button.removeFromSuperview()
    controller.becomeFirstResponder()
    #expect(application.sendAction(plain, to: nil, from: button, for: nil))
    #expect(application.sendAction(plain, to: nil, from: nil, for: nil))
    #expect(stage.log.take() == ["plain", "plain", "plain"])
  }
}
