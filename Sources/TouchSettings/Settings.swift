import TouchModel

/// A section for panels.
public struct PanelSection: Sendable, Equatable {
  /// Its name, and its kind: `Panel` or `Ignore`.
  public var name: SectionName
  /// Where it stands first.
  public var origin: SettingOrigin
  /// Which panels it is for.
  public var match = PanelMatch()
  /// What it says of them.
  public var settings = PanelSettings()
  /// The first thing that is wrong in it: panels it is for are not used; nil if it is sound.
  public internal(set) var fault: SettingsFault?
}

/// A section for a display.
public struct DisplaySection: Sendable, Equatable {
  /// The display's name.
  public var name: String
  /// Where it stands first.
  public var origin: SettingOrigin
  /// What it says.
  public var settings = DisplaySettings()
  /// The first thing that is wrong in it: there is no such display then; nil if it is sound.
  public internal(set) var fault: SettingsFault?
}

/// All that the configuration files say together.
public struct Settings: Sendable, Equatable {
  /// What holds for the daemon as a whole; as without configuration if its section is wrong.
  public private(set) var daemon = DaemonSettings()
  /// The displays, in the order in which they were named.
  public private(set) var displays: [DisplaySection] = []
  /// The sections for panels, in the order in which they apply: known devices, then files.
  public private(set) var panels: [PanelSection] = []
  /// Everything that is wrong, in the order of the files.
  public private(set) var faults: [SettingsFault] = []

  /// More sections than any machine has panels and displays; keeps the daemon's work bounded.
  public static let maximumSections = 256
  /// As many as a welcome on the wire can list.
  public static let maximumDisplays = 64
  /// The longest name of a display, in bytes: what the wire carries.
  public static let longestDisplayName = 31

  // The place of each section and the daemon's fault, while files are read.
  private var daemonFault: SettingsFault?
  private var displayPlaces: [String: Int] = [:]
  private var panelPlaces: [SectionName: Int] = [:]

  /// What holds without any file.
  public init() {}

  /// Joins files, those of least priority first: a later one wins, key by key.
  ///
  /// - Parameters:
  ///   - quirks: the lists of known devices; they give way to all files.
  ///   - files: what the administrator wrote.
  public init(quirks: [SettingsText] = [], files: [SettingsText]) {
    for text in quirks { take(text, isQuirk: true) }
    let known = panels
    panels = []
    panelPlaces = [:]
    for text in files { take(text, isQuirk: false) }
    panels = known + panels
    if daemonFault != nil { daemon = DaemonSettings() }
    checkWholes()
    (displayPlaces, panelPlaces) = ([:], [:])
  }

  /// How many of the panels' sections come from lists of known devices; these are the first ones.
  public var quirkCount: Int {
    panels.count { if case .quirk = $0.origin { true } else { false } }
  }

  /// All keys there are, with what they are for.
  public static var help: [SettingHelp] {
    func help<Section>(_ kind: String, _ keys: [SettingKey<Section>]) -> [SettingHelp] {
      keys.map {
        SettingHelp(
          section: kind, name: $0.name, form: $0.form, byDefault: $0.byDefault,
          summary: $0.summary)
      }
    }
    return help("Daemon", DaemonSettings.keys) + help("Display", DisplaySettings.keys)
      + help("Panel", PanelMatch.keys) + help("Panel", PanelSettings.keys)
  }

  // MARK: Reading

  private mutating func take(_ text: SettingsText, isQuirk: Bool) {
    faults += text.faults
    var spoilt: [SectionName: SettingsFault] = [:]
    for fault in text.faults {
      if let name = fault.section, spoilt[name] == nil { spoilt[name] = fault }
    }
    for section in text.sections {
      // One that has been told as a whole must not be taken for a sound one.
      var source = Source(
        file: text.file, isQuirk: isQuirk, section: section, spoilt: spoilt[section.name])
      switch section.name.kind {
      case "Daemon" where !isQuirk: takeDaemon(&source)
      case "Display" where !isQuirk: takeDisplay(&source)
      case "Panel", "Ignore": takePanel(&source)
      default: tellUnknownSection(source)
      }
    }
  }

  private mutating func tellUnknownSection(_ source: Source) {
    let kind = source.section.name.kind
    let kinds = source.isQuirk ? ["Panel", "Ignore"] : ["Daemon", "Display", "Panel", "Ignore"]
    let hint = Spelling.nearest(to: kind, among: kinds).map { "; did you mean [\($0)]?" }
    faults.append(
      source.fault(
        source.section.line,
        "there is no section [\(kind)]" + (hint ?? "; there are \(kinds.joined(separator: ", "))")))
  }

