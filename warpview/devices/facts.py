"""Write the facts of a device for people to read, with the keys of its files."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

from warpview.devices.device import Device
from warpview.devices.schema import Cache
from warpview.isa.ops import Unit


class Fact(NamedTuple):
    """A fact is one key of a device file; ``section`` is empty for the keys at the top."""

    section: str
    key: str
    value: str
    verified: bool


def device_facts(device: Device) -> tuple[Fact, ...]:
    """Return every fact, section by section, and whether its files mark it as unverified."""
    found: list[Fact] = []
    for field in dataclasses.fields(device):
        if not field.metadata:
            continue
        section, key = field.metadata["section"], field.metadata["key"] or field.name
        value = getattr(device, field.name)
        if key == "*":
            items = [(unit.name.lower(), str(cycles)) for unit, cycles in zip(Unit, value, strict=True)]
        else:
            items = [(key, _text(field.name, value))]
        for name, text in items:
            place = f"{section}.{name}" if section else name
            found.append(Fact(section, name, text, place not in device.unverified))
    order = list(dict.fromkeys(fact.section for fact in found))
    return tuple(sorted(found, key=lambda fact: order.index(fact.section)))


def _text(name: str, value: object) -> str:
    """Return a value as a person would write it."""
    if name == "capability" and isinstance(value, tuple):
        return ".".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Cache):
        return f"{value.bytes} bytes, lines of {value.line} in sectors of {value.sector}, {value.ways} ways"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
