public import TouchKit
public import TouchModel

/// The start of every script: no finger is down, and no time has passed.
public let touch = TouchScript()

/// What fingers do, written as they do it; the same script serves every layer.
///
///     touch.down(1, at: CGPoint(x: 10, y: 20)).move(to: CGPoint(x: 200, y: 20), over: .milliseconds(80))
///       .up().play(into: window)
///
/// Fingers have numbers of the test's own. Without a number a step is about the finger that the
/// script named last. `down`, `up` and `cancel` take no time; `move` and `wait` do.
///
/// - Units: points; frames start at one second of the clock.
public struct TouchScript: Sendable {
  /// One thing that happens, at a time since the script's start.
  enum Step: Sendable {
    case frame([Change])
    case call(@MainActor @Sendable () -> Void)
    case drop
    case unplug
  }

  /// What one finger does in a frame.
  struct Change: Sendable {
    enum Kind: Sendable {
      case down
      case move
      case up
      case cancel
    }

    var finger: Int
    var kind: Kind
    var place: CGPoint?
    var style = Style()
  }

  /// How a finger looks to the panel.
  public struct Style: Sendable {
    /// What touches.
    public var tool = ContactTool.finger
    /// The longer diameter, in points; 0 for a panel that does not measure it.
    public var major: Float = 0
    /// The slot; nil takes the lowest that is free.
    public var slot: Int32?

    /// Creates a style.
    public init(tool: ContactTool = .finger, major: Float = 0, slot: Int32? = nil) {
      self.tool = tool
      self.major = major
      self.slot = slot
    }
  }

  /// The time between two frames of a movement; that of a panel with 125 frames a second.
  public static let interval = Duration.milliseconds(8)

  private(set) var steps: [(at: Duration, step: Step)] = []
  /// How long the script takes.
  public private(set) var duration = Duration.zero
  private var finger = 1
  private var places: [Int: CGPoint] = [:]

  /// Creates a script in which nothing happens.
  public init() {}

  // MARK: Fingers

  /// Puts a finger down.
  public func down(_ finger: Int = 1, at place: CGPoint, style: Style = Style()) -> TouchScript {
    adding([Change(finger: finger, kind: .down, place: place, style: style)])
  }

  /// Puts several fingers down in one frame.
  public func down(_ fingers: (Int, at: CGPoint)...) -> TouchScript {
    adding(fingers.map { Change(finger: $0.0, kind: .down, place: $0.at) })
  }

  /// Moves a finger in a straight line, a frame each 8 ms and one at the end.
  ///
  /// - Parameters:
  ///   - finger: the finger's number; nil for the one that was named last.
  ///   - place: where it goes.
  ///   - time: how long it takes.
  ///   - samples: how many frames instead, evenly spaced.
  public func move(
    _ finger: Int? = nil, to place: CGPoint, over time: Duration = interval, samples: Int? = nil
  ) -> TouchScript {
    move([(finger ?? self.finger, place)], over: time, samples: samples)
  }

  /// Moves several fingers together, each in a straight line.
  public func move(
    _ fingers: (Int, to: CGPoint)..., over time: Duration = interval, samples: Int? = nil
  ) -> TouchScript {
    move(fingers.map { ($0.0, $0.to) }, over: time, samples: samples)
  }

  /// Lifts fingers in one frame; without numbers the one named last.
  public func up(_ fingers: Int...) -> TouchScript {
    adding(named(fingers).map { Change(finger: $0, kind: .up) })
  }

  /// Takes fingers away in one frame, as the system does; without numbers the one named last.
  public func cancel(_ fingers: Int...) -> TouchScript {
    adding(named(fingers).map { Change(finger: $0, kind: .cancel) })
  }

  /// A tap: down and, after a time, up.
  public func tap(
    _ finger: Int = 1, at place: CGPoint, for time: Duration = .milliseconds(50)
  ) -> TouchScript {
    down(finger, at: place).wait(time).up(finger)
  }

  /// Puts what several steps do into one frame; their times count for nothing.
  public func together(_ steps: (TouchScript) -> TouchScript) -> TouchScript {
    var inner = TouchScript()
    inner.finger = finger
    inner.places = places
    var changes: [Change] = []
    for entry in steps(inner).steps {
      if case .frame(let more) = entry.step { changes += more }
    }
    return adding(changes)
  }

  // MARK: Time and the test

  /// Lets time pass; fingers that are down rest.
  public func wait(_ time: Duration) -> TouchScript {
    var script = self
    script.duration += time
    return script
  }

  /// Loses events: the panel's node says `SYN_DROPPED`. Only `events(on:)` shows it.
  public func drop() -> TouchScript { adding(.drop) }

  /// Pulls the panel: fingers that are down are cancelled, and the script is over for them.
  public func unplug() -> TouchScript { adding(.unplug) }

  private func adding(_ step: Step) -> TouchScript {
    var script = self
    script.steps.append((duration, step))
    return script
  }

  /// Runs a piece of the test at this point of `play`; other uses of the script pass over it.
  public func then(_ body: @escaping @MainActor @Sendable () -> Void) -> TouchScript {
    var script = self
    script.steps.append((duration, .call(body)))
    return script
  }

  // MARK: Building

  private func named(_ fingers: [Int]) -> [Int] { fingers.isEmpty ? [finger] : fingers }

  private func adding(_ changes: [Change]) -> TouchScript {
    var script = self
    script.steps.append((duration, .frame(changes)))
    for change in changes {
      script.finger = change.finger
      if let place = change.place { script.places[change.finger] = place }
    }
    return script
  }

  private func move(
    _ fingers: [(finger: Int, place: CGPoint)], over time: Duration, samples: Int?
  ) -> TouchScript {
    let evenly = time.nanoseconds / Self.interval.nanoseconds
    let isWhole = time.nanoseconds % Self.interval.nanoseconds == 0
    let count = max(1, samples ?? Int(evenly) + (isWhole ? 0 : 1))
    var script = self
    for index in 1...count {
      let isLast = index == count
      let share = Double(index) / Double(count)
      let passed = isLast ? time : samples == nil ? Self.interval * index : time * share
      let part = samples == nil && !isLast ? passed / time : share
      script.duration = duration + passed
      script = script.adding(
        fingers.map { finger, place in
          let start = places[finger] ?? place
          let between = CGPoint(
            x: start.x + (place.x - start.x) * part, y: start.y + (place.y - start.y) * part)
          return Change(finger: finger, kind: .move, place: isLast ? place : between)
        })
    }
    script.duration = duration + time
    return script
  }
}
