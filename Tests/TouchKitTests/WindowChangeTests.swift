import Testing
import TouchKit
import TouchModel
import TouchTestSupport

/// A window that logs whether it is key, and does what a test tells it to, each deed once.
private final class KeyWindow: UIWindow {
  var log = Log()
  var name = ""
  var onBecome: (() -> Void)?
  var onResign: (() -> Void)?

  override func becomeKey() {
    log.add("\(name) becomes key")
    let deed = onBecome
    onBecome = nil
    deed?()
  }

  override func resignKey() {
    log.add("\(name) resigns key")
    let deed = onResign
    onResign = nil
    deed?()
  }

  override var canBecomeFirstResponder: Bool { true }
}

/// Windows that change from within their own callbacks, or are let go.
@MainActor @Suite struct `Windows that change from within` {
  private let stage = Stage()
  private var log: Log { stage.log }

  private func keyWindow(_ name: String) -> KeyWindow {
    let window = KeyWindow(frame: stage.window.frame, application: stage.application)
    window.name = name
    window.log = stage.log
    window.isHidden = false
    return window
  }

  // MARK: Key

  @Test func `WN-10: a window that another one's resigning makes key stays key`() {
    let (a, b, c) = (keyWindow("a"), keyWindow("b"), keyWindow("c"))
    a.makeKey()
    a.onResign = { c.makeKey() }
    b.makeKey()
    #expect(stage.application.keyWindow === c && !b.isKeyWindow)
    #expect(log.take() == ["a becomes key", "a resigns key", "c becomes key"])
    c.onResign = { c.makeKey() }
    b.makeKey()
    #expect(stage.application.keyWindow === c)
    #expect(log.take() == ["c resigns key", "c becomes key"])
    c.onResign = { b.makeKey() }
    b.makeKey()
    #expect(stage.application.keyWindow === b)
    #expect(log.take() == ["c resigns key", "b becomes key"])
  }

  @Test func `WN-10: a window that hears it is key may hand it on`() {
    let (a, b) = (keyWindow("a"), keyWindow("b"))
    a.onBecome = { b.makeKey() }
    a.makeKeyAndVisible()
    #expect(stage.application.keyWindow === b)
    #expect(log.take() == ["a becomes key", "a resigns key", "b becomes key"])
  }

  @Test func `WN-10: a window that is hidden meanwhile does not become key`() {
    let (a, b) = (keyWindow("a"), keyWindow("b"))
    a.makeKey()
    a.onResign = { b.isHidden = true }
    b.makeKey()
    #expect(stage.application.keyWindow == nil)
    #expect(log.take() == ["a becomes key", "a resigns key"])
    final class Shy: UIViewController {
      override func viewDidAppear(_ animated: Bool) { view.window?.isHidden = true }
    }
    let shy = Shy()
    b.rootViewController = shy
    b.makeKeyAndVisible()
    #expect(b.isHidden && stage.application.keyWindow == nil && log.take() == [])
  }

