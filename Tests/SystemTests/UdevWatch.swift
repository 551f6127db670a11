import CLibudev
import TestSupport

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
  /// The device's folder below `/sys`.
  var path: String
}

/// What udev announces about input devices, from the moment it is made.
final class UdevWatch {
  private let udev: OpaquePointer
  private let monitor: OpaquePointer

  /// Starts to listen for devices of some subsystems.
  init(subsystems: [String] = ["input"]) throws {
    guard let udev = udev_new(), let monitor = udev_monitor_new_from_netlink(udev, "udev") else {
      throw TimedOut("a udev monitor")
    }
    self.udev = udev
    self.monitor = monitor
    for subsystem in subsystems {
      udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil)
    }
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
    try self.event(action, by: deadline) { path in
      path.contains("/\(device)/") && path.lastPart.hasPrefix("event")
    }
  }

  /// Waits for an action on a device whose path meets a condition.
  func event(
    _ action: String, by deadline: Deadline = Deadline(), at isMeant: (String) -> Bool
  ) throws -> UdevEvent {
    while deadline.awaitInput(udev_monitor_get_fd(monitor)) {
      guard let found = udev_monitor_receive_device(monitor) else { continue }
      defer { udev_device_unref(found) }
      let event = Self.event(found)
      if event.action == action, isMeant(event.path) { return event }
    }
    throw TimedOut("udev's '\(action)'")
  }

  /// The event nodes that there are now, in the order of their paths.
  static func nodes() throws -> [UdevEvent] {
    guard let udev = udev_new(), let enumeration = udev_enumerate_new(udev) else {
      throw TimedOut("udev's list")
    }
    defer {
      udev_enumerate_unref(enumeration)
      udev_unref(udev)
    }
    udev_enumerate_add_match_subsystem(enumeration, "input")
    udev_enumerate_add_match_sysname(enumeration, "event*")
    udev_enumerate_scan_devices(enumeration)
    var nodes: [UdevEvent] = []
    var entry = udev_enumerate_get_list_entry(enumeration)
    while let current = entry {
      entry = udev_list_entry_get_next(current)
      guard let device = udev_device_new_from_syspath(udev, udev_list_entry_get_name(current))
      else { continue }
      defer { udev_device_unref(device) }
      nodes.append(event(device))
    }
    return nodes.sorted { ($0.path.utf8.count, $0.path) < ($1.path.utf8.count, $1.path) }
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
      node: udev_device_get_devnode(device).map { String(cString: $0) }, properties: properties,
      path: path(device))
  }
}

extension String {
  /// What follows the last slash.
  fileprivate var lastPart: Substring {
    self[(lastIndex(of: "/").map(index(after:)) ?? startIndex)...]
  }
}
