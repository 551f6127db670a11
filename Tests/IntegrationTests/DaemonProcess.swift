import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchRecording
import UInputPanel

/// The daemon as its own process, with its sockets in a folder of the test's.
final class DaemonProcess {
  static let program = "\(Repository.programs)/touchbridged"

  /// The folder of the sockets; it outlives the daemon, so that another one can follow.
  let folder: TemporaryFolder
  let process: ChildProcess
  private let manager: ReadyListener?

  var appSocket: String { "\(folder.path)/app.sock" }
  var adminSocket: String { "\(folder.path)/admin.sock" }

  /// Starts the daemon and waits until it says that it is ready.
  ///
  /// Without a replay it has no panels that a test could know; one without events takes their place,
  /// unless the environment has panels of the test's own.
  init(
    _ arguments: [String] = [], replay: String? = nil, in folder: TemporaryFolder? = nil,
    environment: [String: String] = [:], keepsStatus: Bool = false
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    let file = "replay.evemu"
    var source: [String] = []
    if !arguments.contains("--replay"), environment.isEmpty || replay != nil {
      try folder.write(replay ?? Recordings.endless, to: file)
      source = ["--replay", "\(folder.path)/\(file)"]
    }
    let manager = try ReadyListener(folder)
    // More than the 1,024 that some systems begin with: the limit on clients is to be met first.
    let shell = ["sh", "-c", "ulimit -n 2048; exec \"$@\"", "sh"]
    process = try ChildProcess(
      shell + [Self.program, "--runtime-dir", folder.path] + source + arguments,
      environment: environment.merging(
        ["NOTIFY_SOCKET": manager.path, "JOURNAL_STREAM": ""]) { $1 })
    try manager.waitUntilReady(process)
    self.manager = keepsStatus ? manager : nil
  }

  /// Ends it as the service manager does; its exit code.
  func stop() throws -> Int32 {
    process.signal(SIGTERM)
    return try process.end()
  }

  /// What it tells the service manager of itself, from its start on: the first status that contains
  /// a text. Only with `keepsStatus`, and for a daemon that says little.
  func status(containing text: String) throws -> String {
    try #require(manager).status(containing: text)
  }

  /// How many descriptors it has.
  var descriptorCount: Int {
    get throws { try directoryNames("/proc/\(process.identifier)/fd").count }
  }
}

/// Recordings of a panel of ten fingers, 1280 by 800 units: a unit is a point.
enum Recordings {
  private static let panel = """
    N: test panel
    A: 2f 0 9 0 0 0
    A: 35 0 1279 0 0 0
    A: 36 0 799 0 0 0
    A: 39 0 65535 0 0 0

    """

  /// A recording with these lines of events.
  static func events(_ lines: String...) -> String {
    panel + lines.map { "E: \($0)\n" }.joined()
  }

  /// What fingers do on that panel, in points: the state at each time in milliseconds.
  ///
  /// A slot that is not named is lifted.
  static func fingers(_ frames: [(milliseconds: Int, fingers: [Int32: RawPoint])]) -> String {
    var state = PanelState()
    var text = panel
    for (time, fingers) in frames {
      for var event in state.frame(fingers) {
        (event.seconds, event.microseconds) = (time / 1000, time % 1000 * 1000)
        EvemuWriter.append(event, to: &text)
      }
    }
    return text
  }

  /// A finger goes down at 100, 200 and stays there for more hours than a test has.
  static let heldFinger = events(
    "0.000001 3 39 1", "0.000001 3 35 100", "0.000001 3 36 200", "0.000001 0 0 0",
    "90000.0 3 39 -1", "90000.0 0 0 0")

  /// Nothing happens, for hours.
  static let endless = events("0.000001 0 0 0", "90000.0 0 0 0")
}

extension Trait where Self == ConditionTrait {
  /// Runs a suite only where the programs are built beside the tests.
  static var withPrograms: Self {
    .enabled(
      if: access(DaemonProcess.program, X_OK) == 0,
      "SKIPPED: needs touchbridged beside the test bundle")
  }
}
