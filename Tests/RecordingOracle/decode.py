#!/usr/bin/env python3
"""A second reading of the rules of `touchctl decode`, to hold the first against.

Usage: decode.py show FILE                       prints what `touchctl decode FILE --json` should
       decode.py compare TOUCHCTL FOLDER...      runs touchctl over the folders' *.evemu files
       decode.py random TOUCHCTL COUNT SEED      the same over made-up devices that keep no order
       decode.py touches TOUCHCTL FOLDER         holds the number of contacts against the tables
                                                 of FOLDER/README.md

It is written from the text of the rules and shares nothing with the Swift code: it gathers the
events of a whole frame, cuts them into episodes by slot and then lays the episodes out on lines,
where the Swift code keeps a table of slots. A device without slots has its whole frame turned into
events of slots first. Standard library only.

Rules beyond the page on `touchctl decode`:

- Slots: a report with BTN_TOUCH 0 in which no slot changes its id or its position lifts all that is
  down, and makes silent what was silent already. A slot that was lifted so begins again with any id,
  also the same, and while BTN_TOUCH is 1 once its position changes; if the report that says 1
  changes none, the current slot begins again.
- Single contact: BTN_TOUCH says that it touches; of a device that neither declares nor sends it the
  pressure does (above 0), of one without pressure BTN_LEFT. A pen while BTN_TOOL_PEN to _AIRBRUSH
  is pressed, or always with BTN_STYLUS and no BTN_TOOL_PEN.
- Protocol A: a contact stands before each SYN_MT_REPORT, or is the rest before SYN_REPORT. One with
  neither id nor position, or with an id below 0, is none; of two with one id the second adds to the
  first. A report that has a value of a contact, SYN_MT_REPORT or BTN_TOUCH 0 names all contacts
  there are, others change nothing. The same id is the same contact; those without are matched so
  that the sum of the squared distances is the least, in parts of each axis's range and whole steps of
  2^-40, where staying alone costs as much as a quarter of the range and more is no match; of equal
  sums the first contact gets the lowest slot, alone being the last, then the second, and so on. Then
  what is missing is lifted,
  and new contacts take the lowest free slots in their order. A value that is missing is the slot's
  last; a new contact keeps only the position of its slot.
"""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

EV_SYN, EV_KEY, EV_ABS = 0, 1, 3
SYN_REPORT, SYN_MT_REPORT, SYN_DROPPED = 0, 2, 3
ABS_X, ABS_Y, ABS_PRESSURE = 0x00, 0x01, 0x18
MT_SLOT, MT_X, MT_Y, MT_TOOL, MT_ID, MT_DISTANCE = 0x2F, 0x35, 0x36, 0x37, 0x39, 0x3B
BTN_LEFT, BTN_TOOL_PEN, BTN_TOOL_AIRBRUSH, BTN_TOUCH, BTN_STYLUS = (
    0x110, 0x140, 0x144, 0x14A, 0x14B)
PEN, PALM = 1, 2
TOOLS = {1: "pen", 2: "palm"}
MATCH_LIMIT = 0.25**2
MOST_CONTACTS = 32


def steps(distance):
    """A squared distance in whole steps."""
    return int(distance * 2**40)


class Unreadable(Exception):
    """The file gives no frames; touchctl must leave with 1."""


class Device:
    def __init__(self):
        self.axes, self.keys, self.events = {}, set(), []
        self.key_bytes = 0

    def take_bits(self, text):
        kind, *rest = (int(word, 16) for word in text.split())
        if kind != EV_KEY:
            return
        for byte in rest:
            self.keys |= {self.key_bytes * 8 + bit for bit in range(8) if byte >> bit & 1}
            self.key_bytes += 1


def read_evemu(path):
    devices = []
    for raw in path.read_bytes().split(b"\n"):
        line = raw.decode("utf-8", "replace").strip()
        if line.startswith("N:"):
            devices.append(Device())
        elif line.startswith("B:"):
            devices[-1].take_bits(line[2:].split("#")[0])
        elif line.startswith("A:"):
            code, low, high = line[2:].split()[:3]
            devices[-1].axes[int(code, 16)] = (int(low), int(high))
        elif line.startswith("E:"):
            time, kind, code, value = line[2:].split("#")[0].split()
            seconds, microseconds = time.split(".")
            devices[-1].events.append((
                int(seconds) * 10**6 + int(microseconds), int(kind, 16), int(code, 16),
                int(value)))
    return devices


