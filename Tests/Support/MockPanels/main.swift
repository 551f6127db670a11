import Glibc
import LinuxIO
import Synchronization
import TouchModel
import TouchRecording

// Input devices out of thin air, for the daemon's real doors: udev, evdev's ioctls and read(2).
//
// It runs under libumockdev-preload and does what it is told at descriptor 3, a line each:
//
//     add NUMBER FILE PROPERTY=VALUE...    a device described by an evemu file appears; a tab in a
//                                          value stands for a space
//     plug NUMBER FILE PROPERTY=VALUE...   the same at a port; the others are virtual, as a program's
//     set NUMBER PROPERTY=VALUE            udev has another value for a property, without a word on it
//     send NUMBER TYPE:CODE:VALUE...       it sends these events
//     output NAME MODE                     an output of the graphics is plugged in, or has another mode;
//                                          - for MODE: it is plugged out
//     remove NUMBER                        it is unplugged; its number cannot come again
//
// Its first line is the folder to name in UMOCKDEV_DIR; then each command is answered with `ok`, or
// with what went wrong.

let library: UMockdev
do {
  library = try UMockdev()
} catch {
  print("cannot load umockdev: \(error)")
  exit(1)
}
guard let testbed = library.newTestbed(), let root = library.rootFolder(testbed) else {
  print("cannot make a testbed. Is libumockdev-preload.so.0 preloaded?")
  exit(1)
}
print(String(cString: root))
fflush(nil)

/// A command that cannot be done.
struct Refusal: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// The devices that are there; requests come on threads of umockdev's.
private let devices = Mutex<[Int: MockDevice]>([:])

/// Answers one ioctl(2); always returns 1, for "done".
private func answer(
  _ handler: UnsafeMutableRawPointer?, _ client: UnsafeMutableRawPointer?,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let client, let path = library.devicePath(client).map({ String(cString: $0) }) else {
    return 0
  }
  let request = library.request(client)
  let (number, size) = (Int(request & 0xff), Int(request >> 16 & 0x3fff))
  var failure: UnsafeMutableRawPointer?
  let room = library.argument(client).flatMap { library.resolve($0, 0, size, &failure) }
  let input = room.map { bytes(of: $0) } ?? []
  let answer = devices.withLock { devices -> MockDevice.Answer in
    guard let found = devices.first(where: { $0.value.node == path })?.key else {
      return .failure(ENODEV)
    }
    return devices[found]?.answer(number: number, size: size, input: input) ?? .failure(ENODEV)
  }
  switch answer {
  case .bytes(let bytes, let result):
    if let room, !bytes.isEmpty { library.update(room, 0, bytes, Int32(bytes.count)) }
    library.complete(client, result, 0)
  case .failure(let number): library.complete(client, -1, number)
  }
  return 1
}

private func bytes(of argument: UnsafeMutableRawPointer) -> [UInt8] {
  var start: UnsafeMutablePointer<UInt8>?
  var count: Int32 = 0
  library.retrieve(argument, &start, &count)
  defer { free(start) }
  return Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
}

private func add(
  _ number: Int, _ file: String, _ properties: [String], isVirtual: Bool
) throws {
  let recording = try Recording(parsing: readFile(file))
  guard let description = recording.devices.first?.description else {
    throw Refusal("\(file) describes no device")
  }
  let device = MockDevice(
    number: number, description: description, properties: properties.map(spaced),
    isVirtual: isVirtual)
  devices.withLock { $0[number] = device }
  // The answers come first: the daemon asks as soon as it hears of the device.
  try answerRequests(to: device.node)
  var failure: UnsafeMutableRawPointer?
  guard library.addFromString(testbed, device.text, &failure) != 0 else {
    throw Refusal("umockdev refuses \(device.node)")
  }
}

private func spaced(_ word: String) -> String { String(word.map { $0 == "\t" ? " " : $0 }) }

private func set(_ number: Int, _ property: String) throws {
  guard let device = devices.withLock({ $0[number] }) else {
    throw Refusal("there is no device \(number)")
  }
  let words = spaced(property).split(separator: "=", maxSplits: 1).map(String.init)
  guard words.count == 2 else { throw Refusal("'\(property)' is not PROPERTY=VALUE") }
  library.setProperty(testbed, device.sysPath, words[0], words[1])
}

private func answerRequests(to node: String) throws {
  guard let handler = library.newHandler() else { throw Refusal("no handler to be had") }
  _ = library.connectSignal(handler, "handle-ioctl", answer, nil, nil, 0)
  var failure: UnsafeMutableRawPointer?
  guard library.attach(testbed, node, handler, &failure) != 0 else {
    throw Refusal("umockdev refuses to answer for \(node)")
  }
}

