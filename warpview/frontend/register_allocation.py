"""Assign a row of the register files to each value; see ``Program`` for the order of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from warpview.frontend.interruption import checkpoint
from warpview.frontend.ir import BasicBlock, Const, DeviceBase, Function, ParamValue, Reg, SpecialValue, Value
from warpview.frontend.passes.liveness import liveness, terminator_reads
from warpview.isa.program import N_SPECIAL, NONE
from warpview.isa.types import Type


@dataclass
class RegisterFile:
    """Give out the rows of one register file."""

    types: list[Type] = field(default_factory=list)
    constants: dict[int, int] = field(default_factory=dict)  # row -> bits
    first_virtual: int = 0

    def add(self, type: Type) -> int:
        self.types.append(type)
        return len(self.types) - 1


@dataclass
class RegisterRows:
    """Hold ``row_of[value]`` for every value of a function. Constants of equal bits share a row."""

    file32: RegisterFile
    file64: RegisterFile
    params: list[int]
    row_of: dict[Value, int]
    device_row: int

    def __getitem__(self, value: Value) -> int:
        return self.row_of[value]

    def get(self, value: Value) -> int:
        """Return the row of a value, or NONE where the program has no use for it."""
        return self.row_of.get(value, NONE)


def allocate_registers(function: Function, groups: Sequence[tuple[Reg, ...]]) -> RegisterRows:
    """Number every value. Temporaries that live within one block share rows; variables never do."""
    rows = RegisterRows(RegisterFile([Type.U32] * N_SPECIAL), RegisterFile(), [], {}, NONE)
    _uniform_rows(function, rows)
    rows.file32.first_virtual = len(rows.file32.types)
    rows.file64.first_virtual = len(rows.file64.types)
    for group in groups:
        for reg in group:
            rows.row_of[reg] = _file(rows, reg.type).add(reg.type)
    local = _block_locals(function) - set(rows.row_of)
    for value in _values(function):
        if isinstance(value, Reg) and value not in local and value not in rows.row_of:
            rows.row_of[value] = _file(rows, value.type).add(value.type)
    _share_rows(function, rows, local)
    return rows


def _file(rows: RegisterRows, type: Type) -> RegisterFile:
    return rows.file64 if type.is_wide else rows.file32


def _values(function: Function) -> Iterator[Value]:
    """Yield every value in order of appearance, results before operands."""
    for block in function.blocks:
        yield from _block_values(block)


def _block_values(block: BasicBlock) -> Iterator[Value]:
    checkpoint()
    for instr in block.instrs:
        yield from instr.dsts
        yield from instr.reads
    yield from terminator_reads(block)


def _uniform_rows(function: Function, rows: RegisterRows) -> None:
    rows.params = [_file(rows, param.type).add(param.type) for param in function.params]
    used = [v for v in _values(function) if not isinstance(v, Reg)]
    used += function.folded.values()
    used += [v for _, v in function.variables if v is not None and not isinstance(v, Reg)]
    if any(isinstance(v, DeviceBase) for v in used) or function.device_bytes:
        rows.device_row = rows.file64.add(Type.U64)
        rows.row_of[DeviceBase()] = rows.device_row
    shared: dict[tuple[bool, int], int] = {}
    for value in used:
        match value:
            case ParamValue(index=index):
                rows.row_of[value] = rows.params[index]
            case SpecialValue(special=special):
                rows.row_of[value] = int(special)
            case Const(type=type, bits=bits):
                key = (type.is_wide, bits)
                if key not in shared:
                    file = _file(rows, type)
                    shared[key] = file.add(type)
                    file.constants[shared[key]] = bits
                rows.row_of[value] = shared[key]


def _block_locals(function: Function) -> set[Reg]:
    """Return unnamed registers that appear in one block only, and that no path carries round to its start again."""
    flow = liveness(function)
    home: dict[Reg, BasicBlock] = {}
    shared: set[Reg] = set()
    for block in function.blocks:
        shared |= flow.at_start[block]
        for value in _block_values(block):
            if isinstance(value, Reg) and home.setdefault(value, block) is not block:
                shared.add(value)
    watched = {value for _, value in function.variables if isinstance(value, Reg)}
    return {reg for reg in home if not reg.name} - shared - watched


def _share_rows(function: Function, rows: RegisterRows, local: set[Reg]) -> None:
    """Within each block a row goes back to its pool at the last appearance of its temporary."""
    pools: dict[Type, list[int]] = {}
    for block in function.blocks:
        last: dict[Value, int] = {}
        for index, instr in enumerate(block.instrs):
            last.update(dict.fromkeys((*instr.dsts, *instr.reads), index))
        last.update(dict.fromkeys(terminator_reads(block), len(block.instrs)))
        for index, instr in enumerate(block.instrs):
            # An operand's row is free for the result: every lane reads before it writes.
            _release(instr.reads, instr.dsts, index, last, rows, pools, local)
            for reg in instr.dsts:
                if reg in local and reg not in rows.row_of:
                    pool = pools.setdefault(reg.type, [])
                    rows.row_of[reg] = pool.pop() if pool else _file(rows, reg.type).add(reg.type)
            _release(instr.dsts, (), index, last, rows, pools, local)
        _release(terminator_reads(block), (), len(block.instrs), last, rows, pools, local)


def _release(
    values: tuple[Value, ...],
    keep: tuple[Reg, ...],
    index: int,
    last: dict[Value, int],
    rows: RegisterRows,
    pools: dict[Type, list[int]],
    local: set[Reg],
) -> None:
    """Give back the rows of temporaries among ``values`` that appear for the last time at ``index``."""
    for value in dict.fromkeys(values):
        if isinstance(value, Reg) and value in local and value not in keep and last[value] == index:
            pools.setdefault(value.type, []).append(rows.row_of[value])
