"""Carry a launch out: compile its kernel, bind its memory, and turn the result into the runtime's report."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from warpview.cached_by_identity import cached_by_identity
from warpview.devices import occupancy
from warpview.diagnostics import CompileError, Diagnostic
from warpview.frontend.preprocess.preludes import (
    HEAP_SIZE_MACRO,
    HEAP_VARIABLE,
    LAUNCHES_VARIABLE,
    STACK_SIZE_MACRO,
)
from warpview.host.api.devices import HEAP_BYTES, STACK_SIZE
from warpview.host.api.memory import registered_memory
from warpview.host.arena import MemoryBlock
from warpview.host.channel import HostOrder, SourcePlace
from warpview.host.child_launches import ChildLaunch, take_launches
from warpview.host.context import CudaFailure, KernelFunction
from warpview.host.errors import CudaError
from warpview.host.findings import span_of
from warpview.host.launches import BUFFER_BYTES, LaunchRecord, MemorySnapshot, compiled, compiled_by_nvrtc
from warpview.host.machine_code_variables import constants_of, with_variables
from warpview.host.timing import KERNEL_US
from warpview.isa.ops import Op
from warpview.isa.program import Param, Program, Variable
from warpview.profile.counters import BY_KEY
from warpview.run.host_launch import HostLaunch, ranges_in, simulate_in
from warpview.run.result import sample_words
from warpview.sim.access_ranges import AccessRanges
from warpview.sim.launch import Dim3, FindingKind, Options

if TYPE_CHECKING:
    from warpview.host.context import RuntimeContext
    from warpview.host.streams import StreamOperation
    from warpview.run.result import Run
    from warpview.sim.memory import DeviceMemory

FAULT_GRANULE = 2 << 20  # device memory is mapped in pages of this size: beyond them an access is an error on hardware

_EXECUTED = BY_KEY["inst_executed"]
_LAMBDA = re.compile(r"<lambda\(|\(lambda at |'lambda")  # how GCC and Clang write the type of a lambda

# What a finding that ended the launch is to the runtime.
BARRIER_COUNT = FindingKind.BARRIER_COUNT.words
_ENDINGS = {
    "assertion": CudaError.ASSERT,
    "endless loop": CudaError.LAUNCH_TIMEOUT,
    "deadlock": CudaError.LAUNCH_TIMEOUT,
    "barrier cannot complete": CudaError.LAUNCH_TIMEOUT,
    "misaligned access": CudaError.MISALIGNED_ADDRESS,
    "null pointer": CudaError.ILLEGAL_ADDRESS,
    BARRIER_COUNT: CudaError.ILLEGAL_INSTRUCTION,
}


def device_addresses(context: RuntimeContext, function: KernelFunction) -> dict[str, int]:
    """Return the addresses of the ``__device__`` variables of the kernel's file, by name."""
    unit = str(function.unit)
    found = {s.name: s.block.base for s in context.symbols.values() if not s.is_constant and s.unit == unit}
    bare = {bare_name(name): base for name, base in found.items()}
    return bare | found | {name: block.base for name, block in context.own_variables.items()}


def bare_name(name: str) -> str:
    """Return the name of a variable without those of namespaces."""
    return name.rpartition("::")[2]


def kernel_program(context: RuntimeContext, function: KernelFunction) -> Program:
    """Return the compiled kernel. Raise CompileError where the simulator cannot run it."""
    if _LAMBDA.search(function.name):
        message = "a kernel can be given no such lambda: one marked __device__ that captures by value is needed"
        hint = "write [=] __device__ (...) {...}, or a struct with a __device__ operator() in its place"
        raise CompileError([Diagnostic(message, span_of(context.place), hint=hint)])
    program = _compiled(context, function)
    shared = [v for v in program.device_symbols if v.owner or v.name in (HEAP_VARIABLE, LAUNCHES_VARIABLE)]
    unplaced = [v for v in shared if _shared_key(v) not in context.own_variables]
    for variable in unplaced:
        context.own_variables[_shared_key(variable)] = _own_variable(context, variable, program.device_bytes)
    if unplaced:
        program = _compiled(context, function)
    if context.settings.compiler == "nvrtc":
        addresses = device_addresses(context, function)
        constants = _constants_in_memory(context, function, program, addresses)
        return with_variables(program, addresses, constants)
    return program


