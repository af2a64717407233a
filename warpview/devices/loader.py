"""Load devices from TOML files: warpview's own, those in the user's folder, and any by path.

A device file names its compute capability and gives what is the board's own; the facts of the capability are in
``capabilities/<x.y>.toml`` beside it or in the user's folder, which may extend another capability. A key in the device
file overrides the capability's.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import platformdirs

from warpview.devices.capability import Capability
from warpview.devices.consistency import check
from warpview.devices.device import Device, DeviceError
from warpview.files import MOST_TEXT_BYTES, regular_file
from warpview.resources import assets_dir

_UNVERIFIED = "unverified"
_VERSION = re.compile(r"\d+\.\d+")  # the name of a capability's file
# How the names of the chips of NVIDIA's architectures begin.
GENERATIONS = {
    "tesla": ("G8", "G9", "GT2"), "fermi": ("GF",), "kepler": ("GK",), "maxwell": ("GM",), "pascal": ("GP",),
    "volta": ("GV",), "turing": ("TU",), "ampere": ("GA",), "ada": ("AD",), "hopper": ("GH",), "blackwell": ("GB",),
}  # fmt: skip
_T = TypeVar("_T", bound=Capability)


def user_folder() -> Path:
    """Return the folder in which a user's own device files are looked for."""
    return Path(platformdirs.user_config_dir("warpview")) / "devices"


def device_keys() -> tuple[str, ...]:
    """Return the devices that come with warpview by compute capability, then the user's own by name."""
    own = _files(assets_dir() / "devices")
    built_in = sorted(own, key=lambda key: (_load(own[key]).capability, key))
    return (*built_in, *sorted(set(_files(user_folder())) - set(own)))


def devices() -> tuple[Device, ...]:
    """Return every device of ``device_keys``."""
    return tuple(load_device(key) for key in device_keys())


def device_meant(device: Device | str | Path) -> Device:
    """Return a device itself, or the one of a key or a file. Raises DeviceError where there is none."""
    if isinstance(device, Device):
        return device
    if not isinstance(device, (str, Path)):
        raise DeviceError(f"device must be a key, a path or a Device, not {device!r}")
    return load_device(device)


def load_device(key_or_path: str | Path) -> Device:
    """Return the device of that key, in any case, or in that file; the user's own file wins over one that comes with
    warpview. Raises DeviceError where there is none: it names those of the chip or the generation of that name."""
    path = Path(key_or_path)
    if path.suffix == ".toml":
        return _load(path.absolute())
    files = {**_files(assets_dir() / "devices"), **_files(user_folder())}
    if str(key_or_path) in files:
        return _load(files[str(key_or_path)])
    word = str(key_or_path).lower()
    same = next((key for key in files if key.lower() == word), None)
    if same is not None:
        return _load(files[same])
    near = _of_chip(word, files) or difflib.get_close_matches(word, files, n=1, cutoff=0.5)
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else f"; there are {', '.join(files)}"
    raise DeviceError(f"there is no device {str(key_or_path)!r}{hint}")


def _of_chip(word: str, files: dict[str, Path]) -> list[str]:
    """Return the devices whose chip or whose architecture has a name, such as "g80", "gtx280" or "fermi"."""
    beginnings = GENERATIONS.get(word, ())
    word = "gt200" if re.fullmatch(r"gtx2[6-9]\d", word) else word  # GeForce GTX 260 to 295
    return [
        key
        for key, path in files.items()
        if (chip := _load(path)).chip.lower() == word or chip.chip.startswith(beginnings)
    ]


def generation(device: Device) -> str:
    """Return the name of the architecture of a device, such as "fermi"; '' where its chip has another name."""
    return next((name for name, begin in GENERATIONS.items() if device.chip.startswith(begin)), "")


def capability_versions() -> tuple[str, ...]:
    """Return the compute capabilities that are described, ascending."""
    versions = (text for text in _capability_files() if _VERSION.fullmatch(text))
    return tuple(sorted(versions, key=lambda text: tuple(map(int, text.split(".")))))


def load_capability(version: str) -> Capability:
    """Return the facts of a compute capability such as "7.5", without a board."""
    table, _ = _capability_table(version, Path(version))
    return _build(Capability, table, _capability_files()[version], {})


def _capability_files() -> dict[str, Path]:
    """Return the files of compute capabilities by version; the user's own file wins over one that comes with
    warpview."""
    return {**_files(assets_dir() / "devices" / "capabilities"), **_files(user_folder() / "capabilities")}


