import TestSupport
import Testing
import TouchModel
import TouchWire

/// A message of a document, and the value that it stands for.
struct WireExample: Sendable, CustomTestStringConvertible {
  var block: HexBlock
  var value: WireValue?

  var testDescription: String { block.name }

  var serial: UInt32 {
    block.bytes[12..<16].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The examples of docs/wire.md; none, and the suite fails, if it cannot be read.
  static let documented = load("docs/wire.md", DocumentedMessages.values)
  /// The fixtures.
  static let fixed = load("Tests/Fixtures/wire/version-1.md", FixedMessages.values)

  private static func load(_ path: String, _ values: [String: WireValue]) -> [WireExample] {
    do {
      let blocks = try HexBlock.blocks(in: Repository.text(path))
      return blocks.map { WireExample(block: $0, value: values[$0.name]) }
    } catch {
      Issue.record("\(path): \(error)")
      return []
    }
  }
}

@Suite struct `Written messages` {
  @Test func `docs and fixtures show every kind, and tests know every one shown`() {
    let kinds = { (examples: [WireExample]) in
      Set(examples.map { UInt16($0.block.bytes[4]) | UInt16($0.block.bytes[5]) << 8 })
    }
    #expect(kinds(WireExample.documented) == Set(WireType.allCases.map(\.rawValue)))
    #expect(kinds(WireExample.fixed) == Set(WireType.allCases.map(\.rawValue)))
    let names = { (examples: [WireExample]) in examples.map(\.block.name).sorted() }
    #expect(names(WireExample.documented) == DocumentedMessages.values.keys.sorted())
    #expect(names(WireExample.fixed) == FixedMessages.values.keys.sorted())
  }

  @Test(arguments: WireExample.documented + WireExample.fixed)
  func `bytes give the value`(_ example: WireExample) throws {
    let side = example.block.bytes[4] < 64 ? WireValue.Side.client : .daemon
    #expect(try WireValue.decode(example.block.bytes, from: side) == example.value)
  }

  @Test(arguments: WireExample.documented + WireExample.fixed)
  func `the value gives the bytes`(_ example: WireExample) {
    #expect(example.value?.encoded(serial: example.serial) == example.block.bytes)
  }

  static let faults = [
    ("```wire a\n 0: 54 # b", "the block a has no end"),
    ("```wire a\n 0: 54\n```", "line 2: no comment"),
    ("\n```wire a\n54 # b\n```", "line 3: no offset"),
    ("```wire a\n 0: 54 # b\n 2: 42 # c\n```", "line 3: offset 2 where 1 is due"),
    ("```wire a\n 0: 5g # b\n```", "line 2: 5g is no byte"),
  ]

  @Test(arguments: faults)
  func `a block that is not well formed is told with its line`(_ text: String, _ fault: String) {
    let error = #expect(throws: HexBlock.Fault.self) { try HexBlock.blocks(in: text) }
    #expect(error?.description == fault)
  }
}
