import LinuxIO

/// Hands each new connection of a listening socket to a closure.
final class Listener: DescriptorHandler {
  private let socket: PacketListener
  private let loop: EventLoop
  private let accepted: (PacketSocket) -> Void
  private let failed: (SystemError) -> Void
  private var watch: Int?

  init(
    _ socket: PacketListener, loop: EventLoop, accepted: @escaping (PacketSocket) -> Void,
    failed: @escaping (SystemError) -> Void
  ) {
    self.socket = socket
    self.loop = loop
    self.accepted = accepted
    self.failed = failed
  }

  func start() throws(SystemError) {
    guard watch == nil else { return }
    watch = try loop.watch(socket.descriptor, handler: self)
  }

  /// Leaves further connections in the kernel's queue until `start`.
  func pause() {
    guard let watch else { return }
    loop.stopWatching(watch)
    self.watch = nil
  }

  func descriptorReady(_ readiness: Readiness) {
    do throws(SystemError) {
      // Somebody who connects without end must not keep the panels waiting.
      for _ in 0..<DaemonLimits.connectionsPerTurn {
        guard let connection = try socket.accept() else { return }
        accepted(connection)
      }
    } catch {
      // Out of descriptors, most likely: the queue stays readable, so watching on would spin.
      pause()
      failed(error)
    }
  }
}
