import BridgeDaemon
import EvdevSource
import LinuxIO
import TouchFrames
import TouchModel
import TouchSettings
import TouchWire

/// `touchctl devices`: which input nodes there are, which are panels, and why the others are not.
enum Devices: Subcommand {
  static let name = "devices"
  static let summary = "list the input nodes and say why one is not used"

  private static let usage = CommandUsage(
    title: "touchctl devices", operands: "[OPTION...]",
    text: """
      Lists each input node with what udev and the device say of it, whether the daemon would use
      it as a panel, on which display and through which matrices, and if not, why. It asks the
      nodes itself; no daemon is needed.
      """,
    options: [
      CommandOption(name: "json", summary: "print a JSON object a node instead of text"),
      CommandOption(
        name: "config", argument: "PATH",
        summary: "a configuration file, or a folder in the place of /etc/touchbridge"),
    ])

  static func run(_ arguments: [String]) -> ExitCode {
    guard let parsed = usage.parse(arguments) else { return .usage }
    if parsed.has("help") { return Console.show(usage.help) }
    guard parsed.operands.isEmpty else {
      Console.fail("devices takes options only. Try `touchctl devices --help`.")
      return .usage
    }
    do throws(SystemError) {
      let output = OutputBuffer()
      let place = parsed.value("config").map { ConfigurationPlace.path($0) } ?? .system
      let configuration = Configuration(place)
      for fault in configuration.faults { Console.warn("\(fault)") }
      let inspections = try InputNodeWatcher().nodes().map { Inspection($0, configuration) }
      let nodes = Inspection.withoutCopies(inspections)
      for node in nodes { output.write(parsed.has("json") ? node.json : node.text) }
      if nodes.isEmpty {
        Console.line("touchctl: there are no input nodes. Plug a panel in, or look at /dev/input.")
      }
      return output.finish()
    } catch {
      Console.fail("\(error). Is udev running?")
      return .failed
    }
  }
}

/// A node and what came of asking it.
struct Inspection {
  let node: InputNode
  let description: DeviceDescription?
  private(set) var verdict: PanelVerdict
  /// How the daemon would use it; nil if it is no panel.
  private var plan: PanelPlan?

  /// Turns down what a program made of a panel that is read itself.
  static func withoutCopies(_ nodes: [Inspection]) -> [Inspection] {
    let originals = nodes.filter { $0.verdict == .used }.compactMap(\.likeness)
    return nodes.map { inspection in
      var inspection = inspection
      if inspection.verdict == .used, let copy = inspection.likeness,
        let original = originals.first(where: { copy.isCopy(of: $0) })
      {
        inspection.verdict = .twin(of: original.node.node)
        inspection.plan = nil
      }
      return inspection
    }
  }

  private var likeness: PanelLikeness? {
    description.map { PanelLikeness(node: node, description: $0) }
  }

  init(_ node: InputNode, _ configuration: Configuration) {
    self.node = node
    do throws(DeviceError) {
      let description = try EvdevDevice(node: node.node).description
      self.description = description
      let isMarked = node.isMarked("ID_INPUT_TOUCHSCREEN")
      verdict =
        node.verdict(inSeat: configuration.seat)
        ?? description.verdictOfTheDaemon(isMarked: isMarked)
      plan =
        verdict == .used ? configuration.plan(for: PanelIdentity(node, description)) : nil
    } catch {
      plan = nil
      description = nil
      verdict = node.verdict(inSeat: configuration.seat) ?? .notOpened("\(error)")
    }
  }

  private var setup: PanelUse? {
    if case .used(let setup) = plan { setup } else { nil }
  }

  /// Why it is not used, or that it is.
  private var reason: String {
    switch plan {
    case .ignored(let reason), .refused(let reason): reason
    case .used, nil: verdict.reason
    }
  }

  var json: String {
    var line = "{\"node\":\(JSONText.quoted(node.node)),\"name\":"
    line += description.map { JSONText.quoted($0.name) } ?? "null"
    line += ",\"ids\":" + (description.map { "\"\($0.ids)\"" } ?? "null")
    line += ",\"path\":\(JSONText.quoted(node.physicalPath))"
    line += ",\"phys\":\(JSONText.quoted(description?.physicalLocation ?? ""))"
    line += ",\"serial\":\(JSONText.quoted(node.serial))"
    line += ",\"seat\":\(JSONText.quoted(node.seat))"
    line += ",\"protocol\":" + (description?.touchProtocol.map { "\"\($0.name)\"" } ?? "null")
    line += ",\"slots\":" + (description?.slotCount.map { "\($0)" } ?? "null")
    line +=
      ",\"size_mm\":" + (description?.millimetres.map { "[\($0.width),\($0.height)]" } ?? "null")
    line += ",\"display\":" + (setup.map { JSONText.quoted($0.display.name) } ?? "null")
    line +=
      ",\"display_origin\":" + (setup.map { JSONText.quoted("\($0.displayOrigin)") } ?? "null")
    line += ",\"panel_matrix\":" + Self.numbers(setup?.calibration)
    line += ",\"display_matrix\":" + Self.numbers(setup?.displayTransform)
    line += ",\"matrix\":" + Self.numbers(setup?.transform)
    line += ",\"used\":\(setup != nil)"
    line += ",\"reason\":" + (setup == nil ? JSONText.quoted(reason) : "null")
    return line + "}\n"
  }

  private static func numbers(_ transform: PanelTransform?) -> String {
    guard let transform else { return "null" }
    return "[" + "\(transform)".split(separator: " ").joined(separator: ",") + "]"
  }

  var text: String {
    var line = node.node
    if let description {
      line += "  \(Console.printable(description.name))  \(description.ids)"
      if let name = description.touchProtocol?.name { line += "  \(name)" }
      if let slots = description.slotCount { line += "  \(slots) slots" }
      if let size = description.millimetres { line += "  \(size.width)x\(size.height) mm" }
    }
    if !node.physicalPath.isEmpty { line += "  at \(node.physicalPath)" }
    if let phys = description?.physicalLocation, !phys.isEmpty {
      line += "  phys \(Console.printable(phys))"
    }
    if !node.serial.isEmpty { line += "  serial \(Console.printable(node.serial))" }
    line += "\n    \(Console.printable(reason))"
    if let setup {
      line += " on display \(Console.printable(setup.display.name)) (\(setup.displayOrigin))"
      if setup.transform != .identity {
        line += "\n    matrix of the panel \(setup.calibration), of the display "
        line += "\(setup.displayTransform), together \(setup.transform)"
      }
    }
    return line + "\n"
  }
}

extension DeviceDescription {
  /// Bus, vendor and product as tools print them.
  fileprivate var ids: String {
    [bus, vendor, product].map { number in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 4 - digits.count) + digits
    }.joined(separator: ":")
  }

  /// What the daemon would say, which also refuses a driver that is at fault.
  fileprivate func verdictOfTheDaemon(isMarked: Bool) -> PanelVerdict {
    let verdict = verdict(isMarked: isMarked)
    guard verdict == .used else { return verdict }
    var options = FrameOptions()
    options.refusesFaultyDevices = true
    do throws(FrameError) {
      _ = try FrameAssembler(
        description: self, device: 0, display: 0, ids: ContactIDSequence(), source: .device,
        isInjected: false, options: options)
      return .used
    } catch {
      return .unsupported("\(error)")
    }
  }

  fileprivate var slotCount: Int? {
    guard case .slots(let count) = touchProtocol else { return nil }
    return count
  }
}
