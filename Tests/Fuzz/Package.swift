// swift-tools-version: 6.2
import PackageDescription

// libFuzzer targets; script/fuzz builds and runs them. A package of its own, so that the normal
// build never links the fuzzer's runtime; the modules under test are links to the real ones.
let package = Package(
  name: "fuzz",
  targets: [
    .target(name: "TouchModel"),
    .target(name: "TouchWire", dependencies: ["TouchModel"]),
    .target(name: "TouchFrames", dependencies: ["TouchModel"]),
    .target(name: "TouchRecording", dependencies: ["TouchModel"]),
    .target(name: "TouchSettings", dependencies: ["TouchModel"], exclude: ["quirks.conf"]),
    .target(name: "FuzzDriver"),
    .executableTarget(
      name: "FuzzClientMessage", dependencies: ["TouchModel", "TouchWire", "FuzzDriver"]),
    .executableTarget(
      name: "FuzzServerMessage", dependencies: ["TouchModel", "TouchWire", "FuzzDriver"]),
    .executableTarget(
      name: "FuzzEvemu",
      dependencies: ["TouchModel", "TouchRecording", "TouchFrames", "FuzzDriver"]),
    .executableTarget(
      name: "FuzzSettings", dependencies: ["TouchModel", "TouchSettings", "FuzzDriver"]),
  ],
  swiftLanguageModes: [.v6]
)
