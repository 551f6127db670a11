import TouchCalibration
import TouchModel
import TouchWire

/// A panel that a tool has alone: its frames, as they come.
final class CapturedFrames {
  let connection: AdminConnection
  let device: UInt32
  /// What the daemon knows of it.
  let panel: CapturedPanel
  /// The display it lies on.
  let display: Display
  /// How many frames the daemon left out before the last one, as this program did not read.
  private(set) var lost: UInt64 = 0
  private var isHeld = true

  /// Takes a panel from all apps.
  init(_ panel: StatusPanel, _ connection: AdminConnection) throws(ToolFailure) {
    guard let device = panel.device else {
      throw ToolFailure(sentence: "panel \(panel.node) cannot be used: \(panel.reason)")
    }
    self.connection = connection
    self.device = device
    let answer = try connection.ask(
      { $0.capturePanel(CapturePanel(device: device), serial: $1) },
      { message, serial in
        if case .panelCaptured(let answer) = message, answer.requestSerial == serial {
          return answer
        }
        return nil
      })
    guard answer.result == .captured else { throw ToolFailure(sentence: answer.text) }
    self.panel = answer.panel
    display =
      connection.displays.first { $0.id == answer.panel.display }
      ?? Display(id: answer.panel.display, name: "", width: 1, height: 1)
  }

  /// The axes that positions are normalised by.
  var surface: PanelSurface {
    PanelSurface(x: Self.range(panel.usedX), y: Self.range(panel.usedY), size: size)
  }

  /// The size along the panel's own axes.
  var size: SurfaceSize? {
    SurfaceSize(width: panel.millimetresX, height: panel.millimetresY)
  }

  /// The axes as the device declares them.
  var declared: PanelSurface {
    PanelSurface(x: Self.range(panel.declaredX), y: Self.range(panel.declaredY), size: size)
  }

  private static func range(_ range: CapturedPanel.Range) -> AxisRange {
    AxisRange(minimum: range.minimum, maximum: range.maximum)
  }

  /// Waits for the next frame; nil at the deadline, or when the tool was interrupted.
  ///
  /// - Errors: also if the panel is captured no more.
  func next(by deadline: UInt64? = nil) throws(ToolFailure) -> TouchFrame? {
    while let message = try connection.next(by: deadline) {
      switch message {
      case .rawFrame(let frame) where frame.device == device:
        lost = frame.lost
        return TouchFrame(frame)
      case .captureEnded(let notice) where notice.device == device:
        isHeld = false
        throw ToolFailure(
          sentence: notice.reason == .gone
            ? "the panel is gone; nothing was changed. Start again once it is back."
            : "the configuration of the panel has changed meanwhile; nothing was changed here. "
              + "Start again.")
      default: break
      }
    }
    return nil
  }

  /// Gives the panel back to the apps, and waits until they have it.
  func release() throws(ToolFailure) {
    guard isHeld else { return }
    isHeld = false
    let device = device
    try connection.ask(
      { $0.capturePanel(CapturePanel(device: device, isRelease: true), serial: $1) },
      { message, _ -> Void? in
        if case .captureEnded(let notice) = message, notice.device == device { return () }
        return nil
      })
  }
}

extension TouchFrame {
  fileprivate init(_ frame: RawFrame) {
    self.init(
      timeNanoseconds: frame.timeNanoseconds, device: frame.device,
      contacts: frame.contacts.map { contact in
        Contact(
          id: contact.id, slot: contact.slot, phase: contact.phase, tool: contact.tool,
          position: Point(x: 0, y: 0), rawX: contact.x, rawY: contact.y,
          pressure: contact.pressure)
      })
  }
}
