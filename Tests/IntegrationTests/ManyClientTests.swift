import TestSupport
import Testing
import TouchModel
import UInputPanel

@Suite(.withPrograms) struct `Several clients on one panel` {
  @Test func `100 clients get their own contacts, in their own coordinates, and no others`() throws
  {
    // A grid of ten by ten; a row of ten fingers at a time, a finger in each cell.
    var frames: [(milliseconds: Int, fingers: [Int32: RawPoint])] = []
    for row in Int32(0)..<10 {
      func fingers(_ x: Int32) -> [Int32: RawPoint] {
        let places = (Int32(0)..<10).map { ($0, RawPoint(x: 128 * $0 + x, y: 80 * row + 7)) }
        return Dictionary(uniqueKeysWithValues: places)
      }
      frames.append((60 * Int(row), fingers(30)))
      // The second lift is not the first one's.
      frames.append((60 * Int(row) + 20, fingers(40)))
      frames.append((60 * Int(row) + 40, [:]))
    }
    let daemon = try DaemonProcess(
      ["--wait-for-clients", "100", "--display", "1280x800"],
      replay: Recordings.fingers(frames + [(90_000_000, [:])]))
    let clients = try (0..<100).map { cell in
      let client = try WireClient.welcomed(daemon.appSocket, name: "cell \(cell)")
      let (x, y) = (Double(cell % 10) * 128, Double(cell / 10) * 80)
      client.setScenes([Scene(id: 1, frame: Rect(x: x, y: y, width: 128, height: 80))])
      #expect(try client.next() == "scenes applied")
      return client
    }
    for (cell, client) in clients.enumerated() {
      let id = cell + 1
      #expect(try client.next() == "frame: \(id) down at 30.0, 7.0")
      #expect(try client.next() == "frame: \(id) motion at 40.0, 7.0")
      #expect(try client.next() == "frame: \(id) up at 40.0, 7.0")
      client.acknowledge(client.lastFrame)
      // The answer comes after whatever else was sent before.
      client.setScenes([])
      #expect(try client.next() == "scenes applied")
      try client.finish()
    }
    #expect(try daemon.stop() == 0)
  }

  @Test func `the fingers of one frame go to the two apps they are on`() throws {
    let daemon = try DaemonProcess(
      ["--wait-for-clients", "2", "--display", "1280x800"],
      replay: Recordings.fingers([
        (0, [0: RawPoint(x: 100, y: 50), 1: RawPoint(x: 740, y: 60), 2: RawPoint(x: 200, y: 70)]),
        // Across the border each stays with the app it began on.
        (20, [0: RawPoint(x: 700, y: 50), 1: RawPoint(x: 540, y: 60), 2: RawPoint(x: 200, y: 70)]),
        (40, [1: RawPoint(x: 540, y: 60)]), (60, [:]), (90_000_000, [:]),
      ]))
    let left = try LibraryClient(
      daemon.appSocket, scenes: [Scene(id: 1, frame: Rect(x: 0, y: 0, width: 640, height: 800))])
    #expect(try left.next("scenes") == "scenes applied")
    let right = try LibraryClient(
      daemon.appSocket, scenes: [Scene(id: 1, frame: Rect(x: 640, y: 0, width: 640, height: 800))])
    #expect(try right.next("scenes") == "scenes applied")
    for line in [
      "down at 100.0, 50.0; down at 200.0, 70.0", "motion at 700.0, 50.0; still at 200.0, 70.0",
      "up at 700.0, 50.0; up at 200.0, 70.0",
    ] { #expect(try left.next() == line) }
    for line in [
      "down at 100.0, 60.0", "motion at -100.0, 60.0", "still at -100.0, 60.0",
      "up at -100.0, 60.0",
    ] { #expect(try right.next() == line) }
    try left.finish()
    try right.finish()
    #expect(try daemon.stop() == 0)
  }

  @Test func `nobody watches through the socket of apps`() throws {
    let daemon = try DaemonProcess()
    let monitor = try ChildProcess([
      MonitorProcess.program, "monitor", "--socket", daemon.appSocket,
    ])
    #expect(try monitor.end() == 1)
    #expect(monitor.output.all == [])
    #expect(
      monitor.errors.all == [
        "touchctl: the daemon refuses: none of the roles asked for is granted here. Observers use "
          + "admin.sock, as root or as the daemon's own user."
      ])
    #expect(try daemon.stop() == 0)
  }
}
