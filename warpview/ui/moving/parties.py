"""Go from one party of a finding to the other: of a race from the later access to the first one. Qt-free."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from warpview.diagnostics import capitalised
from warpview.sim.checks.findings import Finding
from warpview.sim.launch import FindingKind, linear_index
from warpview.sim.rules.coalescing import lanes_of
from warpview.trace.frame import Mark
from warpview.trace.suppressed_lanes import BOUNDS
from warpview.ui.moving.navigation import Move, land
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.views.context import FrameContext, RunLike

WARP = 32
FOLLOW_FINDING = "Ctrl+Alt+F"  # the key of the action
NOT_RECORDED = f"on a multiprocessor that was not recorded. {FOLLOW_FINDING} steps through that one."
_FAULTS = frozenset(kind.words for kind in BOUNDS)


@dataclass(frozen=True)
class PartyStep:
    """Locate a thread that a finding is about, and the step of its access; None where its warp was not recorded."""

    finding: Finding
    block: int
    warp: int
    lane: int
    step: int | None

    @property
    def words(self) -> str:
        """Return the words for the thread."""
        return f"block {self.block}, warp {self.warp}, lane {self.lane}"


def parties_of(run: RunLike, finding: Finding) -> tuple[PartyStep, ...]:
    """Return the parties of a finding: of a race the later access, then the one that came first."""
    return tuple(_party(run, of) for of in (finding, finding.other) if of is not None)


def _party(run: RunLike, finding: Finding) -> PartyStep:
    block = linear_index(finding.block, run.launch.grid)
    thread = linear_index(finding.thread, run.launch.block)
    steps = run.trace.steps_of_warp(block, thread // WARP)
    at = np.flatnonzero(run.trace.arrays.pc[steps - 1] == finding.pc)
    # The checks execute the launch in another order: the execution nearest to theirs is meant.
    step = int(steps[at[np.argmin(np.abs(at - max(0, finding.issue)))]]) if len(at) else None
    return PartyStep(finding, block, thread // WARP, thread % WARP, step)


def finding_at(context: FrameContext) -> Finding | None:
    """Return the finding that the step shown makes: where lanes make no access, that of their fault; else the one of
    this very step where there are several."""
    event, suppressed = context.frame.event, context.frame.suppressed
    if event is None:
        return None
    if not event.marks & Mark.FINDING:
        return next((f for f in context.run.findings if f.step == event.step), None)
    here = [f for f in context.run.findings if event.pc in (f.pc, f.other.pc if f.other is not None else f.pc)]
    if suppressed is not None:
        of_fault = [f for f in here if f.pc == event.pc and f.kind in _FAULTS]
        here = sorted(of_fault, key=lambda f: f.kind != suppressed.kind.words) or here
    else:
        here = [f for f in here if f.kind not in _FAULTS]
    exact = (f for f in here if any(party.step == event.step for party in parties_of(context.run, f)))
    return next(exact, here[0] if here else None)


def step_of(run: RunLike, finding: Finding) -> int | None:
    """Return the first recorded step that made a finding; None where another multiprocessor made it."""
    if finding.step is not None:
        return finding.step
    events = run.trace.arrays
    made = np.flatnonzero((events.pc == finding.pc) & (events.marks & int(Mark.FINDING) != 0))
    return int(made[0]) + 1 if len(made) else None


def block_of(run: RunLike, finding: Finding) -> int:
    """Return the number of the block that made a finding."""
    return linear_index(finding.block, run.launch.grid)


def findings_elsewhere(run: RunLike) -> list[Finding]:
    """Return the findings that only blocks of other multiprocessors have made, which were not recorded."""
    recorded = {block for block, _, _ in run.trace.blocks}
    return [
        f
        for f in run.findings
        if f.kind != FindingKind.NEVER_WRITTEN.words
        and recorded.isdisjoint(block_of(run, party) for party in (f, f.other) if party is not None)
    ]


def finding_shown(context: FrameContext) -> Finding | None:
    """Return the finding to show beside a step: one that was not recorded if its instruction is selected, else the one
    that the step makes."""
    selected = context.selection.pc
    elsewhere = [] if selected is None else findings_elsewhere(context.run)
    return next((f for f in elsewhere if f.pc == selected), None) or finding_at(context)


def to_finding_elsewhere(run: RunLike, now: Snapshot, forward: bool) -> tuple[Move, str] | None:
    """Return the move to the next finding, or the one before, that was not recorded, and what to say; None where there
    is none that way. Such findings come behind all steps."""
    found = findings_elsewhere(run)
    at = next((n for n, f in enumerate(found) if f.pc == now.pc), -1)
    rest = found[at + 1 :] if forward else found[: max(0, at)][::-1]
    finding = next((f for f in rest if f.pc != now.pc), None)
    if finding is None:
        return None
    place = f"line {finding.span.line}: {finding.kind} in block {block_of(run, finding)}"
    return {"line": finding.span.line, "pc": finding.pc}, f"{capitalised(place)}, {NOT_RECORDED}"


def leaves_elsewhere(run: RunLike, now: Snapshot) -> bool:
    """Return whether a finding that was not recorded is selected and this step makes one, which comes before it."""
    here = now.step > 0 and int(run.trace.marks[now.step - 1]) & Mark.FINDING
    return bool(here) and any(finding.pc == now.pc for finding in findings_elsewhere(run))


def finding_to_follow(run: RunLike, now: Snapshot) -> Finding | None:
    """Return what to record the multiprocessor of: the selected finding that was not recorded, the party of a race at
    this step that was not, or the first finding that was not; None where all were."""
    elsewhere = findings_elsewhere(run)
    selected = next((f for f in elsewhere if f.pc == now.pc), None)
    if selected is not None:
        return selected
    races = [parties_of(run, f) for f in run.findings if f.other is not None]
    here = (both for both in races if any(party.step == now.step for party in both))
    parties = (party.finding for both in here for party in both if party.step is None)
    return next(parties, elsewhere[0] if elsewhere else None)


def lanes_of_finding(context: FrameContext) -> dict[tuple[int, int, int], str]:
    """Return (block, warp, lane) -> the finding that the step shown makes, for the lanes that have a part in it."""
    event, suppressed, finding = context.frame.event, context.frame.suppressed, finding_at(context)
    if event is None or finding is None:
        return {}
    says = f"{finding.kind}: {finding.message}"
    if suppressed is not None:
        return {
            (event.block, event.warp, lane): f"{suppressed.kind.words}: {suppressed.lane_words(lane)}"
            for lane in lanes_of(suppressed.lanes)
        }
    parties = parties_of(context.run, finding)
    here = any(party.step == event.step for party in parties) or finding.step == event.step
    return {(party.block, party.warp, party.lane): says for party in parties if here}


def other_party(run: RunLike, now: Snapshot) -> tuple[Move | None, str]:
    """Return the move to the other party of the finding at this step, and what to say.

    Where no party of a finding is at this step, the move leads to the later party of the next finding that has two, or
    of the last one if none follows. The move is None where there is nowhere to go.
    """
    races = [both for f in run.findings if f.other is not None and len(both := parties_of(run, f)) > 1]
    if not races:
        return None, "This run has no races."
    here = [(both, n) for both in races for n in (0, 1) if both[n].step == now.step]
    if here:
        both, n = min(here, key=lambda found: found[0][found[1]].lane != now.lane)
        return _to(run, now, both[1 - n], both[n], "came first" if n == 0 else "came second")
    recorded = [both for both in races if both[0].step is not None]
    if not recorded:
        return None, f"{capitalised(races[0][0].words)} is not on the recorded multiprocessor."
    after = [both for both in recorded if (both[0].step or 0) > now.step]
    later, first = min(after, key=lambda both: both[0].step or 0) if after else recorded[-1]
    return _to(run, now, later, first, "came second")


def _to(run: RunLike, now: Snapshot, party: PartyStep, other: PartyStep, when: str) -> tuple[Move | None, str]:
    kind = party.finding.kind
    if party.step is None:
        return None, f"The access that {when} is by {party.words}, {NOT_RECORDED}"
    move = land(run, party.step, now) | {"lane": party.lane}
    return move, f"{capitalised(kind)}: {party.words} {when}; the other access is by {other.words}."
