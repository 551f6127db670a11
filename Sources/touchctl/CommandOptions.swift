import CLinuxShims
import Glibc

/// One option of a subcommand.
struct CommandOption {
  /// The long name, without the dashes.
  let name: String
  /// What follows it, in capitals as the help shows it; nil if nothing does.
  var argument: String?
  /// What it is good for.
  let summary: String
}

/// The options and operands a subcommand understands, and its help.
struct CommandUsage {
  /// The subcommand's name.
  let name: String
  /// What follows the name, as the help shows it.
  let operands: String
  /// What it does, in whole sentences.
  let text: String
  /// Its options, without `--help`, which all have.
  let options: [CommandOption]

  private static let help = CommandOption(name: "help", summary: "show this text")

  /// Reads arguments; complains on standard error where they are wrong, shows the help if asked.
  ///
  /// - Returns: the arguments, or the code to exit with.
  func parse(_ arguments: [String]) -> Result<ParsedArguments, ParsingStopped> {
    let all = options + [Self.help]
    guard let parsed = OptionScan(title: "touchctl \(name)", options: all).parse(arguments) else {
      Console.line("Try `touchctl \(name) --help`.")
      return .failure(ParsingStopped(code: .usage))
    }
    if parsed.has("help") { return .failure(ParsingStopped(code: showHelp(all))) }
    return .success(parsed)
  }

  private func showHelp(_ options: [CommandOption]) -> ExitCode {
    let output = OutputBuffer()
    output.write("Usage: touchctl \(name) \(operands)\n\n\(text)\n\n")
    let labels = options.map { "--\($0.name)" + ($0.argument.map { " \($0)" } ?? "") }
    let width = labels.map(\.count).max() ?? 0
    for (label, option) in zip(labels, options) {
      let gap = String(repeating: " ", count: width - label.count)
      output.write("  \(label)\(gap)  \(option.summary)\n")
    }
    return output.finish()
  }
}

/// Parsing ended the subcommand, by a mistake or by `--help`.
struct ParsingStopped: Error {
  /// The code to exit with.
  let code: ExitCode
}

/// What stood on the command line.
struct ParsedArguments {
  /// The arguments that are no options.
  var operands: [String] = []
  fileprivate var values: [(name: String, value: String?)] = []

  /// Tells whether an option was given.
  func has(_ name: String) -> Bool { values.contains { $0.name == name } }

  /// The argument of an option, the last if it was given several times.
  func value(_ name: String) -> String? { values.last { $0.name == name }?.value }
}

/// One run of getopt_long, which sorts operands behind options and words the complaints.
private struct OptionScan {
  let title: String
  let options: [CommandOption]

  func parse(_ arguments: [String]) -> ParsedArguments? {
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
    return pointers.withUnsafeMutableBufferPointer { scan($0, count: strings.count, table: table) }
  }

  private func scan(
    _ arguments: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>, count: Int,
    table: [CLinuxShims.option]
  ) -> ParsedArguments? {
    guard let first = arguments.baseAddress else { return nil }
    var parsed = ParsedArguments()
    while true {
      let found = getopt_long(
        Int32(truncatingIfNeeded: count), first, "", table, nil)
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
}
