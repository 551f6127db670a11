import Glibc
import LinuxIO

/// Messages for the person at the terminal, on standard error.
enum Console {
  /// Says what failed and what to do next.
  static func fail(_ message: String) { line("touchctl: \(message)") }

  /// Says what is odd though work goes on.
  static func warn(_ message: String) { line("touchctl: warning: \(message)") }

  /// Writes a line; control characters, which a device's name may hold, become question marks.
  static func line(_ text: String) {
    writeAll((printable(text) + "\n").utf8, to: STDERR_FILENO)
  }

  /// Shows text that was asked for, on standard output.
  static func show(_ text: String) -> ExitCode {
    let output = OutputBuffer()
    output.write(text)
    return output.finish()
  }

  /// The text without characters that a terminal obeys.
  static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "?" : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    // Those that turn the direction of writing around can make a line read as another.
    scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value)
      || scalar.properties.isBidiControl
  }
}

/// Standard output, gathered so that a long recording takes few system calls.
final class OutputBuffer {
  // Large enough that system calls do not show, small enough to stay in the cache.
  private static let size = 64 * 1024

  private var bytes: [UInt8] = []
  private var failure: Errno?

  init() { bytes.reserveCapacity(Self.size + 4096) }

  /// Adds text.
  func write(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    if bytes.count >= Self.size { flush() }
  }

  /// Adds text that the program's file holds.
  func write(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Adds a number, as decimal digits.
  func write(_ value: some FixedWidthInteger) {
    let isNegative = value < 0
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = UInt64(value.magnitude)
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Adds a number in the shortest form that reads back as the same.
  func write(_ value: Double) { bytes.append(contentsOf: value.description.utf8) }

  /// Writes what is gathered, now.
  func flush() {
    if failure == nil, !writeAll(bytes, to: STDOUT_FILENO) { failure = .current }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Whether output was lost.
  var hasFailed: Bool { failure != nil }

  /// Writes the rest.
  ///
  /// - Returns: whether all of the output went out; if not, standard error says why.
  func finish() -> ExitCode {
    flush()
    guard let failure else { return .done }
    Console.fail("cannot write the output: \(failure). Where does it go?")
    return .failed
  }
}
