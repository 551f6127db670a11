import TouchModel

/// The app's object that takes frames from the daemon and hands them out as touches.
///
/// A run loop drives it, in this order at each wake-up:
///
///     enqueue(_:)             for each frame that has arrived; nothing else happens (Source1)
///     handleEventQueue()      touches, gestures and actions of all of them (Source0)
///     fireTimers(upTo:)       with the present time; gestures that wait for time to pass
///     settle()                before it sleeps, until nextDeadlineNanoseconds at most
@MainActor
open class UIApplication: UIResponder {
  /// The application that windows belong to unless they are given another one.
  public private(set) static var shared = UIApplication()

  /// Puts another application, by default a fresh one, in the shared one's place.
  ///
  /// For the start of a program with a subclass, and for tests; windows keep their application.
  @discardableResult
  public static func reset(
    _ application: @autoclosure () -> UIApplication = UIApplication()
  ) -> UIApplication {
    shared = application()
    return shared
  }

  /// The object that is asked last in the responder chain, if it is a responder.
  open weak var delegate: (any UIApplicationDelegate)?

  /// The visible windows, back to front; each is kept by who shows it.
  public final var windows: [UIWindow] { stack.compactMap(\.window) }
  /// The window where actions without a target start.
  public private(set) final weak var keyWindow: UIWindow?

  /// The scenes that are connected; a program started by `@main` has one.
  public internal(set) final var connectedScenes: Set<UIScene> = []
  /// The scene of windows that are made without one.
  weak var defaultScene: UIWindowScene?
  /// Whether the app is in front; where it has scenes, as far as the foremost of them is.
  public internal(set) final var applicationState = State.active
  /// The state that `transition(to:)` was last asked for.
  var askedState = State.active
  /// The state that app and scenes together make.
  var wantedState = State.active
  /// Whether a change of state is under way that the delegate hears of before it has come.
  var isChangingState = false
  /// Whether what arrived before a change has been delivered, and nothing lands any more.
  var isLeaving = false
  /// Whether contacts may land in windows without a scene.
  var isInFront: Bool { applicationState == .active && !isLeaving }

  private struct Place {
    weak var window: UIWindow?
  }

  private var stack: [Place] = []
  /// The windows that were key before, the latest last.
  private var formerKeys: [Place] = []
  private var hasLostWindow = false
  /// Who runs the queue.
  weak var driver: (any ApplicationDriver)?

  /// The measures by which touches become gestures.
  public final var configuration: TouchConfiguration {
    get { gestures.configuration }
    set { gestures.configuration = newValue }
  }

  /// Counts of what was refused.
  public final var diagnostics: TouchDiagnostics {
    get { gestures.diagnostics }
    set { gestures.diagnostics = newValue }
  }

  /// The time of the event or timer that is being handled, or was handled last.
  ///
  /// - Units: nanoseconds of `CLOCK_MONOTONIC`.
  public final var eventTimeNanoseconds: UInt64 { gestures.now }

  /// The highest contact id that has come in; ids are never used again.
  public internal(set) final var highestContactID: UInt64 = 0

  let event = UIEvent()
  let gestures: GestureEnvironment
  let clock: (@MainActor () -> UInt64)?

  var queue = EventQueue()
  var taps = TapChain()
  /// Contacts that go on without a touch: nobody took them, or they were cancelled here.
  var ignoredContacts: [UInt64] = []
  /// Palms, which become touches if the panel changes its mind.
  var restingContacts: [UInt64] = []
  /// Contacts that were down when there were too many, and those that landed since.
  var excessContacts: [UInt64] = []
  /// How often `beginIgnoringInteractionEvents` was called without its end.
  var ignoreCount = 0
  /// When the moves that wait are delivered; nil if none do.
  var frameDue: UInt64?
  /// How often moves that waited were delivered since their interval was over.
  var releasedFrames: UInt64 = 0
  var frameCount: UInt64 = 0
  /// How many calls into the application are under way.
  var depth = 0
  var isCancelRequested = false
  /// Whether it is being found out who gets the touches of a frame.
  var isRouting: Bool {
    get { gestures.isRouting }
    set { gestures.isRouting = newValue }
  }
  /// Whether an event is being sent whose end has not come.
  var isEventOpen = false
  /// The window that the event is being handed to.
  var sendingWindow: UIWindow?
  /// What must not happen within a delivery, and is done after it.
  var postponed: [() -> Void] = []
  #if DEBUG
    var checker = TouchStreamChecker()
  #endif

