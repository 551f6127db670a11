import Glibc
import TouchModel

/// An evdev node as the kernel would present it: what udev says, and the answers to ioctl(2).
struct MockDevice {
  let number: Int
  let description: DeviceDescription
  /// udev's properties of it, each `NAME=VALUE`.
  let properties: [String]
  /// Whether a program made it, and it hangs at no port.
  let isVirtual: Bool
  /// The clock of its time stamps: the kernel's default until a reader chooses.
  var clock = CLOCK_REALTIME
  private var values: [UInt16: Int32] = [:]
  private var slots: [UInt16: [Int32: Int32]] = [:]
  private var pressed: Set<UInt16> = []

  init(number: Int, description: DeviceDescription, properties: [String], isVirtual: Bool) {
    self.number = number
    self.description = description
    self.properties = properties
    self.isVirtual = isVirtual
  }

  var node: String { "/dev/input/event\(number)" }
  private var parentPath: String {
    "/devices/\(isVirtual ? "virtual" : "platform/mock")/input/input\(number)"
  }
  var sysPath: String { "/sys\(parentPath)/event\(number)" }
  var parentSysPath: String { "/sys\(parentPath)" }

  /// The device and its parent in the form of `umockdev-record`.
  var text: String {
    let marks = (["SUBSYSTEM=input", "ID_INPUT=1"] + properties).map { "E: \($0)\n" }.joined()
    return """
      P: \(parentPath)/event\(number)
      N: input/event\(number)
      E: DEVNAME=\(node)
      \(marks)A: dev=13:\(64 + number)
      L: device=../../input\(number)

      P: \(parentPath)
      E: NAME="\(description.name)"
      \(marks)A: name=\(description.name)

      """
  }

  // MARK: Events

  /// Stamps an event and remembers what it changes.
  mutating func send(type: UInt16, code: UInt16, value: Int32) -> EvdevEvent {
    if type == EvdevCode.abs {
      if code > EvdevCode.absMTSlot {
        slots[code, default: [:]][values[EvdevCode.absMTSlot] ?? 0] = value
      } else {
        values[code] = value
      }
    } else if type == EvdevCode.key {
      if value != 0 { pressed.insert(code) } else { pressed.remove(code) }
    }
    var now = timespec()
    clock_gettime(clock, &now)
    return EvdevEvent(
      seconds: now.tv_sec, microseconds: now.tv_nsec / 1_000, type: type, code: code, value: value)
  }

  // MARK: Requests

  /// What ioctl(2) returns and hands out.
  enum Answer: Equatable {
    case bytes([UInt8], result: Int)
    case failure(Int32)
  }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - number: the request's number below the type `E`.
  ///   - size: how many bytes the caller has room for.
  ///   - input: the first bytes of what the caller passed.
  /// - Source: `EVIOC*` in linux/input.h.
  mutating func answer(number: Int, size: Int, input: [UInt8]) -> Answer {
    switch number {
    case 0x01: fixed(bytes(of: Int32(0x010001)))
    case 0x02:
      fixed(
        [description.bus, description.vendor, description.product, description.version]
          .flatMap { bytes(of: $0) })
    case 0x06: filled(Array(description.name.utf8) + [0], size)
    case 0x07, 0x08: .failure(ENOENT)
    case 0x09: filled(bits(description.properties, 8), size)
    case 0x0a: slotValues(input, size)
    case 0x18: filled(bits(pressed, 96), size)
    case 0x19, 0x1a, 0x1b: filled(bits([], 8), size)
    case 0x20: filled(bits(Set(description.codes.keys), 8), size)
    case 0x21..<0x40:
      filled(bits(description.codes[UInt16(number - 0x20)] ?? [], 96), size)
    case 0x40..<0x80: axis(UInt16(number - 0x40))
    case 0xa0: chooseClock(input)
    default: .failure(EINVAL)
    }
  }

  private func fixed(_ bytes: [UInt8]) -> Answer { .bytes(bytes, result: 0) }

  /// As many bytes as there is room for; their number is the result, as the kernel has it.
  private func filled(_ bytes: [UInt8], _ size: Int) -> Answer {
    .bytes(Array(bytes.prefix(size)), result: min(size, bytes.count))
  }

  private func axis(_ code: UInt16) -> Answer {
    guard let axis = description.axes[code] else { return .failure(EINVAL) }
    let value = values[code] ?? 0
    return fixed(
      [value, axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution]
        .flatMap { bytes(of: $0) })
  }

  private func slotValues(_ input: [UInt8], _ size: Int) -> Answer {
    guard input.count >= 4, let last = description.axes[EvdevCode.absMTSlot]?.maximum else {
      return .failure(EINVAL)
    }
    let code = UInt16(input[0]) | UInt16(input[1]) << 8
    let rest: Int32 = code == EvdevCode.absMTTrackingID ? -1 : 0
    let values = (0...last).prefix(size / 4 - 1).map { slots[code]?[$0] ?? rest }
    return fixed(Array(input.prefix(4)) + values.flatMap { bytes(of: $0) })
  }

  private mutating func chooseClock(_ input: [UInt8]) -> Answer {
    guard input.count >= 4 else { return .failure(EINVAL) }
    clock = clockid_t(input[0])
    return .bytes([], result: 0)
  }

  private func bytes(of value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  private func bits(_ codes: Set<UInt16>, _ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    for code in codes where Int(code) < 8 * count { bytes[Int(code) / 8] |= 1 << (code % 8) }
    return bytes
  }
}
