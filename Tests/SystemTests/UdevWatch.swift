import CLibudev

/// What udev says of one device.
struct UdevEvent {
  /// `add`, `remove` and so on.
  var action: String
  /// The kernel's name, such as `event3`.
  var systemName: String
  /// The node, such as `/dev/input/event3`; nil for devices without.
  var node: String?
  /// All properties that the rules have set.
  var properties: [String: String]
}

/// What udev announces about input devices, from the moment it is made.
final class UdevWatch {
  private let udev: OpaquePointer
  private let monitor: OpaquePointer

  init() throws {
    guard let udev = udev_new(), let monitor = udev_monitor_new_from_netlink(udev, "udev") else {
      throw TimedOut("a udev monitor")
    }
    self.udev = udev
    self.monitor = monitor
    udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil)
    udev_monitor_enable_receiving(monitor)
  }

  deinit {
    udev_monitor_unref(monitor)
    udev_unref(udev)
  }

  /// Waits for an action on an event node that belongs to a device's folder, such as `input7`.
  func event(
    _ action: String, of device: String, by deadline: Deadline = Deadline()
  ) throws -> UdevEvent {
    while deadline.awaitInput(udev_monitor_get_fd(monitor)) {
      guard let found = udev_monitor_receive_device(monitor) else { continue }
      defer { udev_device_unref(found) }
      let event = Self.event(found)
      let isNode = event.systemName.hasPrefix("event")
      if isNode, event.action == action, Self.path(found).contains("/\(device)/") { return event }
    }
    throw TimedOut("udev's '\(action)' of \(device)")
  }

  private static func path(_ device: OpaquePointer) -> String {
    udev_device_get_devpath(device).map { String(cString: $0) } ?? ""
  }

  private static func event(_ device: OpaquePointer) -> UdevEvent {
    var properties: [String: String] = [:]
    var entry = udev_device_get_properties_list_entry(device)
    while let current = entry {
      if let name = udev_list_entry_get_name(current),
        let value = udev_list_entry_get_value(current)
      {
        properties[String(cString: name)] = String(cString: value)
      }
      entry = udev_list_entry_get_next(current)
    }
    return UdevEvent(
      action: udev_device_get_action(device).map { String(cString: $0) } ?? "",
      systemName: udev_device_get_sysname(device).map { String(cString: $0) } ?? "",
      node: udev_device_get_devnode(device).map { String(cString: $0) }, properties: properties)
  }
}
