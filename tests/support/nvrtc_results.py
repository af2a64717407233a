"""Share what NVRTC makes of a source among the tests of a session, whose workers compile the same sources.

Results lie in a folder of the session, under a hash of all that they depend on. A source that includes a file of its
own folder is compiled each time, for the file may change; the headers of NVIDIA and of warpview do not.
"""

from __future__ import annotations

import os
import pickle
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from warpview.frontend.preprocess.preludes import HEADERS
from warpview.sass import nvidia_packages, nvrtc

INCLUDED = re.compile(r"""^\s*#\s*include\s*[<"]([^>"]+)""", re.MULTILINE)
SHARED = "compile_source", "compile_to_ptx"


@contextmanager
def shared_in(folder: Path) -> Iterator[None]:
    """Let the two functions of ``nvrtc`` that compile look into ``folder`` first."""
    folder.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        for name in SHARED:
            patch.setattr(nvrtc, name, _shared(getattr(nvrtc, name), folder))
        yield


def _shared(compile_: Callable[..., Any], folder: Path) -> Callable[..., Any]:
    def compiled(source: Any, *args: Any, **options: Any) -> Any:
        if _includes_own_files(source.text, **options):
            return compile_(source, *args, **options)
        nvrtc.library()  # a test may have taken it away
        key = repr((compile_.__name__, nvrtc.version(), source.name, source.text, args, sorted(options.items())))
        place = folder / sha256(key.encode()).hexdigest()
        if place.exists():
            return pickle.loads(place.read_bytes())
        result = compile_(source, *args, **options)
        unfinished = place.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(pickle.dumps(result))
        unfinished.replace(place)
        return result

    return compiled


def _includes_own_files(text: str, include_folders: Any = (), headers: Any = None, **_: object) -> bool:
    own = set(include_folders) - {*nvidia_packages.include_folders(), HEADERS}
    names = {name for part in (text, *(headers or {}).values()) for name in INCLUDED.findall(part)}
    return any((folder / name).exists() for folder in own for name in names)
