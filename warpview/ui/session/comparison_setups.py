"""Choose the launches of a comparison: the large launch of each kernel, or the one chosen in the window. Qt-free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from warpview import library
from warpview.devices import Device
from warpview.ui.drawing.numbers import short
from warpview.ui.session.backend import KernelFamily, LaunchPreset, Setup, Variant
from warpview.ui.session.file_kinds import is_machine_code

SMALL, LARGE = library.PRESETS
CODES = ("as written", "as compiled by NVIDIA")  # by ``Setup.by_nvidia``
LAUNCH_NAMES = {key: f"{library.preset_name(key)} launch" for key in library.PRESETS}
Setups = tuple[tuple[str, Setup], ...]  # a title for each


@dataclass(frozen=True)
class ComparedLaunch:
    """Name one launch at which all are compared; ``words`` name it, as in "large launch, 4.19 M threads"."""

    words: str
    setups: Setups


@dataclass(frozen=True)
class Comparison:
    """Describe a comparison that can be measured at each of its ``launches``; the first is shown unless another is
    asked for.

    ``baseline`` names the run that percentages are relative to. ``steps`` counts the kernels that are each a step from
    the one before; None where no kernels are compared.
    """

    title: str
    baseline: str
    launches: tuple[ComparedLaunch, ...]
    steps: int | None = None


def compare_variants(setup: Setup, family: KernelFamily, device_name: str) -> Comparison:
    """Return the comparison of all kernels of a family on the device of ``setup``.

    All run with the switches of ``setup``. At the chosen launch, only the kernel in use has what the user changed in
    the launch fields: those of one kernel need not fit another.
    """

    current = next(v for v in family.variants if v.key == setup.variant)
    preset = large_preset(setup, current)
    large = tuple((v.title, at_preset(as_variant(setup, v), v, preset)) for v in family.variants)
    others = {v.key: at_preset(as_variant(setup, v), v, setup.preset) for v in family.variants if v is not current}
    chosen = tuple((v.title, others.get(v.key, setup)) for v in family.variants)
    launches = _launches(setup, current, large, chosen)
    return Comparison(f"{family.title} on {device_name}", "the first variant", launches, family.steps)


def compare_devices(setup: Setup, variant: Variant, devices: Sequence[Device]) -> Comparison:
    """Return the comparison of one kernel on every device, of which the device of ``setup`` comes first."""
    ordered = sorted(devices, key=lambda d: d.key != setup.device)
    at_large = at_preset(setup, variant, large_preset(setup, variant))
    large = tuple((d.name, replace(at_large, device=d.key)) for d in ordered)
    chosen = tuple((d.name, replace(setup, device=d.key)) for d in ordered)
    launches = _launches(setup, variant, large, chosen)
    return Comparison(f"{variant.title} on {len(ordered)} devices", "the device in use", launches)


def large_preset(setup: Setup, variant: Variant) -> str:
    """Return the key of the preset that a comparison runs: the chosen one unless that is the small launch.

    A small launch fills a fraction of a device, so its times say little: with four blocks, "first add during load" is
    slower than the variant that it improves.
    """
    return LARGE if setup.preset == SMALL and variant.preset(LARGE) else setup.preset


def as_variant(setup: Setup, variant: Variant) -> Setup:
    """Return the setup of a kernel on the same device, with the same switches; that of ``setup`` itself is kept."""
    if variant.key == setup.variant:
        return setup
    return replace(
        setup, variant=variant.key, text=variant.text, file_name=variant.file_name, entry=variant.entry,
        edited=False, arguments={}, traced=0, traced_block=0,
    )  # fmt: skip


def at_preset(setup: Setup, variant: Variant, preset: str) -> Setup:
    """Return the setup at a preset of ``variant``, or at its large launch where it has no preset of that name."""
    found: dict[str, LaunchPreset] = {p.key: p for p in variant.presets}
    chosen = found.get(preset) or found.get(LARGE)
    return setup.with_preset(chosen) if chosen is not None else setup


def _launches(setup: Setup, variant: Variant, large: Setups, chosen: Setups) -> tuple[ComparedLaunch, ...]:
    """Return the launches to choose from. Times are those of NVIDIA's machine code where there is one: it comes first,
    and the same launch as written behind it."""
    at_large = at_preset(setup, variant, large_preset(setup, variant))
    is_chosen = at_large == setup or (at_large.preset == setup.preset and setup.is_launch_of(variant.presets))
    words, first = launch_words(setup if is_chosen else at_large, variant), chosen if is_chosen else large
    offered = [ComparedLaunch(words, first)]
    compiled = tuple((title, _as_compiled(each)) for title, each in first)
    if compiled != first:
        code = CODES[True] if all(each.by_nvidia for _, each in compiled) else f"{CODES[True]} from CC 7.5 on"
        offered = [ComparedLaunch(f"{words}, {code}", compiled), ComparedLaunch(f"{words}, {CODES[False]}", first)]
    return (*offered,) if is_chosen else (*offered, ComparedLaunch(launch_words(setup, variant), chosen))


def _as_compiled(setup: Setup) -> Setup:
    """Return a setup by NVIDIA's machine code where that can be made."""
    from warpview.run.nvrtc_targets import is_compiled_for  # not at the start of the window

    is_source = not is_machine_code(setup.file_name) and setup.program_launch is None
    return replace(setup, by_nvidia=True) if is_source and is_compiled_for(setup.device) else setup


def launch_words(setup: Setup, variant: Variant) -> str:
    """Return the name and the size of a launch, such as "large launch, 4.19 M threads"."""
    preset = variant.preset(setup.preset)
    if preset is None or not setup.is_launch_of([preset]):
        name = "your launch"
    else:
        name = LAUNCH_NAMES.get(preset.key, f"launch '{preset.key}'")
    shapes = [(x.grid, x.block) for x in preset.launches] if preset is not None and preset.launches else []
    shapes = shapes or [(setup.grid, setup.block)]
    threads = short(sum(prod(grid) * prod(block) for grid, block in shapes))
    return f"{name}, {threads} threads" + (f" in {len(shapes)} launches" if len(shapes) > 1 else "")
