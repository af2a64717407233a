"""Load a kernel of a cubin as a ``Program``: every operand becomes a row, every operation a ``NativeInstruction``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from warpview.diagnostics import CompileError, Diagnostic, SourceText, Span
from warpview.isa.child_kernel import CHILD_ARGUMENT_BYTES, ChildKernel
from warpview.isa.native import NativeProgram
from warpview.isa.ops import Op
from warpview.isa.program import NONE, Instruction, Param, Print, Program
from warpview.isa.program import Variable as ProgramVariable
from warpview.isa.types import Space, Type
from warpview.sass import fields as f
from warpview.sass.code_ends import with_checked_ends
from warpview.sass.constant_flow import ConstantFlow
from warpview.sass.cubin import BANK_OF_PARAMETERS, Cubin, CubinKernel, CubinVariable
from warpview.sass.decoder import decoded
from warpview.sass.demangle import demangled, variable_names
from warpview.sass.encoding import encoding_of
from warpview.sass.grid_barrier import BARRIER_WORDS, environment_words, reads_word, with_barrier
from warpview.sass.instruction_builder import InstructionBuilder, PreparedOperation
from warpview.sass.operand_rows import OperandRows, UnsupportedOperation
from warpview.sass.operation import OperandKind, SassOperation
from warpview.sass.operation_meaning import PlacedCall
from warpview.sass.rows import Rows
from warpview.sass.shared_arrays import shared_arrays
from warpview.sass.system_calls import system_call, with_fixed_places

STACK_POINTER = 1  # the register R1
STACK_BYTES = 1024  # of a kernel whose stack is as deep as nobody knows, as the driver has it


@dataclass(frozen=True)
class Signature:
    """A signature completes a kernel's cubin: its parameters by name, as the source declares them."""

    name: str
    params: tuple[Param, ...]
    source: SourceText
    span: Span | None = None
    variables: Mapping[str, ProgramVariable] = field(default_factory=dict)  # of memory, by name
    names: tuple[str, ...] = ()  # of all parameters, those of empty structs too; empty where they are not known


def load_kernel(cubin: Cubin, kernel: CubinKernel, signature: Signature) -> Program:
    """Return the program of a kernel. Raises CompileError, naming each instruction that is not supported and its
    line."""
    loader = _Loader(cubin, kernel, signature)
    return loader.program()