def protocol(axes):
    if MT_X in axes and MT_Y in axes:
        return "B" if MT_SLOT in axes else "A"
    if ABS_X in axes and ABS_Y in axes:
        return "single-touch"
    raise Unreadable("no position axes")


class SingleContact:
    """Turns the frames of a device of one contact into frames of a device with slots."""

    def __init__(self, device):
        self.is_always_pen = BTN_STYLUS in device.keys and BTN_TOOL_PEN not in device.keys
        if BTN_TOUCH in device.keys:
            self.sign = BTN_TOUCH
        elif ABS_PRESSURE in device.axes:
            self.sign = ABS_PRESSURE
        else:
            self.sign = BTN_LEFT if BTN_LEFT in device.keys else None
        self.touches = 0
        self.forget()

    def forget(self):
        self.is_down, self.pens = False, set()

    def tool(self):
        return PEN if self.pens or self.is_always_pen else 0

    def translate(self, frame, _):
        out = []
        for kind, code, value in frame:
            is_down = self.is_down
            if kind == EV_ABS and code in (ABS_X, ABS_Y):
                out.append((MT_X if code == ABS_X else MT_Y, value))
            elif kind == EV_ABS and code == ABS_PRESSURE and self.sign == ABS_PRESSURE:
                is_down = value > 0
            elif kind == EV_KEY and BTN_TOOL_PEN <= code <= BTN_TOOL_AIRBRUSH:
                (self.pens.add if value else self.pens.discard)(code)
                out.append((MT_TOOL, self.tool()))
            elif kind == EV_KEY and code == BTN_TOUCH:
                self.sign, is_down = BTN_TOUCH, value != 0
            elif kind == EV_KEY and code == self.sign:
                is_down = value != 0
            if is_down and not self.is_down:
                out += [(MT_TOOL, self.tool()), (MT_ID, self.touches)]
                self.touches += 1
            elif self.is_down and not is_down:
                out.append((MT_ID, -1))
            self.is_down = is_down
        return out


