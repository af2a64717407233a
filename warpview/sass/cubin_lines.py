"""Read the line table of a cubin: which line of which file each instruction of a kernel comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from elftools.dwarf.structs import DWARFStructs
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import Section, Symbol

LINE_TABLE_VERSIONS = range(2, 5)  # of DWARF; in later ones a damaged count would be read for ever


@dataclass(frozen=True)
class LinePlace:
    """Name the line of a source file from a byte address of the code on."""

    address: int
    file: str
    line: int


def line_places(
    elf: ELFFile, sections: Mapping[str, Section], symbols: Sequence[Symbol]
) -> dict[str, list[LinePlace]]:  # fmt: skip
    """Return the places of every kernel, by its mangled name: its sequences of the line table are told apart by their
    relocations. Raises ValueError where the table has a version that cannot be read."""
    found: dict[str, list[LinePlace]] = {}
    relocations = sections.get(".rela.debug_line") or sections.get(".rel.debug_line")
    if not isinstance(relocations, RelocationSection) or ".debug_line" not in sections:
        return found
    entries = sorted(relocations.iter_relocations(), key=lambda entry: int(entry["r_offset"]))
    owners = [symbols[entry["r_info_sym"]] for entry in entries]
    dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)
    table = dwarf.debug_line_sec
    if table is None:
        return found
    structs = DWARFStructs(little_endian=True, dwarf_format=32, address_size=8)
    offset, sequence = 0, 0
    while offset < table.size:
        version = int.from_bytes(sections[".debug_line"].data()[offset + 4 : offset + 6], "little")
        if version not in LINE_TABLE_VERSIONS:
            raise ValueError(f"its line table has version {version}")
        program = dwarf._parse_line_program_at_offset(offset, structs)
        files = _file_names(program.header)
        for entry in program.get_entries():
            state = entry.state
            if state is None:
                continue
            if state.end_sequence:
                sequence += 1
            elif sequence < len(owners) and 1 <= state.file <= len(files):
                place = LinePlace(owners[sequence]["st_value"] + state.address, files[state.file - 1], state.line)
                found.setdefault(owners[sequence].name, []).append(place)
        offset += program.header["unit_length"] + 4
    return found


def _file_names(header: Mapping[str, Any]) -> list[str]:
    """Return the files of a line table, with their folders where it names them."""
    folders = ["", *(folder.decode(errors="replace") for folder in header["include_directory"])]
    return [
        (PurePosixPath(folders[entry.dir_index]) / entry.name.decode(errors="replace")).as_posix()
        for entry in header["file_entry"]
    ]
