"""Define the typed intermediate representation, which lowering writes, the passes rewrite and ``emit`` numbers.

A ``Function`` is a list of ``BasicBlock``s in layout order, each a list of instructions closed by one terminator.
Instructions use the operations of ``warpview.isa.ops``. It is not SSA: a register may be assigned more than
once, because a source variable is a register. Registers start as zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from warpview.diagnostics import Diagnostic, SourceText, Span
from warpview.frontend.ir_values import ArrayBounds as ArrayBounds
from warpview.frontend.ir_values import Const as Const
from warpview.frontend.ir_values import DeviceBase as DeviceBase
from warpview.frontend.ir_values import DynamicShared as DynamicShared
from warpview.frontend.ir_values import ParamValue as ParamValue
from warpview.frontend.ir_values import Reg as Reg
from warpview.frontend.ir_values import Slot as Slot
from warpview.frontend.ir_values import SlotAddress as SlotAddress
from warpview.frontend.ir_values import SpecialValue as SpecialValue
from warpview.frontend.ir_values import Value as Value
from warpview.frontend.ir_values import const as const
from warpview.frontend.ir_values import round_f32_bits as round_f32_bits
from warpview.frontend.ir_values import same_bits as same_bits
from warpview.frontend.ir_values import signed as signed
from warpview.isa.child_kernel import ChildKernel
from warpview.isa.ops import OPS, MemoryScope, Op
from warpview.isa.program import Param, Print, Variable, operand_type, source_letters
from warpview.isa.types import Space, Type


@dataclass(frozen=True)
class Instr:
    """Perform one operation. ``dsts`` holds one register, none, or ``vec`` of them for a vector load or a product of
    matrices.

    A vector store has ``vec`` values after its address in ``srcs``. ``extra`` are the arguments of a PRINTF.
    ``kills`` is set by predication where the result of a guarded instruction is read only where the guard holds.
    """

    op: Op
    type: Type
    dsts: tuple[Reg, ...]
    srcs: tuple[Value, ...]
    span: Span
    guard: Value | None = None
    guard_negated: bool = False
    stype: Type = Type.U32
    mod: int = 0
    space: Space = Space.NONE
    imm: int = 0
    vec: int = 1
    cached: bool = True
    read_only: bool = False
    relaxed: bool = False
    asynchronous: bool = False
    scope: MemoryScope = MemoryScope.DEVICE
    extra: tuple[Value, ...] = ()
    kills: bool = False
    contracts: bool = False  # a product, sum or difference of floats that may become one operation with another
    lane: int = 0  # of an operation on a pair of halves: 1 of the lower, 2 of the upper; 0 of a number by itself
    bounds: ArrayBounds | None = None  # of the variable that is accessed, or of an index; where they are known

    @property
    def dst(self) -> Reg | None:
        return self.dsts[0] if self.dsts else None

    @property
    def reads(self) -> tuple[Value, ...]:
        """Return every value the instruction looks at."""
        return self.srcs + self.extra + ((self.guard,) if self.guard is not None else ())

    def renamed(self, names: Mapping[Value, Reg]) -> Instr:
        """Return the same operation on other registers: those that ``names`` has are replaced, read and written
        alike."""
        if not any(v in names for v in (*self.reads, *self.dsts)):
            return self
        return replace(
            self,
            dsts=tuple(names.get(d, d) for d in self.dsts),
            srcs=tuple(names.get(v, v) for v in self.srcs),
            extra=tuple(names.get(v, v) for v in self.extra),
            guard=None if self.guard is None else names.get(self.guard, self.guard),
        )

    @property
    def src_types(self) -> tuple[Type, ...]:
        letters = source_letters(self.op, self.mod, len(self.srcs))
        return tuple(operand_type(c, self.type, self.stype, self.space) for c in letters)

    def __str__(self) -> str:
        guard = f"@{'!' if self.guard_negated else ''}{self.guard} " if self.guard is not None else ""
        dsts = ", ".join(map(str, self.dsts))
        mod = f"/{self.mod}" if self.mod else ""
        space = f".{self.space}" if self.space else ""
        imm = f" +{self.imm}" if self.imm else ""
        head = f"{guard}{OPS[self.op].mnemonic}{space}.{self.type}{mod}"
        return f"{head} {dsts}{' <- ' if dsts else ''}{', '.join(map(str, self.srcs))}{imm}"


@dataclass(frozen=True)
class Jump:
    """Send control to ``target``."""

    target: BasicBlock
    span: Span


@dataclass(frozen=True)
class Branch:
    """Send threads for which the predicate ``condition`` holds to ``then``, the rest to ``other``."""

    condition: Value
    then: BasicBlock
    other: BasicBlock
    span: Span


@dataclass(frozen=True)
class Exit:
    """End the threads that arrive here."""

    span: Span


Terminator = Jump | Branch | Exit


@dataclass(eq=False)
class BasicBlock:
    """Hold straight-line code and the terminator that ends it. ``terminator`` is None only while the block is being
    written.

    ``rolled`` marks the last block of a loop of which the source says how far it is to be unrolled, ``single`` that of
    one which is not to be unrolled at all.
    """

    label: str
    instrs: list[Instr] = field(default_factory=list)
    terminator: Terminator | None = None
    rolled: bool = False
    single: bool = False

    @property
    def successors(self) -> tuple[BasicBlock, ...]:
        match self.terminator:
            case Jump(target=target):
                return (target,)
            case Branch(then=then, other=other):
                return (then,) if then is other else (then, other)
        return ()

    def __repr__(self) -> str:
        return f"<{self.label}>"


@dataclass(eq=False)
class StackFrame:
    """Describe the variables in memory of a function that calls itself: ``size`` bytes for each call. Its blocks are
    those from the ``first`` on to the ``end``, in ``done`` it is over: ``result`` is what it gives back, and ``number``
    says where to."""

    name: str
    size: int = 0
    result: Slot | None = None
    first: BasicBlock | None = None
    end: BasicBlock | None = None
    done: BasicBlock | None = None
    number: Reg | None = None


@dataclass(frozen=True)
class CallSite:
    """Describe a call ``within`` a function that calls itself: the block ``before``, the one that enters the function
    and the one behind. ``callee`` is the function; None where another one is written in place of its call."""

    before: BasicBlock
    enter: BasicBlock
    after: BasicBlock
    within: StackFrame
    callee: StackFrame | None
    span: Span


@dataclass
class Function:
    """Hold a kernel as lowered. ``blocks[0]`` is the entry; the list order is the layout, in source order.

    ``params`` and ``variables`` have no rows yet; a scalar variable comes with its register, or with the constant,
    parameter or special value that it stands for. Fields that the program takes over unchanged are documented there.
    """

    name: str
    source: SourceText
    span: Span
    params: list[Param] = field(default_factory=list)
    parameter_names: list[str] = field(default_factory=list)  # of all, those of empty structs too, which have no Param
    blocks: list[BasicBlock] = field(default_factory=list)
    variables: list[tuple[Variable, Value | None]] = field(default_factory=list)
    static_shared_bytes: int = 0
    uses_dynamic_shared: bool = False
    local_bytes: int = 0
    constant_bytes: bytes = b""
    constant_symbols: tuple[Variable, ...] = ()
    device_bytes: bytes = b""
    device_symbols: tuple[Variable, ...] = ()
    device_pointers: tuple[tuple[int, int], ...] = ()
    max_threads: int = 0
    cluster: tuple[int, int, int] | None = None
    names_blocks: bool = False  # in generic addresses of shared memory
    polls_grid: bool = False  # the barrier of the whole grid is a word in global memory
    prints: list[Print] = field(default_factory=list)
    asserts: list[Print] = field(default_factory=list)
    minimum_capability: tuple[int, int] = (1, 0)
    capability_reason: str = ""
    last_capability: tuple[int, int] = (99, 9)
    last_capability_reason: str = ""
    options: tuple[tuple[str, str], ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    children: dict[int, ChildKernel] = field(default_factory=dict)
    slots: list[Slot] = field(default_factory=list)
    calls: list[CallSite] = field(default_factory=list)
    stack_pointer: Reg | None = None  # of functions that call themselves
    stack_bytes: int = 0  # that they may have
    next_register: int = 0
    # Variables that a pass found to hold one constant for good, so that no register is written.
    folded: dict[Reg, Const] = field(default_factory=dict)

    def reg(self, type: Type, name: str = "") -> Reg:
        """Return a register nobody uses yet."""
        self.next_register += 1
        return Reg(type, self.next_register, name)

    def __str__(self) -> str:
        lines = []
        for block in self.blocks:
            lines.append(f"{block.label}:")
            lines += [f"    {i}" for i in block.instrs]
            match block.terminator:
                case Jump(target=target):
                    lines.append(f"    jump {target.label}")
                case Branch(condition=c, then=then, other=other):
                    lines.append(f"    branch {c} ? {then.label} : {other.label}")
                case Exit():
                    lines.append("    exit")
        return "\n".join(lines)
