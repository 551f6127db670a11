import BridgeDaemon
import Glibc
import LinuxIO
import TouchSettings

/// A file of `conf.d` that touchctl writes: one for each panel or display, and nothing else's.
struct DropIn {
  /// Where the configuration lies.
  let place: ConfigurationPlace
  private let folder: String
  private let name: String
  private let file: KeptFile

  /// Where it is.
  var path: String { file.path }

  /// Prepares a file; nothing is written.
  ///
  /// - Parameters:
  ///   - section: what the file is for.
  ///   - lines: what is to be pasted by hand where no file can be written.
  init(
    _ section: SectionText, in place: ConfigurationPlace, orPaste lines: String
  ) throws(ToolFailure) {
    guard let folder = place.folder else {
      if case .path(let path) = place {
        do throws(SystemError) {
          _ = try directoryNames(path)
        } catch {
          guard error.errno == Errno(ENOTDIR) else {
            throw ToolFailure(
              sentence: "\(error). --config names the folder with conf.d as it is called here.")
          }
        }
      }
      throw ToolFailure(
        sentence: "a single file has no conf.d to write to. Put this into it: \(lines)")
    }
    self.place = place
    self.folder = folder
    // Behind most others, for what is read later wins.
    name = "90-\(section.name.kind.lowercased())-\(SectionText.word(of: section.name.name)).conf"
    let file = KeptFile("\(folder)/conf.d/\(name)")
    var present: [UInt8]?
    try Self.attempt { () throws(SystemError) in present = try file.present() }
    guard present.map(section.owns) ?? true else {
      throw ToolFailure(
        sentence:
          "\(file.path) holds something else; rename it, or put this by hand where it belongs: "
          + lines)
    }
    self.file = file
  }

  // Numbers that stand for others here have fewer digits than those may have.
  private static let room = 256

  /// Says why the file cannot be written, or the configuration not be used, before anybody has done any
  /// work for it.
  ///
  /// - Parameter advice: what can be done all the same, as a sentence.
  func check(_ bytes: [UInt8], orElse advice: String = "") throws(ToolFailure) {
    try checked(bytes)
    do throws(ToolFailure) {
      try Self.attempt { () throws(SystemError) in
        try makeDirectory(folder, mode: 0o755)
        try makeDirectory("\(folder)/conf.d", mode: 0o755)
        try file.checkWritable(byteCount: bytes.count + Self.room)
      }
    } catch {
      throw ToolFailure(
        sentence: advice.isEmpty ? error.sentence : "\(error.sentence) \(advice)")
    }
  }

  /// The configuration as it would be without the file, with all that is wrong in it.
  var configurationWithout: Configuration {
    Configuration(place, change: DropInChange(folder: folder, name: name, bytes: nil))
  }

  /// The configuration as it would be, which is free of mistakes.
  @discardableResult
  private func checked(_ bytes: [UInt8]?) throws(ToolFailure) -> Configuration {
    let change = DropInChange(folder: folder, name: name, bytes: bytes)
    let configuration = Configuration(place, change: change)
    if let fault = configuration.faults.first {
      throw ToolFailure(
        sentence:
          "the configuration would be wrong, so the daemon would not take it: \(fault). Mend "
          + "that first; `touchctl config check` names all.")
    }
    return configuration
  }

  /// Writes the file, if the configuration is right with it.
  ///
  /// - Returns: the configuration with it.
  @discardableResult
  func write(_ section: SectionText, by command: String) throws(ToolFailure) -> Configuration {
    let bytes = Self.bytes(of: section, by: command)
    let configuration = try checked(bytes)
    try Self.attempt { () throws(SystemError) in
      try makeDirectory(folder, mode: 0o755)
      try makeDirectory("\(folder)/conf.d", mode: 0o755)
      try file.write(bytes)
    }
    return configuration
  }

  /// What the file would hold.
  static func bytes(of section: SectionText, by command: String) -> [UInt8] {
    Array("# Written by touchctl \(command).\n\(section.text)".utf8)
  }

  /// Takes the version before back, if the configuration is right with it.
  ///
  /// - Returns: nil if there is no version at all.
  func restore() throws(ToolFailure) -> KeptFile.Restored? {
    var bytes: [UInt8]?
    try Self.attempt { () throws(SystemError) in bytes = try file.previous() }
    try checked(bytes)
    var restored: KeptFile.Restored?
    try Self.attempt { () throws(SystemError) in restored = try file.restore() }
    guard restored != .same else {
      throw ToolFailure(
        sentence: "\(path) and the version before it are the same; there is nothing older.")
    }
    return restored
  }

  /// Both versions as they are now, to be put back if the daemon does not take a change.
  func versions() throws(ToolFailure) -> KeptFile.Versions {
    do throws(SystemError) {
      return try file.versions()
    } catch {
      throw Self.failure(error)
    }
  }

  /// Puts both versions back.
  func reset(to versions: KeptFile.Versions) throws(ToolFailure) {
    try Self.attempt { () throws(SystemError) in try file.reset(to: versions) }
  }

  private static func attempt(_ work: () throws(SystemError) -> Void) throws(ToolFailure) {
    do throws(SystemError) {
      try work()
    } catch {
      throw failure(error)
    }
  }

  /// An error with what to do against it.
  private static func failure(_ error: SystemError) -> ToolFailure {
    let remedy =
      switch error.errno.rawValue {
      case EACCES, EPERM: " Who may write there? Become root."
      case ENOSPC, EDQUOT: " Make room there."
      case EROFS: " The file system can only be read; mount it so that it can be written to."
      case EISDIR: " A folder stands in the file's way; move it."
      default: ""
      }
    return ToolFailure(sentence: "\(error).\(remedy)")
  }
}
