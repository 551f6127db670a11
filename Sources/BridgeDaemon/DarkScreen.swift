import Glibc
import LinuxIO
import TouchModel

/// Whether the screen of an output is on, as far as the kernel says.
///
/// - Source: `dpms` (On, Standby, Suspend, Off) and `enabled` of the connector in sysfs, which change
///   as whoever shows the picture switches the output. A backlight that is switched off by itself
///   changes neither.
struct OutputPower: ~Copyable {
  private let dpms: OwnedDescriptor
  private let enabled: OwnedDescriptor

  /// Opens what the kernel shows of an output; nil if it shows nothing.
  init?(output: String, sysfs: String) {
    guard let folder = DisplayProbe.folder(of: output, sysfs: sysfs),
      let dpms = try? openFile("\(folder)/dpms", flags: O_RDONLY),
      let enabled = try? openFile("\(folder)/enabled", flags: O_RDONLY)
    else { return nil }
    self.dpms = dpms
    self.enabled = enabled
  }

  /// Whether the screen is off at this moment; false where the kernel does not say any more.
  var isOff: Bool {
    Self.begins(dpms.raw, with: "On") == false || Self.begins(enabled.raw, with: "disabled") == true
  }

  /// - Returns: nil for a file that gives nothing.
  private static func begins(_ file: Int32, with word: StaticString) -> Bool? {
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { bytes in
      let count = readAgain(file, into: bytes)
      guard count > 0, let start = bytes.baseAddress else { return nil }
      let length = word.utf8CodeUnitCount
      return count >= length && memcmp(start, word.utf8Start, length) == 0
    }
  }
}

/// Looks whether the screen under a panel is off, each time that a touch begins on the bare panel.
///
/// The whole touch goes by that look, so that what wakes the screen does not act on what it then shows.
final class DarkScreen {
  private let power: OutputPower
  private var live = 0
  /// Whether the screen was off when the touch began.
  private(set) var isDark = false

  /// Prepares for an output; nil if the kernel does not say whether it is on.
  init?(output: String, sysfs: String) {
    guard let power = OutputPower(output: output, sysfs: sysfs) else { return nil }
    self.power = power
  }

  /// Looks at a frame before it is routed.
  ///
  /// - Returns: whether a touch begins in it, so that `isDark` is news.
  func take(_ frame: borrowing FrameBuffer) -> Bool {
    var downs = 0
    var ends = 0
    for index in 0..<frame.count {
      let phase = frame.room[index].phase
      if phase == .down { downs += 1 } else if phase.isEnd { ends += 1 }
    }
    let begins = live == 0 && downs > 0
    if begins { isDark = power.isOff }
    live = max(0, live + downs - ends)
    return begins
  }
}

extension Daemon {
  /// Has a panel look at its screen, if that is configured.
  func watchScreen(of panel: Panel, _ use: PanelUse) {
    router.value.setDark(false, display: use.display.id)
    guard let output = use.wakeOutput else { return }
    panel.darkScreen.value = DarkScreen(output: output, sysfs: options.sysfs)
    guard panel.darkScreen.value == nil else { return }
    log.write(
      .warning, "the kernel does not say whether an output is on, WakeTouch=yes changes nothing",
      [("output", output), ("node", panel.node)])
  }

  /// Lets touches that begin on a dark screen reach nobody.
  func look(at screen: DarkScreen, for frame: borrowing FrameBuffer) {
    guard screen.take(frame) else { return }
    router.value.setDark(screen.isDark, display: frame.display)
  }
}
