import Glibc
import TestSupport
import Testing

@Suite(.withPrograms) struct `touchbridged on the command line` {
  private func run(_ arguments: [String]) throws -> (code: Int32, errors: [String]) {
    let process = try ChildProcess(
      [DaemonProcess.program] + arguments, environment: ["JOURNAL_STREAM": ""])
    let code = try process.end()
    return (code, process.errors.all)
  }

  static let mistakes: [([String], [String])] = [
    (["file"], ["touchbridged: takes options only; `touchbridged --help` lists them"]),
    (
      ["--dance"],
      [
        "touchbridged: unrecognized option '--dance'",
        "Try `touchbridged --help`.",
      ]
    ),
    (["--speed", "0"], ["touchbridged: --speed takes a number above 0, not '0'"]),
    (["--speed", "nan"], ["touchbridged: --speed takes a number above 0, not 'nan'"]),
    (
      ["--wait-for-clients", "-1"],
      ["touchbridged: --wait-for-clients takes a number from 0, not '-1'"]
    ),
    (["--display", "big"], ["touchbridged: --display takes a size such as 1280x800, not 'big'"]),
    (
      ["--hung-limit", "0"],
      ["touchbridged: --hung-limit takes milliseconds from 1 to 86400000, not '0'"]
    ),
    (
      ["--stale-limit", "-1"],
      ["touchbridged: --stale-limit takes milliseconds from 0 to 86400000, not '-1'"]
    ),
    (["--release-stuck"], ["touchbridged: --release-stuck goes with --stuck-limit"]),
    (
      ["--stuck-limit", "soon"],
      ["touchbridged: --stuck-limit takes milliseconds from 0 to 86400000, not 'soon'"]
    ),
    (
      ["--once"],
      ["touchbridged: --speed, --once, --in-step and --wait-for-clients go with --replay"]
    ),
  ]

  @Test(arguments: mistakes)
  func `wrong usage leaves with 2 and a hint`(_ arguments: [String], _ errors: [String]) throws {
    let result = try run(arguments)
    #expect(result.code == 2)
    #expect(result.errors == errors)
  }

  @Test func `a second daemon at the same place says what to do, and harms nobody`() throws {
    let daemon = try DaemonProcess()
    let replay = "\(daemon.folder.path)/replay.evemu"
    let result = try run(["--runtime-dir", daemon.folder.path, "--replay", replay])
    #expect(result.code == 1)
    #expect(
      result.errors.last
        == "touchbridged: cannot listen at \(daemon.appSocket): Address already in use "
        + "(EADDRINUSE). Another touchbridged is running there; `--runtime-dir DIR` makes the sockets "
        + "elsewhere than \(daemon.appSocket).")
    _ = try WireClient.welcomed(daemon.appSocket)
    #expect(try daemon.stop() == 0)
  }

  @Test func `a file in the place of a socket is left alone`() throws {
    let folder = try TemporaryFolder()
    try folder.write("precious", to: "app.sock")
    try folder.write(Recordings.endless, to: "replay.evemu")
    let result = try run([
      "--runtime-dir", folder.path, "--replay", "\(folder.path)/replay.evemu",
    ])
    #expect(result.code == 1)
    #expect(
      result.errors.last
        == "touchbridged: cannot listen at \(folder.path)/app.sock: File exists (EEXIST). "
        + "What lies there is no socket; move it away, or use `--runtime-dir DIR`.")
    #expect(access("\(folder.path)/app.sock", F_OK) == 0)
  }

  @Test func `a recording that is not there is told`() throws {
    let result = try run(["--replay", "/nowhere/at/all"])
    #expect(result.code == 1)
    #expect(
      result.errors == [
        "touchbridged: cannot replay /nowhere/at/all: cannot open /nowhere/at/all: No such file or "
          + "directory (ENOENT)"
      ])
  }
}