class Reports:
    """Turns the frames of protocol A into frames of a device with slots."""

    def __init__(self, device):
        self.extents = [max(1, device.axes[axis][1] - device.axes[axis][0])
                        for axis in (MT_X, MT_Y)]
        self.forget()
        self.touches = 0

    def forget(self):
        self.held = {}  # slot: the device's id, or None

    @staticmethod
    def contacts(frame):
        """The contacts of a frame, or None if it does not say which there are."""
        found, speaks, contact = [], False, {}
        for kind, code, value in list(frame) + [(EV_SYN, SYN_MT_REPORT, None)]:
            if kind == EV_ABS and MT_SLOT < code <= MT_SLOT + 15:
                contact[code] = value
                speaks = True
            elif kind == EV_KEY and code == BTN_TOUCH and value == 0:
                speaks = True
            elif kind == EV_SYN and code == SYN_MT_REPORT:
                speaks = speaks or value is not None
                twins = [c for c in found if MT_ID in contact and c.get(MT_ID) == contact[MT_ID]]
                if twins:
                    twins[0].update(contact)
                elif contact.get(MT_ID, 0) >= 0 and {MT_ID, MT_X, MT_Y} & set(contact):
                    found.append(contact)
                contact = {}
        return found[:MOST_CONTACTS] if speaks else None

    def distance(self, contact, slot):
        parts = [(contact[axis] - last) / extent
                 for axis, last, extent in zip((MT_X, MT_Y), (slot.x, slot.y), self.extents)
                 if axis in contact]
        return sum(part * part for part in parts)

    def match(self, contacts, slots, all_slots):
        """The cheapest pairs, by trying all: a table over the sets of slots that are taken."""
        best = {0: (0, (), ())}
        for number, contact in contacts:
            step = {}
            for taken, (cost, order, pairs) in best.items():
                ways = [(taken, cost + steps(MATCH_LIMIT), order + (MOST_CONTACTS,), pairs)]
                for bit, slot in enumerate(slots):
                    apart = self.distance(contact, all_slots[slot])
                    if not taken >> bit & 1 and apart <= MATCH_LIMIT:
                        ways.append((taken | 1 << bit, cost + steps(apart), order + (slot,),
                                     pairs + ((number, slot),)))
                for key, *way in ways:
                    step[key] = min(step.get(key, tuple(way)), tuple(way))
            best = step
        return dict(min(best.values())[2])

    def translate(self, frame, slots):
        contacts = self.contacts(frame)
        if contacts is None:
            return []
        by_id = {tracking: slot for slot, tracking in self.held.items() if tracking is not None}
        chosen = {number: by_id[contact[MT_ID]] for number, contact in enumerate(contacts)
                  if contact.get(MT_ID) in by_id}
        chosen |= self.match(
            [(n, c) for n, c in enumerate(contacts) if MT_ID not in c],
            sorted(slot for slot, tracking in self.held.items() if tracking is None), slots)
        out = []
        for slot in set(self.held) - set(chosen.values()):
            out += [(MT_SLOT, slot), (MT_ID, -1)]
            del self.held[slot]
        for number, contact in enumerate(contacts):
            is_new = number not in chosen
            if is_new:
                chosen[number] = min(set(range(MOST_CONTACTS)) - set(self.held))
                self.held[chosen[number]] = contact.get(MT_ID)
                self.touches += 1
            out.append((MT_SLOT, chosen[number]))
            if is_new:
                out += [(MT_TOOL, 0), (MT_DISTANCE, 0)]
            out += [(code, value) for code, value in contact.items() if code != MT_ID]
            if is_new:
                out.append((MT_ID, self.touches))
        return out


