import LinuxIO
import TouchClient
import TouchModel

/// Ties an application to the daemon and to a run loop, in two stages as on iOS.
///
/// The daemon says whether the app is in front, and the app's state follows. While the daemon is
/// gone the state stays as it was: nobody else can have come to the front.
///
/// The socket is a source of version 1: it receives, queues and signals. A source of version 0
/// does the rest: touches, gestures, actions, and then the acknowledgement.
///
/// - Ownership: holds the application and the loop's registrations until `invalidate`.
@MainActor
public final class ApplicationConnection {
  /// The application that gets the touches.
  public let application: UIApplication

  /// Whether the daemon has answered and has not gone since.
  public var isOpen: Bool { connection.isOpen }

  /// Is told when the connection stands and when it is lost, with the reason; from the loop.
  public var stateChanged: ((_ isOpen: Bool, _ reason: String?) -> Void)?

  /// Is told when the screen is another one or of another size; windows that filled it have done so
  /// again by then.
  ///
  /// A `sceneFrame` stays as it is: set another one here if it no longer fits.
  public var screenChanged: (() -> Void)?

  /// The name of the display that is the app's screen; nil, or one that is not there, for the first.
  public var displayName: String? {
    didSet { adoptScreen() }
  }

  /// The part of the screen for which the app wants touches; nil for all of it.
  ///
  /// - Units: points. The numbers must be finite and the size not negative.
  public var sceneFrame: CGRect? {
    didSet { setScene() }
  }

  private enum Notice {
    case state(isOpen: Bool, reason: String?)
    case screen
  }

  private let loop: MainLoop
  private let connection: TouchConnection
  private let receiver: FrameReceiver
  private var displayID: UInt32 = 0
  private var source0: MainLoop.Token?
  private var source1: MainLoop.Token?
  private var timer: MainLoop.Token?
  private var observer: MainLoop.Token?
  private var armedDeadline = UInt64.max
  /// What the app's own callbacks are still to be told.
  private var notices: [Notice] = []
  /// Where the app is to stand once the events before have been delivered.
  private var awaitedState: UIApplication.State?
  /// Where the app stands on each display that it was told of.
  private var activations: [UInt32: Activation] = [:]

  /// Prepares a connection; nothing is asked of the daemon before the loop runs, or `open`.
  ///
  /// - Parameters:
  ///   - application: gets the touches.
  ///   - loop: the loop that the connection is served in.
  ///   - name: the app's name, for people.
  ///   - path: the daemon's socket; nil for `TOUCHBRIDGE_SOCKET`, else the standard one.
  /// - Errors: a sentence if the process has no descriptors left.
  public convenience init(
    _ application: UIApplication, loop: MainLoop = .main, name: String, path: String? = nil
  ) throws(ConnectionError) {
    do throws(SystemError) {
      let connection = try TouchConnection(name: name, path: path)
      try self.init(application, loop: loop, connection: connection)
    } catch {
      throw ConnectionError(description: "\(error)")
    }
  }

  init(
    _ application: UIApplication, loop: MainLoop, connection: TouchConnection
  ) throws(SystemError) {
    self.application = application
    self.loop = loop
    self.connection = connection
    connection.acknowledgesAutomatically = false
    receiver = FrameReceiver(application)
    receiver.owner = self
    connection.delegate = receiver
    source0 = loop.addSource0 { [weak self] in self?.handleEventQueue() }
    source1 = try loop.addSource1(connection.descriptor) { connection.dispatchPending() }
    timer = loop.addTimer(at: .max, isKept: true) { [weak self] _ in
      self?.armedDeadline = .max
      self?.signal()
    }
    // Actions run in it, and may run the loop, which then has gestures to look after again.
    observer = loop.addObserver(.beforeWaiting, mayNest: true) { [weak self] _ in
      self?.beforeWaiting()
    }
    application.driver = self
    setScene()
  }

  // The last reference goes in the midst of anything, such as the setting of a property that a
  // handler reads: nobody is told of a touch then and there, but in the loop's next turn.
  isolated deinit {
    guard source1 != nil else { return }
    leaveLoop()
    _ = loop.addTimer(at: 0) { [application] _ in application.cancelAllTouches() }
  }

  /// Ends the connection for good: the daemon counts the app no longer, and touches that are down
  /// are cancelled.
  ///
  /// One that is let go does so by itself, and its touches are cancelled in the loop's next turn.
  public func invalidate() {
    leaveLoop()
    application.cancelAllTouches()
  }

  private func leaveLoop() {
    for token in [source0, source1, timer, observer] {
      if let token { loop.remove(token) }
    }
    source0 = nil
    source1 = nil
    timer = nil
    observer = nil
    notices = []
    if application.driver === self { application.driver = nil }
    // Cancels what is down, by frames.
    connection.invalidate()
    application.streamEnded()
  }

  /// Waits for the daemon's answer, so that the screen's size is known before windows are made.
  ///
  /// - Parameter nanoseconds: how long at most; without an answer the connection goes on trying.
  /// - Returns: whether the daemon has answered.
  @discardableResult
  public func open(waiting nanoseconds: UInt64 = 1_000_000_000) -> Bool {
    let end = MonotonicClock.now() &+ nanoseconds
    var hasTried = false
    let timeOut = loop.addTimer(at: end) { _ in hasTried = true }
    loop.run(until: { isOpen || hasTried })
    loop.remove(timeOut)
    return isOpen
  }

