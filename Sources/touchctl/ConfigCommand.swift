import BridgeDaemon
import EvdevSource
import LinuxIO
import TouchModel
import TouchSettings
import TouchWire

/// `touchctl config`: what is configured, and whether it is right.
enum ConfigCommand: Subcommand {
  static let name = "config"
  static let summary = "check the configuration, or show what holds and where it comes from"

  private static let usage = CommandUsage(
    title: "touchctl config", operands: "check|show [PATH] [--json]",
    text: """
      check names everything that is wrong, with file and line, and ends with 1 if anything is.
      show prints each value that holds for the daemon, its displays and the panels that are there,
      and where it comes from. PATH is a file, or a folder in the place of /etc/touchbridge; without
      one the configuration of this machine is read. No daemon is needed.
      """,
    options: [
      CommandOption(name: "json", summary: "show: print a JSON object a value instead of text")
    ])

  static func run(_ arguments: [String]) -> ExitCode {
    guard let parsed = usage.parse(arguments) else { return .usage }
    if parsed.has("help") { return Console.show(usage.help) }
    guard let word = parsed.operands.first, parsed.operands.count <= 2 else { return misused() }
    let place = parsed.operands.count == 2 ? ConfigurationPlace.path(parsed.operands[1]) : .system
    switch word {
    case "check" where !parsed.has("json"): return check(place)
    case "show": return show(place, isJSON: parsed.has("json"))
    default: return misused()
    }
  }

  private static func misused() -> ExitCode {
    Console.fail("config takes check or show, and perhaps a path. Try `touchctl config --help`.")
    return .usage
  }

  private static func check(_ place: ConfigurationPlace) -> ExitCode {
    let configuration = Configuration(place)
    for fault in configuration.faults { Console.line("\(fault)") }
    for remark in configuration.remarks { Console.warn(remark) }
    guard configuration.faults.isEmpty else {
      let count = configuration.faults.count
      Console.fail(count == 1 ? "1 thing is wrong." : "\(count) things are wrong.")
      return .failed
    }
    let files = configuration.files
    return Console.show(
      files.isEmpty
        ? "no configuration files; everything is as without them\n"
        : "nothing is wrong in \(files.joined(separator: ", "))\n")
  }

  private static func show(_ place: ConfigurationPlace, isJSON: Bool) -> ExitCode {
    let configuration = Configuration(place)
    let output = OutputBuffer()
    for fault in configuration.faults { Console.line("\(fault)") }
    let lines = ShownConfiguration(configuration, panels: PanelNodes.all(seat: configuration.seat))
    output.write(isJSON ? lines.json : lines.text)
    let written = output.finish()
    return configuration.faults.isEmpty ? written : .failed
  }
}

/// The panels of this machine, as the configuration sees them.
enum PanelNodes {
  /// All nodes that udev and their own axes take for panels; none where udev does not run.
  static func all(seat: String) -> [(node: String, identity: PanelIdentity)] {
    // Without udev there is still a configuration to be shown.
    guard let watcher = try? InputNodeWatcher() else { return [] }
    return watcher.nodes().compactMap { node in
      // A node that cannot be opened is told of by `touchctl devices`.
      guard node.verdict(inSeat: seat) == nil,
        let device = try? EvdevDevice(node: node.node),
        device.description.verdict(isMarked: node.isMarked("ID_INPUT_TOUCHSCREEN")) == .used
      else { return nil }
      return (node.node, PanelIdentity(node, device.description))
    }
  }
}

/// What `touchctl config show` prints.
private struct ShownConfiguration {
  private struct Line {
    var section: String
    var name: String
    var setting: ShownSetting
  }

  private var lines: [Line] = []
  private var unused: [PanelSection]

  init(_ configuration: Configuration, panels: [(node: String, identity: PanelIdentity)]) {
    unused = configuration.settings.unusedSections(among: panels.map(\.identity))
    lines = configuration.settings.daemon.shown().map {
      Line(section: "Daemon", name: "", setting: $0)
    }
    for display in configuration.displays {
      lines += display.settings.shown().map {
        Line(section: "Display", name: display.native.name, setting: $0)
      }
      let size = "\(display.display.width)x\(display.display.height)"
      add("Display", display.native.name, "effective size", size, .byDefault)
    }
    for (node, identity) in panels { add(node, configuration.plan(for: identity)) }
  }

  private mutating func add(_ node: String, _ plan: PanelPlan) {
    switch plan {
    case .ignored(let reason), .refused(let reason):
      add("Panel", node, "not used", reason, .byDefault)
    case .used(let setup):
      for setting in setup.settings.shown() where setting.name != "Display" {
        lines.append(Line(section: "Panel", name: node, setting: setting))
      }
      add("Panel", node, "Display", setup.display.name, setup.displayOrigin)
      add("Panel", node, "panel matrix", "\(setup.calibration)", .byDefault)
      add("Panel", node, "display matrix", "\(setup.displayTransform)", .byDefault)
      add("Panel", node, "product", "\(setup.transform)", .byDefault)
    }
  }

  private mutating func add(
    _ section: String, _ name: String, _ key: String, _ value: String, _ origin: SettingOrigin
  ) {
    let setting = ShownSetting(name: key, value: value, origin: origin)
    lines.append(Line(section: section, name: name, setting: setting))
  }

  var text: String {
    var text = ""
    var header = ""
    for line in lines {
      let next = line.name.isEmpty ? "[\(line.section)]" : "[\(line.section) \(line.name)]"
      if next != header { text += (header.isEmpty ? "" : "\n") + Console.printable(next) + "\n" }
      header = next
      text +=
        Console.printable(
          "\(line.setting.name)=\(line.setting.value)  # \(line.setting.origin)") + "\n"
    }
    for section in unused where section.fault == nil {
      text += "\n"
      text += Console.printable("# no panel matches \(section.name), \(section.origin)") + "\n"
    }
    return text
  }

  var json: String {
    let values = lines.map { line in
      "{\"section\":\(JSONText.quoted(line.section)),\"name\":\(JSONText.quoted(line.name)),"
        + "\"key\":\(JSONText.quoted(line.setting.name)),"
        + "\"value\":\(JSONText.quoted(line.setting.value)),"
        + "\"origin\":\(JSONText.quoted("\(line.setting.origin)"))}\n"
    }
    let rest = unused.filter { $0.fault == nil }.map { section in
      "{\"section\":\(JSONText.quoted(section.name.kind)),"
        + "\"name\":\(JSONText.quoted(section.name.name)),\"key\":\"unused\",\"value\":\"\","
        + "\"origin\":\(JSONText.quoted("\(section.origin)"))}\n"
    }
    return (values + rest).joined()
  }
}
