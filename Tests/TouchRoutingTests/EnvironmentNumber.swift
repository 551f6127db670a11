import Glibc

/// A number from the environment; nil if it is not set or no number.
func environmentNumber(_ name: String) -> Int? {
  getenv(name).flatMap { Int(String(cString: $0)) }
}