  private func setScene() {
    let frame = sceneFrame ?? UIScreen.main.bounds
    let rect = Rect(x: frame.minX, y: frame.minY, width: frame.width, height: frame.height)
    connection.setScenes([Scene(id: 1, display: displayID, frame: rect)])
  }

  private func signal() {
    if let source0 { loop.signal(source0) }
  }

  /// Tells the app's own callbacks in the loop, not while the connection is read: they may run it.
  private func tell(_ notice: Notice) {
    guard source0 != nil else { return }
    notices.append(notice)
    signal()
  }

  private func tellNotices() {
    while !notices.isEmpty {
      // A run within a callback has the rest to do.
      signal()
      switch notices.removeFirst() {
      case .state(let isOpen, let reason): stateChanged?(isOpen, reason)
      case .screen: screenChanged?()
      }
    }
  }

  private func handleEventQueue() {
    tellNotices()
    // Touches count from the state that the daemon sent before them.
    if awaitedState == .active { changeState() }
    application.handleEventQueue()
    changeState()
    let frames = application.releasedFrames
    application.fireTimers(upTo: MonotonicClock.now())
    // Moves that wait for the end of their interval are not handled yet. What resampling keeps beyond
    // that is newer than the daemon need know.
    let isHandled = !application.holdsMoves || application.releasedFrames != frames
    // A run within a hit test has handled nothing.
    if isHandled, !application.isRouting { connection.acknowledge() }
  }

  private func changeState() {
    guard let state = awaitedState else { return }
    awaitedState = nil
    application.transition(to: state)
  }

  private func beforeWaiting() {
    application.settle()
    let deadline = application.nextDeadlineNanoseconds ?? .max
    guard deadline != armedDeadline, let timer else { return }
    armedDeadline = deadline
    loop.reschedule(timer, at: deadline)
  }
}

/// Why an app cannot even try to reach the daemon.
public struct ConnectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What failed.
  public let description: String
}

// What the connection says.
extension ApplicationConnection {
  fileprivate func didOpen(with displays: [Display]) {
    adoptScreen()
    tell(.state(isOpen: true, reason: nil))
  }

  fileprivate func displaysDidChange() { adoptScreen() }

  fileprivate func didReceive() { signal() }

  fileprivate func sceneWasRefused(_ fault: ScenesFault) {
    tell(.state(isOpen: true, reason: "the daemon refuses the scene: \(fault)"))
  }

  fileprivate func didBecome(_ activation: Activation, on display: UInt32) {
    activations[display] = activation
    awaitState()
  }

  /// Lets the app follow what holds for the display that its scene lies on.
  private func awaitState() {
    awaitedState =
      switch activations[displayID] ?? .active {
      case .active: .active
      case .inactive: .inactive
      case .background: .background
      }
    signal()
  }

  fileprivate func didClose(because reason: String) {
    application.streamEnded()
    tell(.state(isOpen: false, reason: reason))
  }

  private func adoptScreen() {
    let displays = connection.displays
    if let display = displays.first(where: { $0.name == displayName }) ?? displays.first {
      adopt(display)
    }
  }

  /// Takes the screen's size over; windows that filled the old screen fill the new one.
  private func adopt(_ display: Display) {
    let old = UIScreen.main.bounds
    let new = CGRect(x: 0, y: 0, width: display.width, height: display.height)
    UIScreen.main.scale = display.scale
    guard old != new || displayID != display.id else { return }
    displayID = display.id
    UIScreen.main.bounds = new
    for window in application.windows where window.frame == old { window.frame = new }
    setScene()
    if !activations.isEmpty { awaitState() }
    tell(.screen)
  }
}

extension ApplicationConnection: ApplicationDriver {
  func needsTurn() { signal() }
}

/// Keeps the client library's types out of the public interface.
@MainActor
private final class FrameReceiver: @MainActor TouchConnectionDelegate {
  // Held, since the cancels of a connection that is going come when its owner is gone.
  private let application: UIApplication
  weak var owner: ApplicationConnection?

  init(_ application: UIApplication) { self.application = application }

  func connection(_ connection: TouchConnection, didOpenWith displays: [Display]) {
    owner?.didOpen(with: displays)
  }

  func connection(_ connection: TouchConnection, displaysDidChange displays: [Display]) {
    owner?.displaysDidChange()
  }

  func connection(_ connection: TouchConnection, didReceive frame: borrowing FrameBuffer) {
    application.enqueue(frame)
    owner?.didReceive()
  }

  func connection(_ connection: TouchConnection, didApplyScenes fault: ScenesFault?) {
    if let fault { owner?.sceneWasRefused(fault) }
  }

  func connection(_ connection: TouchConnection, didCloseBecause reason: String) {
    owner?.didClose(because: reason)
  }

  func connection(
    _ connection: TouchConnection, didBecome activation: Activation, on display: UInt32
  ) {
    owner?.didBecome(activation, on: display)
  }
}
