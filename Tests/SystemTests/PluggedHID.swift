import TestSupport
import UHIDDevice

/// A HID device that the kernel has looked at.
struct PluggedHID {
  let device: UHIDDevice
  /// Whether a driver has taken it.
  let isTaken: Bool
  private let path: String

  /// Makes a device and waits until a driver has taken it and udev has handled all that came of it.
  init(_ recording: HIDRecording) throws {
    let watch = try UdevWatch(subsystems: ["hid"])
    let device = try UHIDDevice(recording)
    self.device = device
    // A driver's refusal shows in nothing but silence.
    let bound = try? watch.event("bind", by: Deadline(.seconds(10))) {
      $0.contains("/\(device.systemName).")
    }
    isTaken = bound != nil
    path = bound?.path ?? ""
    _ = try ChildProcess.run("udevadm", "settle")
  }

  /// The event nodes that came of it, in the order of their paths.
  func nodes() throws -> [(node: String, isTouchscreen: Bool)] {
    try UdevWatch.nodes().filter { $0.path.hasPrefix(path + "/") }
      .compactMap { device in
        device.node.map { ($0, device.properties["ID_INPUT_TOUCHSCREEN"] == "1") }
      }
  }
}
