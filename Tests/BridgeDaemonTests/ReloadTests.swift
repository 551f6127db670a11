import Testing
import TouchModel
import TouchSettings

@testable import BridgeDaemon

@Suite struct `A section for a panel that is left alone` {
  private func unused(_ bench: ConfiguredBench) -> [String] {
    bench.rig.daemon.unusedSections.map(\.name.name)
  }

  @Test func `is one that has its panel`() throws {
    let ignored = "[Panel p]\nMatchName=fake*\nIgnore=yes\n[Panel q]\nMatchName=other"
    #expect(unused(try ConfiguredBench(ignored)) == ["q"])
    let refused = "[Display a]\n[Display b]\n[Panel p]\nMatchName=fake*\nGrab=no"
    #expect(unused(try ConfiguredBench(refused)) == [])
    let bench = try ConfiguredBench("[Panel p]\nMatchName=fake*")
    try bench.reload("[Ignore i]\nMatchName=fake*\n[Panel q]\nMatchName=other\nRotate=x")
    #expect(unused(bench) == [])
    try bench.reload(ignored)
    #expect(unused(bench) == ["q"])
    #expect(bench.rig.daemon.panels.isEmpty)
    try bench.reload("[Ignore i]\nMatchName=*")
    #expect(unused(bench) == ["i"], "the test's panel is not found again")
  }
}

@Suite struct `A grab that a reload touches` {
  private func tap(_ bench: ConfiguredBench) {
    bench.touch(id: 1)
    bench.touch(id: -1)
  }

  @Test func `is not asked for again, and is given back when it is not wanted any more`() throws {
    let bench = try ConfiguredBench("[Panel p]\nGrab=yes")
    tap(bench)
    #expect(bench.device.grabs == [true])
    try bench.reload("[Panel p]\nGrab=yes\nRotate=90")
    tap(bench)
    #expect(bench.device.grabs == [true])
    try bench.reload("[Panel p]\nRotate=90")
    #expect(bench.device.grabs == [true, false])
    tap(bench)
    #expect(bench.device.grabs == [true, false])
  }
}
