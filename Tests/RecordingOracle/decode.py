#!/usr/bin/env python3
"""A second reading of the rules of `touchctl decode`, to hold the first against.

Usage: decode.py show FILE                       prints what `touchctl decode FILE --json` should
       decode.py compare TOUCHCTL FOLDER...      runs touchctl over the folders' *.evemu files
       decode.py random TOUCHCTL COUNT SEED      the same over made-up devices that keep no order

It is written from the text of the rules and shares nothing with the Swift code: it gathers the
events of a whole frame, cuts them into episodes by slot and then lays the episodes out on lines,
where the Swift code keeps a table of slots. Standard library only.
"""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

EV_SYN, EV_ABS = 0, 3
SYN_REPORT, SYN_DROPPED = 0, 3
ABS_X, ABS_Y, MT_SLOT, MT_X, MT_Y, MT_TOOL, MT_ID, MT_DISTANCE = (
    0x00, 0x01, 0x2F, 0x35, 0x36, 0x37, 0x39, 0x3B)
PALM = 2
TOOLS = {1: "pen", 2: "palm"}
NOT_YET = {"A": "SYN_MT_REPORT", "single-touch": "single contact"}


class Unreadable(Exception):
    """The file gives no frames; touchctl must leave with 1."""


def read_evemu(path):
    """Returns [(axes, events)], a pair a device."""
    devices = []
    for raw in path.read_bytes().split(b"\n"):
        line = raw.decode("utf-8", "replace").strip()
        if line.startswith("N:"):
            devices.append(({}, []))
        elif line.startswith("A:"):
            code, low, high = line[2:].split()[:3]
            devices[-1][0][int(code, 16)] = (int(low), int(high))
        elif line.startswith("E:"):
            time, kind, code, value = line[2:].split("#")[0].split()
            seconds, microseconds = time.split(".")
            devices[-1][1].append((
                int(seconds) * 10**6 + int(microseconds), int(kind, 16), int(code, 16),
                int(value)))
    return devices


def protocol(axes):
    if MT_X in axes and MT_Y in axes:
        return "B" if MT_SLOT in axes else "A"
    if ABS_X in axes and ABS_Y in axes:
        return "single-touch"
    raise Unreadable("no position axes")


class Slot:
    """The last values of a slot, and who is in it."""

    def __init__(self):
        self.x = self.y = self.tool = self.distance = 0
        self.tracking = None  # the kernel's id, None for an empty slot
        self.muted = False  # what is in the slot is never to be listed
        self.contact = None  # what is listed: {"id", "x", "y", "tool"}


class Episode:
    """A stretch of one frame in which one tracking id held a slot."""

    def __init__(self, slot, is_old):
        self.slot, self.is_old, self.end = slot, is_old, None

    def close(self, end):
        self.end = end
        self.x, self.y = self.slot.x, self.slot.y
        self.tool, self.distance = self.slot.tool, self.slot.distance


def fraction(value, axis):
    low, high = axis
    if high <= low:
        return 0.0
    return min(1.0, max(0.0, (value - low) / (high - low)))


