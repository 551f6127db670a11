// The front-most view at a point, asked again and again: prints the nanoseconds of each round, but
// not with BENCH_SILENT, for counting what the asking itself allocates. With BENCH_PLANT=1 it allocates
// once a round, so that the counting can be seen to count.
//
//   BenchHitTest wide|deep VIEWS ROUNDS
//
// wide: all views are subviews of one, and none but the back-most has the point.
// deep: 1,000 levels; at each the back-most view has the point and holds the next level.
// qt-child-at.cpp builds the same trees of widgets.

import Glibc
import LinuxIO
import TouchKit

let isSilent = environment("BENCH_SILENT") != nil
let allocates = environment("BENCH_PLANT") == "1"
var planted: UnsafeMutableRawPointer?
let levels = CommandLine.arguments.count > 1 && CommandLine.arguments[1] == "deep" ? 1_000 : 1

guard CommandLine.arguments.count == 4, ["wide", "deep"].contains(CommandLine.arguments[1]),
  let count = Int(CommandLine.arguments[2]), count >= levels,
  let rounds = Int(CommandLine.arguments[3])
else {
  writeAll("usage: BenchHitTest wide|deep VIEWS ROUNDS\n".utf8, to: STDERR_FILENO)
  exit(2)
}

let everywhere = CGRect(x: 0, y: 0, width: 1_000, height: 1_000)
let innermost = UIView(frame: everywhere)
var root = innermost
// From the inside: a view that is added deep in a tree looks who holds it, up to the root.
for _ in 0..<levels {
  let level = UIView(frame: everywhere)
  level.addSubview(root)
  for index in 1..<count / levels {
    level.addSubview(
      UIView(frame: CGRect(x: Double(index % 90) * 10, y: 500, width: 8, height: 8)))
  }
  root = level
}

let point = CGPoint(x: 10, y: 10)
for _ in 0..<rounds {
  let start = MonotonicClock.now()
  let hit = root.hitTest(point, with: nil)
  if allocates {
    free(planted)
    planted = malloc(1)
  }
  let end = MonotonicClock.now()
  guard hit === innermost else {
    writeAll("BenchHitTest: another view was hit\n".utf8, to: STDERR_FILENO)
    exit(1)
  }
  if !isSilent { writeAll("\(end - start)\n".utf8, to: STDOUT_FILENO) }
}
