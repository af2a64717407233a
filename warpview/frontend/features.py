"""Table of what later devices have, for C++ and PTX alike: the compute capability that had each first, and its name.

Sources: CUDA C++ Programming Guide, "Feature Support per Compute Capability" and "Technical Specifications per Compute
Capability", and those of its older editions; the PTX ISA's "Target ISA Notes" of each instruction.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpview.isa.ops import AtomOp
from warpview.isa.types import Type


@dataclass(frozen=True)
class Feature:
    """Describe what a kernel can use ``since`` a compute capability, with its name in messages."""

    since: tuple[int, int]
    name: str


ATOMICS = Feature((1, 1), "atomics")
SHARED_ATOMICS = Feature((1, 2), "atomics on shared memory")
WIDE_ATOMICS = Feature((1, 2), "64-bit atomics")
WIDE_SHARED_ATOMICS = Feature((2, 0), "64-bit atomics on shared memory")
FLOAT_ADDITION = Feature((2, 0), "atomic addition of floats")
DOUBLE_ADDITION = Feature((6, 0), "atomic addition of doubles")
HALF_ADDITION = Feature((7, 0), "atomic addition of halves")
HALF_PAIR_ADDITION = Feature((6, 0), "atomic addition of pairs of halves")
NARROW_SWAPS = Feature((7, 0), "16-bit compare-and-swap")
VOTES = Feature((1, 2), "warp votes")
BALLOTS = Feature((2, 0), "warp ballots")
DOUBLES = Feature((1, 3), "double precision")
PRINTF = Feature((2, 0), "printf")
NUMBERED_BARRIERS = Feature((2, 0), "barriers with a number")
REDUCING_BARRIERS = Feature((2, 0), "barriers that reduce a predicate")
PREFETCHES = Feature((2, 0), "prefetches")
SHUFFLES = Feature((3, 0), "warp shuffles")
READ_ONLY_LOADS = Feature((3, 5), "loads through the read-only cache (__ldg)")
CHILD_LAUNCHES = Feature((3, 5), "dynamic parallelism")
LOGIC_OF_THREE = Feature((5, 0), "logic operations of three operands")
GRID_SYNC = Feature((6, 0), "grid.sync()")
DOT_PRODUCTS = Feature((6, 1), "dot products of bytes")
MATCHES = Feature((7, 0), "warp matches")
NANOSLEEP = Feature((7, 0), "nanosleep")
REDUCTIONS = Feature((8, 0), "warp reductions")
ASYNCHRONOUS_COPIES = Feature((8, 0), "asynchronous copies to shared memory")
FLOAT_EXTREMES = Feature((8, 0), "min and max with .NaN or .xorsign.abs")
MEMORY_BARRIERS = Feature((8, 0), "barriers in shared memory (mbarrier)")
CACHE_POLICIES = Feature((8, 0), "policies of the L2 cache")
CLUSTERS = Feature((9, 0), "thread block clusters")
PAIRS_OF_INTEGERS = Feature((9, 0), "min and max with .relu, and of pairs of integers")
BULK_COPIES = Feature((9, 0), "bulk copies, and barriers that await them")


def atomic(op: AtomOp, type: Type, in_shared: bool) -> Feature:
    """Return the feature that an atomic operation on a value of a type is."""
    if op == AtomOp.ADD and type in (Type.F32, Type.F64):
        return DOUBLE_ADDITION if type == Type.F64 else FLOAT_ADDITION
    if op == AtomOp.ADD_F16:
        return HALF_ADDITION if type == Type.U16 else HALF_PAIR_ADDITION
    if type.bytes == 2:
        return NARROW_SWAPS
    if type.is_wide:
        return WIDE_SHARED_ATOMICS if in_shared else WIDE_ATOMICS
    return SHARED_ATOMICS if in_shared else ATOMICS


def vote(is_ballot: bool) -> Feature:
    """Return the feature that a vote is; a ballot gives the votes of all lanes."""
    return BALLOTS if is_ballot else VOTES
