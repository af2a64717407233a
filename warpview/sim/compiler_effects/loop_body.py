"""Find out of one loop of code as written whether NVIDIA's compiler unrolls it, and what is left of its trips.

The rules are those of unrolled_loops.py.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from warpview.isa.modes import Cmp
from warpview.isa.ops import ATOMIC_OPS, BLOCK_BARRIERS, Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import Space, Type
from warpview.sim.compiler_effects.constant_counters import COMPARISONS, chain_of, trips_of
from warpview.sim.compiler_effects.register_rows import Row, asks_for_cluster, rows_read, rows_written

# Of the instructions that are left of a trip: a loop of known trips is written out up to so many, and others written
# several times up to so many.
MOST_WRITTEN_OUT = 450
MOST_COPIED = 96
KNOWN_COPIES, COPIES = (16, 8, 4, 2), (4, 2)  # of loops whose trips are known and of others, as far as there is room
# Short bodies are written sixteen times: the compiler's two parts unroll by four each. The second one takes so many
# instructions and loads a trip, and has to find the counter (``_hides_counter``).
SHORT_COPIES, SHORT_BODY, SHORT_LOADS = 16, 11, 3
MOST_TOGETHER = 16  # trips that are mixed
MOST_PREDICATES = 6  # the same where a trip has loads behind a test: of 7 predicates 5 to 7 are such tests
LOADS_AHEAD = 20  # registers that are loaded before the first use of one of them: 17 to 22, 16 by vectors of four
LONGEST_SIDE = 20  # instructions, loads among them, that a branch may pass over and be gone
MOST_TRIPS = 4096
FAST_FUNCTION = 5  # instructions of one such as __expf or rsqrtf

UNFIT = ATOMIC_OPS | BLOCK_BARRIERS | {Op.EXIT, Op.BAR_NAMED, Op.MEMBAR, Op.PRINTF, Op.TRAP, Op.CLOCK, Op.WARPSYNC}
_AFFINE = frozenset({Op.MOV, Op.ADD, Op.SUB, Op.MUL, Op.MULWIDE, Op.MAD, Op.MADWIDE, Op.SHL, Op.CVT})
_REGULAR = _AFFINE | {Op.AND, Op.OR, Op.XOR, Op.NOT, Op.NEG, Op.SHR, Op.MIN, Op.MAX, Op.SETP}
_PRODUCTS = frozenset({Op.MUL, Op.MULWIDE, Op.MAD, Op.MADWIDE, Op.SHL})
_INTEGERS = frozenset({Type.S32, Type.U32, Type.S64, Type.U64})
_FLIPPED = {Cmp.LT: Cmp.GT, Cmp.LE: Cmp.GE, Cmp.GT: Cmp.LT, Cmp.GE: Cmp.LE}


class Growth(Enum):
    """Tell by what a row grows from one trip to the next."""

    NONE = auto()
    CONSTANT = auto()
    VARIABLE = auto()  # by what stays the same while the loop runs


@dataclass(frozen=True)
class UnrolledLoop:
    """Describe a loop of ``first`` to ``last``, both included, of which ``copies`` trips are written one after the
    other and ``together`` of these are mixed. ``folded`` are the instructions that only one of the copies has,
    ``cycle`` those that compute from their own result of an earlier trip, ``predicated`` the branches within a trip
    that become predicates. ``counter`` grows by ``step``, from ``start`` on where that is known. Where all trips are
    written out (``is_whole``) loops around it may be, too: a trip begins at ``begin``, and ``inner_copies`` of them
    are the innermost loop's. ``size`` is what is left of all copies, and ``most_together`` bounds what is mixed."""

    first: int
    last: int
    begin: int
    inner_copies: int
    size: int
    is_whole: bool
    most_together: int
    counter: Row
    step: int
    start: int | None
    copies: int
    together: int
    folded: frozenset[int]
    cycle: frozenset[int]
    predicated: frozenset[int]


def branches_within(instruction: Instruction) -> bool:
    """Return whether an instruction becomes many, with branches of their own: exact divisions, roots, functions."""
    exact = instruction.op in (Op.DIV, Op.REM, Op.SQRT, Op.RCP) and (
        instruction.type.is_float or instruction.type.bytes == 8
    )
    return exact or instruction.op in (Op.MATH1, Op.MATH2)


def _wraps(instruction: Instruction) -> bool:
    """Return whether an instruction makes 64 bits of an unsigned number, which may have wrapped: what has grown by a
    constant has not then, so that each trip computes its address."""
    widens = instruction.op in (Op.MULWIDE, Op.MADWIDE, Op.CVT)
    return widens and Type.U32 in (instruction.type, instruction.stype) and instruction.dst_type == Type.U64


