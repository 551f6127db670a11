import CLinuxShims
import Glibc

/// A flag that wakes a loop from any thread.
public final class WakeUpFlag: Sendable {
  private let flag: OwnedDescriptor

  /// Creates a flag that is down.
  public init() throws(SystemError) {
    let raw = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard raw >= 0 else { throw SystemError("create a wake-up flag") }
    flag = OwnedDescriptor(owning: raw)
  }

  /// The descriptor to wait for; readable while the flag is up.
  public var descriptor: Int32 { flag.raw }

  /// Puts the flag up; from any thread.
  public func raise() {
    var one: UInt64 = 1
    // Fails only when the counter is full, and then the flag is up anyway.
    _ = write(flag.raw, &one, 8)
  }

  /// Takes the flag down.
  public func lower() {
    var count: UInt64 = 0
    _ = read(flag.raw, &count, 8)
  }
}
