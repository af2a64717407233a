"""List launches that copy ahead into shared memory: every interface of asynchronous copies, products and a stencil.
They were predicted before they were measured."""

from __future__ import annotations

from fresh import of
from launches import TimedLaunch, floats

TILE = 1024
STREAMS = (
    "stream_plain", "stream_primitives<2>", "stream_primitives<4>", "stream_group", "stream_own_pipeline",
    "stream_shared_pipeline", "stream_roles", "stream_barriers", "stream_bulk<2>", "stream_bulk<4>",
)  # fmt: skip


def staged() -> list[TimedLaunch]:
    """Return twelve kernels, each small and large."""
    found = []
    for blocks, tiles in ((132, 32), (528, 16), (1056, 48)):
        for kernel in STREAMS:
            threads = 288 if kernel == "stream_roles" else 256
            arrays = floats(blocks * tiles * TILE), floats(256 * blocks, "zeros")
            found.append(of("streams", kernel, blocks, threads, *arrays, tiles, folder="staged"))
    for n in (512, 2048):
        for kernel in ("product_ahead<2>", "product_ahead<3>"):
            arrays = floats(n * n), floats(n * n), floats(n * n, "zeros")
            found.append(of("products", kernel, (n // 64, n // 64), 256, *arrays, n, folder="staged"))
    for width, rows, strips in ((1024, 16, 64), (4096, 32, 128)):
        arrays = floats((rows * strips + 4) * (width + 2)), floats(rows * strips * width, "zeros")
        found.append(
            of("products", "stencil_ahead", (width // 256, strips), 256, *arrays, width, rows, folder="staged")
        )
    return found
