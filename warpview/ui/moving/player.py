"""Move the selection through the run, one key or one tick at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from warpview.trace.frame import Mark
from warpview.trace.navigation import first_after, last_before
from warpview.ui.moving import navigation
from warpview.ui.moving.access_index import AccessIndex
from warpview.ui.moving.navigation import Move
from warpview.ui.moving.parties import leaves_elsewhere, other_party, to_finding_elsewhere
from warpview.ui.moving.selection import Selection
from warpview.ui.moving.snapshot import Bookmark, Snapshot
from warpview.ui.views.context import RunLike
from warpview.ui.views.memory.parts_model import parts

SPEEDS = (0.5, 1, 2, 4, 8, 15, 30, 60)  # steps a second
# What one step is: first those that follow nothing in particular, then what steps and jumps can be bound to.
FREE = {"instruction": "instruction", "any": "any warp", "line": "line", "access": "memory access"}
FOLLOWED = {"warp": "follow warp", "block": "follow block", "lane": "follow lane", "element": "follow element"}
START_SPEED = 3
NO_RUN = "There is no run yet."
NO_ELEMENT = "Click an element of an array first, or press X and type its name."


class Player(QObject):
    """Execute the commands of the keys of movement. ``notice`` is a sentence when there is nothing further that way.

    ``mode`` is what one step is, a key of FREE or FOLLOWED. What is followed goes by the selection: its warp, block,
    lane or element. ``marked_beside`` returns the steps to which a mark of another run, shown beside this one, leads;
    None where there is no other run.
    """

    playing_changed = Signal(bool)
    mode_changed = Signal()
    speed_changed = Signal()
    notice = Signal(str)

    def __init__(self, selection: Selection, accesses: AccessIndex, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._selection, self._accesses = selection, accesses
        self._run: RunLike | None = None
        self.mode = "instruction"
        self.marked_beside: Callable[[Mark], NDArray[np.int64] | None] = lambda mark: None
        self.speed = START_SPEED
        selection.changed.connect(self._on_selection)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    def set_run(self, run: RunLike | None) -> None:
        self.pause()
        self._run = run

    # ---- following

    @property
    def following(self) -> bool:
        return self.mode in FOLLOWED

    def set_mode(self, mode: str) -> None:
        """Set the meaning of one step from now on. A lane to follow is the first one where none is selected."""
        if mode == "lane" and self._selection.now.lane is None:
            self._selection.update(lane=0)
        if mode == "element" and self._selection.now.element is None:
            self.notice.emit(NO_ELEMENT)
        else:
            self.mode = mode
        self.mode_changed.emit()

    def follow(self, what: str) -> None:
        """Follow the selected warp, block, lane or element; or stop following it if it is followed already."""
        if self.mode == what:
            self.let_go()
            return
        self.set_mode(what)
        if self.following:
            self.notice.emit(f"Following {self.followed}: → and the jumps stay with it. Esc stops following.")

    def let_go(self) -> None:
        if self.following:
            self.set_mode("instruction")

    @property
    def followed(self) -> str:
        """Return the words for what is followed; empty where nothing is."""
        now = self._selection.now
        words = {"warp": f"block {now.block}, warp {now.warp}", "block": f"block {now.block}",
                 "lane": f"block {now.block}, warp {now.warp}, lane {now.lane}",
                 "element": now.element.words if now.element else ""}  # fmt: skip
        return words.get(self.mode, "")

    @property
    def progress(self) -> str:
        """Return what is followed and the progress along it: "sdata[3] of block 0: step 2 of 12"."""
        steps = self.steps()
        if steps is None:
            return f"{self.followed} …" if self.following else ""
        done = int(np.searchsorted(steps, self._selection.now.step, side="right"))
        what = "access" if self.mode == "element" else "step"
        here = bool(done) and int(steps[done - 1]) == self._selection.now.step
        where = what if here else f"after {what}" if done else f"before {what}"
        return f"{self.followed}: {where} {max(1, done)} of {len(steps)}"

    def steps(self) -> navigation.Steps | None:
        """Return the steps of what is followed; None while they are looked for, or nothing is followed."""
        now = self._selection.now
        if self._run is None or not self.following:
            return None
        if self.mode == "element":
            return self._accesses.steps(now.element) if now.element is not None else None
        return navigation.followed_steps(self._run, now, self.mode)

    def _on_selection(self, old: Snapshot, new: Snapshot) -> None:
        gone = {"lane": new.lane, "element": new.element}
        if self.mode in gone and gone[self.mode] is None:
            self.let_go()
        elif self.following and (old.key, old.lane, old.element) != (new.key, new.lane, new.element):
            self.mode_changed.emit()

    def set_speed(self, speed: int) -> None:
        self.speed = max(0, min(len(SPEEDS) - 1, speed))
        self._timer.setInterval(round(1000 / SPEEDS[self.speed]))
        self.speed_changed.emit()

    # ---- single moves

    def _apply(self, move: Move | None, nothing: str) -> bool:
        if move is None:
            self.notice.emit(nothing)
            return False
        self._selection.update(**move)
        return True

    def _warp(self) -> str:
        now = self._selection.now
        return f"Block {now.block}, warp {now.warp}"

    def step(self, forward: bool) -> None:
        self.pause()
        self._step(self.mode, forward)

    def step_any(self, forward: bool) -> None:
        self.pause()
        self._step("any", forward)

    def step_line(self, forward: bool) -> None:
        self.pause()
        self._step("line", forward)

    def next_steps(self, forward: bool) -> list[int]:
        """Return the steps to which the next key may lead: by the mode, by the selected warp, and by any warp."""
        moves = [self._move(mode, forward) for mode in (self.mode, "instruction", "any")]
        return list(dict.fromkeys(move["step"] for move in moves if move is not None))

    def _move(self, mode: str, forward: bool) -> Move | None:
        """Return what a step of a mode changes in the selection; None where there is nothing further that way."""
        now = self._selection.now
        if self._run is None:
            return None
        if mode in FREE:
            ways = {"instruction": navigation.step_warp, "any": navigation.step_any, "line": navigation.step_line,
                    "access": navigation.step_access}  # fmt: skip
            return ways[mode](self._run, now, forward)
        steps = self.steps()
        return None if steps is None else navigation.step_among(self._run, now, steps, forward)

    def _step(self, mode: str, forward: bool) -> bool:
        if self._run is None:
            self.notice.emit(NO_RUN)
            return False
        if mode not in FREE and self.steps() is None:
            self.notice.emit(f"Still collecting the accesses to {self.followed}.")
            return True
        return self._apply(self._move(mode, forward), self._end(mode, forward))

    def _end(self, mode: str, forward: bool) -> str:
        """Return the message for a mode that has no further step."""
        if mode == "any":
            return "That was the last step." if forward else "This is the first step."
        if mode in ("block", "lane", "element"):
            did = "accesses" if mode == "element" else "steps"
            way = "after" if forward else "before"
            return f"There are no {did} of {self.followed} {way} this one. Esc stops following."
        if mode == "access":
            return f"{self._warp()} accesses no memory {'after' if forward else 'before'} this step."
        if forward:
            return f"{self._warp()} has nothing more to execute. Shift+→ steps the other warps, Home starts again."
        return f"{self._warp()} has not executed anything yet."

    def jump(self, mark: Mark, words: str, forward: bool) -> None:
        self.pause()
        if self._run is None:
            self.notice.emit(NO_RUN)
            return
        beside = self.marked_beside(mark)
        where = f" of {self.followed}" if self.following else " in the left run" if beside is not None else ""
        other = "" if beside is None else ", nor at a corresponding step of the right run"
        way = "after" if forward else "before"
        now = self._selection.now
        move = navigation.to_mark(self._run, now, mark, forward, self.steps(), beside)
        if mark == Mark.FINDING and not where and (move is None or not forward):
            elsewhere = to_finding_elsewhere(self._run, now, forward)
            if elsewhere is not None:
                self._selection.update(**elsewhere[0])
                self.notice.emit(elsewhere[1])
                return
            if not forward and leaves_elsewhere(self._run, now):
                move = navigation.land(self._run, now.step, now)
        self._apply(move, f"There is no {words}{where} {way} this step{other}.")

    def other_party(self) -> None:
        """Go to the other party of the finding at this step; lane and element show both."""
        self.pause()
        if self._run is not None:
            move, words = other_party(self._run, self._selection.now)
            if move is not None:
                self._selection.update(**move)
            self.notice.emit(words)

    def _steps_of_element(self) -> NDArray[np.int64] | None:
        """Return the steps that access the element that is followed, or selected; say so where there are none yet."""
        element = self._selection.now.element
        if self._run is None or element is None:
            self.notice.emit(NO_ELEMENT)
            return None
        steps = self._accesses.steps(element)
        if steps is None:
            self.notice.emit(f"Still collecting the accesses to {element.words}.")
        return steps

    def to_access(self, forward: bool) -> None:
        """Go to the next or previous access of the element that is followed, or selected."""
        find = first_after if forward else last_before
        words = f"{{}} is not accessed {'after' if forward else 'before'} this step."
        self._to_use(lambda _, steps, step: find(steps, step), words)

    def to_last_write(self) -> None:
        """Go to the step up to the present that wrote the selected element last; from there to the write before."""
        self._to_use(navigation.last_write, "No thread of this multiprocessor has written {} before this step.")

    def _to_use(self, find: Callable[[RunLike, NDArray[np.int64], int], int | None], missing: str) -> None:
        """Go to the step that ``find`` returns for the run, the accesses to the element and the present step; where it
        returns None, say ``missing`` of the element."""
        self.pause()
        run, now, steps = self._run, self._selection.now, self._steps_of_element()
        if run is not None and now.element is not None and steps is not None:
            step = find(run, steps, now.step)
            move = None if step is None else navigation.to_step(run, now, step)
            self._apply(move, missing.format(now.element.words))

    def turn_part(self, forward: bool) -> None:
        """Show the next pass or transaction of this step's access alone; after the last one all of them again."""
        if self._run is None:
            return
        now = self._selection.now
        count = parts(self._run.trace.frame(now.step))
        if count < 2:
            whole = "This access is a single wavefront or transaction."
            self.notice.emit(whole if count else "This step accesses no memory.")
            return
        at = (count if now.part is None else now.part) + (1 if forward else -1)
        at %= count + 1
        self._selection.update(part=None if at == count else at)

    def turn_lane(self, forward: bool) -> None:
        """Select the next lane of the warp."""
        lane = self._selection.now.lane
        self._selection.update(lane=(0 if forward else 31) if lane is None else (lane + (1 if forward else -1)) % 32)

    def go(self, step: int) -> None:
        self.pause()
        if self._run is not None:
            self._selection.update(**navigation.to_step(self._run, self._selection.now, step))

    def first(self) -> None:
        self.go(0)

    def last(self) -> None:
        if self._run is not None:
            self.go(self._run.trace.steps)

    def bookmark(self, name: str) -> None:
        """Set a bookmark at this step, or rename the one that is there; an empty name removes it."""
        now = self._selection.now
        others = [mark for mark in now.bookmarks if mark.step != now.step]
        new = [Bookmark(name, now.step, now.block, now.warp)] if name else []
        self._selection.update(bookmarks=tuple(sorted([*others, *new], key=lambda mark: mark.step)))

    def to_bookmark(self, forward: bool) -> None:
        self.pause()
        now = self._selection.now
        marks = [m for m in now.bookmarks if (m.step > now.step if forward else m.step < now.step)]
        if not marks:
            self.notice.emit(f"There is no bookmark {'after' if forward else 'before'} this step; M sets one.")
            return
        mark = marks[0] if forward else marks[-1]
        self._selection.update(step=mark.step, block=mark.block, warp=mark.warp, line=None, pc=None)
        self.notice.emit(f"Bookmark: {mark.name}")

    def run_to_line(self) -> None:
        now = self._selection.now
        if now.line is None:
            self.notice.emit("Click a source line first; R then runs to it.")
        elif self._run is not None:
            nothing = f"{self._warp()} does not execute line {now.line} after this step."
            if self._apply(navigation.to_line(self._run, now, now.line), nothing):
                self._selection.update(line=now.line)

    def select_warp(self, warp: int) -> None:
        if self._run is None:
            return
        if warp >= self._run.launch.warps:
            self.notice.emit(f"A block of this launch has only {self._run.launch.warps} warps (0 to "
                             f"{self._run.launch.warps - 1}).")  # fmt: skip
        else:
            self._selection.update(warp=warp, lane=self._kept_lane())

    def _kept_lane(self) -> int | None:
        """Return the lane to select in another warp: the same one while a lane is followed, else none."""
        return self._selection.now.lane if self.mode == "lane" else None

    def select_block(self, forward: bool) -> None:
        """Select the next or previous block that is resident at this step."""
        if self._run is None:
            return
        now = self._selection.now
        blocks = sorted({warp.block for warp in self._run.trace.frame(now.step).warps})
        later = [b for b in blocks if (b > now.block if forward else b < now.block)]
        if later:
            self._selection.update(block=later[0] if forward else later[-1], lane=self._kept_lane())
        else:
            self.notice.emit(f"No {'later' if forward else 'earlier'} block is resident at this step.")

    # ---- running

    def toggle(self) -> None:
        if self.playing:
            self.pause()
        elif self._run is not None:
            self._timer.start(round(1000 / SPEEDS[self.speed]))
            self.playing_changed.emit(True)

    def pause(self) -> None:
        if self.playing:
            self._timer.stop()
            self.playing_changed.emit(False)

    def _tick(self) -> None:
        if self._run is None or not self._step(self.mode, True):
            self.pause()
            return
        now = self._selection.now
        event = self._run.trace.event(now.step) if now.step else None
        if event is not None and self._run.program.instructions[event.pc].span.line in now.breakpoints:
            self.pause()
            self.notice.emit("Stopped at a breakpoint.")
