import Dispatch
import Glibc
import TouchKit
import TouchKitFoundation

import class Foundation.RunLoop

// Other loops than ours, each with nothing of TouchKit's but one descriptor and one call.
extension LoopProbe {
  /// Tells of what a host is asked for: the order of callouts, and a timer that was set before.
  private func tellOfCallouts() {
    view.touchBegan = { tell("touch began in \(loop.callout)") }
    _ = loop.addTimer(at: 1) { _ in tell("a timer fired") }
    loop.calloutBegan = { if $0 == .source1 || $0 == .source0 { tell("\($0)") } }
  }

  func runByPolling() {
    tellOfCallouts()
    var entry = pollfd(fd: loop.descriptor, events: Int16(POLLIN), revents: 0)
    while !view.isDone, poll(&entry, 1, -1) > 0 { loop.dispatchPending() }
  }

  func runInGLib() {
    guard let glib = GLib() else {
      tell("no GLib")
      exit(3)
    }
    tellOfCallouts()
    let main = glib.newLoop(nil, 0)
    view.finish = { glib.quit(main) }
    _ = glib.addDescriptor(
      loop.descriptor, GLib.readable,
      { _, _, _ in
        MainActor.assumeIsolated { MainLoop.main.dispatchPending() }
        return 1
      }, nil)
    glib.run(main)
  }

  func runOnDispatch() {
    tellOfCallouts()
    let host = DispatchHost()
    view.finish = {
      host.cancel()
      connection.invalidate()
      tell("done")
      exit(0)
    }
    DispatchQueue.main.async { MainActor.assumeIsolated { tell("block in \(loop.callout)") } }
    dispatchMain()
  }

  func runHosts() {
    func tellWho(_ moment: String) {
      tell("\(moment): \(loop.servesMainQueue ? "the loop" : "a host")")
    }
    tellWho("before")
    var hosts: [DispatchHost] = [DispatchHost(), DispatchHost()]
    tellWho("two hosts")
    hosts[0].cancel()
    hosts[0].cancel()
    tellWho("one ended, twice")
    hosts.removeAll()
    tellWho("both released")
    var hasRun = false
    DispatchQueue.main.async { MainActor.assumeIsolated { hasRun = true } }
    loop.run(until: { hasRun })
    tell("block in the loop")
    hosts = [DispatchHost()]
    _ = loop.addTimer(at: 1) { _ in
      Task { @MainActor in tell("task") }
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          tell("block")
          connection.invalidate()
          tell("done")
          exit(0)
        }
      }
      var isOver = false
      _ = loop.addTimer(at: 2) { _ in
        tell("timer in the run within a timer")
        isOver = true
      }
      loop.run(until: { isOver })
      tell("run within a timer ends")
    }
    dispatchMain()
  }

  func runInFoundation() {
    tellOfCallouts()
    let host = RunLoop.hostTouchKit()
    DispatchQueue.main.async { MainActor.assumeIsolated { tell("block in \(loop.callout)") } }
    while !view.isDone { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    host.cancel()
  }
}

/// The few functions of GLib that a host needs, from its shared library.
struct GLib {
  typealias Callback = @convention(c) (Int32, UInt32, UnsafeMutableRawPointer?) -> Int32

  let newLoop: @convention(c) (OpaquePointer?, Int32) -> OpaquePointer?
  let run: @convention(c) (OpaquePointer?) -> Void
  let quit: @convention(c) (OpaquePointer?) -> Void
  let addDescriptor: @convention(c) (Int32, UInt32, Callback, UnsafeMutableRawPointer?) -> UInt32

  /// `G_IO_IN`.
  static let readable: UInt32 = 1

  init?() {
    guard let library = dlopen("libglib-2.0.so.0", RTLD_NOW),
      let newLoop = dlsym(library, "g_main_loop_new"),
      let run = dlsym(library, "g_main_loop_run"), let quit = dlsym(library, "g_main_loop_quit"),
      let add = dlsym(library, "g_unix_fd_add")
    else { return nil }
    self.newLoop = unsafeBitCast(
      newLoop, to: (@convention(c) (OpaquePointer?, Int32) -> OpaquePointer?).self)
    self.run = unsafeBitCast(run, to: (@convention(c) (OpaquePointer?) -> Void).self)
    self.quit = unsafeBitCast(quit, to: (@convention(c) (OpaquePointer?) -> Void).self)
    addDescriptor = unsafeBitCast(
      add,
      to: (@convention(c) (Int32, UInt32, Callback, UnsafeMutableRawPointer?) -> UInt32).self)
  }
}
