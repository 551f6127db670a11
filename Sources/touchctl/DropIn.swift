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
  private let lines: String
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
    file = KeptFile("\(folder)/conf.d/\(name)")
    self.lines = lines
    _ = try present(section)
  }

  /// What the file holds now, which is of this section or nothing.
  private func present(_ section: SectionText) throws(ToolFailure) -> [UInt8] {
    var present: [UInt8]?
    try Self.attempt { () throws(SystemError) in present = try file.present() }
    guard present.map(section.owns) ?? true else { throw holdsSomethingElse }
    return present ?? []
  }

  private var holdsSomethingElse: ToolFailure {
    ToolFailure(
      sentence:
        "\(path) holds something else; rename it, or put this by hand where it belongs: \(lines)")
  }

  /// Whether the file has its section already.
  func hasSection(_ section: SectionText) throws(ToolFailure) -> Bool {
    try !SettingsText(present(section), file: "").sections.isEmpty
  }

  // Numbers that stand for others here have fewer digits than those may have, and the comment is missing.
  private static let room = 512

  /// Says why the file cannot be written, or the configuration not be used, before anybody has done any
  /// work for it.
  ///
  /// - Parameter advice: what can be done all the same, as a sentence.
  func check(_ section: SectionText, orElse advice: String = "") throws(ToolFailure) {
    guard let bytes = try section.put(into: present(section)) else { throw holdsSomethingElse }
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

  /// The configuration as it would be with the section's keys in the file, free of mistakes.
  @discardableResult
  func proposed(_ section: SectionText) throws(ToolFailure) -> Configuration {
    guard let bytes = try section.put(into: present(section)) else { throw holdsSomethingElse }
    return try checked(bytes)
  }

  /// Writes the section's keys into the file, if the configuration is right with them; what else stands
  /// there now stays.
  ///
  /// - Returns: the configuration with it.
  @discardableResult
  func write(_ section: SectionText, by command: String) throws(ToolFailure) -> Configuration {
    let present = try present(section)
    let stamp = SectionText.Stamp(
      start: "# Written by touchctl ", rest: "\(command) at \(CalendarTime.now) by \(userName()).")
    guard let plain = section.put(into: present),
      let bytes = section.put(into: present, stamp: stamp)
    else { throw holdsSomethingElse }
    let configuration = try checked(bytes)
    // What stands there already keeps the time at which it was written.
    guard plain != present else { return configuration }
    try Self.attempt { () throws(SystemError) in
      try makeDirectory(folder, mode: 0o755)
      try makeDirectory("\(folder)/conf.d", mode: 0o755)
      try file.write(bytes)
    }
    return configuration
  }

  /// Takes the version before back, if the configuration is right with it.
  ///
  /// - Returns: nil if there is no version at all.
  func restore(_ section: SectionText) throws(ToolFailure) -> KeptFile.Restored? {
    _ = try present(section)
    var bytes: [UInt8]?
    try Self.attempt { () throws(SystemError) in bytes = try file.previous() }
    guard bytes.map(section.owns) ?? true else {
      throw ToolFailure(
        sentence: "\(file.previousPath) holds something else; nothing was taken back.")
    }
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
