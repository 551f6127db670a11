/// A description in the folder `desc` of the recordings of real devices, and what is to come of it.
public struct DescribedDevice: Sendable {
  /// The file's name without its ending.
  public let file: String
  /// The property by which udev says what kind of device it is.
  public let kind: String
  /// Further properties, as a rule of udev would set them.
  public let settings: [String]
  /// Why it is not used; nil if it is.
  public let reason: String?

  private init(_ file: String, _ kind: String, _ reason: String? = nil, settings: [String] = []) {
    (self.file, self.kind, self.reason, self.settings) = (file, kind, reason, settings)
  }

  private static let touchscreen = "ID_INPUT_TOUCHSCREEN"
  private static let tablet = "ID_INPUT_TABLET"
  private static let mouse = "ID_INPUT_MOUSE"
  private static let isTablet = "not a touchscreen: udev has it as a tablet"
  private static let isMouse = "not a touchscreen: udev has it as a mouse"

  /// All of them, by name.
  public static let all: [DescribedDevice] = [
    DescribedDevice("chromebook-basking-elan", touchscreen),
    DescribedDevice("chromebook-kohaku-pen", tablet, isTablet),
    // It has no direct property; udev's word is enough.
    DescribedDevice("chromebook-pixel-atmel", touchscreen),
    DescribedDevice("elan-touchscreen-010c", touchscreen),
    DescribedDevice(
      "libinput-calibrated-touchscreen", touchscreen,
      "udev's LIBINPUT_CALIBRATION_MATRIX cannot be 1.2 3.4 5.6 7.8 9.10 11.12: it puts a corner more "
        + "than half a display outside; is the raw range right (RangeX=, RangeY=)?",
      settings: [
        "LIBINPUT_CALIBRATION_MATRIX=1.2 3.4 5.6 7.8 9.10 11.12", "WL_OUTPUT=myOutput",
      ]),
    DescribedDevice("libinput-nexus4-touch-screen", touchscreen),
    DescribedDevice("libinput-protocol-a-touch-screen", touchscreen),
    DescribedDevice("libinput-touchscreen-fuzz", touchscreen),
    DescribedDevice("libinput-touchscreen-invalid-range", touchscreen),
    DescribedDevice("logitech-tap-ilitek-mouse", mouse, isMouse),
    DescribedDevice("logitech-tap-ilitek-touch", touchscreen),
    DescribedDevice("mimo-touch-2-egalax", touchscreen),
    DescribedDevice("pixelbook-wacom-finger", touchscreen),
    DescribedDevice("pixelbook-wacom-pen", tablet, isTablet),
    DescribedDevice("qemu-usb-tablet", mouse, isMouse),
    DescribedDevice("wacom-isdv4-90", tablet, isTablet),
    DescribedDevice("wacom-isdv4-e6-pen", tablet, isTablet),
    // Pen and fingers in one node: udev decides for the pen.
    DescribedDevice("wacom-serial-2fg", tablet, isTablet),
  ]
}
