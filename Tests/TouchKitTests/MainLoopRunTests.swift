import Glibc
import Testing
import TouchKit

/// A pipe with a byte in it.
private final class FullPipe {
  let reader: Int32
  private let writer: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (reader, writer) = (ends[0], ends[1])
    write(writer, "x", 1)
  }

  deinit {
    close(reader)
    close(writer)
  }

  /// Takes the byte.
  ///
  /// - Returns: whether it was there.
  func empty() -> Bool {
    var byte: UInt8 = 0
    return read(reader, &byte, 1) == 1
  }
}

extension `One main loop` {
  /// Runs of the main loop, each with something in it that ends it.
  @MainActor @Suite final class `The main loop's runs` {
    private let loop = MainLoop.main
    private var tokens: [MainLoop.Token] = []
    private var lines: [String] = []

    /// The main queue is the test runner's.
    init() {
      loop.servesMainQueue = false
      while isReadable { loop.dispatchPending() }
    }

    private var isReadable: Bool {
      var entry = pollfd(fd: loop.descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&entry, 1, 0) > 0
    }

    private func keep(_ token: MainLoop.Token) -> MainLoop.Token {
      tokens.append(token)
      return token
    }

    private func timer(
      at deadline: UInt64 = 1, every interval: UInt64? = nil, isKept: Bool = false,
      _ handler: @escaping () -> Void
    ) -> MainLoop.Token {
      keep(loop.addTimer(at: deadline, every: interval, isKept: isKept) { _ in handler() })
    }

    private func source0(_ handler: @escaping () -> Void) -> MainLoop.Token {
      keep(loop.addSource0(handler: handler))
    }

    private func source1(_ pipe: FullPipe, _ handler: @escaping () -> Void) throws {
      _ = keep(try loop.addSource1(pipe.reader, handler: handler))
    }

    private func observer(
      _ activities: MainLoop.Activity, _ handler: @escaping (MainLoop.Activity) -> Void
    ) -> MainLoop.Token {
      keep(loop.addObserver(activities, handler: handler))
    }

    /// Runs until a condition holds, for twenty turns at most, none of which sleeps.
    ///
    /// - Returns: whether all turns were used up.
    @discardableResult
    private func run(_ isDone: () -> Bool = { false }) -> Bool {
      var turns = 0
      var token: MainLoop.Token?
      let spinner = loop.addSource0 { [loop] in
        turns += 1
        if let token { loop.signal(token) }
      }
      token = spinner
      loop.signal(spinner)
      loop.run(until: { isDone() || turns == 20 })
      loop.remove(spinner)
      return turns == 20
    }

    /// Leaves nothing to the next test.
    private func finish() {
      for token in tokens { loop.remove(token) }
      while isReadable { loop.dispatchPending() }
    }

    // MARK: What must not wait

    @Test
    func `PL-19: sources that signal themselves keep neither descriptors nor timers waiting`()
      throws
    {
      let pipe = FullPipe()
      var (turns, heard, fired) = (0, 0, 0)
      var token: MainLoop.Token?
      let spinner = source0 { [loop] in
        turns += 1
        if let token { loop.signal(token) }
      }
      token = spinner
      try source1(pipe) { if pipe.empty() { heard += 1 } }
      _ = timer { fired += 1 }
      loop.signal(spinner)
      loop.run(until: { heard + fired > 1 || turns > 9 })
      #expect(turns == 1 && heard == 1 && fired == 1)
      finish()
    }

    @Test func `PL-19: an observer that signals before each sleep does not either`() throws {
      let pipe = FullPipe()
      var (turns, heard) = (0, 0)
      let source = source0 { turns += 1 }
      _ = observer(.beforeWaiting) { [loop] _ in loop.signal(source) }
      try source1(pipe) { if pipe.empty() { heard += 1 } }
      loop.run(until: { heard > 0 || turns > 9 })
      #expect(turns == 0 && heard == 1)
      finish()
    }

    @Test func `PL-16: a run ends as soon as its condition holds, without another waking up`() {
      var calls = 0
      let source = source0 { calls += 1 }
      _ = observer(.all) { [unowned self] in lines.append("stage \($0.rawValue)") }
      loop.signal(source)
      // Else it would wait for the timer's second, and say so.
      _ = timer(at: .max - 1) { calls += 10 }
      loop.run(until: { calls > 0 })
      #expect(calls == 1)
      // entry, beforeTimers, beforeSources, exit.
      #expect(lines == ["stage 1", "stage 2", "stage 4", "stage 128"])
      finish()
    }

