"""Check what a program leaves behind at its end: memory, work, errors."""

from __future__ import annotations

from warpview.host.context import RuntimeContext
from warpview.host.errors import error_table

FAILURES = (1, 255)  # exit codes of a program that says it failed: EXIT_FAILURE and -1; others may be its result


def check_end(context: RuntimeContext, exit_code: int) -> None:
    """Report errors never checked, kernels never waited for, memory that was not freed, and a check that failed.

    What a kernel that was never waited for gives comes after the end of the program, which could not ask for it.
    """
    _unasked(context, exit_code)
    _unfinished(context)
    if exit_code == 0:
        _leaks(context)
    else:
        _failed(context, exit_code)


def _unfinished(context: RuntimeContext) -> None:
    """Report work that was still to do when the program ended: on hardware its results and its printf are lost."""
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


def _failed(context: RuntimeContext, exit_code: int) -> None:
    """Report which results a program had copied back last when it ended with an error of its own."""
    if context.findings or exit_code not in FAILURES:
        return
    done = [op for op in context.scheduler.operations if op.done]
    copies = [op for op in done if op.kind == "copy from device"]
    kernels = [op for op in done if copies and op.kind == "kernel" and op.number < copies[-1].number]
    if kernels:
        last = kernels[-1]
        context.find(
            "exit code",
            f"the program ended with exit code {exit_code}; it had copied back results here, last launched was "
            f"{last.name} in line {last.place.line}",
            copies[-1].place, "warning",
        )  # fmt: skip


def _leaks(context: RuntimeContext) -> None:
    for block in context.arena.blocks:
        if block.kind not in ("symbol", "constants", "texture") and not block.kept:
            context.find(
                "memory not freed", f"'{block.name}' ({block.size} bytes) is never freed", block.place, "warning"
            )