class LoopBody:
    """Look at the instructions from the target of a branch back up to the branch; those of an ``inner`` loop may be
    among them, all of whose trips are written out. ``repeated`` instructions take no room."""

    def __init__(
        self, program: Program, repeated: Container[int], first: int, last: int, inner: UnrolledLoop | None = None
    ) -> None:
        self.program, self.repeated, self.first, self.last, self.inner = program, repeated, first, last, inner
        self.code: Sequence[Instruction] = program.instructions
        self.places = range(first, last + 1)
        self.definitions: dict[Row, list[int]] = {}
        self.readers: dict[Row, list[int]] = {}
        for n in self.places:
            for row in rows_written(self.code[n]):
                self.definitions.setdefault(row, []).append(n)
            for row in rows_read(self.code[n]):
                self.readers.setdefault(row, []).append(n)
        branches = [n for n in self.places[:-1] if self.code[n].op == Op.BRA and n not in self._written_out()]
        self.sides = {n: set(range(n + 1, self.code[n].target)) for n in branches}  # what they pass over
        self.same = set(self._affine(None))  # what is the same in all trips

    def unrolled(self) -> UnrolledLoop | None:
        counter = self.counter() if self._is_plain() and not self._stores_hold_loads() else None
        if counter is None:
            return None
        folded, sides = self._folded(counter), self.sides
        if any(len(side - folded) > LONGEST_SIDE for side in sides.values()):
            return None
        left = sum(map(self._times, {*self.places} - folded))
        copies = self._copies(counter, left)
        loads = sum(
            self._times(n) * max(1, self.code[n].vec) for n in {*self.places} - folded if self.code[n].op == Op.LD
        )
        most = MOST_PREDICATES if sides else MOST_TOGETHER
        most_together = min(most, max(1, LOADS_AHEAD // max(1, loads)))
        if copies < 2:
            return None
        return UnrolledLoop(
            self.first, self.last, self.first, copies, copies * left + len(self.same), copies == self.trips(counter),
            most_together, counter, self._step(counter), self._start(counter), copies, min(copies, most_together),
            frozenset(folded - self._written_out()), frozenset(self._cycle()),
            frozenset({*sides, *self._written_out()}),
        )  # fmt: skip

    def _written_out(self) -> frozenset[int]:
        """Return what the copies of the inner loop do not have."""
        return self.inner.folded | self.inner.predicated if self.inner else frozenset()

    def _times(self, n: int) -> int:
        """Return how many instructions an instruction is in a trip."""
        if n in self.repeated:
            return 0
        size = FAST_FUNCTION if self.code[n].op in (Op.APPROX1, Op.APPROX2) else 1
        if self.inner is None or not self.inner.first <= n <= self.inner.last:
            return size
        return 0 if n in self._written_out() else size * self.inner.copies

    # ------------------------------------------------------------------------------------ whether

    def _is_plain(self) -> bool:
        """Return whether the only way out is the test at the end, and nothing forbids to mix the trips."""
        for n in self.places:
            instruction = self.code[n]
            if (
                instruction.op in UNFIT
                or branches_within(instruction)
                or (instruction.op == Op.LD and not instruction.cached)
            ):
                return False
            if n == (self.inner.last if self.inner else self.last):
                continue
            if n < self.last and instruction.op == Op.BRA and not n < instruction.target <= self.last:
                return False
        outside = {i.target for n, i in enumerate(self.code) if n not in self.places and i.op == Op.BRA}
        back = self.code[self.last]
        return back.guard != NONE and not back.rolled and not outside.intersection(self.places[1:])

    def _stores_hold_loads(self) -> bool:
        """Return whether a load may not pass a store of the trip before it."""
        stored = {self.code[n].space for n in self.places if self.code[n].op == Op.ST}
        loaded = {i.space for i in (self.code[n] for n in self.places) if i.op == Op.LD and not i.read_only}
        anywhere = Space.GENERIC in stored | loaded
        return bool(stored & loaded) or bool(stored and loaded and anywhere)

    def counter(self) -> Row | None:
        """Return the row that is compared with what stays the same at the end of each trip, and that grows by a
        constant or follows from constants alone."""
        test = self.definitions.get((False, self.code[self.last].guard), [NONE])[-1]
        if test == NONE or self.code[test].op != Op.SETP or self.code[test].type not in _INTEGERS:
            return None
        for row, other in (rows_read(self.code[test])[:2], rows_read(self.code[test])[1::-1]):
            if asks_for_cluster(self.code, self.definitions, other):
                continue
            before = [n for n in self.definitions.get(other, []) if n < test]
            if (self._step(row) or self._carried_out(row, test)) and (
                other not in self.definitions or self.same.issuperset(before[-1:] or [NONE])
            ):
                return row
        return None

    def _step(self, row: Row) -> int:
        """Return by how much a row grows in each trip; 0 where that is no constant."""
        places = self.definitions.get(row, [])
        if len(places) != 1:
            return 0
        step = self.code[places[0]]
        if step.op not in (Op.ADD, Op.SUB) or step.guard != NONE or rows_read(step)[0] != row:
            return 0
        by = self._constant(rows_read(step)[1], step.type)
        return 0 if by is None else by if step.op == Op.ADD else -by

    def _constant(self, row: Row, type: Type) -> int | None:
        """Return the value of a row that is a constant of the program, as a number of a type."""
        is_wide, number = row
        bits = (self.program.constants64 if is_wide else self.program.constants32).get(number)
        if bits is None:
            return None
        width = 64 if is_wide else 32
        return bits - (1 << width) if type.is_signed and bits >> (width - 1) else bits

    # ------------------------------------------------------------------------------------ how often

    def trips(self, counter: Row) -> int:
        """Return the number of trips, 0 where it is not known."""
        test = self.code[self.definitions[(False, self.code[self.last].guard)][-1]]
        if not self._step(counter):
            return self._carried_out(counter, self.definitions[(False, self.code[self.last].guard)][-1])
        rows, mod = rows_read(test)[:2], Cmp(test.mod)
        if rows[0] != counter:
            rows, mod = rows[::-1], _FLIPPED.get(mod, mod)
        value, bound = self._start(counter), self._constant(rows[1], test.type)
        if value is None or bound is None:
            return 0
        negated = self.code[self.last].guard_negated
        for trip in range(1, MOST_TRIPS + 1):
            value += self._step(counter)
            if COMPARISONS[mod](value, bound) == negated:
                return trip
        return 0

    def _carried_out(self, row: Row, test: int) -> int:
        """Return the number of trips where a row follows from constants alone, else 0."""
        start = self._start(row)
        chain = chain_of(self.code, self.definitions, row, self._constant_of)
        if start is None or not chain:
            return 0
        return trips_of(self.code, chain, test, self.code[self.last], row, start, self._constant_of)

    def _constant_of(self, row: Row, instruction: Instruction) -> int | None:
        return self._constant(row, instruction.type)

    def _start(self, counter: Row) -> int | None:
        """Return what the counter is in the first trip; None where that is not known."""
        start = next((n for n in reversed(range(self.first)) if counter in rows_written(self.code[n])), NONE)
        if start == NONE or self.code[start].op != Op.MOV or self.code[start].guard != NONE:
            return None
        return self._constant(rows_read(self.code[start])[0], self.code[start].type)

    def _copies(self, counter: Row, left: int) -> int:
        """Return how many trips are written one after the other, ``left`` instructions each."""
        trips = self.trips(counter)
        if trips and trips * left <= MOST_WRITTEN_OUT:
            return trips
        if left <= SHORT_BODY and self._is_counted_again(counter):
            return SHORT_COPIES
        return next((n for n in (KNOWN_COPIES if trips else COPIES) if n * left <= MOST_COPIED), 1)

    def _is_counted_again(self, counter: Row) -> bool:
        """Return whether the second part of the compiler unrolls the loop, too: it has few loads and no branches, its
        bound is no constant, and its addresses are no sums of unsigned numbers, which may wrap."""
        body = [self.code[n] for n in self.places[:-1]]
        test = self.code[self.definitions[(False, self.code[self.last].guard)][-1]]
        has_bound = any(self._constant(row, test.type) is not None for row in rows_read(test)[:2])
        wraps = any(_wraps(i) for i in body)
        loads = sum(self.code[n].op == Op.LD for n in {*self.places} - self.same if n not in self.repeated)
        branches = any(i.op == Op.BRA for i in body)
        return loads <= SHORT_LOADS and not (branches or has_bound or wraps or self._hides_counter(counter))

    def _hides_counter(self, counter: Row) -> bool:
        """Return whether the counter is needed for an index alone, as its product with a constant and a sum: the
        compiler counts by the index then."""
        steps = {self.last, self.definitions[(False, self.code[self.last].guard)][-1], *self.definitions[counter]}
        readers = [self.code[n] for n in self.readers.get(counter, []) if n not in steps]
        scaled = [
            i for i in readers
            if i.op == Op.MAD and counter in rows_read(i)[:2]
            and any(self._constant(row, i.type) is not None for row in rows_read(i)[:2])
        ]  # fmt: skip
        return bool(scaled) and len(scaled) == len(readers)

    # ------------------------------------------------------------------------------------ what is left

    def _folded(self, counter: Row) -> set[int]:
        """Return the instructions that only one of several trips has: the counter, its test, the branch, and what they
        become of that are only addresses, or on the way there, and what computes the same in each."""
        affine = self._affine(counter)
        test = self.definitions[(False, self.code[self.last].guard)][-1]
        folded = {self.last, test, *chain_of(self.code, self.definitions, counter, self._constant_of)}
        folded.update(self.definitions[counter])
        later = self._read_later()
        for n, growth in affine.items():
            rows = rows_written(self.code[n])
            if any(self._is_carried(n, row, later) for row in rows):
                continue
            others = {at for row in rows for at in self._readers(n, row) if at not in affine and at not in folded}
            addresses = all(self._is_address(at, rows[0]) for at in others)
            if growth == Growth.NONE or (addresses and (growth == Growth.CONSTANT or not others)):
                folded.add(n)
        return folded

    def _readers(self, n: int, row: Row) -> list[int]:
        """Return what reads in the same trip what an instruction has written."""
        following = self._following(n, row)
        return [at for at in self.readers.get(row, []) if n < at and (following == NONE or at <= following)]

    def _is_carried(self, n: int, row: Row, later: set[Row]) -> bool:
        """Return whether the next trip, or what comes ``later``, reads what an instruction has written."""
        from_before = any(at <= self.definitions[row][0] for at in self.readers.get(row, []))
        return self._following(n, row) == NONE and (row in later or from_before)

    def _following(self, n: int, row: Row) -> int:
        """Return the instruction that writes a row next in the trip."""
        return next((at for at in self.definitions[row] if at > n), NONE)

    def _is_address(self, n: int, row: Row) -> bool:
        """Return whether an instruction reads a row as its address alone."""
        rows = rows_read(self.code[n])
        return self.code[n].op in (Op.LD, Op.ST) and rows.index(row) == 0 and rows.count(row) == 1

    def _read_later(self) -> set[Row]:
        """Return the rows that are read behind the loop, or before it comes again, and not written before that."""
        found: set[Row] = set()
        for places in (range(self.last + 1, len(self.code)), range(self.first)):
            written: set[Row] = set()
            for n in places:
                found |= set(rows_read(self.code[n])) - written
                written |= set(rows_written(self.code[n]))
        return found

    def _affine(self, counter: Row | None) -> dict[int, Growth]:
        """Return the instructions that compute a sum of the counter times what stays the same, or from this alone."""
        # What rows hold where the walk has come to.
        known: dict[Row, Growth] = {} if counter is None else {counter: Growth.CONSTANT}
        found: dict[int, Growth] = {}
        for n in self.places:
            growth = self._growth(n, known)
            for row in rows_written(self.code[n]):
                known.pop(row, None)
                if growth is not None and row != counter:
                    known[row] = found[n] = growth
        return found

    def _growth(self, n: int, known: Mapping[Row, Growth]) -> Growth | None:
        """Return how the result of an instruction grows from trip to trip; None where that is not regular. A load that
        all trips have is regular, as the loop stores nothing that it may read."""
        instruction = self.code[n]
        rows = rows_read(instruction)
        growths = [known.get(row) if row in self.definitions else Growth.NONE for row in rows]
        is_loaded = instruction.op == Op.LD and not any(n in side for side in self.sides.values())
        is_regular = is_loaded or instruction.op in _REGULAR
        if not is_regular or instruction.guard != NONE or not rows_written(instruction):
            return None
        if all(growth == Growth.NONE for growth in growths):
            return Growth.NONE
        if _wraps(instruction):
            return None
        is_shifted_by_it = instruction.op == Op.SHL and growths[1] != Growth.NONE
        if instruction.op not in _AFFINE or instruction.type not in _INTEGERS or None in growths or is_shifted_by_it:
            return None
        factors = list(zip(rows, growths, strict=True))[:2] if instruction.op in _PRODUCTS else []
        by = [row for row, growth in factors if growth == Growth.NONE]
        if factors and not by:
            return None
        varies = 0 < len(by) < len(factors) and self._constant(by[0], instruction.type) is None
        return Growth.VARIABLE if varies or Growth.VARIABLE in growths else Growth.CONSTANT

    def _cycle(self) -> set[int]:
        """Return the instructions that need, through others or not, their own result of an earlier trip."""
        needs: dict[int, set[int]] = {}
        for n in self.places:
            needs[n] = set()
            for row in rows_read(self.code[n]):
                places = self.definitions.get(row, [])
                earlier = [at for at in places if at < n]
                needs[n] |= set(earlier[-1:] or places[-1:])
                guarded = [at for at in earlier if self.code[at].guard != NONE]
                needs[n] |= set(guarded)
        return {n for n in self.places if n in _reached(needs, n)}


def _reached(needs: dict[int, set[int]], start: int) -> set[int]:
    seen: set[int] = set()
    work = list(needs[start])
    while work:
        n = work.pop()
        if n not in seen:
            seen.add(n)
            work += needs[n]
    return seen
