import Testing
import TouchKit
import TouchModel
import TouchTestSupport

/// A delegate that does something the first time that its scene has gone to the background.
private final class RestlessDelegate: UISceneDelegate {
  var onBackground: (() -> Void)?
  init() {}

  func sceneDidEnterBackground(_ scene: UIScene) {
    let deed = onBackground
    onBackground = nil
    deed?()
  }
}

@MainActor @Suite struct `Scenes of an application` {
  @Test func `WN-12: a state that a scene's delegate asks for meanwhile holds for all scenes`() {
    let application = UIApplication()
    var delegates: [RestlessDelegate] = []
    var hasAsked = false
    let scenes = (0..<3).map { _ in
      let scene = UIWindowScene(application: application)
      let delegate = RestlessDelegate()
      delegate.onBackground = {
        guard !hasAsked else { return }
        hasAsked = true
        application.transition(to: .active)
      }
      delegates.append(delegate)
      scene.delegate = delegate
      application.connect(scene)
      return scene
    }
    application.transition(to: .background)
    #expect(hasAsked)
    #expect(application.applicationState == .active)
    #expect(
      scenes.map(\.activationState) == [.foregroundActive, .foregroundActive, .foregroundActive])
    application.transition(to: .background)
    #expect(scenes.map(\.activationState) == [.background, .background, .background])
  }

  @Test func `a scene is connected to its own application only`() {
    let (one, other) = (UIApplication(), UIApplication())
    let scene = UIWindowScene(application: one)
    other.connect(scene)
    #expect(other.connectedScenes == [] && scene.activationState == .unattached)
    one.connect(scene)
    #expect(one.connectedScenes == [scene] && scene.activationState == .foregroundActive)
  }

  @Test func `an application that was launched goes with its scene`() {
    final class Delegate: UIApplicationDelegate { init() {} }
    let delegate = Delegate()
    var application: UIApplication? = UIApplication()
    application?.launch(delegate)
    weak let scene = application?.connectedScenes.first
    #expect(scene != nil)
    weak let gone = application
    application = nil
    #expect(gone == nil && scene == nil)
  }
}
