import CLinuxShims
import Glibc

/// Blocks signals for the process and hands them out through a descriptor.
public final class SignalReader {
  private let signals: OwnedDescriptor

  /// Blocks the signals in the calling thread; call it before any other thread starts.
  public init(_ numbers: [Int32]) throws(SystemError) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    guard pthread_sigmask(SIG_BLOCK, &set, nil) == 0 else { throw SystemError("block signals") }
    let raw = signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
    guard raw >= 0 else { throw SystemError("read signals through a descriptor") }
    signals = OwnedDescriptor(owning: raw)
  }

  /// The descriptor to wait for.
  public var descriptor: Int32 { signals.raw }

  /// The next signal that has come; nil if there is none.
  public func next() -> Int32? {
    var record = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard read(signals.raw, &record, size) == size else { return nil }
    return Int32(record.ssi_signo)
  }
}

/// Lets a write to a pipe that nobody reads fail with `EPIPE` instead of ending the program.
public func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
