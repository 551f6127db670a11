import Testing
import TouchKit
import TouchTestSupport

private final class KeyWindow: UIWindow {
  var log: Log?
  var name = ""
  override func becomeKey() { log?.add("\(name) becomes key") }
  override func resignKey() { log?.add("\(name) resigns key") }
}

private final class PassingWindow: UIWindow {
  override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
    let hit = super.hitTest(point, with: event)
    return hit === self ? nil : hit
  }
}

@MainActor @Suite struct `Windows` {
  func window(_ stage: Stage, _ level: Double = 0, shown: Bool = true) -> UIWindow {
    let window = UIWindow(frame: stage.window.frame, application: stage.application)
    window.windowLevel = UIWindow.Level(rawValue: level)
    window.isHidden = !shown
    return window
  }

  func hit(_ stage: Stage) -> UIWindow? {
    var hit: UIWindow?
    for window in stage.application.windows {
      let view = LogView("V", stage.log, window.bounds)
      view.onTouch = { hit = $0.window }
      window.addSubview(view)
    }
    stage.play(touch.tap(at: at(5, 5)))
    for window in stage.application.windows { window.subviews.last?.removeFromSuperview() }
    return hit
  }

  @Test func `WN-1, WN-2: the highest level, in it the one shown last, takes the touch`() {
    let stage = Stage()
    let second = window(stage)
    #expect(hit(stage) === second)
    let alert = window(stage, 2000)
    let bar = window(stage, 1000)
    #expect(UIWindow.Level.normal.rawValue == 0 && UIWindow.Level.statusBar.rawValue == 1000)
    #expect(UIWindow.Level.alert.rawValue == 2000)
    #expect(stage.application.windows == [stage.window, second, bar, alert])
    #expect(hit(stage) === alert)
    alert.isHidden = true
    #expect(hit(stage) === bar)
    bar.isHidden = true
    stage.window.makeKeyAndVisible()
    #expect(hit(stage) === stage.window)
  }

  @Test func `WN-3: a new window is hidden, and hidden, faint or deaf windows are passed`() {
    let stage = Stage()
    let front = UIWindow(frame: stage.window.frame, application: stage.application)
    #expect(front.isHidden && hit(stage) === stage.window)
    front.makeKeyAndVisible()
    #expect(!front.isHidden && front.isKeyWindow && hit(stage) === front)
    front.alpha = 0.01
    #expect(hit(stage) === stage.window)
    front.alpha = 1
    front.isUserInteractionEnabled = false
    #expect(hit(stage) === stage.window)
  }

  @Test func `WN-4: an empty window catches touches unless it passes them`() {
    let stage = Stage()
    stage.view("below", 0, 0, 100, 100)
    let empty = window(stage)
    stage.play(touch.tap(at: at(5, 5)))
    #expect(stage.log.take() == [])
    empty.isHidden = true
    let passing = PassingWindow(frame: stage.window.frame, application: stage.application)
    passing.isHidden = false
    stage.play(touch.tap(at: at(5, 5)))
    #expect(stage.log.take() == ["below.began{1}", "below.ended{1}"])
  }

  @Test func `WN-5: a contact that no window takes is dropped for life`() {
    let stage = Stage(width: 100, height: 100)
    stage.view("V", 0, 0, 100, 100)
    stage.play(touch.down(at: at(150, 50)).move(to: at(50, 50)).up())
    #expect(stage.log.take() == [])
    #expect(stage.application.diagnostics == TouchDiagnostics())
  }

  @Test func `WN-6, WN-16: a touch stays with its window`() {
    let stage = Stage()
    stage.view("V", 0, 0, 100, 100)
    let window = stage.window
    let application = stage.application
    var front: UIWindow?
    stage.play(
      touch.down(at: at(5, 5)).then {
        let new = UIWindow(frame: window.frame, application: application)
        new.windowLevel = .alert
        new.makeKeyAndVisible()
        window.windowLevel = UIWindow.Level(rawValue: -5)
        front = new
      }.move(to: at(9, 9)).up())
    #expect(front?.isKeyWindow == true)
    #expect(stage.log.take() == ["V.began{1}", "V.moved{1}", "V.ended{1}"])
  }

  @Test func `WN-10: one window is key`() {
    let stage = Stage()
    let windows = ["A", "B"].map { name in
      let window = KeyWindow(frame: stage.window.frame, application: stage.application)
      window.name = name
      window.log = stage.log
      return window
    }
    windows[0].makeKeyAndVisible()
    windows[1].makeKeyAndVisible()
    windows[1].makeKey()
    #expect(stage.log.take() == ["A becomes key", "A resigns key", "B becomes key"])
    windows[1].isHidden = true
    #expect(stage.log.take() == ["B resigns key", "A becomes key"])
    #expect(windows[0].isKeyWindow)
    windows[0].isHidden = true
    #expect(stage.log.take() == ["A resigns key"])
    #expect(stage.window.isKeyWindow)
    stage.window.isHidden = true
    #expect(stage.application.keyWindow == nil)
  }

  @Test
  func `WN-10: the key goes back to the visible window that had it last, also from one let go`() {
    let stage = Stage()
    let behind = UIWindow(frame: stage.window.frame, application: stage.application)
    behind.makeKeyAndVisible()
    let hidden = UIWindow(frame: stage.window.frame, application: stage.application)
    hidden.makeKeyAndVisible()
    stage.window.makeKey()
    var front: UIWindow? = UIWindow(frame: stage.window.frame, application: stage.application)
    front?.makeKeyAndVisible()
    stage.window.isHidden = true
    hidden.isHidden = true
    #expect(front?.isKeyWindow == true)
    front = nil
    stage.application.settle()
    #expect(behind.isKeyWindow)
  }

  @Test func `WN-15: hiding a window cancels its touches at once and for good`() {
    let stage = Stage()
    let view = stage.view("V", 0, 0, 100, 100)
    stage.add(LogRecognizer(stage.log), "G", to: view)
    let window = stage.window
    let log = stage.log
    touch.down(at: at(5, 5)).then {
      window.isHidden = true
      log.add("hidden")
    }.move(to: at(9, 9)).then { window.isHidden = false }.move(to: at(20, 20)).up()
      .play(into: stage.application)
    #expect(
      stage.log.take() == ["G.tBegan{1}", "V.began{1}", "V.cancelled{1}", "hidden", "G.reset"])
    #expect(stage.application.diagnostics.unlawfulContacts == 0)
  }

  @Test func `WN-18: a window elsewhere on the screen has its own coordinates`() {
    let stage = Stage()
    let small = UIWindow(
      frame: CGRect(x: 100, y: 200, width: 50, height: 50), application: stage.application)
    small.isHidden = false
    let view = stage.view("V", 10, 10, 40, 40, in: small)
    var places: [CGPoint] = []
    view.onTouch = { places += [$0.location(in: nil), $0.location(in: view)] }
    stage.play(touch.down(at: at(115, 216)))
    #expect(places == [at(15, 16), at(5, 6)])
  }

  @Test func `a fresh shared application takes the place of the old one`() {
    let old = UIApplication.shared
    let new = UIApplication.reset()
    #expect(UIApplication.shared === new && old !== new)
    #expect(UIWindow(frame: .zero).application === new)
  }
}
