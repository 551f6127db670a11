// The states of an app and its scenes:
//
//     unattached -> inactive <-> active
//                   inactive <-> background -> unattached
extension UIApplication {
  /// How an app stands to the user.
  public enum State: Int, Sendable {
    /// In front; it gets touches.
    case active = 0
    /// To be seen perhaps, but without touches.
    case inactive = 1
    /// Not to be seen.
    case background = 2
  }

  /// Takes the app and all its scenes to a state, by way of those between.
  ///
  /// The daemon's connection calls it; so may a host that decides otherwise who is in front. The app
  /// is active from the start. Leaving the active state cancels the touches that are down, first
  /// thing. Called from a handler, it takes place when the present event is done.
  public final func transition(to state: State) {
    whenIdle { [self] in move(to: state) }
  }

  private func move(to state: State) {
    askedState = state
    // Delegates may disconnect scenes.
    for scene in connectedScenes where connectedScenes.contains(scene) {
      // One that asked for another state has had it for all scenes.
      guard askedState == state else { break }
      scene.move(to: state.ofScenes)
    }
    follow(askedState)
  }

  /// Connects a scene: its delegate is told, and it takes on the app's state.
  ///
  /// A scene of another application is left there.
  ///
  /// - Ownership: the application holds the scene until `disconnect`.
  public final func connect(
    _ scene: UIScene, options: UIScene.ConnectionOptions = UIScene.ConnectionOptions()
  ) {
    guard scene.application === self, connectedScenes.insert(scene).inserted else { return }
    scene.delegate?.scene(scene, willConnectTo: scene.session, options: options)
    guard connectedScenes.contains(scene) else { return }
    scene.transition(to: applicationState.ofScenes)
  }

  /// Takes a scene away, with the touches in its windows.
  public final func disconnect(_ scene: UIScene) {
    guard connectedScenes.remove(scene) != nil else { return }
    scene.transition(to: .unattached)
  }

  /// Does something at once, or after the delivery that is under way.
  func whenIdle(_ body: @escaping () -> Void) {
    if depth == 0 { body() } else { postponed.append(body) }
  }

  /// Lets the app's own state follow that of its scenes.
  func scenesChanged() {
    let best = connectedScenes.compactMap(\.activationState.ofApplication).min {
      $0.rawValue < $1.rawValue
    }
    if let best { follow(best) }
  }

  private func follow(_ state: State) {
    wantedState = state
    guard !isChangingState else { return }
    while applicationState != wantedState { step() }
  }

  /// Who is told; scenes with a delegate tell theirs.
  private var listener: (any UIApplicationDelegate)? {
    connectedScenes.contains { $0.delegate != nil } ? nil : delegate
  }

  // Told that it has a state the delegate may ask for another one, and gets it at once. Told that it
  // will have one it gets that first.
  private func step() {
    switch applicationState {
    case .active:
      isChangingState = true
      interrupt({ !$0.isOfScene }, leaving: { isLeaving = true })
      listener?.applicationWillResignActive(self)
      (isChangingState, isLeaving) = (false, false)
      applicationState = .inactive
    case .inactive where wantedState == .active:
      applicationState = .active
      listener?.applicationDidBecomeActive(self)
    case .inactive:
      applicationState = .background
      listener?.applicationDidEnterBackground(self)
    case .background:
      isChangingState = true
      listener?.applicationWillEnterForeground(self)
      isChangingState = false
      applicationState = .inactive
    }
  }

  /// Cancels the touches of some windows, after what has arrived before.
  ///
  /// - Parameter leaving: is called in between; what arrives from then on must not land there.
  func interrupt(_ isMeant: (UIWindow) -> Bool, leaving: () -> Void) {
    enter {
      runQueue(isFlushing: true)
      leaving()
      gestures.interruptWaiting { $0.window.map(isMeant) ?? false }
      cancelTouches { $0.window.map(isMeant) ?? false }
    }
  }
}

extension UIApplication.State {
  var ofScenes: UIScene.ActivationState {
    switch self {
    case .active: .foregroundActive
    case .inactive: .foregroundInactive
    case .background: .background
    }
  }
}
