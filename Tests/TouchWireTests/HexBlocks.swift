import Testing

/// A message written out in a document: a line a field, with its offset, its bytes and a comment.
///
///     ```wire subscribe
///        0: 54 42 57 31              # magic, "TBW1"
///       16: 00*8                     # reserved
///     ```
struct HexBlock: Sendable, CustomTestStringConvertible {
  var name: String
  var bytes: [UInt8]

  var testDescription: String { name }

  /// What is wrong with a document, and on which line.
  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  /// Reads all blocks of a document.
  static func blocks(in text: String) throws(Fault) -> [HexBlock] {
    var blocks: [HexBlock] = []
    var open: HexBlock?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if var block = open {
        if line == "```" {
          blocks.append(block)
          open = nil
        } else {
          try block.take(line, number: index + 1)
          open = block
        }
      } else if line.hasPrefix("```wire ") {
        open = HexBlock(name: String(line.dropFirst(8)), bytes: [])
      }
    }
    if let open { throw Fault(description: "the block \(open.name) has no end") }
    return blocks
  }

  private mutating func take(_ line: Substring, number: Int) throws(Fault) {
    let halves = line.split(separator: "#", maxSplits: 1)
    guard halves.count == 2, !halves[1].allSatisfy({ $0 == " " }) else {
      throw Fault(description: "line \(number): no comment")
    }
    let parts = halves[0].split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let offset = Int(parts[0].filter { $0 != " " }) else {
      throw Fault(description: "line \(number): no offset")
    }
    guard offset == bytes.count else {
      throw Fault(description: "line \(number): offset \(offset) where \(bytes.count) is due")
    }
    for word in parts[1].split(separator: " ") {
      let pair = word.split(separator: "*")
      guard let byte = UInt8(pair[0], radix: 16), pair[0].count == 2,
        let count = pair.count == 2 ? Int(pair[1]) : 1
      else { throw Fault(description: "line \(number): \(word) is no byte") }
      bytes += Array(repeating: byte, count: count)
    }
  }
}
