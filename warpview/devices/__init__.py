"""Describe the devices and compute how many blocks each can hold."""

import sys
from types import ModuleType

from warpview.devices.advice import OccupancyStep, advice, occupancy_steps
from warpview.devices.capability import Capability
from warpview.devices.device import Device, DeviceError
from warpview.devices.facts import Fact, device_facts
from warpview.devices.loader import (
    capability_versions,
    device_keys,
    device_meant,
    devices,
    generation,
    load_capability,
    load_device,
    user_folder,
)
from warpview.devices.occupancy import (
    UNLIMITED,
    Limit,
    Occupancy,
    block_registers,
    block_shared,
    clusters_at_once,
    occupancy,
)
from warpview.devices.written_out import Sequence, written_out

__all__ = [
    "UNLIMITED",
    "Capability",
    "Device",
    "DeviceError",
    "Fact",
    "Limit",
    "Occupancy",
    "OccupancyStep",
    "Sequence",
    "advice",
    "block_registers",
    "block_shared",
    "capability_versions",
    "clusters_at_once",
    "device_facts",
    "device_keys",
    "device_meant",
    "devices",
    "generation",
    "load_capability",
    "load_device",
    "occupancy",
    "occupancy_steps",
    "user_folder",
    "written_out",
]


class _Callable(ModuleType):
    """``warpview.devices`` is this package once it is imported, and ``warpview.devices()`` a public function."""

    def __call__(self) -> tuple[Device, ...]:
        return devices()


sys.modules[__name__].__class__ = _Callable
