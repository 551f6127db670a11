import TouchModel
import UInputPanel

/// The gesture lines that must come of a script, worked out from the script file alone.
///
/// A raw unit is a quarter point. Lines are as `touchctl recognize` and the example app print them,
/// without times and velocities: those hang on the recording's clock.
struct ExpectedGestures {
  /// Where the fingers of the ten-finger part land if that is not everywhere: on the app's card,
  /// which has been dragged and pinched by then.
  var card: Rect?

  /// The lines of all gestures in order.
  func lines(_ script: GestureScript) throws -> [String] {
    try script.gestures.flatMap { try lines($0) }
  }

  private func lines(_ gesture: GestureScript.Gesture) throws -> [String] {
    switch gesture.name {
    case "tap": tap("tap", gesture.frames)
    case "double-tap": tap("doubleTap", gesture.frames)
    case "drag": pan(gesture.frames)
    case "long-press": longPress(gesture.frames)
    case "pinch": pinch(gesture.frames)
    case "ten-fingers": pan(gesture.frames, of: landed(gesture.frames, on: card))
    default: throw UnknownGesture(name: gesture.name)
    }
  }

  /// A script has gained a gesture that nobody has worked out yet.
  struct UnknownGesture: Error { var name: String }

  // MARK: One finger that stays

  private func tap(_ name: String, _ frames: [GestureScript.Frame]) -> [String] {
    guard let last = frames.last(where: { !$0.fingers.isEmpty }) else { return [] }
    return [line(name, "ended", Places(last.fingers))]
  }

  /// Begins half a second after the finger landed, where the finger is then.
  ///
  /// A frame of that very moment comes after the timer.
  private func longPress(_ frames: [GestureScript.Frame]) -> [String] {
    let down = frames[0].milliseconds
    let (before, after) = (
      frames.filter { $0.milliseconds < down + 500 },
      frames.filter { $0.milliseconds >= down + 500 }
    )
    var lines: [String] = []
    var last = Places([:])
    if let begin = before.last {
      last = Places(begin.fingers)
      lines.append(line("longPress", "began", last))
    }
    for frame in after {
      if frame.fingers.isEmpty {
        lines.append(line("longPress", "ended", last))
      } else {
        last = Places(frame.fingers)
        lines.append(line("longPress", "changed", last))
      }
    }
    return lines
  }

  // MARK: Fingers that move

  private func landed(_ frames: [GestureScript.Frame], on area: Rect?) -> Set<Int32> {
    var first: [Int32: RawPoint] = [:]
    for frame in frames { first.merge(frame.fingers) { old, _ in old } }
    return Set(first.filter { area?.contains(point($0.value)) ?? true }.keys)
  }

  /// The way of the fingers' middle, without the 10 points that make it a drag.
  private func pan(
    _ frames: [GestureScript.Frame], of slots: Set<Int32>? = nil
  ) -> [String] {
    var lines: [String] = []
    var last: [Int32: RawPoint] = [:]
    var way = Point(x: 0, y: 0)
    var isRunning = false
    for frame in frames {
      let fingers = frame.fingers.filter { slots?.contains($0.key) ?? true }
      let step = middleStep(from: last, to: fingers)
      way = Point(x: way.x + step.x, y: way.y + step.y)
      if fingers.isEmpty {
        if isRunning { lines.append(line("pan", "ended", Places(last), way: way)) }
      } else if isRunning, step != Point(x: 0, y: 0) {
        lines.append(line("pan", "changed", Places(fingers), way: way))
      } else if !isRunning, length(way) >= 10 {
        isRunning = true
        let counted = (length(way) - 10) / length(way)
        way = Point(x: way.x * counted, y: way.y * counted)
        lines.append(line("pan", "began", Places(fingers), way: way))
      }
      last = fingers
    }
    return lines
  }

