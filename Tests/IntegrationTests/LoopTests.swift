import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import UInputPanel

/// What the main loop of an app does, seen in a process of its own against a real daemon.
@Suite(.withPrograms) struct `The main loop of an app` {
  /// A finger at 500, 500, then one at 100, 100.
  private static let twoTaps = Recordings.fingers([
    (0, [0: RawPoint(x: 500, y: 500)]), (50, [:]), (100, [0: RawPoint(x: 100, y: 100)]), (150, [:]),
    (90_000_000, [:]),
  ])

  /// LoopProbe on a daemon whose recording starts once the probe has printed a line.
  private func probe(_ mode: String, after line: String? = nil) throws -> [String] {
    let clients = line == nil ? "1" : "2"
    let daemon = try DaemonProcess(
      ["--wait-for-clients", clients, "--display", "1280x800"], replay: Self.twoTaps)
    let probe = try ChildProcess(
      ["\(Repository.programs)/LoopProbe", mode],
      environment: ["TOUCHBRIDGE_SOCKET": daemon.appSocket])
    var starter: WireClient?
    if let line {
      _ = try probe.output.next(containing: line)
      starter = try WireClient.welcomed(daemon.appSocket, name: "starter")
      starter?.setScenes([Scene(id: 1, frame: Rect(x: 1270, y: 790, width: 10, height: 10))])
    }
    #expect(try probe.end() == 0)
    #expect(probe.errors.all == [])
    #expect(try daemon.stop() == 0)
    _ = starter
    return probe.output.all
  }

  private static let events = [
    "event began at 500.0,500.0", "event ended at 500.0,500.0", "event began at 100.0,100.0",
    "event ended at 100.0,100.0",
  ].map { "\($0) in source0 on the main thread" }

  @Test
  func `PL-6 to PL-9, PL-16: from the socket to sendEvent in Core Foundation's order, then sleep`()
    throws
  {
    let lines = try probe("order", after: "before waiting")
    #expect(lines.first == "entry")
    #expect(Array(lines.suffix(2)) == ["exit", "done"])
    // What happens from one waking up to the next.
    let turns = lines.dropLast(2).split(separator: "after waiting").map(Array.init)
      .filter { turn in turn.contains { $0.hasPrefix("event") } }
    let way = ["source1", "before timers", "before sources", "source0"]
    #expect(turns.count == 4)
    for (turn, event) in zip(turns, Self.events) {
      // The last one ends the run, which then has no reason to sleep.
      #expect(turn == way + [event] + (event == Self.events[3] ? [] : ["before waiting"]))
    }
  }

  @Test func `serves tasks, the main queue, timers, wake-ups and a run within a run`() throws {
    let lines = try probe("work", after: "inner run begins")
    #expect(lines.last == "done")
    for line in [
      "task in mainQueue", "task again in mainQueue", "task with 42 in mainQueue",
      "block in mainQueue", "later block in mainQueue", "block of another thread in mainQueue",
      "woken up in observer", "signalled in source0", "third tick in timer",
    ] {
      #expect(lines.filter { $0 == line }.count == 1, "\(line) in \(lines)")
    }
    let order = [
      "third tick in timer", "inner run begins", Self.events[0], "touch began in source0",
      "inner run ends in timer", Self.events[3],
    ]
    #expect(lines.filter { order.contains($0) }.prefix(order.count - 1) == order.dropLast())
    #expect(lines.filter { $0.hasPrefix("event") } == Self.events)
  }

  @Test(arguments: ["poll", "dispatch", "foundation"])
  func `PL-6, PL-7, PL-8: each event comes by Source1, Source0 and sendEvent in another loop, too`(
    _ host: String
  ) throws { try expectEvents(in: host) }

  /// Whether GLib can be loaded. Where a change is judged it has to be: then the test fails.
  private static let mayUseGLib =
    dlopen("libglib-2.0.so.0", RTLD_NOW) != nil || getenv("CI") != nil

  @Test(
    .enabled(if: mayUseGLib, "SKIPPED: no libglib-2.0.so.0, which script/bootstrap installs"))
  func `PL-6, PL-7, PL-8: so it does in GLib's`() throws { try expectEvents(in: "glib") }

  @Test func `a host has the main queue until it is released, also in a run within its handlers`()
    throws
  {
    let lines = try probe("hosts")
    #expect(
      lines == [
        "before: the loop", "two hosts: a host", "one ended, twice: a host",
        "both released: the loop", "block in the loop", "timer in the run within a timer",
        "run within a timer ends", "task", "block", "done",
      ])
  }

  private func expectEvents(in host: String) throws {
    let lines = try probe(host)
    #expect(lines.last == "done")
    // Dispatch gives the main queue to threads of its own, one at a time.
    let events = Self.events.map {
      host == "dispatch" ? $0.replacing("the main thread", with: "another thread") : $0
    }
    #expect(lines.filter { $0.hasPrefix("event") } == events)
    for event in events {
      let index = try #require(lines.firstIndex(of: event))
      #expect(lines[..<index].suffix(2) == ["source1", "source0"], "\(lines)")
    }
    #expect(lines.filter { $0 == "touch began in source0" }.count == 2)
    #expect(lines.filter { $0 == "a timer fired" }.count == 1)
    let blocks = ["dispatch", "foundation"].contains(host) ? ["block in none"] : []
    #expect(lines.filter { $0.hasPrefix("block") } == blocks)
  }
}
