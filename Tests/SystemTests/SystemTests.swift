import TestSupport
import Testing
import TouchModel
import UInputPanel

/// All that needs a real kernel, udev and systemd; one boot for all of it.
///
/// One after the other: the machine has one udev and one service.
@Suite(.serialized, .inMachine) struct SystemTests {}

/// A panel that udev has announced, and its node, open.
func pluggedIn(
  _ description: DeviceDescription = .tenFingerPanel()
) throws -> (panel: UInputPanel, node: EventNode) {
  let watch = try UdevWatch()
  let panel = try UInputPanel(description)
  guard let path = try watch.event("add", of: panel.systemName).node else {
    throw TimedOut("a node of \(panel.systemName)")
  }
  return (panel, try EventNode(path))
}
