"""Show by two small units whether compiled units can be called, from Python and from one another.

The calling convention of numba's functions is its own affair and may change: then the result is wrong here, and not in
the simulator's memory.
"""

from __future__ import annotations

from warpview.sim.jit.compile import unit


@unit(3)
def canary_callee(a, b, c):
    """Mix three numbers so that each counts for something else."""
    return a - 3 * b + 7 * c


@unit(3)
def canary(a, b, c):
    """Call the other unit with the numbers in another order."""
    return canary_callee(c, a, b) ^ (a << 40)
