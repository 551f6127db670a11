import TouchModel

// Where this module sits: it stands beside the device, as a source of the same events.
// recording -> *events* -> frames -> routing -> socket -> app.

/// What a recording file holds: one device or several, each with its events.
public struct Recording: Sendable, Equatable {
  /// The devices, in the order of the file; their place is the number that `touchctl` shows.
  public var devices: [RecordedDevice]

  /// Creates a recording.
  public init(devices: [RecordedDevice] = []) { self.devices = devices }

  /// Reads the bytes of an evemu file or of one by `libinput record`.
  ///
  /// - Errors: bytes that are no recording, with the number of the line; trying again is no use.
  public init(parsing bytes: [UInt8]) throws(RecordingError) {
    var reader = RecordingReader()
    try bytes.withUnsafeBufferPointer { (bytes) throws(RecordingError) in try reader.take(bytes) }
    self = try reader.finish()
  }

  /// Reads such a file piece by piece; of each no more is kept than what it says.
  ///
  /// - Parameter next: gives the next piece, cut anywhere; nil at the end.
  /// - Errors: `RecordingError`, after the piece in which it shows, or that of `next`.
  public init(pieces next: () throws -> UnsafeBufferPointer<UInt8>?) throws {
    var reader = RecordingReader()
    while let piece = try next() { try reader.take(piece) }
    self = try reader.finish()
  }
}

/// One device of a recording: what it says of itself, and what it sent.
public struct RecordedDevice: Sendable, Equatable {
  /// What the device says of itself.
  public var description: DeviceDescription
  /// What it sent, with the times of the file.
  public var events: [EvdevEvent]
  /// The line of the file where its description begins, from 1; 0 if it comes from no file.
  public var line: Int

  /// Creates a device with its events.
  public init(description: DeviceDescription, events: [EvdevEvent] = [], line: Int = 0) {
    self.description = description
    self.events = events
    self.line = line
  }

  /// How many events at the end no `SYN_REPORT` follows: the recording stopped within a frame.
  public var unfinishedEvents: Int {
    guard let last = lastReport else { return events.count }
    return events.count - 1 - last
  }

  /// The time of the last `SYN_REPORT`, also that of a device going away; nil if there is none.
  ///
  /// - Units: nanoseconds, in the clock of the file.
  public var lastReportNanoseconds: UInt64? { lastReport.map { events[$0].timeNanoseconds } }

  private var lastReport: Int? {
    events.lastIndex { $0.type == EvdevCode.syn && $0.code == EvdevCode.synReport }
  }
}