def _compiled(context: RuntimeContext, function: KernelFunction) -> Program:
    """Return the compiled kernel, with the places of variables unless it is machine code."""
    settings = context.settings
    macros = dict(settings.defines)
    if HEAP_BYTES in context.limits:
        macros[HEAP_SIZE_MACRO] = context.limits[HEAP_BYTES]
    if STACK_SIZE in context.limits and settings.compiler != "nvrtc":
        macros[STACK_SIZE_MACRO] = context.limits[STACK_SIZE]
    stamp, defines = function.unit.stat().st_mtime_ns, tuple(sorted(macros.items()))
    addresses = tuple(sorted(device_addresses(context, function).items()))
    if settings.compiler == "nvrtc":
        known = () if context.device.sass else addresses
        return compiled_by_nvrtc(function.unit, stamp, function.name, defines, settings.fma, context.device, known)
    return compiled(function.unit, stamp, function.name, defines, settings.fma, settings.predicate, addresses)


@cached_by_identity
def _reads_clock(program: Program) -> bool:
    """Return whether a kernel reads the clock of its multiprocessor, whose cycles each launch of it must have then."""
    return any(i.op == Op.CLOCK or (i.native is not None and "SR_CLOCK" in i.native.text) for i in program.instructions)


def _shared_key(variable: Variable) -> str:
    """Return what tells a variable from others that all kernels of a program share."""
    return variable.owner or variable.name


def _own_variable(context: RuntimeContext, variable: Variable, contents: bytes) -> MemoryBlock:
    """Return the memory of a variable that all kernels of a program share, with its initial bytes: a static one of a
    function, what device code allocates from, or the launches that kernels make."""
    size = variable.element_bytes * math.prod(variable.dims)
    block = context.arena.allocate(size, variable.name, context.place, "constants")
    if block is None:
        raise CudaFailure(CudaError.MEMORY_ALLOCATION)
    initial = contents[variable.offset : variable.offset + size] if variable.owner else b""
    context.arena.view(block.base, len(initial))[:] = np.frombuffer(initial, np.uint8)
    context.arena.mark_written(block, block.base, block.size)
    return block


def _constants_in_memory(
    context: RuntimeContext, function: KernelFunction, program: Program, addresses: Mapping[str, int]
) -> int:
    """Return where the constants lie that a kernel has in memory of its own, 0 where it has none. ``addresses`` are
    those of variables by name."""
    contents = constants_of(program, addresses)
    if not contents:
        return 0
    name = f"constants of {function.name}"
    block = next((b for b in context.arena.blocks if b.name == name and b.size == len(contents)), None)
    if block is None:
        block = context.arena.allocate(len(contents), name, context.place, "constants")
        if block is None:
            return 0
        context.arena.view(block.base, block.size)[:] = np.frombuffer(contents, np.uint8)
        context.arena.mark_written(block, block.base, block.size)
    return block.base


def pointers(program: Program, arguments: tuple[bytes, ...]) -> list[tuple[Param, int]]:
    """Return the pointers among a launch's arguments, those within structs included, and where they lead."""
    values = dict(zip(dict.fromkeys(p.name for p in program.params), arguments, strict=False))
    return [
        (p, int.from_bytes(values[p.name][p.offset : p.offset + 8], "little"))
        for p in program.params
        if p.is_pointer and p.name in values
    ]


def used_blocks(context: RuntimeContext, program: Program, arguments: tuple[bytes, ...]) -> list[MemoryBlock]:
    """Return the allocations that a launch's pointers lead to."""
    found = (context.arena.holding(address) for _, address in pointers(program, arguments))
    return list({block.base: block for block in found if block is not None}.values())


WaitingChild = tuple["PendingLaunch", Callable[[], "StreamOperation"]]
"""a launch by a kernel, and what begins its operation of the stream"""