class Slot:
    """The last values of a slot, and who is in it."""

    def __init__(self):
        self.x = self.y = self.tool = self.distance = 0
        self.tracking = None  # the kernel's id, None for an empty slot
        self.muted = False  # what is in the slot is never to be listed
        self.rest = None  # where it was when BTN_TOUCH alone lifted it
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
    def __init__(self, index, device):
        self.index = index
        kind = protocol(device.axes)
        self.front = {"B": lambda _: None, "A": Reports, "single-touch": SingleContact}[kind](device)
        self.has_slots = kind == "B"
        axes = (ABS_X, ABS_Y) if kind == "single-touch" else (MT_X, MT_Y)
        self.axes = {MT_X: device.axes[axes[0]], MT_Y: device.axes[axes[1]]}
        self.slots, self.current = {}, 0
        self.last_report = None
        self.dropped = False
        self.next_id = 1
        self.key_is_down = False

    def slot(self, number):
        return self.slots.setdefault(number, Slot())

    def lines(self, events):
        frame = []
        for time, kind, code, value in events:
            if kind == EV_SYN and code == SYN_REPORT:
                self.last_report = time
                if value == 1:
                    if self.has_slots:
                        frame = self.without_key(frame)
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
            elif not self.dropped:
                frame.append((kind, code, value))
        yield from self.cancel_all(self.last_report)

    def without_key(self, frame):
        """The kernel releases the keys of a device that goes: nobody lifted a finger."""
        for kind, code, value in frame:
            if kind == EV_KEY and code == BTN_TOUCH:
                self.key_is_down = value != 0
        return [event for event in frame if event[0] != EV_KEY]

    def slot_events(self, frame):
        if self.front:
            self.current = 0
            return self.front.translate(frame, self.slots)
        return [(code, value) for kind, code, value in frame if kind == EV_ABS]

    def absorb(self, frame):
        """Takes the values of a frame that will never be ended."""
        if isinstance(self.front, Reports):
            return
        for code, value in self.slot_events(frame):
            if code == MT_SLOT:
                self.current = value
            else:
                self.keep(self.slot(self.current), code, value)
        if self.has_slots:
            self.without_key(frame)

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
        have_ids_changed = False
        for code, value in self.slot_events(frame):
            if code == MT_SLOT:
                self.current = value
                continue
            slot = self.slot(self.current)
            if code != MT_ID:
                self.keep(slot, code, value)
                continue
            new = value if value >= 0 else None
            if new == slot.tracking and (new is None or slot.rest is None):
                continue
            have_ids_changed = True
            held = episodes.setdefault(self.current, [])
            if slot.rest is not None:
                held.clear()
            elif slot.tracking is not None:
                held[-1].close("up" if new is None else "cancel")
            if new is not None:
                held.append(Episode(slot, False))
            slot.tracking, slot.rest = new, None
        if self.has_slots:
            self.obey_key(frame, episodes, have_ids_changed)
        return self.lay_out(time, episodes)

    def obey_key(self, frame, episodes, have_ids_changed):
        words = [value for kind, code, value in frame if kind == EV_KEY and code == BTN_TOUCH]
        if words:
            self.key_is_down = words[-1] != 0
        if words and not self.key_is_down and not have_ids_changed:
            self.lift_by_key(episodes)
        resting = [number for number, slot in self.slots.items() if slot.rest is not None]
        again = []
        if self.key_is_down:
            again = [n for n in resting if self.slots[n].rest != (self.slots[n].x, self.slots[n].y)]
            if words and not again and self.current in resting:
                again = [self.current]
        for number in resting:
            if number in again:
                self.slots[number].rest = None
                episodes[number] = [Episode(self.slots[number], False)]
            elif not episodes[number][0].end:
                del episodes[number]

    def lift_by_key(self, episodes):
        """Ends all that is down, if no slot has changed its position."""
        held = []
        for number in episodes:
            slot = self.slots[number]
            if slot.contact:
                is_at_rest = (slot.x, slot.y) == (slot.contact["x"], slot.contact["y"])
                if not is_at_rest or slot.tool == PALM or slot.distance > 0:
                    return
                held.append(number)
            elif slot.muted:
                held.append(number)
        for number in held:
            slot = self.slots[number]
            if slot.contact:
                episodes[number][0].close("up")
            slot.rest, slot.muted = (slot.x, slot.y), False

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
            slot.contact, slot.tracking, slot.muted, slot.rest = None, None, False, None
        if self.front:
            self.front.forget()
        if contacts:
            yield {"time_us": time, "device": self.index, "contacts": contacts}


def decode(path):
    devices = read_evemu(path)
    if len(devices) != 1:
        raise Unreadable("not one device")
    device = devices[0]
    return protocol(device.axes), list(Decoder(0, device).lines(device.events))


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
    """Returns ('passed' | 'failed', remark)."""
    run = subprocess.run(
        [touchctl, "decode", str(path), "--json"], capture_output=True, text=True, timeout=120)
    try:
        kind, expected = decode(path)
    except Unreadable as reason:
        if run.returncode == 1 and re.search(r"line \d+: ", run.stderr) and not run.stdout:
            return "passed", f"exit 1: {reason}"
        return "failed", f"exit {run.returncode} where 1 was due: {reason}"
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
    return "passed", f"protocol {kind}, {len(actual)} lines, {downs} contacts"


def compare(touchctl, folders):
    counts = {"passed": 0, "failed": 0}
    for folder in folders:
        for path in sorted(pathlib.Path(folder).glob("*.evemu")):
            result, remark = check(touchctl, path)
            counts[result] += 1
            print(f"{result:8}{path.name}: {remark}")
    print(", ".join(f"{count} {result}" for result, count in counts.items()))
    return 0 if counts["failed"] == 0 and sum(counts.values()) > 0 else 1


SLOTS = """N: made up
A: 2f 0 2 0 0 0
A: 35 -100 99 0 0 0
A: 36 0 300 0 0 0
A: 39 0 65535 0 0 0
"""

