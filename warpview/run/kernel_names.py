"""Name the kernels of a file of machine code or PTX, and find the one that is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from warpview.diagnostics import WarpviewError
from warpview.frontend.suggest import some_of
from warpview.sass.demangle import demangled


def shown_names(mangled: Sequence[str]) -> dict[str, str]:
    """Return mangled names by the names to show: demangled, or mangled where two would have the same name."""
    count = Counter(map(demangled, mangled))
    return {demangled(name) if count[demangled(name)] == 1 else name: name for name in mangled}


def choose_kernel(file: str, kernels: Mapping[str, str], wanted: str | None) -> str:
    """Return the mangled name of a kernel, asked for by either name, with or without its template arguments.

    ``kernels`` is what ``shown_names`` returned; None asks for the only one. Raises WarpviewError with the names that
    there are.
    """
    listed = some_of(list(kernels)) or "none"
    if wanted is None:
        if len(kernels) != 1:
            raise WarpviewError(f"{file}: name the kernel to load (there are: {listed})")
        return next(iter(kernels.values()))
    plain = wanted.replace(" ", "")
    for matches in (
        [name for shown, name in kernels.items() if wanted in (shown, name)],
        [name for shown, name in kernels.items() if plain in (demangled(name), shown.split("<")[0])],
    ):
        if len(matches) == 1:
            return matches[0]
    raise WarpviewError(f"{file} has no kernel '{wanted}' (there are: {listed})")