  private mutating func takeDaemon(_ source: inout Source) {
    var fault = source.spoilt
    if !source.section.name.name.isEmpty {
      fault = tell(source.fault(source.section.line, "[Daemon] takes no name"), after: fault)
    }
    for entry in source.section.entries {
      let told = source.apply(entry, DaemonSettings.keys, to: &daemon)
      fault = tell(told, after: fault)
    }
    daemonFault = daemonFault ?? fault
  }

  private mutating func takeDisplay(_ source: inout Source) {
    let name = source.section.name.name
    guard let place = place(ofDisplay: name, source) else { return }
    var section = displays[place]
    section.fault = section.fault ?? source.spoilt
    for entry in source.section.entries {
      let told = source.apply(entry, DisplaySettings.keys, to: &section.settings)
      section.fault = tell(told, after: section.fault)
    }
    displays[place] = section
  }

  private mutating func place(ofDisplay name: String, _ source: Source) -> Int? {
    if let place = displayPlaces[name] { return place }
    let line = source.section.line
    guard !name.isEmpty, name.utf8.count <= Self.longestDisplayName else {
      faults.append(
        source.fault(
          line, "[Display NAME] takes a name of 1 to \(Self.longestDisplayName) bytes"))
      return nil
    }
    guard displays.count < Self.maximumDisplays else {
      faults.append(source.fault(line, "there are more than \(Self.maximumDisplays) displays"))
      return nil
    }
    displays.append(DisplaySection(name: name, origin: source.origin(line)))
    displayPlaces[name] = displays.count - 1
    return displays.count - 1
  }

  private mutating func takePanel(_ source: inout Source) {
    let name = source.section.name
    let line = source.section.line
    guard !name.name.isEmpty else {
      faults.append(source.fault(line, "[\(name.kind) NAME] takes a name, any that you like"))
      return
    }
    var place = panelPlaces[name]
    if place == nil {
      guard panels.count < Self.maximumSections else {
        faults.append(source.fault(line, "there are more than \(Self.maximumSections) sections"))
        return
      }
      place = panels.count
      panelPlaces[name] = place
      panels.append(PanelSection(name: name, origin: source.origin(line)))
    }
    guard let place else { return }
    var section = panels[place]
    section.fault = section.fault ?? source.spoilt
    for entry in source.section.entries {
      let told =
        PanelMatch.keys.contains { $0.name == entry.key }
        ? source.apply(entry, PanelMatch.keys, to: &section.match)
        : takePanelKey(entry, &source, &section)
      section.fault = tell(told, after: section.fault)
      if told != nil, entry.key.hasPrefix("Match") { section.match.isSpoilt = true }
    }
    if name.kind == "Ignore" {
      section.settings.isIgnored = Sourced(true, text: "yes", origin: source.origin(line))
    }
    panels[place] = section
  }

  private func takePanelKey(
    _ entry: SettingsText.Entry, _ source: inout Source, _ section: inout PanelSection
  ) -> SettingsFault? {
    if section.name.kind == "Ignore" {
      let words = PanelMatch.keys.map(\.name).joined(separator: ", ")
      return source.fault(entry.line, "[Ignore NAME] takes \(words) only, not \(entry.key)")
    }
    if entry.value.isEmpty { section.settings.resets.insert(entry.key) }
    return source.apply(
      entry, PanelSettings.keys, to: &section.settings, also: PanelMatch.keys.map(\.name))
  }

  /// - Returns: the first fault of a section.
  private mutating func tell(_ fault: SettingsFault?, after first: SettingsFault?) -> SettingsFault?
  {
    if let fault { faults.append(fault) }
    return first ?? fault
  }

  // MARK: What only shows in the whole

  private mutating func checkWholes() {
    for place in panels.indices {
      if panels[place].fault == nil, let fault = fault(of: panels[place]) {
        panels[place].fault = fault
        faults.append(fault)
      }
      // One for all panels must not keep them all from working.
      if panels[place].fault != nil, panels[place].match.isEmpty {
        panels[place].match.isSpoilt = true
      }
    }
    for place in displays.indices {
      guard displays[place].fault == nil, let fault = fault(ofDisplay: place) else { continue }
      displays[place].fault = fault
      faults.append(fault)
    }
  }

