"""Define a compiled kernel: instructions over typed virtual registers, and the data that its launch needs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpview.diagnostics import Diagnostic, SourceText, Span
from warpview.isa.child_kernel import ChildKernel
from warpview.isa.matrices import PRODUCTS
from warpview.isa.members import StructMember
from warpview.isa.modes import BarrierScope, Spin
from warpview.isa.native import NativeInstruction, NativeProgram
from warpview.isa.ops import MEMORY_OPS, OPS, MemoryScope, Op, OpInfo, Unit
from warpview.isa.print_format import string_places
from warpview.isa.types import GLOBAL_SPACES, Space, Type
from warpview.isa.work import Work, work_of

NONE = -1  # "no register", "no guard", "no target"


class Special(IntEnum):
    """Name the rows of the 32-bit register file that the launch fills in; the same in every program."""

    TID_X = 0
    TID_Y = 1
    TID_Z = 2
    LANEID = 3
    WARPID = 4
    CTAID_X = 5
    CTAID_Y = 6
    CTAID_Z = 7
    NTID_X = 8
    NTID_Y = 9
    NTID_Z = 10
    NCTAID_X = 11
    NCTAID_Y = 12
    NCTAID_Z = 13
    SMID = 14  # of the multiprocessor: blocks go to them in turn
    CLUSTER_X, CLUSTER_Y, CLUSTER_Z = 15, 16, 17  # blocks of a cluster
    CLUSTER_RANK = 18  # of the block in its cluster, x fastest


N_SPECIAL = len(Special)
OF_CLUSTER = frozenset({Special.CLUSTER_X, Special.CLUSTER_Y, Special.CLUSTER_Z, Special.CLUSTER_RANK})


def operand_type(letter: str, type: Type, stype: Type, space: Space) -> Type:
    """Return the type behind an operand letter of the instruction table, in an instruction of these types and this
    space."""
    if letter == "t":
        return type
    if letter == "s":
        return stype
    if letter == "w":
        return Type.S64 if type.is_signed else Type.U64
    if letter == "p":
        return Type.PRED
    if letter == "a":
        return Type.U64 if space in GLOBAL_SPACES else Type.U32
    return Type.U32


def source_letters(op: Op, mod: int, count: int) -> tuple[str, ...]:
    """Return the operand letters of ``count`` sources: what a vector store or an atomic has beyond its row is of the
    instruction's type."""
    if op == Op.MMA:
        return PRODUCTS[mod].letters
    letters = OPS[op].srcs[:count]
    return letters + ("u" if op == Op.TEX else "t",) * (count - len(letters))


