"""Choose the six counters that matter for a kernel, and the text of each tile. Qt-free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.profile.counters import BY_KEY, Counter, Value
from warpview.ui.drawing.picture import Box, Picture
from warpview.ui.views.context import RunLike
from warpview.ui.views.counters.counters_model import number

SHOWN = 6
# In the order in which a lecture asks for them; the first six that this launch has anything of are shown.
CANDIDATES = (
    "inst_executed", "active_lanes_average", "divergent_branches", "shared_ld_bank_conflicts", "atomic_collisions",
    "global_ld_sectors_per_request", "global_st_sectors_per_request", "shared_st_bank_conflicts", "inst_local_ld",
    "barriers", "shared_ld_wavefronts", "warp_collectives", "global_ld_sectors", "global_st_sectors", "branches",
    "thread_inst_executed",
)  # fmt: skip
# In their place on devices that move segments of several sizes.
WITHOUT_SECTORS = {
    "global_ld_sectors_per_request": "global_ld_efficiency_pct",
    "global_st_sectors_per_request": "global_st_efficiency_pct",
}
WORSE_IF_MORE = frozenset(
    {"divergent_branches", "shared_ld_bank_conflicts", "shared_st_bank_conflicts", "atomic_collisions", "inst_local_ld"}
)
LOWEST = 2.8  # height of a tile where all are shown: its type is a tenth smaller
HEAD = 3.1  # height of the number and the name above a sparkline, in type sizes
LEAST_WIDTH = 7.4  # of a tile, in type sizes: narrower ones would cut the names of counters
LEAST_LINE = 1.0  # height of a sparkline at least
LIST_LINE, LIST_WIDTH = 1.2, 10.0  # height and width of a counter in a list, in type sizes
NAME = 0.75  # least size of a name beside its number, in a list
LIST_SIZES = (1.0, 0.85, 0.7, 0.55)  # of the usual type: large type in a low window leaves little room


@dataclass(frozen=True)
class Tile:
    """Hold one counter: its value so far and in the whole launch, and whether this step has changed it."""

    counter: Counter
    so_far: Value
    launch: Value
    changed: bool

    @property
    def name(self) -> str:
        """Return the short title of the counter."""
        return self.counter.label

    @property
    def text(self) -> str:
        """Return the value so far."""
        return number(self.so_far, self.counter.unit)

    @property
    def of(self) -> str:
        """Return the value in the whole launch, in words: counts add up to it, averages do not."""
        word = "of" if isinstance(self.launch, int) else "launch"
        return f"{word} {number(self.launch, self.counter.unit)}"


def keys_of(run: RunLike) -> tuple[str, ...]:
    """Return the counters to show for a run: the first six candidates that are not 0 in the whole launch."""
    other = {} if run.device.moves_sectors else WITHOUT_SECTORS
    return tuple(key for key in (other.get(key, key) for key in CANDIDATES) if run.counters.get(key))[:SHOWN]


def tiles(
    keys: tuple[str, ...],
    device: Device,
    now: Mapping[str, Value],
    before: Mapping[str, Value],
    launch: Mapping[str, Value],
) -> list[Tile]:
    """Return a tile for each counter; ``before`` are the values one step earlier."""
    return [
        Tile(BY_KEY[key].named_on(device), now.get(key), launch.get(key), now.get(key) != before.get(key))
        for key in keys
    ]


def grid(width: float, height: float, unit: float, count: int) -> list[Box]:
    """Return the places of the tiles: in as few rows as leave each of them 11 type sizes of width."""
    if not count:
        return []
    columns = max(1, min(count, int(width / (11 * unit))))
    rows = -(-count // columns)
    while rows > 1 and height / rows < LOWEST * unit and columns < count:
        columns += 1
        rows = -(-count // columns)
    columns = -(-count // rows)  # rows of about one length
    w, h = width / columns, height / rows
    return [Box((n % columns) * w, (n // columns) * h, w, h) for n in range(count)]


def fitting(width: float, height: float, unit: float, count: int) -> int:
    """Return how many tiles of ``count``, one at least, are wide enough for the names of counters."""
    wide = (n for n in range(count, 1, -1) if grid(width, height, unit, n)[0].w >= LEAST_WIDTH * unit)
    return next(wide, min(1, count))


def listed(width: float, height: float, unit: float, count: int) -> list[Box]:
    """Return the places of counters on a line each, number and name, where tiles do not show all of them and lines show
    more; else none. Lines are in the largest type of ``LIST_SIZES`` in which all have room."""
    for size in (share * unit for share in LIST_SIZES):
        columns, rows = max(1, int(width / (LIST_WIDTH * size))), int(height / (LIST_LINE * size))
        fit = min(count, columns * rows)
        if fit == count:
            break
    if fit <= fitting(width, height, unit, count):
        return []
    columns = -(-fit // rows)  # as few as there may be: the names are as large as their columns allow
    rows = -(-fit // columns)
    w, h = width / columns, min(height / rows, 2 * LIST_LINE * unit)
    return [Box((n % columns) * w, (n // columns) * h, w, h) for n in range(fit)]


def line_box(tile: Box, unit: float) -> Box | None:
    """Return where the sparkline of a tile lies; None where there is no room for one."""
    height = tile.h - (HEAD + 0.3) * unit
    return None if height < LEAST_LINE * unit else Box(tile.x + 0.6 * unit, tile.y + HEAD * unit, tile.w - unit, height)


def curves(
    places: Sequence[Box], steps: Sequence[int], series: Sequence[Sequence[float]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the points of a curve at each place, float64[n] across and down in pixels, with a gap (NaN) behind each.
    Across they are whole pixels, at which lines that end there join without a seam.

    ``series`` are the values of each counter at ``steps``, the last of which is the end of the run; the largest value
    reaches the top of its place.
    """
    x = np.full((len(series), len(steps) + 1), np.nan)
    y = np.full_like(x, np.nan)
    for line, (place, values) in enumerate(zip(places, series, strict=True)):
        x[line, :-1] = np.round(place.x + place.w * np.asarray(steps) / max(1, steps[-1]))
        y[line, :-1] = place.bottom - place.h * np.asarray(values) / (max(values) or 1.0)
    return x.ravel(), y.ravel()


