"""Hold the state of lowering at each point of the kernel that it emits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from warpview.diagnostics import Diagnostic, Span
from warpview.frontend import ir
from warpview.frontend import syntax as s
from warpview.frontend.builder import Builder
from warpview.frontend.preprocess.preprocessor import is_own_header
from warpview.frontend.preprocess.tokens import fail
from warpview.frontend.semantic import types as t
from warpview.frontend.semantic.mutation import Changed
from warpview.frontend.semantic.names import Names
from warpview.frontend.semantic.scopes import Scope
from warpview.frontend.semantic.values import BoundObject, FunctionObject, Lvalue, Value
from warpview.frontend.syntax.walk import last_line
from warpview.isa.ops import Op
from warpview.isa.program import Variable
from warpview.isa.types import Type

MAX_INSTRUCTIONS = 150_000  # of one kernel after inlining and unrolling


@dataclass
class CallFrame:
    """Describe a function being inlined, or the kernel itself. ``done`` is where its returns go, None for the
    kernel."""

    function: object
    name: str
    result: t.CType | None  # None where 'auto' is still to be deduced
    done: ir.BasicBlock | None
    refers: bool = False  # the result is a reference, perhaps to what is still to be deduced
    deduced: bool = False  # whether the result is that of the first return
    direct: s.Return | None = None  # the only return, at the end: its value is the call's value
    value: Value | Lvalue | None = None
    place: Lvalue | None = None  # where returns leave their value otherwise
    assigned: frozenset[str] = frozenset()
    assigned_parts: frozenset[str] = frozenset()
    variables: int = 0  # how many variables that are destroyed there are where it begins
    constants: tuple[object, ...] = ()  # the numbers among its arguments, None for others
    key: tuple[object, ...] = ()  # identifies the instance: the function and its template arguments

    def changes(self, name: str) -> bool:
        """Return whether the function assigns to a variable of this name, or to a part of it."""
        return name in self.assigned or name in self.assigned_parts

    def without_value(self, span: Span) -> Diagnostic:
        """Return the warning of a function that ends without the value that it should return."""
        return Diagnostic(f"'{self.name}' returns no value, but should return '{self.result}'", span, "warning")


@dataclass(frozen=True)
class JumpTarget:
    """Name a block, and how many variables that are destroyed there are where it begins."""

    block: ir.BasicBlock
    variables: int


@dataclass
class Jumps:
    """Name the targets of ``break`` and ``continue``."""

    breaks: JumpTarget | None
    continues: JumpTarget | None


@dataclass
class StaticMemory:
    """Count the bytes handed out in shared, constant and device memory."""

    shared: int = 0
    constant: bytearray = field(default_factory=bytearray)
    device: bytearray = field(default_factory=bytearray)
    fixed: list[range] = field(default_factory=list)  # parts of constant memory that nobody can change
    # Where `__device__` variables already lie in global memory, by name: of a whole program, whose kernels share them.
    device_addresses: Mapping[str, int] = field(default_factory=dict)
    places: dict[object, Lvalue] = field(default_factory=dict)
    # Places in the image of the variable being written that hold addresses of others, with their places; None where no
    # launch can fill these in. Then those of all variables.
    pointers: dict[int, int] | None = None
    device_pointers: dict[int, int] = field(default_factory=dict)
    strings: dict[int, bytes] | None = None  # collects those that a variable points to; None where they have places


class LoweringContext:
    """Keep the state of lowering one kernel, which all parts of it share."""

    def __init__(self, function: ir.Function, names: Names, fma: bool) -> None:
        self.function = function
        self.builder = Builder(function)
        self.names = names
        self.fma = fma
        self.frames: list[CallFrame] = []
        self.jumps: list[Jumps] = []
        self.static_memory = StaticMemory()
        self.copies = 1  # of what is being written, by the unrolled loops around it
        self.path: tuple[object, ...] = ()  # the calls being inlined
        self.slots: dict[object, ir.Slot] = {}  # of local variables, by declaration and path
        self.scope_end = 0  # last line of the block being written
        self.discarded: s.Expression | None = None  # the expression whose value nobody uses
        # What the views show: by declaration and path, what holds each local variable, its type and source lines.
        self.described: dict[object, tuple[BoundObject | ir.Slot, t.CType, tuple[int, int]]] = {}
        self.parameter_names = Changed(frozenset(), frozenset())  # changed by the function being called
        self.stack_frame: ir.StackFrame | None = None  # of the function that calls itself and is being written
        self.closures: dict[tuple[object, int], FunctionObject] = {}  # lambdas that are members, by their place
        self.results: dict[ir.Reg, tuple[ir.Slot, int]] = {}  # loads of intermediate results that have a name
        self.dynamic_arrays: list[Variable] = []  # the extern __shared__ arrays, for the views
        # Where the labels of the switches under way, and those of goto by name and call, are or will be placed.
        self.case_blocks: dict[s.Case, ir.BasicBlock] = {}
        self.label_blocks: dict[object, ir.BasicBlock] = {}
        self.labels_placed: dict[object, int] = {}  # with the objects that are to be destroyed there
        self.gotos: dict[tuple[str, object, object], Span] = {}

    # ------------------------------------------------------------------------------------- housekeeping
    @property
    def frame(self) -> CallFrame:
        return self.frames[-1]

    @contextmanager
    def at(self, span: Span) -> Iterator[None]:
        """Let the instructions written within belong to ``span``; those of our own headers to the line that uses them,
        as nobody has these open."""
        before = self.builder.span
        self.builder.span = before if is_own_header(span.source) else span
        try:
            yield
        finally:
            self.builder.span = before

    def warn(self, warning: Diagnostic) -> None:
        """Tell what C++ takes but what is most likely a mistake, once however often the place is lowered."""
        if warning not in self.function.warnings:
            self.function.warnings += (warning,)

    @property
    def scope(self) -> Scope:
        """Return the names that are visible where code is being written."""
        return self.names.scope

    def scoped(self, scope: Scope | None = None) -> AbstractContextManager[Scope]:
        """Make names that are declared within visible within only."""
        return self.names.scoped(scope)

    @contextmanager
    def scoped_to(self, statement: s.Statement) -> Iterator[None]:
        """Make names that are declared within a statement visible within only, in the views down to its last line."""
        before, self.scope_end = self.scope_end, last_line(statement)
        with self.scoped():
            yield
        self.scope_end = before

    def emit(self, op: Op, type: Type, *operands: ir.Value, **more: object) -> ir.Reg:
        if self.function.next_register > MAX_INSTRUCTIONS:
            fail(
                f"the kernel is too long: it has more than {MAX_INSTRUCTIONS} instructions",
                self.builder.span,
                "functions are inlined and some loops unrolled, each copy counts",
            )
        return self.builder.emit(op, type, *operands, **more)  # type: ignore[arg-type]

    def just_computed(self, operand: ir.Reg) -> bool:
        """Return whether the last instruction computed ``operand``."""
        instrs = self.builder.block.instrs
        return not self.builder.closed and bool(instrs) and instrs[-1].dsts == (operand,)
