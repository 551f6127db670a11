import TouchModel
import TouchWire

/// The examples of docs/wire.md as values.
enum DocumentedMessages {
  static let values: [String: WireValue] = [
    "hello": .hello(Hello(name: "demo")),
    "welcome": .welcome(
      Welcome(
        roles: .app, capabilities: .history, client: 1024, maximumUnacknowledged: 8,
        staleLimitNanoseconds: 1_000_000_000, displays: [.fallback])),
    "refusal": .refusal(Refusal(.unexpected, "the first message must be a hello")),
    "set-scenes": .setScenes([
      Scene(id: 1, frame: Rect(x: 0, y: 0, width: 1280, height: 800)),
      Scene(
        id: 2, frame: Rect(x: 800, y: 600, width: 480, height: 200),
        region: [
          Rect(x: 800, y: 600, width: 160, height: 200),
          Rect(x: 1120, y: 600, width: 160, height: 200),
        ], level: 10, flags: .sensitive),
    ]),
    "scenes-applied": .scenesApplied(ScenesApplied(scenesSerial: 2, result: .applied)),
    "frame-down": .frame(
      .init(times: downTimes, device: 1, contacts: [finger(.down, x: 640.5, y: 400.25)])),
    "frame-merged": .frame(
      .init(
        times: StageTimes(
          kernel: 5_024_000_000, read: 5_024_110_000, routed: 5_024_120_000, sent: 5_031_000_000),
        device: 1, contacts: [finger(.motion, x: 646, y: 402), secondFinger(.still)],
        history: [
          step(at: 5_008_000_000, x: 642, y: 401), step(at: 5_016_000_000, x: 644, y: 401.5),
        ])),
    "frame-end": .frame(
      .init(
        times: StageTimes(
          kernel: 5_032_000_000, read: 5_032_110_000, routed: 5_032_120_000, sent: 5_032_130_000),
        device: 1, contacts: [finger(.up, x: 646, y: 402), secondFinger(.cancel)])),
    "acknowledge": .acknowledge(acknowledgement),
    "subscribe": .subscribe,
    "report": .report(.init(times: downTimes, device: 1, contacts: observed)),
    "handled": .handled(Handled(client: 1024, acknowledgement: acknowledgement)),
    "client-notice": .clientNotice(
      ClientNotice(client: 1024, pid: 4711, uid: 1000, isGone: false, name: "demo")),
    "displays-changed": .displaysChanged([
      Display(id: 0, name: "default", width: 800, height: 1280)
    ]),
    "rotate-display": .rotateDisplay(RotateDisplay(display: "default", rotation: .quarter)),
    "display-rotated": .displayRotated(DisplayRotated(requestSerial: 2, result: .rotated)),
    "capture-panel": .capturePanel(CapturePanel(device: 1)),
    "panel-captured": .panelCaptured(
      PanelCaptured(
        requestSerial: 2, result: .captured, device: 1,
        panel: CapturedPanel(
          display: 0, declaredX: .init(minimum: 0, maximum: 4095),
          declaredY: .init(minimum: 0, maximum: 4095), usedX: .init(minimum: 32, maximum: 4064),
          usedY: .init(minimum: 0, maximum: 4095), millimetresX: 154, millimetresY: 86.5,
          mounting: .invertX, displayTransform: .picture(.quarter)))),
    "raw-frame": .rawFrame(
      RawFrame(
        timeNanoseconds: 5_000_000_000, device: 1,
        contacts: [
          RawContact(id: 7, slot: 0, phase: .motion, x: 2049, y: 1281, pressure: 0.5),
          RawContact(id: 8, slot: 1, phase: .up, x: 4096, y: -3),
        ])),
    "capture-ended": .captureEnded(CaptureEnded(device: 1, reason: .gone)),
    "read-configuration": .readConfiguration,
    "configuration-read": .configurationRead(
      ConfigurationRead(requestSerial: 2, result: .taken)),
    "panel-notice": .panelNotice(
      PanelNotice(device: 1, isGone: false, name: "Ten Finger Panel", node: "/dev/input/event5")),
    "stuck-notice": .stuckNotice(
      StuckNotice(device: 1, slot: 3, contact: 7, downTime: 5_000_000_000, isReleased: true)),
    "activation": .activation(ActivationNotice(display: 0, activation: .inactive)),
    "status-request": .statusRequest(from: 0),
    "status-line": .statusLine(
      StatusLine(
        requestSerial: 2, index: 2, isLastOfAnswer: true, hasMore: false,
        text: "{\"object\":\"client\",\"client\":1024}")),
  ]

  private static let downTimes = StageTimes(
    kernel: 5_000_000_000, read: 5_000_120_000, routed: 5_000_130_000, sent: 5_000_140_000)
  private static let acknowledgement = Acknowledgement(
    frameSerial: 5, readTime: 5_032_200_000, doneTime: 5_032_450_000)

  private static func finger(_ phase: ContactPhase, x: Double, y: Double) -> Contact {
    Contact(
      id: 7, slot: 0, scene: 1, phase: phase, position: Point(x: x, y: y), major: 12, minor: 9,
      pressure: 0.5)
  }

  private static func secondFinger(_ phase: ContactPhase) -> Contact {
    Contact(
      id: 8, slot: 1, scene: 1, phase: phase, position: Point(x: 100, y: 50), major: 8, minor: 8,
      pressure: 0.25)
  }

  private static func step(at time: UInt64, x: Double, y: Double) -> [HistorySample] {
    [
      HistorySample(timeNanoseconds: time, position: Point(x: x, y: y), pressure: 0.5, major: 12),
      HistorySample(
        timeNanoseconds: time, position: Point(x: 100, y: 50), pressure: 0.25, major: 8),
    ]
  }

  private static let observed = [
    ObservedContact(
      contact: Contact(
        id: 7, slot: 0, scene: 1, phase: .down, position: Point(x: 640.5, y: 400.25), rawX: 2049,
        rawY: 1281, major: 12, pressure: 0.5),
      client: 1024, reason: .none, isSensitive: false, frameSerial: 3),
    ObservedContact(
      contact: Contact(id: 8, slot: 1, scene: 2, phase: .down, position: Point(x: 0, y: 0)),
      client: 1024, reason: .none, isSensitive: true, frameSerial: 3),
    ObservedContact(
      contact: Contact(
        id: 9, slot: 2, phase: .down, position: Point(x: 1300, y: 10), rawX: 4095, rawY: 51,
        major: 8, pressure: 0.25),
      client: 0, reason: .noScene, isSensitive: false, frameSerial: 0),
  ]
}
