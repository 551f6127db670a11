import TestSupport
import Testing
import TouchRouting
import TouchWire

@testable import BridgeDaemon

/// Limits of one module that another one's rely on, and what docs/wire.md says of them.
@Suite struct `Limits fit together` {
  @Test func `what waits in the daemon fits on the wire`() {
    #expect(Outbox.maximumFrameContacts == WireFormat.maximumContacts)
    #expect(Outbox.maximumSamples == WireFormat.maximumSamples)
    #expect(Outbox.maximumLive == WireFormat.maximumLive)
  }

  @Test func `the longest frame fits into a client's socket`() {
    let longest = 72 + WireFormat.maximumContacts * 56 + WireFormat.maximumSamples * 32
    #expect(longest == 40_008)
    #expect(longest < DaemonLimits.sendBuffer)
    #expect(longest <= WireFormat.maximumLength)
  }

  @Test func `the wire document states them`() throws {
    let text = try Repository.text("docs/wire.md")
    let section = try #require(text.firstMatch(of: /## \d+\. Limits\n([^#]*)/)).1
    let rows = section.matches(of: /\n\| ([a-z ]+) \| ([0-9,]+)( [a-z]+)? \|/).map {
      "\($0.1): \($0.2.filter { $0 != "," })\($0.3 ?? "")"
    }
    #expect(
      rows == [
        "clients at once: \(DaemonLimits.clients)",
        "clients of a user: \(DaemonLimits.clientsOfUser)",
        "time to the hello: \(DaemonLimits.handshakeNanoseconds / 1_000_000_000) s",
        "length of a message: \(WireFormat.maximumLength) bytes",
        "name of a client: \(WireFormat.maximumName) bytes",
        "scenes of a client: \(WireFormat.maximumScenes)",
        "rectangles of a client: \(WireFormat.maximumRects)",
        "rectangles that cover: \(Router.maximumCovers)",
        "displays: 64",
        "contacts of a frame: \(WireFormat.maximumContacts)",
        "merged steps of a frame: \(WireFormat.maximumHistory)",
        "samples of a frame: \(WireFormat.maximumSamples)",
        "contacts of a panel: \(Router.maximumContactsOfPanel)",
        "contacts of a client: \(WireFormat.maximumLive)",
        "unacknowledged frames: \(Outbox.maximumUnacknowledged)",
        "waiting frames: \(Outbox.maximumFrames)",
        "waiting contacts: \(Outbox.maximumContacts)",
        "unacknowledged for: \(ClientLimits().hung / 1_000_000_000) s",
        "line of the status: \(WireFormat.maximumStatusLine) bytes",
        "lines of an answer: \(WireFormat.maximumStatusLines)",
        "messages read at a turn: \(DaemonLimits.messagesPerTurn)",
      ])
  }
}