  @Test func `WN-10, WN-15: one that is shown again as it resigns is key, of its scene, too`() {
    let scene = UIWindowScene(application: stage.application)
    stage.application.connect(scene)
    let a = keyWindow("a")
    a.windowScene = scene
    let view = stage.view("V", 0, 0, 100, 100, in: a)
    a.makeKey()
    stage.play(touch.down(at: at(5, 5)))
    a.onResign = { a.makeKeyAndVisible() }
    a.isHidden = true
    #expect(!a.isHidden && a.isKeyWindow && scene.keyWindow === a)
    #expect(view.window === a)
    #expect(
      log.take() == [
        "a becomes key", "V.began{1}", "V.cancelled{1}", "a resigns key", "a becomes key",
      ])
  }

  // MARK: Letting go

  /// Keeps a window as an app does.
  @MainActor private final class Keeper {
    var window: KeyWindow?
  }

  @Test func `WN-15: a window that is let go is gone at once, then its touches, for good`() {
    let keeper = Keeper()
    keeper.window = keyWindow("w")
    keeper.window?.makeKey()
    let view = LogView("V", log, stage.window.bounds)
    keeper.window?.addSubview(view)
    stage.add(LogRecognizer(log), "G", to: view)
    stage.view("below", 0, 0, 100, 100)
    weak let gone = keeper.window
    _ = log.take()
    let (application, log) = (stage.application, stage.log)
    stage.play(
      touch.down(1, at: at(5, 5)).then {
        keeper.window = nil
        log.add("let go")
        #expect(gone == nil && application.keyWindow == nil)
      }.move(1, to: at(9, 9)).tap(2, at: at(20, 20)).up(1))
    #expect(
      log.take() == [
        "G.tBegan{1}", "V.began{1}", "let go", "V.cancelled{1}", "G.reset", "below.began{1}",
        "below.ended{1}",
      ])
    #expect(application.windows == [stage.window] && view.window == nil)
    #expect(application.diagnostics.unlawfulContacts == 0)
  }

  @Test func `WN-15: who loses touches may look at what kept the window, and let another one go`() {
    let (first, second) = (Keeper(), Keeper())
    for (index, keeper) in [first, second].enumerated() {
      keeper.window = keyWindow("w")
      keeper.window?.frame.origin.x = Double(index) * 200
      let view = LogView("V\(index)", log, CGRect(x: 0, y: 0, width: 100, height: 100))
      view.onTouch = { [log] touch in
        guard touch.phase == .cancelled else { return }
        log.add("none \(first.window == nil)")
        second.window = nil
      }
      keeper.window?.addSubview(view)
    }
    stage.play(touch.down((1, at: at(5, 5)), (2, at: at(205, 5))))
    _ = log.take()
    first.window = nil
    #expect(log.take() == [])
    stage.application.settle()
    #expect(log.take() == ["V0.cancelled{1}", "none true", "V1.cancelled{1}", "none true"])
  }

  @Test func `WN-15: an empty window that was touched itself is let go as well`() {
    let keeper = Keeper()
    keeper.window = keyWindow("w")
    weak let gone = keeper.window
    stage.view("below", 0, 0, 100, 100)
    stage.play(
      touch.down(at: at(5, 5)).then {
        keeper.window = nil
        #expect(gone == nil)
      }.move(to: at(9, 9)).up().tap(at: at(5, 5)))
    #expect(log.take() == ["below.began{1}", "below.ended{1}"])
    #expect(stage.application.diagnostics.unlawfulContacts == 0)
  }

  @Test func `WN-15, DV-17: a handler that lets go of its own window finishes first`() {
    let keeper = Keeper()
    keeper.window = keyWindow("w")
    weak let gone = keeper.window
    let view = LogView("V", log, stage.window.bounds)
    keeper.window?.addSubview(view)
    let other = stage.view("other", 0, 0, 100, 100)
    keeper.window?.frame.origin.x = 200
    var kept: UITouch?
    view.onBegan = { [log] in
      keeper.window = nil
      log.add("still in a window: \(view.window != nil)")
    }
    view.onTouch = { kept = $0 }
    stage.play(
      touch.down((1, at: at(210, 5)), (2, at: at(10, 5))).move(
        (1, to: at(211, 5)), (2, to: at(11, 5))
      )
      .up(1, 2))
    #expect(gone == nil && other.window === stage.window)
    #expect(
      log.take() == [
        "V.began{1}", "still in a window: true", "V.cancelled{1}", "other.began{1}",
        "other.moved{1}", "other.ended{1}",
      ])
    // Who keeps a touch does not keep its window.
    #expect(kept != nil && kept?.view == nil && kept?.window == nil)
  }

  /// A recogniser that owns a window, as one does that shows something over all while it runs.
  private final class Owner: UITapGestureRecognizer {
    var window: KeyWindow?
  }

  @Test func `WN-15: a window goes with the last thing that kept it, in the midst of a delivery`() {
    let view = stage.view("V", 0, 0, 100, 100)
    var owner: Owner? = Owner()
    owner?.window = keyWindow("w")
    owner?.window?.frame = CGRect(x: 200, y: 0, width: 100, height: 100)
    weak let gone = owner?.window
    let inner = LogView("inner", log, CGRect(x: 0, y: 0, width: 100, height: 100))
    gone?.addSubview(inner)
    if let owner { stage.add(owner, "T", to: view) }
    view.onBegan = { [log] in
      // Now only the touch keeps it.
      view.gestureRecognizers = nil
      owner = nil
      log.add("kept \(gone != nil)")
    }
    stage.play(
      touch.down(1, at: at(210, 10)).down(2, at: at(10, 10)).up(2).wait(.seconds(1))
        .move(1, to: at(220, 10)).up(1))
    #expect(gone == nil && stage.application.windows == [stage.window])
    #expect(
      log.take() == [
        "inner.began{1}", "V.began{1}", "kept true", "V.ended{1}", "inner.cancelled{1}",
      ])
    #expect(stage.application.diagnostics.unlawfulContacts == 0)
  }

  @Test func `WN-15: being first responder, or touched before, keeps no window`() {
    let keeper = Keeper()
    keeper.window = keyWindow("w")
    weak let gone = keeper.window
    keeper.window?.rootViewController = UIViewController()
    #expect(keeper.window?.becomeFirstResponder() == true)
    stage.play(touch.tap(at: at(5, 5)))
    keeper.window = nil
    #expect(gone == nil && stage.application.windows == [stage.window])
  }

  // MARK: Scenes

  @Test func `WN-11: windows of a scene that is gone stay deaf`() {
    let application = stage.application
    stage.view("V", 0, 0, 100, 100)
    var scene: UIWindowScene? = UIWindowScene(application: application)
    weak let gone = scene
    stage.window.windowScene = scene
    if let scene {
      application.connect(scene)
      stage.play(touch.tap(at: at(5, 5)))
      application.disconnect(scene)
    }
    scene = nil
    #expect(
      gone == nil && stage.window.windowScene == nil && application.applicationState == .active)
    _ = log.take()
    stage.play(touch.tap(at: at(5, 5)))
    #expect(log.take() == [])
    // Nor does a new scene take them over.
    final class Launched: UIApplicationDelegate {}
    let delegate = Launched()
    application.launch(delegate)
    stage.play(touch.tap(at: at(5, 5)))
    #expect(stage.window.windowScene == nil && log.take() == [])
    stage.window.windowScene = nil
    stage.play(touch.tap(at: at(5, 5)))
    #expect(log.take() == ["V.began{1}", "V.ended{1}"])
  }
}