    @Test func `PL-6: what a run leaves undone makes the descriptor readable for the host`() {
      var calls = 0
      var token: MainLoop.Token?
      let source = source0 { [loop] in
        calls += 1
        if calls == 1, let token { loop.signal(token) }
      }
      token = source
      loop.signal(source)
      loop.run(until: { calls > 0 })
      #expect(calls == 1 && isReadable)
      loop.dispatchPending()
      #expect(calls == 2 && !isReadable)

      var late = 0
      _ = timer { [unowned self] in
        calls += 1
        _ = timer(at: 2) { late += 1 }
      }
      loop.run(until: { calls > 2 })
      #expect(late == 0 && isReadable)
      loop.dispatchPending()
      #expect(late == 1 && !isReadable)
      finish()
    }

    @Test func `PL-6: a callout that waits for the descriptor itself is woken as well`() {
      var calls: [String] = []
      let source = source0 { calls.append("source") }
      let outer = source0 { [unowned self] in
        loop.signal(source)
        if isReadable { loop.dispatchPending() }
        _ = timer { calls.append("timer") }
        if isReadable { loop.dispatchPending() }
        #expect(!isReadable)
        calls.append("outer")
      }
      loop.signal(outer)
      loop.dispatchPending()
      #expect(calls == ["source", "timer", "outer"])
      finish()
    }

    // MARK: Stopping

    @Test
    func `PL-20: a stop ends the innermost run at that time, and a later one does not eat it`() {
      let outer = source0 { [unowned self] in
        loop.stop()
        lines.append("inner run uses all turns: \(run())")
      }
      loop.signal(outer)
      lines.append("outer run uses all turns: \(run())")
      #expect(lines == ["inner run uses all turns: true", "outer run uses all turns: false"])
      finish()
    }

    @Test func `PL-20: a stop in a nested run leaves the outer one going`() {
      let stopper = source0 { [loop] in loop.stop() }
      let outer = source0 { [unowned self] in
        loop.signal(stopper)
        lines.append("inner run uses all turns: \(run())")
      }
      loop.signal(outer)
      lines.append("outer run uses all turns: \(run())")
      #expect(lines == ["inner run uses all turns: false", "outer run uses all turns: true"])
      finish()
    }

    @Test func `a stop at the entry ends a run, one at the exit or outside does nothing more`() {
      loop.stop()
      let entering = observer(.entry) { [loop] _ in loop.stop() }
      var turns = 0
      _ = observer(.beforeTimers) { _ in turns += 1 }
      #expect(!run() && turns == 0)
      loop.remove(entering)
      _ = observer(.exit) { [loop] _ in loop.stop() }
      #expect(run() && run() && turns == 40)
      finish()
    }

    // MARK: Changes in callouts

    @Test
    func `PL-8: an observer that another one removes is not called, one that it adds is later`() {
      var second: MainLoop.Token?
      var third: MainLoop.Token?
      let first = observer(.beforeTimers) { [unowned self] _ in
        lines.append("first")
        if let second { loop.remove(second) }
        guard third == nil else { return }
        third = observer(.beforeTimers) { [unowned self] _ in lines.append("third") }
      }
      second = observer(.beforeTimers) { [unowned self] _ in lines.append("second") }
      loop.dispatchPending()
      #expect(lines == ["first"])
      loop.dispatchPending()
      #expect(lines == ["first", "first", "third"])
      loop.remove(first)
      loop.dispatchPending()
      #expect(lines.suffix(2) == ["third", "third"])
      finish()
    }

    @Test func `PL-8: an observer may remove itself, and a run within it does not call it again`() {
      var token: MainLoop.Token?
      token = observer(.beforeWaiting) { [unowned self] _ in
        lines.append("once")
        if lines.count < 3 { loop.dispatchPending() }
        if let token { loop.remove(token) }
        lines.append("gone")
      }
      loop.dispatchPending()
      loop.dispatchPending()
      #expect(lines == ["once", "gone"])
      finish()
    }

