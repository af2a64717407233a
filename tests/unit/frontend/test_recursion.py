"""The recursion limit is the process's: compilations in several threads share it."""

from __future__ import annotations

import sys

from warpview.frontend.recursion import raised_recursion_limit


def test_contexts_that_overlap_restore_the_limit_of_before() -> None:
    before = sys.getrecursionlimit()
    first, second = raised_recursion_limit(before + 10), raised_recursion_limit(before + 20)
    first.__enter__()
    assert sys.getrecursionlimit() == before + 10
    second.__enter__()
    assert sys.getrecursionlimit() == before + 20
    first.__exit__(None, None, None)
    assert sys.getrecursionlimit() == before + 20
    second.__exit__(None, None, None)
    assert sys.getrecursionlimit() == before


def test_a_higher_limit_stays() -> None:
    before = sys.getrecursionlimit()
    with raised_recursion_limit(before - 1):
        assert sys.getrecursionlimit() == before
    assert sys.getrecursionlimit() == before
