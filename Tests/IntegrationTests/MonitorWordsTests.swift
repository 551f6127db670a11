import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchWire

/// A daemon that says what a test wants it to say, to one tool.
private final class ToldDaemon {
  let path: String
  private let folder: TemporaryFolder
  private let listener: PacketListener
  private var socket: PacketSocket?
  private let writer = PacketWriter()
  private var serial: UInt32 = 0

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/admin.sock"
    listener = try PacketListener(path: path, mode: 0o600)
  }

  /// Waits for the tool and welcomes it.
  func accept() throws {
    let deadline = Deadline()
    try #require(deadline.awaitInput(listener.descriptor))
    socket = try listener.accept()
    say {
      $0.welcome(
        Welcome(
          roles: .observer, capabilities: [], client: 1, maximumUnacknowledged: 8,
          staleLimitNanoseconds: 0, displays: [.fallback]), serial: $1)
    }
  }

  func say(_ message: (PacketWriter, UInt32) -> UnsafeRawBufferPointer) {
    serial += 1
    _ = socket?.send(message(writer, serial))
  }

  /// Goes.
  func end() { socket = nil }
}

@Suite(.withPrograms) struct `What touchctl monitor prints` {
  private let contact = ObservedContact(
    contact: Contact(
      id: 7, slot: 2, phase: .up, position: Point(x: 1.5, y: 20), rawX: 3, rawY: 40),
    client: 0, reason: .filtered, isSensitive: false, frameSerial: 0, filter: .minimumDuration)

  private func lines(_ arguments: String...) throws -> [String] {
    let daemon = try ToldDaemon()
    let process = try ChildProcess(
      ["\(Repository.programs)/touchctl", "monitor", "--socket", daemon.path] + arguments)
    try daemon.accept()
    daemon.say {
      $0.panelNotice(
        PanelNotice(device: 1, isGone: false, name: "A panel", node: "/a/node"), serial: $1)
    }
    daemon.say { writer, serial in
      writer.beginReport(
        times: StageTimes(
          kernel: 2_000_005_000, read: 2_000_006_000, routed: 2_000_007_000, sent: 2_000_008_000),
        device: 1, display: 0, contacts: 1)
      writer.put(observed: contact, at: 0)
      return writer.finishReport(lost: 0, serial: serial)
    }
    daemon.say {
      $0.stuckNotice(
        StuckNotice(device: 1, slot: 2, contact: 9, downTime: 5, isReleased: true), serial: $1)
    }
    daemon.end()
    #expect(try process.end() == 3)
    return process.output.all
  }

  @Test func `names the filter that kept a contact from everybody, in JSON`() throws {
    #expect(
      try lines("--json") == [
        #"{"time_us":2000005,"device":1,"device_name":"A panel","display":0,"lost":0,"stages_ns":"#
          + #"{"kernel":2000005000,"read":2000006000,"routed":2000007000,"sent":2000008000},"#
          + #""clients":[],"contacts":[{"id":7,"slot":2,"phase":"up","tool":"finger","#
          + #""injected":false,"sensitive":false,"x":1.5,"y":20.0,"raw_x":3,"raw_y":40,"#
          + #""client":null,"scene":null,"reason":"filtered","filter":"min-duration"}]}"#
      ])
  }

  @Test func `tells people of filters and stuck contacts as well`() throws {
    #expect(
      try lines() == [
        "-- panel A panel (/a/node) came",
        "2.000005  A panel  read +1 us  routed +2 us  sent +3 us",
        "    contact 7 slot 2 up 1.5,20.0 -> nobody: filtered by min-duration",
        "-- contact 9 slot 2 of A panel is stuck, and is ignored until it is lifted",
      ])
  }
}
