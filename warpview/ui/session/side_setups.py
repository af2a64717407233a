"""List the runs that can stand beside the shown one: the run before, the unedited source, variants, devices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from warpview.ui.session.backend import Setup
from warpview.ui.session.catalogue import device_words
from warpview.ui.session.comparison_setups import CODES, as_variant, at_preset
from warpview.ui.session.file_kinds import is_machine_code
from warpview.ui.session.kept_runs import launch_words
from warpview.ui.session.session import Session


@dataclass(frozen=True)
class SideSetup:
    """Describe a run to set beside the one shown; ``kind`` and ``detail`` describe it in a list."""

    kind: str
    title: str
    detail: str
    setup: Setup


def side_setups(session: Session) -> Iterator[SideSetup]:
    """Yield the choices, the likely ones first."""
    setup, variant = session.shown or session.setup, session.variant
    if session.before is not None:
        yield SideSetup("Previous run", " · ".join(names_of(session, session.before)), "", session.before)
    if setup.edited:
        original = replace(setup, text=variant.text, edited=False)
        yield SideSetup("Source", "The source before the edit", variant.title, original)
    family = session.family()
    for other in family.variants if family is not None else ():
        if other.key != setup.variant:
            reason = session.incompatibility(other)
            beside = at_preset(as_variant(setup, other), other, setup.preset)
            yield SideSetup("Kernel", other.title, reason, beside)
    for device in session.catalogue.devices:
        if device.key != setup.device:
            yield SideSetup("Device", device.name, device_words(device), replace(setup, device=device.key))


def names_of(session: Session, setup: Setup) -> tuple[str, ...]:
    """Return what the run of a setup is called, part by part: kernel, device, launch."""
    variant = session.catalogue.find(setup.variant)
    kernel = variant.title if variant is not None else setup.variant
    edited = ("edited",) if setup.edited else ()
    code = () if is_machine_code(setup.file_name) else (CODES[setup.by_nvidia],)
    launch = launch_words(replace(setup, by_nvidia=False), variant)
    return (kernel, session.catalogue.device_name(setup.device), launch, *code, *edited)
