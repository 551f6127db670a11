import FuzzDriver
import TouchFrames
import TouchModel
import TouchRecording

/// Any bytes are read as a recording, or refused with a line number; what was read makes frames that
/// obey the laws of a touch stream.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let text = Array(UnsafeBufferPointer(start: bytes, count: count))
  let recording: Recording
  do throws(RecordingError) {
    recording = try Recording(parsing: text)
  } catch {
    precondition(!error.description.isEmpty, "an error without words")
    return 0
  }
  for device in recording.devices { play(device) }
  return 0
}

private func play(_ device: RecordedDevice) {
  // A device without position axes makes no frames; that is an answer, too.
  guard
    var assembler = try? FrameAssembler(
      description: device.description, device: 1, display: 0, ids: ContactIDSequence(),
      source: .recording, isInjected: true)
  else { return }
  var checker = TouchStreamChecker()
  func check() {
    do throws(TouchStreamFault) {
      try checker.accept(assembler.frame.frame())
    } catch {
      preconditionFailure("the frames break a law: \(error)")
    }
  }
  for event in device.events where assembler.consume(event) {
    repeat { check() } while assembler.takePendingFrame()
  }
  if assembler.cancelAll(timeNanoseconds: 0) { check() }
  precondition(checker.liveContacts.isEmpty, "a contact is left down at the end")
}

@main struct Fuzzer {
  static func main() { fuzz(fuzzOne) }
}
