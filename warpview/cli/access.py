"""Show the cost of one warp-wide access on every device, by the rules alone: ``warpview access``."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from warpview.cli.tables import console, listed
from warpview.devices import devices, load_device
from warpview.diagnostics import WarpviewError
from warpview.sim.rules import GlobalAccess, SharedAccess, global_access, shared_access

WIDTHS = (1, 2, 4, 8, 16)


def access(
    space: Annotated[str, typer.Argument(help="'global' or 'shared'.")] = "global",
    stride: Annotated[
        int, typer.Option("--stride", "-s", min=0, help="Stride from one lane to the next, in words.")
    ] = 1,
    offset: Annotated[int, typer.Option("--offset", "-o", min=0, help="Offset of the first lane, in words.")] = 0,
    width: Annotated[int, typer.Option("--width", "-w", help="Bytes per word: 1, 2, 4, 8 or 16.")] = 4,
    lanes: Annotated[int, typer.Option("--lanes", "-l", min=1, max=32, help="Number of active lanes.")] = 32,
    store: Annotated[bool, typer.Option("--store", help="A store instead of a load.")] = False,
    on: Annotated[str | None, typer.Option("--devices", "-d", help="Device keys, comma-separated.")] = None,
) -> None:
    """Show what the access of lane k to word offset + k x stride costs on each device."""
    if width not in WIDTHS:
        raise WarpviewError(f"--width: a word has {', '.join(map(str, WIDTHS))} bytes, not {width}")
    if space not in ("global", "shared"):
        raise WarpviewError(f"there is no space '{space}' here: use global or shared")
    chosen = list(devices()) if on is None else [load_device(key) for key in listed("--devices", on)]
    addresses = [(offset + lane * stride) * width for lane in range(32)]
    mask, kind = (1 << lanes) - 1, "store" if store else "load"
    shared = space == "shared"
    table = Table(header_style="bold", box=SIMPLE_HEAD)
    titles = ("passes", "ideal", "conflict") if shared else ("transactions", "bytes", "used", "which")
    for title in ("device", "CC", *titles):
        table.add_column(title, justify="left" if title in ("device", "which") else "right", overflow="fold")
    for device in chosen:
        served: GlobalAccess | SharedAccess
        if shared:
            served = shared_access(kind, addresses, mask, width, device)
        else:
            served = global_access(kind, addresses, mask, width, device)
        table.add_row(device.key, device.version, *cells(served))
    console().print(table)


def cells(served: GlobalAccess | SharedAccess) -> list[str]:
    """Return the figures of one device's row."""
    if isinstance(served, SharedAccess):
        degree = f"{served.degree}-way" if served.degree > 1 else "none"
        return [str(len(served.wavefronts)), str(served.ideal), degree]
    used = 100 * served.bytes_used / served.bytes_moved
    sizes = Counter(transaction.size for transaction in served.transactions)
    which = " + ".join(f"{count} x {size}" for size, count in sorted(sizes.items()))
    return [str(len(served.transactions)), str(served.bytes_moved), f"{used:.0f} %", which]