def _files(folder: Path) -> dict[str, Path]:
    return {path.stem: path for path in sorted(folder.glob("*.toml"), key=str)}


def _load(path: Path) -> Device:
    try:
        return _load_version(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise DeviceError(f"{path}: cannot be read: {error.strerror}") from error


@cache
def _load_version(path: Path, _modified: int) -> Device:
    own = _read(path)
    version = own.get("capability")
    if not isinstance(version, str):
        raise DeviceError(f'{path}: capability must be given, such as "7.5"')
    table, unverified = _capability_table(version, path)
    unverified = _merge(table, own, unverified, path)
    return _build(Device, table, path, {"key": path.stem, _UNVERIFIED: unverified})


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(regular_file(path, MOST_TEXT_BYTES).read_text(encoding="utf-8"))
    except OSError as error:
        raise DeviceError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DeviceError(f"{path}: is not a TOML file: {error}") from error


def _capability_table(version: str, asked_by: Path) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the table of a capability with what it extends filled in, and its unverified keys."""
    path = _capability_files().get(version)
    if path is None or not _VERSION.fullmatch(version):
        known = ", ".join(capability_versions())
        raise DeviceError(f"{asked_by}: capability {version!r} is not described; there are {known}")
    table, unverified = _whole_table(path, path.stat().st_mtime_ns)
    return dict(table), unverified


@cache
def _whole_table(path: Path, _modified: int) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the table of a capability's file over those that it extends; its devices share it, none may change it."""
    own = _read(path)
    parent = own.pop("extends", None)
    table, unverified = ({}, ()) if parent is None else _capability_table(parent, path)
    return table, _merge(table, own, unverified, path)


def _merge(table: dict[str, Any], own: dict[str, Any], unverified: tuple[str, ...], path: Path) -> tuple[str, ...]:
    """Put ``own`` over ``table``; return the keys that are now unverified."""
    marked = own.pop(_UNVERIFIED, [])
    given = set()
    for key, value in own.items():
        if isinstance(value, dict):
            given |= {f"{key}.{inner}" for inner in value}
            table.setdefault(key, {})
            table[key] = {**table[key], **value}
        else:
            given.add(key)
            table[key] = value
    unknown = [key for key in marked if key not in list(given)] if isinstance(marked, list) else marked
    if unknown or not isinstance(marked, list):
        raise DeviceError(f"{path}: unverified: must list keys that this file gives, not {unknown}")
    return tuple(sorted((set(unverified) - given) | set(marked)))


def _build(kind: type[_T], table: dict[str, Any], path: Path, extra: dict[str, Any]) -> _T:
    """Turn a merged table into a device or a capability, each value checked by its field's rule."""
    rows = [field for field in dataclasses.fields(kind) if field.metadata]
    _refuse_unknown(rows, table, path)
    values = dict(extra)
    for field in rows:
        section, key, rule = (field.metadata[name] for name in ("section", "key", "rule"))
        holder = table.get(section, {}) if section else table
        key = key or field.name
        place = section if key == "*" else f"{section}.{key}".lstrip(".")
        if key != "*" and key not in holder:
            if field.default is dataclasses.MISSING:
                raise DeviceError(f"{path}: {place} is missing")
            continue
        try:
            values[field.name] = rule(holder if key == "*" else holder[key])
        except ValueError as error:
            raise DeviceError(f"{path}: {place} {error}") from None
    result = kind(**values)
    try:
        check(result)
    except ValueError as error:
        raise DeviceError(f"{path}: {error}") from None
    return result


def _refuse_unknown(rows: list[dataclasses.Field[Any]], table: dict[str, Any], path: Path) -> None:
    known: dict[str, set[str]] = {}
    for field in rows:
        known.setdefault(field.metadata["section"], set()).add(field.metadata["key"] or field.name)
    for key, value in table.items():
        if key in known:
            if not isinstance(value, dict):
                raise DeviceError(f"{path}: {key} must be a table, [{key}]")
            unknown = [inner for inner in value if "*" not in known[key] and inner not in known[key]]
            if unknown:
                raise DeviceError(f"{path}: {key}.{unknown[0]} is not known{_suggest(unknown[0], known[key])}")
        elif key not in known[""]:
            raise DeviceError(f"{path}: {key} is not known{_suggest(key, {*known, *known['']} - {''})}")


def _suggest(word: str, words: set[str]) -> str:
    near = difflib.get_close_matches(word, sorted(words), n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(sorted(words))}"
