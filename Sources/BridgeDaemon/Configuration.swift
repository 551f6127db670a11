import EvdevSource
import TouchFrames
import TouchModel
import TouchSettings

/// All that is configured, with the displays that come of it; the daemon and the tools share it.
public struct Configuration: Sendable {
  /// What the files say.
  public private(set) var settings: Settings
  /// The displays there are; none only where each of their sections is wrong.
  public internal(set) var displays: [PlacedDisplay]
  /// The files that were read, those of least priority first.
  public private(set) var files: [String]
  /// What is odd and goes on all the same, a sentence each.
  public private(set) var remarks: [String] = []
  /// All that is wrong: files that could not be read, then what stands in them.
  public var faults: [SettingsFault] { fileFaults + settings.faults }

  private var fileFaults: [SettingsFault]
  private var hasFiles: Bool

  /// Reads the files of a place and looks for displays.
  ///
  /// - Parameters:
  ///   - display: the one that takes the place of all others; nil for those of the files and outputs.
  ///   - sysfs: where the kernel shows its outputs.
  ///   - change: a file of `conf.d` as it would be.
  public init(
    _ place: ConfigurationPlace, display: Display? = nil, sysfs: String = DisplayProbe.outputs,
    change: DropInChange? = nil
  ) {
    let read = SettingsFiles(place, change: change)
    fileFaults = read.faults
    hasFiles = !read.files.isEmpty
    files = (read.quirks + read.files).map(\.file)
    settings = Settings(quirks: read.quirks, files: read.files)
    displays = []
    if let display {
      displays = [PlacedDisplay(native: display, output: "")]
    } else {
      placeDisplays(DisplayProbe.connected(sysfs: sysfs))
    }
  }

  /// Whether nothing can work with it: it cannot be read, or there is no display.
  public var isUseless: Bool { displays.isEmpty || !fileFaults.isEmpty && !hasFiles }

  /// The seat whose panels are used.
  public var seat: String { settings.daemon.seat?.value ?? "seat0" }

  // MARK: Displays

  /// Places the displays anew, on the outputs that are connected now.
  ///
  /// Without any the displays stay: a screen that is switched off is most often the same one when it
  /// comes back.
  /// - Returns: false if that is so.
  mutating func lookAtOutputs(_ outputs: [Output]) -> Bool {
    guard !outputs.isEmpty else { return false }
    displays = []
    remarks = []
    placeDisplays(outputs)
    return true
  }

  private mutating func placeDisplays(_ outputs: [Output]) {
    if !settings.displays.isEmpty {
      for (number, section) in settings.displays.enumerated() where section.fault == nil {
        place(section, number: UInt32(truncatingIfNeeded: number), outputs)
      }
    } else if settings.daemon.displays?.value == .connected, !outputs.isEmpty {
      for (number, output) in outputs.prefix(Settings.maximumDisplays).enumerated() {
        let native = Display(
          id: UInt32(truncatingIfNeeded: number), name: output.name, width: output.width,
          height: output.height)
        displays.append(PlacedDisplay(native: native, output: output.name))
      }
    } else {
      var native = Display.fallback
      if let output = outputs.first {
        (native.width, native.height) = (output.width, output.height)
      }
      displays = [PlacedDisplay(native: native, output: outputs.first?.name ?? "")]
      if outputs.count > 1 {
        remarks.append(
          "several outputs are connected, \(outputs.map(\.name).joined(separator: ", ")); using "
            + "\(outputs[0].name). [Display NAME] sections or Displays=connected make use of all")
      }
    }
  }

  private mutating func place(_ section: DisplaySection, number: UInt32, _ outputs: [Output]) {
    let scale = section.settings.scale?.value ?? 1
    var native = Display(
      id: number, name: section.name, width: Display.fallback.width,
      height: Display.fallback.height, scale: scale)
    if let size = section.settings.size?.value {
      (native.width, native.height) = (size.width, size.height)
    } else if let output = outputs.first(where: { $0.name == section.output }) {
      (native.width, native.height) = (output.width / scale, output.height / scale)
    } else {
      remarks.append(
        "output \(section.output) of [Display \(section.name)] is not connected, using 1280x800. "
          + "Size= sets another size")
    }
    displays.append(
      PlacedDisplay(
        native: native, rotation: section.settings.rotation?.value ?? .none,
        output: section.output, settings: section.settings))
  }

  // MARK: Panels

  /// Decides how a panel is used.
  public func plan(for panel: PanelIdentity) -> PanelPlan {
    let resolution = settings.resolve(panel)
    if let fault = resolution.fault { return .refused(fault) }
    if let ignore = resolution.settings.isIgnored, ignore.value {
      return .ignored("left alone: Ignore=yes at \(ignore.origin)")
    }
    switch resolution.binding(of: panel, to: displays) {
    case .refused(let sentence): return .refused(sentence)
    case .bound(let place, let origin):
      let display = displays[place]
      return .used(
        PanelUse(
          display: display.display, displayOrigin: origin, settings: resolution.settings,
          sections: resolution.sections,
          displayTransform: resolution.displayTransform(on: display),
          wakeOutput: display.settings.touchWakesOnly?.value == true ? display.output : nil))
    }
  }
}