class Decoder:
    def __init__(self, index, axes):
        self.index, self.axes = index, axes
        self.slots, self.current = {}, 0
        self.last_report = None
        self.dropped = False
        self.next_id = 1

    def slot(self, number):
        return self.slots.setdefault(number, Slot())

    def lines(self, events):
        frame = []
        for time, kind, code, value in events:
            if kind == EV_SYN and code == SYN_REPORT:
                self.last_report = time
                if value == 1:
                    continue
                if self.dropped:
                    yield from self.cancel_all(time)
                    self.dropped = False
                else:
                    yield from self.end_frame(time, frame)
                frame = []
            elif kind == EV_SYN and code == SYN_DROPPED:
                self.absorb(frame)
                frame, self.dropped = [], True
            elif kind == EV_ABS and not self.dropped:
                frame.append((code, value))
        yield from self.cancel_all(self.last_report)

    def absorb(self, frame):
        """Takes the values of a frame that will never be ended."""
        for code, value in frame:
            if code == MT_SLOT:
                self.current = value
            else:
                self.keep(self.slot(self.current), code, value)

    @staticmethod
    def keep(slot, code, value):
        if code == MT_X:
            slot.x = value
        elif code == MT_Y:
            slot.y = value
        elif code == MT_TOOL:
            slot.tool = value
        elif code == MT_DISTANCE:
            slot.distance = value

    def end_frame(self, time, frame):
        # Who holds a slot when the frame begins holds it in the first episode.
        episodes = {
            number: [Episode(slot, True)]
            for number, slot in self.slots.items() if slot.tracking is not None}
        for code, value in frame:
            if code == MT_SLOT:
                self.current = value
                continue
            slot = self.slot(self.current)
            if code != MT_ID:
                self.keep(slot, code, value)
                continue
            new = value if value >= 0 else None
            if new == slot.tracking:
                continue
            held = episodes.setdefault(self.current, [])
            if slot.tracking is not None:
                held[-1].close("up" if new is None else "cancel")
            if new is not None:
                held.append(Episode(slot, False))
            slot.tracking = new
        return self.lay_out(time, episodes)

    def lay_out(self, time, episodes):
        rows = []
        steps = {number: self.steps(held) for number, held in episodes.items()}
        for row in range(max([len(s) for s in steps.values()], default=0)):
            contacts = []
            for number in sorted(episodes):
                slot = self.slots[number]
                mine = steps[number][row] if row < len(steps[number]) else []
                if not mine and slot.contact:
                    mine = [("stay", None)]
                for step, place in mine:
                    contacts.append(self.apply(number, slot, step, place))
            if contacts:
                rows.append({"time_us": time, "device": self.index, "contacts": contacts})
        return rows

    def steps(self, held):
        """What one slot does in one frame: a list a line, of (step, (x, y, tool))."""
        rows = [[]]
        for episode in held:
            slot = episode.slot
            if not episode.is_old:
                slot.muted = False
            is_open = episode.end is None
            if is_open:
                episode.close(None)
            place = (episode.x, episode.y, episode.tool)
            is_listed = episode.is_old and slot.contact is not None
            if is_listed:
                if not is_open:
                    rows[-1].append((episode.end, None))
                elif episode.tool == PALM:
                    rows[-1].append(("cancel", PALM))
                    slot.muted = True
                elif episode.distance > 0:
                    rows[-1].append(("up", None))
                else:
                    rows[-1].append(("stay", place))
            elif slot.muted or episode.distance > 0:
                pass
            elif episode.tool == PALM:
                slot.muted = is_open
            else:
                rows[-1].append(("down", place))
                if not is_open:
                    rows.append([(episode.end, None)])
        return rows

    def apply(self, number, slot, step, place):
        contact = slot.contact
        if step == "down":
            contact = slot.contact = {"id": self.next_id, "x": place[0], "y": place[1]}
            contact["tool"] = TOOLS.get(place[2], "finger")
            self.next_id += 1
            phase = "down"
        elif step == "stay":
            phase = "still"
            if place:
                if (contact["x"], contact["y"]) != place[:2]:
                    phase = "motion"
                contact["x"], contact["y"] = place[:2]
                contact["tool"] = TOOLS.get(place[2], "finger")
        else:
            phase, slot.contact = step, None
            if place == PALM:
                contact["tool"] = "palm"
        return self.listed(number, contact, phase)

    def listed(self, number, contact, phase):
        return {
            "id": contact["id"], "slot": number, "phase": phase,
            "x": fraction(contact["x"], self.axes[MT_X]),
            "y": fraction(contact["y"], self.axes[MT_Y]),
            "raw_x": contact["x"], "raw_y": contact["y"], "tool": contact["tool"]}

    def cancel_all(self, time):
        contacts = []
        for number in sorted(self.slots):
            slot = self.slots[number]
            if slot.contact:
                contacts.append(self.listed(number, slot.contact, "cancel"))
            slot.contact, slot.tracking, slot.muted = None, None, False
        if contacts:
            yield {"time_us": time, "device": self.index, "contacts": contacts}


def decode(path):
    devices = read_evemu(path)
    if len(devices) != 1:
        raise Unreadable("not one device")
    axes, events = devices[0]
    kind = protocol(axes)
    if kind != "B":
        return kind, []
    return kind, list(Decoder(0, axes).lines(events))


def difference(expected, actual):
    """The first field in which two frames differ, None if there is none."""
    for key in ("time_us", "device"):
        if expected[key] != actual.get(key):
            return f"{key} {actual.get(key)}, not {expected[key]}"
    if list(actual) != ["time_us", "device", "contacts"]:
        return f"keys {list(actual)}"
    if len(expected["contacts"]) != len(actual["contacts"]):
        return f"{len(actual['contacts'])} contacts, not {len(expected['contacts'])}"
    for want, got in zip(expected["contacts"], actual["contacts"]):
        if list(want) != list(got):
            return f"keys {list(got)}"
        for key, value in want.items():
            is_close = key in ("x", "y") and abs(got[key] - value) <= 1e-9
            if got[key] != value and not is_close:
                return f"{key} {got[key]}, not {value} (contact {want['id']})"
    return None


