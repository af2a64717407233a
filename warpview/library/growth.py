"""Let the arrays of a library kernel grow with its launch, as its two presets show that they do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import prod

from warpview.library.inputs import KINDS
from warpview.library.manifest import PRESETS, Entry, Preset, PresetLaunch

# The numbers of threads, warps and blocks of a launch, of its blocks and the threads of one.
UNITS: tuple[Callable[[int, int], int], ...] = (
    lambda blocks, threads: blocks * threads,
    lambda blocks, threads: blocks * -(-threads // 32),
    lambda blocks, _: blocks,
)


def grown(entry: Entry, preset: str, grid: Sequence[int] | None, block: Sequence[int] | None) -> Entry:
    """Return a kernel whose preset has arrays that are large enough for a larger ``grid`` and ``block``.

    An array of one dimension grows where its size in both presets is so many elements for each thread, or else for each
    warp or block, and a constant number besides. Numbers, such as ``n``, and matrices, whose extents are arguments of
    their own, stay as they are.
    """
    chosen, sizes = entry.preset(preset), [entry.presets[name] for name in PRESETS]
    if grid is None and block is None:
        return entry

    def launched(launch: PresetLaunch, index: int) -> PresetLaunch:
        pair = [each.launches[min(index, len(each.launches) - 1)] for each in sizes]
        return replace(launch, args=_grown(launch.args, [each.args for each in pair], pair, launch, grid, block))

    first = [each.launches[0] for each in sizes]
    larger = replace(
        chosen,
        launches=tuple(launched(launch, k) for k, launch in enumerate(chosen.launches)),
        buffers=_grown(chosen.buffers, [each.buffers for each in sizes], first, chosen.launches[0], grid, block),
    )
    presets: Mapping[str, Preset] = {**entry.presets, preset: larger}
    return replace(entry, presets=presets)


def _grown(
    specs: Mapping[str, str], known: Sequence[Mapping[str, str]], launches: Sequence[PresetLaunch],
    own: PresetLaunch, grid: Sequence[int] | None, block: Sequence[int] | None,
) -> dict[str, str]:  # fmt: skip
    """Return specs of which each array grows as it does from one of the ``launches`` of the presets to the other."""
    found = dict(specs)
    for name, spec in specs.items():
        size, sizes = _size(spec), [_size(args.get(name, "")) for args in known]
        for unit in UNITS:
            each = _each([unit(prod(of.grid), prod(of.block)) for of in launches], sizes)
            more = unit(prod(grid or own.grid), prod(block or own.block)) - unit(prod(own.grid), prod(own.block))
            if size is not None and each * more > 0:
                head, _, rest = spec.partition(f":{size}")
                found[name] = f"{head}:{size + each * more}{rest}"
                break
    return found


def _size(spec: str) -> int | None:
    """Return the elements of an array of one dimension; None where the spec is of something else."""
    kind, _, rest = spec.rpartition(" ")[2].partition(":")
    count = rest.partition(":")[0]
    return int(count) if (kind in KINDS or kind == "blank") and count.isdigit() else None


def _each(counts: Sequence[int], sizes: Sequence[int | None]) -> int:
    """Return the elements for each of a unit, of which there are two counts with the sizes of the array; 0 where they
    show no such number."""
    (few, small), (many, large) = sorted(zip(counts, sizes, strict=True), key=lambda pair: pair[0])
    if small is None or large is None or few == many or (large - small) % (many - few):
        return 0
    each = (large - small) // (many - few)
    return each if each * few <= small else 0
