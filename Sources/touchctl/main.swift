import Glibc
import LinuxIO

holdStandardDescriptors()
exit(CommandTable.run(CommandLine.arguments))
