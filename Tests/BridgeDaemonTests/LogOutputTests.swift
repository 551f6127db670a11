import Glibc
import LinuxIO
import Testing

@testable import BridgeDaemon

/// A log into a pipe that is read only when the test says so.
private final class PipeLog {
  let log: Log
  private let reader: OwnedDescriptor
  private let writer: OwnedDescriptor

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError("make a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reader = OwnedDescriptor(owning: ends[0])
    writer = OwnedDescriptor(owning: ends[1])
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    // As small as the kernel makes one: a page.
    let setPipeSize: Int32 = 1031  // F_SETPIPE_SZ
    _ = fcntl(ends[1], setPipeSize, 4096)
    log = Log(threshold: .debug, descriptor: ends[1])
    log.hurry()
  }

  func read() -> [String] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(reader.raw, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map {
        String($0.drop { $0 != ":" && $0 != ">" }.dropFirst().drop { $0 == " " })
      }.dropLast()
  }
}

@Suite struct `A log that nobody reads` {
  @Test func `holds nobody up, and says what was lost once it is read again`() throws {
    let pipe = try PipeLog()
    pipe.log.write(.notice, "one")
    // The pipe has no room for a whole page any more.
    for number in 0..<7 { pipe.log.write(.notice, "lost", [("n", "\(number)")]) }
    #expect(pipe.read() == ["one"])
    pipe.log.write(.notice, "two")
    #expect(
      pipe.read() == ["lines of the log were lost, nobody read them lines=7", "two"])
    pipe.log.write(.notice, "three")
    #expect(pipe.read() == ["three"])
  }

  @Test func `ends a line that was cut before the next one`() throws {
    let pipe = try PipeLog()
    pipe.log.write(.notice, String(repeating: "x", count: 6_000))
    let cut = pipe.read()
    #expect(cut == [])
    pipe.log.write(.notice, "next")
    #expect(
      pipe.read() == ["", "lines of the log were lost, nobody read them lines=1", "next"])
  }
}
