import Glibc
import LinuxIO

/// The files of this package, as a test finds them.
public enum Repository {
  /// The package's folder.
  public static let root = parent(of: parent(of: parent(of: parent(of: #filePath))))

  /// The folder of built programs: the one with the test bundle, which the runner names.
  public static let programs: String = {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    return bundle.map { parent(of: $0) } ?? "\(root)/.build/debug"
  }()

  /// A file of the package as text.
  public static func text(_ path: String) throws(SystemError) -> String {
    String(decoding: try readFile("\(root)/\(path)"), as: UTF8.self)
  }

  /// The paths of all files below a folder of the package with an ending, sorted.
  public static func files(below folder: String, ending: String) throws(SystemError) -> [String] {
    var found: [String] = []
    for name in try directoryNames("\(root)/\(folder)") {
      let path = "\(folder)/\(name)"
      if name.hasSuffix(ending) { found.append(path) }
      if isFolder("\(root)/\(path)") { found += try files(below: path, ending: ending) }
    }
    return found
  }

  /// The names of the folders in a folder of the package, sorted.
  public static func folders(in folder: String) throws(SystemError) -> [String] {
    try directoryNames("\(root)/\(folder)").filter { isFolder("\(root)/\(folder)/\($0)") }
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The folder that a path lies in.
  public static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return String(path[..<slash])
  }
}

/// A number from the environment; nil if it is not set or no number.
public func environmentNumber(_ name: String) -> Int? {
  getenv(name).flatMap { Int(String(cString: $0)) }
}

/// How many rounds a random test makes: `TOUCHBRIDGE_ROUNDS`, or few enough for the unit tier.
public let randomRounds = environmentNumber("TOUCHBRIDGE_ROUNDS") ?? 300

/// Where a random test begins: `TOUCHBRIDGE_SEED`, or any number; it is printed, since a trap would
/// leave no other trace of it.
public func environmentSeed(_ test: String) -> UInt64 {
  var random = SystemRandomNumberGenerator()
  let seed = environment("TOUCHBRIDGE_SEED").flatMap { UInt64($0) } ?? random.next()
  // Past any buffer, which a trap would take along.
  writeAll("\(test): TOUCHBRIDGE_SEED=\(seed)\n".utf8, to: STDERR_FILENO)
  return seed
}
