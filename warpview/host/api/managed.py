"""Keep what programs advise for managed memory: cudaMemAdvise, cudaMemPrefetchAsync and cudaMemRangeGetAttribute.

Advice changes nothing of what a program computes, and no times.
"""

from __future__ import annotations

import numpy as np

from warpview.host.advice import HOST, NOWHERE, PAGE, Advice
from warpview.host.channel import Request
from warpview.host.context import CudaFailure, RuntimeContext, Values, answers
from warpview.host.errors import CudaError

# Of cudaMemoryAdvise: each is followed by the one that takes it back.
SET_READ_MOSTLY, SET_PREFERRED, SET_ACCESSED_BY = 1, 3, 5
READ_MOSTLY, PREFERRED, ACCESSED_BY, PREFETCHED = 1, 2, 3, 4  # of cudaMemRangeAttribute


def _pages(context: RuntimeContext, pointer: int, size: int) -> tuple[Advice, slice]:
    """Return the advice for the allocation that holds a range, and the range's pages. Memory that is not managed has
    none: an invalid value."""
    block = context.arena.holding(pointer)
    if block is None or block.kind != "managed" or not size or pointer + size > block.end:
        raise CudaFailure(CudaError.INVALID_VALUE)
    known = context.advice.setdefault(block.base, Advice.none(-(-block.size // PAGE)))
    return known, slice((pointer - block.base) // PAGE, -(-(pointer + size - block.base) // PAGE))


def _place(word: int) -> int:
    """Return the number of a device, or that of the host; an invalid device where there is none."""
    number = word - (1 << 64) if word >> 63 else word
    if number not in (0, HOST):
        raise CudaFailure(CudaError.INVALID_DEVICE)
    return number


@answers("mem_prefetch")
def mem_prefetch(context: RuntimeContext, request: Request) -> None:
    pointer, size, word, stream = request.values
    advice, pages = _pages(context, pointer, size)
    context.stream(stream)
    advice.prefetched[pages] = _place(word)


@answers("mem_advise")
def mem_advise(context: RuntimeContext, request: Request) -> None:
    pointer, size, what, word = request.values
    advice, pages = _pages(context, pointer, size)
    if what in (SET_READ_MOSTLY, SET_READ_MOSTLY + 1):
        advice.read_mostly[pages] = what == SET_READ_MOSTLY
    elif what in (SET_PREFERRED, SET_PREFERRED + 1):
        advice.preferred[pages] = _place(word) if what == SET_PREFERRED else NOWHERE
    elif what in (SET_ACCESSED_BY, SET_ACCESSED_BY + 1):
        advice.accessed_by[_place(word)][pages] = what == SET_ACCESSED_BY
    else:
        raise CudaFailure(CudaError.INVALID_VALUE)


@answers("mem_range")
def mem_range(context: RuntimeContext, request: Request) -> Values:
    """Answer with what holds for every page of a range."""
    what, pointer, size = request.values
    advice, pages = _pages(context, pointer, size)
    if what == READ_MOSTLY:
        return [int(advice.read_mostly[pages].all())]
    if what == ACCESSED_BY:
        return [place for place, marks in advice.accessed_by.items() if marks[pages].all()]
    if what not in (PREFERRED, PREFETCHED):
        raise CudaFailure(CudaError.INVALID_VALUE)
    places = np.unique((advice.preferred if what == PREFERRED else advice.prefetched)[pages])
    return [int(places[0]) if len(places) == 1 else NOWHERE]
