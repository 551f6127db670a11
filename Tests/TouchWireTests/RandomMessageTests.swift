import TestSupport
import Testing
import TouchWire

/// Random bytes, and lawful messages that something happened to: read, or refused with a reason.
///
/// A trap would end the process; that none comes is what is tested.
@Suite struct `Random bytes` {
  /// How many messages: ten times `TOUCHBRIDGE_ROUNDS`, or as many as the unit tier has time for.
  static let rounds = environmentNumber("TOUCHBRIDGE_ROUNDS").map { $0 * 10 } ?? 100_000

  enum Step: CaseIterable {
    case flipBit, setByte, setNumber, cut, extend, nothing, repairLength
  }

  static let extremes: [UInt32] = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff]

  @Test func `are read or refused, in both directions`() {
    let seed = environmentSeed("random messages")
    var random = SplitMix(seed: seed)
    let messages = (WireExample.documented + WireExample.fixed).map(\.block.bytes)
    let writer = PacketWriter()
    var readBack = 0
    for round in 0..<Self.rounds {
      var bytes = messages.randomElement(using: &random) ?? []
      if round % 16 == 0 {
        bytes = noise(&random)
      } else {
        for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes, &random) }
      }
      for side in WireValue.Side.allCases {
        // A refusal is as good as a value here.
        guard let value = try? WireValue.decode(bytes, from: side) else { continue }
        // What was read can be written, and is read again as the same.
        guard let again = value.encoded(serial: 1, by: writer) else {
          Issue.record("seed \(seed), round \(round): not written again")
          return
        }
        let second = try? WireValue.decode(again, from: side)
        guard second == value || value.hasReplacedText else {
          Issue.record(
            "seed \(seed), round \(round): \(value) read again as \(String(describing: second))")
          return
        }
        readBack += 1
      }
    }
    // Were nearly all refused, the test would have looked at headers only.
    #expect(readBack > Self.rounds / 20, "seed \(seed)")
  }

  /// A header that passes, and anything behind it; or no header at all.
  private func noise(_ random: inout SplitMix) -> [UInt8] {
    var bytes = (0..<Int.random(in: 0...400, using: &random)).map { _ in
      UInt8.random(in: .min ... .max, using: &random)
    }
    guard bytes.count >= 16, Bool.random(using: &random) else { return bytes }
    bytes.replaceSubrange(0..<4, with: [0x54, 0x42, 0x57, 0x31])
    bytes.set(WireType.allCases.randomElement(using: &random)?.rawValue ?? 0, at: 4)
    bytes.setLength()
    return bytes
  }

  private func change(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Step.allCases.randomElement(using: &random) {
    case .flipBit: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case .setByte: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
    case .setNumber:
      // Offsets, counts and strides stand at even places.
      guard bytes.count >= 24 else { return }
      let extreme = Self.extremes.randomElement(using: &random) ?? 0
      if Bool.random(using: &random) {
        bytes.set(UInt16(truncatingIfNeeded: extreme), at: min(place & ~1, bytes.count - 2))
      } else {
        bytes.set(extreme, at: min(place & ~3, bytes.count - 4))
      }
    case .cut: bytes.removeLast(bytes.count - place)
    case .extend: bytes += Array(repeating: UInt8(place & 0xff), count: place)
    case .repairLength where bytes.count >= 12: bytes.setLength()
    case .repairLength, .nothing, nil: return
    }
  }
}

extension WireValue {
  /// Whether a text holds a replacement character: it takes more room than what it stands for.
  fileprivate var hasReplacedText: Bool {
    let texts: [String] =
      switch self {
      case .hello(let hello): [hello.name]
      case .welcome(let welcome): welcome.displays.map(\.name)
      case .rotateDisplay(let wish): [wish.display]
      case .displaysChanged(let displays): displays.map(\.name)
      case .refusal(let refusal): [refusal.text]
      case .clientNotice(let notice): [notice.name]
      case .panelNotice(let notice): [notice.name, notice.node]
      case .statusLine(let line): [line.text]
      case .panelCaptured(let answer): [answer.text]
      case .configurationRead(let answer): [answer.text]
      default: []
      }
    return texts.contains { $0.unicodeScalars.contains("\u{fffd}") }
  }
}