@dataclass(frozen=True)
class Instruction:
    """Describe one warp instruction.

    ``dst`` and ``srcs`` are rows of the 32- or 64-bit register file, whichever the operand's type says.
    A memory instruction with ``vec`` 2 or 4 moves rows dst..dst+vec-1 (srcs[1].. for stores) in one access; a product
    of matrices has as many results.
    ``guard`` is the row of a predicate: lanes where it is 0 (1 if ``guard_negated``) do nothing.
    ``target`` and ``reconvergence`` are instruction indices; the latter is NONE where the paths only
    meet at the end of the kernel.
    """

    op: Op
    type: Type
    stype: Type
    mod: int
    space: Space
    dst: int
    srcs: tuple[int, ...]
    guard: int
    guard_negated: bool
    imm: int
    vec: int
    target: int
    reconvergence: int
    span: Span
    extra: tuple[tuple[int, Type], ...] = ()  # PRINTF arguments: (row, type)
    cached: bool = True  # loads: False for volatile accesses, which bypass the read-only path
    read_only: bool = False  # loads through the read-only path (__ldg, const __restrict__)
    asynchronous: bool = False  # a load and a store to shared memory that are one copy, where a device has them
    relaxed: bool = False  # loads and stores that are atomic (PTX: ld.relaxed, st.relaxed), in shared memory, too
    scope: MemoryScope = MemoryScope.DEVICE  # the threads with whose atomics an atomic or a relaxed access is atomic
    spins: Spin = (
        Spin.NONE
    )  # BRA: leaves a loop that waits for other threads; its lanes are not gathered from CC 7.0 on
    rolled: bool = False  # BRA: of a loop that the source forbids to unroll
    bounds: tuple[int, int] | None = None  # first and last byte + 1 of the variable that is accessed, in its space
    # The name of a member array: ``bounds`` are then those of the first operand, an index into it. In an access it is
    # an element that is known to lie outside.
    member: str = ""
    native: NativeInstruction | None = None  # of another instruction set; its operands are 32-bit rows

    @property
    def info(self) -> OpInfo:
        return OPS[self.op]

    @property
    def width(self) -> int:
        """Return bytes that each lane moves; 0 where no memory is accessed."""
        return self.type.bytes * self.vec if self.op in MEMORY_OPS else 0

    def operand_type(self, letter: str) -> Type:
        """Return the type behind an operand letter of the instruction table."""
        return operand_type(letter, self.type, self.stype, self.space)

    @property
    def printed_types(self) -> tuple[Type, ...]:
        """Return the types of the values that PRINTF prints."""
        return tuple(type_ for _, type_ in (self.extra if self.native is None else self.native.printed))

    @property
    def dst_type(self) -> Type | None:
        if self.native is not None:
            return Type.U32 if self.dst != NONE else None
        return self.operand_type(self.info.dst) if self.info.dst and self.dst != NONE else None

    @cached_property
    def src_types(self) -> tuple[Type, ...]:
        """Return the types of ``srcs``, one each (a vector store's values all have the instruction's type)."""
        if self.native is not None:
            return (Type.U32,) * len(self.srcs)
        return tuple(self.operand_type(c) for c in source_letters(self.op, self.mod, len(self.srcs)))

    @property
    def result_rows(self) -> range:
        """Return the rows that the instruction writes, of the file that ``dst_type`` says."""
        return range(0) if self.dst_type is None else range(self.dst, self.dst + max(1, self.vec))


@dataclass(frozen=True)
class Param:
    """Describe a kernel parameter. A pointer's row is in the 64-bit file; ``element`` is what it points at.

    A struct by value is several ``Param`` entries that share ``name`` and differ in ``field``.
    """

    name: str
    ctype: str
    type: Type
    row: int
    is_pointer: bool = False
    element: Type | None = None
    element_bytes: int = 0
    read_only: bool = False
    field: str = ""
    offset: int = 0  # bytes of the field from the start of its struct
    untyped: bool = False  # of a cubin, which tells sizes only: the value's own type decides
    members: tuple[StructMember, ...] = ()  # of what a pointer points at, where that is a struct or a vector

    @property
    def path(self) -> str:
        """Return the parameter as an expression of the source: ``n``, or ``view.size`` for a field of a struct."""
        return self.name + self.field

    @property
    def steps(self) -> tuple[str | int, ...]:
        """Return the way to the field from its struct: names, and indices of arrays."""
        found = re.findall(r"([A-Za-z_]\w*)|\[(\d+)\]", self.field)
        return tuple(int(index) if index else name for name, index in found)


@dataclass(frozen=True)
class Variable:
    """Describe a source variable and where its value lives, for the views. ``space`` SHARED etc. for arrays."""

    name: str
    ctype: str
    type: Type
    row: int = NONE  # register row, or NONE for memory
    space: Space = Space.NONE
    offset: int = 0  # byte offset in its space
    dims: tuple[int, ...] = ()  # of an array; () for a scalar; 0 for an extern array's open dimension
    element_bytes: int = 0
    scope: tuple[int, int] = (0, 0)  # source lines between which the name is visible
    owner: str = ""  # of a static variable of a function: what tells it from those of others, in all kernels of a file
    members: tuple[StructMember, ...] = ()  # of the elements of an array, where those are structs or vectors


@dataclass(frozen=True)
class Print:
    """Describe a printf call: its format and the place; or what stops the launch, an assertion or the compiler."""

    format: str
    span: Span
    is_assertion: bool = True

    @cached_property
    def strings(self) -> frozenset[int]:
        """Return the places, from 0, of the arguments that the format has a %s for."""
        return string_places(self.format)

    def is_string(self, place: int, type_: Type) -> bool:
        """Return whether an argument is a string: an address for which the format has a %s."""
        return type_.is_wide and place in self.strings


