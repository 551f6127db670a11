import Glibc
import LinuxIO
import TouchModel
import TouchSettings
import TouchWire

/// Why a tool that works with the daemon cannot go on: the sentence, and what the shell is told.
struct ToolFailure: Error {
  var sentence: String
  var code = ExitCode.failed
}

/// An administrator's connection to the daemon: questions, answers, and a captured panel's frames.
final class AdminConnection {
  // A daemon that is asked answers in a millisecond; one that was stopped never does.
  private static let patience: UInt64 = 5_000_000_000

  private let path: String
  private let socket: PacketSocket
  private let poller: Poller
  private let signals: SignalReader?
  private let buffer = PacketBuffer(byteCount: WireFormat.maximumLength)
  private let writer = PacketWriter()
  private var serial: UInt32 = 0
  /// The displays there are.
  private(set) var displays: [Display] = []
  /// Whether the person at the terminal, or a program, wants it to end.
  private(set) var isInterrupted = false
  /// Whether it may be; not while a change is half made.
  var isInterruptible = true

  /// Connects.
  ///
  /// - Parameter catchesSignals: whether Ctrl-C sets `isInterrupted` instead of ending the program.
  init(path: String, name: String, catchesSignals: Bool = false) throws(ToolFailure) {
    self.path = path
    do throws(SystemError) {
      signals = catchesSignals ? try SignalReader([SIGINT, SIGTERM]) : nil
      socket = try PacketSocket.connect(to: path)
      poller = try Poller(capacity: 2)
      try poller.add(socket.descriptor, token: 1)
      if let signals { try poller.add(signals.descriptor, token: 2) }
    } catch {
      throw ToolFailure(
        sentence: "\(error). Is touchbridged running, and may you use \(path)?", code: .noDaemon)
    }
    send { $0.hello(Hello(roles: .admin, name: name), serial: $1) }
  }

  /// Sends a message.
  ///
  /// - Returns: its serial, which the answer names.
  @discardableResult
  func send(_ message: (PacketWriter, UInt32) -> UnsafeRawBufferPointer) -> UInt32 {
    serial += 1
    _ = socket.send(message(writer, serial))
    return serial
  }

