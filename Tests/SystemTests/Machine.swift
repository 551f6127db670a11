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
