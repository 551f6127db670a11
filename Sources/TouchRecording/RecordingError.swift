/// A reason why bytes are not a recording, and the line where that shows.
public struct RecordingError: Error, Equatable, Sendable {
  /// What is wrong with a line.
  public enum Reason: Equatable, Sendable {
    /// The line begins with none of the letters of an evemu file.
    case unknownLine
    /// A field is not the number it should be.
    case badNumber(field: String)
    /// A number is larger or smaller than the kernel's type for it.
    case numberOutOfRange(field: String)
    /// The line ends before all of its fields.
    case missingField(field: String)
    /// The line goes on behind its last field.
    case tooManyFields
    /// More bits are listed than there are codes.
    case tooManyBits
    /// An event comes before any device.
    case eventBeforeDevice
    /// A description line comes after the device's first event.
    case descriptionAfterEvents
    /// The file ends and described no device.
    case noDevice
    /// The line is longer than any of a recording.
    case lineTooLong
    /// There are more devices than any machine has.
    case tooManyDevices
    /// A list of a libinput recording does not begin or end where the tool puts it.
    case unfinishedList
  }

  /// The line, from 1.
  public var line: Int
  /// What is wrong with it.
  public var reason: Reason

  /// Creates an error.
  public init(line: Int, _ reason: Reason) {
    self.line = line
    self.reason = reason
  }
}

extension RecordingError: CustomStringConvertible {
  /// The reason with its line, and what to do.
  public var description: String { "line \(line): \(reason)" }
}

extension RecordingError.Reason: CustomStringConvertible {
  /// The reason in words, and what to do.
  public var description: String {
    switch self {
    case .unknownLine:
      "not a line of an evemu recording, which begins with N:, I:, P:, B:, A:, E: or #. "
        + "Remove the line, or record again with evemu-record."
    case .badNumber(let field): "the \(field) is not a number. Correct the line."
    case .numberOutOfRange(let field):
      "the \(field) is out of the range the kernel has for it. Correct the line."
    case .missingField(let field): "the line ends before the \(field). Complete the line."
    case .tooManyFields: "there is more on the line than belongs there. Put a # before a comment."
    case .tooManyBits: "more bits than there are codes. Remove the repeated lines."
    case .eventBeforeDevice:
      "an event before any device. Put the device's description (N:, I:, P:, B: and A: lines) "
        + "before its first event."
    case .descriptionAfterEvents:
      "a description line after the device's first event. Move it up, or begin another device "
        + "with an N: line."
    case .noDevice:
      "the file ends and describes no device. Is it a recording of evemu-record or `libinput record`?"
    case .lineTooLong:
      "the line is longer than \(RecordingReader.lineLimit) bytes. Is it a recording of evemu-record or "
        + "`libinput record`?"
    case .tooManyDevices:
      "there are more than \(RecordingReader.deviceLimit) devices. Cut the recording into several."
    case .unfinishedList:
      "a list in [brackets] is missing or not closed. Was the file cut off, or laid out anew by another "
        + "program than `libinput record`?"
    }
  }
}
