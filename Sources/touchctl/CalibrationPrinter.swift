import TouchCalibration
import TouchModel
import TouchWire

/// A form in which a guided calibration speaks.
protocol CalibrationPrinter {
  /// Asks for a touch.
  func ask(_ target: CalibrationRun.Target, _ place: PicturePlace, on display: Display) -> ExitCode
  /// Says why a touch did not count.
  func again(_ reason: CalibrationRun.Repetition)
  /// Says that the touches do not fit together.
  func startsOver()
  /// Shows the result.
  ///
  /// - Parameters:
  ///   - lines: what is to be pasted; empty if it was written.
  ///   - file: where it was written; nil if it was not.
  func finish(_ result: CalibrationResult, _ lines: String, file: String?) -> ExitCode
}

/// Words for somebody who holds a pen.
struct TextCalibration: CalibrationPrinter {
  func ask(_ target: CalibrationRun.Target, _ place: PicturePlace, on display: Display) -> ExitCode
  {
    var text = "\(target.number) of \(target.count)\(target.isCheck ? ", the check" : ""): touch "
    text += "\(Self.percent(place.part.x)) of the width and \(Self.percent(place.part.y)) of the "
    text += "height"
    if let side = place.fromSide, let end = place.fromEnd {
      text +=
        ", \(Self.tenths(side.millimetres)) mm from the \(side.isLeft ? "left" : "right") and "
      text += "\(Self.tenths(end.millimetres)) mm from the \(end.isTop ? "top" : "bottom") edge"
    }
    return Console.show(text + "; hold for a moment, then lift.\n")
  }

  private static func percent(_ part: Double) -> String { "\(Int((part * 100).rounded())) %" }

  private static func tenths(_ value: Double) -> String {
    let scaled = Int((min(value, 1e9) * 10).rounded())
    return "\(scaled / 10).\(scaled % 10)"
  }

  func again(_ reason: CalibrationRun.Repetition) {
    let what =
      switch reason {
      case .short: "was too short"
      case .moved: "moved"
      case .cancelled: "was taken away"
      case .implausible: "cannot have been this place"
      }
    _ = Console.show("That \(what). Once more:\n")
  }

  func startsOver() {
    _ = Console.show("That does not fit to the touches before. From the start:\n")
  }

  func finish(_ result: CalibrationResult, _ lines: String, file: String?) -> ExitCode {
    var text = "matrix: \(result.fit.calibration)\n"
    for (index, error) in result.errors.enumerated() {
      text += "point \(index + 1) is met within \(error)\n"
    }
    text += "the check is met within \(result.checkError)\n"
    if let file {
      text += "written to \(Console.printable(file)); the daemon uses it\n"
    } else {
      text += "\n" + lines
    }
    return Console.show(text)
  }
}

/// A JSON object a line, for a program that draws the marks.
struct JSONCalibration: CalibrationPrinter {
  func ask(_ target: CalibrationRun.Target, _ place: PicturePlace, on display: Display) -> ExitCode
  {
    var object = JSONObject()
    object.add("number", target.number)
    object.add("count", target.count)
    object.add("check", target.isCheck)
    object.add("display", display.name)
    object.add("x", Self.rounded(place.point.x))
    object.add("y", Self.rounded(place.point.y))
    object.add("part_x", Self.rounded(place.part.x))
    object.add("part_y", Self.rounded(place.part.y))
    object.add("left_mm", place.size.map { Self.rounded($0.width * place.part.x) } ?? .nan)
    object.add("top_mm", place.size.map { Self.rounded($0.height * place.part.y) } ?? .nan)
    return show("target", object)
  }

  /// Without what floating point adds.
  private static func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }

  func again(_ reason: CalibrationRun.Repetition) {
    var object = JSONObject()
    object.add("reason", reason.rawValue)
    _ = show("again", object)
  }

  func startsOver() {
    var object = JSONObject()
    object.add("reason", "contradiction")
    _ = show("again", object)
  }

  func finish(_ result: CalibrationResult, _ lines: String, file: String?) -> ExitCode {
    var object = JSONObject()
    object.add("matrix", json: JSONText.list(result.fit.calibration.numbers.map(JSONText.number)))
    object.add("unit", result.size == nil ? "part" : "mm")
    object.add(
      "errors",
      json: JSONText.list(result.errors.map { JSONText.number(Self.rounded($0.value)) }))
    object.add("check_error", Self.rounded(result.checkError.value))
    object.add("file", json: file.map(JSONText.quoted) ?? "null")
    return show("result", object)
  }

  private func show(_ key: String, _ object: JSONObject) -> ExitCode {
    var line = JSONObject()
    line.add(key, json: object.finished)
    return Console.show(line.finished + "\n")
  }
}
