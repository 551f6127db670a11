import CLinuxShims
import Glibc

/// Wakes a loop when the machine comes back from suspend, and when somebody sets its clock.
///
/// Costs nothing meanwhile: the kernel cancels a timer that would never end.
public final class ClockChangeReader {
  private let timer: OwnedDescriptor

  /// Starts to watch.
  ///
  /// - Errors: `SystemError`, only for want of descriptors or memory.
  public init() throws(SystemError) {
    let raw = tb_clock_change_timer()
    guard raw >= 0 else { throw SystemError("watch the clock") }
    timer = OwnedDescriptor(owning: raw)
  }

  /// The descriptor to wait for.
  public var descriptor: Int32 { timer.raw }

  /// Takes the notice and watches again.
  public func consume() {
    var count: UInt64 = 0
    _ = read(timer.raw, &count, MemoryLayout<UInt64>.size)
    _ = tb_clock_change_rearm(timer.raw)
  }
}
