import LinuxIO
import Synchronization

/// Where log lines go: a descriptor whose reader may stop reading at any time.
final class LogOutput: Sendable {
  private struct State {
    /// Lines since the last one that went.
    var lost: UInt64 = 0
    /// Whether the last one that went lacks its end.
    var isCut = false
    /// Whether the reader has stopped, as far as the last line tells.
    var isStuck = false
    var isHurried = false
  }

  private let descriptor: Int32
  private let state = Mutex(State())

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Waits for no reader from now on.
  func hurry() { state.withLock { $0.isHurried = true } }

  /// Writes a line with its end, as far as there is room for it.
  ///
  /// - Parameter loss: the line that says how many were lost before.
  func write(_ line: String, loss: (UInt64) -> String) {
    state.withLock { state in
      var text = state.isCut ? "\n" : ""
      if state.lost > 0 { text += loss(state.lost) }
      let before = text.utf8.count
      let bytes = Array((text + line).utf8)
      let patience: Int32 = state.isHurried || state.isStuck ? 0 : 1_000
      let count = writeReady(bytes, to: descriptor, patience: patience)
      state.isStuck = count < bytes.count
      if count >= before { state.lost = 0 }
      if count < bytes.count { state.lost += 1 }
      if count > 0 { state.isCut = count < bytes.count }
    }
  }
}
