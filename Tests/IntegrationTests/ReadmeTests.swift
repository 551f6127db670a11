import Glibc
import LinuxIO
import TestSupport
import Testing
import UInputPanel

/// What README.md tells people to type must work as it stands there.
@Suite(.withPrograms) struct `The readme` {
  private let text: String

  init() throws { text = try Repository.text("README.md") }

  /// The lines of code blocks and the code within the text.
  private var code: [Substring] {
    var found: [Substring] = []
    var isFenced = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") {
        isFenced.toggle()
      } else if isFenced || line.hasPrefix("    ") {
        found.append(line)
      } else {
        // Within a line every second part is code.
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        found += parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
      }
    }
    return found
  }

  /// The commands that begin with a program's name, in words without the brackets of options.
  private func commands(of name: String) -> [[String]] {
    code.map { code in
      code.split { " []".contains($0) }.map(String.init)
    }.filter { $0.first == name }
  }

  private func help(_ command: String...) throws -> String {
    let process = try ChildProcess(
      ["\(Repository.programs)/\(command[0])"] + command.dropFirst() + ["--help"])
    #expect(try process.end() == 0)
    return process.output.all.joined(separator: "\n")
  }

  /// Options and operands; not the places and numbers that an example gives them.
  private static func isOfTheUsage(_ word: String) -> Bool {
    word.hasPrefix("-") || word.allSatisfy(\.isLetter)
  }

  @Test func `names each subcommand of touchctl, and only options that there are`() throws {
    let used = commands(of: "touchctl").filter { $0.count > 1 }
    var missing = Set(used.map { $0[1] })
    for line in try help("touchctl").split(separator: "\n") where line.hasPrefix("  ") {
      let name = line.split(separator: " ").first.map(String.init) ?? ""
      #expect(missing.remove(name) != nil, "touchctl \(name) is not in the readme")
    }
    #expect(missing.isEmpty, "touchctl has no such subcommand")
    for command in used {
      let help = try help("touchctl", command[1])
      // What stands behind -- is a command of its own.
      for word in command.dropFirst(2).prefix(while: { $0 != "--" })
      where Self.isOfTheUsage(word) {
        // FILE and WxH stand in the first line, the usage.
        #expect(help.contains(word), "\(command.joined(separator: " "))")
      }
    }
  }

  @Test func `names only options of touchbridged that there are`() throws {
    let used = commands(of: "touchbridged").filter { $0.count > 1 }
    #expect(!used.isEmpty)
    let help = try help("touchbridged")
    for command in used {
      for word in command.dropFirst() where Self.isOfTheUsage(word) {
        #expect(help.contains(word), "\(command.joined(separator: " "))")
      }
    }
  }

  @Test(arguments: [
    ("touchbridged", [""], "touchbridged.8"),
    (
      "touchctl",
      [
        "status", "monitor", "devices", "config", "display", "calibrate", "measure", "record",
        "replay", "decode",
        "recognize",
      ], "touchctl.1"
    ),
  ])
  func `has manual pages beside it that name every option`(
    _ program: String, _ subcommands: [String], _ page: String
  ) throws {
    let manual = try Repository.text("docs/man/\(page)").replacing("\\-", with: "-")
    for subcommand in subcommands {
      let help =
        subcommand.isEmpty ? try help(program) : try help(program, subcommand)
      // A subcommand's options stand under its own heading.
      let parts = manual.split(separator: "\n.SS ").map(String.init)
      let part = subcommand.isEmpty ? manual : parts.first { $0.hasPrefix("\(subcommand)\n") }
      for option in help.matches(of: /\n  (--[a-z-]+)/).map({ String($0.1) })
      where option != "--help" || subcommand.isEmpty {
        #expect(part?.contains(option) == true, "\(program) \(subcommand) \(option)")
      }
    }
  }

  @Test func `names only scripts that can be run, with options that they tell of`() throws {
    let used = code.map { $0.split(separator: " ").map(String.init) }.filter {
      $0.first?.hasPrefix("script/") == true || $0.first == ".ci/run"
    }
    #expect(Set(used.map { $0[0] }) == ["script/run", "script/install", "script/test", ".ci/run"])
    for command in used {
      #expect(access("\(Repository.root)/\(command[0])", X_OK) == 0, "\(command[0])")
      // The comment at its head is its help.
      let head = try Repository.text(command[0]).split(separator: "\n").prefix { $0.hasPrefix("#") }
      for word in command.dropFirst() {
        #expect(head.contains { $0.contains(word) }, "\(command.joined(separator: " "))")
      }
    }
  }

  @Test func `names units that there are`() throws {
    let commands = code.filter { $0.contains("systemctl") }
    #expect(!commands.isEmpty)
    for unit in commands.flatMap({ $0.split(separator: " ") })
    where unit.hasSuffix(".socket") || unit.hasSuffix(".service") {
      #expect(access("\(Repository.root)/systemd/\(unit)", R_OK) == 0, "\(unit)")
    }
  }

  @Test func `has an app that compiles as it stands there, and whose button can be pressed`() throws
  {
    let folder = try TemporaryFolder()
    let source = text.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { $0 != "```swift" }.dropFirst().prefix { $0 != "```" }
    try folder.write(source.joined(separator: "\n"), to: "Demo.swift")
    try compile("\(folder.path)/Demo.swift", to: "\(folder.path)/Demo")
    try folder.write(
      Recordings.fingers([(0, [0: RawPoint(x: 50, y: 42)]), (50, [:])]), to: "tap.evemu")
    // On the button whatever display the kernel shows, up to three times the default's size.
    // The command that the readme gives for this, in a folder of the test's.
    let command = try #require(commands(of: "touchbridged").first { $0.contains("--runtime-dir") })
    let words = command.filter { $0 != "&" }.map { word in
      word == "FILE" ? "\(folder.path)/tap.evemu" : word == "/tmp/touch" ? folder.path : word
    }
    let daemon = try ChildProcess([DaemonProcess.program] + words.dropFirst())
    // Its print is for a terminal; without one it would come at the end only.
    let app = try ChildProcess(
      ["stdbuf", "-oL", "\(folder.path)/Demo"],
      environment: ["TOUCHBRIDGE_SOCKET": "\(folder.path)/app.sock"])
    #expect(try app.output.next() == "pressed")
    #expect(try daemon.end() == 0)
  }

  /// Compiles an app against the modules that the tests were built with, as SwiftPM would.
  private func compile(_ source: String, to program: String) throws {
    let modules = ["TouchKit", "TouchClient", "TouchWire", "TouchModel", "LinuxIO", "CLinuxShims"]
    let objects = try modules.flatMap { module in
      let folder = "\(Repository.programs)/\(module).build"
      let endings = ["swift", "c"]
      let sources = try endings.flatMap {
        try Repository.files(below: "Sources/\(module)", ending: ".\($0)")
      }
      // Of the sources that there are: a build keeps the objects of those that have gone.
      let names = sources.map { "\($0.split(separator: "/").last ?? "").o" }
      return names.map { "\(folder)/\($0)" }
    }
    let compiler = try ChildProcess(
      [
        "swiftc", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors",
        "-I", "\(Repository.programs)/Modules", "-Xcc",
        "-fmodule-map-file=\(Repository.programs)/CLinuxShims.build/module.modulemap", source,
        "-o", program,
      ] + objects + instrumentation)
    let code = try compiler.end(by: Deadline(.seconds(120)))
    try #require(code == 0, "\(compiler.output.all + compiler.errors.all)")
  }

  /// What the modules were built with beyond the usual, which this process was as well.
  private var instrumentation: [String] {
    func has(_ symbol: String) -> Bool { dlsym(nil, symbol) != nil }
    var flags: [String] = []
    if has("__asan_init") { flags.append("-sanitize=address") }
    if has("__tsan_init") { flags.append("-sanitize=thread") }
    if has("__llvm_profile_write_file") { flags.append("-profile-generate") }
    return flags
  }
}
