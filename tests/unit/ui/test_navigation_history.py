"""Back and forward work without a window."""

from __future__ import annotations

from dataclasses import replace

import pytest

from warpview.ui.moving.snapshot import Snapshot
from warpview.ui.session import navigation_history as history_module
from warpview.ui.session.backend import Setup
from warpview.ui.session.navigation_history import MOST, NavigationHistory, Visit


def at(step: int, kernel: str = "a") -> Visit:
    return Visit(Setup(kernel, "text", "a.cu", "", "8800gtx"), Snapshot(step=step))


def test_nowhere_to_go() -> None:
    trail = NavigationHistory()
    assert trail.back(at(0)) is None
    assert trail.forward(at(0)) is None


def test_back_and_forward_again() -> None:
    trail = NavigationHistory()
    trail.leave(at(1))
    trail.leave(at(2, "b"))
    assert trail.back(at(3, "c")) == at(2, "b")
    assert trail.back(at(2, "b")) == at(1)
    assert trail.back(at(1)) is None
    assert trail.forward(at(1)) == at(2, "b")
    assert trail.forward(at(2, "b")) == at(3, "c")
    assert trail.forward(at(3, "c")) is None


def test_forward_leads_to_the_place_as_it_was_left() -> None:
    trail = NavigationHistory()
    trail.leave(at(1))
    assert trail.back(at(7, "b")) == at(1)
    assert trail.forward(at(5)) == at(7, "b")
    assert trail.back(at(7, "b")) == at(5)


def test_another_way_forgets_what_was_ahead() -> None:
    trail = NavigationHistory()
    trail.leave(at(1))
    trail.back(at(2))
    trail.leave(at(1))
    assert trail.forward(at(9)) is None


def test_a_place_that_is_the_present_one_is_passed_over() -> None:
    trail = NavigationHistory()
    trail.leave(at(1))
    trail.leave(at(2))
    assert trail.back(at(2)) == at(1)


def test_jumps_of_a_kind_count_once() -> None:
    trail = NavigationHistory()
    trail.leave(at(1), "conflict")
    trail.leave(at(2), "conflict")
    trail.leave(at(3), "barrier")
    assert trail.back(at(4)) == at(3)
    assert trail.back(at(3)) == at(1)


def test_the_trail_is_bounded() -> None:
    trail = NavigationHistory()
    for n in range(MOST + 50):
        trail.leave(at(n))
    seen = 0
    now = at(10_000)
    while (found := trail.back(now)) is not None:
        now, seen = found, seen + 1
    assert seen == MOST


def test_the_trail_is_bounded_in_bytes_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_module, "NAVIGATION_BYTES", 100_000)
    trail = NavigationHistory()
    for n in range(30):
        visit = at(n)
        trail.leave(replace(visit, setup=replace(visit.setup, text=f"{n} " * 5000)))
        assert trail.nbytes <= 100_000
    assert trail.back(at(99)).at.step == 29


def test_a_text_that_places_share_counts_once() -> None:
    trail = NavigationHistory()
    for n in range(10):
        trail.leave(at(n))
    assert trail.nbytes == 10 * history_module.BYTES_A_PLACE + len("text")
