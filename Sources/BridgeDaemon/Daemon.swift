import EvdevSource
import Glibc
import LinuxIO
import TouchFrames
import TouchModel
import TouchRecording
import TouchRouting
import TouchSettings
import TouchWire

/// The daemon: panels in, routed frames out, on one thread.
///
/// - Ownership: owns everything it opens; `run` returns when it is told to stop.
public final class Daemon {
  let options: DaemonOptions
  let log: Log
  let loop: EventLoop
  let manager = ServiceManager()
  /// What is configured at present, displays as they are turned now included.
  var configuration: Configuration
  let limits: Cell<ClientLimits>
  /// Why panels that are there are not used, by node.
  var refusedPanels: [String: String] = [:]
  /// The panels that are there and not used, by node.
  var idlePanels: [String: PanelIdentity] = [:]

  /// The displays as apps see them.
  var displays: [Display] { configuration.displays.map(\.display) }

  // The frame path.
  let router: Cell<Router>
  let deliveries = Cell(DeliveryBuffer(capacity: Daemon.deliveryCapacity))
  /// For cancels that come up while `deliveries` is being handed out.
  var cancellations = DeliveryBuffer(capacity: Router.maximumDecisions)
  let ids = ContactIDSequence()
  // As many as a frame has room for, so that its contacts go over without being copied; more than
  // the router decides in any other call.
  private static let deliveryCapacity = FrameAssembler.frameCapacity

  /// Clients whose backlog overflowed while `deliveries` is being handed out.
  let overflowed = Cell<[Session]>([])

  // Clients.
  let sessions = SessionTable()
  let observers = Cell<[Session]>([])
  let writer = PacketWriter()
  let reportWriter = PacketWriter()
  /// What all sessions receive into, one after the other.
  let receiveBuffer = PacketBuffer(byteCount: WireFormat.maximumLength)
  var listeners: [Listener] = []
  /// For what clients can repeat a thousand times a second.
  var clientWarnings = RateLimit(limit: 10)

  // Panels.
  var panels: [Panel] = []
  var nextDevice: UInt32 = 1
  /// The nodes that are panels, or are waited for.
  var nodes = NodeTable()
  var watcher: InputNodeWatcher?
  var watcherHandler: NodeChangeHandler?
  var replay: Replay?
  /// The panels of the replay by their places in the recording; nil for a device that gives no frames.
  var replayPanels: [Panel?] = []
  /// When the daemon may end after its replay; nil before the replay's end.
  var lingersUntil: UInt64?

  // Time.
  var suspendWatch = SuspendWatch(
    monotonic: MonotonicClock.now(), sinceBoot: MonotonicClock.sinceBoot())
  /// When the machine woke up last; nil if it has not slept.
  var wokeAt: UInt64?
  /// When clients are to be looked at; `max` for never.
  var nextCheck = UInt64.max
  var nextWatchdog: UInt64?
  /// When the service manager is told once more that the daemon is ready; `max` once it knows.
  private var nextReady = UInt64.max
  /// When the stages of panels are to be called; `max` for not before the next frame.
  var nextPanelDeadline = UInt64.max
  let startedAt = MonotonicClock.now()
  /// Whether all sessions are about to end, so that who is in front is no news.
  var isStopping = false
  private var signals: SignalReader?
  private var signalHandler: SignalHandler?

  /// Prepares a daemon; nothing is opened yet.
  ///
  /// - Errors: `DaemonError` if the kernel refuses a loop, or with a configuration that leaves
  ///   nothing to work with.
  public init(options: DaemonOptions, log: Log) throws(DaemonError) {
    var options = options
    // Tools that are told of it run in folders of their own.
    options.configuration = options.configuration.absolute
    self.options = options
    self.log = log
    do throws(SystemError) {
      loop = try EventLoop()
    } catch {
      throw .system("\(error)")
    }
    configuration = Configuration(
      options.configuration, display: options.display, sysfs: options.sysfs)
    guard !configuration.isUseless else { throw .configuration(configuration.faults) }
    limits = Cell(ClientLimits(options, configuration.settings.daemon))
    router = Cell(Router(displays: configuration.displays.map(\.display)))
  }

