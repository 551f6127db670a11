private import Dispatch

/// Serves the main loop from the main Dispatch queue, for programs that something else runs.
///
/// For `dispatchMain()`, Foundation's `RunLoop.main.run()` and whatever else drains the main queue.
/// `dispatchMain()` gives the main queue to threads of its own, one at a time, and TouchKit with it.
/// Each waking up takes longer than in a loop of TouchKit's own, by what Dispatch needs for it.
///
/// All that TouchKit calls is then part of a block of the main queue. So `MainLoop.run(until:)` from
/// within a handler goes on with touches and timers, and lets neither a main-actor task nor another
/// block of the main queue run before it returns: one that waits for these waits for ever.
///
/// - Ownership: serves until `cancel` or until it is released. After the last host's end the main
///   loop serves the main queue itself again, if it did so before the first one.
@MainActor
public final class DispatchHost {
  private let source: any DispatchSourceRead

  private static var hosts = 0
  private static var servedBefore = false

  /// Starts to serve the main loop, which from now on leaves the main queue to the host.
  public init() {
    if Self.hosts == 0 { Self.servedBefore = MainLoop.main.servesMainQueue }
    Self.hosts += 1
    MainLoop.main.servesMainQueue = false
    source = Self.source(for: MainLoop.main.descriptor)
    source.resume()
  }

  isolated deinit { cancel() }

  /// Ends the service; the main loop may then be run as any other.
  public func cancel() {
    guard !source.isCancelled else { return }
    source.cancel()
    Self.hosts -= 1
    if Self.hosts == 0 { MainLoop.main.servesMainQueue = Self.servedBefore }
  }

  // Not isolated: a closure made on the main actor is checked for it in a way that traps here.
  private nonisolated static func source(for descriptor: Int32) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { MainActor.assumeIsolated { MainLoop.main.dispatchPending() } }
    return source
  }
}
