"""The devices that can be simulated, and how many blocks each can hold."""

from warpview.devices.device import Capability, Device, DeviceError
from warpview.devices.loader import (
    capability_versions,
    device_keys,
    devices,
    load_capability,
    load_device,
    user_folder,
)

__all__ = [
    "Capability",
    "Device",
    "DeviceError",
    "capability_versions",
    "device_keys",
    "devices",
    "load_capability",
    "load_device",
    "user_folder",
]
