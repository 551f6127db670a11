// swift-tools-version: 6.2
import PackageDescription

// Targets stand in pipeline order, device first. Imports point up this list; the client side
// (TouchClient, TouchKit) never imports the daemon side. docs/architecture.md draws the graph.
let package = Package(
  name: "touchbridge",
  products: [
    .library(name: "TouchKit", targets: ["TouchKit"]),
    .library(name: "TouchKitFoundation", targets: ["TouchKitFoundation"]),
    .library(name: "TouchClient", targets: ["TouchClient"]),
    .library(name: "TouchTestSupport", targets: ["TouchTestSupport"]),
    .executable(name: "touchbridged", targets: ["touchbridged"]),
    .executable(name: "touchctl", targets: ["touchctl"]),
  ],
  targets: [
    // System libraries and C.
    .systemLibrary(
      name: "CLibevdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
    .systemLibrary(name: "CLibudev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
    .target(name: "CLinuxShims", cSettings: [.define("_GNU_SOURCE")]),

    // Shared values and the pure stages.
    .target(name: "TouchModel"),
    .target(name: "TouchWire", dependencies: ["TouchModel"]),
    .target(name: "TouchFrames", dependencies: ["TouchModel"]),
    .target(name: "TouchFilters", dependencies: ["TouchModel"]),
    .target(name: "TouchRouting", dependencies: ["TouchModel"]),
    .target(name: "TouchRecording", dependencies: ["TouchModel"]),
    .target(name: "TouchSettings", dependencies: ["TouchModel"], exclude: ["quirks.conf"]),
    .target(name: "TouchCalibration", dependencies: ["TouchModel"]),

    // Edges.
    .target(name: "LinuxIO", dependencies: ["CLinuxShims"]),
    .target(
      name: "EvdevSource",
      dependencies: ["TouchModel", "LinuxIO", "CLibevdev", "CLibudev", "CLinuxShims"]),
    .target(
      name: "BridgeDaemon",
      dependencies: [
        "TouchModel", "TouchWire", "TouchFrames", "TouchFilters", "TouchRouting",
        "TouchRecording", "TouchSettings", "LinuxIO", "EvdevSource",
      ]),
    .executableTarget(
      name: "touchbridged", dependencies: ["BridgeDaemon", "LinuxIO", "TouchModel"]),

    // Client side.
    .target(name: "TouchClient", dependencies: ["TouchModel", "TouchWire", "LinuxIO"]),
    .target(
      name: "TouchKit", dependencies: ["TouchModel", "TouchClient", "LinuxIO", "CLinuxShims"]),
    .target(name: "TouchKitFoundation", dependencies: ["TouchKit"]),
    .target(name: "GestureTranscript", dependencies: ["TouchModel", "TouchKit"]),
    .executableTarget(
      name: "touchctl",
      dependencies: [
        "TouchModel", "TouchWire", "TouchFrames", "TouchRecording", "TouchSettings",
        "TouchCalibration", "LinuxIO", "EvdevSource", "BridgeDaemon", "TouchClient", "TouchKit",
        "GestureTranscript",
      ]),
    .target(
      name: "TouchTestSupport",
      dependencies: [
        "TouchModel", "TouchWire", "TouchFrames", "TouchRouting", "LinuxIO", "TouchClient",
        "TouchKit",
      ]),

    // Examples.
    .executableTarget(name: "Panel", dependencies: ["TouchKit"], path: "Examples/Panel"),
    .executableTarget(
      name: "TouchProbe", dependencies: ["TouchKit"], path: "Examples/TouchProbe"),

    // What script/bench runs; the count of allocations serves a test, too.
    .target(name: "CAllocationCount", path: "Benchmarks/CAllocationCount"),
    .executableTarget(
      name: "BenchDaemon",
      dependencies: ["BridgeDaemon", "TouchFilters", "LinuxIO", "TouchModel", "CLinuxShims"],
      path: "Benchmarks/BenchDaemon"),
    .executableTarget(
      name: "BenchDecode", dependencies: ["TouchFrames", "LinuxIO", "TouchModel"],
      path: "Benchmarks/BenchDecode"),
    .executableTarget(
      name: "BenchApp", dependencies: ["TouchKit", "LinuxIO", "CLinuxShims"],
      path: "Benchmarks/BenchApp"),
    .executableTarget(
      name: "BenchHitTest", dependencies: ["TouchKit", "LinuxIO"], path: "Benchmarks/BenchHitTest"),
    .executableTarget(
      name: "BenchClient", dependencies: ["TouchClient", "LinuxIO", "TouchModel", "CLinuxShims"],
      path: "Benchmarks/BenchClient"),

    // Tests.
    .target(
      name: "TestSupport", dependencies: ["LinuxIO"], path: "Tests/Support/TestSupport"),
    .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"]),
    .executableTarget(
      name: "LoopProbe", dependencies: ["TouchKit", "TouchKitFoundation"],
      path: "Tests/Support/LoopProbe"),
    .executableTarget(
      name: "ProbeCost", dependencies: ["TouchKit", "TouchModel", "CAllocationCount"],
      path: "Tests/Support/ProbeCost"),
    .executableTarget(
      name: "MockPanels", dependencies: ["TouchModel", "TouchRecording", "LinuxIO"],
      path: "Tests/Support/MockPanels"),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "TouchModel", "TouchWire", "TouchRecording", "TouchSettings", "TouchClient", "LinuxIO",
        "TestSupport", "UInputPanel",
      ]),
    .testTarget(name: "TouchModelTests", dependencies: ["TouchModel"]),
    .testTarget(
      name: "BridgeDaemonTests",
      dependencies: [
        "TouchModel", "TouchWire", "TouchFrames", "TouchFilters", "TouchRouting",
        "TouchRecording", "TouchSettings", "LinuxIO", "EvdevSource", "BridgeDaemon", "TestSupport",
      ]),
    .testTarget(
      name: "TouchClientTests",
      dependencies: ["TouchModel", "TouchWire", "TouchClient", "LinuxIO", "TestSupport"]),
    .testTarget(name: "TouchWireTests", dependencies: ["TouchModel", "TouchWire", "TestSupport"]),
    .testTarget(
      name: "TouchTestSupportTests",
      dependencies: [
        "TouchModel", "TouchWire", "TouchFrames", "LinuxIO", "TouchClient", "TouchKit",
        "TouchTestSupport",
      ]),
    .testTarget(
      name: "TouchFiltersTests", dependencies: ["TouchModel", "TouchFilters", "TestSupport"]),
    .testTarget(
      name: "TouchSettingsTests",
      dependencies: ["TouchModel", "TouchSettings", "TouchRecording", "TestSupport"]),
    .testTarget(
      name: "TouchCalibrationTests",
      dependencies: ["TouchModel", "TouchCalibration", "TestSupport"]),
    .testTarget(
      name: "TouchRoutingTests", dependencies: ["TouchModel", "TouchRouting", "TestSupport"]),

    // System tests: they run in a machine of their own (script/test --system), on panels that the
    // kernel makes for them through uinput and uhid.
    .target(name: "CUInput", path: "Tests/SystemTests/Support/CUInput"),
    .target(
      name: "UInputPanel", dependencies: ["TouchModel", "CUInput"],
      path: "Tests/SystemTests/Support/UInputPanel"),
    .testTarget(
      name: "UInputPanelTests", dependencies: ["UInputPanel", "UHIDDevice", "TouchModel"]),
    .target(name: "CUHID", path: "Tests/SystemTests/Support/CUHID"),
    .target(
      name: "UHIDDevice", dependencies: ["CUHID"], path: "Tests/SystemTests/Support/UHIDDevice"),
    .testTarget(
      name: "SystemTests",
      dependencies: [
        "UInputPanel", "UHIDDevice", "CUInput", "TouchModel", "TouchRecording", "TouchWire",
        "LinuxIO", "TestSupport",
        "CLibudev", "CLinuxShims",
      ],
      exclude: ["Support"]),
    .testTarget(
      name: "TouchFramesTests", dependencies: ["TouchModel", "TouchFrames", "TestSupport"]),
    .testTarget(
      name: "TouchRecordingTests",
      dependencies: ["TouchModel", "TouchFrames", "TouchRecording", "TestSupport"]),
    .testTarget(
      name: "TouchKitFoundationTests", dependencies: ["TouchKit", "TouchKitFoundation"]),
    .testTarget(
      name: "TouchKitTests",
      dependencies: [
        "TouchModel", "TouchFrames", "TouchKit", "TouchTestSupport", "GestureTranscript", "Panel",
        "TouchProbe", "TestSupport",
      ],
      exclude: ["Rules"]),
  ],
  swiftLanguageModes: [.v6]
)
