"""Keep the built-in kernels, their launches and the results that numpy expects of them.

Kernel files and manifests are data: loading them never runs anything.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache

from warpview.diagnostics import WarpviewError
from warpview.library.arguments import arguments, constants, expected, expected_of_changed, launch_arguments, mismatch
from warpview.library.growth import grown
from warpview.library.inputs import KINDS, Blank, Input, make_input
from warpview.library.manifest import (
    PRESETS,
    Entry,
    Family,
    ManifestError,
    Preset,
    PresetLaunch,
    load_family,
    preset_key,
    preset_name,
)
from warpview.resources import kernels_dir

__all__ = [
    "KINDS",
    "PRESETS",
    "Blank",
    "Entry",
    "Family",
    "Input",
    "ManifestError",
    "Preset",
    "PresetLaunch",
    "arguments",
    "constants",
    "entry",
    "expected",
    "expected_of_changed",
    "families",
    "grown",
    "kernels",
    "launch_arguments",
    "make_input",
    "mismatch",
    "preset_key",
    "preset_name",
]


@cache
def families() -> tuple[Family, ...]:
    """Return the families, in the order in which they are taught."""
    folders = sorted(path.parent for path in kernels_dir().glob("*/manifest.toml"))
    return tuple(sorted((load_family(folder) for folder in folders), key=lambda family: (family.order, family.key)))


def kernels() -> tuple[Entry, ...]:
    """Return every library kernel, family by family."""
    return tuple(entry for family in families() for entry in family.entries)


def entry(key: str) -> Entry:
    """Return the kernel of that key. Raises WarpviewError, suggesting the nearest, where there is none."""
    known: Mapping[str, Entry] = {item.key: item for item in kernels()}
    if key in known:
        return known[key]
    near = difflib.get_close_matches(key, known, 1, 0.4)
    hint = f"; did you mean '{near[0]}'?" if near else "; `warpview list` shows them"
    raise WarpviewError(f"there is no library kernel '{key}'{hint}")
