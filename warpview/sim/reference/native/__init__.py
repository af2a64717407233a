"""Execute NVIDIA's machine code slowly and readably: the definition of what its instructions mean.

``lane``            the registers of a warp, and the operands of an instruction in a lane
``integers``, ``moves``, ``real_numbers``, ``approximations``  the meanings that a lane computes by itself
``exchange``, ``matrices``  those in which lanes exchange data
``meanings``        names the function of each meaning
``paths``           divergence and convergence barriers
``access``          loads, stores and atomics
``warp``            issues the instructions of a warp

It reads decoded operations and their operands as the table of opcodes has them, not the rows of the jitted engine.
"""

from warpview.sim.reference.native.meanings import decoded
from warpview.sim.reference.native.warp import NativeWarp

__all__ = ["NativeWarp", "decoded"]
