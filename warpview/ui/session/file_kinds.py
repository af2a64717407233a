"""Tell files of machine code from sources by their names, without loading what reads them. Qt-free."""

from __future__ import annotations

from pathlib import Path

from warpview.files import MACHINE_CODE


def is_machine_code(file_name: str) -> bool:
    """Return whether a file is opened as machine code: it is shown, and not edited."""
    return Path(file_name).suffix in MACHINE_CODE


def read_only_reason(file_name: str) -> str:
    """Return why the text of a file cannot be edited; '' where it can."""
    if not is_machine_code(file_name):
        return ""
    return f"{Path(file_name).name} is machine code and read-only: open its CUDA source to edit it."
