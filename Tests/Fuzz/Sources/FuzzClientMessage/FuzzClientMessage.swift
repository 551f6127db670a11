import FuzzDriver
import TouchModel
import TouchWire

/// The daemon's side: any bytes that a client sends decode, or throw, and never trap.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  withPackets(bytes, count, magic: WireFormat.magic, decode)
  return 0
}

private func decode(_ packet: UnsafeRawBufferPointer) {
  do throws(WireError) {
    guard let (message, serial) = try ClientMessage.decode(packet) else { return }
    let writer = PacketWriter()
    // What was decoded can be said again, and then says the same.
    let again: UnsafeRawBufferPointer? =
      switch message {
      case .hello(let hello): writer.hello(hello, serial: serial)
      case .setScenes(let scenes): writer.setScenes(scenes, serial: serial)
      case .acknowledge(let word): writer.acknowledge(word, serial: serial)
      case .subscribe: writer.subscribe(serial: serial)
      case .statusRequest(let index): writer.statusRequest(from: index, serial: serial)
      case .rotateDisplay(let wish): writer.rotateDisplay(wish, serial: serial)
      case .capturePanel(let wish): writer.capturePanel(wish, serial: serial)
      case .readConfiguration: writer.readConfiguration(serial: serial)
      }
    guard let again, let second = try ClientMessage.decode(again) else { return }
    precondition(second.message == message, "a message changes when it is said again")
  } catch {
    precondition(!error.description.isEmpty, "an error without words")
  }
}

@main struct Fuzzer {
  static func main() { fuzz(fuzzOne) }
}
