import LinuxIO
import Testing
import TouchModel
import TouchWire

@testable import BridgeDaemon

/// Who is told nothing.
private final class DeafOwner: SessionOwner {
  func session(_ session: Session, received message: ClientMessage, serial: UInt32) {}
  func session(_ session: Session, handled acknowledgement: Acknowledgement) {}
  func sessionHasRoom(_ session: Session) {}
  func sessionIsOver(_ session: Session, because reason: String?) {}
}

@Suite struct `The table of sessions` {
  private let owner = DeafOwner()
  private let loop: EventLoop
  private let socket: PacketSocket
  private let writer = PacketWriter()
  private let buffer = PacketBuffer(byteCount: 16)

  init() throws {
    loop = try EventLoop()
    (socket, _) = try PacketSocket.pair()
  }

  private func session(_ id: UInt32) -> Session {
    Session(
      id: id, socket: socket, peer: PeerCredentials(pid: 1, uid: 0, gid: 0), isAdmin: false,
      now: 0, loop: loop, writer: writer, buffer: buffer, owner: owner)
  }

  @Test func `finds a session by its number, and no other by a number of before`() throws {
    let table = SessionTable()
    let number = table.reserve()
    let first = session(try #require(number))
    #expect(first.id == 1 << 10)
    table.insert(first)
    #expect(table[first.id] === first)
    #expect(table[0] == nil)
    table.remove(first)
    #expect(table[first.id] == nil)
    // The same place, another number.
    let nextNumber = table.reserve()
    let second = session(try #require(nextNumber))
    #expect(second.id == 2 << 10)
    table.insert(second)
    #expect(table[first.id] == nil)
    // A session that is no longer there takes nobody along.
    table.remove(first)
    #expect(table[second.id] === second)
    #expect(table.count == 1)
  }

  @Test func `takes 960 and then one for each that goes`() throws {
    let table = SessionTable()
    var sessions: [Session] = []
    while let id = table.reserve() {
      sessions.append(session(id))
      table.insert(sessions[sessions.count - 1])
    }
    #expect(sessions.count == 960)
    #expect(Set(sessions.map(\.id)).count == 960)
    #expect(!sessions.contains { $0.id == 0 })
    #expect(table.all.count == 960)
    table.remove(sessions[500])
    let next = table.reserve()
    #expect(next == sessions[500].id + 1 << 10)
  }
}
