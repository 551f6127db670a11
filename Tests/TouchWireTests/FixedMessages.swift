import TouchModel
import TouchWire

/// The messages of Tests/Fixtures/wire/version-1.md as values.
enum FixedMessages {
  static let values: [String: WireValue] =
    Dictionary(
      uniqueKeysWithValues: toDaemon + answers + refusals + frames + observations + displays
        + captures)

  private static let displays: [(String, WireValue)] = [
    (
      "rotate-display-270",
      .rotateDisplay(
        RotateDisplay(display: "12345678901234567890123456789012", rotation: .threeQuarters))
    ),
    ("displays-changed-none", .displaysChanged([])),
    (
      "displays-changed-two",
      .displaysChanged([
        Display(id: 0, name: "HDMI-A-1", width: 1080, height: 1920),
        Display(id: widest, name: "Küche", width: 480.25, height: 800.5, scale: 1.5),
      ])
    ),
    (
      "display-rotated-0",
      .displayRotated(DisplayRotated(requestSerial: widest, result: .rotated))
    ),
    (
      "display-rotated-1",
      .displayRotated(DisplayRotated(requestSerial: 1, result: .unknownDisplay))
    ),
  ]

  private static let widest = UInt32.max

  private static let captures: [(String, WireValue)] = [
    ("capture-panel-release", .capturePanel(CapturePanel(device: widest, isRelease: true))),
    ("panel-captured-widest", .panelCaptured(widestCapture)),
    (
      "panel-captured-1",
      .panelCaptured(
        PanelCaptured(requestSerial: 1, result: .unknownPanel, device: 9, text: "no panel 9"))
    ),
    (
      "panel-captured-2",
      .panelCaptured(
        PanelCaptured(
          requestSerial: 1, result: .taken, device: 9, text: String(repeating: "é", count: 100)))
    ),
    ("raw-frame-none", .rawFrame(RawFrame(timeNanoseconds: 0, device: 0, contacts: []))),
    (
      "raw-frame-extremes",
      .rawFrame(
        RawFrame(
          timeNanoseconds: .max, lost: .max, device: widest,
          contacts: [
            RawContact(
              id: .max, slot: .min, phase: .hover, tool: .palm, x: .min, y: .max,
              pressure: -.greatestFiniteMagnitude)
          ]))
    ),
    ("capture-ended-0", .captureEnded(CaptureEnded(device: widest, reason: .released))),
    ("capture-ended-2", .captureEnded(CaptureEnded(device: 0, reason: .changed))),
    ("read-configuration-plain", .readConfiguration),
    (
      "configuration-read-1",
      .configurationRead(
        ConfigurationRead(
          requestSerial: widest, result: .refused,
          text: "/etc/touchbridge/touchbridge.conf:3: Küche"))
    ),
  ]

  private static let widestCapture = PanelCaptured(
    requestSerial: widest, result: .captured, device: widest,
    panel: CapturedPanel(
      display: widest, declaredX: .init(minimum: .min, maximum: .max),
      declaredY: .init(minimum: .max, maximum: .min), usedX: .init(minimum: 0, maximum: 1),
      usedY: .init(minimum: -1, maximum: 0), millimetresX: 1e300, millimetresY: 1e-300,
      mounting: PanelTransform(1, 2, 3, 4, 5, 6),
      displayTransform: PanelTransform(-1, -2, -3, -4, -5, -6)))