  /// Waits for the next message that is an answer or a captured panel's.
  ///
  /// - Parameter deadline: when to give up; nil for never.
  /// - Returns: nil at the deadline, or when it was interrupted.
  /// - Errors: `ToolFailure` if the daemon refuses or has gone.
  func next(by deadline: UInt64?) throws(ToolFailure) -> ServerMessage? {
    while !isInterrupted {
      switch socket.receive(into: buffer.bytes) {
      case .done(let count):
        if let message = try take(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])) {
          return message
        }
      case .wouldBlock:
        guard wait(until: deadline) else { return nil }
      case .closed:
        throw ToolFailure(
          sentence: "the daemon has gone. Start again once it is back.", code: .noDaemon)
      case .failed(let errno):
        throw ToolFailure(sentence: "cannot read from \(path): \(errno).")
      }
    }
    return nil
  }

  /// - Returns: false at the deadline, or when it was interrupted.
  private func wait(until deadline: UInt64?) -> Bool {
    var milliseconds: Int32 = -1
    if let deadline {
      let now = MonotonicClock.now()
      guard now < deadline else { return false }
      milliseconds = Int32(min((deadline - now) / 1_000_000 + 1, 60_000))
    }
    for index in 0..<poller.wait(milliseconds: milliseconds) where poller.token(index) == 2 {
      _ = signals?.next()
      isInterrupted = isInterrupted || isInterruptible
    }
    return !isInterrupted
  }

  private func take(_ packet: UnsafeRawBufferPointer) throws(ToolFailure) -> ServerMessage? {
    let message: ServerMessage?
    do throws(WireError) {
      message = try ServerMessage.decode(packet)
    } catch {
      throw ToolFailure(
        sentence: "the daemon sent a \(error). Are daemon and touchctl of one version?")
    }
    switch message {
    case .refusal(let refusal):
      throw ToolFailure(sentence: "the daemon refuses: \(refusal.text)")
    case .welcome(let welcome): displays = welcome.displays
    case .displaysChanged(let changed): displays = changed
    // These borrow the packet; an administrator gets none.
    case .frame, .report, nil: break
    case .some(let message): return message
    }
    return nil
  }

  /// Asks, and waits for the answer that a function finds among what comes.
  func ask<Answer>(
    _ message: (PacketWriter, UInt32) -> UnsafeRawBufferPointer,
    _ find: (ServerMessage, UInt32) -> Answer?
  ) throws(ToolFailure) -> Answer {
    let request = send(message)
    let deadline = MonotonicClock.now() &+ Self.patience
    while let message = try next(by: deadline) {
      if let answer = find(message, request) { return answer }
    }
    throw ToolFailure(
      sentence: isInterrupted
        ? "interrupted; nothing was changed." : "the daemon does not answer. Is it of this version?"
    )
  }

  // MARK: Panels

  /// The daemon's configuration and all panels, also those that are waited for.
  func standing() throws(ToolFailure) -> (configuration: String?, panels: [StatusPanel]) {
    var configuration: String?
    var panels: [StatusPanel] = []
    var from: UInt32? = 0
    while let first = from {
      let request = send { $0.statusRequest(from: first, serial: $1) }
      let deadline = MonotonicClock.now() &+ Self.patience
      from = nil
      var isAnswered = false
      while !isAnswered {
        guard let message = try next(by: deadline) else {
          throw ToolFailure(sentence: "the daemon does not answer. Does it hang? Look at its log.")
        }
        guard case .statusLine(let line) = message, line.requestSerial == request else { continue }
        if let value = JSONValue(parsing: line.text) {
          if let panel = StatusPanel(value) { panels.append(panel) }
          if case .text(let path) = value["configuration"] { configuration = path }
        }
        isAnswered = line.isLastOfAnswer
        if line.hasMore { from = line.index &+ 1 }
      }
    }
    return (configuration, panels)
  }

  /// The panel that a word means: its number, its node, the node's last part, or its name.
  func panel(_ word: String) throws(ToolFailure) -> StatusPanel {
    let all = try standing().panels
    let usable = all.filter { $0.device != nil }
    let exact = usable.filter {
      $0.device.map { "\($0)" } == word || $0.node == word || $0.node.hasSuffix("/\(word)")
        || $0.name == word
    }
    if exact.count == 1 { return exact[0] }
    if let waiting = all.first(where: { $0.device == nil && $0.node == word }) {
      throw ToolFailure(sentence: "panel \(word) cannot be used: \(waiting.reason)")
    }
    let list = usable.map(\.words).joined(separator: ", ")
    if exact.count > 1 {
      throw ToolFailure(
        sentence: "\(word) names several panels; take the number of one: \(list).")
    }
    throw ToolFailure(
      sentence: usable.isEmpty
        ? "the daemon has no panel \(word), and no other. `touchctl devices` says why."
        : "there is no panel \(word); there are \(list).")
  }
}

/// A panel as the daemon's status has it.
struct StatusPanel {
  /// Its number; nil for one that is waited for.
  var device: UInt32?
  var node: String
  var name: String
  var path: String
  var physicalLocation: String
  var reason: String
  /// The six numbers of its own part of the transform.
  var matrix: [Double]
  /// Whether its size in millimetres is known.
  var hasSize: Bool

  /// - Returns: nil for what is no panel's line.
  init?(_ value: JSONValue) {
    guard value["object"]?.plain == "panel" else { return nil }
    func text(_ key: String) -> String {
      if case .text(let text) = value[key] { text } else { "" }
    }
    device = value["device"].flatMap { UInt32($0.plain) }
    node = text("node")
    name = text("name")
    path = text("path")
    physicalLocation = text("phys")
    reason = text("reason")
    hasSize = value["size_mm"]?.elements.count == 2
    matrix = value["panel_matrix"]?.elements.compactMap { Double($0.plain) } ?? []
  }

  /// What sections know it by.
  var identity: PanelIdentity {
    var description = DeviceDescription(name: name)
    description.physicalLocation = physicalLocation
    return PanelIdentity(path: path, description: description)
  }

  /// What people tell it by.
  var words: String { "\(device.map { "\($0)" } ?? "-") (\(name), \(node))" }
}
