import TouchModel

/// What all sources together say of one panel.
public struct PanelResolution: Sendable, Equatable {
  /// Its settings, each with its origin.
  public var settings: PanelSettings
  /// The sections that are for it, in the order in which they apply.
  public var sections: [SectionName]
  /// Why it cannot be used: a section for it, or a property of udev's, is wrong. nil if all is well.
  public var fault: String?
}

extension Settings {
  /// Works out what holds for a panel: known devices first, then udev, then the files; the later
  /// wins, key by key.
  public func resolve(_ panel: PanelIdentity) -> PanelResolution {
    var result = PanelResolution(settings: PanelSettings(), sections: [])
    apply(panels.prefix(quirkCount), to: panel, &result)
    Self.applyProperties(of: panel, &result)
    apply(panels.dropFirst(quirkCount), to: panel, &result)
    // Keys that are sound each for themselves may come from several places.
    if result.fault == nil, let fault = result.settings.calibrationTransform.fault {
      result.fault = "the keys of its transform do not fit together: \(fault)"
    }
    return result
  }

  /// The sections of the files that are for none of these panels.
  public func unusedSections(among panels: [PanelIdentity]) -> [PanelSection] {
    self.panels.dropFirst(quirkCount).filter { section in
      !panels.contains { section.match.matches($0) }
    }
  }

  private func apply(
    _ sections: ArraySlice<PanelSection>, to panel: PanelIdentity, _ result: inout PanelResolution
  ) {
    for section in sections where section.match.matches(panel) {
      result.sections.append(section.name)
      if let fault = section.fault, result.fault == nil {
        result.fault = "its section \(section.name) is wrong: \(fault)"
      }
      result.settings.merge(section.settings)
    }
  }

  private static func applyProperties(of panel: PanelIdentity, _ result: inout PanelResolution) {
    let name = "LIBINPUT_CALIBRATION_MATRIX"
    guard let text = panel.properties[name], !text.isEmpty else { return }
    do throws(ValueFault) {
      let calibration = try ValueReader.transform(text)
      result.settings.calibration = Sourced(calibration, text: text, origin: .property(name))
    } catch {
      switch error {
      case .form: result.fault = "udev's \(name) takes six numbers, not '\(text)'"
      case .because(let reason): result.fault = "udev's \(name) \(reason)"
      }
    }
  }
}

/// A display as it hangs on the wall, and how its picture is turned.
public struct PlacedDisplay: Sendable, Equatable {
  /// The display as apps see it: width and height after the turn.
  public var display: Display { turned(by: rotation) }
  /// The display as it is without a turn.
  public var native: Display
  /// How far the picture is turned clockwise on the glass.
  public var rotation: Rotation
  /// The connector that shows it.
  public var output: String
  /// Where its values come from, for tools.
  public var settings: DisplaySettings

  /// Creates a display.
  public init(
    native: Display, rotation: Rotation = .none, output: String,
    settings: DisplaySettings = DisplaySettings()
  ) {
    self.native = native
    self.rotation = rotation
    self.output = output
    self.settings = settings
  }

  private func turned(by rotation: Rotation) -> Display {
    guard rotation.swapsAxes else { return native }
    var turned = native
    (turned.width, turned.height) = (native.height, native.width)
    return turned
  }
}

/// Which display a panel belongs to.
public enum DisplayBinding: Sendable, Equatable {
  /// The place of the display in the list, and who says so.
  case bound(Int, because: SettingOrigin)
  /// It is not sure; the sentence says how to make it so.
  case refused(String)
}

extension PanelResolution {
  /// Finds the panel's display: the one that the configuration names, else udev's `WL_OUTPUT`,
  /// else the only one there is. Never guessed among several.
  public func binding(of panel: PanelIdentity, to displays: [PlacedDisplay]) -> DisplayBinding {
    func place(_ word: String) -> Int? {
      displays.firstIndex { $0.native.name == word }
        ?? displays.firstIndex { $0.output == word }
    }
    let names = displays.map(\.native.name).joined(separator: ", ")
    if let display = settings.display {
      if let place = place(display.value) { return .bound(place, because: display.origin) }
      return .refused(
        "Display=\(display.value) at \(display.origin) names none of the displays \(names)")
    }
    let output = panel.properties["WL_OUTPUT"] ?? ""
    if !output.isEmpty, let place = place(output) {
      return .bound(place, because: .property("WL_OUTPUT"))
    }
    if displays.count == 1 { return .bound(0, because: .byDefault) }
    guard let first = displays.first else {
      return .refused("there is no display; mend the [Display NAME] sections")
    }
    let key =
      panel.path.isEmpty ? "MatchName=\(panel.description.name)" : "MatchPath=\(panel.path)"
    return .refused(
      "it is not said which of the displays \(names) it lies on. Write into "
        + "/etc/touchbridge/touchbridge.conf: [Panel \(first.native.name)] \(key) "
        + "Display=\(first.native.name), each on a line, and reload")
  }

  /// The transform from the display's glass, as the panel covers it, to the turned picture.
  public func displayTransform(on display: PlacedDisplay) -> PanelTransform {
    let whole = Rect(x: 0, y: 0, width: 1, height: 1)
    return PanelTransform.into(settings.rectangle?.value ?? whole)
      .then(.picture(display.rotation))
  }
}
