import LinuxIO
import TouchCalibration
import TouchModel
import TouchRecording
import TouchSettings

/// `touchctl measure`: what a panel really sends, and how exactly.
enum Measure: Subcommand {
  static let name = "measure"
  static let summary = "measure a panel's ranges, rate and accuracy"

  private static let usage = CommandUsage(
    title: "touchctl measure", operands: "PANEL|--file RECORDING [OPTION...]",
    text: """
      Shows the ranges that a panel sends against those it declares, and prints the lines for its
      section while somebody slides along all four edges, until Ctrl-C. With --accuracy it shows how
      far lines drawn along a ruler are from straight, how much resting fingers tremble, and how
      often the panel reports. Apps get nothing of the panel meanwhile. PANEL is its number, node or
      name as `touchctl status` shows them.
      """,
    options: [
      CommandOption(name: "accuracy", summary: "measure straightness and jitter instead of ranges"),
      CommandOption(
        name: "seconds", argument: "N",
        summary: "end after N seconds; with --file, of the recording's time"),
      CommandOption(name: "frames", argument: "N", summary: "end after N frames"),
      CommandOption(
        name: "size", argument: "WxHmm", summary: "the panel's size along its own axes, 154x86mm"),
      CommandOption(name: "json", summary: "print a JSON object instead of text"),
      CommandOption(
        name: "file", argument: "RECORDING", summary: "measure a recording instead of a panel"),
      CommandOption(
        name: "device", argument: "N",
        summary: "--file: the device of the recording, from 0; where it has several panels"),
      CommandOption(
        name: "socket", argument: "PATH",
        summary: "the daemon's admin socket (\(Monitor.standardSocket))"),
    ])

  static func run(_ arguments: [String]) -> ExitCode {
    guard let parsed = usage.parse(arguments) else { return .usage }
    if parsed.has("help") { return Console.show(usage.help) }
    guard parsed.operands.count == (parsed.has("file") ? 0 : 1) else {
      Console.fail(
        "measure takes one panel, as `touchctl status` lists them, or --file. Try `touchctl measure "
          + "--help`.")
      return .usage
    }
    do throws(ToolFailure) {
      let size = try parsed.value("size").map { (text) throws(ToolFailure) in try self.size(text) }
      let limits = MeasureLimits(
        seconds: try number(parsed, "seconds"), frames: try number(parsed, "frames"))
      if let file = parsed.value("file") {
        return try measure(file, parsed, size, limits)
      }
      return try measure(parsed.operands[0], live: parsed, size, limits)
    } catch {
      Console.fail(error.sentence)
      return error.code
    }
  }

  private static func number(
    _ parsed: ParsedArguments, _ option: String
  ) throws(ToolFailure) -> Int? {
    guard let text = parsed.value(option) else { return nil }
    guard let number = Int(text), (1...1_000_000_000).contains(number) else {
      throw ToolFailure(
        sentence: "--\(option) takes a number above 0, not '\(text)'.", code: .usage)
    }
    return number
  }

  private static func size(_ text: String) throws(ToolFailure) -> SurfaceSize {
    let parts = text.hasSuffix("mm") ? text.dropLast(2).split(separator: "x") : []
    guard parts.count == 2, let width = Double(parts[0]), let height = Double(parts[1]),
      let size = SurfaceSize(width: width, height: height)
    else {
      throw ToolFailure(
        sentence: "--size takes a size such as 154x86mm, not '\(text)'.", code: .usage)
    }
    return size
  }

  // MARK: A panel

  private static func measure(
    _ word: String, live parsed: ParsedArguments, _ size: SurfaceSize?, _ limits: MeasureLimits
  ) throws(ToolFailure) -> ExitCode {
    let connection = try AdminConnection(
      path: parsed.value("socket") ?? Monitor.standardSocket, name: "touchctl measure",
      catchesSignals: true)
    let panel = try connection.panel(word)
    let frames = try CapturedFrames(panel, connection)
    var surface = parsed.has("accuracy") ? frames.surface : frames.declared
    surface.size = size ?? surface.size
    var description = DeviceDescription(name: panel.name)
    description.physicalLocation = panel.physicalLocation
    var measurement = PanelMeasurement(
      surface, PanelIdentity(path: panel.path, description: description),
      isAccuracy: parsed.has("accuracy"))
    Console.line(
      parsed.has("accuracy")
        ? "touchctl: draw lines along a ruler from edge to edge, and let a finger rest for a second "
          + "here and there. Ctrl-C ends it."
        : "touchctl: slide slowly along all four edges and into the corners. Ctrl-C ends it.")
    var failure: ToolFailure?
    do throws(ToolFailure) {
      try limits.run(&measurement, frames, showsProgress: !parsed.has("json"))
    } catch {
      // What was measured before the panel went is worth something.
      guard measurement.frames > 0 else { throw error }
      failure = error
    }
    let shown = Console.show(parsed.has("json") ? measurement.json : measurement.text)
    guard let failure else { return shown }
    Console.fail(failure.sentence)
    return failure.code
  }

