/// One of the things touchctl can do; each stands in a file of its own.
protocol Subcommand {
  /// The word after `touchctl`.
  static var name: String { get }
  /// What it does, in half a line.
  static var summary: String { get }
  /// Does it.
  ///
  /// - Returns: the exit code: 0 done, 1 the thing asked for failed, 2 usage, 3 no daemon.
  static func run(_ arguments: [String]) -> ExitCode
}

/// What touchctl tells the shell.
enum ExitCode: Int32 {
  case done = 0
  case failed = 1
  case usage = 2
  case noDaemon = 3
}

/// Chooses the subcommand.
enum CommandTable {
  /// All subcommands, in the order of the help.
  static var subcommands: [any Subcommand.Type] {
    [
      Status.self, Monitor.self, Devices.self, ConfigCommand.self, DisplayCommand.self,
      Calibrate.self, Measure.self, Record.self, Replay.self, Decode.self, Recognize.self,
    ]
  }

  static func run(_ arguments: [String]) -> Int32 {
    guard let word = arguments.dropFirst().first else {
      Console.fail("what shall it do? `touchctl --help` lists the subcommands.")
      return ExitCode.usage.rawValue
    }
    if word == "--help" || word == "-h" || word == "help" { return help().rawValue }
    guard let subcommand = subcommands.first(where: { $0.name == word }) else {
      Console.fail("there is no `\(word)`. `touchctl --help` lists the subcommands.")
      return ExitCode.usage.rawValue
    }
    return subcommand.run(Array(arguments.dropFirst(2))).rawValue
  }

  private static func help() -> ExitCode {
    let output = OutputBuffer()
    output.write("Usage: touchctl SUBCOMMAND [OPTION...]\n\nLooks into touch input.\n\n")
    let width = subcommands.map { $0.name.count }.max() ?? 0
    for subcommand in subcommands {
      let gap = String(repeating: " ", count: width - subcommand.name.count)
      output.write("  \(subcommand.name)\(gap)  \(subcommand.summary)\n")
    }
    output.write("\n`touchctl SUBCOMMAND --help` tells more of one.\n")
    output.write("Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the daemon does not run.\n")
    return output.finish()
  }
}
