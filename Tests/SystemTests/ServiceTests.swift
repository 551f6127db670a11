import Glibc
import TestSupport
import Testing
import TouchModel
import UInputPanel

extension SystemTests {
  @Suite struct `The unit files` {
    @Test func `systemd finds nothing wrong with them`() throws {
      let units = ["touchbridged.service", "touchbridged-app.socket", "touchbridged-admin.socket"]
      let (code, output) = try ChildProcess.run(
        "systemd-analyze", "verify", "--man=no", units[0], units[1], units[2])
      #expect(code == 0, "\(output)")
    }

    @Test func `systemd rates the service's exposure at 1.5 or less`() throws {
      let (code, output) = try ChildProcess.run(
        "systemd-analyze", "security", "--no-pager", "--threshold=15", Service.name)
      let rating = output.split(separator: "\n").last ?? "no rating"
      #expect(code == 0, "\(rating)")
    }

    @Test func `the rule lets group input read a touch screen, and asks for the service`() throws {
      let watch = try UdevWatch()
      let panel = try UInputPanel(.tenFingerPanel())
      defer { panel.unplug() }
      let added = try watch.event("add", of: panel.systemName)
      #expect(added.properties["SYSTEMD_WANTS"] == Service.name)
      let access = access(try #require(added.node))
      let input = try #require(getgrnam("input")).pointee.gr_gid
      #expect(access?.mode == 0o640)
      #expect(access?.group == input)
    }
  }

  @Suite struct `The service` {
    @Test func `is active once the daemon has said that it is ready`() throws {
      try Service.start()
      #expect(try Service.property("ActiveState") == "active")
      #expect(try Service.property("StatusText") != "")
      #expect(try Service.property("NRestarts") == "0")
    }

    @Test func `leaves the app's socket to all and the administrator's to root`() throws {
      try Service.start()
      #expect(access("/run/touchbridge/app.sock")?.mode == 0o666)
      #expect(access("/run/touchbridge/admin.sock")?.mode == 0o600)
      try Service.restart()
      #expect(access("/run/touchbridge/app.sock")?.mode == 0o666, "a restart keeps the sockets")
    }

    @Test func `goes on as the same process after a reload`() throws {
      try Service.start()
      let process = try Service.property("MainPID")
      #expect(try ChildProcess.run("systemctl", "reload", Service.name).code == 0)
      #expect(try Service.property("ActiveState") == "active")
      #expect(try Service.property("MainPID") == process)
    }

    @Test func `stops when it is told to, without a failure`() throws {
      try Service.start()
      try Service.stop()
      #expect(try Service.property("ActiveState") == "inactive")
      #expect(try Service.property("Result") == "success")
      #expect(access("/run/touchbridge/app.sock") == nil)
    }

    @Test func `starts when a touch screen is plugged in`() throws {
      try Service.stop()
      let panel = try UInputPanel(.tenFingerPanel())
      defer { panel.unplug() }
      try Service.await("ActiveState", is: "active")
    }
  }
}
