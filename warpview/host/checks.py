"""Check what a program leaves behind at its end: memory, work, errors."""

from __future__ import annotations

from warpview.host.context import RuntimeContext
from warpview.host.errors import error_table


def check_end(context: RuntimeContext, exit_code: int) -> None:
    """Report findings for kernels never waited for, memory that was not freed, and errors never checked."""
    _unfinished(context)
    _unasked(context, exit_code)
    if exit_code == 0:
        _leaks(context)


def _unfinished(context: RuntimeContext) -> None:
    """Work that was still to do when the program ended: on hardware its results and its printf are lost."""
    kernels = [op for op in context.scheduler.pending.values() if op.kind == "kernel"]
    for operation in kernels:
        context.find(
            "not awaited",
            f"the program ended without waiting for {operation.name}: its results, and what it prints, may be lost; "
            "call cudaDeviceSynchronize",
            operation.place,
            "warning",
        )
    for operation in kernels:
        context.scheduler.complete([operation])


def _unasked(context: RuntimeContext, exit_code: int) -> None:
    """Report an error that no call has asked for since, in a program that ends as if all were well."""
    failed = context.unasked
    if failed is None or exit_code:
        return
    name, text = error_table()[failed.code]
    context.find(
        "unchecked error",
        f"this gave {name} ({text}), and the program never asked for it",
        failed.place,
        "warning",
    )


def _leaks(context: RuntimeContext) -> None:
    for block in context.arena.blocks:
        if block.kind != "symbol" and not block.kept:
            context.find(
                "memory not freed", f"'{block.name}' ({block.size} bytes) is never freed", block.place, "warning"
            )