SLOT_EVENTS = [
    (20, lambda dice: (EV_ABS, MT_SLOT, dice.randint(0, 5))),
    (24, lambda dice: (EV_ABS, MT_ID, dice.choice([-2, -1, -1, -1, 0, 1, 2, 3, 9]))),
    (24, lambda dice: (EV_ABS, dice.choice([MT_X, MT_Y]), dice.randint(-120, 320))),
    (4, lambda dice: (EV_ABS, MT_TOOL, dice.choice([0, 0, 0, 1, 2, 10]))),
    (4, lambda dice: (EV_ABS, MT_DISTANCE, dice.choice([0, 0, 1]))),
    (8, lambda dice: (EV_KEY, BTN_TOUCH, dice.choice([0, 1]))),
    (1, lambda dice: (EV_SYN, SYN_MT_REPORT, 0)),
]

REPORTS = """N: made up
A: 35 -1000000 999999 0 0 0
A: 36 0 3000000 0 0 0
"""

# So short that many pairs of contacts are equally far apart.
SHORT_REPORTS = """N: made up
A: 35 0 16 0 0 0
A: 36 0 16 0 0 0
"""

SHORT_EVENTS = [
    (24, lambda dice: (EV_ABS, MT_X, dice.randint(0, 8))),
    (24, lambda dice: (EV_ABS, MT_Y, dice.choice([0, 0, 0, 1, 4]))),
    (1, lambda dice: (EV_ABS, MT_ID, dice.choice([-1, 0, 1]))),
    (40, lambda dice: (EV_SYN, SYN_MT_REPORT, 0)),
]

REPORT_EVENTS = [
    (24, lambda dice: (EV_ABS, MT_X, dice.randint(-1100000, 1100000))),
    (24, lambda dice: (EV_ABS, MT_Y, dice.randint(-100000, 3100000))),
    (4, lambda dice: (EV_ABS, MT_ID, dice.choice([-1, 0, 0, 1, 1, 2, 9]))),
    (2, lambda dice: (EV_ABS, MT_TOOL, dice.choice([0, 0, 1, 2, 10]))),
    (2, lambda dice: (EV_ABS, MT_DISTANCE, dice.choice([0, 0, 1]))),
    (2, lambda dice: (EV_ABS, 0x30, dice.choice([0, 5]))),
    (2, lambda dice: (EV_KEY, BTN_TOUCH, dice.choice([0, 1]))),
    (2, lambda dice: (EV_ABS, ABS_X, dice.randint(0, 100))),
    (20, lambda dice: (EV_SYN, SYN_MT_REPORT, 0)),
]

SINGLE = """N: made up
A: 00 -100 99 0 0 0
A: 01 0 300 0 0 0
"""

SINGLE_EVENTS = [
    (24, lambda dice: (EV_ABS, dice.choice([ABS_X, ABS_Y]), dice.randint(-120, 320))),
    (12, lambda dice: (EV_ABS, ABS_PRESSURE, dice.choice([-1, 0, 0, 1, 50, 300]))),
    (1, lambda dice: (EV_KEY, BTN_TOUCH, dice.choice([0, 1, 1, 2]))),
    (12, lambda dice: (EV_KEY, BTN_LEFT, dice.choice([0, 1]))),
    (4, lambda dice: (EV_KEY, dice.choice([0x13F, 0x140, 0x141, 0x144, 0x145]), dice.randint(0, 1))),
    (2, lambda dice: (EV_ABS, 0x19, dice.choice([0, 5]))),
    (2, lambda dice: (EV_ABS, dice.choice([MT_X, MT_ID, MT_SLOT]), dice.randint(-1, 3))),
]


