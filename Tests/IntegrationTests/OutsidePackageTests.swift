import Glibc
import TestSupport
import Testing

/// A package outside of this one depends on it, without libevdev's headers being there.
@Suite(.serialized) struct `Another package` {
  private func check(_ how: String) throws {
    let script = "\(Repository.root)/Tests/OutsidePackage/check.sh"
    let process = try ChildProcess(["bash", script, how])
    // A whole build, on a machine that does other things as well.
    let code = try process.end(by: Deadline(.seconds(300)))
    let output = process.output.all
    #expect(code == 0, "\(output + process.errors.all)")
    #expect(output.first?.hasPrefix("outside: hidden are pkg-config files") == true)
    #expect(output.last == "outside: 640.0 points wide, /run/touchbridge/app.sock")
    #expect(output.filter { $0.contains("warning") || $0.contains("error") } == [])
  }

  @Test func `depends on this one by its path`() throws { try check("path") }

  @Test(
    .enabled(
      if: access("\(Repository.root)/.git", F_OK) == 0, "SKIPPED: no git, no version to depend on"))
  func `depends on this one by a version of git`() throws { try check("version") }
}
