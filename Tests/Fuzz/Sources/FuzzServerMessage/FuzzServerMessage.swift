import FuzzDriver
import TouchModel
import TouchWire

/// The client's side: any bytes that a daemon sends decode, or throw, and never trap; each field of
/// what decoded can be read.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  withPackets(bytes, count, magic: WireFormat.magic, decode)
  return 0
}

private func decode(_ packet: UnsafeRawBufferPointer) {
  do throws(WireError) {
    switch try ServerMessage.decode(packet) {
    case .frame(let frame):
      for index in 0..<frame.contactCount {
        precondition(frame.contact(index).position.x.isFinite, "a position that is no number")
        for step in 0..<frame.historyCount { _ = frame.history(step: step, contact: index) }
      }
      _ = frame.times
    case .report(let report):
      for index in 0..<report.contactCount { _ = report.contact(index) }
      _ = (report.times, report.lost)
    case .statusLine(let line):
      // What tools make of it; its text is anything, also no JSON.
      if let value = JSONValue(parsing: line.text) { _ = value.plain }
    case .rawFrame(let frame):
      // What was read can be said again.
      let writer = PacketWriter()
      _ = writer.rawFrame(frame, serial: 1)
    default: break
    }
  } catch {
    precondition(!error.description.isEmpty, "an error without words")
  }
}

@main struct Fuzzer {
  static func main() { fuzz(fuzzOne) }
}
