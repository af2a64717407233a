"""Find the kernels that the chosen device cannot run, and why: from manifests, from known programs, from refused
launches.

Qt-free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from warpview.devices import Device
from warpview.isa.program import Program
from warpview.ui.session.backend import Variant

DEFAULT = "h200"


@dataclass
class DeviceCompatibility:
    """Hold what is known of the kernels' needs: programs say more than manifests, a refused launch more than both."""

    programs: dict[str, Program] = field(default_factory=dict)  # by variant
    refusals: dict[tuple[str, str], str] = field(default_factory=dict)  # by variant and device

    def ran(self, variant: str, device: str, program: Program) -> bool:
        """Note that a run succeeded; return whether that may change an answer."""
        demanding = program.minimum_capability > (1, 0) or program.last_capability < (99, 0)
        news = (demanding and variant not in self.programs) or (variant, device) in self.refusals
        self.programs[variant] = program
        self.refusals.pop((variant, device), None)
        return news

    def refused(self, variant: str, device: str, words: str) -> None:
        self.refusals[variant, device] = words

    def incompatibility(self, variant: Variant, device: Device) -> str:
        """Return the reason why ``device`` cannot run ``variant``, in a sentence; '' where there is none."""
        refusal = self.refusals.get((variant.key, device.key))
        if refusal is not None:
            return refusal
        if variant.last_capability < device.capability:
            return f"Compiled for compute capability {_version(variant.minimum_capability)}; {_has(device)}."
        program = self.programs.get(variant.key)
        needed = max(variant.minimum_capability, program.minimum_capability if program is not None else (0, 0))
        if needed > device.capability:
            return f"Needs compute capability {_version(needed)}; {_has(device)}."
        if program is not None and program.last_capability < device.capability:
            last = _version(program.last_capability)
            reason = f"Uses {program.last_capability_reason}, which was removed after compute capability {last}"
            return f"{reason}; {_has(device)}."
        return ""


def device_for(variant: Variant, chosen: str, devices: Sequence[Device]) -> str:
    """Return the key of the device to run an opened file on: the chosen one if it can run the file, else the default
    device or another that can. A kernel of the library stays on the chosen one, which says what it lacks."""
    able = [d for d in devices if variant.minimum_capability <= d.capability <= variant.last_capability]
    keys = [d.key for d in able if d.capability == variant.minimum_capability] or [d.key for d in able]
    if variant.family or not keys or any(d.key == chosen for d in able):
        return chosen
    return DEFAULT if any(d.key == DEFAULT for d in able) else keys[-1]


def other_device(variant: Variant, chosen: Device | None, devices: Sequence[Device]) -> str:
    """Name the first device that has what ``variant`` needs; '' where ``chosen`` has it, or no other."""
    able = (d for d in devices if variant.minimum_capability <= d.capability <= variant.last_capability)
    first = min(able, key=lambda device: device.capability, default=None)
    if first is None or chosen is None or variant.minimum_capability <= chosen.capability <= variant.last_capability:
        return ""
    return f"Shift+K chooses another device: {first.name}, for example, has {first.version}."


def _has(device: Device) -> str:
    return f"{device.name} has {device.version}"


def _version(capability: tuple[int, int]) -> str:
    return f"{capability[0]}.{capability[1]}"
