import Glibc
import LinuxIO
import TouchSettings

/// Where configuration is read from.
public enum ConfigurationPlace: Equatable, Sendable {
  /// Nowhere: everything is as without configuration.
  case none
  /// `/etc/touchbridge`, `/run/touchbridge`, `/usr/local/lib/touchbridge` and `/usr/lib/touchbridge`.
  case system
  /// A file, or a folder in the place of these.
  case path(String)
}

extension ConfigurationPlace {
  /// What it is called by: a path, the first of several for the system's; nil for nowhere.
  public var name: String? {
    switch self {
    case .none: nil
    case .system: SettingsFiles.systemFolders.first
    case .path(let path): path
    }
  }

  /// The place of this name.
  public init(name: String) {
    self = name == SettingsFiles.systemFolders.first ? .system : .path(name)
  }

  /// The place by a name that is the same for programs that run elsewhere.
  public var absolute: ConfigurationPlace {
    if case .path(let path) = self { .path(absolutePath(path)) } else { self }
  }

  /// The folder whose `conf.d` programs write to; nil where there is none.
  public var folder: String? {
    switch self {
    case .none: nil
    case .system: SettingsFiles.systemFolders.first
    case .path(let path): (try? directoryNames(path)) == nil ? nil : path
    }
  }
}

/// A file of `conf.d` as it would be, before it is.
public struct DropInChange: Sendable {
  /// The folder that holds `conf.d`.
  public var folder: String
  /// The file's name, with `.conf`.
  public var name: String
  /// What it would hold; nil for a file that would be gone.
  public var bytes: [UInt8]?

  /// Where it is.
  public var path: String { "\(folder)/conf.d/\(name)" }

  /// Creates a change.
  public init(folder: String, name: String, bytes: [UInt8]?) {
    self.folder = folder
    self.name = name
    self.bytes = bytes
  }
}

/// The configuration files of a place, read.
///
/// As systemd has it: `touchbridge.conf` of the first folder that has one; then `conf.d/*.conf` of all
/// folders in the order of their names, where a file hides one of the same name in a later folder.
/// What is read later wins. `quirks.conf` of the first folder that has one comes before all.
struct SettingsFiles {
  static let systemFolders = [
    "/etc/touchbridge", "/run/touchbridge", "/usr/local/lib/touchbridge", "/usr/lib/touchbridge",
  ]

  var quirks: [SettingsText] = []
  var files: [SettingsText] = []
  /// Files that are there but cannot be read.
  var faults: [SettingsFault] = []
  private let change: DropInChange?

  /// - Parameter change: what stands for a file of `conf.d`, whatever is on the disk.
  init(_ place: ConfigurationPlace, change: DropInChange? = nil) {
    self.change = change
    switch place {
    case .none: break
    case .system: takeFolders(Self.systemFolders)
    case .path(let path):
      if (try? directoryNames(path)) != nil {
        takeFolders([path])
        if files.isEmpty && faults.isEmpty {
          faults.append(
            SettingsFault(
              file: path, line: 0,
              message: "the folder holds no touchbridge.conf and no conf.d/*.conf"))
        }
      } else {
        takeQuirks(Self.systemFolders)
        if let text = read(path, mayBeMissing: false) { files.append(text) }
      }
    }
  }

  private mutating func takeFolders(_ folders: [String]) {
    takeQuirks(folders)
    for folder in folders {
      guard let text = read("\(folder)/touchbridge.conf", mayBeMissing: true) else { continue }
      files.append(text)
      break
    }
    var dropIns: [String: String] = [:]
    for folder in folders {
      // A folder that is not there holds no files; one that may not be listed is told.
      for name in names("\(folder)/conf.d") where name.hasSuffix(".conf") && dropIns[name] == nil {
        dropIns[name] = "\(folder)/conf.d/\(name)"
      }
    }
    // The first folder's files hide those of the others.
    if let change, folders.first == change.folder { dropIns[change.name] = change.path }
    for (_, path) in dropIns.sorted(by: { $0.key < $1.key }) {
      if let change, path == change.path {
        if let bytes = change.bytes { files.append(SettingsText(bytes, file: path)) }
      } else if let text = read(path, mayBeMissing: true) {
        files.append(text)
      }
    }
  }

  private mutating func takeQuirks(_ folders: [String]) {
    for folder in folders {
      guard let text = read("\(folder)/quirks.conf", mayBeMissing: true) else { continue }
      quirks.append(text)
      return
    }
  }

  private mutating func names(_ folder: String) -> [String] {
    do throws(SystemError) {
      return try directoryNames(folder)
    } catch {
      if error.errno != Errno(ENOENT) {
        faults.append(SettingsFault(file: folder, line: 0, message: "\(error)"))
      }
      return []
    }
  }

  private mutating func read(_ path: String, mayBeMissing: Bool) -> SettingsText? {
    do throws(SystemError) {
      let bytes = try readRegularFile(path, limit: SettingsText.longestFile + 1)
      return SettingsText(bytes, file: path)
    } catch {
      if !mayBeMissing || error.errno != Errno(ENOENT) {
        faults.append(SettingsFault(file: path, line: 0, message: "\(error)"))
      }
      return nil
    }
  }
}
