import TouchCalibration
import TouchModel
import TouchSettings
import TouchWire

/// A measurement of either kind, and the words for it.
struct PanelMeasurement {
  private let identity: PanelIdentity
  private let surface: PanelSurface
  private var range: RangeMeasurement
  private var accuracy: AccuracyMeasurement?

  /// How many frames were taken.
  var frames: Int { range.frames }

  init(_ surface: PanelSurface, _ identity: PanelIdentity, isAccuracy: Bool) {
    self.identity = identity
    self.surface = surface
    range = RangeMeasurement(surface)
    accuracy = isAccuracy ? AccuracyMeasurement(surface) : nil
  }

  /// Takes a frame, before which others are missing.
  mutating func take(_ frame: TouchFrame, lost: UInt64 = 0) {
    range.take(frame, lost: lost)
    accuracy?.take(frame)
  }

  // MARK: Words

  /// How things stand, in a line.
  var progress: String {
    let rate = Self.tenths(range.timing.hertz)
    if let accuracy {
      return "\(Self.counts(accuracy)), \(rate) frames a second"
    }
    return "x \(Self.words(range.x.observed)), y \(Self.words(range.y.observed)), "
      + "\(Self.counted(range.contacts, "contact")), \(rate) frames a second"
  }

  private static func counts(_ accuracy: AccuracyMeasurement) -> String {
    "\(counted(accuracy.lines, "line")), \(counted(accuracy.jitter.count, "resting finger")), "
      + "\(counted(accuracy.ignored, "touch", "touches")) ignored"
  }

  private static func counted(_ number: Int, _ one: String, _ several: String? = nil) -> String {
    "\(number) \(number == 1 ? one : several ?? "\(one)s")"
  }

  /// All of the result.
  var text: String {
    guard range.frames > 0 else { return "the panel has sent nothing\n" }
    return accuracy.map(accuracyText) ?? rangeText
  }

  private var timingText: String {
    var text = "\(Self.counted(range.frames, "frame")), \(Self.tenths(range.timing.hertz)) a second"
    if let gap = range.timing.longestGap {
      text += ", at most \(Self.tenths(Double(gap) / 1e6)) ms apart while something moved"
    }
    return text + "\n" + lostText
  }

  private var lostText: String {
    guard range.lost > 0 else { return "" }
    return
      "\(range.lost) frame\(range.lost == 1 ? "" : "s") more were lost, as touchctl did not read in "
      + "time: the result leaves them out. Measure again.\n"
  }

  private var rangeText: String {
    var text = Self.line("x", range.x) + Self.line("y", range.y) + timingText
    text += warnings.map { "\($0)\n" }.joined() + "\n"
    if let section { return text + section.text }
    guard range.x.isCovered, range.y.isCovered else {
      return text + "# Too little was seen for a section.\n"
    }
    return text + "# Both ranges are as declared; no line is needed.\n"
  }

  /// Why the ranges may not be the panel's.
  private var warnings: [String] {
    [("x", range.x), ("y", range.y)].compactMap { name, axis in
      if !axis.isCovered {
        return "Less than half of the declared \(name) was seen, so no line says it. Was each edge "
          + "touched? Else the device declares too much: Range\(name.uppercased())= takes the two numbers."
      }
      guard axis.coverage < 0.9 else { return nil }
      return
        "Less than nine tenths of the declared \(name) were seen. Was each edge touched? Else the "
        + "device declares too much."
    }
  }

  /// The section to be pasted; nil if there is nothing to be said.
  private var section: SectionText? {
    let settings = [("RangeX", range.x.setting), ("RangeY", range.y.setting)].filter { $0.1 != nil }
    guard !settings.isEmpty else { return nil }
    var section = SectionText(panel: identity, purpose: "measured")
    for (key, value) in settings { section.add(key, value ?? "") }
    return section
  }

  private static func line(_ name: String, _ axis: RangeMeasurement.Axis) -> String {
    "\(name): \(words(axis.observed)) seen of \(axis.declared.minimum)...\(axis.declared.maximum) "
      + "declared, \(tenths(axis.coverage * 100)) %\n"
  }

  private static func words(_ range: ClosedRange<Int32>?) -> String {
    range.map { "\($0.lowerBound)...\($0.upperBound)" } ?? "nothing"
  }

  private func accuracyText(_ accuracy: AccuracyMeasurement) -> String {
    func deviation(_ name: String, _ deviation: AccuracyMeasurement.Deviation) -> String {
      guard deviation.count > 0 else { return "\(name): nothing was drawn there\n" }
      return "\(name): \(accuracy.length(deviation.mean)) in the mean, "
        + "\(accuracy.length(deviation.most)) at most, of \(deviation.count) positions\n"
    }
    var text = Self.counts(accuracy) + "\n"
    text += deviation("off the straight line", accuracy.linearity)
    text += deviation("the same near the edges", accuracy.edges)
    if accuracy.jitter.count > 0 {
      text += "jitter of resting fingers: \(accuracy.length(accuracy.jitter.rms)) rms, "
      text += "\(accuracy.length(accuracy.jitter.most)) at most\n"
    }
    text += timingText
    if !accuracy.isInMillimetres {
      text += "The panel's size is not known: --size 154x86mm, or Size= in its section, says it.\n"
    }
    return text
  }

  private static func tenths(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "?" }
    let scaled = Int64((min(max(value, 0), 1e12) * 10).rounded())
    return "\(scaled / 10).\(scaled % 10)"
  }

  // MARK: JSON

  var json: String {
    var object = JSONObject()
    object.add("frames", range.frames)
    object.add("contacts", range.contacts)
    object.add("frame_rate_hz", Self.rounded(range.timing.hertz))
    object.add("longest_gap_ms", Self.rounded(range.timing.longestGap.map { Double($0) / 1e6 }))
    object.add("lost", range.lost)
    if let accuracy {
      object.add("unit", accuracy.isInMillimetres ? "mm" : "part")
      object.add("lines", accuracy.lines)
      object.add("resting", accuracy.jitter.count)
      object.add("ignored", accuracy.ignored)
      object.add("linearity", json: Self.json(accuracy.linearity))
      object.add("edges", json: Self.json(accuracy.edges))
      var jitter = JSONObject()
      jitter.add("rms", Self.rounded(accuracy.jitter.rms))
      jitter.add("most", Self.rounded(accuracy.jitter.most))
      object.add("jitter", json: jitter.finished)
    } else {
      object.add("x", json: Self.json(range.x))
      object.add("y", json: Self.json(range.y))
      object.add("warnings", json: JSONText.list(warnings.map(JSONText.quoted)))
      object.add("section", json: (section?.text).map(JSONText.quoted) ?? "null")
    }
    return object.finished + "\n"
  }

  private static func json(_ deviation: AccuracyMeasurement.Deviation) -> String {
    var object = JSONObject()
    object.add("positions", deviation.count)
    object.add("mean", rounded(deviation.mean))
    object.add("most", rounded(deviation.most))
    return object.finished
  }

  private static func json(_ axis: RangeMeasurement.Axis) -> String {
    var object = JSONObject()
    object.add("declared", json: "[\(axis.declared.minimum),\(axis.declared.maximum)]")
    object.add(
      "observed",
      json: axis.observed.map { "[\($0.lowerBound),\($0.upperBound)]" } ?? "null")
    object.add("coverage", rounded(axis.coverage))
    return object.finished
  }

  /// Without what floating point adds; what is not known becomes null.
  private static func rounded(_ value: Double?) -> Double {
    value.map { ($0 * 1e4).rounded() / 1e4 } ?? .nan
  }
}
