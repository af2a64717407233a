"""Work away from the interface thread."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from warpview.diagnostics import SourceText
from warpview.frontend import compile_source
from warpview.sim.launch import Cancelled
from warpview.ui.session.backend import Progress
from warpview.ui.session.runner import Runner

LINES = "".join(f"    x = x * {n}.5f + a[{n}];\n" for n in range(3000))
LONG = SourceText("long.cu", f"__global__ void k(float *a) {{\n    float x = a[0];\n{LINES}    a[0] = x;\n}}\n")


@pytest.fixture
def runner() -> Iterator[Runner]:
    made = Runner()
    yield made
    made.close()


def test_a_long_compilation_gives_way(runner: Runner, qtbot: QtBot) -> None:
    """It knows nothing of the progress callback; cancelled, it leaves the worker to the next job."""
    ended: list[BaseException | None] = []
    came: list[str] = []

    def compile_long(progress: Progress) -> None:
        try:
            progress("compiling", 0, 0)
            compile_source(LONG)
        except Cancelled as problem:
            ended.append(problem)
            raise
        ended.append(None)

    runner.progressed.connect(lambda *_: runner.submit(lambda progress: "next", came.append, lambda problem: None))
    runner.submit(compile_long, lambda result: None, lambda problem: None)
    qtbot.waitUntil(lambda: came == ["next"], timeout=20000)
    assert isinstance(ended[0], Cancelled)