  /// Creates an application without windows.
  ///
  /// - Parameters:
  ///   - configuration: the measures of its gestures.
  ///   - clock: gives `CLOCK_MONOTONIC` in nanoseconds, for what happens without a frame; without
  ///     one the time of the last event stands for it.
  public init(
    configuration: TouchConfiguration = TouchConfiguration(),
    clock: (@MainActor () -> UInt64)? = nil
  ) {
    gestures = GestureEnvironment(event: event, configuration: configuration)
    self.clock = clock
    super.init()
  }

  /// The delegate, if it is a responder that stands nowhere else in the chain.
  open override var next: UIResponder? {
    guard let responder = delegate as? UIResponder, responder !== self else { return nil }
    return responder is UIView || responder is UIViewController ? nil : responder
  }

  /// Hands an event to each window that has a touch in it, the front-most first.
  ///
  /// An override that does not call super keeps the event from recognisers and views. It must not run
  /// the loop before it has decided: a run within a handler finishes the event first, for all.
  open func sendEvent(_ event: UIEvent) {
    if event === self.event { sendToWindows() }
  }

  // MARK: Windows

  /// Calls something with each visible window, the front-most first.
  func forEachWindow(_ body: (UIWindow) -> Void) {
    takeTouchesOfGoneWindows()
    // Held while walked: handlers show and hide windows, and let them go.
    let stack = stack
    for place in stack.reversed() {
      if let window = place.window, !window.isHidden { body(window) }
      takeTouchesOfGoneWindows()
    }
  }

  func order(_ window: UIWindow) {
    leaveStack(window)
    let place = stack.firstIndex { place in
      place.window.map { $0.windowLevel > window.windowLevel } ?? false
    }
    stack.insert(Place(window: window), at: place ?? stack.count)
  }

  private func leaveStack(_ window: UIWindow) {
    stack.removeAll { $0.window == nil || $0.window === window }
  }

  func conceal(_ window: UIWindow) {
    leaveStack(window)
    if window.windowScene?.keyWindow === window { window.windowScene?.keyWindow = nil }
    abandonTouches(in: window)
    // Who lost a touch may have shown it again.
    guard keyWindow === window, window.isHidden else { return }
    keyWindow = nil
    window.resignKey()
    giveKeyBack()
  }

  /// Makes the visible window key that was so last, when the key window has gone out of sight.
  private func giveKeyBack() {
    while keyWindow == nil, let place = formerKeys.popLast() {
      if let window = place.window, !window.isHidden { makeKey(window) }
    }
  }

  /// Takes note that a window is gone, with nobody left to keep it.
  ///
  /// The last reference goes in the midst of anything, such as the setting of a property that a
  /// handler of the app's reads, or a change of a list of the runtime's: nobody is told then and there.
  func windowHasGone() {
    guard !hasLostWindow else { return }
    hasLostWindow = true
    postponed.append { [weak self] in
      self?.takeTouchesOfGoneWindows()
      self?.settle()
    }
    driver?.needsTurn()
  }

  /// Cancels the touches of windows that are gone, as for one that is hidden.
  private func takeTouchesOfGoneWindows() {
    // Who loses touches may let another window go.
    while hasLostWindow {
      hasLostWindow = false
      giveKeyBack()
      let lost = (event.touches + gestures.held).filter { $0.window == nil }
      for touch in lost where touch.isLive {
        ignore(touch.contactID)
        touch.isGone = true
      }
      gestures.cancelViews { lost.contains($0) }
      let active = gestures.active
      for recognizer in active where recognizer.attempt.contains(where: { $0.window == nil }) {
        recognizer.abandon()
      }
      event.touches.removeAll { lost.contains($0) && !$0.isOver }
      event.forgetSets()
    }
  }

  func makeKey(_ window: UIWindow) {
    guard keyWindow !== window else { return }
    let old = keyWindow
    let wasHidden = window.isHidden
    keyWindow = nil
    old?.resignKey()
    // Who resigned may have made another one key, which stays, or hidden this one.
    guard keyWindow == nil, window.isHidden == wasHidden else { return }
    formerKeys.removeAll { $0.window == nil || $0.window === window || $0.window === old }
    if let old { formerKeys.append(Place(window: old)) }
    keyWindow = window
    window.windowScene?.keyWindow = window
    window.becomeKey()
  }
}

/// Runs an application's queue in a loop.
@MainActor
protocol ApplicationDriver: AnyObject {
  /// Is asked for `handleEventQueue` or `settle` although no frame has come.
  func needsTurn()
}
