// Where this module sits: it joins the stages, device to socket, in one process.

import TouchFilters
import TouchModel
import TouchSettings

/// What a daemon is told when it starts.
public struct DaemonOptions: Equatable, Sendable {
  /// Where its sockets are made, unless the service manager hands them over.
  public var runtimeDirectory = "/run/touchbridge"
  /// Whether udev is asked for panels; without it there are only those of `Daemon.add`.
  public var findsPanels = true
  /// The nodes that are used, by path; if there are any, udev is not asked at all.
  public var devices: [String] = []
  /// The seat whose panels are used, as udev names it; nil for the configuration's, or `seat0`.
  public var seat: String?
  /// Whether the daemon ends when the last panel is gone.
  public var endsWithoutPanels = false
  /// A recording that takes the place of panels; nil for real ones.
  public var replayFile: String?
  /// How much faster than recorded the replay runs; above 0.
  public var replaySpeed = 1.0
  /// How many clients must have set scenes before the replay starts.
  public var replayClients = 0
  /// Whether a frame of the replay waits until its clients have handled the one before.
  public var replaysInStep = false
  /// Whether the daemon ends when the replay is over and its clients have handled it.
  public var endsWithReplay = false
  /// Where the configuration is read from, at the start and on `SIGHUP`.
  public var configuration = ConfigurationPlace.none
  /// The only display; nil for those of the configuration, else the one the kernel shows, else 1280
  /// by 800 points.
  public var display: Display?
  /// Where the kernel shows its outputs; another place in tests.
  var sysfs = DisplayProbe.outputs
  /// The age at which clients drop a contact's down, in nanoseconds; 0 for never.
  ///
  /// nil for the configuration's, or one second.
  public var staleLimit: UInt64?
  /// How long a client may leave a frame unacknowledged before it counts as unresponsive.
  ///
  /// - Units: nanoseconds; nil for the configuration's, or five seconds.
  public var hungLimit: UInt64?
  /// What is filtered on each panel, unless the configuration says something else of it.
  public var filters = FilterSettings()
  /// When a contact counts as stuck, on each panel; a limit here comes before the configuration's.
  public var stuck = StuckSettings()

  /// Options as they are without arguments.
  public init() {}
}

/// What options and configuration together say of clients.
struct ClientLimits: Equatable {
  /// In nanoseconds; 0 for never.
  var stale: UInt64 = 1_000_000_000
  /// In nanoseconds.
  var hung: UInt64 = 5_000_000_000

  /// Limits as without options and configuration.
  init() {}

  /// What the command line says holds before what the files say.
  init(_ options: DaemonOptions, _ settings: DaemonSettings) {
    stale = options.staleLimit ?? settings.staleLimit?.value.wholeNanoseconds ?? stale
    hung = options.hungLimit ?? settings.hungLimit?.value.wholeNanoseconds ?? hung
  }
}

extension Duration {
  /// The duration in nanoseconds; one before zero counts as none.
  var wholeNanoseconds: UInt64 {
    guard self > .zero else { return 0 }
    return UInt64(components.seconds) &* 1_000_000_000
      &+ UInt64(components.attoseconds / 1_000_000_000)
  }
}

/// What a daemon limits, each with its reason.
enum DaemonLimits {
  /// Connections at once: far more apps than any panel shows, few enough for 1,024 descriptors.
  static let clients = 960
  /// Places that only tools get, so that no crowd of apps keeps the administrator out.
  static let tools = 32
  /// Connections of one user, but for root and the daemon's own: half of the places stay for others.
  static let clientsOfUser = 480
  /// Panels at once: more than any board has ports for.
  static let panels = 16
  /// Bytes of a recording that is replayed: some minutes of ten fingers at 1000 Hz, as evemu text.
  static let recording = 1 << 28
  /// Messages read from one client before the others have their turn.
  static let messagesPerTurn = 16
  /// Bytes that the problems of the configuration take in the status: some hundred sentences.
  static let statusProblems = 16 << 10
  /// Stuck contacts that a panel's line of the status lists: more than a panel has fingers' room.
  static let statusStuckContacts = 64
  /// Connections taken from one socket before panels and clients have their turn.
  static let connectionsPerTurn = 16
  /// How long a connection may stay silent before its hello: a slot is not held for nothing.
  static let handshakeNanoseconds: UInt64 = 5_000_000_000
  /// How long a daemon outlives its replay: apps may still wait for a tap that does not come.
  static let lingerNanoseconds: UInt64 = 1_000_000_000
  /// Room in a client's socket: eight frames of ten contacts several times over.
  static let sendBuffer: Int32 = 64 << 10
  /// Room in an observer's socket: some seconds of frames while it prints.
  static let observerSendBuffer: Int32 = 512 << 10
}

/// A reason why the daemon cannot do its work at all.
public enum DaemonError: Error, Equatable, Sendable {
  /// A socket cannot be made.
  case socket(path: String, String)
  /// The recording cannot be replayed.
  case replay(file: String, String)
  /// The kernel refuses something basic.
  case system(String)
  /// The configuration leaves nothing to work with.
  case configuration([SettingsFault])

  /// What the program tells whoever started it; 78 keeps the service manager from trying again.
  public var exitCode: Int32 {
    if case .configuration = self { 78 } else { 1 }
  }
}

extension DaemonError: CustomStringConvertible {
  /// What failed and what to do next.
  public var description: String {
    switch self {
    case .socket(let path, let reason):
      if reason.hasSuffix("(EADDRINUSE)") {
        "\(reason). Another touchbridged is running there; `--runtime-dir DIR` makes the sockets "
          + "elsewhere than \(path)."
      } else if reason.hasSuffix("(EEXIST)") {
        "\(reason). What lies there is no socket; move it away, or use `--runtime-dir DIR`."
      } else {
        "\(reason). Does the folder exist, and may this user write there? `--runtime-dir DIR` "
          + "makes the sockets elsewhere than \(path)."
      }
    case .replay(let file, let reason):
      "cannot replay \(file): \(reason)"
    case .system(let reason):
      "\(reason). The daemon cannot run without it."
    case .configuration(let faults):
      faults.map { "\($0)\n" }.joined()
        + "nothing can work with this configuration. `touchctl config check` shows all of it."
    }
  }
}
