"""Tell which elements of a matrix each lane holds, as the fragments of the PTX ISA's mma have them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Elements = dict[tuple[int, int], int]  # by row and column
Fragment = Sequence[Sequence[int]]  # words of each lane


def left_elements(words: Fragment, parts: Callable[[int], Sequence[int]]) -> Elements:
    """Return the elements of A, whose registers take turns between the rows g and g + 8."""
    elements = {}
    for lane, held in enumerate(words):
        for register, word in enumerate(held):
            found = parts(word)
            for k, element in enumerate(found):
                column = (register // 2) * 4 * len(found) + (lane % 4) * len(found) + k
                elements[lane // 4 + 8 * (register % 2), column] = element
    return elements


def right_elements(words: Fragment, parts: Callable[[int], Sequence[int]]) -> Elements:
    """Return the elements of B, of whose columns a lane holds one."""
    elements = {}
    for lane, held in enumerate(words):
        for register, word in enumerate(held):
            found = parts(word)
            for k, element in enumerate(found):
                elements[register * 4 * len(found) + (lane % 4) * len(found) + k, lane // 4] = element
    return elements


def result_place(lane: int, element: int) -> tuple[int, int]:
    """Return row and column of an element of the result, of which a lane has two neighbours in the rows g and g + 8."""
    return lane // 4 + 8 * (element // 2), 2 * (lane % 4) + element % 2
