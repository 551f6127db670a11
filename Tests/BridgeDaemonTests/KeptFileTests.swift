import Glibc
import TestSupport
import Testing

@testable import LinuxIO

@Suite struct `A file that is replaced as a whole` {
  private func file(_ folder: TemporaryFolder) -> KeptFile { KeptFile("\(folder.path)/a.conf") }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `keeps the version before beside it, and nothing else`() throws {
    let folder = try TemporaryFolder()
    let file = file(folder)
    #expect(try file.present() == nil)
    try file.checkWritable(byteCount: 100)
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

  /// Steps with names that are the same in each run.
  private func named(_ steps: [FileStep], in folder: TemporaryFolder) -> [String] {
    steps.map { step in
      "\(step)".replacing(folder.path + "/", with: "").replacing(/\.new-[0-9a-f]+/, with: ".new")
    }
  }

  @Test func `is written in steps of which each leaves a whole file that lasts`() throws {
    let folder = try TemporaryFolder()
    let file = KeptFile("\(folder.path)/a")
    #expect(
      named(file.writing([1], over: try file.versions()), in: folder) == [
        #"create("a.new", [1], for: "a")"#, #"synchronise("a.new")"#, #"move("a.new", to: "a")"#,
        #"synchronise("\#(folder.path)")"#,
      ])
    try file.write([1])
    try file.write([2])
    #expect(
      named(file.writing([3], over: try file.versions()), in: folder) == [
        #"create("a.new", [2], for: "a.previous")"#, #"synchronise("a.new")"#,
        #"create("a.new", [3], for: "a")"#, #"synchronise("a.new")"#,
        #"exchange("a.new", "a.previous")"#, #"exchange("a.new", "a")"#,
        #"synchronise("\#(folder.path)")"#, #"remove("a.new")"#, #"remove("a.new")"#,
      ])
    // Only the kernel makes it last, and this is a file that it makes nothing last of.
    let error = #expect(throws: SystemError.self) {
      try FileStep.synchronise("/proc/self/status").take()
    }
    #expect(error?.errno == Errno(EINVAL))
  }

  @Test(arguments: 0...9)
  func `has no older version beside it than the one before, wherever a write is killed`(
    after count: Int
  ) throws {
    let folder = try TemporaryFolder()
    let file = file(folder)
    try file.write(bytes("one"))
    try file.write(bytes("two"))
    let steps = file.writing(bytes("three"), over: try file.versions())
    #expect(steps.count == 9)
    try FileStep.take(Array(steps.prefix(count)))
    let versions = [try file.present(), try file.previous()]
    switch count {
    case ...4: #expect(versions == [bytes("two"), bytes("one")])
    case 5:
      #expect(versions == [bytes("two"), bytes("two")])
      #expect(try file.restore() == .same)
      #expect(try file.present() == bytes("two"))
    default: #expect(versions == [bytes("three"), bytes("two")])
    }
    // What a killed run left is in nobody's way, and goes when it is old.
    try file.write(bytes("four"))
    for name in try directoryNames(folder.path) where name.contains(".new-") {
      var old = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
      #expect(utimensat(AT_FDCWD, "\(folder.path)/\(name)", &old, AT_SYMLINK_NOFOLLOW) == 0)
    }
    try file.write(bytes("five"))
    #expect(try file.present() == bytes("five"))
    #expect(try file.previous() == bytes("four"))
    #expect(try directoryNames(folder.path) == ["a.conf", "a.conf.previous"])
  }

  // What comes after the seventh removes files that are needed no more, and cannot fail.
  @Test(arguments: 0..<7)
  func `is as before with the version before, whichever step of a write fails`(
    _ index: Int
  ) throws {
    let folder = try TemporaryFolder()
    let file = file(folder)
    try file.write(bytes("one"))
    try file.write(bytes("two"))
    var steps = file.writing(bytes("three"), over: try file.versions())
    steps[index] = .synchronise("/proc/self/status")
    let error = #expect(throws: SystemError.self) { try FileStep.take(steps) }
    #expect(error?.errno == Errno(EINVAL))
    #expect(try file.present() == bytes("two"))
    #expect(try file.previous() == bytes("one"))
    #expect(try directoryNames(folder.path) == ["a.conf", "a.conf.previous"])
  }

  @Test func `is written over what somebody else has written at the same moment`() throws {
    let folder = try TemporaryFolder()
    let file = file(folder)
    var attempts = 0
    try file.change { now in
      attempts += 1
      if attempts == 1 { #expect(throws: Never.self) { try file.write(bytes("other")) } }
      return file.writing(bytes("own"), over: now)
    }
    #expect(attempts == 2)
    #expect(try file.present() == bytes("own"))
    #expect(try file.previous() == bytes("other"))
    #expect(try directoryNames(folder.path) == ["a.conf", "a.conf.previous"])
  }

  @Test func `changes places in one step, and by links where the file system has none`() throws {
    let folder = try TemporaryFolder()
    let file = file(folder)
    try file.write(bytes("one"))
    try file.write(bytes("two"))
    try FileStep.exchangeByLink(file.previousPath, file.path)
    #expect(try file.present() == bytes("one"))
    #expect(try file.previous() == bytes("two"))
    #expect(try directoryNames(folder.path) == ["a.conf", "a.conf.previous"])
    try FileStep.exchange(file.previousPath, file.path).take()
    #expect(try file.present() == bytes("two"))
    // A name that something has is nobody else's.
    let error = #expect(throws: SystemError.self) {
      try FileStep.move(file.path, to: file.previousPath).take()
    }
    #expect(error?.errno == Errno(EEXIST))
  }

  @Test func `is not written where a folder stands in the way of the version before`() throws {
    let folder = try TemporaryFolder()
    let file = file(folder)
    try file.write(bytes("one"))
    try makeDirectory(file.previousPath, mode: 0o755)
    for attempt in [{ try file.write([1]) }, { try file.checkWritable(byteCount: 1) }] {
      let error = #expect(throws: SystemError.self) { try attempt() }
      #expect(error?.errno == Errno(EISDIR))
    }
    #expect(try file.present() == bytes("one"))
    #expect(try directoryNames(folder.path) == ["a.conf", "a.conf.previous"])
    #expect(rmdir(file.previousPath) == 0)
  }

  @Test func `says which folder is missing`() throws {
    let folder = try TemporaryFolder()
    let file = KeptFile("\(folder.path)/none/a.conf")
    let error = #expect(throws: SystemError.self) { try file.write(bytes("one")) }
    #expect(error?.errno == Errno(ENOENT))
  }
}