class Code(NamedTuple):
    """Hold ``Program.instructions`` as arrays, one entry an instruction: what the jitted engines read.

    All int32 except ``imm`` (int64). Unused operands are NONE; the values of a vector store are rows b..b+vec-1.
    """

    op: NDArray[np.int32]
    type: NDArray[np.int32]
    stype: NDArray[np.int32]
    mod: NDArray[np.int32]
    space: NDArray[np.int32]
    dst: NDArray[np.int32]
    a: NDArray[np.int32]
    b: NDArray[np.int32]
    c: NDArray[np.int32]
    d: NDArray[np.int32]
    guard: NDArray[np.int32]
    guard_negated: NDArray[np.int32]
    imm: NDArray[np.int64]
    vec: NDArray[np.int32]
    width: NDArray[np.int32]
    target: NDArray[np.int32]
    reconvergence: NDArray[np.int32]
    unit: NDArray[np.int32]
    read_only: NDArray[np.int32]
    reconvergence_its: NDArray[np.int32]  # as reconvergence, but NONE where the branch spins


@dataclass(frozen=True, repr=False)
class Program:
    """Hold a kernel, ready to launch on any device.

    Rows of the 32-bit register file, in order: ``Special`` rows, 32-bit parameters and constants (uniform over the
    launch), then virtual registers from ``first_virtual32``. The 64-bit file: parameters and constants, then virtual
    registers from ``first_virtual64``, zero when a block starts. ``constants32``/``constants64``: row -> bit pattern.
    """

    kernel: str
    source: SourceText
    instructions: tuple[Instruction, ...]
    params: tuple[Param, ...]
    constants32: dict[int, int]
    constants64: dict[int, int]
    first_virtual32: int
    first_virtual64: int
    rows32: int
    rows64: int
    row_types32: tuple[Type, ...]
    row_types64: tuple[Type, ...]
    registers_per_thread: int
    static_shared_bytes: int
    uses_dynamic_shared: bool
    local_bytes: int = 0
    variables: tuple[Variable, ...] = ()
    constant_bytes: bytes = b""  # initial image of constant space
    constant_symbols: tuple[Variable, ...] = ()
    device_bytes: bytes = b""  # initial image of __device__ variables (a hidden global allocation)
    device_symbols: tuple[Variable, ...] = ()
    device_pointers: tuple[tuple[int, int], ...] = ()  # places in the image that hold addresses, and the place of each
    device_row: int = NONE  # 64-bit row that holds the base address of the __device__ variables
    max_threads: int = 0  # __launch_bounds__, 0 if absent
    barriers: int = 0  # of the hardware that a block uses, 0 where that is not known
    cluster: tuple[int, int, int] | None = None  # __cluster_dims__, where the kernel has it
    names_blocks: bool = False  # generic addresses of shared memory name the block of the cluster (RANK_SHIFT)
    polls_grid: bool = False  # blocks wait for those of the whole grid by a word in global memory
    prints: tuple[Print, ...] = ()
    asserts: tuple[Print, ...] = ()
    minimum_capability: tuple[int, int] = (1, 0)
    capability_reason: str = ""
    last_capability: tuple[int, int] = (99, 9)  # the newest that still has all that the kernel uses
    last_capability_reason: str = ""
    span: Span | None = None
    options: tuple[tuple[str, str], ...] = field(default=())
    native: NativeProgram | None = None  # of a program in another instruction set
    warnings: tuple[Diagnostic, ...] = ()  # of the compiler: what the user should know although it compiled
    children: Mapping[int, ChildKernel] = field(default_factory=dict)  # that it launches, by what each has as address

    @property
    def remarks(self) -> tuple[Diagnostic, ...]:
        """Return what the user of a launch should know: the compiler's warnings, and which kernels it launches."""
        if not self.children:
            return self.warnings
        names = ", ".join(dict.fromkeys(child.name for child in self.children.values()))
        message = f"{self.kernel} launches {names}: that is carried out where the whole program is run"
        return (*self.warnings, Diagnostic(message, self.span, "warning"))

    @cached_property
    def synchronises_grid(self) -> bool:
        """Return whether blocks wait for those of the whole grid: at instructions that are barriers, or for a word."""
        return self.polls_grid or self.has_grid_barrier

    @cached_property
    def has_grid_barrier(self) -> bool:
        """Return whether the kernel has instructions that are barriers of the grid, as a ``grid.sync()`` as written."""
        return any(i.op == Op.BAR_SYNC and i.mod == BarrierScope.GRID for i in self.instructions)

    def __repr__(self) -> str:
        return f"<Program {self.kernel} of {self.source.name}, {len(self.instructions)} instructions>"

    @property
    def is_compiled(self) -> bool:
        """Return whether NVIDIA's compiler wrote the code, as machine code or as PTX."""
        return ("compiler", "nvrtc") in self.options

    @cached_property
    def has_named_barriers(self) -> bool:
        """Return whether the kernel has barriers with a number of their own."""
        return any(i.op == Op.BAR_NAMED for i in self.instructions)

    @cached_property
    def barrier_places(self) -> dict[int, int]:
        """Return, for each block barrier without a number, the first instruction that stands for the same one of the
        source: compilers of machine code copy barriers, those of functions of their own without the line."""
        first: dict[int, int] = {}
        barriers = {pc: i.span.line for pc, i in enumerate(self.instructions) if i.op in (Op.BAR_SYNC, Op.BAR_RED)}
        if self.native is None:
            return {pc: pc for pc in barriers}
        return {pc: first.setdefault(line, pc) for pc, line in barriers.items() if not self._returns_at(pc + 1)}

    def _returns_at(self, pc: int) -> bool:
        native = self.instructions[pc].native if pc < len(self.instructions) else None
        return native is not None and native.meaning == "ret"

    @cached_property
    def work(self) -> NDArray[np.int64]:
        """Return the operations that each lane does in an instruction: int64[n_instructions, len(Work)]."""
        found = np.zeros((len(self.instructions), len(Work)), dtype=np.int64)
        for row, instruction in zip(found, self.instructions, strict=True):
            if (work := work_of(instruction)) is not None:
                row[work[0]] = work[1]
        return found

    @cached_property
    def code(self) -> Code:
        """Return the instructions as arrays."""
        ins = self.instructions

        def ints(values: list[int]) -> NDArray[np.int32]:
            return np.array(values, dtype=np.int32)

        def source(k: int) -> NDArray[np.int32]:
            return ints([i.srcs[k] if len(i.srcs) > k else NONE for i in ins])

        return Code(
            op=ints([i.op for i in ins]),
            type=ints([i.type for i in ins]),
            stype=ints([i.stype for i in ins]),
            mod=ints([i.mod for i in ins]),
            space=ints([i.space for i in ins]),
            dst=ints([i.dst for i in ins]),
            a=source(0),
            b=source(1),
            c=source(2),
            d=source(3),
            guard=ints([i.guard for i in ins]),
            guard_negated=ints([i.guard_negated for i in ins]),
            imm=np.array([i.imm for i in ins], dtype=np.int64),
            vec=ints([i.vec for i in ins]),
            width=ints([i.width for i in ins]),
            target=ints([i.target for i in ins]),
            reconvergence=ints([i.reconvergence for i in ins]),
            unit=ints([unit_of(i) for i in ins]),
            read_only=ints([i.read_only for i in ins]),
            reconvergence_its=ints([NONE if i.spins else i.reconvergence for i in ins]),
        )


def unit_of(instruction: Instruction) -> Unit:
    """Return the unit that executes an instruction; conversions from F64 are those of F64."""
    if instruction.native is not None:
        return Unit(instruction.native.unit)
    if instruction.op == Op.MMA and instruction.type == Type.F64:
        return Unit.FP64
    is_from_f64 = instruction.op == Op.CVT and instruction.stype == Type.F64
    return instruction.info.unit_for(Type.F64 if is_from_f64 else instruction.type)
