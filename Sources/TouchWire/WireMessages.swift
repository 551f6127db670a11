import TouchModel

/// A message to the daemon.
public enum ClientMessage: Equatable, Sendable {
  /// The first one on each connection.
  case hello(Hello)
  /// The client's whole set of scenes; replaces the former set at once.
  case setScenes([Scene])
  /// The client has handled frames.
  case acknowledge(Acknowledgement)
  /// An observer wants to see every routed frame.
  case subscribe
  /// An observer wants the daemon's status, from one of its lines on.
  case statusRequest(from: UInt32)
  /// An administrator turns a display's picture.
  case rotateDisplay(RotateDisplay)
  /// An administrator takes a panel alone, or gives it back.
  case capturePanel(CapturePanel)
  /// An administrator wants the configuration to be read again.
  case readConfiguration

  /// Reads one whole packet.
  ///
  /// - Returns: nil for a message of unknown kind that may be skipped.
  /// - Errors: `WireError`; the connection is to be closed.
  public static func decode(
    _ packet: UnsafeRawBufferPointer
  ) throws(WireError) -> (message: ClientMessage, serial: UInt32)? {
    let header = try WireHeader(packet)
    guard let type = try header.knownType() else { return nil }
    switch type {
    case .hello: return (.hello(try Hello(packet)), header.serial)
    case .setScenes: return (.setScenes(try SceneLayout.decode(packet)), header.serial)
    case .acknowledge: return (.acknowledge(try Acknowledgement(packet)), header.serial)
    case .subscribe:
      try require(packet, SubscribeLayout.size)
      return (.subscribe, header.serial)
    case .statusRequest:
      try require(packet, StatusRequestLayout.size)
      return (.statusRequest(from: Fields(packet).u32(16)), header.serial)
    case .rotateDisplay: return (.rotateDisplay(try RotateDisplay(packet)), header.serial)
    case .capturePanel: return (.capturePanel(try CapturePanel(packet)), header.serial)
    case .readConfiguration:
      try require(packet, ReadConfigurationLayout.size)
      return (.readConfiguration, header.serial)
    default: throw .wrongDirection(type)
    }
  }
}

/// A message from the daemon.
///
/// - Ownership: frames and reports borrow the packet and are valid no longer than its bytes.
public enum ServerMessage {
  /// The connection stands.
  case welcome(Welcome)
  /// The connection ends.
  case refusal(Refusal)
  /// A set of scenes is in force, or is not.
  case scenesApplied(ScenesApplied)
  /// Contacts of the client.
  case frame(FrameMessage)
  /// Contacts of anybody, for observers.
  case report(ReportMessage)
  /// A client acknowledged, for observers.
  case handled(Handled)
  /// A client came or went, for observers.
  case clientNotice(ClientNotice)
  /// A panel came or went, for observers.
  case panelNotice(PanelNotice)
  /// How things stand: one line of several.
  case statusLine(StatusLine)
  /// A contact has been down for too long, for observers.
  case stuckNotice(StuckNotice)
  /// These displays are there from now on.
  case displaysChanged([Display])
  /// A display was turned, or was not.
  case displayRotated(DisplayRotated)
  /// A panel is captured, or is not.
  case panelCaptured(PanelCaptured)
  /// Contacts of a captured panel.
  case rawFrame(RawFrame)
  /// A panel is captured no more.
  case captureEnded(CaptureEnded)
  /// The configuration was read again.
  case configurationRead(ConfigurationRead)
  /// Whether the client is in front on a display.
  case activation(ActivationNotice)

  /// Reads one whole packet.
  ///
  /// - Returns: nil for a message of unknown kind that may be skipped.
  /// - Errors: `WireError`; the connection is to be closed.
  public static func decode(
    _ packet: UnsafeRawBufferPointer
  ) throws(WireError) -> ServerMessage? {
    let header = try WireHeader(packet)
    guard let type = try header.knownType() else { return nil }
    switch type {
    case .welcome: return .welcome(try Welcome(packet))
    case .refusal: return .refusal(try Refusal(packet))
    case .scenesApplied: return .scenesApplied(try ScenesApplied(packet))
    case .frame: return .frame(try FrameMessage(packet, serial: header.serial))
    case .report: return .report(try ReportMessage(packet))
    case .handled: return .handled(try Handled(packet))
    case .clientNotice: return .clientNotice(try ClientNotice(packet))
    case .panelNotice: return .panelNotice(try PanelNotice(packet))
    case .statusLine: return .statusLine(try StatusLine(packet))
    case .stuckNotice: return .stuckNotice(try StuckNotice(packet))
    case .displaysChanged: return .displaysChanged(try DisplayList.decode(packet))
    case .displayRotated: return .displayRotated(try DisplayRotated(packet))
    case .panelCaptured: return .panelCaptured(try PanelCaptured(packet))
    case .rawFrame: return .rawFrame(try RawFrame(packet))
    case .captureEnded: return .captureEnded(try CaptureEnded(packet))
    case .configurationRead: return .configurationRead(try ConfigurationRead(packet))
    case .activation: return .activation(try ActivationNotice(packet))
    default: throw .wrongDirection(type)
    }
  }
}
