import Glibc
import Testing
import TouchKit

/// A process has one main loop: its tests go one after the other.
@Suite(.serialized) struct `One main loop` {}

extension `One main loop` {
  /// The main loop as a guest in another one, which here is the test.
  @MainActor @Suite struct `The main loop as a guest` {
    private let loop = MainLoop.main

    /// The main queue is the test runner's.
    init() {
      loop.servesMainQueue = false
      while isReadable { loop.dispatchPending() }
    }

    private var isReadable: Bool {
      var entry = pollfd(fd: loop.descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&entry, 1, 0) > 0
    }

    @Test func `a timer set between two calls makes the descriptor readable in its time`() {
      var fired = 0
      let later = loop.addTimer(at: .max) { _ in fired += 10 }
      #expect(!isReadable)
      let timer = loop.addTimer(at: 1) { _ in fired += 1 }
      #expect(isReadable)
      loop.dispatchPending()
      #expect(fired == 1 && !isReadable)
      loop.reschedule(later, at: 2)
      #expect(isReadable)
      loop.dispatchPending()
      #expect(fired == 11 && !isReadable)
      loop.remove(timer)
    }

    @Test func `a source signalled between two calls makes it readable, and one by itself again`() {
      var calls = 0
      var token: MainLoop.Token?
      let loop = loop
      let source = loop.addSource0 {
        calls += 1
        if calls < 3, let token { loop.signal(token) }
      }
      token = source
      loop.signal(source)
      for call in 1...3 {
        #expect(isReadable)
        loop.dispatchPending()
        #expect(calls == call)
      }
      #expect(!isReadable)
      loop.remove(source)
    }

    @Test func `one call is one waking up, with its observers, and another thread may ask for it`()
    {
      var lines: [String] = []
      let observer = loop.addObserver(.all) { lines.append("stage \($0.rawValue)") }
      let source = loop.addSource0 { lines.append("source0") }
      loop.wakeUp()
      #expect(isReadable)
      loop.signal(source)
      loop.dispatchPending()
      // afterWaiting, beforeTimers, beforeSources, beforeWaiting.
      #expect(lines == ["stage 64", "stage 2", "stage 4", "source0", "stage 32"])
      #expect(!isReadable)
      loop.remove(observer)
      loop.remove(source)
    }
  }
}
