import FoundationEssentials
import TestSupport
import Testing

/// `touchctl monitor --json` as its own process.
final class MonitorProcess {
  static let program = "\(Repository.programs)/touchctl"
  let process: ChildProcess

  /// Starts it and waits until the daemon lets it watch.
  init(_ daemon: DaemonProcess) throws {
    process = try ChildProcess([
      Self.program, "monitor", "--json", "--socket", daemon.adminSocket,
    ])
    let pid = "pid=\(process.identifier)"
    let notice = try daemon.process.errors.next(containing: "client watches all touches")
    try #require(notice?.contains(pid) == true)
  }

  /// The next frame.
  func next() throws -> MonitorLine {
    try MonitorLine(#require(try process.output.next()))
  }

  /// The next frame of which something holds.
  func next(where isIt: (MonitorLine) -> Bool) throws -> MonitorLine {
    while true {
      let line = try next()
      if isIt(line) { return line }
    }
  }

  /// All frames of a monitor that has ended.
  func lines() throws -> [MonitorLine] { try process.output.all.map { try MonitorLine($0) } }
}

/// A line of `touchctl monitor --json`: one routed frame.
struct MonitorLine: Decodable {
  struct Stages: Decodable {
    var kernel: UInt64
    var read: UInt64
    var routed: UInt64
    var sent: UInt64
  }

  struct Client: Decodable {
    var client: UInt32
    var name: String
    var pid: Int32
    var queued: Bool
    var clientReadNs: UInt64?
    var clientDoneNs: UInt64?
    var stale: Int
  }

  struct Contact: Decodable {
    var id: UInt64
    var slot: Int32
    var phase: String
    var tool: String
    var injected: Bool
    var x: Double?
    var y: Double?
    var client: UInt32?
    var scene: UInt32?
    var reason: String?
  }

  var timeUs: UInt64
  var deviceName: String
  var lost: Int
  var stagesNs: Stages
  var clients: [Client]
  var contacts: [Contact]

  init(_ line: String) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    self = try decoder.decode(Self.self, from: Data(line.utf8))
  }

  /// Whether the times of the stages are there and rise, up to the client's last.
  var risesToTheEnd: Bool {
    clients.allSatisfy { client in
      guard let read = client.clientReadNs, let done = client.clientDoneNs else { return false }
      let times = [stagesNs.kernel, stagesNs.read, stagesNs.routed, stagesNs.sent, read, done]
      return zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
    }
  }

  /// The contacts as words: number, phase, place and what became of each.
  var told: [String] {
    contacts.map { contact in
      let place = [contact.x, contact.y].map { value in
        value.map { "\(($0 * 1_000).rounded() / 1_000)" } ?? "hidden"
      }.joined(separator: ", ")
      let end = contact.reason ?? contact.scene.map { "scene \($0)" } ?? "nowhere"
      return "\(contact.id) \(contact.phase) at \(place): \(end)"
    }
  }
}

extension DaemonProcess {
  /// Starts the example app on this daemon.
  func panel(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(
      ["\(Repository.programs)/Panel"] + arguments,
      environment: ["TOUCHBRIDGE_SOCKET": appSocket])
  }
}
