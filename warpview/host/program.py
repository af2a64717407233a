"""Run whole programs: ``run_program`` executes the ``main`` of a CUDA file, with its kernels simulated."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from numpy.typing import ArrayLike

from warpview.argument_checks import instance, named_values, truth_value
from warpview.devices import Device, device_meant
from warpview.diagnostics import LaunchError
from warpview.host import api
from warpview.host.addresses import place_addresses
from warpview.host.arena import Arena
from warpview.host.channel import POLL_SECONDS, HostOrder, Request
from warpview.host.checks import check_end
from warpview.host.context import CudaFailure, RuntimeContext, all_answers
from warpview.host.device_code import check_device_code
from warpview.host.early_uses import EarlyUses
from warpview.host.errors import CudaError
from warpview.host.expectation import with_expected, writer_in
from warpview.host.export import launch_lines
from warpview.host.findings import HostFinding
from warpview.host.launches import LaunchRecord, Settings, SnapshotKeeper
from warpview.host.machine_code_variables import place_function_pointers
from warpview.host.process import HostProcess, Limits, Output, place_of, signal_name
from warpview.host.sources import host_sources
from warpview.host.streams import StreamOperation
from warpview.host.strings import place_strings
from warpview.host.timing import CALL_US, LAUNCH_CALL_US
from warpview.host.toolchain import build, find_compiler
from warpview.run.compilation import check_compiler
from warpview.run.notebook import program_page
from warpview.run.result import Run
from warpview.run.simulation import allowed_error, share_of_blocks
from warpview.run.writers import Index, Writer
from warpview.sim.launch import Cancelled

KEPT_OUTPUT = 64 << 20  # characters of a program's output, both streams together
ARENA_BYTES = 64 << 30  # of addresses; memory is taken as it is used
Progress = Callable[[str, int, int], bool]
assert api  # registers the answers


@dataclass(frozen=True, repr=False)
class ProgramResult:
    """Report what a program did: its output, its end, its launches and its findings."""

    output: str
    """what it wrote to its standard output, as far as 64 Mi characters go; empty where that was not collected"""
    errors: str
    """what it wrote to its standard error"""
    exit_code: int
    launches: tuple[LaunchRecord, ...]
    host_findings: tuple[HostFinding, ...]
    operations: tuple[StreamOperation, ...]
    """copies, fills, kernels, events in the order in which the host issued them, with their times by the model"""
    device: Device
    crash: str = ""
    """why it was ended early, in a sentence"""

    def __repr__(self) -> str:
        count, found = len(self.launches), len(self.host_findings) + sum(len(run.findings) for run in self.runs)
        launches = f"{count} launch{'es' if count != 1 else ''} on {self.device.name}"
        return f"<ProgramResult: exit code {self.exit_code}, {launches}, {found} finding{'s' if found != 1 else ''}>"

    def _repr_html_(self) -> str:
        told = [finding.render() for finding in self.host_findings]
        told += [finding.render() for run in self.runs for finding in run.findings]
        return program_page(repr(self).strip("<>"), launch_lines(self), told, self.output)

    @property
    def runs(self) -> tuple[Run, ...]:
        """Return one Run a launch, in the order in which they took place."""
        return tuple(record.run for record in self.launches)

    def who_wrote(self, name: str, index: Index) -> tuple[LaunchRecord, Writer] | None:
        """Return the launch and the access that wrote an element of an array last, None where no kernel wrote it.

        ``name`` is that of a parameter of kernels, or of the pointer that the host allocated the array for; the last
        launch that has it decides. Copies of the host are not looked at. Raises WarpviewError where no launch has the
        array, and as ``Run.who_wrote`` does.
        """
        return writer_in(self.launches, name, index)


@dataclass
class _Collected:
    """Hand on output as it comes, and keep it."""

    pass_on: Output | None
    parts: dict[str, list[str]] = field(default_factory=lambda: {"out": [], "err": []})
    left: int = KEPT_OUTPUT

    def take(self, name: str, text: str) -> None:
        if self.left > 0:
            self.parts[name].append(text[: self.left])
            self.left -= len(text)
        if self.pass_on is not None:
            self.pass_on(name, text)

    def texts(self) -> tuple[str, str]:
        """Return what was written to the standard output, and to the standard error."""
        return "".join(self.parts["out"]), "".join(self.parts["err"])


def run_program(
    files: str | Path | Sequence[str | Path],
    args: Sequence[str] = (),
    *,
    device: str | Path | Device = "h200",
    defines: Mapping[str, object] | None = None,
    check: bool = True,
    timed: bool = True,
    fma: bool = True,
    predicate: bool = False,
    limits: Limits | None = None,
    input: IO[bytes] | int | None = subprocess.DEVNULL,
    output: Output | None = None,
    collect: bool = True,
    keep: int | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    report: Callable[[str], None] | None = None,
    sample: float = 1.0,
    too_long: Callable[[float], float] | None = None,
    expect: Mapping[str, ArrayLike] | None = None,
    tolerance: float | None = None,
    compiler: str = "warpview",
) -> ProgramResult:
    """Run a CUDA program: its own ``main`` on this computer, its kernels on a simulated device.

    ``files`` is the file with ``main``, or several that are linked together. ``args`` are the program's arguments;
    files are read relative to the folder of the first one. ``timed`` gives kernels a time by the cycle-level engine
    (the first of those that are alike). ``collect`` keeps what is printed in the result, and ``output``, called with
    "out" or "err" and the text, is given it as it comes; without, the program writes where warpview itself does.
    ``keep`` is the only launch (from 0) whose memory is kept for ``LaunchRecord.open``; None keeps those that fit.
    ``progress(kernel, done, total)`` is called while a kernel is simulated and returns False to cancel,
    ``cancelled()`` while host code runs and returns True to cancel; ``report`` is told what takes long. ``sample`` and
    ``too_long`` are those of ``simulate``, for every launch. ``expect`` and ``tolerance``, too: an array is named as a
    parameter of kernels, or as the pointer that the host allocated it for, and compared after the last launch that has
    it; the finding is one of the launch that wrote the first wrong element. ``compiler`` is that of ``compile``:
    "nvrtc" runs the kernels as NVIDIA's machine code.

    Raises CompileError where the host part or a kernel cannot be compiled, Cancelled, LaunchError where no launch has
    an array of ``expect``, and WarpviewError where there is no compiler.
    """
    instance(files, (str, Path, Sequence), "files", "a path or a list of paths")
    named = [files] if isinstance(files, (str, Path)) else files
    paths = [Path(instance(file, (str, Path), "a file", "a path")).resolve() for file in named]
    words = [_word(word) for word in instance(args, (list, tuple), "args", "a list of texts")]
    chosen = device_meant(device)
    check_compiler(compiler)
    settings = Settings(
        dict(named_values(defines, "defines", "values")), truth_value(fma, "fma"), truth_value(predicate, "predicate"),
        truth_value(check, "check"), truth_value(timed, "timed"), progress, share_of_blocks(sample), too_long, compiler,
    )  # fmt: skip
    wanted, allowed = named_values(expect, "expect"), allowed_error(tolerance)
    sources = host_sources(paths)
    if compiler == "warpview":
        check_device_code([unit.path for unit in sources.units], settings, chosen)
    program = build(sources.units, sources.headers, settings.defines, find_compiler(), report)
    collected, bounds = _Collected(output), limits or Limits()
    with closing(Arena(ARENA_BYTES, _capacity(chosen))) as arena:
        command = [f"./{paths[0].stem}", *words]
        process = HostProcess(
            program, command, paths[0].parent, arena, bounds, collected.take if collect else None, input
        )
        context = RuntimeContext(chosen, arena, process.channel, settings, SnapshotKeeper(arena, only=keep))
        session = _Session(context, program, [*paths, *sources.headers])
        session.watch(bounds.seconds, cancelled)
        code = _served(session, process)
        return _result(session, collected, code, with_expected(_numbered(context), wanted, allowed))


def _word(word: object) -> str:
    """Return an argument of a program, if a system can hand it over."""
    if not isinstance(word, str) or "\0" in word:
        raise LaunchError(f"an argument of a program must be a text without a null character, not {word!r}")
    return word


def _result(
    session: _Session, collected: _Collected, exit_code: int, launches: tuple[LaunchRecord, ...]
) -> ProgramResult:
    context, (output, errors) = session.context, collected.texts()
    return ProgramResult(
        output, errors, exit_code, launches, tuple(context.findings), _all_operations(context),
        context.device, session.crash,
    )  # fmt: skip


def _numbered(context: RuntimeContext) -> tuple[LaunchRecord, ...]:
    """Return the launches in the order in which the host issued them, those by a kernel behind its own, numbered
    without those that an error kept from being carried out."""
    records = sorted(context.records, key=lambda record: record.order)
    numbers = {record.order: number for number, record in enumerate(records)}
    for operation in _all_operations(context):
        operation.launch = numbers.get(operation.order)
    return tuple(
        replace(record, index=number, launched_by=numbers.get(record.order[:-1]))
        for number, record in enumerate(records)
    )


def _all_operations(context: RuntimeContext) -> tuple[StreamOperation, ...]:
    """Return the operations of all streams, those of kernels that kernels launched behind these."""
    return tuple(each for operation in context.scheduler.operations for each in operation.with_children())


def _served(session: _Session, process: HostProcess) -> int:
    """Answer a program's requests until it ends; return its exit code, 128 more than the signal that stopped it."""
    try:
        session.serve()
    except TimeLimit:
        process.stop()
    except BaseException:
        process.stop()
        raise
    finally:
        code = process.wait()
    if session.crash_signal:
        code = 128 + session.crash_signal
    session.finish(code)
    return code


