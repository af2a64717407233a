"""Make contexts of real runs, for models."""

import os
from dataclasses import replace

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # for what draws by Qt; before the application is made

import pytest
from ui.small_run import place, small_run

from warpview.ui.drawing.picture import Picture
from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.session.backend import Setup
from warpview.ui.session.engine import Engine
from warpview.ui.views.context import FrameContext


class Scenes:
    """Find frames of a run by what happens in them."""

    def __init__(self, variant="divergent", device="8800gtx"):
        self.run = small_run(variant, device)

    def step(self, name, block=0, warp=0, nth=0):
        """Return the ``nth`` step in which a warp executes one of ``PLACES``."""
        pc = place(self.run.program, name)
        events = (self.run.trace.event(s) for s in range(1, self.run.trace.steps + 1))
        return [e.step for e in events if (e.pc, e.block, e.warp) == (pc, block, warp)][nth]

    def at(self, step, predicting=False, **selected):
        return FrameContext(self.run, self.run.trace.frame(step), Snapshot(step=step, **selected), predicting)

    def on(self, name, nth=0, block=0, warp=0, **more):
        return self.at(self.step(name, block, warp, nth), block=block, warp=warp, **more)


@pytest.fixture(scope="session")
def scenes():
    kept = {}

    def make(variant="divergent", device="8800gtx"):
        return kept.setdefault((variant, device), Scenes(variant, device))

    return make


@pytest.fixture
def picture():
    def make(width=700.0, height=400.0, unit=15.0):
        return Picture(width, height, unit)

    return make


class RealScenes(Scenes):
    """Find frames of a library kernel's run on a small launch."""

    def __init__(self, variant, device, by_nvidia=False):
        engine = Engine()
        found = next(v for f in engine.families() for v in f.variants if v.key == variant)
        setup = Setup(found.key, found.text, found.file_name, found.entry, device).with_preset(found.presets[0])
        self.run = engine.trace(replace(setup, by_nvidia=by_nvidia), lambda *_: True)

    def first(self, mark, after=0, **selected):
        """The first step after ``after`` with a mark; its warp is the selected one."""
        step = self.run.trace.find(after, mark)
        event = self.run.trace.event(step)
        return self.at(step, **{"block": event.block, "warp": event.warp, **selected})

    def where(self, holds, predicting=False):
        """The first step for whose frame ``holds`` is true; its warp is the selected one."""
        for step in range(1, self.run.trace.steps + 1):
            event = self.run.trace.event(step)
            if holds(self.run.program.instructions[event.pc], event):
                return self.at(step, predicting, block=event.block, warp=event.warp)
        raise AssertionError("there is no such step")


@pytest.fixture(scope="session")
def real():
    kept = {}

    def make(variant, device, by_nvidia=False):
        key = variant, device, by_nvidia
        if key not in kept:
            kept[key] = RealScenes(*key)
        return kept[key]

    return make
