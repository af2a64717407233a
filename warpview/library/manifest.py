"""Read the manifests of the kernel library: each family is a folder with a TOML file beside its ``.cu`` files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from warpview.diagnostics import SourceText, WarpviewError

SIZES = {"small": "step", "large": "full"}  # what readers call the two presets that every kernel has: their keys
PRESETS = tuple(SIZES.values())  # others are in the table "presets" of a kernel


def preset_key(name: str) -> str:
    """Return the key of the preset of that name; a key is returned as it is."""
    return SIZES.get(name, name)


def preset_name(key: str) -> str:
    """Return what readers call a preset: "small", "large", or its key."""
    return next((name for name, own in SIZES.items() if own == key), key)


class ManifestError(WarpviewError):
    """The manifest is wrong; the message names file, kernel and key."""


@dataclass(frozen=True)
class PresetLaunch:
    """Describe one launch of a preset. ``args`` are input specs by parameter name;
    ``@name`` is the preset's buffer of that name (or an earlier argument's), so that several launches share it."""

    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared_bytes: int
    args: Mapping[str, str]


@dataclass(frozen=True)
class Preset:
    """A preset is one launch of a kernel, or several over the same buffers. The properties are the first
    launch's. ``buffers`` are specs with their element type, "float32 zeros:64"; ``outputs`` are compared."""

    name: str
    note: str
    launches: tuple[PresetLaunch, ...]
    constants: Mapping[str, str]
    buffers: Mapping[str, str]

    @property
    def grid(self) -> tuple[int, ...]:
        return self.launches[0].grid

    @property
    def block(self) -> tuple[int, ...]:
        return self.launches[0].block

    @property
    def shared_bytes(self) -> int:
        return self.launches[0].shared_bytes

    @property
    def args(self) -> Mapping[str, str]:
        return self.launches[0].args


@dataclass(frozen=True, repr=False)
class Entry:
    """Describe a library kernel. ``key`` is ``family/name``; ``kernel`` the name to compile, with template arguments.

    ``findings`` are the kinds of finding that the kernel shows on devices of compute capability 7.0 and later: its
    mistake, or code that relies on lockstep. The oracle says what it was meant to compute.
    """

    key: str
    family: str
    title: str
    teaches: str
    look_at: tuple[str, ...]
    path: Path
    kernel: str
    defines: Mapping[str, object]
    oracle: str
    tolerance: float
    presets: Mapping[str, Preset]
    minimum_capability: tuple[int, int]
    findings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Entry {self.key}: {self.title}>"

    def preset(self, name: str) -> Preset:
        """Return the preset of that name or key. Raises WarpviewError where the kernel has none."""
        key = preset_key(name)
        if key not in self.presets:
            known = ", ".join(map(preset_name, self.presets))
            raise WarpviewError(f"{self.key} has no launch '{name}'; it has {known}")
        return self.presets[key]

    @cached_property
    def source(self) -> SourceText:
        return SourceText(self.path.name, self.path.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Family:
    """Describe a family of kernels. The first ``steps`` of them are an optimisation, each a step from the one before,
    on the same input; 0 where they are several ways to do something, or several things."""

    key: str
    title: str
    about: str
    order: int
    entries: tuple[Entry, ...]
    steps: int = 0


class _ManifestTable:
    """Read a TOML table key by key, so that a missing, mistyped or unknown key is named."""

    def __init__(self, where: str, values: Mapping[str, Any]) -> None:
        self.where = where
        self._left = dict(values)

    def take(self, key: str, kind: type | tuple[type, ...], default: Any = None) -> Any:
        if key not in self._left:
            if default is None:
                raise ManifestError(f"{self.where}: '{key}' is missing")
            return default
        value = self._left.pop(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise ManifestError(f"{self.where}: '{key}' has the wrong type")
        return value

    def finish(self) -> None:
        if self._left:
            raise ManifestError(f"{self.where}: unknown key '{next(iter(self._left))}'")


def load_family(folder: Path) -> Family:
    """Return the family in ``folder``. Raises ManifestError."""
    path = folder / "manifest.toml"
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ManifestError(f"{path}: {error}") from None
    table = _ManifestTable(str(path), raw)
    title, about = table.take("title", str), table.take("about", str)
    order = table.take("order", int)
    steps = table.take("steps", int, 0)
    entries = tuple(_entry(folder, item) for item in table.take("kernel", list))
    table.finish()
    if steps > len(entries):
        raise ManifestError(f"{path}: {steps} steps, but {len(entries)} kernels")
    return Family(folder.name, title, about, order, entries, steps)


def _entry(folder: Path, raw: Mapping[str, Any]) -> Entry:
    name = raw.get("key", "?")
    where = f"{folder / 'manifest.toml'}: {name}"
    table = _ManifestTable(where, raw)
    table.take("key", str)
    path = folder / table.take("file", str)
    if not path.is_file():
        raise ManifestError(f"{where}: there is no file {path.name}")
    kernel = table.take("kernel", str)
    presets = {name: table.take(name, dict) for name in PRESETS} | table.take("presets", dict, {})
    major, minor = str(table.take("minimum_capability", str, "1.0")).split(".")
    entry = Entry(
        key=f"{folder.name}/{name}",
        family=folder.name,
        title=table.take("title", str),
        teaches=table.take("teaches", str),
        look_at=tuple(table.take("look_at", list)),
        path=path,
        kernel=kernel,
        defines=table.take("defines", dict, {}),
        oracle=table.take("oracle", str),
        tolerance=float(table.take("tolerance", (int, float), 0.0)),
        presets={name: _preset(where, name, values, kernel) for name, values in presets.items()},
        minimum_capability=(int(major), int(minor)),
        findings=tuple(table.take("findings", list, [])),
    )
    table.finish()
    return entry


def _preset(where: str, name: str, raw: Mapping[str, Any], kernel: str) -> Preset:
    table = _ManifestTable(f"{where}: {name}", raw)
    constants, buffers = table.take("constants", dict, {}), table.take("buffers", dict, {})
    note = table.take("note", str, "")
    repeat, counter = table.take("repeat", int, 1), table.take("counter", str, "")
    stages = table.take("launches", list, [])
    if not stages:
        keys = ("grid", "block", "shared_bytes", "args", "kernel")
        stages = [{key: table.take(key, object) for key in keys if key in raw}]
    table.finish()
    rounds = [_counted(stage, counter, index) for index in range(repeat) for stage in stages]
    launches = tuple(_launch(f"{where}: {name}", stage, kernel) for stage in rounds)
    return Preset(name, note, launches, constants, buffers)


def _counted(stage: Mapping[str, Any], counter: str, index: int) -> Mapping[str, Any]:
    """Return the stage of one repetition: parameter ``counter`` takes the repetition's number."""
    return {**stage, "args": {**stage.get("args", {}), counter: index}} if counter else stage


def _launch(where: str, raw: Mapping[str, Any], kernel: str) -> PresetLaunch:
    table = _ManifestTable(where, raw)
    launch = PresetLaunch(
        kernel=table.take("kernel", str, kernel),
        grid=_extents(table.take("grid", (int, list))),
        block=_extents(table.take("block", (int, list))),
        shared_bytes=table.take("shared_bytes", int, 0),
        args={name: str(value) for name, value in table.take("args", dict, {}).items()},
    )
    table.finish()
    return launch


def _extents(value: int | Sequence[int]) -> tuple[int, ...]:
    return (value,) if isinstance(value, int) else tuple(value)