@dataclass(frozen=True)
class PendingLaunch:
    """Represent a launch that waits in its stream."""

    function: KernelFunction
    program: Program
    grid: Dim3
    block: Dim3
    shared: int
    arguments: tuple[bytes, ...]
    stream: int
    place: SourcePlace
    order: tuple[int, ...]  # its number among the host's launches, from 0, then among those of each kernel around it
    cluster: Dim3 | None = None  # what the launch asks for

    def execute(self, context: RuntimeContext, operation: StreamOperation) -> None:
        """Carry the launch out, and all that its kernel launches: each with its own before the next one."""
        with registered_memory(context):
            waiting = self._carry_out(context, operation)
            while waiting and not context.sticky:
                child, begun = waiting.pop(0)
                waiting[:0] = child._carry_out(context, begun())

    def _carry_out(self, context: RuntimeContext, operation: StreamOperation) -> list[WaitingChild]:
        """Simulate the launch, keep its record, report its output and errors; return what its kernel launches."""
        if context.sticky:
            return []
        self._check_pointers(context)
        launch = self._as_passed(context)
        context.child_launches += len(self.order) > 1
        snapshot = context.snapshots.take(self.order[0] + context.child_launches)
        known = context.known_times.get(self._timing_key())
        waits = self.program.synchronises_grid or (self.cluster or self.program.cluster) is not None
        timed = context.settings.timed and not waits and (known is None or _reads_clock(self.program))
        run = self._simulate(context, launch, "sm" if timed else "profile", snapshot)
        executed = int(_EXECUTED.compute(run.totals) or 1)
        if timed and run.time_us is not None:
            context.known_times[self._timing_key()] = known = run.time_us, executed
        time_us = None if known is None else known[0] * executed / known[1]
        operation.duration_us = max(time_us or 0.0, KERNEL_US)
        operation.order = self.order
        context.records.append(
            LaunchRecord(
                len(context.records), self.order, self.program.kernel, self.grid, self.block, self.shared, self.stream,
                self.place, self.program, self.arguments, launch.constants, context.device, run, snapshot, time_us,
                sum(b.size for b in used_blocks(context, self.program, self.arguments)),
                device_addresses(context, self.function), cluster=self.cluster,
            )
        )  # fmt: skip
        if run.sample < 1:
            context.find(
                "sampled launch",
                f"{self.program.kernel} ran as {sample_words(run)}, and so is what follows from it",
                self.place, "warning",
            )  # fmt: skip
        if run.output:
            context.order(HostOrder.PRINT, data="".join(run.output).encode())
        _report_error(context, run, self.place)
        return self._children(context, operation) if self.program.children else []

    def _children(self, context: RuntimeContext, operation: StreamOperation) -> list[WaitingChild]:
        """Return the launches that the kernel has made."""
        launches, lost = self._made(context, context.arena.memory())
        if lost:
            context.find(
                "child launches", f"{lost} kernels that {self.program.kernel} launches were not executed: there is "
                f"room for {len(launches)} of one launch", self.place,
            )  # fmt: skip
        made: list[WaitingChild] = []
        for k, launch in enumerate(launches):
            child, share = self._child(context, launch, (*self.order, k))
            if share:
                made.append((child, partial(operation.with_child, launch.kernel, share)))
                continue
            message = f"{launch.kernel} does not start: a block of it does not fit on a multiprocessor"
            context.find("child launches", f"{message} (launched by {self.program.kernel})", self.place)
        return made

    def _made(self, context: RuntimeContext, memory: DeviceMemory) -> tuple[list[ChildLaunch], int]:
        """Take the launches that the kernel has made from a memory; return them, and how many there was no room for."""
        variable = context.own_variables[LAUNCHES_VARIABLE]
        return take_launches(memory.data[variable.base : variable.base + variable.size], self.program)

    def _child(
        self, context: RuntimeContext, launch: ChildLaunch, order: tuple[int, ...]
    ) -> tuple[PendingLaunch, float]:  # fmt: skip
        """Return a launch by the kernel, and its share of the device's multiprocessors; 0 where none has room for a
        block of it."""
        function = KernelFunction(self.function.unit, launch.kernel, context.device.shared_per_block)
        program = kernel_program(context, function)
        used = occupancy(
            context.device, threads=math.prod(launch.block), registers=program.registers_per_thread,
            shared_bytes=program.static_shared_bytes + launch.shared, barriers=program.barriers,
        )  # fmt: skip
        room = used.blocks * context.device.multiprocessors
        child = PendingLaunch(
            function, program, launch.grid, launch.block, launch.shared, launch.arguments, self.stream, self.place,
            order,
        )  # fmt: skip
        return child, min(1.0, math.prod(launch.grid) / room) if room else 0.0

    def accesses(self, context: RuntimeContext) -> AccessRanges | None:
        """Return what the launch, with all that its kernel launches, accesses of the memory as it is now."""
        memory, found, waiting = context.arena.memory(), AccessRanges(), [self]
        while waiting:
            launch = waiting.pop(0)
            outcome = ranges_in(memory, launch._as_passed(context), context.device)
            if outcome is None:
                return None
            ranges, memory = outcome
            found = found.joined(ranges)
            if launch.program.children:
                made = (launch._child(context, each, launch.order) for each in launch._made(context, memory)[0])
                waiting[:0] = [child for child, share in made if share]
        launches = context.own_variables.get(LAUNCHES_VARIABLE)
        return found.outside(launches.base, launches.base + launches.size) if launches else found

    def _as_passed(self, context: RuntimeContext) -> HostLaunch:
        """Return the launch with the present contents of the constant variables."""
        constants = _constants(context, self.function.unit, self.program)
        return HostLaunch(self.program, self.grid, self.block, self.arguments, self.shared, constants, self.cluster)

    def _timing_key(self) -> tuple[object, ...]:
        """Return the key that launches share whose times follow from their instructions alone."""
        return (self.program.kernel, self.function.unit, self.grid, self.block, self.shared)

    def _simulate(self, context: RuntimeContext, launch: HostLaunch, engine: str, before: MemorySnapshot | None) -> Run:
        report = context.settings.progress

        def progress(done: int, total: int) -> bool:
            return report is None or report(self.program.kernel, done, total)

        settings = context.settings
        options = Options(check=settings.check, progress=progress, sample=settings.sample, too_long=settings.too_long)
        return simulate_in(
            context.arena.memory(), launch, context.device, engine=engine, options=options,
            history_bytes=0, buffer_bytes=BUFFER_BYTES, before=before,
        )  # fmt: skip

    def _check_pointers(self, context: RuntimeContext) -> None:
        """Report findings for arguments that cannot be right whatever the kernel does with them."""
        for param, address in pointers(self.program, self.arguments):
            once = context.arena.once_held(address)
            if context.arena.holding(address) is None and once is not None and once.freed is not None:
                context.find(
                    "use after free",
                    f"'{param.path}' of {self.program.kernel} points to '{once.name}', freed in line {once.freed.line}",
                    self.place,
                )
            elif address >= context.arena.limit:
                context.find(
                    "host pointer in a kernel",
                    f"'{param.path}' of {self.program.kernel} is a pointer to memory of the host",
                    self.place,
                )


