import LinuxIO
import Testing
import TouchClient
import TouchKit
import TouchModel
import TouchTestSupport
import TouchWire

/// Writes down what an app is told, and holds it to the laws.
private final class Listener: TouchConnectionDelegate {
  var lines: [String] = []
  var checker = TouchStreamChecker()
  var fault: TouchStreamFault?

  func connection(_ connection: TouchConnection, didOpenWith displays: [Display]) {
    lines.append("open \(displays.map(\.name))")
  }

  func connection(_ connection: TouchConnection, didReceive frame: borrowing FrameBuffer) {
    let value = frame.frame()
    do throws(TouchStreamFault) { try checker.accept(value) } catch { fault = error }
    for contact in value.contacts {
      let place = "\(Int(contact.position.x)),\(Int(contact.position.y))"
      lines.append("\(contact.id) \(contact.phase) \(place) scene \(contact.scene)")
    }
  }

  func connection(_ connection: TouchConnection, didApplyScenes fault: ScenesFault?) {
    lines.append(fault.map { "refused \($0)" } ?? "applied")
  }

  func connection(_ connection: TouchConnection, didCloseBecause reason: String) {
    lines.append("closed")
  }

  func connection(
    _ connection: TouchConnection, didBecome activation: Activation, on display: UInt32
  ) { lines.append("\(activation) on \(display)") }

  func look() -> [String] {
    defer { lines = [] }
    return lines
  }
}

@Suite struct `A fake daemon` {
  private func client(
    _ daemon: FakeDaemon, _ scene: Scene, name: String = "app"
  ) throws -> (TouchConnection, Listener) {
    let connection = try TouchConnection(name: name, path: daemon.path)
    let listener = Listener()
    connection.delegate = listener
    connection.setScenes([scene])
    daemon.serve { connection.dispatchPending() }
    return (connection, listener)
  }

  private func scene(_ id: UInt32, x: Double, width: Double) -> Scene {
    Scene(id: id, frame: Rect(x: x, y: 0, width: width, height: 800))
  }

  @Test func `hands a script to the app, in the points of its scene`() throws {
    let daemon = try FakeDaemon()
    let (connection, listener) = try client(daemon, scene(7, x: 100, width: 500))
    #expect(listener.look() == ["open [\"default\"]", "applied"])
    #expect(daemon.clientNames == ["app"])
    daemon.play(touch.tap(at: CGPoint(x: 110, y: 20)).tap(at: CGPoint(x: 50, y: 20)))
    #expect(daemon.unacknowledgedFrames == 2)
    daemon.serve { connection.dispatchPending() }
    #expect(listener.look() == ["1 down 10,20 scene 7", "1 up 10,20 scene 7"])
    #expect(daemon.unacknowledgedFrames == 0)
    #expect(listener.fault == nil)
  }

  @Test func `parts the fingers of one frame between two apps`() throws {
    let daemon = try FakeDaemon()
    let (left, one) = try client(daemon, scene(1, x: 0, width: 640), name: "left")
    let (right, two) = try client(daemon, scene(1, x: 640, width: 640), name: "right")
    _ = (one.look(), two.look())
    daemon.play(
      touch.down((1, at: CGPoint(x: 10, y: 10)), (2, at: CGPoint(x: 650, y: 10))).up(1, 2))
    daemon.serve {
      left.dispatchPending()
      right.dispatchPending()
    }
    #expect(one.look() == ["1 down 10,10 scene 1", "1 up 10,10 scene 1"])
    #expect(two.look() == ["2 down 10,10 scene 1", "2 up 10,10 scene 1"])
  }

  @Test func `tells an app that another one covers it, and that it is in front again`() throws {
    let daemon = try FakeDaemon()
    let (below, told) = try client(daemon, scene(1, x: 0, width: 640), name: "below")
    let (above, other) = try client(daemon, scene(1, x: 0, width: 1280), name: "above")
    let work = {
      below.dispatchPending()
      above.dispatchPending()
    }
    daemon.serve(work)
    #expect(told.look() == ["open [\"default\"]", "applied", "inactive on 0"])
    above.setScenes([])
    daemon.serve(work)
    #expect(told.look() == ["active on 0"])
    #expect(other.look() == ["open [\"default\"]", "applied", "applied"])
  }

  @Test func `that goes leaves the app with cancels, once`() throws {
    let daemon = try FakeDaemon()
    let (connection, listener) = try client(daemon, scene(1, x: 0, width: 1280))
    daemon.play(touch.down(1, at: CGPoint(x: 10, y: 10)))
    daemon.serve { connection.dispatchPending() }
    _ = listener.look()
    daemon.goAway()
    daemon.serve { connection.dispatchPending() }
    #expect(listener.look() == ["1 cancel 10,10 scene 1", "closed"])
    try listener.checker.finish()
  }

  @Test func `takes an app in again when it comes back, with its scenes`() throws {
    let daemon = try FakeDaemon()
    var now: UInt64 = 1_000_000_000
    let path = daemon.path
    let connection = try TouchConnection(
      name: "app", clock: { now },
      connect: { () throws(SystemError) in try PacketSocket.connect(to: path) })
    let listener = Listener()
    connection.delegate = listener
    connection.setScenes([scene(1, x: 0, width: 1280)])
    daemon.serve { connection.dispatchPending() }
    daemon.goAway()
    daemon.serve { connection.dispatchPending() }
    try daemon.comeBack()
    _ = listener.look()
    // Past the pause that the connection makes on its own clock.
    now += 1_000_000_000
    daemon.serve { connection.dispatchPending() }
    daemon.play(touch.tap(at: CGPoint(x: 10, y: 10)))
    daemon.serve { connection.dispatchPending() }
    #expect(
      listener.look() == [
        "open [\"default\"]", "applied", "1 down 10,10 scene 1", "1 up 10,10 scene 1",
      ])
  }

  @Test func `speaks the bytes of the wire`() throws {
    let messages = touch.tap(at: CGPoint(x: 10, y: 20)).bytes(scene: 4, firstSerial: 3)
    #expect(messages.count == 2)
    for (index, bytes) in messages.enumerated() {
      try bytes.withUnsafeBytes { packet in
        guard case .frame(let frame) = try ServerMessage.decode(packet) else {
          Issue.record("message \(index) is no frame")
          return
        }
        #expect(frame.serial == UInt32(3 + index))
        #expect(frame.contactCount == 1)
        #expect(frame.contact(0).scene == 4)
        #expect(frame.contact(0).phase == [.down, .up][index])
        #expect(frame.contact(0).position == Point(x: 10, y: 20))
      }
    }
  }
}
