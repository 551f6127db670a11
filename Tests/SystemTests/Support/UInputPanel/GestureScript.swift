/// What fingers do on a panel and when: the plan of a recording.
///
/// Its text form is kept beside the recording, so that a test can work out what must come of it:
///
///     # a comment
///     gesture tap
///     100 0=640,480
///     180 -
///
/// A frame's line holds the milliseconds since the start, then `slot=x,y` in raw units for each
/// finger that is down, or `-` for none. Frames belong to the last `gesture` line above them.
public struct GestureScript: Sendable, Equatable {
  /// The panel at one moment.
  public struct Frame: Sendable, Equatable {
    /// The time since the start of the script.
    public var milliseconds: Int
    /// The fingers that are down, by slot.
    public var fingers: [Int32: RawPoint]

    /// Creates a frame.
    public init(milliseconds: Int, fingers: [Int32: RawPoint]) {
      self.milliseconds = milliseconds
      self.fingers = fingers
    }
  }

  /// One gesture: from the first finger's landing to the last one's lift.
  public struct Gesture: Sendable, Equatable {
    /// What the gesture is, such as `double-tap`.
    public var name: String
    /// Its frames in order of time; the last one has no finger.
    public var frames: [Frame]

    /// Creates a gesture.
    public init(name: String, frames: [Frame] = []) {
      self.name = name
      self.frames = frames
    }
  }

  /// The gestures in order of time.
  public var gestures: [Gesture]

  /// Creates a script.
  public init(gestures: [Gesture] = []) { self.gestures = gestures }

  /// All frames in order of time.
  public var frames: [Frame] { gestures.flatMap(\.frames) }
}

extension GestureScript {
  /// The text form, with comment lines above it.
  public func text(comments: [String] = []) -> String {
    var lines = comments.map { $0.isEmpty ? "#" : "# \($0)" }
    for gesture in gestures {
      lines.append("gesture \(gesture.name)")
      for frame in gesture.frames {
        let fingers = frame.fingers.sorted { $0.key < $1.key }
          .map { "\($0.key)=\($0.value.x),\($0.value.y)" }
        lines.append(
          "\(frame.milliseconds) " + (fingers.isEmpty ? ["-"] : fingers).joined(separator: " "))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Reads the text form.
  ///
  /// - Errors: the number of the first line that is none of comment, gesture or frame.
  public init(text: String) throws(GestureScriptError) {
    self.init()
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty && !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      if words.count == 2, words[0] == "gesture" {
        gestures.append(Gesture(name: String(words[1])))
      } else if let frame = Self.frame(words), !gestures.isEmpty {
        gestures[gestures.count - 1].frames.append(frame)
      } else {
        throw GestureScriptError(line: index + 1)
      }
    }
  }

  private static func frame(_ words: [Substring]) -> Frame? {
    guard words.count >= 2, let time = Int(words[0]) else { return nil }
    var frame = Frame(milliseconds: time, fingers: [:])
    if words.count == 2, words[1] == "-" { return frame }
    for word in words.dropFirst() {
      let parts = word.split { $0 == "=" || $0 == "," }
      guard parts.count == 3, let slot = Int32(parts[0]), let x = Int32(parts[1]),
        let y = Int32(parts[2])
      else { return nil }
      frame.fingers[slot] = RawPoint(x: x, y: y)
    }
    return frame
  }
}

/// A line of a gesture script that cannot be read.
public struct GestureScriptError: Error, Equatable, CustomStringConvertible {
  /// The line's number, counted from 1.
  public var line: Int

  /// Creates the error for a line.
  public init(line: Int) { self.line = line }

  /// What to write in its place.
  public var description: String {
    "line \(line) of the gesture script is none of '# text', 'gesture NAME', 'MS -', 'MS SLOT=X,Y…'"
  }
}
