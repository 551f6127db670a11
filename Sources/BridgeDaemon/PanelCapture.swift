import TouchFrames
import TouchModel
import TouchRouting
import TouchSettings
import TouchWire

/// A panel in the hands of one connection, which gets its frames as the device says them.
final class PanelCapture {
  let session: Session
  /// Whether the connection has been told of the end, or has ended itself.
  var isOver = false
  private var lost: UInt64 = 0

  init(_ session: Session) { self.session = session }

  /// Sends the panel's frame, or counts it.
  func take(_ panel: Panel) {
    let lost = lost
    let went = session.tell {
      $0.rawFrame(panel.assembler.value.frame, lost: lost, serial: $1)
    }
    self.lost = went ? 0 : lost &+ 1
  }
}

// One connection has a panel alone.
extension Daemon {
  /// Takes a panel from all apps for one connection, or gives it back, as an administrator asks.
  func capture(_ wish: CapturePanel, for session: Session, _ serial: UInt32) {
    guard session.roles.contains(.admin) else {
      session.refuse(Refusal(.notPermitted, "only an administrator has a panel alone"))
      return
    }
    let panel = panels.first { $0.id == wish.device }
    if wish.isRelease {
      if let panel, panel.capture?.session === session { release(panel, because: .released) }
      return
    }
    var answer = PanelCaptured(requestSerial: serial, result: .captured, device: wish.device)
    if let panel, let identity = panel.identity, let setup = panel.setup {
      if let holder = panel.capture?.session {
        answer.result = .taken
        answer.text =
          "\(holder.name) (pid \(holder.peer.pid)) has panel \(panel.id) for itself. End it, or wait."
      } else {
        log.write(
          .notice, "panel is captured, apps get nothing of it",
          [
            ("node", panel.node), ("client", session.name), ("pid", "\(session.peer.pid)"),
            ("uid", "\(session.peer.uid)"),
          ])
        rebuild(panel, identity, setup, for: PanelCapture(session))
        answer.panel = CapturedPanel(setup, of: identity.description)
      }
    } else {
      answer.result = .unknownPanel
      answer.text = "there is no panel \(wish.device). `touchctl status` lists those there are."
    }
    session.send { $0.panelCaptured(answer, serial: $1) }
  }

  /// Gives the panels back that a connection has, which is about to go.
  func releasePanels(of session: Session) {
    for panel in panels where panel.capture?.session === session {
      panel.capture?.isOver = true
      release(panel, because: .released)
    }
  }

  /// Gives a panel back to the apps, who see what goes down on it from here on.
  private func release(_ panel: Panel, because reason: CaptureEnded.Reason) {
    guard let identity = panel.identity, let setup = panel.setup, !isStopping else { return }
    log.write(.notice, "panel is given back", [("node", panel.node)])
    rebuild(panel, identity, setup, because: reason)
  }

  /// Tells a connection that it has a panel no more.
  func endCapture(of panel: Panel, because reason: CaptureEnded.Reason) {
    guard let capture = panel.capture, !capture.isOver else { return }
    capture.isOver = true
    let notice = CaptureEnded(device: panel.id, reason: reason)
    capture.session.send { $0.captureEnded(notice, serial: $1) }
  }
}

extension CapturedPanel {
  init(_ setup: PanelUse, of device: DeviceDescription) {
    let used = setup.described(device)
    let codes = setup.positionCodes(of: device)
    func range(_ axes: [UInt16: AxisRange], _ code: UInt16) -> Range {
      Range(minimum: axes[code]?.minimum ?? 0, maximum: axes[code]?.maximum ?? 0)
    }
    let size = setup.millimetres(of: device)
    self.init(
      display: setup.display.id, declaredX: range(device.axes, codes.x),
      declaredY: range(device.axes, codes.y), usedX: range(used.axes, codes.x),
      usedY: range(used.axes, codes.y), millimetresX: size?.width ?? 0,
      millimetresY: size?.height ?? 0, mounting: setup.settings.mountingTransform,
      displayTransform: setup.displayTransform)
  }
}