  /// Opens sockets and panels, says that it is ready, and serves until `SIGTERM` or `SIGINT`.
  ///
  /// `SIGHUP` makes it read its configuration again, and look again at the nodes it could not use.
  ///
  /// - Errors: `DaemonError` if it cannot do its work at all; a panel or client that fails is
  ///   no such case.
  public func run() throws(DaemonError) {
    try takeSignals()
    watchForSuspend()
    loop.deadlineReached = { [unowned self] now in deadlineReached(now) }
    tellConfiguration()
    if let file = options.replayFile {
      try openReplay(file)
    } else if options.findsPanels {
      startDiscovery()
    }
    try openSockets()
    if let interval = manager.watchdogInterval {
      nextWatchdog = MonotonicClock.now() + interval / 2
    }
    tellReady(MonotonicClock.now())
    log.write(.notice, "ready", [("panels", "\(panels.count)")])
    tellUnusedSections()
    startReplayIfAwaited()
    setDeadline()
    log.hurry()
    loop.run()
    shutDown()
  }

  /// Tells the service manager that the daemon is ready; if it has no room for that, again and again.
  private func tellReady(_ now: UInt64) {
    // Whatever else it is told gets lost then: the next word says how things stand.
    nextReady = manager.notify("READY=1\n\(statusLine)") ? .max : now + 100_000_000
  }

  /// Ends `run` after the present turn of the loop.
  public func stop() { loop.stop() }

  var statusLine: String {
    var line = "STATUS=\(panels.count) panels, \(sessions.count) clients"
    for entry in nodes.waiting { line += "; \(entry.node.node): \(entry.problem ?? "")" }
    return line + statusProblems
  }

  private func takeSignals() throws(DaemonError) {
    do throws(SystemError) {
      let reader = try SignalReader([SIGTERM, SIGINT, SIGHUP])
      let handler = SignalHandler(reader) { [unowned self] signal in
        if signal == SIGHUP { reload() } else { loop.stop() }
      }
      _ = try loop.watch(reader.descriptor, handler: handler)
      signals = reader
      signalHandler = handler
    } catch {
      throw .system("\(error)")
    }
  }

  /// Cancels what is down and lets everybody go.
  private func shutDown() {
    manager.notify("STOPPING=1")
    log.write(.notice, "stopping")
    let now = MonotonicClock.now()
    for panel in panels { panel.cancelAll(at: now) }
    isStopping = true
    sessions.visitAll { end($0, because: nil) }
    for listener in listeners { listener.pause() }
  }

  // MARK: Time

  /// Sets the loop's one deadline to the earliest of all; whoever changes one of them calls it.
  func setDeadline() {
    var deadline = min(
      nextCheck, nextPanelDeadline, nextWatchdog ?? .max, nodes.nextDeadline ?? .max)
    deadline = min(deadline, nextReady)
    // A replay that is held goes on with an acknowledgement.
    if let replay, !isReplayHeld { deadline = min(deadline, replay.deadline ?? .max) }
    // Past that time it is the clients' acknowledgements that end the daemon.
    if let lingersUntil, lingersUntil > MonotonicClock.now() {
      deadline = min(deadline, lingersUntil)
    }
    loop.deadline = deadline == .max ? nil : deadline
  }

  private func deadlineReached(_ now: UInt64) {
    if let watchdog = nextWatchdog, watchdog <= now, let interval = manager.watchdogInterval {
      manager.notify("WATCHDOG=1")
      nextWatchdog = now + interval / 2
    }
    if nextReady <= now { tellReady(now) }
    if nextCheck <= now { checkClients(now) }
    if nextPanelDeadline <= now { runStages(now) }
    retryNodes(now)
    feedReplay(now)
    stopIfDone()
    setDeadline()
  }
}

/// Turns signals into a closure's call.
private final class SignalHandler: DescriptorHandler {
  private let reader: SignalReader
  private let received: (Int32) -> Void

  init(_ reader: SignalReader, received: @escaping (Int32) -> Void) {
    self.reader = reader
    self.received = received
  }

  func descriptorReady(_ readiness: Readiness) {
    while let signal = reader.next() { received(signal) }
  }
}
