"""Define what the window asks its engine for, and what that answers: kernels, setups, programs, measured runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from warpview.profile.export import ExportRow
from warpview.sim.launch import Dim3

# progress(words, done, total) -> False to cancel
Progress = Callable[[str, int, int], bool]
SIMULATING = "Simulating"  # begins the words of work that may never end, as a kernel may loop for ever
# output("out" or "err", text), called from a thread of its own as a program prints
Output = Callable[[str, str], None]


@dataclass(frozen=True)
class SeriesLaunch:
    """Describe one of several launches of a preset."""

    kernel: str
    grid: Dim3
    block: Dim3
    shared_bytes: int


@dataclass(frozen=True)
class LaunchPreset:
    """Describe a launch that comes with a variant. ``arguments`` are the input specs by parameter name."""

    key: str
    title: str
    grid: Dim3
    block: Dim3
    shared_bytes: int
    arguments: Mapping[str, str]
    launches: tuple[SeriesLaunch, ...] = ()  # in sequence, if they are several; the fields above are the first's
    entry: str = ""  # the kernel, where the presets of a variant launch different ones
    sizes: Mapping[str, int] = field(default_factory=dict)  # bytes of arguments of unknown type: the user confirms them


@dataclass(frozen=True)
class Variant:
    """Describe a kernel of the library, or a file that the user opened (``family`` is then empty)."""

    key: str
    family: str
    title: str
    teaches: str
    look_at: str
    entry: str  # the kernel to launch, with template arguments; empty where the file has one
    file_name: str
    text: str
    presets: tuple[LaunchPreset, ...]
    minimum_capability: tuple[int, int] = (1, 0)
    last_capability: tuple[int, int] = (99, 9)
    is_program: bool = False  # a file with a ``main``

    def preset(self, key: str | None) -> LaunchPreset | None:
        """Return the launch of that key; None where the kernel has none."""
        return next((preset for preset in self.presets if preset.key == key), None)

    def is_akin_to(self, other: Variant) -> bool:
        """Return whether both are of one family of the library, or the same file of the user's."""
        return self.key == other.key or (bool(self.family) and self.family == other.family)


@dataclass(frozen=True)
class KernelFamily:
    key: str
    title: str
    variants: tuple[Variant, ...]
    steps: int = 0  # the first so many are an optimisation, each a step from the one before


@dataclass(frozen=True)
class Setup:
    """Hold everything that decides a run: the source as it is in the editor, the device, the launch."""

    variant: str
    text: str
    file_name: str
    entry: str
    device: str
    preset: str = ""
    grid: Dim3 = (1, 1, 1)
    block: Dim3 = (1, 1, 1)
    shared_bytes: int = 0
    cluster: Dim3 = (1, 1, 1)  # what the launch asks for; a kernel may say so itself
    arguments: Mapping[str, str] = field(default_factory=dict)
    if_converted: bool = False  # short branches predicated, as a compiler would
    bypass_l1: bool = False  # CC 2.x: global loads do not go through L1
    wide_banks: bool = False  # CC 3.x: shared-memory banks of 8 bytes
    by_nvidia: bool = False  # NVIDIA's own machine code runs, in place of the code as written
    edited: bool = False  # the text is not the library's any more
    any_result: bool = False  # what an edited kernel computes is not compared with the library's result
    traced: int = 0  # of several launches in sequence, the one to step through, from 0
    traced_block: int = 0  # the multiprocessor to step through is the one of this block
    program_launch: tuple[int, int] | None = None  # of a program: the number of its run, and of the launch from 0

    @property
    def asked_cluster(self) -> Dim3 | None:
        """Return the cluster that the launch asks for; None where it does not."""
        return None if self.cluster == (1, 1, 1) else self.cluster

    def with_preset(self, preset: LaunchPreset) -> Setup:
        return replace(
            self, preset=preset.key, grid=preset.grid, block=preset.block, shared_bytes=preset.shared_bytes,
            cluster=(1, 1, 1), arguments=dict(preset.arguments), traced=0, entry=preset.entry or self.entry,
            traced_block=0, program_launch=None,
        )  # fmt: skip

    def without_program(self, presets: Sequence[LaunchPreset]) -> Setup:
        """Return the first of the kernel's presets in place of a launch of a program; as it is where it is none."""
        if self.program_launch is None:
            return self
        return self.with_preset(presets[0]) if presets else replace(self, program_launch=None)

    def is_launch_of(self, presets: Sequence[LaunchPreset]) -> bool:
        """Return whether grid, block and arguments are as the preset has them that is chosen."""
        return any(
            self == replace(self.with_preset(p), traced=self.traced, traced_block=self.traced_block)
            for p in presets
            if p.key == self.preset
        )


@dataclass(frozen=True)
class ProgramRequest:
    """Describe a whole program to be run: the file with ``main`` and the files that are linked with it.

    ``number`` counts the runs of programs, ``input`` is the path of a file for its standard input, ``seconds`` limits
    the time of its own code (0: no limit), and ``keep`` is the only launch whose memory is kept (None: those that fit).
    """

    number: int
    files: tuple[str, ...]
    device: str
    arguments: tuple[str, ...] = ()
    input: str = ""
    seconds: float = 0.0
    if_converted: bool = False
    keep: int | None = None
    by_nvidia: bool = False


@dataclass(frozen=True)
class Measured:
    """Hold one row of a comparison: the counters of a whole launch."""

    title: str
    kernel: str
    device: str
    counters: Mapping[str, int | float | None]
    problem: str = ""  # why there are no counters
    row: ExportRow | None = None  # for export
    findings: tuple[str, ...] = ()  # what went wrong, although there are counters, in words
