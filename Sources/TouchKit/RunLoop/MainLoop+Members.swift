// What is registered with the loop. Objects, because a pass over them goes on while a handler adds,
// removes and changes them: each is asked at its turn whether it is still meant.
extension MainLoop {
  @MainActor
  final class Observer {
    let token: Token
    let activities: Activity
    /// Whether it is called also by a run within its own call.
    let mayNest: Bool
    let handler: (Activity) -> Void
    var isValid = true
    var isFiring = false

    init(
      _ token: Token, _ activities: Activity, mayNest: Bool, _ handler: @escaping (Activity) -> Void
    ) {
      self.token = token
      self.activities = activities
      self.mayNest = mayNest
      self.handler = handler
    }
  }

  @MainActor
  final class Source0 {
    let token: Token
    let handler: () -> Void
    var isValid = true
    var isSignalled = false

    init(_ token: Token, _ handler: @escaping () -> Void) {
      self.token = token
      self.handler = handler
    }
  }

  struct Source1 {
    let token: Token
    let descriptor: Int32
    let handler: () -> Void
  }

  @MainActor
  final class Timer {
    let token: Token
    var deadline: UInt64
    let interval: UInt64?
    let isKept: Bool
    let handler: (UInt64) -> Void
    var isValid = true
    var isFiring = false
    /// Whether its own handler has given it another time.
    var isMoved = false
    /// The pass over the timers that has called it last, or in which it was made.
    var pass: UInt64

    init(
      _ token: Token, at deadline: UInt64, every interval: UInt64?, isKept: Bool, pass: UInt64,
      _ handler: @escaping (UInt64) -> Void
    ) {
      self.token = token
      self.deadline = deadline
      self.interval = interval
      self.isKept = isKept
      self.pass = pass
      self.handler = handler
    }
  }
}
