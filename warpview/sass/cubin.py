"""Read a cubin: kernels, their code, parameters, constants, variables and source lines.

A cubin is an ELF file; its sections and attributes are named in NVIDIA's *CUDA Binary Utilities*. It is data and may be
truncated or hostile: whatever does not fit raises WarpviewError.
"""

from __future__ import annotations

import io
import struct
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from elftools.common.exceptions import DWARFError, ELFError, ELFParseError
from elftools.construct.core import ConstructError
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import Relocation, RelocationSection
from elftools.elf.sections import Section, Symbol, SymbolTableSection

from warpview.diagnostics import WarpviewError
from warpview.sass import fields, linking
from warpview.sass.cubin_attributes import KernelAttributes, KernelParameter, common_attributes
from warpview.sass.cubin_lines import LinePlace, line_places

T = TypeVar("T")

MOST_BYTES = 64 << 20
MOST_REGISTERS = 255  # of a thread, in every instruction format
BANK_OF_PARAMETERS, IMAGE_ALIGNMENT = 0, 256  # of constant memory
BAD = (ELFError, ELFParseError, DWARFError, ConstructError, struct.error, ValueError, KeyError, IndexError, TypeError,
       AttributeError, AssertionError, ArithmeticError, UnicodeError, EOFError, MemoryError)  # fmt: skip


@dataclass(frozen=True)
class CodeSymbol:
    """Describe a name in the code of a kernel: the kernel itself, or a function that it calls."""

    name: str
    address: int
    size: int


@dataclass(frozen=True)
class AddressConstant:
    """Describe a word of constant bank 4 that holds the address of the byte ``target`` of the device variables."""

    offset: int
    target: int