  private static let toDaemon: [(String, WireValue)] = [
    (
      "hello-widest",
      .hello(
        Hello(
          minimumVersion: 0, maximumVersion: .max, roles: WireRoles(rawValue: widest),
          capabilities: WireCapabilities(rawValue: .max),
          name: String(repeating: "x", count: 64)))
    ),
    (
      "hello-unicode",
      .hello(Hello(maximumVersion: 3, roles: .observer, capabilities: [], name: "Küche 👆"))
    ),
    ("set-scenes-none", .setScenes([])),
    (
      "set-scenes-extremes",
      .setScenes([
        Scene(
          id: widest, display: widest, frame: Rect(x: -1e300, y: 1e300, width: 0, height: 1e-300),
          region: [Rect(x: -1, y: -2, width: 0, height: 0)], level: .min,
          flags: SceneFlags(rawValue: widest)),
        Scene(
          id: 0, frame: Rect(x: -0.5, y: -0.25, width: 1.5, height: 2.5),
          region: [
            Rect(x: 1, y: 2, width: 3, height: 4), Rect(x: -1, y: -2, width: 0, height: 0),
          ], level: .max, flags: .notTouchable),
      ])
    ),
    (
      "acknowledge-widest",
      .acknowledge(
        Acknowledgement(
          frameSerial: widest, staleContacts: widest, readTime: .max, doneTime: .max))
    ),
    ("subscribe-plain", .subscribe),
  ]

  private static let answers: [(String, WireValue)] = [
    (
      "welcome-no-displays",
      .welcome(
        Welcome(
          roles: [], capabilities: [], client: widest, maximumUnacknowledged: 0,
          staleLimitNanoseconds: 0, displays: []))
    ),
    (
      "welcome-two-displays",
      .welcome(
        Welcome(
          roles: [.app, .observer, .interceptor, .injector, .admin],
          capabilities: .history, client: 2049, maximumUnacknowledged: 8,
          staleLimitNanoseconds: .max,
          displays: [
            Display(id: 0, name: "HDMI-A-1", width: 1920, height: 1080),
            Display(
              id: widest, name: "12345678901234567890123456789012", width: 800.5, height: 480.25,
              scale: 1.5),
          ]))
    ),
    ("scenes-applied-0", .scenesApplied(ScenesApplied(scenesSerial: widest, result: .applied))),
    (
      "scenes-applied-1",
      .scenesApplied(ScenesApplied(scenesSerial: widest, result: .unknownDisplay))
    ),
    (
      "scenes-applied-2",
      .scenesApplied(ScenesApplied(scenesSerial: widest, result: .duplicateScene))
    ),
  ]

  private static let refusals: [(String, WireValue)] = [
    ("refusal-1", .refusal(Refusal(.version, "text 1"))),
    ("refusal-2", .refusal(Refusal(.malformed, "text 2"))),
    ("refusal-3", .refusal(Refusal(.notPermitted, "text 3"))),
    ("refusal-4", .refusal(Refusal(.limit, "text 4"))),
    ("refusal-5", .refusal(Refusal(.unexpected, "text 5"))),
    ("refusal-999", .refusal(Refusal(.init(rawValue: 999), "text 999"))),
  ]

  private static let frames: [(String, WireValue)] = [
    ("frame-no-contacts", .frame(.init(times: StageTimes(kernel: 0), device: 0))),
    (
      "frame-all-phases",
      .frame(
        .init(
          times: StageTimes(kernel: 1, read: 2, routed: 3, sent: .max), device: widest,
          display: widest, contacts: (0..<5).map(numbered)))
    ),
    (
      "frame-extremes",
      .frame(
        .init(
          times: StageTimes(kernel: .max, read: .max, routed: .max, sent: .max), device: 1,
          contacts: [
            Contact(
              id: .max, slot: .min, scene: widest, phase: .motion, tool: .palm, isInjected: true,
              position: Point(x: 1e300, y: -1e-300), major: .greatestFiniteMagnitude,
              minor: -.greatestFiniteMagnitude, pressure: -0.0,
              orientation: .leastNonzeroMagnitude)
          ],
          history: [
            [
              HistorySample(
                timeNanoseconds: .max, position: Point(x: -1e300, y: 0), pressure: 1, major: 2)
            ]
          ]))
    ),
  ]

