import TestSupport
import Testing

@Suite struct `The architecture` {
  static let pure = [
    "TouchModel", "TouchWire", "TouchFrames", "TouchFilters", "TouchRouting", "TouchRecording",
    "TouchSettings", "TouchCalibration",
  ]
  static let foundations = ["Foundation", "FoundationEssentials", "FoundationNetworking"]

  @Test func `the graph in the docs is that of the package`() throws {
    let text = try Repository.text("docs/architecture.md")
    let block = try #require(text.firstMatch(of: /```targets\n([^`]*)```/))
    let documented = block.1.split(separator: "\n").map(String.init)
    let declared = try PackageManifest.sources().map { target in
      ([target.name + ":"] + target.dependencies).joined(separator: " ")
    }
    #expect(documented == declared)
    #expect(documented.count == (try Repository.folders(in: "Sources").count))
  }

  @Test func `nothing depends on itself, at any distance`() throws {
    let targets = try PackageManifest.targets()
    let graph = TargetGraph(targets)
    for target in targets {
      #expect(!graph.closure(of: target.name).contains(target.name), "\(target.name)")
    }
  }

  @Test func `each target imports the declared modules of the package, and no others`() throws {
    let targets = try PackageManifest.targets()
    let names = Set(targets.map(\.name))
    for target in try PackageManifest.sources() {
      let foreign = try SourceImport.all(of: target.name).filter {
        names.contains($0.module) && !target.dependencies.contains($0.module)
      }
      #expect(foreign == [], "\(target.name)")
    }
  }

  @Test(arguments: pure)
  func `pure targets import nothing that does input, output or time`(_ name: String) throws {
    let wrong = try SourceImport.all(of: name).filter { $0.module != "TouchModel" }
    #expect(wrong == [])
    let target = try #require(try PackageManifest.targets().first { $0.name == name })
    #expect(target.dependencies == (name == "TouchModel" ? [] : ["TouchModel"]))
  }

  @Test func `the client side never depends on the daemon side`() throws {
    let graph = TargetGraph(try PackageManifest.targets())
    let daemon: Set = [
      "TouchFilters", "TouchRouting", "TouchRecording", "TouchCalibration", "EvdevSource",
      "BridgeDaemon", "CLibevdev", "CLibudev",
    ]
    for client in ["TouchClient", "TouchKit"] {
      #expect(graph.closure(of: client).intersection(daemon) == [], "\(client)")
    }
    // Its fake daemon decides with the real router, which is pure; more of a daemon it has not.
    #expect(graph.closure(of: "TouchTestSupport").intersection(daemon) == ["TouchRouting"])
    #expect(!graph.closure(of: "TouchKit").contains("TouchFrames"))
    for part in ["BridgeDaemon", "touchbridged"] {
      let client = graph.closure(of: part).intersection(["TouchClient", "TouchKit"])
      #expect(client == [], "\(part)")
    }
  }

  @Test func `no source imports Foundation but the module that is named after it`() throws {
    for target in try PackageManifest.sources() where target.name != "TouchKitFoundation" {
      #expect(!target.dependencies.contains("TouchKitFoundation"), "\(target.name)")
      let wrong = try SourceImport.all(of: target.name).filter {
        Self.foundations.contains($0.module)
      }
      #expect(wrong == [])
    }
  }

  @Test func `only EvdevSource knows libevdev and libudev`() throws {
    for target in try PackageManifest.sources() where target.name != "EvdevSource" {
      #expect(target.dependencies.filter { ["CLibevdev", "CLibudev"].contains($0) } == [])
      let wrong = try SourceImport.all(of: target.name).filter {
        ["CLibevdev", "CLibudev"].contains($0.module)
      }
      #expect(wrong == [])
    }
  }

  @Test func `no source changes the umask, which all threads and their programs share`() throws {
    for target in try PackageManifest.sources() {
      let files = try Repository.files(below: "Sources/\(target.name)", ending: ".swift")
      #expect(try files.filter { try Repository.text($0).contains(/\bumask\(/) } == [])
    }
  }

  @Test func `every spelling of an import is seen`() {
    let text = """
      import A
      public import B
        @testable import C
      @preconcurrency package import D
      import struct E.Part
      @_spi(Testing) import F
      // import G
      let important = "import H"
      """
    #expect(SourceImport.modules(in: text) == ["A", "B", "C", "D", "E", "F"])
  }
}
