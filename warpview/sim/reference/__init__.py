"""Simulate slowly and readably: the reference defines what the machine does.

It executes one warp instruction at a time, lane by lane, on Python integers and floats; what an operation computes for
a lane is said in the instruction table (``isa.ops``). The jitted engines are tested against it; where they differ, the
reference is right or is put right first.

==============  ==============================================================================
``collective``  shuffles, votes, matches and warp reductions over the lanes of a warp
``memory``      address spaces: bounds, faults, written words, races
``accesses``    one memory instruction of a warp: faults, data, transactions
``registers``   the registers of a warp, and the coordinates that the launch puts there
``counting``    what each issue adds to the raw counts
``paths``       what the two models of divergence have in common
``stack``       divergence up to CC 6.x: the reconvergence stack
``splits``      divergence from CC 7.0: warp splits that meet at convergence barriers
``warp``        registers and the issue of one instruction
``block``       warps of a block, block barriers, deadlock
``machine``     the launch: ``run_reference``
==============  ==============================================================================
"""

from warpview.sim.reference.machine import run_reference

__all__ = ["run_reference"]
