import Glibc
import LinuxIO
import TouchFrames
import TouchModel
import TouchRecording

/// A recording on its way through the frame assemblers, one a device.
final class Decoding {
  private final class Panel {
    var assembler: FrameAssembler
    init(_ assembler: consuming FrameAssembler) { self.assembler = assembler }
  }

  private let recording: Recording
  private let path: String
  // nil for a device whose events give no frames.
  private let panels: [Panel?]

  /// Reads a file; fails, and says why, if that cannot be done or no device of it gives frames.
  convenience init?(path: String) {
    guard let recording = RecordingFile.read(path) else { return nil }
    self.init(recording, path: path)
  }

  /// The same with a recording that was read already.
  init?(_ recording: Recording, path: String) {
    self.recording = recording
    self.path = path
    let ids = ContactIDSequence()
    var panels: [Panel?] = []
    var refusals: [String] = []
    for (index, device) in recording.devices.enumerated() {
      do throws(FrameError) {
        let assembler = try FrameAssembler(
          description: device.description, device: UInt32(truncatingIfNeeded: index), display: 0,
          ids: ids, source: .recording, isInjected: false)
        panels.append(Panel(assembler))
      } catch {
        panels.append(nil)
        refusals.append("\(path): line \(device.line): \(error)")
      }
    }
    self.panels = panels
    let isHopeless = refusals.count == panels.count
    for refusal in refusals { isHopeless ? Console.fail(refusal) : Console.warn(refusal) }
    if isHopeless { return nil }
  }

  func run(_ printer: any FramePrinter) {
    for timed in RecordingTimeline(recording) {
      guard let panel = panels[timed.device], panel.assembler.consume(timed.event) else { continue }
      repeat { printer.print(panel.assembler.frame) } while panel.assembler.takePendingFrame()
    }
    for (device, panel) in zip(recording.devices, panels) {
      guard let panel, let last = device.lastReportNanoseconds else { continue }
      if panel.assembler.cancelAll(timeNanoseconds: last) { printer.print(panel.assembler.frame) }
    }
  }

  func warn() {
    for (device, panel) in zip(recording.devices, panels) {
      guard let panel else { continue }
      let remarks = RecordingRemarks(
        device, counters: panel.assembler.counters, slots: panel.assembler.declaredSlots,
        protocol: panel.assembler.touchProtocol)
      for remark in remarks.texts { Console.warn("\(path): \(remark)") }
    }
  }
}
