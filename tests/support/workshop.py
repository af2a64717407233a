"""Build small kernels: write the intermediate representation by hand, run it, look at memory and counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from warpview.devices import load_device
from warpview.diagnostics import SourceText, Span
from warpview.frontend.builder import Builder
from warpview.frontend.emit import finish
from warpview.frontend.ir import Function, ParamValue, SpecialValue, Value, const
from warpview.isa.ops import Op
from warpview.isa.program import Param, Program, Special
from warpview.isa.types import Space, Type
from warpview.sim.launch import Dim3, Launch, Options, Outcome
from warpview.sim.memory import DeviceMemory
from warpview.sim.reference import run_reference

SOURCE = SourceText("kernel.cu", "kernel\n")
TID = SpecialValue(Special.TID_X)


@dataclass
class Kernel:
    """Hold one kernel over pointers ``p0``, ``p1``, ...; ``build(builder, kernel)`` writes its body."""

    build: Callable[[Builder, Kernel], None]
    pointers: int = 1
    shared: int = 0
    local: int = 0
    constants: bytes = b""
    builder: Builder = field(init=False)

    def program(self) -> Program:
        function = Function(
            "kernel", SOURCE, Span(SOURCE, 1, 1), static_shared_bytes=self.shared, local_bytes=self.local,
            constant_bytes=self.constants,
        )  # fmt: skip
        function.params = [
            Param(f"p{k}", "int*", Type.U64, 0, is_pointer=True, element=Type.S32, element_bytes=4)
            for k in range(self.pointers)
        ]
        self.builder = Builder(function)
        self.build(self.builder, self)
        if not self.builder.closed:
            self.builder.exit()
        return finish(function, simplify=False)

    def pointer(self, k: int) -> ParamValue:
        return ParamValue(Type.U64, k)

    def element(self, k: int, index: Value, width: int = 4) -> Value:
        """Address of element ``index`` (u32) of pointer ``k``."""
        b = self.builder
        return b.emit(Op.MADWIDE, Type.U32, index, const(Type.U32, width), self.pointer(k))

    def store(self, k: int, value: Value, index: Value = TID) -> None:
        self.builder.effect(Op.ST, value.type, self.element(k, index, value.type.bytes), value, space=Space.GLOBAL)

    def load(self, k: int, type_: Type, index: Value = TID) -> Value:
        return self.builder.emit(Op.LD, type_, self.element(k, index, type_.bytes), space=Space.GLOBAL)


@dataclass
class Result:
    outcome: Outcome
    program: Program
    arrays: list[np.ndarray]

    def counts(self, op: Op) -> np.ndarray:
        """Raw counts added up over the instructions of one operation."""
        rows = [k for k, i in enumerate(self.program.instructions) if i.op == op]
        return self.outcome.counts[rows].sum(axis=0)

    @property
    def findings(self) -> list[str]:
        return sorted(f.kind.name for f in self.outcome.findings)


def prepare(
    program: Program, buffers: Sequence[np.ndarray | int], grid: Dim3, block: Dim3
) -> tuple[Launch, DeviceMemory]:
    """Fresh memory with the buffers (an array, or a number of bytes that nobody has written), and the launch."""
    memory = DeviceMemory()
    for k, b in enumerate(buffers):
        if isinstance(b, int):
            memory.allocate(f"p{k}", b, None)
        else:
            memory.allocate(f"p{k}", b.nbytes, b.view(np.uint8))
    uniform32 = np.zeros(program.first_virtual32, dtype=np.uint32)
    uniform64 = np.zeros(program.first_virtual64, dtype=np.uint64)
    for row, bits in program.constants32.items():
        uniform32[row] = bits
    for row, bits in program.constants64.items():
        uniform64[row] = bits
    for param, allocation in zip(program.params, memory.allocations, strict=True):
        uniform64[param.row] = allocation.base
    uniform32[Special.NTID_X : Special.NTID_Z + 1] = block
    uniform32[Special.NCTAID_X : Special.NCTAID_Z + 1] = grid
    return Launch(grid, block, 0, uniform32, uniform64), memory


def run(
    kernel: Kernel | Callable[[Builder, Kernel], None],
    buffers: Sequence[np.ndarray | int] = (),
    *,
    grid: Dim3 = (1, 1, 1),
    block: Dim3 = (32, 1, 1),
    device: str = "h200",
    **options: object,
) -> Result:
    """Run a kernel on the reference."""
    if not isinstance(kernel, Kernel):
        kernel = Kernel(kernel, pointers=len(buffers))
    program = kernel.program()
    launch, memory = prepare(program, buffers, grid, block)
    outcome = run_reference(program, load_device(device), launch, memory, Options(**options))
    arrays = [
        memory.data[a.base : a.end].view(np.uint8 if isinstance(b, int) else b.dtype)
        for a, b in zip(memory.allocations, buffers, strict=True)
    ]
    return Result(outcome, program, arrays)
