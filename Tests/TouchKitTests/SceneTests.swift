import Testing
import TouchKit
import TouchModel
import TouchTestSupport

/// A scene's delegate that logs what it hears, with the state at that moment.
private class SceneSpy: UISceneDelegate {
  var log = Log()
  var name = ""
  required init() {}

  private func add(_ line: String, _ scene: UIScene) {
    log.add("\(name)\(line) while \(scene.activationState)")
  }

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions
  ) { add("willConnect", scene) }
  func sceneDidDisconnect(_ scene: UIScene) { add("didDisconnect", scene) }
  func sceneDidBecomeActive(_ scene: UIScene) { add("didBecomeActive", scene) }
  func sceneWillResignActive(_ scene: UIScene) { add("willResignActive", scene) }
  func sceneWillEnterForeground(_ scene: UIScene) { add("willEnterForeground", scene) }
  func sceneDidEnterBackground(_ scene: UIScene) { add("didEnterBackground", scene) }
}

/// An app's delegate that logs what it hears.
private class AppSpy: UIApplicationDelegate {
  var log = Log()
  var launches = true
  var sceneClass: (any UISceneDelegate.Type)?
  var onLaunch: () -> Void = {}
  required init() {}

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    log.add("didFinishLaunching while \(application.applicationState)")
    onLaunch()
    return launches
  }

  func application(
    _ application: UIApplication, configurationForConnecting session: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    let configuration = UISceneConfiguration(name: "main")
    configuration.delegateClass = sceneClass
    return configuration
  }

  func applicationDidBecomeActive(_ application: UIApplication) { log.add("didBecomeActive") }
  func applicationWillResignActive(_ application: UIApplication) { log.add("willResignActive") }
  func applicationDidEnterBackground(_ application: UIApplication) { log.add("didEnterBackground") }
  func applicationWillEnterForeground(_ application: UIApplication) {
    log.add("willEnterForeground")
  }
  func applicationWillTerminate(_ application: UIApplication) { log.add("willTerminate") }
}

extension UIApplication {
  /// Plays fingers, as a run of the loop within a callback would.
  fileprivate func play(_ script: TouchScript) { script.play(into: self) }
}

@MainActor @Suite struct `Scenes and activation` {
  private let stage = Stage()
  private let view: LogView
  private let delegate = SceneSpy()
  private let scene: UIWindowScene

  /// The stage's window in a scene that is active.
  init() {
    view = stage.view("V", 0, 0, 100, 100)
    scene = UIWindowScene(application: stage.application)
    delegate.log = stage.log
    scene.delegate = delegate
    stage.window.windowScene = scene
    stage.application.connect(scene)
    _ = stage.log.take()
  }

  @Test func `WN-11: states have UIKit's raw values`() {
    let states: [UIScene.ActivationState] = [
      .unattached, .foregroundActive, .foregroundInactive, .background,
    ]
    #expect(states.map(\.rawValue) == [-1, 0, 1, 2])
    let applicationStates: [UIApplication.State] = [.active, .inactive, .background]
    #expect(applicationStates.map(\.rawValue) == [0, 1, 2])
  }

