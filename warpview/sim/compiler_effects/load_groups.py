"""Find the loads that NVIDIA's compiler issues together in straight code as written.

It moves loads up, past the instructions that use earlier ones, so that a warp waits once for a group of them. Here the
instructions stay where they are, and a warp does not wait for what the group's loads, or instructions that need them,
have computed before the last load of the group; behind that it waits for all of it. A value that is added to in turn is
waited for each time.

A group ends where a load needs another one's result or may read what has been stored, at the end of the straight code,
and when as many registers are loaded as the compiler has in flight (``LOADS_AHEAD``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from warpview.isa.ops import Op
from warpview.isa.program import NONE, Instruction, Program
from warpview.isa.types import Space
from warpview.sim.compiler_effects.loop_body import LOADS_AHEAD, UNFIT, UnrolledLoop
from warpview.sim.compiler_effects.register_rows import Row, rows_read, rows_written


@dataclass(frozen=True)
class LoadGroup:
    """Describe a group: ``early[n]`` are the rows for which instruction n, before the last load, does not wait;
    at ``settles`` the warp waits for all results of these instructions and of the loads."""

    early: dict[int, frozenset[Row]]
    settles: int


@dataclass
class _Open:
    """Hold a group as it is found."""

    last: int = NONE  # the last load
    words: int = 0
    needed: set[Row] = field(default_factory=set)  # rows that loads of the group give, or that need them
    stored: set[Space] = field(default_factory=set)
    places: list[int] = field(default_factory=list)


def load_groups(
    program: Program, repeated: Mapping[int, int], loops: Sequence[UnrolledLoop], predicated: Iterable[int]
) -> Iterator[LoadGroup]:
    """Yield the groups of more than one load of a program as written; those that are ``repeated`` take no room. Loops
    within others of the ``loops`` are straight code, as all their trips are written out, and so are ``predicated``
    branches that pass over no load."""
    inner = {n for loop in loops for n in loop.predicated if NONE < program.instructions[n].target <= n}
    inner |= {n for n in predicated if not any(i.op == Op.LD for i in _passed_over(program, n))}
    branches = {n for n, i in enumerate(program.instructions) if i.op == Op.BRA} - inner
    starts = {program.instructions[n].target for n in branches}
    group = _Open()
    for n, instruction in enumerate(program.instructions):
        is_load = _is_free_to_move(instruction) and n not in repeated
        if n in starts or (is_load and not _may_join(instruction, group)):
            yield from _closed(program, group, n, repeated)
            group = _Open()
        _add(program, group, n, repeated)
        is_volatile = instruction.op == Op.LD and not instruction.cached
        if is_volatile or instruction.op in UNFIT or n in branches:
            yield from _closed(program, group, n, repeated)
            group = _Open()


def _passed_over(program: Program, n: int) -> tuple[Instruction, ...]:
    return program.instructions[n + 1 : program.instructions[n].target]


def _is_free_to_move(instruction: Instruction) -> bool:
    """Return whether an instruction is a load that the compiler may move."""
    return instruction.op == Op.LD and instruction.cached


def _may_join(load: Instruction, group: _Open) -> bool:
    """Return whether a load can be issued with the group's: it needs none of them, nor what the group stores."""
    if group.words + max(1, load.vec) > LOADS_AHEAD or not group.needed.isdisjoint(rows_read(load)):
        return False
    anywhere = Space.GENERIC in {load.space, *group.stored}
    return load.read_only or not group.stored or not (anywhere or load.space in group.stored)


def _is_of(group: _Open, instruction: Instruction, n: int, repeated: Mapping[int, int]) -> bool:
    """Return whether an instruction is a load of a group, or repeats one."""
    return _is_free_to_move(instruction) and repeated.get(n, n) >= group.places[0]


def _add(program: Program, group: _Open, n: int, repeated: Mapping[int, int]) -> None:
    instruction = program.instructions[n]
    group.places.append(n)
    if _is_free_to_move(instruction) and n not in repeated:
        group.last, group.words = n, group.words + max(1, instruction.vec)
    if _is_of(group, instruction, n, repeated) or not group.needed.isdisjoint(rows_read(instruction)):
        group.needed.update(rows_written(instruction))
    else:
        group.needed.difference_update(rows_written(instruction))
    if instruction.op == Op.ST:
        group.stored.add(instruction.space)


def _closed(program: Program, group: _Open, end: int, repeated: Mapping[int, int]) -> Iterator[LoadGroup]:
    """Yield the group, if there is something to gain; ``end`` is the instruction behind it, or its last one."""
    if group.words < 2:
        return
    given: set[Row] = set()  # by the group up to here
    loaded: set[Row] = set()  # those of them that hold what was loaded
    turns: set[Row] = set()  # those that hold what was computed from what they had held
    early: dict[int, frozenset[Row]] = {}
    for n in (n for n in group.places if n < group.last):
        instruction = program.instructions[n]
        reads, writes = rows_read(instruction), rows_written(instruction)
        is_load = _is_of(group, instruction, n, repeated)
        if is_load or not given.isdisjoint(reads):
            early[n] = frozenset({*reads, *writes} & given - turns)
            given.update(writes)
            turns.difference_update(writes)
            turns.update(row for row in writes if row in reads and row not in loaded)
        else:
            given.difference_update(writes)
        loaded = loaded.union(writes) if is_load else loaded.difference(writes)
    early[group.last] = frozenset(set(rows_written(program.instructions[group.last])) & given)
    if any(early.values()):
        behind = (n for n in group.places if n > group.last)
        needing = (n for n in behind if not group.needed.isdisjoint(rows_read(program.instructions[n])))
        yield LoadGroup(early, next(needing, end))
