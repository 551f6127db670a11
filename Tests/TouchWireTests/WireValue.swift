import TouchModel
import TouchWire

/// A message as a value: what a test compares, in either direction.
enum WireValue: Equatable {
  case hello(Hello)
  case setScenes([Scene])
  case acknowledge(Acknowledgement)
  case subscribe
  case welcome(Welcome)
  case refusal(Refusal)
  case scenesApplied(ScenesApplied)
  case frame(Frame)
  case report(Report)
  case handled(Handled)
  case clientNotice(ClientNotice)
  case panelNotice(PanelNotice)
  case stuckNotice(StuckNotice)
  case activation(ActivationNotice)
  case statusRequest(from: UInt32)
  case statusLine(StatusLine)
  case rotateDisplay(RotateDisplay)
  case displaysChanged([Display])
  case displayRotated(DisplayRotated)
  case capturePanel(CapturePanel)
  case panelCaptured(PanelCaptured)
  case rawFrame(RawFrame)
  case captureEnded(CaptureEnded)
  case readConfiguration
  case configurationRead(ConfigurationRead)

  struct Frame: Equatable {
    var times: StageTimes
    var device: UInt32
    var display: UInt32 = 0
    var contacts: [Contact] = []
    /// Oldest step first; in each a sample for each contact.
    var history: [[HistorySample]] = []
  }

  struct Report: Equatable {
    var times: StageTimes
    var device: UInt32
    var display: UInt32 = 0
    var lost: UInt64 = 0
    var contacts: [ObservedContact] = []
  }

  /// Where a message comes from.
  enum Side: CaseIterable {
    case client
    case daemon
  }

  /// Reads a message and everything in it; nil for one that may be skipped.
  static func decode(_ bytes: [UInt8], from side: Side) throws(WireError) -> WireValue? {
    // Bytes at an odd address, as they may lie in somebody's buffer.
    let padded = [0] + bytes
    let result = padded.withUnsafeBytes { all in
      Result { () throws(WireError) in
        try decode(UnsafeRawBufferPointer(rebasing: all[1...]), from: side)
      }
    }
    return try result.get()
  }

  private static func decode(
    _ packet: UnsafeRawBufferPointer, from side: Side
  ) throws(WireError) -> WireValue? {
    switch side {
    case .client: try ClientMessage.decode(packet).map { WireValue($0.message) }
    case .daemon: try ServerMessage.decode(packet).map { WireValue($0) }
    }
  }

  private init(_ message: ClientMessage) {
    switch message {
    case .hello(let hello): self = .hello(hello)
    case .setScenes(let scenes): self = .setScenes(scenes)
    case .acknowledge(let acknowledgement): self = .acknowledge(acknowledgement)
    case .subscribe: self = .subscribe
    case .statusRequest(let index): self = .statusRequest(from: index)
    case .rotateDisplay(let wish): self = .rotateDisplay(wish)
    case .capturePanel(let wish): self = .capturePanel(wish)
    case .readConfiguration: self = .readConfiguration
    }
  }

  private init(_ message: ServerMessage) {
    switch message {
    case .welcome(let welcome): self = .welcome(welcome)
    case .refusal(let refusal): self = .refusal(refusal)
    case .scenesApplied(let applied): self = .scenesApplied(applied)
    case .frame(let message): self = .frame(Frame(message))
    case .report(let message): self = .report(Report(message))
    case .handled(let handled): self = .handled(handled)
    case .clientNotice(let notice): self = .clientNotice(notice)
    case .panelNotice(let notice): self = .panelNotice(notice)
    case .stuckNotice(let notice): self = .stuckNotice(notice)
    case .statusLine(let line): self = .statusLine(line)
    case .displaysChanged(let displays): self = .displaysChanged(displays)
    case .displayRotated(let answer): self = .displayRotated(answer)
    case .panelCaptured(let answer): self = .panelCaptured(answer)
    case .rawFrame(let frame): self = .rawFrame(frame)
    case .captureEnded(let notice): self = .captureEnded(notice)
    case .configurationRead(let answer): self = .configurationRead(answer)
    case .activation(let notice): self = .activation(notice)
    }
  }

