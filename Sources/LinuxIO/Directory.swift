import Glibc

/// The names in a directory, sorted; without `.` and `..`.
///
/// - Errors: `SystemError`; `ENOENT` if there is no such directory.
public func directoryNames(_ path: String) throws(SystemError) -> [String] {
  guard let directory = opendir(path) else { throw SystemError("list \(path)") }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// A path that does not depend on the folder that a program runs in; links in it stay.
///
/// - Returns: the path itself if it does not, or if that folder is gone.
public func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
  defer { free(here) }
  let folder = String(cString: here)
  return folder == "/" ? "/\(path)" : "\(folder)/\(path)"
}

/// Makes a directory if it is not there yet; its parent must be.
///
/// - Errors: `SystemError` with what `mkdir(2)` said.
public func makeDirectory(_ path: String, mode: UInt32) throws(SystemError) {
  guard mkdir(path, mode) == 0 || errno == EEXIST else {
    throw SystemError("make the directory \(path)")
  }
}

/// Makes a folder that only this user can use, below `TMPDIR` or `/tmp`.
///
/// - Ownership: the caller removes it.
public func makeTemporaryDirectory() throws(SystemError) -> String {
  let parent = environment("TMPDIR") ?? "/tmp"
  var template = Array("\(parent)/touchbridge-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { throw SystemError("make a folder in \(parent)") }
  return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}