  @Test func `the delegate hears of each step, and the app follows its scene`() {
    let application = stage.application
    scene.transition(to: .background)
    #expect(application.applicationState == .background)
    scene.transition(to: .foregroundActive)
    #expect(application.applicationState == .active)
    application.disconnect(scene)
    application.disconnect(scene)
    #expect(application.connectedScenes == [] && scene.activationState == .unattached)
    #expect(
      stage.log.take() == [
        "willResignActive while foregroundActive", "didEnterBackground while background",
        "willEnterForeground while background", "didBecomeActive while foregroundActive",
        "willResignActive while foregroundActive", "didEnterBackground while background",
        "didDisconnect while unattached",
      ])
    application.connect(scene)
    #expect(
      stage.log.take() == [
        "willConnect while unattached", "willEnterForeground while unattached",
        "didBecomeActive while foregroundActive",
      ])
  }

  @Test func `WN-12, GL-7: leaving the active state cancels, before the delegate hears of it`() {
    let recognizer = stage.add(LogRecognizer(stage.log), "G", to: view)
    recognizer.onMoved = { $0.state = .began }
    recognizer.cancelsTouchesInView = false
    stage.play(touch.down(at: at(10, 10)).move(to: at(20, 10)))
    _ = stage.log.take()
    stage.application.transition(to: .inactive)
    #expect(
      stage.log.take() == [
        "G.tCancelled{1}", "G→cancelled", "V.cancelled{1}", "G.reset",
        "willResignActive while foregroundActive",
      ])
  }

  @Test(arguments: [UIApplication.State.inactive, .background])
  func `WN-11, WN-13, WN-14: without it touches are dropped for life, and none is kept for later`(
    _ state: UIApplication.State
  ) {
    let (application, log) = (stage.application, stage.log)
    let script = touch.down(1, at: at(10, 10)).then { application.transition(to: state) }
      .move(1, to: at(20, 10)).down(2, at: at(30, 10)).tap(3, at: at(40, 10))
      .then {
        application.transition(to: .active)
        _ = log.take()
      }
      .move(1, to: at(30, 10)).move(2, to: at(40, 10)).up(1, 2).tap(4, at: at(50, 10))
    stage.play(script)
    #expect(stage.log.take() == ["V.began{1}", "V.ended{1}"])
    #expect(application.diagnostics.unlawfulContacts == 0)
  }

  @Test func `WN-12: what has arrived before is delivered first`() {
    let application = stage.application
    application.enqueue(TouchFrame(timeNanoseconds: 1, contacts: [contact(1, .down, 10)]))
    application.transition(to: .inactive)
    #expect(
      stage.log.take() == [
        "V.began{1}", "V.cancelled{1}", "willResignActive while foregroundActive",
      ])
  }

  @Test func `a handler that sends its scene away finishes first`() {
    view.onBegan = { [scene, stage] in
      scene.transition(to: .foregroundInactive)
      stage.log.add("still \(scene.activationState)")
    }
    stage.play(touch.down(at: at(10, 10)).move(to: at(20, 10)).up())
    #expect(
      stage.log.take() == [
        "V.began{1}", "still foregroundActive", "V.cancelled{1}",
        "willResignActive while foregroundActive",
      ])
  }

  @Test func `a delegate that turns a change round is heard once more, and the last word counts`() {
    final class Stubborn: SceneSpy {
      override func sceneWillResignActive(_ scene: UIScene) {
        super.sceneWillResignActive(scene)
        scene.transition(to: .foregroundActive)
      }
    }
    let stubborn = Stubborn()
    stubborn.log = stage.log
    scene.delegate = stubborn
    scene.transition(to: .background)
    #expect(scene.activationState == .foregroundActive)
    #expect(
      stage.log.take() == [
        "willResignActive while foregroundActive", "didBecomeActive while foregroundActive",
      ])
  }

  @Test func `WN-11, WN-12: what lands while a scene hears that it leaves the front is dropped`() {
    final class Spinning: SceneSpy {
      var spin: () -> Void = {}
      override func sceneWillResignActive(_ scene: UIScene) {
        super.sceneWillResignActive(scene)
        spin()
      }
    }
    let (application, log) = (stage.application, stage.log)
    let spinning = Spinning()
    spinning.log = log
    scene.delegate = spinning
    spinning.spin = { application.play(touch.tap(at: CGPoint(x: 10, y: 10))) }
    scene.transition(to: .foregroundInactive)
    #expect(log.take() == ["willResignActive while foregroundActive"])
    scene.transition(to: .foregroundActive)
    application.play(touch.tap(at: at(10, 10)))
    #expect(
      log.take() == ["didBecomeActive while foregroundActive", "V.began{1}", "V.ended{1}"])
  }

  @Test func `WN-11, WN-12: the same holds for windows without a scene`() {
    final class Spinning: AppSpy {
      var spin: () -> Void = {}
      override func applicationWillResignActive(_ application: UIApplication) {
        super.applicationWillResignActive(application)
        spin()
      }
    }
    let stage = Stage()
    stage.view("V", 0, 0, 100, 100)
    let (application, log) = (stage.application, stage.log)
    let spinning = Spinning()
    spinning.log = log
    spinning.spin = { application.play(touch.tap(at: CGPoint(x: 10, y: 10))) }
    application.delegate = spinning
    application.transition(to: .inactive)
    #expect(log.take() == ["willResignActive"] && application.applicationState == .inactive)
  }

  @Test func `WN-12: one that is told it is in front may leave at once, and has left then`() {
    final class Leaving: SceneSpy {
      var leave: () -> Void = {}
      override func sceneDidBecomeActive(_ scene: UIScene) {
        super.sceneDidBecomeActive(scene)
        leave()
      }
    }
    let leaving = Leaving()
    leaving.log = stage.log
    scene.transition(to: .foregroundInactive)
    scene.delegate = leaving
    _ = stage.log.take()
    let (scene, log) = (scene, stage.log)
    leaving.leave = {
      scene.transition(to: .background)
      log.add("then \(scene.activationState)")
    }
    scene.transition(to: .foregroundActive)
    #expect(
      scene.activationState == .background && stage.application.applicationState == .background)
    #expect(
      log.take() == [
        "didBecomeActive while foregroundActive", "willResignActive while foregroundActive",
        "didEnterBackground while background", "then background",
      ])
  }

  @Test func `a scene that a delegate disconnects stays so`() {
    final class Jealous: SceneSpy {
      var others: [UIScene] = []
      override func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions
      ) { scene.application?.disconnect(scene) }
      override func sceneWillResignActive(_ scene: UIScene) {
        let rivals = others.filter { $0 !== scene }
        others = []
        for rival in rivals { rival.application?.disconnect(rival) }
      }
    }
    let application = stage.application
    let other = UIWindowScene(application: application)
    application.connect(other)
    let jealous = Jealous()
    (scene.delegate, other.delegate) = (jealous, jealous)
    jealous.others = [scene, other]
    application.transition(to: .inactive)
    #expect(application.connectedScenes.count == 1)
    #expect([scene, other].count { $0.activationState == .unattached } == 1)
    let third = UIWindowScene(application: application)
    third.delegate = jealous
    application.connect(third)
    #expect(third.activationState == .unattached && !application.connectedScenes.contains(third))
  }

  @Test func `a scene may be connected again as it hears that it is gone`() {
    final class Returning: SceneSpy {
      override func sceneDidDisconnect(_ scene: UIScene) {
        super.sceneDidDisconnect(scene)
        scene.application?.connect(scene)
      }
    }
    let returning = Returning()
    returning.log = stage.log
    scene.delegate = returning
    stage.application.disconnect(scene)
    #expect(stage.application.connectedScenes == [scene])
    #expect(scene.activationState == .foregroundActive)
  }

  @Test func `WN-9, WN-10, WN-12: scenes go their own ways, each with its key window`() {
    let application = stage.application
    let other = UIWindowScene(application: application)
    let side = UIWindow(
      frame: CGRect(x: 200, y: 0, width: 200, height: 800), application: application)
    side.windowScene = other
    let sideView = LogView("S", stage.log, CGRect(x: 0, y: 0, width: 100, height: 100))
    side.addSubview(sideView)
    application.connect(other)
    side.makeKeyAndVisible()
    #expect(application.connectedScenes == [scene, other])
    #expect(scene.windows == [stage.window] && other.windows == [side])
    #expect(scene.keyWindow === stage.window && other.keyWindow === side)
    #expect(application.keyWindow === side && !stage.window.isKeyWindow)
    stage.play(touch.down((1, at: at(10, 10)), (2, at: at(210, 10))))
    _ = stage.log.take()
    other.transition(to: .foregroundInactive)
    #expect(stage.log.take() == ["S.cancelled{1}"])
    #expect(application.applicationState == .active)
    stage.play(touch.tap(at: at(20, 20)).tap(at: at(220, 20)))
    // The first finger is still down on V.
    #expect(stage.log.take() == [])
    side.isHidden = true
    #expect(other.keyWindow == nil)
  }

  @Test func `RC-6, RC-7: from the window the chain goes through its scene to the application`() {
    #expect(stage.window.next === scene && scene.next === stage.application)
    stage.window.windowScene = nil
    #expect(stage.window.next === stage.application)
  }

  // MARK: An app's life

  private func launched(_ delegate: AppSpy) -> UIApplication {
    delegate.log = stage.log
    let application = UIApplication()
    application.launch(delegate)
    return application
  }

  @Test func `an app without a scene's delegate hears of its states itself`() {
    let delegate = AppSpy()
    let application = launched(delegate)
    application.transition(to: .background)
    application.transition(to: .active)
    application.terminate()
    #expect(
      stage.log.take() == [
        "didFinishLaunching while inactive", "didBecomeActive", "willResignActive",
        "didEnterBackground", "willEnterForeground", "didBecomeActive", "willTerminate",
      ])
  }

  @Test func `windows of such an app are in its scene, whenever they were made`() {
    let application = UIApplication()
    let early = UIWindow(frame: CGRect(x: 0, y: 0, width: 1, height: 1), application: application)
    let delegate = AppSpy()
    delegate.onLaunch = { early.isHidden = false }
    application.launch(delegate)
    let late = UIWindow(frame: CGRect(x: 0, y: 0, width: 1, height: 1), application: application)
    #expect(early.windowScene != nil && early.windowScene === late.windowScene)
    #expect(application.connectedScenes == [early.windowScene])
    #expect(early.windowScene?.session.configuration.name == "main")
    #expect(early.windowScene?.session.scene === early.windowScene)
  }

  private final class LaunchedScene: SceneSpy {}

  @Test func `a scene's delegate hears of states in the app's place, and makes its windows`() {
    let delegate = AppSpy()
    delegate.sceneClass = LaunchedScene.self
    let application = launched(delegate)
    let scene = application.connectedScenes.first as? UIWindowScene
    #expect(scene?.delegate is LaunchedScene && scene?.activationState == .foregroundActive)
    #expect(application.applicationState == .active)
    #expect(stage.log.take() == ["didFinishLaunching while inactive"])
    let window = scene.map { UIWindow(windowScene: $0) }
    #expect(window?.windowScene === scene && window?.frame == UIScreen.main.bounds)
    #expect(window?.application === application)
  }

  @Test func `an app that declines its launch gets no scene`() {
    let delegate = AppSpy()
    delegate.launches = false
    let application = launched(delegate)
    #expect(application.connectedScenes == [])
    #expect(stage.log.take() == ["didFinishLaunching while inactive"])
  }

  @Test func `an app that is covered while it launches starts inactive`() {
    let delegate = AppSpy()
    delegate.log = stage.log
    let application = UIApplication()
    delegate.onLaunch = { application.transition(to: .inactive) }
    application.launch(delegate)
    #expect(application.applicationState == .inactive)
    #expect(stage.log.take() == ["didFinishLaunching while inactive"])
  }

  @Test func `an app that was covered before its launch starts inactive`() {
    let application = UIApplication()
    application.transition(to: .inactive)
    let delegate = AppSpy()
    delegate.log = stage.log
    application.launch(delegate)
    #expect(application.applicationState == .inactive)
    #expect(stage.log.take() == ["didFinishLaunching while inactive"])
  }
}
