import CLibevdev
import Glibc
import LinuxIO
import TouchModel

/// A failure to make a device through uinput.
public enum UInputError: Error, Equatable, Sendable {
  /// `/dev/uinput` may not be opened, or is not there.
  case notOpened(Errno)
  /// The kernel does not take the description.
  case refused(device: String, Errno)
  /// An event was not taken.
  case notWritten(device: String, Errno)
}

extension UInputError: CustomStringConvertible {
  /// What failed and what to do next.
  public var description: String {
    switch self {
    case .notOpened(let errno):
      "cannot open /dev/uinput: \(errno). Load the module (modprobe uinput) and run as root, or let a "
        + "udev rule give your group the node: KERNEL==\"uinput\", GROUP=\"input\", MODE=\"0660\"."
    case .refused(let device, let errno):
      "the kernel makes no device of \"\(device)\": \(errno). Is its description whole?"
    case .notWritten(let device, let errno):
      "\"\(device)\" does not take events any more: \(errno)."
    }
  }
}

/// A device that the kernel makes after a description: for udev and every reader a real one.
///
/// - Ownership: the device goes with this value, its contacts not lifted.
public final class UInputDevice {
  /// The node it can be read from; nil if the kernel does not say.
  public let node: String?
  private let name: String
  private let device: OpaquePointer
  private let file: OwnedDescriptor

  /// Makes the device.
  public init(_ description: DeviceDescription) throws(UInputError) {
    name = description.name
    do throws(SystemError) {
      file = try openFile("/dev/uinput", flags: O_RDWR | O_NONBLOCK)
    } catch {
      throw .notOpened(error.errno)
    }
    guard let model = Self.model(of: description) else {
      throw .refused(device: description.name, Errno(ENOMEM))
    }
    defer { libevdev_free(model) }
    var made: OpaquePointer?
    let result = libevdev_uinput_create_from_device(model, file.raw, &made)
    guard result == 0, let made else {
      throw .refused(device: description.name, Errno(-result))
    }
    device = made
    node = libevdev_uinput_get_devnode(made).map { String(cString: $0) }
  }

  deinit { libevdev_uinput_destroy(device) }

  // Keys, motions, MSC and switches: types whose codes need nothing but to be named.
  private static let plainTypes: [UInt16] = [EvdevCode.key, 0x02, 0x04, 0x05]

  /// What libevdev calls a device, made up after a description.
  private static func model(of description: DeviceDescription) -> OpaquePointer? {
    guard let model = libevdev_new() else { return nil }
    libevdev_set_name(model, description.name)
    libevdev_set_id_bustype(model, Int32(description.bus))
    libevdev_set_id_vendor(model, Int32(description.vendor))
    libevdev_set_id_product(model, Int32(description.product))
    libevdev_set_id_version(model, Int32(description.version))
    for property in description.properties { libevdev_enable_property(model, UInt32(property)) }
    for type in plainTypes {
      for code in description.codes[type] ?? [] {
        libevdev_enable_event_code(model, UInt32(type), UInt32(code), nil)
      }
    }
    for (code, axis) in description.axes {
      var info = input_absinfo(
        value: 0, minimum: axis.minimum, maximum: axis.maximum, fuzz: axis.fuzz, flat: axis.flat,
        resolution: axis.resolution)
      libevdev_enable_event_code(model, UInt32(EvdevCode.abs), UInt32(code), &info)
    }
    return model
  }

  /// Sends an event; the kernel stamps it with the present time.
  public func send(_ event: EvdevEvent) throws(UInputError) {
    // What tells of events that were lost cannot be said again.
    if event.type == EvdevCode.syn, event.code == EvdevCode.synDropped { return }
    let result = libevdev_uinput_write_event(
      device, UInt32(event.type), UInt32(event.code), event.value)
    guard result == 0 else { throw .notWritten(device: name, Errno(-result)) }
  }
}
