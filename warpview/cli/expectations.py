"""Compare arrays with expected ones, and tell last writers, other orders and limits: ``--expect``, ``--who-wrote``,
``--replay`` and ``--why``."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from warpview.cli.tables import console
from warpview.diagnostics import WarpviewError
from warpview.library.inputs import array_of_file
from warpview.run import Series

_ELEMENT = re.compile(r"\s*([A-Za-z_]\w*)\s*((?:\[\s*\d+\s*\]\s*)+)")


def expected_files(texts: Sequence[str]) -> dict[str, NDArray[np.generic]]:
    """Return the arrays of ``NAME=FILE.npy``, by name."""
    arrays = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not equals or not name.strip() or not path.strip():
            raise WarpviewError(f"--expect: '{text}' is not NAME=FILE.npy")
        arrays[name.strip()] = array_of_file(path.strip())
    return arrays


def element_of(text: str) -> tuple[str, list[int]]:
    """Return the array and the index of an element such as "out[5]"."""
    match = _ELEMENT.fullmatch(text)
    if match is None:
        raise WarpviewError(f"--who-wrote: '{text}' is not an element such as out[5]")
    return match[1], [int(number) for number in re.findall(r"\d+", match[2])]


def print_writers(series: Series, elements: Sequence[str]) -> None:
    """Print the last writer of each element, such as "out[5]"."""
    for text in elements:
        writer = series.who_wrote(*element_of(text))
        console().print(f"no thread wrote '{text.strip()}'" if writer is None else str(writer), markup=False)


def print_replay(series: Series) -> None:
    """Print an execution of the last launch with another result, and what was tried where there is none."""
    found = series.launches[-1].replay()
    nothing = "replay: no order that was tried gives another result" if series.findings else "replay: nothing was found"
    console().print(nothing if found is None else f"replay: {found}", markup=False, soft_wrap=True)


def print_verdicts(series: Series) -> None:
    """Print why each launch takes as long as it does."""
    for run in series.launches:
        console().print(run.verdict().text(), markup=False, soft_wrap=True)
