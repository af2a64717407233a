"""From a kernel of a cubin to a ``Program``: every operand becomes a row, every operation a ``NativeInstruction``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from warpview.diagnostics import CompileError, Diagnostic, SourceText, Span
from warpview.isa.native import NativeInstruction, NativeProgram, NativeSource
from warpview.isa.ops import AtomOp, BarRedOp, Op
from warpview.isa.program import NONE, Instruction, Param, Program, Special
from warpview.isa.program import Variable as ProgramVariable
from warpview.isa.types import Space, Type
from warpview.sass import fields as f
from warpview.sass import special
from warpview.sass.cubin import Cubin, Kernel, Variable
from warpview.sass.decoder import Kind, Operand, Operation, UnknownInstruction, decode
from warpview.sass.meanings import VARIANTS, Variant, variant_of
from warpview.sass.rows import Layout, Rows

ALL_ONES, SIGN = 0xFFFFFFFF, 0x80000000
FLOAT_MEANINGS = frozenset(
    {"fadd", "fmul", "ffma", "fmnmx", "fsel", "fsetp", "fset", "fchk", "mufu", "dadd", "dmul", "dfma", "dsetp", "f2i",
     "f2f", "frnd"}
)  # fmt: skip
INTEGER_SUMS = frozenset({"iadd3", "viadd", "imad", "viaddmnmx"})
SIZES = {0: Type.U8, 1: Type.S8, 2: Type.U16, 3: Type.S16, 4: Type.U32, 5: Type.U32, 6: Type.U32}
VECTORS = {5: 2, 6: 4}
ATOMICS = (AtomOp.ADD, AtomOp.MIN, AtomOp.MAX, AtomOp.INC, AtomOp.DEC, AtomOp.AND, AtomOp.OR, AtomOp.XOR, AtomOp.EXCH)
SPECIAL_ROWS = {
    special.LANEID: Special.LANEID, special.TID_X: Special.TID_X, special.TID_Y: Special.TID_Y,
    special.TID_Z: Special.TID_Z, special.CTAID_X: Special.CTAID_X, special.CTAID_Y: Special.CTAID_Y,
    special.CTAID_Z: Special.CTAID_Z,
}  # fmt: skip
LANE_MASKS = (special.EQMASK, special.LTMASK, special.LEMASK, special.GTMASK, special.GEMASK)
LEAST_REGISTERS = 16  # that an H200 gives a thread, as Nsight Compute reports for kernels compiled to fewer
STACK_BYTES = 1024  # of a kernel that calls functions whose depth nobody knows


@dataclass(frozen=True)
class Signature:
    """What is known of a kernel beside its cubin: its parameters by name, as the source declares them."""

    name: str
    params: tuple[Param, ...]
    source: SourceText
    span: Span | None = None
    variables: Mapping[str, ProgramVariable] = field(default_factory=dict)  # __constant__ and __device__, by name


def load_kernel(cubin: Cubin, kernel: Kernel, signature: Signature) -> Program:
    """The program of a kernel. Raises CompileError, naming each instruction that is not supported and its line."""
    loader = _Loader(cubin, kernel, signature)
    return loader.program()


class _Loader:
    def __init__(self, cubin: Cubin, kernel: Kernel, signature: Signature) -> None:
        self.cubin, self.kernel, self.signature = cubin, kernel, signature
        self.is_recent = cubin.architecture >= 90
        self.shared_base = 1024 if cubin.architecture >= 80 and self.is_recent else 0
        self.spans = self._spans()
        self.problems: dict[str, Diagnostic] = {}
        self.operations = self._decoded()
        self._fail()
        self.rows = Rows.of(self.operations, kernel.registers)
        # Constants are collected in a first pass; then registers have their places.
        self.layout = Layout(self.rows)
        for operation in self.operations:
            self._try(operation)
        self._fail()
        self.parameters = self._params()
        self.rows.close()

    # ---------------------------------------------------------------------------------------- errors, places

    def _fail(self) -> None:
        if self.problems:
            raise CompileError(list(self.problems.values()))

    def _problem(self, address: int, message: str) -> None:
        where = self.spans.get(address)
        self.problems.setdefault(
            message, Diagnostic(f"{message} is not supported in NVIDIA's machine code", where or self.signature.span)
        )

    def _spans(self) -> dict[int, Span]:
        """The place of the source by address; only lines of the kernel's own file have one."""
        source = self.signature.source
        own = source.name.replace("\\", "/").split("/")[-1]
        spans, places = {}, list(self.kernel.lines)
        current: Span | None = None
        for address in range(0, len(self.kernel.code), f.WORD_BYTES):
            while places and places[0].address <= address:
                place = places.pop(0)
                is_own = place.file.replace("\\", "/").split("/")[-1] == own
                if is_own and place.line:
                    text = source.line(place.line)
                    start = len(text) - len(text.lstrip()) + 1
                    current = Span(source, place.line, start, max(1, len(text.strip())))
            if current is not None:
                spans[address] = current
        return spans

    def _decoded(self) -> list[Operation]:
        code = self.kernel.code
        operations = []
        for address in range(0, len(code) - f.WORD_BYTES + 1, f.WORD_BYTES):
            word = int.from_bytes(code[address : address + f.WORD_BYTES], "little")
            try:
                operations.append(decode(word, address, 8 if self.is_recent else 0))
            except UnknownInstruction as error:
                self._problem(address, str(error))
        if not operations and not self.problems:
            self.problems[""] = Diagnostic(f"{self.kernel.name} has no instructions", self.signature.span)
        return operations

    def _try(self, operation: Operation) -> None:
        try:
            self._instruction(operation)
        except _Unsupported as error:
            self._problem(operation.address, str(error))

    # ---------------------------------------------------------------------------------------- the program

    def program(self) -> Program:
        """The whole program."""
        kernel = self.kernel
        banks = {bank: kernel.banks.get(bank, b"") for bank in (3, 2)}
        starts, image = {}, b""
        for bank, data in banks.items():
            starts[bank] = len(image)
            image += data.ljust(-(-len(data) // 256) * 256, b"\0")
        instructions = tuple(self._instruction(operation) for operation in self.operations)
        params, pointers, offsets = self.parameters
        local = max(kernel.frame_bytes, STACK_BYTES if len(kernel.symbols) > 1 and kernel.frame_bytes else 0)
        native = NativeProgram(
            name=f"SASS sm_{self.cubin.architecture}",
            architecture=self.cubin.architecture,
            words=tuple(word for word in self.rows.words if word.bank >= 0),
            parameter_base=kernel.parameter_base,
            parameter_offsets=offsets,
            bank_starts=starts,
            addresses=tuple((a.offset, a.target) for a in self.cubin.addresses),
            shared_base=self.shared_base,
            registers=self.layout.names(),
        )
        device_row = pointers if self.cubin.device_bytes else NONE
        rows64 = pointers + (1 if self.cubin.device_bytes else 0)
        first = self.rows.first
        types = [Type.U32] * self.layout.count
        for row in range(self.layout.predicates, self.layout.barriers):
            types[row] = Type.PRED
        major, minor = divmod(self.cubin.architecture, 10)
        return Program(
            kernel=self.signature.name,
            source=self.signature.source,
            instructions=instructions,
            params=params,
            constants32=dict(self.rows.constants),
            constants64={},
            first_virtual32=first,
            first_virtual64=rows64,
            rows32=self.layout.count,
            rows64=rows64,
            row_types32=tuple(types),
            row_types64=(Type.U64,) * rows64,
            registers_per_thread=max(kernel.registers, LEAST_REGISTERS if self.is_recent else 0),
            static_shared_bytes=max(0, kernel.shared_bytes - self.shared_base) if kernel.shared_bytes else 0,
            uses_dynamic_shared=True,
            local_bytes=local,
            constant_bytes=image,
            constant_symbols=self._variables(self.cubin.constant_variables, Space.CONST),
            device_bytes=self.cubin.device_bytes,
            device_symbols=self._variables(self.cubin.device_variables, Space.GLOBAL),
            device_row=device_row,
            max_threads=kernel.max_threads,
            minimum_capability=(major, minor),
            capability_reason=f"it is compiled for sm_{self.cubin.architecture}",
            last_capability=(major, 9),
            last_capability_reason=f"it is compiled for sm_{self.cubin.architecture}",
            span=self.signature.span,
            options=(("compiler", "nvrtc"),),
            native=native,
        )

    def _variables(self, variables: Sequence[Variable], space: Space) -> tuple[ProgramVariable, ...]:
        """Variables as the source declares them, where that is known; else as so many bytes."""
        known = self.signature.variables
        return tuple(
            replace(known[v.name], offset=v.offset)
            if v.name in known
            else ProgramVariable(v.name, f"{v.size} bytes", Type.U8, space=space, offset=v.offset, element_bytes=v.size)
            for v in variables
        )

    def _params(self) -> tuple[tuple[Param, ...], int, dict[str, int]]:
        """Parameters on rows of their own, the number of 64-bit rows, and their offsets by name."""
        names = list(dict.fromkeys(param.name for param in self.signature.params))
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

    # ---------------------------------------------------------------------------------------- operands

    def _source(self, operation: Operation, operand: Operand) -> NativeSource:
        """A source with its modifiers as masks; sums of integers add 1 for each that is negated (``_negations``)."""
        keep, flip = ALL_ONES, 0
        meaning = operation.row.meaning
        if operand.absolute:
            keep &= ~SIGN
        if operand.negated:
            if meaning in FLOAT_MEANINGS:
                flip = SIGN
            elif meaning in INTEGER_SUMS or (meaning == "lea" and operation.modifiers.get("x")):
                flip = ALL_ONES
            elif meaning != "halfconstant":
                raise _Unsupported(f"{operation.mnemonic} with a negated operand")
        return NativeSource(self._row(operation, operand), operand.span, keep, flip)

    def _row(self, operation: Operation, operand: Operand) -> int:
        """The first row of a source."""
        if operand.kind == Kind.IMMEDIATE:
            if operand.span == 2:
                if operation.row.meaning not in FLOAT_MEANINGS:
                    raise _Unsupported(f"{operation.mnemonic} with an immediate of 64 bits")
                return self.rows.immediate(0, operand.index)
            return self.rows.immediate(operand.index)
        if operand.kind == Kind.CONSTANT:
            return self._constant(operation, operand.index >> 16, operand.index & 0xFFFF, operand.span)
        return self.layout.row(operand)

    def _constant(self, operation: Operation, bank: int, offset: int, span: int) -> int:
        if bank not in (0, 2, 3, 4):
            raise _Unsupported(f"constant bank {bank}")
        known = len(self.kernel.banks.get(bank, b""))
        if offset % 4 or offset + 4 * span > max(known, 4 * span):
            raise _Unsupported(f"{operation.mnemonic} beyond constant bank {bank}")
        return self.rows.constant(bank, offset, span)

    def _predicate(self, operand: Operand) -> NativeSource:
        return NativeSource(self.layout.row(operand), flip=int(operand.negated))

    def _guard(self, operation: Operation) -> tuple[int, bool]:
        """Row and negation of the guard, with the further predicate of a branch; NONE where it always holds."""
        guard, further = operation.guard, operation.operands.get("p")
        if operation.row.meaning in ("bra", "exit", "break") and further is not None and _always(guard):
            guard = further
        if guard.is_true:
            return (self.rows.zero, False) if guard.negated else (NONE, False)
        return self.layout.row(guard), guard.negated

    def _second_guard(self, operation: Operation) -> NativeSource | None:
        """The further predicate of a branch that has a guard as well."""
        further = operation.operands.get("p")
        if operation.row.meaning not in ("bra", "exit", "break") or further is None:
            return None
        if _always(operation.guard) or _always(further):
            return None
        if operation.row.meaning != "bra":
            raise _Unsupported(f"{operation.mnemonic} with two predicates")
        return self._predicate(further)

    # ---------------------------------------------------------------------------------------- instructions

    def _instruction(self, operation: Operation) -> Instruction:
        row, m = operation.row, operation.modifiers
        meaning, imm, extra, variant = self._meaning(operation)
        if variant not in VARIANTS[meaning]:
            raise _Unsupported(operation.mnemonic)
        operands = operation.operands
        sources = {k: self._source(operation, operands[k]) for k in "abcst" if k in operands}
        if meaning == "mov" and "x" in operands:
            sources = {"b": NativeSource(self._row(operation, operands["x"]))}
        sources |= self._special_sources(operation, meaning)
        predicates = {
            k: self._predicate(operands[k]) for k in "pqr" if k in operands and row.meaning not in ("bra", "exit")
        }
        results = self._results(operation)
        guard, negated = self._guard(operation)
        address = operands.get("m") or (operands.get("x") if meaning == "memory" else None)
        space = Space.CONST if row.meaning == "ldc" and meaning == "memory" else row.space
        op = Op.LD if space == Space.CONST else self._op(operation, meaning)
        type_, vec = self._type(operation)
        span = self.spans.get(operation.address) or self.signature.span or Span(self.signature.source, 1, 1)
        uniform_row = NONE
        srcs: tuple[int, ...] = ()
        if address is not None:
            register, uniform, imm = self._address(operation, address, space)
            uniform_row = uniform
            srcs = (register, *(sources[k].row for k in "st" if k in sources))
            if row.name == "ATOMS.POPC.INC.32":
                srcs = (register, self.rows.immediate(1))
            extra = int(m.get("test") == 3)
        elif op == Op.WARPSYNC:
            srcs = (self._members(operation),)
        elif op == Op.BAR_RED:
            if operands["p"].negated:
                raise _Unsupported("BAR.RED with a negated predicate")
            srcs = (self.layout.row(operands["p"]),)
        dst = results["d"][0] if "d" in results else NONE
        if op == Op.BAR_RED:
            dst = self.layout.result
        if op in (Op.RED, Op.ST):
            dst = NONE
        if op == Op.ATOM and operands["d"].is_zero and m.get("test") is None:
            op, dst = (Op.ATOM, NONE)
        reads, writes = self._scoreboard(operation, sources, predicates, results, srcs, address)
        native = NativeInstruction(
            text=operation.text,
            mnemonic=operation.mnemonic,
            explanation=row.explanation,
            address=operation.address,
            meaning=meaning,
            unit=int(row.unit),
            variant=variant,
            sources=sources,
            predicates=predicates,
            results=results,
            imm=imm,
            extra=extra,
            wide_address=address is not None and address.kind == Kind.ADDRESS and address.span == 2,
            is_uniform=_writes_uniform(operation),
            second_guard=self._second_guard(operation),
            meets=self._source(operation, operands["b"]) if meaning == "bra" and "b" in operands else None,
            uniform_row=uniform_row,
            reads=reads,
            writes=writes,
            stall=operation.control.stall,
            yields=operation.control.yields,
            write_barrier=operation.control.writes,
            read_barrier=operation.control.reads,
            waits=operation.control.waits,
        )
        return Instruction(
            op=op, type=type_, stype=type_, mod=self._mod(operation), space=space, dst=dst, srcs=srcs, guard=guard,
            guard_negated=negated, imm=imm, vec=vec, target=self._target(operation), reconvergence=NONE, span=span,
            read_only=m.get("order") == 4, cached=m.get("order", 0) in (0, 4), native=native,
        )  # fmt: skip

    def _meaning(self, operation: Operation) -> tuple[str, int, int, Variant]:
        """(meaning, number, second number, variant): what the operation means once its operands are known."""
        m, operands, meaning = operation.modifiers, operation.operands, operation.row.meaning
        imm = m.get("lut", m.get("shift", m.get("compare", 0)))
        if meaning == "dsetp" and imm in (0, 15):
            return "dminmax", 0, m["boolean"], (int(imm == 15),)
        extra = m.get("boolean", 0)
        if meaning in INTEGER_SUMS and not m.get("x"):
            extra = sum(1 for k in "abc" if k in operands and operands[k].negated)
            if meaning == "viaddmnmx" and operands["c"].negated:
                raise _Unsupported(f"{operation.mnemonic} with a negated limit")
            if meaning == "imad" and (operands["a"].negated or operands["b"].negated):
                raise _Unsupported(f"{operation.mnemonic} with a negated factor")
        if meaning == "plop3":
            imm, extra = operands["n"].index, operands["N"].index
        if meaning in ("p2r", "r2p"):
            imm = operands["i"].index
        if meaning == "halfconstant" and not (
            operands["a"].is_zero and operands["b"].is_zero and operands["c"].kind == Kind.IMMEDIATE
        ):
            raise _Unsupported(f"{operation.mnemonic} on numbers of 16 bits")
        if meaning == "imad" and not operands["u"].is_true:
            raise _Unsupported(f"{operation.mnemonic} with a carry out")
        if meaning in ("lop3",) and not (operands["p"].is_true and operands["p"].negated):
            raise _Unsupported(f"{operation.mnemonic} with a predicate")
        if meaning == "flo" and not operands["u"].is_true:
            raise _Unsupported(f"{operation.mnemonic} with a predicate")
        if meaning in ("bmov", "bmovclear"):
            extra = 0
        if meaning == "ldc":
            return self._constant_load(operation)
        if meaning == "s2r":
            return self._special_register(operation)
        return meaning, imm, extra, variant_of(operation, meaning)

    def _constant_load(self, operation: Operation) -> tuple[str, int, int, Variant]:
        """A load from constant memory: from a fixed place a copy, from a computed one an access."""
        place, size = operation.operands["x"], operation.modifiers["size"]
        if operation.modifiers.get("mode"):
            raise _Unsupported(f"{operation.mnemonic} with another mode")
        if place.uniform is not None:
            if place.index >> 16 not in (2, 3):
                raise _Unsupported(f"{operation.mnemonic} at a computed place among the parameters")
            return "memory", 0, 0, ()
        if size < 4:
            return "narrow", 8 * (place.index & 3), 0, (size,)
        return {1: "mov", 2: "mov2", 4: "mov4"}[place.span], 0, 0, ()

    def _special_register(self, operation: Operation) -> tuple[str, int, int, Variant]:
        number = operation.operands["S"].index
        if number in SPECIAL_ROWS or number in (special.CGA_CTA_ID, special.ZERO):
            return ("mov2" if operation.operands["d"].span == 2 else "mov"), 0, 0, ()
        if number in LANE_MASKS:
            return "lanemask", 0, 0, (LANE_MASKS.index(number),)
        if number in (special.CLOCKLO, special.CLOCKHI):
            return "clock", 32 if number == special.CLOCKHI else 0, 0, (operation.operands["d"].span - 1,)
        raise _Unsupported(f"special register {special.SPECIAL_REGISTERS[number]}")

    def _special_sources(self, operation: Operation, meaning: str) -> dict[str, NativeSource]:
        """Sources that stand in no operand field of their own."""
        row, operands = operation.row, operation.operands
        if row.meaning == "s2r" and meaning in ("mov", "mov2"):
            number = operands["S"].index
            return {"b": NativeSource(SPECIAL_ROWS.get(number, self.rows.zero), operands["d"].span)}
        if row.meaning == "ldc" and meaning != "memory":
            place = operands["x"]
            bank, offset = place.index >> 16, place.index & 0xFFFF
            start = self._constant(operation, bank, offset & ~3, place.span)
            return {"b": NativeSource(start, place.span)}
        if meaning == "shfl":
            return {"b": self._source(operation, operands["n"]), "c": self._source(operation, operands["N"])}
        if meaning == "b2r":
            return {"b": NativeSource(self.layout.result)}
        if meaning in ("bmovclear", "break"):
            return {"b": NativeSource(self.layout.row(operands["Bs" if meaning == "bmovclear" else "B"]))}
        if meaning in ("p2r", "r2p"):
            return {"c": NativeSource(self.layout.predicates)}
        return {}

    def _results(self, operation: Operation) -> dict[str, tuple[int, int]]:
        operands = operation.operands
        results = {}
        for letter in "duv":
            operand = operands.get(letter)
            if operand is None or (letter != "d" and operand.is_true):
                continue
            results[letter] = (self.layout.destination(operand), operand.span)
        if operation.row.meaning == "bssy":
            results["d"] = (self.layout.row(operands["B"]), 1)
        if operation.row.meaning == "bmov":
            results["d"] = (self.layout.row(operands["Bd"]), 1)
        return results

    def _address(self, operation: Operation, address: Operand, space: Space) -> tuple[int, int, int]:
        """(row of the register, row of the uniform register or NONE, offset)."""
        if address.kind == Kind.CONSTANT:
            bank, offset = address.index >> 16, address.index & 0xFFFF
            starts = {3: 0, 2: -(-len(self.kernel.banks.get(3, b"")) // 256) * 256}
            assert address.uniform is not None
            return self.layout.row(Operand(Kind.REGISTER, address.uniform)), NONE, starts[bank] + offset
        register = self.rows.zero if address.index == f.RZ else self.layout.row(address)
        uniform = NONE if address.uniform is None else self.layout.uniform + address.uniform
        offset = address.offset - (self.shared_base if space == Space.SHARED else 0)
        return register, uniform, offset

    def _members(self, operation: Operation) -> int:
        """The row of the lanes that a barrier of the warp waits for."""
        if operation.row.meaning == "bsync":
            return self.layout.row(operation.operands["B"])
        if "b" in operation.operands:
            return self._row(operation, operation.operands["b"])
        return self.rows.immediate(ALL_ONES)

    def _op(self, operation: Operation, meaning: str) -> Op:
        row = operation.row
        if row.name == "BAR":
            return Op.BAR_RED if operation.modifiers["mode"] == 2 else Op.BAR_SYNC
        if row.meaning in ("shfl", "vote", "match", "redux"):
            return Op.NATIVE
        return row.op

    def _type(self, operation: Operation) -> tuple[Type, int]:
        """Type and vector width of a memory instruction."""
        m, row = operation.modifiers, operation.row
        if row.meaning not in ("memory", "ldc"):
            return Type.U32, 1
        if "type" in m:
            text = next(x.texts for x in row.modifiers if x.name == "type")[m["type"]] or ""
            kinds = {"": Type.U32, ".S32": Type.S32, ".64": Type.U64, ".S64": Type.S64, ".F32.FTZ.RN": Type.F32,
                     ".F64.RN": Type.F64}  # fmt: skip
            return kinds[text], 1
        return SIZES[m.get("size", 4)], VECTORS.get(m.get("size", 4), 1)

    def _mod(self, operation: Operation) -> int:
        """The operation of an atomic or of a barrier's reduction."""
        row, m = operation.row, operation.modifiers
        if row.name == "BAR":
            return (BarRedOp.POPC, BarRedOp.AND, BarRedOp.OR)[m["reduce"]] if m["mode"] == 2 else 0
        if row.op not in (Op.ATOM, Op.RED):
            return 0
        if "t" in operation.operands:
            return AtomOp.CAS
        return ATOMICS[m["atomic"]] if "atomic" in m else AtomOp.ADD

    def _target(self, operation: Operation) -> int:
        operand = operation.operands.get("L")
        if operand is None or operation.row.meaning in ("bssy", "warpsync"):
            return NONE
        index = operand.index // f.WORD_BYTES
        if operation.row.meaning == "ret":
            return index
        if operand.index % f.WORD_BYTES or not 0 <= index < len(self.operations):
            raise _Unsupported(f"{operation.mnemonic} to a place outside the kernel")
        return index

    def _scoreboard(
        self, operation: Operation, sources: Mapping[str, NativeSource], predicates: Mapping[str, NativeSource],
        results: Mapping[str, tuple[int, int]], srcs: Sequence[int], address: Operand | None,
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:  # fmt: skip
        """The rows that the instruction reads and writes."""
        reads = [source.row + k for source in sources.values() for k in range(source.span)]
        reads += [source.row for source in predicates.values()]
        reads += srcs
        if address is not None:
            reads += [srcs[0] + k for k in range(address.span)]
        writes = [first + k for first, span in results.values() for k in range(span)]
        return tuple(sorted(set(reads))), tuple(sorted(set(writes)))


def _always(predicate: Operand) -> bool:
    return predicate.is_true and not predicate.negated


def _writes_uniform(operation: Operation) -> bool:
    """Whether the results are the warp's, not a lane's."""
    first = operation.row.operands[:1]
    return bool(first) and first[0].startswith("u") and first[0] != "u"


class _Unsupported(Exception):
    """An operation that is decoded but whose meaning nobody has written down; the message names it."""


def parameter_names(source: str, kernel: str) -> list[str]:
    """The names of a kernel's parameters as its source declares them; empty where they are not found."""
    base = re.escape(kernel.split("<")[0].split("::")[-1])
    match = re.search(rf"\b{base}\s*\(([^)]*)\)\s*\{{", source)
    if match is None:
        return []
    return [
        re.sub(r"\[.*", "", part).split("=")[0].split()[-1].lstrip("*&") for part in match[1].split(",") if part.strip()
    ]
