"""The runner works away from the interface thread."""

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


def test_one_that_waits_comes_after_the_one_under_way(runner: Runner, qtbot: QtBot) -> None:
    came: list[str] = []
    runner.submit(lambda progress: "first", came.append, lambda problem: None)
    runner.submit_after(lambda progress: "second", came.append, lambda problem: None)
    qtbot.waitUntil(lambda: came == ["first", "second"], timeout=5000)
    assert not runner.busy


def test_one_that_waits_comes_after_one_that_fails(runner: Runner, qtbot: QtBot) -> None:
    came: list[str] = []
    failed: list[Exception] = []
    runner.submit(lambda progress: 1 // 0, came.append, failed.append)
    runner.submit_after(lambda progress: "second", came.append, lambda problem: None)
    qtbot.waitUntil(lambda: came == ["second"], timeout=5000)
    assert isinstance(failed[0], ZeroDivisionError)


def test_cancelling_takes_back_the_one_that_waits(runner: Runner, qtbot: QtBot) -> None:
    came: list[str] = []
    runner.submit(lambda progress: "first", came.append, lambda problem: None)
    runner.submit_after(lambda progress: "second", came.append, lambda problem: None)
    runner.cancel()
    runner.submit(lambda progress: "third", came.append, lambda problem: None)
    qtbot.waitUntil(lambda: not runner.busy, timeout=5000)
    assert came == ["third"]


def test_of_two_that_would_wait_the_later_one_comes(runner: Runner, qtbot: QtBot) -> None:
    came: list[str] = []
    runner.submit_after(lambda progress: "first", came.append, lambda problem: None)
    runner.submit_after(lambda progress: "second", came.append, lambda problem: None)
    qtbot.waitUntil(lambda: not runner.busy, timeout=5000)
    assert came == ["second"]