@dataclass(frozen=True)
class CubinKernel:
    """Describe a kernel of a cubin. ``name`` is mangled; sizes are bytes; ``banks`` hold constant memory by bank
    number."""

    name: str
    code: bytes
    registers: int
    frame_bytes: int
    shared_bytes: int
    parameter_base: int
    parameters: tuple[KernelParameter, ...]
    banks: Mapping[int, bytes]
    symbols: tuple[CodeSymbol, ...]
    lines: tuple[LinePlace, ...]
    max_threads: int = 0
    cluster: tuple[int, int, int] | None = None
    # Words of constant bank 4 that this kernel alone has: addresses that its code lacked.
    addresses: tuple[AddressConstant, ...] = ()
    unplaced: tuple[tuple[int, str], ...] = ()  # places in the code that lack the address of a variable, and its name
    system_calls: Mapping[int, str] = field(default_factory=dict)  # of linked code, by their place in the code
    launched: tuple[int, ...] = ()  # the kernels that it launches, by their number in the cubin, from 1 on
    barriers: int = 0  # of the hardware that a block uses; 0 where the cubin does not say

    @property
    def bank_starts(self) -> dict[int, int]:
        """Return where the banks that code may read computed places of lie in one image, by their numbers."""
        sizes = {bank: -(-len(self.banks.get(bank, b"")) // IMAGE_ALIGNMENT) * IMAGE_ALIGNMENT for bank in (3, 2)}
        return {3: 0, 2: sizes[3], BANK_OF_PARAMETERS: sizes[3] + sizes[2]}


@dataclass(frozen=True)
class CubinVariable:
    """Describe a ``__device__`` or ``__constant__`` variable: its place in device memory, or in constant bank 3."""

    name: str
    offset: int
    size: int


@dataclass(frozen=True)
class Cubin:
    """Hold a loaded cubin."""

    architecture: int
    kernels: tuple[CubinKernel, ...]
    device_bytes: bytes
    device_variables: tuple[CubinVariable, ...]
    constant_variables: tuple[CubinVariable, ...]
    addresses: tuple[AddressConstant, ...]
    system_functions: Mapping[int, str]  # by the offset of their address in constant bank 4
    pointers: tuple[AddressConstant, ...] = ()  # words of the device variables that begin as addresses of others
    unknown_values: tuple[str, ...] = ()  # variables that begin as an address of another kind
    ptx: str = ""  # that the code was assembled from, where the cubin has its lines


def load(data: bytes) -> Cubin:
    """Return the kernels of a cubin. Raises WarpviewError where it is none, or is damaged."""
    if len(data) > MOST_BYTES:
        raise WarpviewError(f"the cubin is larger than {MOST_BYTES >> 20} MiB")
    if data[:4] != b"\x7fELF":
        raise WarpviewError("this is not a cubin: it does not begin like an ELF file")
    try:
        return _Reader(data).cubin()
    except WarpviewError:
        raise
    except BAD as error:
        raise WarpviewError(f"the cubin is damaged: {error or type(error).__name__}") from None


@dataclass
class _Reader:
    data: bytes
    _elf: ELFFile = field(init=False)
    _relocations: dict[str, list[Relocation]] = field(default_factory=dict)  # of code that was looked at

    def __post_init__(self) -> None:
        self._elf = ELFFile(io.BytesIO(self.data))
        if self._elf["e_machine"] not in ("EM_CUDA", 190):
            raise WarpviewError("this ELF file holds no NVIDIA machine code")

    @property
    def architecture(self) -> int:
        flags: int = self._elf["e_flags"]
        # The byte moved when CUDA 13 introduced version 8 of the format.
        return flags >> 8 & 0xFF if self._elf.header["e_ident"]["EI_ABIVERSION"] >= 8 else flags & 0xFF

    @cached_property
    def sections(self) -> dict[str, Section]:
        found = {}
        for section in self._elf.iter_sections():
            if section["sh_type"] != "SHT_NOBITS" and section["sh_offset"] + section["sh_size"] > len(self.data):
                raise WarpviewError(f"the cubin is damaged: section {section.name} lies beyond its end")
            found[section.name] = section
        return found

    @cached_property
    def _section_names(self) -> list[str]:
        return [section.name for section in self._elf.iter_sections()]

    @cached_property
    def _section_numbers(self) -> dict[str, int]:
        return {name: number for number, name in reversed(list(enumerate(self._section_names)))}

    @cached_property
    def symbols(self) -> list[Symbol]:
        table = self.sections.get(".symtab")
        if not isinstance(table, SymbolTableSection):
            raise WarpviewError("the cubin is damaged: it has no symbols")
        return list(table.iter_symbols())

    @cached_property
    def _symbols_by_section(self) -> dict[int | str, list[Symbol]]:
        found: dict[int | str, list[Symbol]] = defaultdict(list)
        for symbol in self.symbols:
            found[symbol["st_shndx"]].append(symbol)
        return found

    def _symbols_of(self, section: str, kind: str) -> list[Symbol]:
        """Return the symbols of a kind that lie in a section, if the cubin has it."""
        found = self._symbols_by_section.get(self._index_of(section), [])
        return [symbol for symbol in found if symbol["st_info"]["type"] == kind]

    @cached_property
    def _symbol_numbers(self) -> dict[str, int]:
        return {symbol.name: number for number, symbol in reversed(list(enumerate(self.symbols)))}

    def bytes_of(self, name: str) -> bytes:
        """Return the contents of a section; empty where there is none."""
        section = self.sections.get(name)
        if section is None or section["sh_type"] == "SHT_NOBITS":
            return b""
        contents: bytes = section.data()
        return contents

    def cubin(self) -> Cubin:
        initialised = self.bytes_of(".nv.global.init")
        zeros = self.sections.get(".nv.global")
        size = 0 if zeros is None else int(zeros["sh_size"])
        if size > MOST_BYTES * 16:
            raise WarpviewError("the cubin is damaged: its variables do not fit any device")
        self._zeros_at = -(-len(initialised) // 256) * 256
        initialised = linking.with_function_addresses(initialised, self._function_addresses)
        device = initialised.ljust(self._zeros_at, b"\0") + bytes(size)
        return Cubin(
            self.architecture,
            tuple(self._kernel(name) for name in self._kernel_names),
            device,
            tuple(self._variables(".nv.global.init", 0)) + tuple(self._variables(".nv.global", self._zeros_at)),
            tuple(self._variables(".nv.constant3", 0)),
            tuple(self._addresses(".nv.constant4")),
            self._system_functions,
            tuple(self._addresses(".nv.global.init")),
            tuple(dict.fromkeys(self._unknown_values())),
            self.bytes_of(".nv_debug_ptx_txt").replace(b"\0", b"\n").decode("ascii", "replace"),
        )

    def _index_of(self, name: str) -> int:
        return self._section_numbers.get(name, -1)

    @cached_property
    def _kernel_names(self) -> list[str]:
        names = [name[6:] for name in self.sections if name.startswith(".text.")]
        return [name for name in names if self._is_kernel(name)]

    def _is_kernel(self, name: str) -> bool:
        return f".nv.info.{name}" in self.sections and f".nv.constant0.{name}" in self.sections

    def _variables(self, section: str, base: int) -> Iterator[CubinVariable]:
        for symbol in self._symbols_of(section, "STT_OBJECT"):
            yield CubinVariable(symbol.name, base + symbol["st_value"], symbol["st_size"])

    def _address_relocations(self, section: str) -> Iterator[tuple[Relocation, Symbol]]:
        """Yield what the words of a section refer to, such as those of constant bank 4."""
        relocations = self.sections.get(f".rela{section}") or self.sections.get(f".rel{section}")
        if isinstance(relocations, RelocationSection):
            for entry in relocations.iter_relocations():
                if entry["r_offset"] + 8 > self.sections[section]["sh_size"]:
                    raise WarpviewError(f"the cubin is damaged: an address lies beyond the end of {section}")
                yield entry, self.symbols[entry["r_info_sym"]]

    @cached_property
    def _system_functions(self) -> dict[int, str]:
        """The names of the functions that the cubin does not have, and the driver provides, by the offset of their
        addresses."""
        found = self._address_relocations(".nv.constant4")
        return {entry["r_offset"]: symbol.name for entry, symbol in found if symbol["st_shndx"] == "SHN_UNDEF"}

    def _addresses(self, section: str) -> Iterator[AddressConstant]:
        """Yield the words of a section that hold addresses of device variables."""
        bases = self._bases
        for entry, symbol in self._address_relocations(section):
            addend = entry.entry.get("r_addend", 0) or 0
            if symbol["st_shndx"] in bases:
                yield AddressConstant(entry["r_offset"], bases[symbol["st_shndx"]] + symbol["st_value"] + addend)

    @property
    def _bases(self) -> dict[int, int]:
        """Return where the sections of device variables begin in ``device_bytes``, by index."""
        return {self._index_of(".nv.global.init"): 0, self._index_of(".nv.global"): self._zeros_at}

    def _functions_in_variables(self) -> Iterator[tuple[int, str, int]]:
        """Yield where device variables hold addresses in sections of functions: the section, and the place in it."""
        for entry, symbol in self._address_relocations(".nv.global.init"):
            index = symbol["st_shndx"]
            name = self._section_names[index] if isinstance(index, int) else ""
            if name.startswith(".text.") and name[6:] not in self._kernel_names:
                yield entry["r_offset"], name[6:], symbol["st_value"] + (entry.entry.get("r_addend", 0) or 0)

    @cached_property
    def _function_places(self) -> dict[str, int]:
        """Return where functions lie in the code of every kernel, if variables hold addresses of some."""
        sizes = {name[6:]: self.sections[name]["sh_size"] for name in self.sections if name.startswith(".text.")}
        return linking.common_places(sizes, self._kernel_names) if any(self._functions_in_variables()) else {}

    @cached_property
    def _function_addresses(self) -> dict[int, int]:
        return {at: self._function_places[name] + place for at, name, place in self._functions_in_variables()}

    def _unknown_values(self) -> Iterator[str]:
        """Yield the variables whose initial values only a linker or the driver knows: addresses in constant memory,
        and of what is no device variable."""
        for section, known in ((".nv.global.init", self._bases), (".nv.constant3", {})):
            for entry, symbol in self._address_relocations(section):
                is_function = section == ".nv.global.init" and entry["r_offset"] in self._function_addresses
                if symbol["st_shndx"] not in known and not is_function:
                    holders = (v for v in self._variables(section, 0) if v.offset <= entry["r_offset"])
                    yield max(holders, key=lambda v: v.offset).name

    # ---------------------------------------------------------------------------------------- kernels

    def _kernel(self, name: str) -> CubinKernel:
        found = self._attributes(name)
        registers = found.registers or self.sections[f".text.{name}"]["sh_info"] >> 24
        if registers > MOST_REGISTERS:
            raise WarpviewError(f"the cubin is damaged: its kernel {name} has {registers} registers")
        shared = self.sections.get(f".nv.shared.{name}")
        code, starts = linking.linked(
            name, lambda section: self.bytes_of(f".text.{section}"), self._code_relocations, self.architecture,
            calls_system=bool(self._system_functions), places=self._function_places,
        )  # fmt: skip
        launched = list(_of_each(self._kernel_addresses, starts))
        code = linking.with_kernel_numbers(code, launched)
        system_calls = dict(_of_each(self._system_calls, starts))
        code = linking.with_calls_by_register(code, tuple(system_calls))
        banks = self._banks(name)
        lacking = list(_of_each(self._lacking, starts))
        code, offsets, unplaced = linking.with_addresses(code, lacking, len(banks[linking.ADDRESS_BANK]))
        addresses = tuple(AddressConstant(offset, target) for target, offset in offsets.items())
        banks[linking.ADDRESS_BANK] = banks[linking.ADDRESS_BANK].ljust(
            max((a.offset + 8 for a in addresses), default=0), b"\0"
        )
        return CubinKernel(
            name,
            code,
            registers,
            found.frame_bytes,
            0 if shared is None else int(shared["sh_size"]),
            found.parameter_base,
            found.parameters,
            banks,
            tuple(_of_each(self._code_symbols, starts)),
            tuple(sorted(self._all_lines.get(name, []), key=lambda place: place.address)),
            found.max_threads,
            found.cluster,
            addresses,
            unplaced,
            system_calls,
            tuple(dict.fromkeys(address.number for address in launched)),
            found.barriers,
        )

    def _attributes(self, name: str) -> KernelAttributes:
        symbol = self._symbol_numbers.get(name, -1)
        return KernelAttributes.read(self.bytes_of(f".nv.info.{name}"), self._common_attributes.get(symbol, {}))

    @cached_property
    def _common_attributes(self) -> dict[int, dict[int, int]]:
        return common_attributes(self.bytes_of(".nv.info"))

    def _banks(self, name: str) -> dict[int, bytes]:
        """Return the constant memory of a kernel by bank number; banks 3 and 4 are those of all kernels."""
        common = {bank: self.bytes_of(f".nv.constant{bank}") for bank in (3, 4)}
        return {bank: self.bytes_of(f".nv.constant{bank}.{name}") for bank in (0, 2)} | common

    def _code_symbols(self, name: str, start: int) -> Iterator[CodeSymbol]:
        for symbol in self._symbols_of(f".text.{name}", "STT_FUNC"):
            yield CodeSymbol(symbol.name, start + symbol["st_value"], symbol["st_size"])

    def _relocations_of_code(self, name: str) -> list[Relocation]:
        if name not in self._relocations:
            tables = [self.sections.get(f"{kind}.text.{name}") for kind in (".rela", ".rel")]
            found = [e for table in tables if isinstance(table, RelocationSection) for e in table.iter_relocations()]
            self._relocations[name] = found
        return self._relocations[name]

    def _lacking(self, name: str, start: int) -> Iterator[linking.LackingAddress]:
        """Yield where the code of a section, which begins at ``start``, lacks the address of a device variable. NVRTC
        keeps these in constant memory; an assembler leaves them to the driver."""
        bases = self._bases
        for entry in self._relocations_of_code(name):
            symbol = self.symbols[entry["r_info_sym"]]
            if symbol["st_shndx"] in bases:
                target = bases[symbol["st_shndx"]] + symbol["st_value"] + (entry.entry.get("r_addend", 0) or 0)
                yield linking.LackingAddress(start + entry["r_offset"], entry["r_info_type"], target, symbol.name)

    def _system_calls(self, name: str, start: int) -> Iterator[tuple[int, str]]:
        """Yield where the code of a section, which begins at ``start``, calls functions of the driver by address."""
        code = self.bytes_of(f".text.{name}")
        for entry in self._relocations_of_code(name):
            symbol, place = self.symbols[entry["r_info_sym"]], entry["r_offset"]
            word = int.from_bytes(code[place : place + fields.WORD_BYTES], "little")
            if symbol["st_shndx"] == "SHN_UNDEF" and fields.OPCODE.of(word) == linking.CALL_ABSOLUTE:
                yield start + place, symbol.name

    def _kernel_addresses(self, name: str, start: int) -> Iterator[linking.KernelAddress]:
        """Yield where the code of a section, which begins at ``start``, has the address of a kernel."""
        for entry in self._relocations_of_code(name):
            symbol = self.symbols[entry["r_info_sym"]]
            if entry["r_info_type"] in (linking.KERNEL_LOW, linking.KERNEL_HIGH) and symbol.name in self._kernel_names:
                number = self._kernel_names.index(symbol.name) + 1
                yield linking.KernelAddress(start + entry["r_offset"], entry["r_info_type"], number)

    def _code_relocations(self, name: str) -> list[linking.CodeRelocation]:
        """Return what the code of a section refers to in sections of code."""
        entries = self._relocations_of_code(name)
        found = []
        for entry in entries:
            symbol = self.symbols[entry["r_info_sym"]]
            index = symbol["st_shndx"]
            of_kernel = entry["r_info_type"] in (linking.KERNEL_LOW, linking.KERNEL_HIGH)
            if isinstance(index, int) and self._section_names[index].startswith(".text.") and not of_kernel:
                target = symbol["st_value"] + entry.entry.get("r_addend", 0)
                section = self._section_names[index].removeprefix(".text.")
                found.append(linking.CodeRelocation(entry["r_offset"], entry["r_info_type"], section, target))
        return found

    @cached_property
    def _all_lines(self) -> dict[str, list[LinePlace]]:
        return line_places(self._elf, self.sections, self.symbols)


def _of_each(facts_of: Callable[[str, int], Iterable[T]], starts: Mapping[str, int]) -> Iterator[T]:
    """Yield the facts of each section of linked code, given where it begins."""
    return (fact for section, start in starts.items() for fact in facts_of(section, start))
