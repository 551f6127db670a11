import Glibc
import LinuxIO
import TestSupport
import Testing

@Suite struct `A file that is replaced as a whole` {
  private func file(_ folder: TemporaryFolder) -> KeptFile { KeptFile("\(folder.path)/a.conf") }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `keeps the version before beside it, and nothing else`() throws {
    let folder = try TemporaryFolder()
    let file = file(folder)
    #expect(try file.present() == nil)
    try file.checkWritable()
    #expect(try directoryNames(folder.path) == [])
    try file.write(bytes("one"))
    #expect(try directoryNames(folder.path) == ["a.conf"])
    try file.write(bytes("two"))
    try file.write(bytes("three"))
    #expect(try file.present() == bytes("three"))
    #expect(try file.previous() == bytes("two"))
    // The same again is no new version.
    try file.write(bytes("three"))
    #expect(try file.previous() == bytes("two"))
    #expect(try directoryNames(folder.path) == ["a.conf", "a.conf.previous"])
    var status = stat()
    #expect(stat(file.path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o644)
  }

  @Test func `is exchanged with the version before, as often as one likes`() throws {
    let folder = try TemporaryFolder()
    let file = file(folder)
    #expect(try file.restore() == nil)
    try file.write(bytes("one"))
    #expect(try file.restore() == .removed)
    #expect(try file.present() == nil)
    #expect(try file.restore() == .returned)
    #expect(try file.present() == bytes("one"))
    #expect(try file.previous() == nil)
    try file.write(bytes("two"))
    #expect(try file.restore() == .exchanged)
    #expect(try file.present() == bytes("one"))
    #expect(try file.previous() == bytes("two"))
    #expect(try file.restore() == .exchanged)
    #expect(try file.present() == bytes("two"))
  }

  @Test func `can be put back together with the version before`() throws {
    let folder = try TemporaryFolder()
    let file = file(folder)
    let none = try file.versions()
    try file.write(bytes("one"))
    try file.write(bytes("two"))
    let both = try file.versions()
    try file.write(bytes("three"))
    try file.reset(to: both)
    #expect(try file.present() == bytes("two"))
    #expect(try file.previous() == bytes("one"))
    try file.reset(to: none)
    try file.reset(to: none)
    #expect(try directoryNames(folder.path) == [])
  }

  @Test func `is written in spite of what an interrupted run left, and not through a link`() throws
  {
    let folder = try TemporaryFolder()
    let file = file(folder)
    try folder.write("somebody's", to: "other")
    #expect(symlink("\(folder.path)/other", "\(file.path).new") == 0)
    try file.write(bytes("one"))
    #expect(try readFile("\(folder.path)/other") == bytes("somebody's"))
    #expect(try directoryNames(folder.path) == ["a.conf", "other"])
  }

  @Test func `stays as it is if the new version finds no room`() throws {
    let folder = try TemporaryFolder()
    let file = file(folder)
    try file.write(bytes("one"))
    // A folder in the place of the new file: it can neither be removed nor written to.
    try makeDirectory("\(file.path).new", mode: 0o755)
    let error = #expect(throws: SystemError.self) { try file.write(bytes("two")) }
    #expect(error?.errno == Errno(EEXIST))
    #expect(throws: SystemError.self) { try file.checkWritable() }
    #expect(try file.present() == bytes("one"))
    #expect(rmdir("\(file.path).new") == 0)
  }

  @Test func `says which folder is missing`() throws {
    let folder = try TemporaryFolder()
    let file = KeptFile("\(folder.path)/none/a.conf")
    let error = #expect(throws: SystemError.self) { try file.write(bytes("one")) }
    #expect(error?.errno == Errno(ENOENT))
  }
}
