import TouchModel

/// A recording in the text format of evemu 1.3, as `evemu-record` writes it.
struct EvemuText {
  /// Lines above the description, each to be marked as a comment.
  var comments: [String] = []
  /// The device.
  var description: DeviceDescription
  /// The events, in the kernel's times.
  var events: [EvdevEvent]

  /// The whole file; times count from the first event.
  var text: String {
    var lines = ["# EVEMU 1.3"] + comments.map { $0.isEmpty ? "#" : "# \($0)" }
    lines.append("N: \(description.name)")
    let ids = [description.bus, description.vendor, description.product, description.version]
    lines.append("I: " + ids.map { hex(Int($0), digits: 4) }.joined(separator: " "))
    lines += bits("P:", description.properties, bytes: 8)
    for (type, bytes) in Self.bytesByType {
      let codes = type == 0 ? Set(description.codes.keys) : description.codes[type] ?? []
      lines += bits("B: \(hex(Int(type), digits: 2))", codes, bytes: bytes)
    }
    for (code, axis) in description.axes.sorted(by: { $0.key < $1.key }) {
      let numbers = [axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution]
      lines.append(
        "A: \(hex(Int(code), digits: 2)) " + numbers.map(String.init).joined(separator: " "))
    }
    return (lines + events.map(line)).joined(separator: "\n") + "\n"
  }

  /// How many bytes evemu writes for the codes of each type; type 0 stands for the types themselves.
  private static let bytesByType: [(type: UInt16, bytes: Int)] = [
    (0x00, 8), (0x01, 96), (0x02, 8), (0x03, 8), (0x04, 8), (0x05, 8), (0x11, 8), (0x12, 8),
    (0x14, 8), (0x15, 16),
  ]

  /// Bit masks, eight bytes a line.
  private func bits(_ prefix: String, _ set: Set<UInt16>, bytes: Int) -> [String] {
    var mask = [UInt8](repeating: 0, count: bytes)
    for bit in set where Int(bit) / 8 < bytes { mask[Int(bit) / 8] |= 1 << (bit % 8) }
    return stride(from: 0, to: bytes, by: 8).map { start in
      prefix + mask[start..<start + 8].map { " " + hex(Int($0), digits: 2) }.joined()
    }
  }

  private func line(_ event: EvdevEvent) -> String {
    let first = events.first ?? event
    let time = microseconds(event) - microseconds(first)
    let fraction = padded(String(time % 1_000_000), to: 6)
    let value = event.value < 0 ? String(event.value) : padded(String(event.value), to: 4)
    return "E: \(time / 1_000_000).\(fraction) \(hex(Int(event.type), digits: 4)) "
      + "\(hex(Int(event.code), digits: 4)) \(value)"
  }

  private func microseconds(_ event: EvdevEvent) -> Int {
    event.seconds * 1_000_000 + event.microseconds
  }

  private func hex(_ number: Int, digits: Int) -> String {
    padded(String(number, radix: 16), to: digits)
  }

  private func padded(_ text: String, to digits: Int) -> String {
    String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
