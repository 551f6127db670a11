import Glibc

/// Runs programs as a person at a terminal does.
enum Shell {
  /// Stands beside the test bundle, which the runner names on its command line.
  static var touchctl: String {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    return (bundle.map(parent) ?? package + "/.build/debug") + "/touchctl"
  }

  // <package>/Tests/TouchRecordingTests/this file.
  static let package = parent(of: parent(of: parent(of: #filePath)))

  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  static func quoted(_ word: String) -> String {
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: "'\\''") + "'"
  }

  /// Runs a command line; the code is that of the program, -1 if it could not be run.
  static func run(_ command: String) -> (code: Int32, output: String) {
    guard let pipe = popen("(\(command)) 2>&1", "r") else { return (-1, "cannot run \(command)") }
    var output: [UInt8] = []
    var byte = fgetc(pipe)
    while byte != EOF {
      output.append(UInt8(truncatingIfNeeded: byte))
      byte = fgetc(pipe)
    }
    // The exit code is the second byte of a wait status; a signal shows as a code above 255.
    let status = pclose(pipe)
    return (status & 0x7f == 0 ? status >> 8 : status, String(decoding: output, as: UTF8.self))
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return String(path[..<slash])
  }
}
