import Glibc
import TestSupport
import Testing
import TouchModel
import UInputPanel

/// `touchctl status` as its own process.
private struct StatusRun {
  var code: Int32
  var lines: [String]
  var errors: [String]

  init(_ arguments: String...) throws {
    let process = try ChildProcess(["\(Repository.programs)/touchctl", "status"] + arguments)
    code = try process.end()
    lines = process.output.all
    errors = process.errors.all
  }

  /// The lines without what differs from run to run: times, processes and clients' numbers.
  var steady: [String] {
    lines.map {
      $0.replacing(/"(uptime_ms|down_ms|pid|uid|client)":\d+/) { "\"\($0.1)\":0" }
        .replacing(/(pid|uid|client) \d+/) { "\($0.1) 0" }
        .replacing(/for \d+\.\d s/) { _ in "for 0.0 s" }
    }
  }
}

@Suite(.withPrograms) struct `touchctl status` {
  private let counters =
    #""dropped_reports":0,"slots_beyond_declared":0,"slots_beyond_limit":0,"out_of_range":0,"#
    + #""double_ids":0,"replaced_ids":0,"down_at_open":0,"palms":0,"lost_taps":0"#
  private let itself =
    #"{"object":"client","client":0,"name":"touchctl status","pid":0,"uid":0,"scenes":0,"#
    + #""waiting_frames":0,"unacknowledged_frames":0,"unresponsive":false,"observer":false}"#

  @Test func `shows the daemon, the replay and the clients, each as a JSON object`() throws {
    let daemon = try DaemonProcess(
      ["--wait-for-clients", "1", "--display", "1280x800"], replay: Recordings.heldFinger)
    let app = try WireClient.welcomed(daemon.appSocket, name: "app")
    app.setScenes([.everywhere])
    #expect(try app.next() == "scenes applied")
    #expect(try app.next() == "frame: 1 down at 100.0, 200.0")
    let run = try StatusRun("--json", "--socket", daemon.adminSocket)
    #expect(run.code == 0)
    #expect(run.errors == [])
    #expect(
      run.steady == [
        #"{"object":"daemon","version":"unreleased","wire_version":1,"pid":0,"uptime_ms":0,"#
          + #""panels":1,"clients":2,"configuration":"/etc/touchbridge","config_problems":[]}"#,
        #"{"object":"panel","device":1,"node":"\#(daemon.folder.path)/replay.evemu","#
          + #""name":"test panel","state":"replay","path":"","phys":"","display":"default","#
          + #""panel_matrix":[1,0,0,0,1,0],"size_mm":null,"captured_by":null,"frame_rate_hz":null,"protocol":"B","#
          + #""contacts_down":1,"frames":{"frames":1,\#(counters)},"dry_run":false,"contacts_held":0,"#
          + #""filters":[],"filter_problems":[],"stuck":{"limit_ms":0,"releases":false,"found":0,"#
          + #""contacts":[]},"retouches":0,"broken_after_sleep":0}"#,
        #"{"object":"client","client":0,"name":"app","pid":0,"uid":0,"scenes":1,"waiting_frames":0,"#
          + #""unacknowledged_frames":1,"unresponsive":false,"observer":false}"#,
        itself,
      ])
    let text = try StatusRun("--socket", daemon.adminSocket)
    #expect(
      text.steady == [
        "touchbridged unreleased, pid 0, up for 0.0 s: 1 panel, 2 clients",
        "panel 1: test panel (\(daemon.folder.path)/replay.evemu), replay, protocol B, display default",
        "  1 contact down; 1 frames", "client 0: app, pid 0, uid 0, 1 scene",
        "client 0: touchctl status, pid 0, uid 0, 0 scenes",
      ])
    #expect(try daemon.stop() == 0)
  }

  @Test func `shows a panel that is waited for, with the reason`() throws {
    let folder = try TemporaryFolder()
    let daemon = try DaemonProcess(["--device", "\(folder.path)/none"], environment: ["NONE": "1"])
    let reason = "cannot open \(folder.path)/none"
    let json = try StatusRun("--json", "--socket", daemon.adminSocket)
    let start =
      #"{"object":"panel","device":null,"node":"\#(folder.path)/none","state":"waiting","reason":""#
    #expect(json.lines.count == 3)
    #expect(json.lines[1].hasPrefix(start + reason))
    let text = try StatusRun("--socket", daemon.adminSocket)
    #expect(
      text.lines[1].hasPrefix("panel \(folder.path)/none is waited for: \(reason)"))
    #expect(try daemon.stop() == 0)
  }

  @Test func `more clients than one answer holds are all shown, once`() throws {
    let daemon = try DaemonProcess()
    let clients = try (0..<70).map {
      try WireClient.welcomed(daemon.appSocket, name: "client \($0)")
    }
    let run = try StatusRun("--json", "--socket", daemon.adminSocket)
    #expect(run.lines.count == 2 + clients.count + 1)
    #expect(Set(run.lines).count == run.lines.count)
    #expect(run.steady.last == itself)
  }

  @Test func `without a daemon it says so`() throws {
    let folder = try TemporaryFolder()
    let run = try StatusRun("--socket", "\(folder.path)/admin.sock")
    #expect(run.code == 3)
    #expect(run.lines == [])
    #expect(
      run.errors == [
        "touchctl: cannot connect to \(folder.path)/admin.sock: No such file or directory (ENOENT). "
          + "Is touchbridged running, and may you use \(folder.path)/admin.sock?"
      ])
  }

  @Test func `the socket of apps does not tell it`() throws {
    let daemon = try DaemonProcess()
    let run = try StatusRun("--socket", daemon.appSocket)
    #expect(run.code == 1)
    #expect(run.lines == [])
    #expect(
      run.errors == [
        "touchctl: the daemon refuses: none of the roles asked for is granted here. Observers use "
          + "admin.sock, as root or as the daemon's own user."
      ])
  }

  @Test func `wrong usage leaves with 2`() throws {
    #expect(try StatusRun("now").code == 2)
    #expect(try StatusRun("--all").code == 2)
  }
}

