"""Moves the selection through the run, one key or one tick at a time."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from warpview.trace.frame import Mark
from warpview.ui import navigation
from warpview.ui.navigation import Move
from warpview.ui.selection import Selection
from warpview.ui.snapshot import Bookmark
from warpview.ui.views.context import RunLike

SPEEDS = (0.5, 1, 2, 4, 8, 15, 30, 60)  # steps a second
MODES = (("warp", "instruction"), ("any", "any warp"), ("line", "line"))
START_SPEED = 3


class Player(QObject):
    """Everything that the keys of movement do. ``notice`` is a sentence when there is nothing further that way."""

    playing_changed = Signal(bool)
    speed_changed = Signal()
    notice = Signal(str)

    def __init__(self, selection: Selection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        self._run: RunLike | None = None
        self.mode = MODES[0][0]
        self.speed = START_SPEED
        self.follow = False
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    def set_run(self, run: RunLike | None) -> None:
        self.pause()
        self._run = run

    def set_mode(self, mode: str) -> None:
        self.mode = mode

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
        self._step("warp", forward)

    def step_any(self, forward: bool) -> None:
        self.pause()
        self._step("any", forward)

    def step_line(self, forward: bool) -> None:
        self.pause()
        self._step("line", forward)

    def _step(self, mode: str, forward: bool) -> bool:
        if self._run is None:
            return False
        function = {"warp": navigation.step_warp, "any": navigation.step_any, "line": navigation.step_line}[mode]
        if mode == "any":
            nothing = "That was the last step." if forward else "This is the first step."
        elif forward:
            nothing = f"{self._warp()} has nothing more to execute. Shift+→ steps the other warps, Home starts again."
        else:
            nothing = f"{self._warp()} has not executed anything yet."
        return self._apply(function(self._run, self._selection.now, forward), nothing)

    def jump(self, mark: Mark, words: str, forward: bool) -> None:
        self.pause()
        if self._run is None:
            return
        where = f" of {self._warp().lower()}" if self.follow else ""
        way = "after" if forward else "before"
        move = navigation.to_mark(self._run, self._selection.now, mark, forward, self.follow)
        self._apply(move, f"There is no {words}{where} {way} this step.")

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
        """Set a bookmark at this step, or rename the one that is there; without a name it goes."""
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
            self._selection.update(warp=warp, lane=None)

    def select_block(self, forward: bool) -> None:
        """The next or previous block that is resident at this step."""
        if self._run is None:
            return
        now = self._selection.now
        blocks = sorted({warp.block for warp in self._run.trace.frame(now.step).warps})
        later = [b for b in blocks if (b > now.block if forward else b < now.block)]
        if later:
            self._selection.update(block=later[0] if forward else later[-1], lane=None)
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
