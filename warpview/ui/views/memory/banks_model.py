"""Model an access to the banks of shared memory: the words of each bank, their wavefronts and their lanes."""

from __future__ import annotations

from dataclasses import dataclass

from warpview.isa.program import Program, Variable
from warpview.isa.types import Space, Type, small_float
from warpview.sim.arguments.values import DTYPES
from warpview.sim.rules.access import SharedAccess
from warpview.sim.rules.banks import part_lanes
from warpview.trace.words import counted
from warpview.ui.drawing.values import decoded, lanes_of, number, shared_arrays
from warpview.ui.views.arrays.arrays_model import padded_from
from warpview.ui.views.context import FrameContext


@dataclass(frozen=True)
class BankWord:
    """Hold a word of a bank that one wavefront of the access serves, and the mask of its lanes on the word.

    ``group`` is the part of the warp that is served together (a half-warp on CC 1.x), ``row`` the word's number among
    the words of its bank.
    """

    bank: int
    row: int
    word: int
    lanes: int
    front: int
    group: int


@dataclass(frozen=True)
class BankAccess:
    """Hold the words of each bank that a step accesses.

    ``passes[group][bank]`` is the number of words that the bank delivers one after another to a group of lanes;
    ``front_of[lane]`` the last wavefront that serves a lane, -1 for a lane that takes no part; ``together`` the number
    of lanes that are served together.
    """

    access: SharedAccess
    words: tuple[BankWord, ...]
    passes: tuple[tuple[int, ...], ...]
    front_of: tuple[int, ...]
    together: int

    @property
    def groups(self) -> int:
        """Return the number of parts of the warp that are served one after the other."""
        return len(self.passes)

    @property
    def row_words(self) -> int:
        """Return the number of words from one row of the banks to the next."""
        return self.access.banks * max(4, self.access.bank_width) // 4

    def rows(self, group: int) -> tuple[int, ...]:
        """Return the rows of words that a group of lanes accesses, in order."""
        return tuple(sorted({word.row for word in self.words if word.group == group}))

    def clashes(self, bank: int, group: int) -> bool:
        """Return whether a bank has more than one word to deliver to a group, which costs wavefronts."""
        return bool(self.access.conflicts) and self.passes[group][bank] > 1

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
        """Return the number of wavefronts, and how few would do."""
        n, ideal = len(self.access.wavefronts), self.access.ideal
        waves = counted(n, "wavefront")
        return waves if n <= ideal else f"{waves} where {ideal} would do"


def bank_access(context: FrameContext) -> BankAccess | None:
    """Return the banks' side of this step's access; None where it accessed no shared memory."""
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
    offsets = [int(address) for address in addresses.address]
    together = part_lanes(offsets, access.lanes, access.width, context.device, access.kind)
    row_words = access.banks * max(4, access.bank_width) // 4
    words: list[BankWord] = []
    front_of = [-1] * 32
    for k, front in enumerate(access.wavefronts):
        served = lanes_of(front.lanes)
        for lane in served:
            front_of[lane] = k
        for bank, word in front.words:
            lanes = [lane for lane in served if word in words_of.get(lane, ())]
            group = (lanes or list(served))[0] // together
            words.append(BankWord(bank, word // row_words, word, sum(1 << lane for lane in lanes), k, group))
    return BankAccess(access, tuple(words), _passes(access, words, -(-32 // together)), tuple(front_of), together)


def _passes(access: SharedAccess, words: list[BankWord], groups: int) -> tuple[tuple[int, ...], ...]:
    """Return for each group of lanes and each bank the number of words that the bank delivers to the group."""
    found: dict[tuple[int, int], set[int]] = {}
    for word in words:
        found.setdefault((word.group, word.bank), set()).add(word.word // max(1, access.bank_width // 4))
    return tuple(tuple(len(found.get((g, bank), ())) for bank in range(access.banks)) for g in range(groups))


def array_of(arrays: tuple[Variable, ...], offset: int) -> Variable | None:
    """Return the array that a byte offset of shared memory lies in."""
    held = None
    for v in arrays:
        size = v.element_bytes
        for d in v.dims:
            size *= d
        if v.offset <= offset and (size == 0 or offset < v.offset + size):
            held = v
    return held


def word_name(program: Program, word: int, kind: tuple[Variable, ...] | None = None) -> str:
    """Return the element at a word of shared memory, or the bare word where no array lies there."""
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
    """Return the bank of a word: the one that the access gives it, where it accesses the word."""
    return next((w.bank for w in banks.words if w.word == word), word % banks.access.banks)


def element_words(context: FrameContext, word: int) -> str:
    """Return the element at a word with its value after this step, "tile[3][0] = 192", if that is known."""
    event = context.frame.event
    name = word_name(context.program, word)
    variable = array_of(shared_arrays(context.program), 4 * word)
    view = next((s for s in context.frame.shared if event is not None and s.block == event.block), None)
    if variable is None or view is None:
        return name
    size, kind = max(1, variable.element_bytes), DTYPES[variable.type]
    start = variable.offset + (4 * word - variable.offset) // size * size
    if kind.itemsize != size or start + size > len(view.data) or not view.written[start]:
        return name
    small = small_float(variable.ctype, variable.type)
    value = decoded(view.data[start : start + size].view(kind), small)[0]
    return f"{name} = {number(value, Type.F32 if small else variable.type)}"


def is_padding(context: FrameContext, word: int) -> bool:
    """Return whether a word lies in a column that an array has only to spread its rows over the banks."""
    variable = array_of(shared_arrays(context.program), 4 * word)
    if variable is None or not variable.element_bytes:
        return False
    columns = padded_from(variable.dims)
    return columns is not None and (4 * word - variable.offset) // variable.element_bytes % variable.dims[-1] >= columns
