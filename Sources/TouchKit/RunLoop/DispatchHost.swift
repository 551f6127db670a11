private import Dispatch

/// Serves the main loop from the main Dispatch queue, for programs that something else runs.
///
/// For `dispatchMain()`, Foundation's `RunLoop.main.run()` and whatever else drains the main queue.
/// `dispatchMain()` gives the main queue to threads of its own, one at a time, and TouchKit with it.
/// Each waking up takes longer than in a loop of TouchKit's own, by what Dispatch needs for it.
///
/// - Ownership: serves until `cancel` or until it is released.
@MainActor
public final class DispatchHost {
  private let source: any DispatchSourceRead

  /// Starts to serve the main loop, which from now on leaves the main queue to the host.
  public init() {
    MainLoop.main.servesMainQueue = false
    source = Self.source(for: MainLoop.main.descriptor)
    source.resume()
  }

  isolated deinit { source.cancel() }

  /// Ends the service; the main loop may then be run as any other.
  public func cancel() {
    source.cancel()
    MainLoop.main.servesMainQueue = true
  }

  // Not isolated: a closure made on the main actor is checked for it in a way that traps here.
  private nonisolated static func source(for descriptor: Int32) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { MainActor.assumeIsolated { MainLoop.main.dispatchPending() } }
    return source
  }
}