  /// How far the middle of the fingers that stay on the panel has moved.
  private func middleStep(from old: [Int32: RawPoint], to new: [Int32: RawPoint]) -> Point {
    var step = Point(x: 0, y: 0)
    for (slot, raw) in new {
      let (from, to) = (point(old[slot] ?? raw), point(raw))
      step = Point(x: step.x + to.x - from.x, y: step.y + to.y - from.y)
    }
    guard !new.isEmpty else { return step }
    return Point(x: step.x / Double(new.count), y: step.y / Double(new.count))
  }

  /// Begins once the fingers' distance has changed by 8 points; from there on it counts as 1.
  private func pinch(_ frames: [GestureScript.Frame]) -> [String] {
    var lines: [String] = []
    var last: [Int32: RawPoint] = [:]
    var start: Double?
    var unit: Double?
    var scale = 1.0
    for frame in frames {
      if frame.fingers.count == 2 {
        let distance = distance(frame.fingers)
        if let unit {
          scale = distance / unit
          lines.append(line("pinch", "changed", Places(frame.fingers), scale: scale))
        } else if let start, abs(distance - start) >= 8 {
          unit = distance
          lines.append(line("pinch", "began", Places(frame.fingers), scale: 1))
        }
        start = start ?? distance
      } else if frame.fingers.isEmpty, unit != nil {
        lines.append(line("pinch", "ended", Places(last), scale: scale))
      }
      last = frame.fingers
    }
    return lines
  }

  private func distance(_ fingers: [Int32: RawPoint]) -> Double {
    let places = fingers.values.map(point)
    return length(Point(x: places[1].x - places[0].x, y: places[1].y - places[0].y))
  }

  private func length(_ way: Point) -> Double { (way.x * way.x + way.y * way.y).squareRoot() }

  // MARK: Lines

  private func line(
    _ gesture: String, _ state: String, _ places: Places, way: Point? = nil, scale: Double? = nil
  ) -> String {
    var line = "\"gesture\":\"\(gesture)\",\"state\":\"\(state)\""
    line += ",\"x\":\(rounded(places.middle.x)),\"y\":\(rounded(places.middle.y))"
    line += ",\"touches\":\(places.count)"
    if let way { line += ",\"tx\":\(rounded(way.x)),\"ty\":\(rounded(way.y))" }
    if let scale { line += ",\"scale\":\(rounded(scale))" }
    return "{\(line)}"
  }

  private func rounded(_ value: Double) -> Double {
    let result = (value * 1_000).rounded() / 1_000
    return result == 0 ? 0 : result
  }
}

/// Fingers and their middle.
private struct Places {
  var count: Int
  var middle: Point

  init(_ fingers: [Int32: RawPoint]) {
    count = fingers.count
    let places = fingers.values.map(point)
    middle = Point(
      x: places.map(\.x).reduce(0, +) / Double(max(1, count)),
      y: places.map(\.y).reduce(0, +) / Double(max(1, count)))
  }
}

private func point(_ raw: RawPoint) -> Point { Point(x: Double(raw.x) / 4, y: Double(raw.y) / 4) }

/// A gesture line that a program printed.
struct GestureOutput {
  /// The line without its time and velocities.
  var comparable: String
  /// When it happened, in microseconds.
  var time: Int

  /// Reads a line; nil if it has no time, or a velocity that is no number.
  init?(_ line: String) {
    guard line.hasPrefix("{"), line.hasSuffix("}") else { return nil }
    let fields = line.dropFirst().dropLast().split(separator: ",").map { field in
      (name: field.prefix { $0 != ":" }, text: field, value: field.drop { $0 != ":" }.dropFirst())
    }
    let changing: Set<Substring> = ["\"time_us\"", "\"vx\"", "\"vy\"", "\"velocity\""]
    let numbers = fields.filter { changing.contains($0.name) }
    guard numbers.allSatisfy({ Double($0.value) != nil }),
      let time = numbers.first(where: { $0.name == "\"time_us\"" }).flatMap({ Int($0.value) })
    else { return nil }
    self.time = time
    let kept = fields.filter { !changing.contains($0.name) }.map(\.text)
    comparable = "{\(kept.joined(separator: ","))}"
  }
}
