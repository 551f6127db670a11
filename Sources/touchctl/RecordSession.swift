import Glibc
import LinuxIO
import TouchModel
import TouchRecording
import TouchWire

/// The file that a recording goes into.
final class RecordOutput {
  private let file: OwnedDescriptor
  /// Why nothing more can be written; nil while it can.
  private(set) var failure: Errno?

  init(_ file: consuming OwnedDescriptor) { self.file = file }

  func write(_ text: String) {
    if failure == nil, !text.isEmpty, !writeAll(text.utf8, to: file.raw) { failure = .current }
  }
}

/// What the running daemon says of sensitive contacts; without a daemon there are no scenes.
final class SensitiveFeed {
  private let socket: PacketSocket?
  private let buffer = PacketBuffer(byteCount: WireFormat.maximumLength)
  private var devices: [UInt32: String] = [:]
  private var hasPicture = false

  init(path: String) {
    socket = try? PacketSocket.connect(to: path)
    let writer = PacketWriter()
    if let socket {
      _ = socket.send(writer.hello(Hello(roles: .observer, name: "touchctl record"), serial: 1))
      _ = socket.send(writer.subscribe(serial: 2))
    }
  }

  /// Waits until the daemon has named its panels; what it routes can be told apart then.
  func awaitPicture() {
    guard let socket else { return }
    // It names the panels first and then the clients, this one among them.
    let end = MonotonicClock.now() + 2_000_000_000
    var entry = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
    while !hasPicture, MonotonicClock.now() < end, poll(&entry, 1, 100) >= 0 {
      if entry.revents != 0, !read({ _, _, _ in }) { return }
    }
  }

  /// What to wait for; nil without a daemon.
  var descriptor: Int32? { socket?.descriptor }

  /// Whether the daemon routes what a node sends.
  func isWatched(_ node: String) -> Bool { devices.values.contains(node) }

  /// Reads what has come.
  ///
  /// - Returns: false if the daemon has gone.
  func read(_ report: (_ node: String, _ time: UInt64, _ shown: Set<Int32>) -> Void) -> Bool {
    guard let socket else { return false }
    while true {
      switch socket.receive(into: buffer.bytes) {
      case .done(let count):
        take(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count]), report)
      case .wouldBlock: return true
      case .closed, .failed:
        devices = [:]
        return false
      }
    }
  }

  private func take(
    _ packet: UnsafeRawBufferPointer, _ told: (String, UInt64, Set<Int32>) -> Void
  ) {
    switch try? ServerMessage.decode(packet) {
    case .panelNotice(let notice):
      devices[notice.device] = notice.isGone ? nil : notice.node
    case .clientNotice(let notice): hasPicture = hasPicture || notice.pid == getpid()
    case .report(let report):
      guard let node = devices[report.device] else { return }
      let contacts = (0..<report.contactCount).map { report.contact($0) }
      told(node, report.times.kernel, Set(contacts.filter { !$0.isSensitive }.map(\.contact.slot)))
    default: break
    }
  }
}

/// One run of `touchctl record`.
final class RecordSession {
  // Panels but the first are kept in memory until the end; a panel of ten fingers fills this in hours.
  private static let memoryLimit = 256 << 20

  private let panels: [RecordedPanel]
  private let output: RecordOutput
  private let feed: SensitiveFeed
  private let limit: Int?
  private var hasDaemon: Bool
  private let blank = EvdevEvent(seconds: 0, microseconds: 0, type: 0, code: 0, value: 0)

  init(_ panels: [RecordedPanel], to output: RecordOutput, feed: SensitiveFeed, limit: Int?) {
    self.panels = panels
    self.output = output
    self.feed = feed
    self.limit = limit
    hasDaemon = feed.descriptor != nil
  }