def _constants(context: RuntimeContext, unit: Path, program: Program) -> dict[str, bytes]:
    """Return the present contents of the constant variables that a kernel uses."""
    names = {symbol.name for symbol in program.constant_symbols}
    found = {}
    for symbol in context.symbols.values():
        known = next((name for name in (symbol.name, bare_name(symbol.name)) if name in names), None)
        if symbol.is_constant and symbol.unit == str(unit) and known is not None:
            found[known] = context.arena.view(symbol.block.base, symbol.block.size).tobytes()
    return found


def _report_error(context: RuntimeContext, run: Run, place: SourcePlace) -> None:
    """Report the error that the launch leaves behind, as the hardware would."""
    for finding in sorted(run.findings, key=lambda finding: finding.kind == BARRIER_COUNT):  # others come first
        code = _ENDINGS.get(finding.kind)
        if finding.kind == "out of bounds" and _faults(context, finding.address):
            code = CudaError.ILLEGAL_ADDRESS
        if code is not None and (run.aborted or code in (CudaError.ILLEGAL_ADDRESS, CudaError.MISALIGNED_ADDRESS)):
            present, context.place = context.place, place
            context.note_error(code, f"{run.program.kernel}<<<...>>>")
            context.place = present
            return


def _faults(context: RuntimeContext, address: int) -> bool:
    """Return whether the hardware notices an access outside every allocation: where no page is mapped."""
    for block in context.arena.blocks:
        last = block.base + -(-max(block.size, 1) // FAULT_GRANULE) * FAULT_GRANULE
        if block.base - FAULT_GRANULE < address < last:
            return False
    return True
