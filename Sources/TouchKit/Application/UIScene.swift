/// A part of an app's user interface that comes and goes as a whole.
@MainActor
open class UIScene: UIResponder {
  /// How a scene stands to the user.
  public enum ActivationState: Int, Sendable {
    /// Not connected to the app.
    case unattached = -1
    /// In front; its windows get touches.
    case foregroundActive = 0
    /// To be seen perhaps, but without touches.
    case foregroundInactive = 1
    /// Not to be seen.
    case background = 2

    var ofApplication: UIApplication.State? {
      switch self {
      case .unattached: nil
      case .foregroundActive: .active
      case .foregroundInactive: .inactive
      case .background: .background
      }
    }
  }

  /// What a scene is connected with: nothing on Linux yet.
  public struct ConnectionOptions: Sendable {
    /// Creates options that say nothing.
    public init() {}
  }

  /// The application that it belongs to, which holds it while it is connected.
  public private(set) final weak var application: UIApplication?
  /// What tells the scene from others.
  public final let session: UISceneSession
  /// Who is told of its life; the scene holds it.
  open var delegate: (any UISceneDelegate)?
  /// How the scene stands to the user.
  public private(set) final var activationState = ActivationState.unattached

  private var wanted = ActivationState.unattached
  /// Whether a change is under way that the delegate hears of before it has come.
  private var isChanging = false
  /// Whether what arrived before a change has been delivered, and nothing lands any more.
  private var isLeaving = false
  /// Whether contacts may land in its windows.
  var isInFront: Bool { activationState == .foregroundActive && !isLeaving }

  /// Creates a scene that is not connected yet.
  public init(application: UIApplication = .shared, session: UISceneSession = UISceneSession()) {
    self.application = application
    self.session = session
    super.init()
    session.scene = self
  }

  /// The application.
  open override var next: UIResponder? { application }

  /// Takes the scene to a state, by way of those between; its delegate is told of each.
  ///
  /// The application calls it for all its scenes; call it for a scene that goes its own way. Leaving
  /// `foregroundActive` cancels the touches in its windows, first thing. Called from a handler, it
  /// takes place when the present event is done.
  public final func transition(to state: ActivationState) {
    application?.whenIdle { [self] in move(to: state) }
  }

  /// Takes the scene to a state now that no event is under way.
  func move(to state: ActivationState) {
    wanted = state
    guard !isChanging else { return }
    while activationState != wanted { step() }
    application?.scenesChanged()
  }

  private func step() {
    switch activationState {
    case .unattached where wanted == .background:
      activationState = .background
    case .background where wanted == .unattached:
      activationState = .unattached
      delegate?.sceneDidDisconnect(self)
    case .unattached, .background:
      isChanging = true
      delegate?.sceneWillEnterForeground(self)
      isChanging = false
      activationState = .foregroundInactive
    case .foregroundActive:
      isChanging = true
      application?.interrupt({ $0.windowScene === self }, leaving: { isLeaving = true })
      delegate?.sceneWillResignActive(self)
      (isChanging, isLeaving) = (false, false)
      activationState = .foregroundInactive
    case .foregroundInactive where wanted == .foregroundActive:
      activationState = .foregroundActive
      delegate?.sceneDidBecomeActive(self)
    case .foregroundInactive:
      activationState = .background
      delegate?.sceneDidEnterBackground(self)
    }
  }
}

/// What tells one scene of an app from another.
@MainActor
public final class UISceneSession {
  /// The scene, while it is there.
  public internal(set) weak var scene: UIScene?
  /// How it was set up.
  public internal(set) var configuration = UISceneConfiguration()

  /// Creates a session without a scene.
  public init() {}
}

/// How a scene is set up.
@MainActor
public final class UISceneConfiguration {
  /// The name, for people.
  public let name: String?
  /// The class of which a scene's delegate is made; nil for a scene without one.
  public var delegateClass: (any UISceneDelegate.Type)?

  /// Creates a configuration without a delegate's class.
  public init(name: String? = nil) { self.name = name }
}
