"""Run whole programs: the ``main`` of a CUDA file on this computer, its kernels on a simulated device.

    files -> host text -> program of the system's compiler -- requests --> answers of the CUDA runtime, launches -> Runs

- ``sources``, ``scan``, ``rewrite``: the files of a program, and each as a host compiler can read it.
- ``toolchain``: compilers and the cache of compiled programs; ``include`` are the headers that CUDA would bring,
  ``runtime`` what every program is linked with.
- ``process``, ``channel``: the host part as a process of its own, and the messages between it and warpview.
- ``arena``: device memory, which both share.
- ``context``, ``streams``, ``timing``, ``errors``, ``findings``, ``checks``: the state of the CUDA runtime.
- ``api``: its functions, one module a group.
- ``launches``, ``launching``: launches, simulated.
- ``program``: ``run_program``, which puts all of it together.
"""

from warpview.host.findings import HostFinding
from warpview.host.launches import LaunchRecord
from warpview.host.process import Limits
from warpview.host.program import ProgramResult, run_program
from warpview.host.sources import has_main
from warpview.host.toolchain import HostPartError, NoCompiler

__all__ = [
    "HostFinding",
    "HostPartError",
    "LaunchRecord",
    "Limits",
    "NoCompiler",
    "ProgramResult",
    "has_main",
    "run_program",
]
