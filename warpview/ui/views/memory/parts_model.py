"""List the parts of an access that are carried out one after another: wavefronts, passes, the steps of a protocol."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from warpview.sim.rules.access import GlobalAccess, SharedAccess, Transaction
from warpview.trace.frame import Frame, LaneAddresses
from warpview.ui.drawing.values import lanes_of

ALL = -1  # every part at once
LINE = 128
_FOUND = re.compile(r"lowest thread (\d+): (\d+) bytes at (\d+)")
_HALVED = re.compile(r"only the (\w+) half is used: (\d+) at (\d+)")


@dataclass(frozen=True)
class Part:
    """Describe a step in the execution of a global access: ``size`` bytes from ``base`` are looked at for ``lanes``;
    ``issued`` are the transactions that go out with it, by their order."""

    words: str
    base: int
    size: int
    lanes: int
    issued: tuple[int, ...] = ()


def parts(frame: Frame) -> int:
    """Return the number of parts of the step's access; 0 without an access."""
    access = frame.access
    if isinstance(access, SharedAccess):
        return len(access.wavefronts)
    if isinstance(access, GlobalAccess) and frame.addresses is not None:
        return len(protocol(access, frame.addresses))
    return 0


def protocol(access: GlobalAccess, at: LaneAddresses) -> tuple[Part, ...]:
    """Return the steps in which the device joins the lanes' addresses to transactions, in order."""
    rule = _segments if any(_FOUND.match(t.note) for t in access.transactions) else _lines
    if any("coalesced" in t.note for t in access.transactions):
        return tuple(_strict(access, at))
    return tuple(rule(access))


def _strict(access: GlobalAccess, at: LaneAddresses) -> Iterator[Part]:
    """Yield the parts on CC 1.0 and 1.1, which test each half-warp as a whole."""
    for half, issued in groupby(enumerate(access.transactions), lambda item: item[1].group):
        orders, moved = zip(*issued, strict=True)
        lanes = _joined(moved)
        size = min(16 * access.width, LINE)
        first = lanes_of(lanes)[0]
        base = int(at.address[first]) - first % 16 * access.width
        who = f"half-warp {half}"
        yield Part(f"{who}: is the k-th lane at the k-th word of {size} aligned bytes?", base, size, lanes)
        if moved[0].note == "coalesced":
            count = "one transaction" if len(moved) == 1 else f"{len(moved)} transactions"
            yield Part(f"{who}: yes, {count} of {size} bytes", moved[0].base, size, lanes, orders)
        else:
            yield Part(f"{who}: no, one 32-byte transaction for each lane", base, size, lanes, orders)


def _segments(access: GlobalAccess) -> Iterator[Part]:
    """Yield the parts on CC 1.2 and 1.3: the segment of the lowest lane not served, halved as long as one half of it is
    unused. A transaction that is found in the same manner as the one before takes a single step."""
    before = ""
    for order, t in enumerate(access.transactions):
        found = _FOUND.match(t.note)
        assert found is not None
        lane, size, base = (int(n) for n in found.groups())
        halvings = _HALVED.findall(t.note)
        manner = re.sub(r"\d+", "#", t.note) + f" {t.group}"
        if manner == before:
            sizes = " → ".join(str(n) for n in (size, *(smaller for _, smaller, _ in halvings)))
            yield Part(f"half-warp {t.group}: lane {lane} is next, {sizes} bytes", t.base, t.size, t.lanes, (order,))
            continue
        before = manner
        words = f"half-warp {t.group}: lane {lane} is served first, by these {size} bytes"
        yield Part(words, base, size, t.lanes, () if halvings else (order,))
        for k, (half, smaller, place) in enumerate(halvings, start=1):
            issued = (order,) if k == len(halvings) else ()
            yield Part(f"only the {half} half is used: {smaller} bytes", int(place), int(smaller), t.lanes, issued)


def _lines(access: GlobalAccess) -> Iterator[Part]:
    """Yield the steps from CC 2.0 on: line by line, all that is needed of each at once."""

    def line(item: tuple[int, Transaction]) -> tuple[int, int]:
        return item[1].group, item[1].base // LINE

    for number, (_, issued) in enumerate(groupby(enumerate(access.transactions), line), start=1):
        orders, moved = zip(*issued, strict=True)
        lanes, size = _joined(moved), sum(t.size for t in moved)
        count = "one lane" if lanes.bit_count() == 1 else f"{lanes.bit_count()} lanes"
        base = moved[0].base // LINE * LINE
        yield Part(f"line {number}: {size} bytes for {count}", base, LINE, lanes, orders)


def _joined(transactions: tuple[Transaction, ...]) -> int:
    mask = 0
    for t in transactions:
        mask |= t.lanes
    return mask