@Suite(.withPrograms) struct `A contact that is stuck` {
  @Test func `is logged, told and shown once, and released where that is asked for`() throws {
    let daemon = try DaemonProcess(
      [
        "--wait-for-clients", "1", "--display", "1280x800", "--stuck-limit", "300",
        "--release-stuck",
      ], replay: Recordings.heldFinger)
    let observer = try WireClient(daemon.adminSocket)
    observer.hello(.observer)
    observer.send { $0.subscribe(serial: $1) }
    #expect(try observer.next() == "welcome as observer")
    #expect(try observer.next() == "panel test panel is there")
    #expect(try observer.next() == "client wire client is there")
    let app = try WireClient.welcomed(daemon.appSocket, name: "app")
    #expect(try observer.next() == "client app is there")
    app.setScenes([.everywhere])
    #expect(try app.next() == "scenes applied")
    #expect(try app.next() == "frame: 1 down at 100.0, 200.0")
    #expect(try app.next() == "frame: 1 cancel at 100.0, 200.0")
    #expect(try observer.next() == "report: 1 down, none")
    #expect(try observer.next() == "report: 1 cancel, none")
    #expect(try observer.next() == "stuck 1 of 1, released")
    try app.finish()
    let node = "\(daemon.folder.path)/replay.evemu"
    let line = try daemon.process.errors.next(containing: "stuck")
    #expect(
      line
        == "touchbridged: a contact is stuck, ignoring it until it is lifted node=\(node) contact=1 "
        + "slot=0")
    let text = try StatusRun("--socket", daemon.adminSocket)
    #expect(
      text.steady.dropFirst(2).prefix(3) == [
        "  1 contact down; 1 frames", "  1 stuck contact so far",
        "  contact 1 slot 0 has been down for 0.0 s, ignored until it is lifted",
      ])
    #expect(try daemon.stop() == 0)
    #expect(daemon.process.errors.all.filter { $0.contains("stuck") }.count == 1)
  }
}

@Suite(.withPrograms, .withMockDevices) struct `A panel whose fuzz udev knows` {
  @Test func `is filtered by half of it, and the status shows what that did`() throws {
    let bench = try MockBench()
    try bench.add(
      5, .tenFingerPanel(named: "Mock panel"), "ID_INPUT_TOUCHSCREEN=1", "LIBINPUT_FUZZ_35=40",
      "LIBINPUT_FUZZ_36=40")
    let daemon = try DaemonProcess(["--display", "1280x800"], environment: bench.environment)
    let app = try WireClient.welcomed(daemon.appSocket, name: "app")
    app.setScenes([.everywhere])
    #expect(try app.next() == "scenes applied")
    // Four units a point: 20 units are 5 points.
    for x in [100, 104, 120] {
      try bench.touch(5, [0: (Int32(x), 200)])
      let line = try app.next()
      app.acknowledge(app.lastFrame)
      let expected = [
        100: "frame: 1 down at 100.0, 200.0", 104: "frame: 1 still at 100.0, 200.0",
        120: "frame: 1 motion at 115.0, 200.0",
      ]
      #expect(line == expected[x])
    }
    try bench.touch(5, [:])
    #expect(try app.next() == "frame: 1 up at 115.0, 200.0")
    let run = try StatusRun("--json", "--socket", daemon.adminSocket)
    let panel = try #require(run.steady.first { $0.contains(#""object":"panel""#) })
    #expect(
      panel
        == #"{"object":"panel","device":1,"node":"/dev/input/event5","name":"Mock panel","#
        + #""state":"open","path":"","phys":"","display":"default","#
        + #""panel_matrix":[1,0,0,0,1,0],"size_mm":[213.17,133.17],"captured_by":null,"frame_rate_hz":null,"protocol":"B","#
        + #""contacts_down":0,"frames":"#
        + #"{"frames":4,"dropped_reports":0,"slots_beyond_declared":0,"slots_beyond_limit":0,"#
        + #""out_of_range":0,"double_ids":0,"replaced_ids":0,"down_at_open":0,"palms":0,"#
        + #""lost_taps":0},"dry_run":false,"contacts_held":0,"filters":[{"filter":"hysteresis","#
        + #""settings":{"x_units":20,"y_units":20},"contacts":1,"passed":1,"held":0,"dropped":0,"#
        + #""changed":2}],"filter_problems":[],"stuck":{"limit_ms":0,"releases":false,"found":0,"#
        + #""contacts":[]},"retouches":0,"broken_after_sleep":0}"#)
    let text = try StatusRun("--socket", daemon.adminSocket)
    #expect(
      text.lines.contains(
        "  filter hysteresis (x_units 20, y_units 20): 1 contact, 1 passed, 0 held, 0 dropped, "
          + "2 positions changed"))
    #expect(try daemon.stop() == 0)
    try app.finish()
  }
}
