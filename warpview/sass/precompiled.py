"""Have NVRTC keep what it has read of NVIDIA's large headers, for the next compilation of this process.

``cooperative_groups.h`` and ``cuda/barrier`` take it more than a second each time, precompiled a sixth of that. It
finds by itself the precompiled header that fits: the same options, and the same directives before the first
declaration. What it does not see (13.0) is that the text of a header has changed, be it a file or not. That is why a
hash of the texts is among the options, and why a source that includes a file of its own folder is compiled without.
"""

from __future__ import annotations

import atexit
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock

from warpview.sass import nvidia_packages

KEPT = 3  # of up to 130 MB each
PACKAGE = Path(__file__).parents[1]
LARGE = ("cooperative_groups", "cuda/", "cub/", "thrust/")
_INCLUDED = re.compile(r"""^[ \t]*#[ \t]*include\b[ \t]*(?:[<"]([^>"\n]+))?""", re.MULTILINE)  # nothing: by a macro

writing = Lock()  # one compilation at a time chooses and writes files


def options(text: str, headers: Mapping[str, str], folders: Sequence[Path]) -> list[str]:
    """Return the options that let NVRTC compile a source with precompiled headers; none where that gains nothing, or
    might use what has changed since. ``text`` is the source behind what is included before it."""
    names = _included(text, headers)
    if not any(name.startswith(LARGE) for name in names):
        return []
    unchanging = PACKAGE, *nvidia_packages.folders()
    if any(_may_change(name, folders, unchanging) for name in names):
        return []
    known = sha256(repr(sorted(headers.items())).encode()).hexdigest()
    return ["--pch", f"--pch-dir={_tidied()}", "--pch-messages=false", f"--define-macro=WARPVIEW_HEADERS=0x{known}"]


def _included(text: str, headers: Mapping[str, str]) -> set[str]:
    """Return the names of the headers that a source includes, and of those that the given ones among them include."""
    found, texts = set[str](), [text]
    while texts:
        new = {name for name in _INCLUDED.findall(texts.pop()) if name not in found}
        found |= new
        texts += [headers[name] for name in new if name in headers]
    return found


def _may_change(name: str, folders: Sequence[Path], unchanging: Sequence[Path]) -> bool:
    """Return whether a header is found first in a folder outside the ``unchanging`` ones, or has no name yet."""
    found = next((folder for folder in folders if (folder / name).exists()), None)
    return not name or (found is not None and not any(found.is_relative_to(folder) for folder in unchanging))


def _tidied() -> Path:
    """Return the folder of precompiled headers, with room for one more."""
    written = sorted(_folder().iterdir(), key=lambda path: path.stat().st_mtime)
    for path in written[: 1 - KEPT]:
        with suppress(OSError):
            path.unlink()
    return _folder()


@cache
def _folder() -> Path:
    """Make a folder for this process, which is removed when it ends."""
    folder = Path(tempfile.mkdtemp(prefix="warpview-headers-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
