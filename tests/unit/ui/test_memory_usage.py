"""The budget of a session is shared out, told in words, and ends a history in time."""

from __future__ import annotations

import linecache
from types import SimpleNamespace

import numpy as np
import pytest
from ui.backend import OPENING, setup_of

from warpview.ui.session.engine import Engine
from warpview.ui.session.memory_usage import (
    ACCESS_BYTES,
    MOST_BYTES,
    NAVIGATION_BYTES,
    RUN_BYTES,
    MemoryUsage,
    size_words,
)

MB = 1 << 20


def run(truncated: bool = False, steps: int = 1_000_000, again: int | None = None) -> SimpleNamespace:
    """A run of 97 MB; ``again`` are the bytes with which its launch can be executed again."""
    memory = {"events": 54 * MB, "states": 43 * MB, "counters": 0}
    rerun = None if again is None else SimpleNamespace(nbytes=again)
    return SimpleNamespace(trace=SimpleNamespace(memory=memory, truncated=truncated, steps=steps), rerun=rerun)


def test_the_shares_are_no_more_than_the_budget() -> None:
    assert 2 * RUN_BYTES + ACCESS_BYTES + NAVIGATION_BYTES < MOST_BYTES


def test_says_what_is_held_and_of_how_much() -> None:
    assert MemoryUsage.of(run()).words == "97 MB of 1 GB"


def test_what_is_gathered_counts_with_it() -> None:
    held = MemoryUsage.of(run(), access_bytes=3 * MB, other_bytes=MB)
    assert held.total == 101 * MB
    assert "3.0 MB accesses to arrays" in held.details
    assert "1.0 MB earlier runs and navigation history" in held.details


def test_the_memory_to_execute_the_launch_again_counts_with_it() -> None:
    held = MemoryUsage.of(run(again=20 * MB))
    assert held.words == "117 MB of 1 GB"
    assert "20 MB memory to execute the launch again" in held.details


def test_the_parts_are_listed_the_largest_first_and_none_that_is_empty() -> None:
    lines = MemoryUsage.of(run()).details.splitlines()
    assert lines[0] == "Memory used by this session: 97 MB of 1 GB, not counting the program itself"
    assert lines[1:3] == ["54 MB events", "43 MB states"]
    assert not any("counters" in line and "MB" in line for line in lines[3:4])


def test_says_what_the_bounds_are() -> None:
    assert "Up to 1\u202f000\u202f000 events or 384 MB" in MemoryUsage.of(run()).details
    assert MemoryUsage.of(run()).notice == ""


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        (1_000_000, "Recorded up to step 1\u202f000\u202f000: 1\u202f000\u202f000 events at most."),
        (123, "Recorded up to step 123: 384 MB of history at most."),
        (0, "Nothing to step through: its arrays leave no room for a history within 384 MB."),
    ],
)
def test_says_where_recording_ended_and_why(steps: int, words: str) -> None:
    held = MemoryUsage.of(run(truncated=True, steps=steps))
    assert held.notice == f"{words} The counters cover the whole run."
    assert "A run is recorded" not in held.details
    assert "whole run" in held.details


@pytest.mark.parametrize(
    ("size", "words"), [(0, "0 MB"), (100_000, "0.1 MB"), (5 * MB, "5.0 MB"), (212 * MB, "212 MB"), (1 << 30, "1 GB")]
)
def test_sizes_in_words(size: int, words: str) -> None:
    assert size_words(size) == words


def test_no_source_that_pyside_has_read_is_kept_after_a_run() -> None:
    linecache.getlines(np.ma.core.__file__)  # as PySide does of what a run imports
    assert linecache.cache
    Engine().trace(setup_of(OPENING), lambda words, done, total: True)
    assert not linecache.cache