    @Test(arguments: [1, nil] as [UInt64?])
    func `PL-20: a timer is not called within its own call, and others are`(_ interval: UInt64?) {
      var token: MainLoop.Token?
      var depth = 0
      var others = 0
      let ticking = timer(every: interval) { [unowned self] in
        depth += 1
        lines.append("call at depth \(depth)")
        if lines.count == 1 {
          _ = timer { others += 1 }
          if interval == nil, let token { loop.reschedule(token, at: 1) }
          run()
        }
        depth -= 1
      }
      token = ticking
      run { lines.count > 1 }
      #expect(lines == ["call at depth 1", "call at depth 1"] && others == 1)
      finish()
    }

    @Test func `a timer's own handler may move it, remove it, or let it rest`() {
      var token: MainLoop.Token?
      token = timer { [unowned self] in
        lines.append("single")
        if lines.count < 3, let token { loop.reschedule(token, at: lines.count < 2 ? 1 : .max) }
      }
      loop.dispatchPending()
      #expect(lines == ["single"] && isReadable)
      loop.dispatchPending()
      #expect(lines == ["single", "single"] && !isReadable)
      // It rests, and is still there.
      if let token { loop.reschedule(token, at: 1) }
      loop.dispatchPending()
      #expect(lines.count == 3 && !isReadable)
      if let token { loop.reschedule(token, at: 1) }
      #expect(!isReadable)

      token = timer(every: 1) { [unowned self] in
        lines.append("repeating")
        if let token { loop.remove(token) }
      }
      loop.dispatchPending()
      #expect(lines.count == 4 && !isReadable)
      finish()
    }

    @Test
    func `a timer that an earlier one removes or moves is not called, one that it adds is later`() {
      var moved: MainLoop.Token?
      var removed: MainLoop.Token?
      _ = timer(at: 1) { [unowned self] in
        lines.append("first")
        if let moved { loop.reschedule(moved, at: .max) }
        if let removed { loop.remove(removed) }
        _ = timer(at: 1) { [unowned self] in lines.append("added") }
      }
      moved = timer(at: 2) { [unowned self] in lines.append("moved") }
      removed = timer(at: 3) { [unowned self] in lines.append("removed") }
      _ = timer(at: 4) { [unowned self] in lines.append("last") }
      loop.dispatchPending()
      #expect(lines == ["first", "last"] && isReadable)
      loop.dispatchPending()
      #expect(lines == ["first", "last", "added"] && !isReadable)
      finish()
    }

    @Test func `an interval that ends past all time is waited for, not called again and again`() {
      _ = timer(every: .max) { [unowned self] in lines.append("call") }
      loop.dispatchPending()
      #expect(lines == ["call"] && !isReadable)
      finish()
    }

    @Test func `a source that another one removes is not called, one that it adds is later`() {
      var removed: MainLoop.Token?
      let first = source0 { [unowned self] in
        lines.append("first")
        if let removed { loop.remove(removed) }
        loop.signal(source0 { [unowned self] in lines.append("added") })
      }
      let second = source0 { [unowned self] in lines.append("removed") }
      let third = source0 { [unowned self] in lines.append("third") }
      removed = second
      for source in [first, second, third] { loop.signal(source) }
      loop.dispatchPending()
      #expect(lines == ["first", "third"] && isReadable)
      loop.dispatchPending()
      #expect(lines == ["first", "third", "added"] && !isReadable)
      finish()
    }

    @Test func `PL-20: a descriptor that a nested run has emptied is not told of again`() throws {
      let pipes = [FullPipe(), FullPipe()]
      var calls = 0
      for pipe in pipes {
        try source1(pipe) { [unowned self] in
          calls += 1
          #expect(pipe.empty())
          if calls == 1 { run { calls > 1 } }
        }
      }
      loop.dispatchPending()
      #expect(calls == 2)
      finish()
    }

    @Test func `a descriptor that another one's handler removes is not told of`() throws {
      let pipes = [FullPipe(), FullPipe()]
      var calls = 0
      for pipe in pipes {
        try source1(pipe) { [unowned self] in
          calls += 1
          for token in tokens { loop.remove(token) }
        }
      }
      loop.dispatchPending()
      #expect(calls == 1 && !isReadable)
      finish()
    }
  }
}