  private func fault(of section: PanelSection) -> SettingsFault? {
    if section.name.kind == "Ignore", section.match.isEmpty {
      return Self.fault(
        at: section.origin, "it would leave all panels alone; add MatchName= or the like",
        section.name)
    }
    if let size = section.settings.size, section.settings.resolution != nil {
      return Self.fault(
        at: size.origin, "Size= and Resolution= say the same thing twice; keep one", section.name)
    }
    if let display = section.settings.display, !displays.isEmpty,
      !displays.contains(where: { $0.answers(to: display.value) })
    {
      let names = displays.map(\.name)
      let hint = Spelling.nearest(to: display.value, among: names).map { "; did you mean \($0)?" }
      return Self.fault(
        at: display.origin,
        "there is no display \(display.value)"
          + (hint ?? "; there are \(names.joined(separator: ", "))"), section.name)
    }
    if let fault = section.settings.calibrationTransform.fault,
      let calibration = section.settings.calibration
    {
      return Self.fault(at: calibration.origin, "with the other keys, \(fault)", section.name)
    }
    return nil
  }

  private func fault(ofDisplay place: Int) -> SettingsFault? {
    let section = displays[place]
    let twin = displays[..<place].first {
      $0.answers(to: section.output) || section.answers(to: $0.output)
    }
    guard let twin else { return nil }
    return Self.fault(
      at: section.settings.output?.origin ?? section.origin,
      "[Display \(twin.name)] has the output \(section.output) already",
      SectionName(kind: "Display", name: section.name))
  }

  private static func fault(
    at origin: SettingOrigin, _ message: String, _ section: SectionName
  ) -> SettingsFault {
    switch origin {
    case .file(let file, let line), .quirk(let file, let line):
      SettingsFault(file: file, line: line, message: message, section: section)
    case .property, .byDefault:
      SettingsFault(file: "", line: 0, message: message, section: section)
    }
  }
}

extension DisplaySection {
  /// The connector that shows it.
  public var output: String { settings.output?.value ?? name }

  /// Whether a panel that names it by this word means it.
  func answers(to word: String) -> Bool { name == word || output == word }
}

/// A section of a file on its way into the settings.
private struct Source {
  var file: String
  var isQuirk: Bool
  var section: SettingsText.Section
  /// What was wrong in its text.
  var spoilt: SettingsFault?
  /// Where each key was given a value, and not reset since.
  private var givenIn: [String: Int] = [:]

  init(file: String, isQuirk: Bool, section: SettingsText.Section, spoilt: SettingsFault?) {
    self.file = file
    self.isQuirk = isQuirk
    self.section = section
    self.spoilt = spoilt
  }

  func origin(_ line: Int) -> SettingOrigin {
    isQuirk ? .quirk(file, line: line) : .file(file, line: line)
  }

  func fault(_ line: Int, _ message: String) -> SettingsFault {
    SettingsFault(file: file, line: line, message: message, section: section.name)
  }

  /// Takes an entry into a section.
  ///
  /// - Returns: what is wrong with it.
  mutating func apply<Section>(
    _ entry: SettingsText.Entry, _ keys: [SettingKey<Section>], to target: inout Section,
    also others: [String] = []
  ) -> SettingsFault? {
    guard let key = keys.first(where: { $0.name == entry.key }) else {
      let known = keys.map(\.name) + others
      let hint = Spelling.nearest(to: entry.key, among: known).map { "; did you mean \($0)?" }
      return fault(
        entry.line,
        "\(section.name) has no key \(entry.key)" + (hint ?? "; touchbridge.conf(5) lists them"))
    }
    let first = givenIn.updateValue(entry.line, forKey: entry.key)
    if entry.value.isEmpty { givenIn[entry.key] = nil }
    if !key.isList, !entry.value.isEmpty, let first {
      return fault(entry.line, "\(entry.key)= stands in line \(first) already; keep one")
    }
    if entry.value.isEmpty {
      key.clear(&target)
      return nil
    }
    do throws(ValueFault) {
      try key.take(&target, entry.value, origin(entry.line))
      return nil
    } catch {
      switch error {
      case .form: return fault(entry.line, "\(key.name)= takes \(key.form), not '\(entry.value)'")
      case .because(let reason): return fault(entry.line, "\(key.name)= \(reason)")
      }
    }
  }
}
