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

/// Makes a directory if it is not there yet; its parent must be.
///
/// - Errors: `SystemError` with what `mkdir(2)` said.
public func makeDirectory(_ path: String, mode: UInt32) throws(SystemError) {
  guard mkdir(path, mode) == 0 || errno == EEXIST else {
    throw SystemError("make the directory \(path)")
  }
}
