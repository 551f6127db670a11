#!/usr/bin/env bash
# Builds and runs a package that depends on this one, on a machine without libevdev's headers.
#
# usage: Tests/OutsidePackage/check.sh path|version
#
#   path      depends by .package(path:), on the files as they are
#   version   depends by .package(url:, from: "1.0.0"), on a clone of HEAD that is tagged so
#
# Hidden are all pkg-config files, and, as root with mount points of its own, the headers of libevdev
# and libudev as well. Prints what was hidden, and what the program printed; exit 77 and SKIPPED where
# git or a commit is missing.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
how=${1:-}
work=${TOUCHBRIDGE_OUTSIDE:-}

# Once more in mount points of our own, where what is hidden is hidden for us alone.
if [ -z "$work" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  export TOUCHBRIDGE_OUTSIDE=$work
  if [ "$(id -u)" = 0 ] && unshare --mount true 2> /dev/null; then
    TOUCHBRIDGE_OUTSIDE_MOUNTS=own unshare --mount "$0" "$how"
  else
    "$0" "$how"
  fi
  exit
fi

hidden="pkg-config files"
mkdir "$work/empty"
touch "$work/empty-file"
export PKG_CONFIG_LIBDIR=$work/empty PKG_CONFIG_PATH=
hide() {
  [ -e "$2" ] || return 0
  mount --bind "$1" "$2" 2> /dev/null && hidden+=", $2"
}
# Never in the mount points of the machine itself: that would hide them from everybody.
if [ "${TOUCHBRIDGE_OUTSIDE_MOUNTS:-}" = own ]; then
  hide "$work/empty" /usr/include/libevdev-1.0 || true
  hide "$work/empty-file" /usr/include/libudev.h || true
fi
echo "outside: hidden are $hidden"

case $how in
  path)
    dependency=".package(path: \"$root\")"
    package=$(basename "$root")
    ;;
  version)
    if ! git -C "$root" rev-parse --quiet --verify HEAD > /dev/null 2>&1; then
      echo "SKIPPED: no git, or no commit to depend on"
      exit 77
    fi
    git clone --quiet --no-tags "$root" "$work/touchbridge"
    git -C "$work/touchbridge" tag 1.0.0
    dependency=".package(url: \"file://$work/touchbridge\", from: \"1.0.0\")"
    package=touchbridge
    ;;
  *) echo "check.sh: path or version, not '$how'; the first lines of this file tell" >&2; exit 2 ;;
esac

mkdir -p "$work/demo/Sources/demo"
cp "$root/Tests/OutsidePackage/main.swift" "$work/demo/Sources/demo/"
cat > "$work/demo/Package.swift" << END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "demo", dependencies: [$dependency],
  targets: [
    .executableTarget(
      name: "demo",
      dependencies: [
        .product(name: "TouchKit", package: "$package"),
        .product(name: "TouchClient", package: "$package"),
      ])
  ])
END

cd "$work/demo"
# A cache of its own: the user's keeps no clone of a folder that is gone in a minute.
if ! swift build --cache-path "$work/cache" > "$work/log" 2>&1; then
  echo "outside: the build failed"
  grep -m 20 error: "$work/log" || tail -20 "$work/log"
  exit 1
fi
grep warning: "$work/log" || true
.build/debug/demo
