"""What the recorded history takes, in words, and how it is bounded."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from warpview.ui.session.recordings import Recordings, size_words

MB = 1 << 20


def run(truncated: bool = False) -> SimpleNamespace:
    memory = {"events": 54 * MB, "states": 43 * MB, "counters": 0}
    return SimpleNamespace(trace=SimpleNamespace(memory=memory, truncated=truncated, steps=1_000_000))


def test_says_what_is_taken_and_of_how_much() -> None:
    assert Recordings.of(run()).words == "97 MB of 1 GB"


def test_what_is_gathered_counts_with_it() -> None:
    taken = Recordings.of(run(), gathered=3 * MB)
    assert taken.total == 100 * MB
    assert "3.0 MB who touched what" in taken.details


def test_the_parts_are_listed_the_largest_first_and_none_that_is_empty() -> None:
    lines = Recordings.of(run()).details.splitlines()
    assert lines[0] == "Recorded history: 97 MB of 1 GB"
    assert lines[1:3] == ["54 MB events", "43 MB states"]
    assert not any("counters" in line and "MB" in line for line in lines[3:4])


def test_says_what_happens_at_the_bound() -> None:
    assert "recording ends" in Recordings.of(run()).details
    assert "1\u202f000\u202f000 events or 256 MB of states" in Recordings.of(run()).details


def test_says_where_recording_ended() -> None:
    details = Recordings.of(run(truncated=True)).details
    assert "ended at its bound, after step 1\u202f000\u202f000" in details
    assert "recording ends" not in details


@pytest.mark.parametrize(
    ("size", "words"), [(0, "0 MB"), (100_000, "0.1 MB"), (5 * MB, "5.0 MB"), (212 * MB, "212 MB"), (1 << 30, "1 GB")]
)
def test_sizes_in_words(size: int, words: str) -> None:
    assert size_words(size) == words
