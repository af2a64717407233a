"""Print how many blocks fit on a multiprocessor and which resource limits them: ``warpview occupancy``."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from warpview.cli.tables import console
from warpview.devices import UNLIMITED, advice, load_device
from warpview.devices import occupancy as resident

LIMIT_TITLES = {"warps": "warps", "registers": "registers", "shared": "shared memory", "blocks": "block slots"}


def occupancy(
    device: Annotated[str, typer.Option("--device", "-d", help="A device key, or a device file.")] = "h200",
    threads: Annotated[int, typer.Option("--threads", "-t", min=1, help="Threads per block.")] = 128,
    registers: Annotated[int, typer.Option("--registers", "-r", min=0, help="Registers per thread.")] = 16,
    shared: Annotated[int, typer.Option("--shared", "-s", min=0, help="Shared memory per block, in bytes.")] = 0,
) -> None:
    """Show the blocks and warps resident on a multiprocessor, as NVIDIA's calculator counts them."""
    chosen = load_device(device)
    result = resident(chosen, threads=threads, registers=registers, shared_bytes=shared)
    out = console()
    out.print(
        f"[bold]{chosen.name}[/] (compute capability {chosen.version}): {result.blocks} blocks, {result.warps} of "
        f"{chosen.max_warps} warps, occupancy [bold]{100 * result.fraction:.1f} %[/]",
        soft_wrap=True,
    )
    table = Table(header_style="bold")
    for title in ("limit", "blocks", ""):
        table.add_column(title, justify="right" if title == "blocks" else "left")
    for name, blocks in result.limits.items():
        binds = "◀" if name in result.limiting_factors else ""
        table.add_row(LIMIT_TITLES[name], "unlimited" if blocks >= UNLIMITED else str(blocks), binds)
    out.print(table)
    for sentence in advice(chosen, threads, registers, shared):
        out.print(sentence, soft_wrap=True, highlight=False)