def draw_list(picture: Picture, shown: list[Tile], boxes: Sequence[Box], hidden: bool) -> None:
    """Draw a line for each counter: its number, then its name, in type that suits the height of the lines."""
    words = ["?" if hidden else tile.text for tile in shown]
    longest = [*words, *(number(tile.launch, tile.counter.unit) for tile in shown)]  # so that the names stand still
    usual = picture.unit
    numbers = max(picture.size_of(text, usual, bold=True) for text in longest) / usual  # widths in type sizes
    names = NAME * max(picture.size_of(tile.name, usual) for tile in shown) / usual
    width, height = min(box.w for box in boxes), min(box.h for box in boxes)
    u = min(usual, height / LIST_LINE, max(width / (numbers + 1.6 + names), LIST_SIZES[-1] * usual))
    wide, room = numbers * u, width - (numbers + 1.6) * u
    name_size = min(picture.fit(tile.name, room, 0.9 * u, 0.6 * u)[1] for tile in shown)
    for tile, box, number_ in zip(shown, boxes, words, strict=True):
        _ground(picture, tile, box, hidden)
        picture.text(box.x + 0.5 * u + wide, box.cy, number_, u, _colour(tile), 1, bold=True)
        picture.text(box.x + u + wide, box.cy, tile.name, name_size, "text", room=room, least=0.6 * u)
        picture.hit(box, _words(tile, hidden))
    picture.spoken = _spoken(shown, hidden)


def _ground(picture: Picture, tile: Tile, box: Box, hidden: bool) -> None:
    if tile.changed and not hidden:
        picture.rect(Box(box.x + 2, box.y + 2, box.w - 4, box.h - 4), "glow", radius=4)


def _colour(tile: Tile) -> str:
    return "conflict_text" if tile.counter.key in WORSE_IF_MORE and tile.so_far else "text"


def _words(tile: Tile, hidden: bool) -> str:
    """Return the hover text of a counter."""
    counter = tile.counter
    says = f"{counter.title}: {tile.text} so far, {number(tile.launch, counter.unit)} in the whole launch"
    return counter.title if hidden else f"{says}\n{counter.description}"


def _spoken(shown: list[Tile], hidden: bool) -> str:
    return "; ".join(f"{tile.name} {'hidden' if hidden else tile.text}" for tile in shown)


def draw(picture: Picture, shown: list[Tile], hidden: bool) -> None:
    """Draw numbers and names in tiles; ``hidden`` keeps the numbers to itself."""
    boxes = grid(picture.width, picture.height, picture.unit, len(shown))
    u = min([picture.unit, *(box.h / HEAD for box in boxes)])  # a single row may be too low for the usual size
    room = min((box.w for box in boxes), default=0.0) - 0.9 * u
    name_size = min((picture.fit(tile.name, room, 0.9 * u, 0.65 * u)[1] for tile in shown), default=u)
    for tile, box in zip(shown, boxes, strict=True):
        left = box.x + 0.6 * u
        _ground(picture, tile, box, hidden)
        words = "?" if hidden else tile.text
        said = picture.text(left, box.y + 1.1 * u, words, 1.45 * u, _colour(tile), bold=True, room=room, least=0.65 * u)
        rest = box.right - said.right - 0.8 * u
        if picture.size_of(tile.of, 0.7 * u) <= rest:  # a word that is cut says nothing
            picture.text(said.right + 0.5 * u, box.y + 1.25 * u, tile.of, 0.85 * u, "dim", room=rest, least=0.7 * u)
        picture.text(left, box.y + 2.35 * u, tile.name, name_size, "text", room=room, least=0.65 * u)
        picture.hit(box, _words(tile, hidden))
    picture.spoken = _spoken(shown, hidden)
