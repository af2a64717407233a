"""Print the kernels and devices that there are: ``warpview list``, ``devices`` and ``show``."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.syntax import Syntax
from rich.table import Table

from warpview import library
from warpview.cli.tables import console


def list_kernels() -> None:
    """List the built-in kernels by family."""
    out = console()
    for family in library.families():
        table = Table(title=family.title, title_justify="left", title_style="bold", show_header=False, box=None)
        table.add_column(no_wrap=True, style="cyan")
        table.add_column()
        for entry in family.entries:
            table.add_row(entry.key, entry.title)
        out.print(table)
        out.print()


def list_devices(
    key: Annotated[str | None, typer.Argument(help="A device key or file, to list all its properties.")] = None,
) -> None:
    """List the devices that can be simulated, or show everything known of one."""
    from warpview.devices import devices

    if key is not None:
        _describe(key)
        return

    # CC is the compute capability, SMs the multiprocessors; the widths fit a terminal of 80 columns.
    table = Table(header_style="bold", box=SIMPLE_HEAD)
    for title in ("device", "name"):
        table.add_column(title, no_wrap=True)
    for title in ("CC", "SMs", "MHz", "GB/s"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("divergence", no_wrap=True)
    models = {"stack": "stack", "its": "independent"}
    for device in devices():
        table.add_row(
            device.key, device.name, device.version, str(device.multiprocessors), f"{device.clock_mhz:.0f}",
            f"{device.dram_gbps:.0f}", models[device.divergence],
        )  # fmt: skip
    console().print(table)


def _describe(key: str) -> None:
    from warpview.devices import device_facts, load_device, user_folder

    table = Table(header_style="bold", box=SIMPLE_HEAD)
    for title in ("key", "value", ""):
        table.add_column(title, overflow="fold")
    section = ""
    for fact in device_facts(load_device(key)):
        if fact.section != section:
            section = fact.section
            table.add_section()
            table.add_row(rf"[bold]\[{section}]", "", "")
        table.add_row(fact.key, fact.value, "" if fact.verified else "unverified")
    out = console()
    out.print(table)
    out.print(f"A device of your own is a TOML file in {user_folder()}, with these keys.", soft_wrap=True)


def show(
    kernel: Annotated[str, typer.Argument(help="A library kernel, as `warpview list` names it.")],
    instructions: Annotated[bool, typer.Option("--instructions", "-i", help="Show the compiled instructions.")] = False,
) -> None:
    """Show a library kernel: what it teaches, its launches, its source."""
    entry = library.entry(kernel)
    out = console()
    out.print(f"[bold]{entry.title}[/]  [dim]{entry.key}[/]\n{entry.teaches}\n")
    for sentence in entry.look_at:
        out.print(f"• {sentence}")
    for name, preset in entry.presets.items():
        arguments = ", ".join(f"{key}={value}" for key, value in preset.args.items())
        out.print(f"[cyan]{library.preset_name(name)}[/]: grid {preset.grid}, block {preset.block}, {arguments}")
    out.print()
    if instructions:
        from warpview import frontend
        from warpview.isa.disassembly import disassemble

        program = frontend.compile_source(entry.source, entry.kernel, entry.defines)
        out.print("\n".join(disassemble(program)), markup=False, soft_wrap=True)
    else:
        out.print(Syntax(entry.source.text, "cuda", line_numbers=True, theme="ansi_dark"))
