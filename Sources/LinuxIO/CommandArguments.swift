import CLinuxShims
import Glibc

/// One long option of a program or subcommand.
public struct CommandOption: Sendable {
  /// The long name, without the dashes.
  public let name: String
  /// What follows it, in capitals as the help shows it; nil if nothing does.
  public let argument: String?
  /// What it is good for.
  public let summary: String

  /// Creates an option.
  public init(name: String, argument: String? = nil, summary: String) {
    self.name = name
    self.argument = argument
    self.summary = summary
  }
}

/// What a program or subcommand understands: its options, its operands and its help.
public struct CommandUsage: Sendable {
  /// How it is called, such as `touchctl decode`.
  public let title: String
  /// What follows the name, as the help shows it.
  public let operands: String
  /// What it does, in whole sentences.
  public let text: String
  /// Its options; `--help` is added.
  public let options: [CommandOption]

  /// Creates a usage.
  public init(title: String, operands: String, text: String, options: [CommandOption]) {
    self.title = title
    self.operands = operands
    self.text = text
    self.options = options + [CommandOption(name: "help", summary: "show this text")]
  }

  /// Reads arguments with `getopt_long(3)`, which complains on standard error where they are wrong.
  ///
  /// - Returns: what stood there; nil after a complaint.
  public func parse(_ arguments: [String]) -> ParsedArguments? {
    // getopt_long reorders the pointers in argv and keeps none of them.
    let strings = ([title] + arguments).map { strdup($0) }
    let names = options.map { strdup($0.name) }
    defer {
      for string in strings + names { free(string) }
    }
    var table = zip(options, names).enumerated().map { index, option in
      CLinuxShims.option(
        name: option.1, has_arg: option.0.argument == nil ? 0 : 1, flag: nil,
        val: Int32(truncatingIfNeeded: index) + 256)
    }
    table.append(CLinuxShims.option(name: nil, has_arg: 0, flag: nil, val: 0))
    var pointers = strings + [nil]
    tb_optind_reset()
    let parsed = pointers.withUnsafeMutableBufferPointer {
      scan($0, count: strings.count, table: table)
    }
    if parsed == nil { writeAll("Try `\(title) --help`.\n".utf8, to: STDERR_FILENO) }
    return parsed
  }

  private func scan(
    _ arguments: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>, count: Int,
    table: [CLinuxShims.option]
  ) -> ParsedArguments? {
    guard let first = arguments.baseAddress else { return nil }
    var parsed = ParsedArguments()
    while true {
      let found = getopt_long(Int32(truncatingIfNeeded: count), first, "", table, nil)
      if found == -1 { break }
      let index = Int(found) - 256
      guard options.indices.contains(index) else { return nil }
      parsed.values.append((options[index].name, tb_optarg().map { String(cString: $0) }))
    }
    for index in Int(tb_optind())..<max(Int(tb_optind()), count) {
      if let operand = arguments[index] { parsed.operands.append(String(cString: operand)) }
    }
    return parsed
  }

  /// The help, as `--help` prints it.
  public var help: String {
    var help = "Usage: \(title) \(operands)\n\n\(text)\n\n"
    let labels = options.map { "--\($0.name)" + ($0.argument.map { " \($0)" } ?? "") }
    let width = labels.map(\.count).max() ?? 0
    for (label, option) in zip(labels, options) {
      let gap = String(repeating: " ", count: width - label.count)
      help += "  \(label)\(gap)  \(option.summary)\n"
    }
    return help
  }
}

/// What stood on the command line.
public struct ParsedArguments {
  /// The arguments that are no options.
  public fileprivate(set) var operands: [String] = []
  fileprivate var values: [(name: String, value: String?)] = []

  /// Tells whether an option was given.
  public func has(_ name: String) -> Bool { values.contains { $0.name == name } }

  /// The arguments of an option that may be given several times, in their order.
  public func all(_ name: String) -> [String] {
    values.filter { $0.name == name }.compactMap(\.value)
  }

  /// The argument of an option, the last if it was given several times.
  public func value(_ name: String) -> String? { values.last { $0.name == name }?.value }
}