def key_lines(keys):
    field = bytearray(0x60)
    for key in keys:
        field[key // 8] |= 1 << key % 8
    return "".join(
        "B: 01 " + " ".join(f"{byte:02x}" for byte in field[start:start + 8]) + "\n"
        for start in range(0, len(field), 8))


def description(dice, kind):
    if kind == "B":
        return SLOTS, SLOT_EVENTS
    if kind == "A":
        return dice.choice([(REPORTS, REPORT_EVENTS), (SHORT_REPORTS, SHORT_EVENTS)])
    keys = [key for key in (BTN_TOUCH, BTN_LEFT, BTN_TOOL_PEN, BTN_STYLUS) if dice.random() < 0.4]
    pressure = dice.choice(["", "A: 18 0 255 0 0 0\n"])
    events = list(SINGLE_EVENTS)
    if BTN_TOUCH in keys:
        events[2] = (12, SINGLE_EVENTS[2][1])
    return SINGLE + pressure + key_lines(keys), events


def made_up(dice):
    """An evemu text in which anything may follow anything."""
    text, events = description(dice, dice.choice(["B", "B", "A", "single-touch"]))
    lines, time, places = [text], 0, []
    events = events + [
        (dice.choice([8, 24]), lambda dice: (EV_SYN, SYN_REPORT, 0)),
        (1, lambda dice: (EV_SYN, SYN_REPORT, 1)),
        (1, lambda dice: (EV_SYN, SYN_DROPPED, 0))]
    for _ in range(dice.randint(1, 400)):
        time = max(0, time + dice.randint(-2, 20))
        kind, code, value = dice.choices(
            [event for _, event in events], [weight for weight, _ in events])[0](dice)
        if text == REPORTS and kind == EV_ABS and code in (MT_X, MT_Y):
            # Most contacts are near one of before.
            old = [place for axis, place in places[-12:] if axis == code]
            if old and dice.random() < 0.8:
                value = dice.choice(old) + dice.randint(-300000, 300000)
            places.append((code, value))
        lines.append(f"E: {time // 10**6}.{time % 10**6:06} {kind:04x} {code:04x} {value:04}\n")
    return "".join(lines)


def compare_random(touchctl, count, seed):
    print(f"seed {seed}")
    counts = {"passed": 0, "failed": 0}
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


# Files whose number of contacts is not that of the tables, and why.
OTHER_COUNTS = {
    "epaper-tablet.palm.evemu": (0, "the one contact is a palm, which is not listed"),
    "epaper-tablet.finger-and-palm.evemu": (1, "the second contact is a palm, not listed"),
}


def listed_touches(readme):
    """The column 'touches' of the tables of recordings: {file: number}."""
    found, column = {}, None
    for line in readme.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if "touches" in cells:
            column = cells.index("touches")
        elif not cells:
            column = None
        elif column is not None and cells[0].endswith(".evemu") and cells[column].isdigit():
            found[cells[0]] = int(cells[column])
    return found


def count_touches(touchctl, folder):
    folder = pathlib.Path(folder)
    counts = {"passed": 0, "failed": 0}
    listed = listed_touches(folder / "README.md")
    for path in sorted(folder.glob("*/*.evemu")):
        if path.name not in listed:
            continue
        run = subprocess.run(
            [touchctl, "decode", str(path), "--json"], capture_output=True, text=True, timeout=120)
        live, downs, faults = set(), 0, []
        for line in run.stdout.splitlines():
            for contact in json.loads(line)["contacts"]:
                if contact["phase"] == "down":
                    downs += 1
                    live.add(contact["id"])
                elif contact["phase"] in ("up", "cancel"):
                    live.remove(contact["id"])
        if live:
            faults.append(f"{len(live)} contacts are never ended")
        due, cause = OTHER_COUNTS.get(path.name, (listed[path.name], None))
        if downs != due:
            faults.append(f"{downs} contacts, not {due}")
        counts["failed" if faults else "passed"] += 1
        if faults or cause:
            print(f"{'failed' if faults else 'passed':8}{path.name}: {'; '.join(faults) or cause}")
    print(", ".join(f"{count} {result}" for result, count in counts.items()))
    return 0 if counts["failed"] == 0 and counts["passed"] > 0 else 1


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "show":
        for line in decode(pathlib.Path(arguments[1]))[1]:
            print(json.dumps(line, separators=(",", ":")))
        return 0
    if len(arguments) > 2 and arguments[0] == "compare":
        return compare(arguments[1], arguments[2:])
    if len(arguments) == 4 and arguments[0] == "random":
        return compare_random(arguments[1], int(arguments[2]), int(arguments[3]))
    if len(arguments) == 3 and arguments[0] == "touches":
        return count_touches(arguments[1], arguments[2])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