class _Loader:
    def __init__(self, cubin: Cubin, kernel: CubinKernel, signature: Signature) -> None:
        self.cubin, self.kernel, self.signature = cubin, kernel, signature
        self.encoding = encoding_of(cubin.architecture)
        self.shared_base = self.encoding.reserved_shared_bytes
        self.static_shared_bytes = max(0, kernel.shared_bytes - self.shared_base)
        self.spans = self._spans()
        self.problems: dict[str, Diagnostic] = {}
        self.operations = self._decoded()
        for name in cubin.unknown_values:
            self._problem(0, f"the initial value of '{name}', an address of its kind,")
        for place, name in kernel.unplaced:
            self._problem(place, f"an instruction with the address of '{name}', which the driver fills in,")
        for child in self._children().values():
            if not child.fits:
                self._problem(0, f"a launch of {child.name} with more than {CHILD_ARGUMENT_BYTES} bytes of arguments")
        self._fail()
        self.operations = with_fixed_places(self.operations)
        self.grid_barrier = self._grid_barrier()
        self._fail()
        variables = (*self.cubin.constant_variables, *self.cubin.device_variables)
        self.variable_names = variable_names([v.name for v in variables])
        self.texts: dict[Op, list[Print]] = {Op.PRINTF: [], Op.TRAP: []}
        calls = dict(self._calls())
        self._fail()
        self.rows = Rows.of(self.operations, kernel.registers)
        operands = OperandRows(kernel, cubin.architecture, self.rows, self.shared_base)
        self.layout = operands.layout
        self.builder = InstructionBuilder(operands, len(self.operations), calls)
        # Constants have rows once all operations are prepared; registers follow them.
        self.prepared = list(self._prepared())
        self._fail()
        self.parameters = self._params()
        self.rows.close()

    # ---------------------------------------------------------------------------------------- errors, places

    def _fail(self) -> None:
        if self.problems:
            raise CompileError(list(self.problems.values()))

    def _problem(self, address: int, message: str) -> None:
        text = f"{message} is not supported in NVIDIA's machine code{self._header(address)}"
        self.problems.setdefault(message, Diagnostic(text, self.spans.get(address) or self.signature.span))

    def _header(self, address: int) -> str:
        """Return in words which line of a header an instruction comes from; nothing for one of the kernel's file."""
        place = next((place for place in reversed(self.kernel.lines) if place.address <= address), None)
        if place is None or not place.line or self._is_own(place.file):
            return ""
        return f" (line {place.line} of {_base_name(place.file)})"

    def _is_own(self, file: str) -> bool:
        return _base_name(file) == _base_name(self.signature.source.name)

    def _spans(self) -> dict[int, Span]:
        """Return the place of the source by address; only lines of the kernel's own file have one."""
        source = self.signature.source
        spans, places = {}, list(self.kernel.lines)
        current: Span | None = None
        for address in range(0, len(self.kernel.code), f.WORD_BYTES):
            while places and places[0].address <= address:
                place = places.pop(0)
                if self._is_own(place.file) and place.line:
                    text = source.line(place.line)
                    start = len(text) - len(text.lstrip()) + 1
                    current = Span(source, place.line, start, max(1, len(text.strip())))
            if current is not None:
                spans[address] = current
        return spans

    def _decoded(self) -> list[SassOperation]:
        operations = []
        for index, found in enumerate(decoded(self.kernel.code, self.cubin.architecture)):
            if isinstance(found, str):
                self._problem(index * f.WORD_BYTES, found)
            else:
                operations.append(found)
        if not operations and not self.problems:
            self.problems[""] = Diagnostic(f"{self.kernel.name} has no instructions", self.signature.span)
        return operations

    def _grid_barrier(self) -> tuple[int, int] | None:
        """Return where the kernel reads the address of the barrier of a cooperative launch, and the place of this
        address in bank 4; None where it does not."""
        synchronises = False
        for operation in self.operations:
            for number in environment_words(operation, self.encoding):
                synchronises = synchronises or number in BARRIER_WORDS
                if number not in BARRIER_WORDS:
                    self._problem(operation.address, f"%envreg{number}, which the driver sets,")
        if not synchronises:
            return None
        self.cubin, place = with_barrier(self.cubin, [a.offset for a in self.kernel.addresses])
        return self.encoding.environment_place + 4 * BARRIER_WORDS[0], place

    def _calls(self) -> Iterator[tuple[int, PlacedCall]]:
        """Yield the calls of the driver's functions, and traps, by address; their texts are kept."""
        constants = ConstantFlow(self.operations)
        for index, operation in enumerate(self.operations):
            if operation.row.meaning not in ("call", "trap"):
                continue
            try:
                call = system_call(self.cubin, self.kernel, self.operations, index, constants)
            except UnsupportedOperation as error:
                self._problem(operation.address, str(error))
                continue
            texts = self.texts[call.op]
            yield operation.address, PlacedCall(call, len(texts))
            texts.append(Print(call.text, self._place(operation)))

    def _place(self, operation: SassOperation) -> Span:
        source = self.signature.source
        return self.spans.get(operation.address) or self.signature.span or Span(source, 1, 1)

    def _prepared(self) -> Iterator[PreparedOperation]:
        for operation in self.operations:
            try:
                yield self.builder.prepared(operation)
            except UnsupportedOperation as error:
                self._problem(operation.address, str(error))

    def _local_bytes(self) -> int:
        """Return the bytes of a thread's local memory, with a stack where functions are called whose depth nobody
        knows, or where ``alloca`` takes as much as it is told to."""
        frame = self.kernel.frame_bytes
        calls_with_frames = len(self.kernel.symbols) > 1 and frame
        return max(frame, STACK_BYTES if calls_with_frames or self._moves_the_stack() else 0)

    def _moves_the_stack(self) -> bool:
        """Return whether the code changes the stack pointer after it was set and, in a kernel with a frame, lowered."""
        written = [o.operands["d"] for o in self.operations if "d" in o.operands]
        times = sum(d.kind is OperandKind.REGISTER and d.index == STACK_POINTER for d in written)
        return times > (2 if self.kernel.frame_bytes else 1)

    # ---------------------------------------------------------------------------------------- the program

    def program(self) -> Program:
        """Return the whole program."""
        kernel, architecture = self.kernel, self.cubin.architecture
        instructions = tuple(self.builder.instruction(p, self._place(p.operation)) for p in self.prepared)
        instructions = with_checked_ends(instructions, kernel.name)
        bank_starts, constant_bytes = self._constant_banks()
        params, pointers, offsets = self.parameters
        has_variables = bool(self.cubin.device_bytes)
        rows64 = pointers + (1 if has_variables else 0)
        reason = f"it is compiled for sm_{architecture}"
        return Program(
            kernel=self.signature.name,
            source=self.signature.source,
            instructions=instructions,
            params=params,
            constants32=dict(self.rows.constants),
            constants64={},
            first_virtual32=self.rows.first,
            first_virtual64=rows64,
            rows32=self.layout.count,
            rows64=rows64,
            row_types32=self._row_types(),
            row_types64=(Type.U64,) * rows64,
            registers_per_thread=max(kernel.registers, self.encoding.least_registers),
            static_shared_bytes=self.static_shared_bytes,
            uses_dynamic_shared=True,
            local_bytes=self._local_bytes(),
            polls_grid=self.grid_barrier is not None,
            constant_bytes=constant_bytes,
            constant_symbols=self._variables(self.cubin.constant_variables, Space.CONST),
            device_bytes=self.cubin.device_bytes,
            device_symbols=self._variables(self.cubin.device_variables, Space.GLOBAL),
            device_pointers=tuple((a.offset, a.target) for a in self.cubin.pointers),
            device_row=pointers if has_variables else NONE,
            max_threads=kernel.max_threads,
            barriers=kernel.barriers,
            cluster=kernel.cluster,
            prints=tuple(self.texts[Op.PRINTF]),
            asserts=tuple(self.texts[Op.TRAP]),
            minimum_capability=divmod(architecture, 10),
            capability_reason=reason,
            last_capability=(architecture // 10, 9),
            last_capability_reason=reason,
            span=self.signature.span,
            options=(("compiler", "nvrtc"),),
            native=self._native(bank_starts, offsets),
            variables=self._shared_arrays(instructions),
            children=self._children(),
        )

    def _children(self) -> dict[int, ChildKernel]:
        """Return the kernels that the kernel launches, by number."""
        found = {number: self.cubin.kernels[number - 1] for number in self.kernel.launched}
        return {
            number: ChildKernel(demangled(kernel.name), tuple((p.offset, p.size) for p in kernel.parameters))
            for number, kernel in found.items()
        }

    def _native(self, bank_starts: dict[int, int], parameter_offsets: dict[str, int]) -> NativeProgram:
        """Return the facts of the program that only machine code has."""
        cubin, kernel = self.cubin, self.kernel
        return NativeProgram(
            name=f"SASS sm_{cubin.architecture}",
            architecture=cubin.architecture,
            words=tuple(word for word in self.rows.words if word.bank >= 0),
            parameter_base=kernel.parameter_base,
            parameter_offsets=parameter_offsets,
            bank_starts=bank_starts,
            addresses=tuple((a.offset, a.target) for a in (*cubin.addresses, *kernel.addresses)),
            shared_base=self.shared_base,
            registers=self.layout.names(),
            code=kernel.code,
            grid_barrier=self.grid_barrier,
            driver_shared_place=self.encoding.driver_shared_place if self._asks_for_shared_memory() else None,
        )

    def _asks_for_shared_memory(self) -> bool:
        """Return whether the kernel asks where the driver's own shared memory lies."""
        return reads_word(self.operations, self.encoding.driver_shared_place)

    def _constant_banks(self) -> tuple[dict[int, int], bytes]:
        """Return where each bank of constants begins in the program's constant memory, and the bytes of all of
        them: of the bank of the parameters, which the launch fills in, where a computed place of it is read. Where the
        variables alone are there, the memory ends with them, so that what lies behind is out of bounds."""
        starts, (image, own) = self.kernel.bank_starts, (self.kernel.banks.get(bank, b"") for bank in (3, 2))
        if own:
            image = image.ljust(starts[2], b"\0") + own
        places = (place for operation in self.operations for place in operation.operands.values())
        if all(place.computed_bank != BANK_OF_PARAMETERS for place in places):
            del starts[BANK_OF_PARAMETERS]
            return starts, image
        end = max((p.offset + p.size for p in self.kernel.parameters), default=0)
        return starts, image.ljust(starts[BANK_OF_PARAMETERS], b"\0") + bytes(self.kernel.parameter_base + end)

    def _row_types(self) -> tuple[Type, ...]:
        """Return the type of each row of 32-bit registers."""
        types = [Type.U32] * self.layout.count
        for row in range(self.layout.predicates, self.layout.barriers):
            types[row] = Type.PRED
        return tuple(types)

    def _shared_arrays(self, instructions: Sequence[Instruction]) -> tuple[ProgramVariable, ...]:
        """Return the arrays in shared memory, or all of it as one array of words where the cubin does not tell them.

        Its extent is open, as of an ``extern`` array, because the launch may add to it.
        """
        if not any(i.space == Space.SHARED for i in instructions):
            return ()
        known = shared_arrays(self.cubin.ptx, self.kernel.name, self.static_shared_bytes, self.signature.variables)
        words = ProgramVariable("shared", "unsigned int", Type.U32, space=Space.SHARED, dims=(0,), element_bytes=4)
        return known or (words,)

    def _variables(self, variables: Sequence[CubinVariable], space: Space) -> tuple[ProgramVariable, ...]:
        """Return variables as the source declares them, where that is known; else as so many bytes."""
        known, found = self.signature.variables, []
        for v in variables:
            name = self.variable_names[v.name]
            unknown = ProgramVariable(name, f"{v.size} bytes", Type.U8, space=space, element_bytes=v.size)
            owner = v.name if v.name.startswith("_ZZ") else ""  # as the mangled name has it
            found.append(replace(known.get(name, unknown), offset=v.offset, owner=owner))
        return tuple(found)

    def _params(self) -> tuple[tuple[Param, ...], int, dict[str, int]]:
        """Return parameters on rows of their own, the number of 64-bit rows, and their offsets by name."""
        names = list(self.signature.names or dict.fromkeys(param.name for param in self.signature.params))
        declared = parameter_names(self.signature.source.text, self.signature.name)
        if len(declared) == len(self.kernel.parameters) and set(names) < set(declared):
            names = declared  # of an empty struct there is nothing but the name
        if len(names) != len(self.kernel.parameters):
            raise CompileError([Diagnostic(
                f"{self.signature.name} has {len(self.kernel.parameters)} parameters, not {len(names)}",
                self.signature.span)])  # fmt: skip
        offsets = {name: p.offset for name, p in zip(names, self.kernel.parameters, strict=True)}
        wide = 0
        placed = []
        for param in self.signature.params:
            if param.type.is_wide:
                placed.append(replace(param, row=wide))
                wide += 1
            else:
                placed.append(replace(param, row=self.rows.constant(-1, len(placed), 1)))
        return tuple(placed), wide, offsets


def _base_name(path: str) -> str:
    return path.replace("\\", "/").split("/")[-1]


def parameter_names(source: str, kernel: str) -> list[str]:
    """Return the names of a kernel's parameters as its source declares them; empty where they are not found."""
    base = re.escape(kernel.split("<")[0].split("::")[-1])
    match = re.search(rf"\b{base}\s*\(([^)]*)\)\s*\{{", source)
    if match is None:
        return []
    declared = [re.sub(r"\[.*", "", part.split("=")[0]) for part in match[1].split(",") if part.strip()]
    return [re.findall(r"\w+", part)[-1] for part in declared]
