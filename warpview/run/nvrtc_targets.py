"""Tell what NVRTC compiles for a device, without loading what compiles: the window asks while it answers a key."""

from __future__ import annotations

from pathlib import Path

from warpview.devices import Device, capability_versions, device_meant, load_capability
from warpview.diagnostics import WarpviewError
from warpview.sass import nvrtc

PTX_ONLY = 0
OLDEST_COMPILED = (7, 5)  # compute capability that NVRTC 13 writes machine code for


def architecture_of(device: str | Path | Device) -> int:
    """Return the architecture that programs for a device are compiled for, such as 90 for sm_90; PTX_ONLY for devices
    older than those that NVRTC compiles for, which run its PTX.

    Raises WarpviewError where machine code of the device cannot be run.
    """
    chosen = device_meant(device)
    if chosen.capability < OLDEST_COMPILED:
        return PTX_ONLY
    if not chosen.sass:
        known = [version for version in capability_versions() if load_capability(version).sass]
        raise WarpviewError(
            f"NVIDIA's machine code of {chosen.name} (compute capability {chosen.version}) cannot be run; "
            f"that of compute capability {', '.join(known)} can"
        )
    return chosen.sass


def is_compiled_for(device: str | Path | Device) -> bool:
    """Return whether NVRTC is installed and writes machine code for a device that can be run here."""
    try:
        return nvrtc.is_installed() and architecture_of(device) != PTX_ONLY
    except WarpviewError:
        return False