/// What becomes of a panel.
public enum PanelPlan: Equatable, Sendable {
  /// It is used so.
  case used(PanelUse)
  /// It is meant not to be used; the words say why.
  case ignored(String)
  /// It cannot be used as things stand; the sentence says why and what to do.
  case refused(String)
}

/// How a panel is used.
public struct PanelUse: Equatable, Sendable {
  /// Its display, as apps see it.
  public var display: Display
  /// Who says that it is this one.
  public var displayOrigin: SettingOrigin
  /// All its settings.
  public var settings: PanelSettings
  /// The sections they come from.
  public var sections: [SectionName]
  /// From the display's glass to its turned picture, with the part that the panel covers.
  public var displayTransform: PanelTransform
  /// The output that a touch wakes and does nothing else, while it is off; nil for none.
  public var wakeOutput: String?

  /// From the panel to what it is mounted on.
  public var calibration: PanelTransform { settings.calibrationTransform }
  /// From the panel to the picture: both, one after the other.
  public var transform: PanelTransform { calibration.then(displayTransform) }
  /// The same for the frames.
  var mapping: DisplayMapping { DisplayMapping(display: display, transform: transform) }

  /// A device as it would describe itself if it knew what is set for it.
  public func described(_ device: DeviceDescription) -> DeviceDescription {
    var device = device
    let own = settings.positionAxes?.value
    for code in [own?.x ?? EvdevCode.absX, EvdevCode.absX, EvdevCode.absMTPositionX] {
      device.correct(code, settings.rangeX?.value, resolution(\.width))
    }
    for code in [own?.y ?? EvdevCode.absY, EvdevCode.absY, EvdevCode.absMTPositionY] {
      device.correct(code, settings.rangeY?.value, resolution(\.height))
    }
    return device
  }

  /// The axes of a described device, with those that carry its position in their usual places.
  func axes(of device: DeviceDescription) -> [UInt16: AxisRange] {
    guard let own = settings.positionAxes?.value else { return device.axes }
    var axes = device.axes
    axes[EvdevCode.absMTPositionX] = device.axes[own.x]
    axes[EvdevCode.absMTPositionY] = device.axes[own.y]
    return axes
  }

  /// The axes that carry a device's position.
  func positionCodes(of device: DeviceDescription) -> AxisPair {
    if let own = settings.positionAxes?.value { return own }
    let hasSlots = device.axes[EvdevCode.absMTPositionX] != nil
    return hasSlots
      ? AxisPair(x: EvdevCode.absMTPositionX, y: EvdevCode.absMTPositionY)
      : AxisPair(x: EvdevCode.absX, y: EvdevCode.absY)
  }

  /// How far a device's axes reach, as it describes itself or the configuration has it; nil where
  /// nobody says.
  public func millimetres(of device: DeviceDescription) -> Extent? {
    if let size = settings.size?.value { return size }
    let axes = described(device).axes
    let codes = positionCodes(of: device)
    guard let x = axes[codes.x], let y = axes[codes.y] else { return nil }
    let units = settings.resolution?.value
    let perX = units?.width ?? Double(x.resolution)
    let perY = units?.height ?? Double(y.resolution)
    let (width, height) = (
      Double(x.maximum) - Double(x.minimum), Double(y.maximum) - Double(y.minimum)
    )
    guard perX > 0, perY > 0, width > 0, height > 0 else { return nil }
    return Extent(width: width / perX, height: height / perY)
  }

  private func resolution(_ side: KeyPath<Extent, Double>) -> (Double) -> Double? {
    { extent in
      if let size = settings.size?.value { return extent / size[keyPath: side] }
      return settings.resolution?.value[keyPath: side]
    }
  }
}

extension DeviceDescription {
  fileprivate mutating func correct(
    _ code: UInt16, _ range: ClosedRange<Int32>?, _ resolution: (Double) -> Double?
  ) {
    guard var axis = axes[code] else { return }
    if let range { (axis.minimum, axis.maximum) = (range.lowerBound, range.upperBound) }
    if let units = resolution(Double(axis.maximum) - Double(axis.minimum)) {
      axis.resolution = Int32(min(max(0, units.rounded()), 1e9))
    }
    axes[code] = axis
  }
}

extension PanelIdentity {
  /// A node as settings know it.
  public init(_ node: InputNode, _ description: DeviceDescription) {
    self.init(
      path: node.physicalPath, description: description, properties: node.properties)
  }
}
