"""Find what each instruction waits for, and what it sets: rows of registers, or the scoreboards of machine code."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpview.devices import Device
from warpview.isa.modes import CopyGroup
from warpview.isa.ops import Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import Type
from warpview.sim.compiler_effects.absorbed_operations import absorbed
from warpview.sim.compiler_effects.asynchronous_copies import asks_barrier, asynchronous_copies, tells_barrier
from warpview.sim.compiler_effects.constant_operands import constant_operands
from warpview.sim.compiler_effects.joined_loads import JoinedLoads, joined_loads
from warpview.sim.compiler_effects.load_groups import LoadGroup, load_groups
from warpview.sim.compiler_effects.loop_body import UnrolledLoop
from warpview.sim.compiler_effects.predicated_branches import predicated_branches
from warpview.sim.compiler_effects.remainder_trips import countdown
from warpview.sim.compiler_effects.repeated_operations import repeated_operations
from warpview.sim.compiler_effects.unrolled_loops import unrolled_loops
from warpview.sim.history.events import Free

SCOREBOARDS = 6  # of a warp, in machine code since CC 5.0; row k of the board stands for scoreboard k


def rows_awaited(program: Program, device: Device) -> dict[str, NDArray[Any]]:
    """Return the fields of InstructionCosts that say what is waited for, on a device whose compiler unrolls loops or
    does not."""
    instructions = program.instructions
    is_written = program.native is None and device.unrolls_loops
    repeated = repeated_operations(program) if is_written else {}
    loops = list(unrolled_loops(program, repeated)) if device.unrolls_loops else []
    joined = joined_loads(program, loops, repeated) if is_written else JoinedLoads()
    passed_on = {**joined.by_member(), **repeated}
    copies = asynchronous_copies(program, device)
    absent = set(copies.absent)
    if is_written:
        absent |= absorbed(program, repeated).union(passed_on, constant_operands(program, loops))
    predicated = list(predicated_branches(program, absent, device.predicated_instructions)) if is_written else []
    groups = list(load_groups(program, repeated, loops, predicated)) if is_written else []
    # The value of what does the work of others has a row of its own, behind those of the registers.
    kept = {first: program.rows32 + program.rows64 + k for k, first in enumerate(sorted({*passed_on.values()}))}
    from_row = {n: kept[first] for n, first in passed_on.items()}
    carried = _carried(program, loops)
    early = _early(program, groups, carried)
    for n, first in passed_on.items():
        carried[n] = [kept[first]] if _is_carried(loops, first, n) else []
        early[n] = set()
    if program.native is None:
        mixed = {n for loop in loops if loop.together > 1 for n in range(loop.first, loop.last + 1)}
        needed = [_sources(i) if n in mixed else _uses(i) for n, i in enumerate(instructions)]
        rows = [[from_row[n]] if n in from_row else _variable_rows(program, each) for n, each in enumerate(needed)]
        uses, uses_start = _rows([_in_order(*each) for each in zip(rows, carried, early, strict=True)])
        written = [[] if n in copies.copying else _variable_rows(program, _sets(i)) for n, i in enumerate(instructions)]
        sets, sets_start = _rows([[*rows, kept[n]] if n in kept else rows for n, rows in enumerate(written)])
    else:
        uses, uses_start = _rows([_scoreboards_awaited(i) for i in instructions])
        sets, sets_start = _rows([_scoreboards_set(i) for i in instructions])
    n_early = np.array([len(rows) for rows in early], dtype=np.int32)
    return {
        "uses": uses, "uses_start": uses_start, "sets": sets, "sets_start": sets_start,
        "n_carried": np.array([len(rows) for rows in carried], dtype=np.int32),
        "n_awaited": np.diff(uses_start) - n_early,
        "joined_trips": np.array([joined.trips.get(n, 0) for n in range(len(instructions))], dtype=np.int32),
        "joined": np.array([joined.words(n) for n in range(len(instructions))], dtype=np.int32),
        "free": _free(len(instructions), loops, absent, predicated),
        **_of_copies(instructions, copies.copying),
        **_of_loops(program, loops),
        **_of_groups(groups, len(instructions)),
    }  # fmt: skip


def _carried(program: Program, loops: Sequence[UnrolledLoop]) -> list[list[int]]:
    """Return, for each instruction of a loop that is unrolled, the rows for which each trip waits: those from outside,
    and those that the trips compute from one another."""
    found: list[list[int]] = [[] for _ in program.instructions]
    for loop in loops:
        places = range(loop.first, loop.last + 1)
        written: dict[int, list[int]] = {}
        for n in places:
            for row in _variable_rows(program, _sets(program.instructions[n])):
                written.setdefault(row, []).append(n)
        for n in places:
            for row in _variable_rows(program, _sources(program.instructions[n])):
                givers = _givers(program, written.get(row, []), n)
                if not givers or (n in loop.cycle and not loop.cycle.isdisjoint(givers)):
                    found[n].append(row)
    return found


def _givers(program: Program, written: Sequence[int], n: int) -> list[int]:
    """Return which of those that write a row in a loop may have given what an instruction reads: the last one before
    it, in this trip or in the one before, and those before it that write in some lanes alone."""
    earlier = [at for at in written if at < n]
    in_part = [at for at in earlier if program.instructions[at].guard != NONE]
    return [*(earlier[-1:] or written[-1:]), *in_part]


def _in_order(rows: Sequence[int], carried: Sequence[int], early: set[int]) -> list[int]:
    """Return the rows that an instruction uses: first those for which each trip waits, last those that come early."""
    return sorted(rows, key=lambda row: (row in early, row not in carried))


def _early(program: Program, groups: Sequence[LoadGroup], carried: Sequence[Sequence[int]]) -> list[set[int]]:
    """Return, for each instruction, the rows for which it does not wait, as a group of loads comes first: none of
    those that are ``carried``."""
    found: list[set[int]] = [set() for _ in program.instructions]
    for group in groups:
        for n, rows in group.early.items():
            of = _variable_rows(program, _uses(program.instructions[n]))
            numbers = {(program.rows32 if is_wide else 0) + row for is_wide, row in rows}
            found[n] = numbers.intersection(of).difference(carried[n])
    return found


def _of_groups(groups: Sequence[LoadGroup], n_instructions: int) -> dict[str, NDArray[Any]]:
    """Return what InstructionCosts says of groups of loads."""
    found = {name: np.zeros(n_instructions, dtype=np.bool_) for name in ("owes", "settles")}
    for group in groups:
        found["owes"][list(group.early)] = True
        found["settles"][group.settles] = True
    return found


def _of_copies(instructions: Sequence[Instruction], copying: Collection[int]) -> dict[str, NDArray[Any]]:
    """Return what InstructionCosts says of asynchronous copies."""
    of_groups = [CopyGroup(i.mod) if i.op == Op.CP_ASYNC else None for i in instructions]
    left = [i.imm if kind == CopyGroup.WAIT_GROUP else NONE for i, kind in zip(instructions, of_groups, strict=True)]
    return {
        "copied": np.array([n in copying for n in range(len(instructions))], dtype=np.bool_),
        "closes": np.array([kind == CopyGroup.COMMIT_GROUP for kind in of_groups], dtype=np.bool_),
        "groups_left": np.array(left, dtype=np.int32),
        "tells_barrier": np.array([tells_barrier(i) for i in instructions], dtype=np.bool_),
        "asks_barrier": np.array([asks_barrier(i) for i in instructions], dtype=np.bool_),
    }


def _of_loops(program: Program, loops: Sequence[UnrolledLoop]) -> dict[str, NDArray[Any]]:
    """Return what InstructionCosts says of loops."""
    names = ("loop", "together", "copies", "counter", "bound", "step", "inclusive")
    found = {name: np.zeros(len(program.instructions), dtype=np.int32) for name in names}
    begins, renames = np.zeros((2, len(program.instructions)), dtype=np.bool_)
    for number, loop in enumerate(loops, start=1):
        found["loop"][loop.first : loop.last + 1] = number
        found["together"][loop.first : loop.last + 1] = loop.together
        found["copies"][loop.first : loop.last + 1] = loop.copies
        begins[loop.begin] = True
        renames[loop.first : loop.last + 1] = True
        for n in range(loop.first, loop.last):  # what lanes compute that go another way ends up in the same register
            if program.instructions[n].op == Op.BRA:
                renames[n + 1 : program.instructions[n].target] = False
        counted = countdown(program, loop)
        for name, value in counted._asdict().items() if counted else ():
            found[name][loop.first : loop.last + 1] = value
    return {**found, "begins": begins, "renames": renames}


def _is_carried(loops: Sequence[UnrolledLoop], first: int, n: int) -> bool:
    """Return whether each trip waits for what an instruction has given that does the work of another one."""
    loop = next((loop for loop in loops if loop.first <= n <= loop.last), None)
    return loop is not None and (first < loop.first or (n in loop.cycle and first in loop.cycle))


def _free(
    n_instructions: int, loops: Sequence[UnrolledLoop], absent: Iterable[int], predicated: Sequence[int]
) -> NDArray[np.uint8]:
    """Return a Free of each instruction; ``absent`` ones are those that others do the work of."""
    found = np.zeros(n_instructions, dtype=np.uint8)
    found[predicated] = Free.PREDICATED
    for loop in loops:
        found[list(loop.folded)] = Free.FOLDED
        found[list(loop.predicated)] = Free.PREDICATED
    found[list(absent)] = Free.ABSORBED
    return found


def _uses(instruction: Instruction) -> list[tuple[int, Type]]:
    """Return the rows that must be there before the instruction issues: sources, guard, and what it writes."""
    return _sources(instruction) + _sets(instruction)


def _sources(instruction: Instruction) -> list[tuple[int, Type]]:
    """Return the rows that an instruction reads. Trips that are mixed have registers of their own for what they write:
    who reads them waits for all."""
    rows = list(zip(instruction.srcs, instruction.src_types, strict=True))
    if instruction.op in (Op.ST, Op.RED) and instruction.vec > 1:
        first, kind = rows[1]
        rows = [rows[0], *((first + k, kind) for k in range(instruction.vec))]
    if instruction.guard != NONE:
        rows.append((instruction.guard, Type.PRED))
    return rows + list(instruction.extra)


def _sets(instruction: Instruction) -> list[tuple[int, Type]]:
    """Return the rows that an instruction writes."""
    kind = instruction.dst_type
    return [] if kind is None else [(row, kind) for row in instruction.result_rows]


def _variable_rows(program: Program, operands: Sequence[tuple[int, Type]]) -> list[int]:
    """Return the rows of virtual registers, 64-bit rows after the 32-bit ones; those that never change need no
    scoreboard."""
    found = set()
    for row, kind in operands:
        if kind.is_wide and row >= program.first_virtual64:
            found.add(program.rows32 + row)
        elif not kind.is_wide and row >= program.first_virtual32:
            found.add(row)
    return sorted(found)


def _scoreboards_awaited(instruction: Instruction) -> list[int]:
    """Return the scoreboards that must be released before an instruction of machine code issues."""
    native = instruction.native
    return [] if native is None else [k for k in range(SCOREBOARDS) if native.waits >> k & 1]


def _scoreboards_set(instruction: Instruction) -> list[int]:
    """Return the scoreboard that the result of an instruction of machine code releases."""
    native = instruction.native
    return [] if native is None or native.write_barrier is None else [native.write_barrier]


def _rows(groups: Sequence[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return (rows, start) of the groups one after the other."""
    start = np.cumsum([0, *map(len, groups)])
    rows = [row for group in groups for row in group]
    return np.array(rows, dtype=np.int32), start.astype(np.int32)
