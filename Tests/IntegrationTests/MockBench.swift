import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchRecording
import UInputPanel

/// Input devices that exist for chosen programs only, through umockdev: udev knows them, and they
/// open, describe themselves and are read as the kernel's do.
final class MockBench {
  private let process: ChildProcess
  private let commands: OwnedDescriptor
  private let folder: TemporaryFolder
  private var states: [Int: PanelState] = [:]
  /// What a program needs in its environment to see the devices.
  let environment: [String: String]

  init() throws {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    commands = OwnedDescriptor(owning: ends[0])
    let far = OwnedDescriptor(owning: ends[1])
    folder = try TemporaryFolder()
    let preload = ["LD_PRELOAD": "libumockdev-preload.so.0"]
    process = try ChildProcess(
      ["\(Repository.programs)/MockPanels"],
      environment: preload.merging(["TMPDIR": folder.path]) { $1 }, descriptors: [far.raw])
    let root = try process.output.next() ?? ""
    try #require(root.hasPrefix("/"), "MockPanels says: \(root) \(process.errors.all)")
    environment = preload.merging(["UMOCKDEV_DIR": root]) { $1 }
  }

  /// Plugs a device in, with these properties of udev's.
  func add(_ number: Int, _ description: DeviceDescription, _ properties: String...) throws {
    try add(number, description, properties: properties)
  }

  /// The same with a list.
  func add(
    _ number: Int, _ description: DeviceDescription, properties: [String], isVirtual: Bool = true
  ) throws {
    let device = RecordedDevice(description: description)
    let file = "\(number).evemu"
    try folder.write(EvemuWriter.text(of: Recording(devices: [device])), to: file)
    try tell(
      "\(isVirtual ? "add" : "plug") \(number) \(folder.path)/\(file) "
        + properties.map(Self.word).joined(separator: " "))
    states[number] = PanelState()
  }

  /// Gives a device another property of udev's; nobody is told.
  func set(_ number: Int, _ property: String) throws {
    try tell("set \(number) \(Self.word(property))")
  }

  /// Plugs an output in, with a mode such as `800x480`, or out.
  func plug(output: String, mode: String?) throws { try tell("output \(output) \(mode ?? "-")") }

  /// Unplugs a device.
  func remove(_ number: Int) throws { try tell("remove \(number)") }

  /// Puts these fingers on a panel, by slot and in points, and lifts all others: one frame.
  func touch(_ number: Int, _ fingers: [Int32: (x: Int32, y: Int32)]) throws {
    let raw = fingers.mapValues { RawPoint(x: 4 * $0.x, y: 4 * $0.y) }
    try send(number, states[number, default: PanelState()].frame(raw))
  }

  /// Lets a device send what it likes.
  func send(_ number: Int, _ events: [EvdevEvent]) throws {
    let words = events.map { "\($0.type):\($0.code):\($0.value)" }
    try tell("send \(number) " + words.joined(separator: " "))
  }

  private static func word(_ property: String) -> String {
    String(property.map { $0 == " " ? "\t" : $0 })
  }

  private func tell(_ command: String) throws {
    try #require(writeAll("\(command)\n".utf8, to: commands.raw))
    try #require(process.output.next() == "ok", "\(command)")
  }

  /// Whether umockdev is installed.
  static let isAvailable = dlopen("libumockdev.so.0", RTLD_NOW) != nil
}

extension Trait where Self == ConditionTrait {
  /// Runs a suite only where umockdev is installed.
  static var withMockDevices: Self {
    .enabled(if: MockBench.isAvailable, "SKIPPED: needs umockdev, which script/bootstrap installs")
  }
}
