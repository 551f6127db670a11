import FuzzDriver
import TouchModel
import TouchSettings

/// Any bytes are read as a configuration: each fault has words and a line that is there, and what is
/// sound can be used.
@c(LLVMFuzzerTestOneInput)
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let text = Array(UnsafeBufferPointer(start: bytes, count: count))
  let file = SettingsText(text, file: "fuzz")
  let lines = text.count { $0 == 0x0a } + 1
  let settings = Settings(quirks: [file], files: [file, file])
  for fault in settings.faults {
    precondition((0...lines).contains(fault.line), "a fault in a line that is not there")
    precondition(!fault.message.isEmpty, "a fault without words")
  }
  var device = DeviceDescription(name: "panel", bus: 3, vendor: 0x0eef, product: 1)
  device.axes[0] = AxisRange(minimum: 0, maximum: 4095)
  let matrix = text.first.map { "\($0) 0 0 0 1 0" } ?? ""
  let panel = PanelIdentity(
    path: "usb-0:1:1.0", description: device,
    properties: ["LIBINPUT_CALIBRATION_MATRIX": matrix])
  let resolution = settings.resolve(panel)
  if resolution.fault == nil {
    precondition(resolution.settings.calibrationTransform.fault == nil, "an unsound transform")
  }
  _ = resolution.settings.shown()
  _ = settings.unusedSections(among: [panel])
  return 0
}

@main struct Fuzzer {
  static func main() { fuzz(fuzzOne) }
}