def _capacity(device: Device) -> int:
    """Return bytes that a program can allocate: those of the device, at most half of this computer's memory."""
    try:
        half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):
        half = 8 << 30
    return min(half, device.memory_bytes or half)


class TimeLimit(Exception):
    """The host part has used up its time."""


class _Session:
    """Answer one program's requests until it ends."""

    # What makes the variables of a file: managed ones are allocated among the others.
    _BEFORE_MAIN = frozenset({"symbol", "malloc_managed"})
    # What a program may still ask after an error that ends the use of the device.
    _AFTER_STICKY = frozenset(
        {"last_error", "error_told", "kernel", "symbol", "device_reset", "crash", "device_count", "free_host"}
    )

    def __init__(self, context: RuntimeContext, program: Path, files: Sequence[Path]) -> None:
        self.context, self._program, self._files = context, program, files
        self._early_uses = EarlyUses(context)
        self.crash = ""
        self.crash_signal = 0

    def watch(self, seconds: float, cancelled: Callable[[], bool] | None) -> None:
        """End the program when its own code has run for ``seconds`` (0: never) or ``cancelled`` says so."""
        spent = 0.0

        def look() -> None:
            nonlocal spent
            spent += POLL_SECONDS
            if cancelled is not None and cancelled():
                raise Cancelled
            if seconds and spent >= seconds:
                self.crash = f"the host part of the program was ended: it ran for more than {seconds:g} seconds"
                self.context.find("time limit", self.crash)
                raise TimeLimit
            self._early_uses.wait(POLL_SECONDS)

        self.context.channel.waiting = look

    def serve(self) -> None:
        """Answer requests until the program ends. Raises CompileError for a kernel that cannot be simulated."""
        context = self.context
        context.channel.interrupted = self._interrupted
        while (request := context.channel.receive()) is not None:
            context.place = request.place
            context.host_us += LAUNCH_CALL_US if request.what == "launch" else CALL_US
            if request.what == "crash":
                self._crashed(request)
            else:
                self._early_uses.called()
                self._answer(request)

    def _answer(self, request: Request) -> None:
        context = self.context
        values: Sequence[int] = ()
        code = CudaError.SUCCESS
        try:
            if context.sticky and request.what not in self._AFTER_STICKY:
                raise CudaFailure(context.sticky)
            if not context.began and request.what not in self._BEFORE_MAIN:
                context.began = True
                place_function_pointers(context)
                place_strings(context)
                place_addresses(context)
            if not api.graphs.captured(context, request):
                values = tuple(all_answers()[request.what](context, request) or ())
        except api.devices.AnsweredError:
            return
        except CudaFailure as failure:
            code = failure.code
            if request.what not in ("last_error", "stream_query", "event_query"):
                context.note_error(code, request.what)
        context.channel.order(HostOrder.DONE, values, error=code)

    def _interrupted(self, request: Request) -> None:
        """Answer what the program asks while it carries out an order: a callback may not call the runtime."""
        if request.what == "crash":
            self._crashed(request)
        else:
            self.context.channel.order(HostOrder.DONE, error=CudaError.NOT_PERMITTED)

    # ------------------------------------------------------------------------------------------ crashes
    def _crashed(self, request: Request) -> None:
        """The host part was stopped by a signal: by an access to memory that a pending operation uses, or for good."""
        number, address, *offsets = request.values
        context = self.context
        place = place_of(self._program, offsets, self._files)
        block = context.arena.holding(address)
        if self._early_uses.allow(block, place):
            context.channel.order(HostOrder.RESUME)
            return
        self.crash = f"the host part of the program stopped at {place}: {_why(context, number, address)}"
        self.crash_signal = number
        context.find("crash", _why(context, number, address), place)
        context.channel.order(HostOrder.DIE)

    # ------------------------------------------------------------------------------------------ the end
    def finish(self, exit_code: int) -> None:
        """Carry out what nobody waited for, and check what the program leaves behind."""
        context = self.context
        check_end(context, exit_code)
        context.timeline.update()


def _why(context: RuntimeContext, number: int, address: int) -> str:
    """Explain a signal, with the memory that was accessed."""
    if number in (signal.SIGSEGV, signal.SIGBUS):
        block = context.arena.holding(address)
        once = context.arena.once_held(address)
        if block is not None:
            where = f"'{block.name}' (line {block.place.line})"
            return f"the host uses {where}, which is device memory: copy it with cudaMemcpy"
        if once is not None and once.freed is not None:
            return f"the host uses '{once.name}', which was freed in line {once.freed.line}"
        if address < 4096:
            return "a null pointer was used"
    return signal_name(number)