  func run() throws(RecordFailure) -> ExitCode {
    do throws(SystemError) {
      let signals = try SignalReader([SIGINT, SIGTERM])
      let poller = try Poller(capacity: 16)
      let timer = try DeadlineTimer()
      try poller.add(signals.descriptor, token: 0)
      try poller.add(timer.descriptor, token: 1)
      if let descriptor = feed.descriptor { try poller.add(descriptor, token: 2) }
      for (index, panel) in panels.enumerated() {
        try poller.add(panel.device.descriptor, token: UInt64(index) + 3)
      }
      feed.awaitPicture()
      announce()
      output.write(EvemuWriter.header + panels[0].header)
      loop: while !isOver {
        timer.set(panels.compactMap(\.gate.deadline).min())
        for index in 0..<poller.wait(milliseconds: -1) {
          switch poller.token(index) {
          case 0: break loop
          case 1: timer.consume()
          case 2: readFeed(poller)
          case let token: read(panels[Int(token) - 3], poller)
          }
        }
        for panel in panels { keep(panel.gate.release(at: MonotonicClock.now()), of: panel) }
      }
    } catch {
      throw RecordFailure("\(error)")
    }
    return finish()
  }

  private var isOver: Bool {
    output.failure != nil || panels.allSatisfy(\.isGone)
      || limit.map { limit in panels.reduce(0) { $0 + $1.frames } >= limit } ?? false
  }

  private func announce() {
    let names = panels.map { "\($0.node.node) (\($0.device.description.name))" }
    Console.line("touchctl: recording " + names.joined(separator: ", ") + ". Ctrl-C ends it.")
    Console.line(
      "touchctl: the file holds the time and place of each touch: whoever has it can tell what was "
        + "typed on a keyboard on the screen.")
    if !hasDaemon {
      Console.line(
        "touchctl: no daemon answers, so nothing is known of sensitive scenes and all is recorded.")
    }
  }

  private func readFeed(_ poller: Poller) {
    let goesOn = feed.read { node, time, shown in
      for panel in panels where panel.node.node == node {
        panel.gate.report(time, shown: shown)
      }
    }
    guard !goesOn, let descriptor = feed.descriptor, hasDaemon else { return }
    poller.remove(descriptor)
    hasDaemon = false
    Console.warn("the daemon has gone; from here on nothing is known of sensitive scenes.")
  }

  private func read(_ panel: RecordedPanel, _ poller: Poller) {
    var events = [EvdevEvent](repeating: blank, count: 512)
    let read = events.withUnsafeMutableBufferPointer { panel.device.read(into: $0) }
    switch read {
    case .events(let count):
      let isWatched = hasDaemon && feed.isWatched(panel.node.node)
      panel.gate.take(events[..<count], isWatched: isWatched, at: MonotonicClock.now())
    case .nothing: break
    case .gone, .failed:
      poller.remove(panel.device.descriptor)
      panel.isGone = true
      Console.warn("\(panel.node.node) has gone; what it sent is kept.")
    }
  }

  private func keep(_ events: [EvdevEvent], of panel: RecordedPanel) {
    var text = ""
    for event in events {
      EvemuWriter.append(event, to: &text)
      if event.type == EvdevCode.syn, event.code == EvdevCode.synReport { panel.frames += 1 }
    }
    if panel === panels[0] {
      output.write(text)
    } else if panel.text.utf8.count < Self.memoryLimit {
      panel.text += text
    } else if !panel.isGone {
      panel.isGone = true
      Console.warn("\(panel.node.node): too much to keep; record it alone for longer.")
    }
  }

  private func finish() -> ExitCode {
    for panel in panels { keep(panel.gate.releaseAll(), of: panel) }
    for panel in panels.dropFirst() { output.write(panel.header + panel.text) }
    let masked = panels.reduce(0) { $0 + $1.gate.maskedFrames }
    if masked > 0 { output.write("# Touchbridge: \(masked) frames without some of their places\n") }
    let frames = panels.reduce(0) { $0 + $1.frames }
    Console.line("touchctl: \(frames) frames recorded.")
    guard let failure = output.failure else { return .done }
    Console.fail("cannot write the recording: \(failure). Is there room?")
    return .failed
  }
}
