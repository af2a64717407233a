"""The time that work will still take is estimated."""

from __future__ import annotations

from warpview.ui.panels.time_left import TimeLeft


def test_time_left_follows_from_the_speed_so_far() -> None:
    left = TimeLeft()
    assert left.after(0.0, 0, 100) == ""
    assert left.after(1.0, 5, 100) == ""  # too early to tell
    assert left.after(4.0, 20, 100) == "about 16 s left"
    assert left.after(9.6, 97, 100) == "less than 1 s left"
    assert left.after(9.8, 100, 100) == ""


def test_the_next_piece_of_work_begins_anew() -> None:
    left = TimeLeft()
    left.after(0.0, 0, 1000)
    assert left.after(10.0, 10, 1000) == "about 16 min left"
    assert left.after(11.0, 0, 1000) == ""
    assert left.after(14.0, 500, 1000) == "about 3 s left"
    assert left.after(14.5, 5, 10) == ""
