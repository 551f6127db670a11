import LinuxIO
import Testing
import TouchModel
import TouchWire

@testable import TouchClient

/// The daemon does not read: it is stopped, or busy.
@Suite struct `A full socket` {
  private func scene(_ number: Int) -> Scene {
    Scene(id: 1, frame: Rect(x: Double(number), y: 0, width: 10, height: 10))
  }

  /// Sets scenes until the socket is full for good.
  private func fill(_ rig: ClientRig) { for number in 0..<5_000 { set([scene(number)], rig) } }

  private func set(_ scenes: [Scene], _ rig: ClientRig) { rig.connection.setScenes(scenes) }

  private func scenes(_ messages: [ClientMessage]) -> [[Scene]] {
    messages.compactMap { if case .setScenes(let scenes) = $0 { scenes } else { nil } }
  }

  @Test func `takes no more, and the scenes set last are sent once there is room`() throws {
    let rig = try ClientRig.opened()
    fill(rig)
    let first = scenes(try rig.daemon.messages())
    #expect(first.count < 5_000)
    #expect(first.last != [scene(4_999)])
    #expect(rig.dispatch().isEmpty)
    #expect(scenes(try rig.daemon.messages()) == [[scene(4_999)]])
    #expect(rig.dispatch().isEmpty)
    #expect(try rig.daemon.messages().isEmpty)
  }

  @Test func `also when the last set is empty`() throws {
    let rig = try ClientRig.opened()
    fill(rig)
    set([], rig)
    rig.daemon.drain()
    _ = rig.dispatch()
    #expect(scenes(try rig.daemon.messages()) == [[]])
  }

  @Test(arguments: [true, false])
  func `an acknowledgement waits for room`(_ isAutomatic: Bool) throws {
    let rig = try ClientRig.opened()
    rig.connection.acknowledgesAutomatically = isAutomatic
    rig.daemon.frame(at: rig.time - 2_000_000_000, [contact(1, .down)])
    fill(rig)
    _ = rig.dispatch()
    rig.connection.acknowledge()
    // The next frame joins, with the contact that was stale before.
    let last = rig.daemon.frame(at: rig.time, [contact(2, .down)])
    _ = rig.dispatch()
    rig.connection.acknowledge()
    rig.daemon.drain()
    _ = rig.dispatch()
    let messages = try rig.daemon.messages()
    #expect(
      messages.suffix(1) == [
        .acknowledge(
          Acknowledgement(
            frameSerial: last, staleContacts: 1, readTime: rig.time, doneTime: rig.time))
      ])
    #expect(scenes(messages) == [[scene(4_999)]])
    #expect(messages.count == 2)
    try rig.finish()
  }

  @Test func `at the very start keeps the hello until there is room`() throws {
    let rig = ClientRig()
    rig.prepare = { socket in
      let bytes = [UInt8](repeating: 0, count: 100)
      bytes.withUnsafeBytes { while case .done = socket.send($0) {} }
    }
    #expect(rig.dispatch().isEmpty)
    rig.daemon.drain()
    #expect(rig.dispatch().isEmpty)
    #expect(try rig.daemon.messages() == [.hello(Hello(name: "test"))])
  }

  @Test func `of a daemon that then dies ends like any other`() throws {
    let rig = try ClientRig.opened()
    rig.daemon.frame(at: rig.time, [contact(1, .down)])
    _ = rig.dispatch()
    fill(rig)
    rig.daemons = []
    #expect(
      rig.dispatch() == [
        .frame(TouchFrame(timeNanoseconds: rig.time, device: 1, contacts: [contact(1, .cancel)])),
        .closed(`A connection comes about`.gone),
      ])
    // Nothing of the old connection is said on the next one.
    rig.wait(milliseconds: 50)
    _ = rig.dispatch()
    #expect(try rig.daemon.messages() == [.hello(Hello(name: "test"))])
    try rig.finish()
  }
}
