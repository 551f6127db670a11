import TouchModel

/// Writes text that `evemu-play`, `evemu-device` and `Recording` read.
///
/// What it wrote reads back as it was, but for spaces around a name and line breaks in it, which
/// become spaces.
public enum EvemuWriter {
  /// The text of a recording, one device after the other.
  public static func text(of recording: Recording) -> String {
    var text = header
    for device in recording.devices {
      text += self.text(of: device.description)
      for event in device.events { append(event, to: &text) }
    }
    return text
  }

  /// The first line of a file.
  public static let header = "# EVEMU 1.3\n"

  /// The description lines of a device.
  public static func text(of description: DeviceDescription) -> String {
    var text = "N: \(singleLine(description.name))\n"
    let ids = [description.bus, description.vendor, description.product, description.version]
    text += "I: " + ids.map { hex($0, digits: 4) }.joined(separator: " ") + "\n"
    appendBits(description.properties, label: "P:", to: &text)
    for type in description.codes.keys.sorted() {
      guard let codes = description.codes[type], !codes.isEmpty else { continue }
      appendBits(codes, label: "B: " + hex(type, digits: 2), to: &text)
    }
    for code in description.axes.keys.sorted() {
      guard let axis = description.axes[code] else { continue }
      let values = [axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution]
      text += "A: \(hex(code, digits: 2)) "
      text += values.map(String.init).joined(separator: " ") + "\n"
    }
    return text
  }

  /// Adds the line of an event; times before zero are written as zero.
  public static func append(_ event: EvdevEvent, to text: inout String) {
    text += "E: \(max(0, event.seconds)).\(padded(String(max(0, event.microseconds)), to: 6)) "
    text += hex(event.type, digits: 4) + " " + hex(event.code, digits: 4) + " "
    let size = padded(String(event.value.magnitude), to: event.value < 0 ? 3 : 4)
    text += event.value < 0 ? "-\(size)\n" : "\(size)\n"
  }

  private static func appendBits(_ codes: Set<UInt16>, label: String, to text: inout String) {
    let last = Int(codes.max() ?? 0)
    for first in stride(from: 0, through: last, by: 64) {
      text += label
      for byte in 0..<8 {
        var bits: UInt16 = 0
        for bit in 0..<8 {
          let code = UInt16(truncatingIfNeeded: first + 8 * byte + bit)
          if codes.contains(code) { bits |= 1 << UInt16(bit) }
        }
        text += " " + hex(bits, digits: 2)
      }
      text += "\n"
    }
  }

  private static func hex(_ value: UInt16, digits: Int) -> String {
    padded(String(value, radix: 16), to: digits)
  }

  private static func padded(_ text: String, to width: Int) -> String {
    String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }

  private static func singleLine(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { $0 == "\n" || $0 == "\r" ? " " : $0 }
    return String(String.UnicodeScalarView(scalars))
  }
}
