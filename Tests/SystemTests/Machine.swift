import Glibc
import Testing

/// The machine that the tests run in, as `script/test --system` hands it over.
enum Machine {
  /// Whether this process runs in the machine.
  static let isHere = environment("TOUCHBRIDGE_SYSTEM") == "1"
  /// Why the tests are skipped elsewhere.
  static let absence: Comment =
    "system tests run in a machine of their own: script/test --system"

  /// A variable of this process's environment.
  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs a suite in the machine only.
  static var inMachine: Self { .enabled(if: Machine.isHere, Machine.absence) }
}

/// A point in time after which a wait gives up.
///
/// Emulation is some 30 times slower than hardware, so limits are generous: they end a test that
/// would hang, and say nothing about speed.
struct Deadline {
  private let end: ContinuousClock.Instant

  /// A deadline so long after now.
  init(_ distance: Duration = .seconds(30)) { end = .now + distance }

  /// What is left, for `poll(2)`; 0 once the time is over.
  var milliseconds: Int32 {
    let (seconds, attoseconds) = (end - .now).components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  /// Waits until a descriptor has something to read or is closed; false once the time is over.
  func awaitInput(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let ready = poll(&entry, 1, milliseconds)
      if ready > 0 { return true }
      // A signal ends poll early; the deadline stands.
      if ready == 0 || errno != EINTR { return false }
    }
  }
}

/// What a wait that came to its deadline was waiting for.
struct TimedOut: Error, CustomStringConvertible {
  var description: String

  init(_ awaited: String) { description = "waited in vain for \(awaited)" }
}
