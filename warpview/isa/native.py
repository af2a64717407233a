"""Describe instructions of another set than warpview's own, as the simulator and the views see them.

The simulator knows registers as rows of 32 lanes of 32 bits. Whoever loads a program of another set gives each of its
registers, predicates, constants and immediates a row; an instruction then names rows, and the *meaning* that the
reference and the jit have a function for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from warpview.isa.types import Space, Type

# Jumps back of a path, after which other paths go first: lanes that wait for one another all make progress.
LONGEST_TURN = 256
ANY_LANE = 2  # ``imm`` of a branch that all lanes take if one does
BARRIERS = 16  # convergence barriers of a warp
EXCLUSIVE = 1  # kind of a WARPSYNC that one group of lanes after the other passes; 2 is .COLLECTIVE
BULK_UNIT = 16  # bytes in which a bulk copy counts and is aligned
DRIVER_SHARED_BYTES = 288  # of shared memory that cooperative groups may use: cooperative_groups/details/memory.h


BITS_OF_COUNTS = 3  # of the operation on a barrier of sm_90: the bit behind them says that the threads leave it


class BarrierCounts(IntEnum):
    """Name what an operation on a barrier of sm_90 changes: how many threads have arrived, and how many bytes are
    awaited; either may be one, or as many as a register says."""

    ARRIVE_AND_EXPECT = 0
    ARRIVE_ONCE = 1
    EXPECT_ONE = 2
    EXPECT = 3
    COMPLETE = 4
    ARRIVE = 5
    COMPLETE_ONE = 6


class SpecialAtomic(IntEnum):
    """Name what is special about an atomic, its ``extra``: the result says whether the value was stored, or the word
    is a pair of 16-bit floats or a barrier at which a thread arrives; of a barrier of sm_90 that its phase is asked
    for, or that its counts change; words that are exchanged together."""

    NONE = 0
    TEST = 1
    HALVES = 2
    BF16 = 3
    ARRIVE = 4
    CHECK = 5
    COUNT = 6
    TOGETHER = 7


@dataclass(frozen=True)
class NativeSource:
    """Describe a source: its first row, and what is done to its value: ``(value & keep) ^ flip``, on the highest
    row."""

    row: int
    span: int = 1
    keep: int = 0xFFFFFFFF
    flip: int = 0


class CopyTarget(NamedTuple):
    """Say where an asynchronous copy goes: a row, and an offset in bytes. One that bypasses the L1 has other sectors;
    the lowest bits of the address of a sized one say how many of the last bytes are zeros in place of those loaded."""

    row: int
    offset: int
    bypasses: bool
    is_sized: bool


class Bulk(IntEnum):
    """Name what a bulk copy does."""

    LOAD = 0  # from global to shared memory
    STORE = 1  # the other way
    REDUCE = 2
    MOVE = 3  # from shared memory to that of a block of the cluster
    SCATTER = 4  # registers of each lane to shared memory of a block of the cluster
    SCATTER_REDUCE = 5


class BulkCopy(NamedTuple):
    """Say what a bulk copy does: from which space to which one; for a reduction the ``reduction`` (an ``AtomOp``, else
    -1) of elements of a type, pairs of halves where ``pairs`` says so. A multicast one writes to several blocks of the
    cluster. The words of a part go through the rows from ``staging`` on; a scattering store or reduction has
    ``words`` in the rows from ``data`` on instead."""

    source: Space
    target: Space
    type: Type
    reduction: int
    pairs: SpecialAtomic
    is_multicast: bool
    staging: int
    data: int = -1
    words: int = 0

    @property
    def kind(self) -> Bulk:
        if self.words:
            return Bulk.SCATTER if self.reduction < 0 else Bulk.SCATTER_REDUCE
        if self.source == Space.GLOBAL:
            return Bulk.LOAD
        if self.target == Space.SHARED:
            return Bulk.MOVE
        return Bulk.STORE if self.reduction < 0 else Bulk.REDUCE

    @property
    def completes(self) -> bool:
        """Return whether a barrier in shared memory is told of the bytes."""
        return self.target == Space.SHARED

    @property
    def width(self) -> int:
        """Return the bytes of a part that is moved at a time."""
        if self.words:
            return 4 * self.words
        return BULK_UNIT if self.reduction < 0 else self.type.bytes


@dataclass(frozen=True)
class NativeInstruction:
    """Describe the meaning of a machine instruction, beyond the fields of ``Instruction``.

    ``sources`` a, b, c and ``predicates`` p, q, r (``flip`` 1 where negated) by letter; ``results`` d, e, u, v by
    letter: (first row, rows). ``variant`` chooses among the functions of a meaning; ``imm`` and ``extra`` are
    numbers that they take. ``unit`` is the execution unit, an ``isa.ops.Unit``. ``reads`` and ``writes`` are all
    rows, for the scoreboard. ``stall`` to ``waits`` are the assembler's advice to the scheduler: see
    ``sass.decoder.Control``. ``is_uniform`` results are written for the whole warp. A branch is taken where its
    guard and ``second_guard`` hold; one with ``meets`` is taken where the lanes that issue it are not all that this
    register names. ``matrices`` of 8 x 8 halves are loaded, ``transposed`` perhaps; lanes of an atomic that
    ``is_serial`` take turns at one word of shared memory; an access with a ``copy_target`` stores what it has
    loaded to that place of shared memory. A call of printf has its values in local memory from the address in
    source a on, ``printed`` (byte, type) each. A texture instruction reads and then writes the rows ``fetched``, as
    ``isa.textures.TextureOperation`` says. A copy of bytes in bulk has ``bulk``. Generic addresses of shared memory
    begin at ``shared_base`` of its window. The register of an address is shifted left by ``address_shift`` bits.
    """

    text: str
    mnemonic: str
    explanation: str
    address: int
    meaning: str
    unit: int
    variant: tuple[int | str, ...] = ()
    sources: Mapping[str, NativeSource] = field(default_factory=dict)
    predicates: Mapping[str, NativeSource] = field(default_factory=dict)
    results: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    imm: int = 0
    extra: int = 0
    wide_address: bool = False
    extended_address: bool = False
    address_shift: int = 0
    uniform_row: int = -1
    is_uniform: bool = False
    second_guard: NativeSource | None = None
    meets: NativeSource | None = None
    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()
    stall: int = 0
    yields: bool = False
    write_barrier: int | None = None
    read_barrier: int | None = None
    waits: int = 0
    reused: tuple[int, ...] = ()
    matrices: int = 0
    transposed: bool = False
    is_serial: bool = False
    copy_target: CopyTarget | None = None
    printed: tuple[tuple[int, Type], ...] = ()
    fetched: tuple[int, ...] = ()
    shared_base: int = 0
    bulk: BulkCopy | None = None


@dataclass(frozen=True)
class ConstantWord:
    """Name a row that the launch fills with the 32-bit word at ``offset`` of constant bank ``bank``."""

    row: int
    bank: int
    offset: int


@dataclass(frozen=True)
class NativeProgram:
    """Hold the data that a program of another instruction set has beside its instructions.

    ``words`` are the rows that hold constants; ``parameter_base`` and ``parameter_offsets`` (by name) tell where
    parameters lie in constant bank 0; ``bank_starts`` where the banks of which code reads computed places lie in
    ``Program.constant_bytes``, bank 0 among them only if it does; ``addresses`` are (offset in bank 4, offset in
    the device variables); ``shared_base`` is the address of the first byte of shared memory that belongs to the
    kernel. ``registers`` maps a register's name to its row. ``code`` is the machine code itself. ``grid_barrier`` says
    where in bank 0 a kernel that synchronises its grid reads the address of the grid's barrier, the upper word
    first, and where this address lies in bank 4. ``placed`` has the addresses of those words of bank 4 whose
    variables lie in the memory of a whole program. ``driver_shared_place`` is the place in bank 0 of the word from
    which a kernel learns where the driver's own shared memory lies; None where it does not ask.
    """

    name: str
    architecture: int
    words: tuple[ConstantWord, ...]
    parameter_base: int
    parameter_offsets: Mapping[str, int]
    bank_starts: Mapping[int, int]
    addresses: tuple[tuple[int, int], ...]
    shared_base: int
    registers: Mapping[str, int]
    code: bytes
    grid_barrier: tuple[int, int] | None = None
    placed: Mapping[int, int] = field(default_factory=dict)
    driver_shared_place: int | None = None
