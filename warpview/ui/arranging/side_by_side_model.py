"""Model the page of two runs, besides its views: titles, corresponding steps, counters of both. Qt-free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from warpview.isa.ops import MEMORY_OPS
from warpview.profile.counters import BY_KEY, Value
from warpview.run.code_comparison import CodeChange, RunCode, code_changes
from warpview.ui.moving.alignment import Counterpart
from warpview.ui.panels.comparison_model import FIRST, difference, titled
from warpview.ui.session.kept_runs import common
from warpview.ui.views.context import FrameContext, RunLike
from warpview.ui.views.counters.counters_model import number
from warpview.ui.views.counters.key_counters_model import CANDIDATES

SHOWN = 8
HEADER = ("counter", "left, so far", "right, so far", "difference", "left, launch", "right, launch", "difference")


def titles(first: Sequence[str], second: Sequence[str]) -> tuple[str, str, str]:
    """Return what both runs have in common, and what tells each from the other; ``first`` and ``second`` are what the
    runs are called, part by part (kernel, device, launch)."""
    shared = common([first, second])
    left, right = ([part for part in parts if part not in shared] for parts in (first, second))
    others = ("before the edit",) * 2 if ["edited"] in (left, right) else ("this run", "the other run")
    return " · ".join(shared), " · ".join(left) or others[0], " · ".join(right) or others[1]


def keys_of(first: RunLike, second: RunLike) -> list[str]:
    """Return the counters to show: those that differ between the launches first, at most ``SHOWN``."""
    known = [k for k in dict.fromkeys((*CANDIDATES, *FIRST)) if k in BY_KEY]
    known = [k for k in known if first.counters.get(k) or second.counters.get(k)]
    return sorted(known, key=lambda k: first.counters.get(k) == second.counters.get(k))[:SHOWN]


def counter_rows(
    keys: Sequence[str], first: RunLike, second: RunLike, left: Mapping[str, Value], right: Mapping[str, Value]
) -> list[tuple[str, ...]]:
    """Return a row for each counter, in the order of ``HEADER``; ``left`` and ``right``: the values up to the steps."""
    found = []
    for key in keys:
        counter, (whole, other) = BY_KEY[key], (first.counters.get(key), second.counters.get(key))
        so_far = left.get(key), right.get(key)
        found.append((
            titled(counter.title, counter.unit), *(number(value, counter.unit) for value in so_far), change(*so_far),
            number(whole, counter.unit), number(other, counter.unit), change(whole, other),
        ))  # fmt: skip
    return found


def changes_between(first: RunLike, second: RunLike) -> tuple[CodeChange, ...]:
    """Return what the compiler changed between the code as written and the machine code, whichever comes first."""
    codes = [RunCode(run.program, run.counts) for run in (first, second)]
    written, compiled = sorted(codes, key=lambda code: code.program.is_compiled)
    return code_changes(written, compiled)


def change(first: Value, second: Value) -> str:
    """Return how far the second value is from the first: in percent, as a factor, or, from 0, as the number itself."""
    if first == 0 and second:
        return f"+{number(second)}"
    return difference(first, second)


def source_line(context: FrameContext, selected: bool) -> str:
    """Return the number and the text of the selected source line, if that is asked for and there is one, or else that
    of the last instruction; '' before the first one."""
    event, line = context.frame.event, context.selection.line if selected else None
    if line is None and event is not None:
        line = context.program.instructions[event.pc].span.line
    if line is None:
        return ""
    return f"{line}  {context.program.source.line(line).strip()}"


def status(context: FrameContext, found: Counterpart) -> str:
    """Return in one sentence how the step of the right run corresponds to that of the left, which ``context`` shows."""
    event = context.frame.event
    if event is None:
        return "Both runs are before their first instruction. → goes to the next memory access."
    who = f"Block {event.block}, warp {event.warp}"
    instruction = context.program.instructions[event.pc]
    what = "access" if instruction.op in MEMORY_OPS else "instruction"
    if not found.present:
        return f"{who} is not on the recorded multiprocessor of the right run."
    if found.exact:
        return f"{who}: the same {what} in both runs."
    last = "stays at the last step that both have" if found.step else "has not begun"
    return f"{who}: the right run has no such {what} and {last}."
