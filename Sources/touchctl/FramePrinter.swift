import TouchModel

/// A form in which frames are shown.
protocol FramePrinter {
  /// Adds a frame to the output.
  func print(_ frame: borrowing FrameBuffer)
}

/// Frames as JSON, an object a line: the form that other programs rely on.
struct JSONFrames: FramePrinter {
  private let output: OutputBuffer

  init(_ output: OutputBuffer) { self.output = output }

  func print(_ frame: borrowing FrameBuffer) {
    output.write("{\"time_us\":" as StaticString)
    output.write(frame.timeNanoseconds / 1000)
    output.write(",\"device\":" as StaticString)
    output.write(frame.device)
    output.write(",\"contacts\":[" as StaticString)
    for index in 0..<frame.count {
      if index > 0 { output.write("," as StaticString) }
      print(frame[index])
    }
    output.write("]}\n" as String)
  }

  private func print(_ contact: Contact) {
    output.write("{\"id\":" as StaticString)
    output.write(contact.id)
    output.write(",\"slot\":" as StaticString)
    output.write(contact.slot)
    output.write(",\"phase\":\"" as StaticString)
    output.write(contact.phase.word)
    output.write("\",\"x\":" as StaticString)
    output.write(contact.position.x)
    output.write(",\"y\":" as StaticString)
    output.write(contact.position.y)
    output.write(",\"raw_x\":" as StaticString)
    output.write(contact.rawX)
    output.write(",\"raw_y\":" as StaticString)
    output.write(contact.rawY)
    output.write(",\"tool\":\"" as StaticString)
    output.write(contact.tool.word)
    output.write("\"}" as StaticString)
  }
}

/// Frames as text for people, a contact a line.
struct TextFrames: FramePrinter {
  private let output: OutputBuffer

  init(_ output: OutputBuffer) { self.output = output }

  func print(_ frame: borrowing FrameBuffer) {
    let time = frame.timeNanoseconds / 1000
    let seconds = "\(time / 1_000_000).\(String(time % 1_000_000 + 1_000_000).dropFirst())"
    for index in 0..<frame.count {
      let contact = frame[index]
      // The time stands at the first contact only, so that frames can be told apart.
      output.write(Self.right(index == 0 ? seconds : "", 14))
      output.write("  device \(frame.device)  slot \(contact.slot)  contact \(contact.id)  ")
      output.write(Self.left("\(contact.phase.word)", 6))
      output.write("  \(Self.fraction(contact.position.x)) \(Self.fraction(contact.position.y))")
      output.write("  raw \(contact.rawX),\(contact.rawY)  \(contact.tool.word)\n")
    }
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// A number of 0...1 with four decimals.
  private static func fraction(_ value: Double) -> String {
    let tenThousandths = Int((value * 10_000).rounded())
    return "\(tenThousandths / 10_000).\(String(tenThousandths % 10_000 + 10_000).dropFirst())"
  }
}

extension ContactPhase {
  /// The phase as output calls it.
  var word: StaticString {
    switch self {
    case .down: "down"
    case .motion: "motion"
    case .still: "still"
    case .up: "up"
    case .cancel: "cancel"
    case .hover: "hover"
    }
  }
}

extension ContactTool {
  /// The tool as output calls it.
  var word: StaticString {
    switch self {
    case .finger: "finger"
    case .pen: "pen"
    case .palm: "palm"
    }
  }
}
