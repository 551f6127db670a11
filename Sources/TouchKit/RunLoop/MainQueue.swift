private import CLinuxShims
private import Dispatch
private import Glibc

/// libdispatch's main queue, served by a run loop of our own.
///
/// With it `DispatchQueue.main` and `Task { @MainActor }` work while `MainLoop` runs. The two
/// functions are private to libdispatch, but they are what swift-corelibs-foundation's run loop
/// stands on as well; all use of them is in this file.
@MainActor
enum MainQueue {
  /// Becomes readable when the main queue has work; nil if the queue is not the main thread's.
  nonisolated static var descriptor: Int32? {
    let descriptor = _dispatch_get_main_queue_handle_4CF()
    return descriptor < 0 ? nil : descriptor
  }

  /// Runs what the main queue holds now; what is added meanwhile has its turn later.
  static func drain() {
    guard let descriptor else { return }
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
    _dispatch_main_queue_callback_4CF(nil)
  }
}
