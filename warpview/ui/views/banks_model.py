"""What an access does to the banks of shared memory: which words of which bank, in which wavefront, for whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from warpview.isa.program import Program, Variable
from warpview.isa.types import Space
from warpview.sim.rules.access import SharedAccess
from warpview.ui.drawing.values import lanes_of, shared_arrays
from warpview.ui.views.tile_model import array_of

if TYPE_CHECKING:
    from warpview.ui.views.context import FrameContext


@dataclass(frozen=True)
class Cell:
    """A word of a bank that the access touches, the lanes on it and the wavefront that serves them."""

    bank: int
    row: int
    word: int
    lanes: int
    front: int


@dataclass(frozen=True)
class BankAccess:
    """What a step did to the banks. ``passes`` counts for each bank the words it must deliver one after another."""

    access: SharedAccess
    cells: tuple[Cell, ...]
    rows: tuple[int, ...]
    passes: tuple[int, ...]
    front_of: tuple[int, ...]  # the last wavefront that serves each lane; -1 for lanes without a part

    @property
    def verdict(self) -> str:
        if self.access.collisions:
            return f"{self.access.collisions + 1} lanes on one address"
        if self.access.conflicts:
            return f"{self.access.degree}-way conflict"
        if any(w.broadcast for w in self.access.wavefronts):
            return "broadcast"
        return "no conflict"

    @property
    def sentence(self) -> str:
        """How many wavefronts, and how few would do."""
        n, ideal = len(self.access.wavefronts), self.access.ideal
        waves = f"{n} wavefront" + ("" if n == 1 else "s")
        return waves if n <= ideal else f"{waves} where {ideal} would do"


def bank_access(context: FrameContext) -> BankAccess | None:
    """The banks' side of this step's access; None where it did not touch shared memory."""
    frame = context.frame
    access, addresses = frame.access, frame.addresses
    if (
        not isinstance(access, SharedAccess)
        or addresses is None
        or addresses.space not in (Space.SHARED, Space.GENERIC)
    ):
        return None
    words_of = {
        lane: range(int(addresses.address[lane]) // 4, (int(addresses.address[lane]) + access.width - 1) // 4 + 1)
        for lane in lanes_of(access.lanes)
    }
    row_words = access.banks * max(4, access.bank_width) // 4
    cells: list[Cell] = []
    front_of = [-1] * 32
    for k, front in enumerate(access.wavefronts):
        served = lanes_of(front.lanes)
        for lane in served:
            front_of[lane] = k
        for bank, word in front.words:
            lanes = sum(1 << lane for lane in served if word in words_of.get(lane, ()))
            cells.append(Cell(bank, word // row_words, word, lanes, k))
    return BankAccess(
        access,
        tuple(cells),
        tuple(sorted({c.row for c in cells})),
        _passes(access, cells, context.device),
        tuple(front_of),
    )


def _passes(access: SharedAccess, cells: list[Cell], device: Any) -> tuple[int, ...]:
    """For each bank the largest number of its words that one part of the warp asks for."""
    group = getattr(device, "shared_group", 32)
    together = max(1, min(group, access.banks * 4 // max(4, access.width)))
    found: dict[tuple[int, int], set[int]] = {}
    for cell in cells:
        for lane in lanes_of(cell.lanes):
            found.setdefault((cell.bank, lane // together), set()).add(cell.word * max(1, access.bank_width // 4))
    return tuple(max((len(w) for (b, _), w in found.items() if b == bank), default=0) for bank in range(access.banks))


def word_name(program: Program, word: int, kind: tuple[Variable, ...] | None = None) -> str:
    """The element at a word of shared memory, or the bare word where no array lies there."""
    variable = array_of(kind if kind is not None else shared_arrays(program), 4 * word)
    if variable is None or not variable.element_bytes:
        return f"word {word}"
    index = (4 * word - variable.offset) // variable.element_bytes
    inner = variable.dims[1:]
    parts: list[int] = []
    for size in reversed(inner):
        parts.insert(0, index % max(1, size))
        index //= max(1, size)
    parts.insert(0, index)
    return variable.name + "".join(f"[{p}]" for p in parts)


def bank_of(banks: BankAccess, word: int) -> int:
    """The bank of a word, by the access where it has part in it."""
    return next((c.bank for c in banks.cells if c.word == word), word % banks.access.banks)
