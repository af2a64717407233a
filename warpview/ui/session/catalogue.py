"""Hold the kernels and devices that can be chosen: those of the library, and the files that the user has opened.

Qt-free.
"""

from __future__ import annotations

from collections.abc import Iterable

from warpview.devices import Device, devices
from warpview.diagnostics import WarpviewError
from warpview.library import preset_name
from warpview.ui.session.backend import KernelFamily, LaunchPreset, Variant
from warpview.ui.session.engine import Engine


class Catalogue:
    """Find kernels and devices by their keys."""

    def __init__(self, engine: Engine) -> None:
        self.families: list[KernelFamily] = engine.families()
        self.devices = devices()
        self._files: dict[str, Variant] = {}

    def variants(self) -> Iterable[Variant]:
        """Yield the kernels of the library, then the opened files."""
        yield from (variant for family in self.families for variant in family.variants)
        yield from self._files.values()

    def find(self, key: str) -> Variant | None:
        """Return the kernel of that key; None where there is none."""
        return next((variant for variant in self.variants() if variant.key == key), None)

    def named(self, kernel: str, device: str | None, preset: str | None) -> tuple[Variant, LaunchPreset | None]:
        """Return a kernel and one of its launches (None: no other). WarpviewError where one of the names is unknown."""
        variant = self.find(kernel)
        if variant is None:
            raise WarpviewError(f"there is no kernel '{kernel}'")
        if device is not None and self.device(device) is None:
            raise WarpviewError(f"there is no device '{device}'")
        launch = variant.preset(preset)
        if preset is not None and launch is None:
            raise WarpviewError(f"{variant.key} has no launch '{preset_name(preset)}'")
        return variant, launch

    def add_file(self, variant: Variant) -> None:
        """Add an opened file, or replace it by what it has now."""
        self._files[variant.key] = variant

    def family(self, variant: Variant) -> KernelFamily | None:
        """Return the family of a kernel; None for an opened file."""
        return next((family for family in self.families if family.key == variant.family), None)

    def device(self, key: str) -> Device | None:
        """Return the device of that key; None where there is none."""
        return next((device for device in self.devices if device.key == key), None)

    def device_name(self, key: str) -> str:
        """Return the product name of a device, or its key where there is no such device."""
        device = self.device(key)
        return device.name if device is not None else key


def device_words(device: Device) -> str:
    """Return the compute capability and the year of a device, where that is known: "CC 9.0, 2024"."""
    return f"CC {device.version}, {device.year}" if device.year else f"CC {device.version}"