def check(touchctl, path):
    """Returns ('passed' | 'failed' | 'skipped', remark)."""
    run = subprocess.run(
        [touchctl, "decode", str(path), "--json"], capture_output=True, text=True, timeout=120)
    try:
        kind, expected = decode(path)
    except Unreadable as reason:
        if run.returncode == 1 and re.search(r"line \d+: ", run.stderr) and not run.stdout:
            return "passed", f"exit 1: {reason}"
        return "failed", f"exit {run.returncode} where 1 was due: {reason}"
    if kind != "B":
        said = NOT_YET[kind] in run.stderr and "not yet supported" in run.stderr
        if run.returncode == 1 and said and not run.stdout:
            return "skipped", f"protocol {kind} is not yet supported"
        return "failed", f"exit {run.returncode}, protocol {kind}: {run.stderr.strip()}"
    if run.returncode != 0:
        return "failed", f"exit {run.returncode}: {run.stderr.strip()}"
    actual = [json.loads(line) for line in run.stdout.splitlines()]
    for number, (want, got) in enumerate(zip(expected, actual), 1):
        found = difference(want, got)
        if found:
            return "failed", f"line {number}, {want['time_us']} us: {found}"
    if len(expected) != len(actual):
        return "failed", f"{len(actual)} lines, not {len(expected)}"
    downs = sum(c["phase"] == "down" for line in actual for c in line["contacts"])
    ends = sum(c["phase"] in ("up", "cancel") for line in actual for c in line["contacts"])
    if downs != ends:
        return "failed", f"{downs} downs and {ends} ends"
    return "passed", f"{len(actual)} lines, {downs} contacts"


def compare(touchctl, folders):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for folder in folders:
        for path in sorted(pathlib.Path(folder).glob("*.evemu")):
            result, remark = check(touchctl, path)
            counts[result] += 1
            print(f"{result:8}{path.name}: {remark}")
    print(", ".join(f"{count} {result}" for result, count in counts.items()))
    return 0 if counts["failed"] == 0 and sum(counts.values()) > 0 else 1


DESCRIPTION = """N: made up
A: 2f 0 2 0 0 0
A: 35 -100 99 0 0 0
A: 36 0 300 0 0 0
A: 39 0 65535 0 0 0
"""


def made_up(dice):
    """An evemu text in which anything may follow anything."""
    lines, time = [DESCRIPTION], 0
    for _ in range(dice.randint(1, 400)):
        time = max(0, time + dice.randint(-2, 20))
        kind, code, value = dice.choices(
            [(EV_ABS, MT_SLOT, dice.randint(0, 5)),
             (EV_ABS, MT_ID, dice.choice([-2, -1, -1, -1, 0, 1, 2, 3, 9])),
             (EV_ABS, dice.choice([MT_X, MT_Y]), dice.randint(-120, 320)),
             (EV_ABS, MT_TOOL, dice.choice([0, 0, 0, 1, 2, 10])),
             (EV_ABS, MT_DISTANCE, dice.choice([0, 0, 1])),
             (EV_SYN, SYN_REPORT, 0),
             (EV_SYN, SYN_REPORT, 1),
             (EV_SYN, SYN_DROPPED, 0),
             (1, 0x14A, 1)],
            [20, 24, 24, 4, 4, dice.choice([8, 24]), 1, 1, 1])[0]
        lines.append(f"E: {time // 10**6}.{time % 10**6:06} {kind:04x} {code:04x} {value:04}\n")
    return "".join(lines)


def compare_random(touchctl, count, seed):
    print(f"seed {seed}")
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            path = pathlib.Path(folder) / f"{number}.evemu"
            path.write_text(made_up(dice))
            result, remark = check(touchctl, path)
            counts[result] += 1
            if result == "failed":
                print(f"failed  number {number} of seed {seed}: {remark}")
            path.unlink()
    print(", ".join(f"{count} {result}" for result, count in counts.items()))
    return 0 if counts["failed"] == 0 else 1


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "show":
        for line in decode(pathlib.Path(arguments[1]))[1]:
            print(json.dumps(line, separators=(",", ":")))
        return 0
    if len(arguments) > 2 and arguments[0] == "compare":
        return compare(arguments[1], arguments[2:])
    if len(arguments) == 4 and arguments[0] == "random":
        return compare_random(arguments[1], int(arguments[2]), int(arguments[3]))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
