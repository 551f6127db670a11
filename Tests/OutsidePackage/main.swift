// What another package's program does with ours: compile, link, run.
import TouchClient
import TouchKit

let view = UIView(frame: CGRect(x: 0, y: 0, width: 640, height: 480))
_ = MainLoop.main
print("outside: \(view.bounds.width) points wide, \(TouchConnection.standardSocket)")
