/// A value of the frame path, in storage of its own.
///
/// A stored property of a class is guarded at run time against overlapping changes, at the price
/// of two calls into the runtime for each use; over a frame these cost as much as its routing. A
/// cell has that guard in debug builds, which all tests are, and goes without it in release builds.
/// Nothing else guards it: the daemon is one thread, and no code that changes a cell's value may be
/// reached from code that is changing the same value.
///
/// - Ownership: owns its storage, which goes with it.
struct Cell<Value: ~Copyable>: ~Copyable {
  #if DEBUG
    private final class Guarded {
      var value: Value
      init(_ value: consuming Value) { self.value = value }
    }

    private let guarded: Guarded

    init(_ value: consuming Value) { guarded = Guarded(value) }

    /// The value, to be looked at and changed in place.
    var value: Value {
      _read { yield guarded.value }
      nonmutating _modify { yield &guarded.value }
    }
  #else
    private let storage: UnsafeMutablePointer<Value>

    init(_ value: consuming Value) {
      storage = .allocate(capacity: 1)
      storage.initialize(to: value)
    }

    deinit {
      storage.deinitialize(count: 1)
      storage.deallocate()
    }

    /// The value, to be looked at and changed in place.
    var value: Value {
      @inline(__always) unsafeAddress { UnsafePointer(storage) }
      @inline(__always) nonmutating unsafeMutableAddress { storage }
    }
  #endif
}