private func send(_ number: Int, _ words: [Substring]) throws {
  let (node, events) = try devices.withLock { devices in
    guard var device = devices[number] else { throw Refusal("there is no device \(number)") }
    let events = try words.map { word in
      let parts = word.split(separator: ":").compactMap { Int32($0) }
      guard parts.count == 3 else { throw Refusal("'\(word)' is not TYPE:CODE:VALUE") }
      return device.send(type: UInt16(parts[0]), code: UInt16(parts[1]), value: parts[2])
    }
    devices[number] = device
    return (device.node, events)
  }
  let descriptor = library.deviceDescriptor(testbed, node)
  let size = events.count * MemoryLayout<EvdevEvent>.stride
  try awaitRoom(for: size, in: descriptor, of: node)
  let count = events.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  guard count == size else {
    throw Refusal("cannot write to \(node)")
  }
}

/// How many bytes were sent to each node since it was last seen empty.
private let unread = Mutex<[String: Int]>([:])

/// Waits for the reader where much of what was sent before may be unread.
///
/// The node is a pseudo-terminal. The kernel passes each write on whole, as evdev does with events,
/// only while there is room for it in its 4096 bytes.
private func awaitRoom(for count: Int, in descriptor: Int32, of node: String) throws {
  let sum = unread.withLock { unread in
    unread[node, default: 0] += count
    return unread[node, default: 0]
  }
  guard sum > 3_072 else { return }
  var number: Int32 = 0
  let numberRequest: UInt = 0x8004_5430  // TIOCGPTN
  guard ioctl(descriptor, numberRequest, &number) == 0 else {
    throw Refusal("\(node) is no pseudo-terminal")
  }
  let reader = open("/dev/pts/\(number)", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
  guard reader >= 0 else { throw Refusal("cannot open \(node) again: \(errno)") }
  defer { close(reader) }
  for _ in 0..<10_000 {
    var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    if poll(&entry, 1, 0) == 0 {
      unread.withLock { $0[node] = count }
      return
    }
    poll(nil, 0, 1)
  }
  throw Refusal("nobody reads \(node)")
}

private func remove(_ number: Int) throws {
  guard let device = devices.withLock({ $0.removeValue(forKey: number) }) else {
    throw Refusal("there is no device \(number)")
  }
  library.sendEvent(testbed, device.sysPath, "remove")
  library.removeDevice(testbed, device.sysPath)
  library.removeDevice(testbed, device.parentSysPath)
}

/// The outputs that have ever been there.
private let outputs = Mutex<Set<String>>([])

private func plug(_ name: String, _ mode: String) throws {
  let card = "/devices/platform/mock-gpu/drm/card0"
  let isConnected = mode != "-"
  let status = isConnected ? "connected" : "disconnected"
  let isFirst = outputs.withLock { $0.isEmpty }
  if outputs.withLock({ $0.insert(name).inserted }) {
    let text = """
      \(isFirst ? "P: \(card)\nE: SUBSYSTEM=drm\nE: DEVTYPE=drm_minor\n\n" : "")\
      P: \(card)/card0-\(name)
      E: SUBSYSTEM=drm
      E: DEVTYPE=drm_connector
      A: status=\(status)\\n
      A: modes=\(isConnected ? mode : "")\\n

      """
    var failure: UnsafeMutableRawPointer?
    guard library.addFromString(testbed, text, &failure) != 0 else {
      throw Refusal("umockdev refuses output \(name)")
    }
  } else {
    let path = "/sys\(card)/card0-\(name)"
    library.setAttribute(testbed, path, "status", "\(status)\n")
    library.setAttribute(testbed, path, "modes", isConnected ? "\(mode)\n" : "")
  }
  // The kernel speaks of the card, whichever connector it is.
  library.sendEvent(testbed, "/sys\(card)", "change")
}

private func obey(_ line: Substring) throws {
  let words = line.split(separator: " ")
  if words.count == 3, words[0] == "output" {
    return try plug(String(words[1]), String(words[2]))
  }
  guard words.count >= 2, let number = Int(words[1]) else { throw Refusal("what is '\(line)'?") }
  switch words[0] {
  case "add" where words.count >= 3, "plug" where words.count >= 3:
    try add(
      number, String(words[2]), words.dropFirst(3).map(String.init), isVirtual: words[0] == "add")
  case "set" where words.count == 3: try set(number, String(words[2]))
  case "send": try send(number, Array(words.dropFirst(2)))
  case "remove": try remove(number)
  default: throw Refusal("what is '\(line)'?")
  }
}

var pending: [UInt8] = []
var chunk = [UInt8](repeating: 0, count: 65_536)
while true {
  let count = read(3, &chunk, chunk.count)
  guard count > 0 else { break }
  pending += chunk[..<count]
  while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
    let line = String(decoding: pending[..<end], as: UTF8.self)
    pending.removeSubrange(...end)
    do {
      try obey(line[...])
      print("ok")
    } catch {
      print("\(error)")
    }
    fflush(nil)
  }
}