  // MARK: A recording

  private static func measure(
    _ file: String, _ parsed: ParsedArguments, _ size: SurfaceSize?, _ limits: MeasureLimits
  ) throws(ToolFailure) -> ExitCode {
    guard let recording = RecordingFile.read(file) else { return .failed }
    let device = try device(of: recording, file, try index(parsed))
    guard let decoding = Decoding(Recording(devices: [device]), path: file) else { return .failed }
    let axes = device.description.axes
    let (x, y) = (
      axes[EvdevCode.absMTPositionX] ?? axes[EvdevCode.absX],
      axes[EvdevCode.absMTPositionY] ?? axes[EvdevCode.absY]
    )
    let none = AxisRange(minimum: 0, maximum: 0)
    var surface = PanelSurface(x: x ?? none, y: y ?? none)
    surface.size = size ?? surface.statedSize
    let feed = MeasuredFrames(
      PanelMeasurement(
        surface, PanelIdentity(description: device.description),
        isAccuracy: parsed.has("accuracy")), limits)
    decoding.run(feed)
    return Console.show(parsed.has("json") ? feed.measurement.json : feed.measurement.text)
  }

  private static func index(_ parsed: ParsedArguments) throws(ToolFailure) -> Int? {
    guard let text = parsed.value("device") else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw ToolFailure(sentence: "--device takes a number from 0, not '\(text)'.", code: .usage)
    }
    return number
  }

  private static func device(
    of recording: Recording, _ file: String, _ index: Int?
  ) throws(ToolFailure) -> RecordedDevice {
    if let index {
      guard recording.devices.indices.contains(index) else {
        throw ToolFailure(
          sentence: "\(file) has no device \(index), but \(recording.devices.count) from 0.")
      }
      return recording.devices[index]
    }
    let panels = recording.devices.indices.filter {
      recording.devices[$0].description.touchProtocol != nil
    }
    guard panels.count <= 1 else {
      let list = panels.map { "\($0) (\(recording.devices[$0].description.name))" }
      throw ToolFailure(
        sentence:
          "\(file) has several panels; take one with --device: \(list.joined(separator: ", ")).")
    }
    // One that gives no frames says so itself.
    return recording.devices[panels.first ?? 0]
  }
}

extension PanelSurface {
  /// The size that the axes' own resolutions give.
  fileprivate var statedSize: SurfaceSize? {
    func length(_ range: AxisRange) -> Double {
      guard range.resolution > 0 else { return 0 }
      return (Double(range.maximum) - Double(range.minimum)) / Double(range.resolution)
    }
    return SurfaceSize(width: length(x), height: length(y))
  }
}

/// When a measurement ends.
struct MeasureLimits {
  var seconds: Int?
  var frames: Int?

  /// Feeds frames of a panel until a limit, or the person at the terminal, ends it.
  func run(
    _ measurement: inout PanelMeasurement, _ frames: CapturedFrames, showsProgress: Bool
  ) throws(ToolFailure) {
    let second: UInt64 = 1_000_000_000
    let start = MonotonicClock.now()
    let end = seconds.map { start &+ UInt64($0) &* second }
    var nextProgress = start &+ second
    while self.frames.map({ measurement.frames < $0 }) ?? true,
      let frame = try frames.next(by: end)
    {
      measurement.take(frame, lost: frames.lost)
      let now = MonotonicClock.now()
      if showsProgress, now >= nextProgress {
        Console.line(measurement.progress)
        nextProgress = now &+ second
      }
      if let end, now >= end { return }
    }
  }
}

/// The frames of a recording, on their way into a measurement.
private final class MeasuredFrames: FramePrinter {
  var measurement: PanelMeasurement
  private let limits: MeasureLimits
  private var start: UInt64?

  init(_ measurement: PanelMeasurement, _ limits: MeasureLimits) {
    self.measurement = measurement
    self.limits = limits
  }

  func print(_ frame: borrowing FrameBuffer) {
    if let limit = limits.frames, measurement.frames >= limit { return }
    let first = start ?? frame.timeNanoseconds
    start = first
    if let seconds = limits.seconds, frame.timeNanoseconds > first,
      frame.timeNanoseconds - first > UInt64(seconds) * 1_000_000_000
    {
      return
    }
    measurement.take(frame.frame())
  }
}