  /// Writes the message; nil for scenes that the wire does not carry.
  func encoded(serial: UInt32, by writer: PacketWriter = PacketWriter()) -> [UInt8]? {
    switch self {
    case .hello(let hello): Array(writer.hello(hello, serial: serial))
    case .setScenes(let scenes): writer.setScenes(scenes, serial: serial).map { Array($0) }
    case .acknowledge(let acknowledgement):
      Array(writer.acknowledge(acknowledgement, serial: serial))
    case .subscribe: Array(writer.subscribe(serial: serial))
    case .welcome(let welcome): Array(writer.welcome(welcome, serial: serial))
    case .refusal(let refusal): Array(writer.refusal(refusal, serial: serial))
    case .scenesApplied(let applied): Array(writer.scenesApplied(applied, serial: serial))
    case .frame(let frame): frame.encoded(serial, writer)
    case .report(let report): report.encoded(serial, writer)
    case .handled(let handled): Array(writer.handled(handled, serial: serial))
    case .clientNotice(let notice): Array(writer.clientNotice(notice, serial: serial))
    case .panelNotice(let notice): Array(writer.panelNotice(notice, serial: serial))
    case .stuckNotice(let notice): Array(writer.stuckNotice(notice, serial: serial))
    case .activation(let notice): Array(writer.activation(notice, serial: serial))
    case .statusRequest(let index): Array(writer.statusRequest(from: index, serial: serial))
    case .statusLine(let line): Array(writer.statusLine(line, serial: serial))
    case .rotateDisplay(let wish): Array(writer.rotateDisplay(wish, serial: serial))
    case .displaysChanged(let displays):
      Array(writer.displaysChanged(displays, serial: serial))
    case .displayRotated(let answer): Array(writer.displayRotated(answer, serial: serial))
    case .capturePanel(let wish): Array(writer.capturePanel(wish, serial: serial))
    case .panelCaptured(let answer): Array(writer.panelCaptured(answer, serial: serial))
    case .rawFrame(let frame): Array(writer.rawFrame(frame, serial: serial))
    case .captureEnded(let notice): Array(writer.captureEnded(notice, serial: serial))
    case .readConfiguration: Array(writer.readConfiguration(serial: serial))
    case .configurationRead(let answer):
      Array(writer.configurationRead(answer, serial: serial))
    }
  }
}

extension WireValue.Frame {
  fileprivate init(_ message: FrameMessage) {
    self.init(times: message.times, device: message.device, display: message.display)
    contacts = (0..<message.contactCount).map { message.contact($0) }
    history = (0..<message.historyCount).map { step in
      contacts.indices.map { message.history(step: step, contact: $0) }
    }
  }

  fileprivate func encoded(_ serial: UInt32, _ writer: PacketWriter) -> [UInt8] {
    let frame = writer.beginFrame(
      times: times, device: device, display: display, contacts: contacts.count,
      history: history.count)
    for (index, contact) in contacts.enumerated() { frame.put(contact: contact, at: index) }
    for (index, sample) in history.joined().enumerated() { frame.put(sample: sample, at: index) }
    return Array(frame.finish(sent: times.sent, serial: serial))
  }
}

extension WireValue.Report {
  fileprivate init(_ message: ReportMessage) {
    self.init(
      times: message.times, device: message.device, display: message.display, lost: message.lost)
    contacts = (0..<message.contactCount).map { message.contact($0) }
  }

  fileprivate func encoded(_ serial: UInt32, _ writer: PacketWriter) -> [UInt8] {
    writer.beginReport(times: times, device: device, display: display, contacts: contacts.count)
    for (index, contact) in contacts.enumerated() { writer.put(observed: contact, at: index) }
    return Array(writer.finishReport(lost: lost, serial: serial))
  }
}