  /// A contact in each phase, each field with a value of its own.
  private static func numbered(_ index: Int) -> Contact {
    let tools: [ContactTool] = [.finger, .pen, .palm, .finger, .pen]
    let number = Float(index)
    return Contact(
      id: UInt64(index + 1), slot: Int32(index), scene: UInt32(index),
      phase: ContactPhase.allCases[index], tool: tools[index], isInjected: index % 2 == 1,
      position: Point(x: 1.5 * Double(index), y: -2.25 * Double(index)), major: 0.5 * number,
      minor: 0.25 * number, pressure: 0.125 * number, orientation: -0.75 * number)
  }

  private static let observations: [(String, WireValue)] = [
    (
      "report-none",
      .report(
        .init(
          times: StageTimes(kernel: 1, read: 2, routed: 3, sent: 4), device: 1, lost: .max))
    ),
    (
      "report-all-reasons",
      .report(
        .init(
          times: StageTimes(kernel: 1, read: 2, routed: 3, sent: 4), device: 1, lost: 3,
          contacts: (0..<9).map(observed)))
    ),
    (
      "handled-widest",
      .handled(
        Handled(
          client: widest,
          acknowledgement: Acknowledgement(
            frameSerial: widest, staleContacts: widest, readTime: .max, doneTime: .max)))
    ),
    (
      "client-gone",
      .clientNotice(ClientNotice(client: 2048, pid: -1, uid: widest, isGone: true, name: ""))
    ),
    (
      "panel-gone",
      .panelNotice(
        PanelNotice(
          device: widest, isGone: true, name: String(repeating: "n", count: 80),
          node: "/dev/input/" + String(repeating: "x", count: 117)))
    ),
    ("status-request-last", .statusRequest(from: widest)),
    (
      "status-line-empty",
      .statusLine(
        StatusLine(
          requestSerial: widest, index: widest, isLastOfAnswer: true, hasMore: false, text: ""))
    ),
    (
      "status-line-more",
      .statusLine(
        StatusLine(
          requestSerial: 8, index: 31, isLastOfAnswer: true, hasMore: true,
          text: "{\"name\":\"Küche 👆\"}"))
    ),
    (
      "stuck-widest",
      .stuckNotice(
        StuckNotice(
          device: widest, slot: .min, contact: .max, downTime: .max, isReleased: false))
    ),
    (
      "activation-background",
      .activation(ActivationNotice(display: widest, activation: .background))
    ),
    (
      "report-filtered",
      .report(
        .init(
          times: StageTimes(kernel: 1, read: 2, routed: 3, sent: 4), device: 1,
          contacts: [
            ObservedContact(
              contact: Contact(
                id: 1, slot: 0, phase: .up, position: Point(x: 1.5, y: 2.5), rawX: 3, rawY: 5),
              client: 0, reason: .filtered, isSensitive: false, frameSerial: 0,
              filter: .minimumDuration),
            ObservedContact(
              contact: Contact(id: 2, slot: 1, phase: .down, position: Point(x: 0, y: 0)),
              client: 0, reason: .filtered, isSensitive: true, frameSerial: 0,
              filter: .deadRectangle),
          ]))
    ),
  ]

  private static func observed(_ index: Int) -> ObservedContact {
    let reasons: [DropReason] = [
      .none, .noScene, .downBeforeStart, .clientGone, .sceneGone, .clientUnresponsive, .palm,
      .tooManyContacts, .stale,
    ]
    let contact = Contact(
      id: UInt64(index + 1), slot: Int32(index), scene: UInt32(index),
      phase: ContactPhase.allCases[index % 5], tool: ContactTool.allCases[index % 3],
      isInjected: index == 8, position: Point(x: 10 * Double(index), y: 20 * Double(index)),
      rawX: -Int32(index), rawY: 100 * Int32(index), major: 1.5, pressure: 0.5)
    return ObservedContact(
      contact: contact, client: index == 0 ? 1024 : 0, reason: reasons[index], isSensitive: false,
      frameSerial: index == 0 ? 9 : 0)
  }
}
